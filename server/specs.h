/* specs.h -- the spec of the session: as YAML, as a tree, by its hash.
 *
 * A tree that a page sends is written as YAML with one line for every value, so that the
 * library reads it like any other spec, and the line of a mistake leads back to its place in
 * the tree.
 */
#ifndef SHOAL_SERVER_SPECS_H
#define SHOAL_SERVER_SPECS_H

#include "server.h"

/* Read YAML into all forms of a spec. The context logs mistakes. `kept`: the YAML stays as it
 * is; otherwise it is what the library writes. */
shoal_status server_spec_build(shoal_ctx *ctx, server_spec *out, const char *yaml, bool kept);
shoal_status server_spec_copy(shoal_ctx *ctx, server_spec *out, const server_spec *spec);
void server_spec_clear(server_spec *spec);

/* The spec that a body brings as "spec" or "yaml"; *is_there: it does. False after a refusal.
 */
bool server_spec_take(server *s, server_spec *out, server_reply *reply, const json_t *object,
                      bool *is_there);

/* The same from a tree. */
bool server_spec_from_tree(server *s, server_spec *out, server_reply *reply,
                           const json_t *tree);

/* Whether every file that a spec names lies in the folder. */
bool server_spec_check_files(const server *s, server_reply *reply, const json_t *tree);

/* What it says about reading a file, as a text to compare; types that the table has anyway do
 * not count. A new text, or NULL. */
char *server_spec_reading(const json_t *tree, const shoal_table *table);

/* Whether the table that is shown was read in another way than the spec asks for now. */
bool server_spec_is_stale(const server *s);

/* Put its forms into an answer. */
void server_spec_put(server_body *b, json_t *object, const server_spec *spec, bool is_stale);

/* GET and PUT /api/spec, POST /api/spec/check, /api/spec/open */
void server_get_spec(server *s, server_request *request, server_reply *reply);
void server_put_spec(server *s, server_request *request, server_reply *reply);
void server_check_spec(server *s, server_request *request, server_reply *reply);
void server_open_spec(server *s, server_request *request, server_reply *reply);

#endif /* SHOAL_SERVER_SPECS_H */
