/* csv_write.h -- a table as CSV text in memory. */
#ifndef SHOAL_I_CSV_WRITE_H
#define SHOAL_I_CSV_WRITE_H

#include "../../base/buffer.h"

#include <shoal/table.h>

/* As shoal_csv_write, appended to a buffer. */
shoal_status shoal_i_csv_write_buffer(shoal_ctx *ctx, shoal_i_buffer *buffer,
                                      const shoal_table *table, char delimiter);

#endif /* SHOAL_I_CSV_WRITE_H */
