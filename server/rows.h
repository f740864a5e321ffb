/* rows.h -- windows of cells, and what columns hold.
 *
 * A table is read once and stays in memory, coded; a window of its rows is a few look-ups. How
 * often each value occurs is counted when it is read.
 */
#ifndef SHOAL_SERVER_ROWS_H
#define SHOAL_SERVER_ROWS_H

#include "server.h"

/* Read a file as the tree of a spec says. as_published: what the anonymizer releases as it is
 * stays as it is written, whatever it looks like. */
shoal_status server_table_read(shoal_ctx *ctx, shoal_table **out, const json_t *tree,
                               const char *path, bool as_published);

/* Count the values of a table, which is taken over in any case. */
shoal_status server_table_count(server_table *out, shoal_table *table, const json_t *tree);
void server_table_clear(server_table *table);

/* The codes of a column by how often they occur, the most frequent first; made once, and NULL
 * without memory. */
const uint32_t *server_order_values(server_table *table, size_t column);

/* Which rows a request asks for: from so many on, 100 unless it says how many. False: it was
 * refused. */
bool server_window_of(const server_request *request, server_reply *reply, uint64_t *from,
                      uint64_t *count);

/* A window of a table, from the arguments `from` and `count`. */
void server_send_rows(server_request *request, server_reply *reply, const shoal_table *table);

/* A cell; long ones are cut, and noted in `cut` unless that is NULL. */
json_t *server_cell(server_body *b, const shoal_table *table, size_t column, size_t row,
                    json_t *cut, size_t row_of_answer);

/* The columns of a table as /api/columns has them; of a release beside them where `after` is
 * not NULL. */
void server_put_columns(server_body *b, server_table *table, const json_t *tree,
                        server_table *after);

/* GET /api/rows, /api/columns, /api/columns/N/values */
void server_get_rows(server *s, server_request *request, server_reply *reply);
void server_get_columns(server *s, server_request *request, server_reply *reply);
void server_get_values(server *s, server_request *request, server_reply *reply);

#endif /* SHOAL_SERVER_ROWS_H */
