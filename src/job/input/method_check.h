/* method_check.h -- whether the method of a spec can do what the spec asks for. */
#ifndef SHOAL_I_METHOD_CHECK_H
#define SHOAL_I_METHOD_CHECK_H

#include "../../spec/mistakes.h"
#include "../../spec/spec.h"

/* What can be said before any file is read. Every mistake is logged, at the requirement or the
 * method it is about, with the methods that would do.
 *   SHOAL_EUNSUPPORTED  a requirement that the method cannot honour, or none can
 *   SHOAL_EINVAL        an effort or a time for a method that does not search; suppression,
 *                       means or the order of the input with a box per record; a method that
 *                       publishes sensitive values apart, or works by them, and no sensitive
 *                       column, or no requirement about one */
shoal_status shoal_i_method_check(shoal_ctx *ctx, const shoal_spec *spec);

#endif /* SHOAL_I_METHOD_CHECK_H */
