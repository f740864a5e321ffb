/* sized.h -- structs of callers that may have been built against older headers.
 *
 * Public structs of options and of facts begin with `size_t struct_size`, which their _INIT
 * macro sets. They grow only at their end, by fields that start on a new word (of size_t),
 * because what lies in the padding of an older caller's struct is nobody's. So a struct is cut
 * between two fields wherever its size says.
 */
#ifndef SHOAL_I_SIZED_H
#define SHOAL_I_SIZED_H

#include "context.h"

/* Take over what `from`, a struct of the caller's size, says into `known`, which holds the
 * defaults and is of the size that the library knows. NULL says nothing. SHOAL_EINVAL: its size
 * is 0, larger than known, or that of no struct; name is that of its type. */
shoal_status shoal_i_sized_take(shoal_ctx *ctx, void *known, size_t size, const void *from,
                                const char *name);

/* Fill `to`, a struct of the caller's size, from `known`; false, with it untouched, when it has
 * a size as above. */
bool shoal_i_sized_fill(void *to, const void *known, size_t size);

#endif /* SHOAL_I_SIZED_H */
