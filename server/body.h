/* body.h -- JSON in and out.
 *
 * Bodies of requests are parsed within limits; answers are built as trees of jansson. A node
 * that could not be made is noticed when it is put into another one, so that every answer is
 * checked once, at its end:
 *
 *     server_body b = server_body_begin();
 *
 *     server_body_put(&b, b.root, "name", server_body_text("age"));
 *     server_body_send(&b, reply, 200);
 */
#ifndef SHOAL_SERVER_BODY_H
#define SHOAL_SERVER_BODY_H

#include <shoal/shoal.h>

#include <jansson.h>

struct server_reply;
struct server_request;

typedef struct server_body {
    json_t *root;
    bool has_failed; /* for lack of memory */
} server_body;

/* An answer that is an object. */
server_body server_body_begin(void);

/* Put a node into an object or an array, which takes it over. */
void server_body_put(server_body *b, json_t *object, const char *key, json_t *value);
void server_body_add(server_body *b, json_t *array, json_t *value);

/* New nodes. A text that is not UTF-8, as names of files may be, has question marks instead;
 * NULL gives null, and so do numbers that JSON lacks. */
json_t *server_body_text(const char *text);
json_t *server_body_text_n(const char *text, size_t length);
json_t *server_body_count(uint64_t count);
json_t *server_body_number(double number);

/* The end of an answer. */
void server_body_send(server_body *b, struct server_reply *reply, unsigned status);

/* A tree as a text, to be freed; NULL: no memory. */
char *server_body_dump(const json_t *tree);

/* The object that a request sends, whose keys are all among `known` (NULL-terminated); NULL
 * after a refusal. The caller releases it. */
json_t *server_body_parse(const struct server_request *request, struct server_reply *reply,
                          const char *const *known);

/* A text of an object: *out is it, or NULL where there is none. False, with a reply, when it is
 * something else. */
bool server_body_want_text(struct server_reply *reply, const json_t *object, const char *key,
                           const char **out);
bool server_body_want_truth(struct server_reply *reply, const json_t *object, const char *key,
                            bool *out);

/* --- Failures. ---------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define SERVER_PRINTF(format_at, rest_at) __attribute__((format(printf, format_at, rest_at)))
#else
#define SERVER_PRINTF(format_at, rest_at)
#endif

/* Refuse a request in one sentence; status is a word of docs/server.md. Always false. */
bool server_refuse(struct server_reply *reply, unsigned http, const char *status,
                   const char *format, ...) SERVER_PRINTF(4, 5);

/* An error of the library as an object; the place of a file in the work folder is left out. */
json_t *server_body_error(const shoal_error *error, const char *work);

/* Answer with what a call of the library failed with, and with all mistakes it told before (an
 * array, which is taken over, or NULL). Always false. */
bool server_refuse_error(struct server_reply *reply, const shoal_error *error, json_t *mistakes,
                         const char *work);

/* The word for a status, and its HTTP status. */
const char *server_status_word(shoal_status status);
unsigned server_status_http(shoal_status status);

/* A text without the name of the private folder in it: a new one, or NULL without memory. */
char *server_without_work(const char *text, const char *work);

/* What a context logs: mistakes as objects. The payload is a server_mistakes. */
typedef struct server_mistakes {
    json_t *list;
    const char *work;
} server_mistakes;

void server_take_mistake(void *payload, shoal_log_level level, const char *message,
                         const shoal_error *where);

#endif /* SHOAL_SERVER_BODY_H */
