/* arrow_export.h -- what tests need of an exported stream. */
#ifndef SHOAL_I_ARROW_EXPORT_H
#define SHOAL_I_ARROW_EXPORT_H

#include <shoal/arrow.h>

/* The context by which an exported stream allocates and in which it keeps its last error, so
 * that a test can make its allocations fail. Borrowed. */
shoal_ctx *shoal_i_arrow_stream_ctx(struct ArrowArrayStream *stream);

#endif /* SHOAL_I_ARROW_EXPORT_H */
