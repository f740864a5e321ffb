/* parsed.h -- a release that anybody made, read beside its original. */
#ifndef SHOAL_I_PARSED_H
#define SHOAL_I_PARSED_H

#include "../input/prepare.h"
#include "../input/received.h"

/* The release as boxes of the original's codes, with the records it leaves out counted. Its
 * shape is that of the file or, where the spec says so, a box per record, in received, too; a
 * warning (box-per-record) where that seems to be meant. SHOAL_EFORMAT: it has more rows than
 * the original has records; a row finds no record of its own that it covers. */
shoal_status shoal_i_parse_beside(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_prepared *prepared, shoal_i_received *received,
                                  const shoal_spec *spec);

#endif /* SHOAL_I_PARSED_H */
