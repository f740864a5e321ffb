/* verify_header.h -- the columns of a release held against the spec: which of them must not be
 * there, and which nobody decided on. */
#ifndef SHOAL_I_VERIFY_HEADER_H
#define SHOAL_I_VERIFY_HEADER_H

#include "../../report/report.h"
#include "../input/received.h"

/* Names of columns of the release, which live as long as it; starts as {0}, freed by its
 * user. */
typedef struct shoal_i_withheld {
    const char **names;
    size_t count;
} shoal_i_withheld;

/* List the columns that are in the release though the spec never releases their role, and warn
 * of those that the spec does not name, unless it releases the rest. */
shoal_status shoal_i_verify_header(shoal_ctx *ctx, shoal_i_withheld *out,
                                   const shoal_spec *spec, const shoal_i_received *received);

#endif /* SHOAL_I_VERIFY_HEADER_H */
