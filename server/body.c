#include "server.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 136 /* of a hierarchy of 64 levels */
#define MISTAKES_MAX 1000

/* --- Answers. ----------------------------------------------------------------------------- */

server_body server_body_begin(void)
{
    server_body b = {.root = json_object()};

    b.has_failed = !b.root;
    return b;
}

void server_body_put(server_body *b, json_t *object, const char *key, json_t *value)
{
    b->has_failed |= json_object_set_new(object, key, value) != 0;
}

void server_body_add(server_body *b, json_t *array, json_t *value)
{
    b->has_failed |= json_array_append_new(array, value) != 0;
}

/* How many bytes the character at the start of a text has; 0: it is none. */
static size_t measure_character(const char *text, size_t length)
{
    const unsigned char *t = (const unsigned char *)text;
    size_t size = t[0] < 0x80 ? 1 : t[0] < 0xC2 ? 0 : t[0] < 0xE0 ? 2 : t[0] < 0xF0 ? 3 : 4;

    if (size == 0 || size > length || t[0] > 0xF4) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if ((t[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool is_long = (t[0] == 0xE0 && t[1] < 0xA0) || (t[0] == 0xF0 && t[1] < 0x90);
    bool is_beyond = (t[0] == 0xED && t[1] > 0x9F) || (t[0] == 0xF4 && t[1] > 0x8F);

    return is_long || is_beyond ? 0 : size;
}

static json_t *mend_text(const char *text, size_t length)
{
    char *mended = malloc(length + 1);
    size_t at = 0;

    if (!mended) {
        return NULL;
    }
    while (at < length) {
        size_t size = measure_character(text + at, length - at);

        if (size == 0) {
            mended[at++] = '?';
        } else {
            memcpy(mended + at, text + at, size);
            at += size;
        }
    }
    json_t *node = json_stringn(mended, length);

    free(mended);
    return node;
}

json_t *server_body_text_n(const char *text, size_t length)
{
    json_t *node = text ? json_stringn(text, length) : json_null();

    return node ? node : mend_text(text, length);
}

json_t *server_body_text(const char *text)
{
    return server_body_text_n(text, text ? strlen(text) : 0);
}

json_t *server_body_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *server_body_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

char *server_body_dump(const json_t *tree)
{
    return json_dumps(tree, JSON_COMPACT | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
}

void server_body_send(server_body *b, server_reply *reply, unsigned status)
{
    char *text = b->has_failed ? NULL : server_body_dump(b->root);

    json_decref(b->root);
    b->root = NULL;
    server_reply_clear(reply);
    reply->type = "application/json";
    if (text) {
        reply->status = status;
        reply->bytes = text;
        reply->size = strlen(text);
    } else {
        static char without[] = "{\"error\":{\"status\":\"memory\",\"message\":\"Out of "
                                "memory.\"},\"mistakes\":[]}";

        reply->status = 500;
        reply->bytes = without;
        reply->size = sizeof without - 1;
        reply->is_borrowed = true;
    }
}

/* --- Failures. ---------------------------------------------------------------------------- */

bool server_refuse(server_reply *reply, unsigned http, const char *status, const char *format,
                   ...)
{
    char message[SHOAL_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    shoal_error error = {.record = -1, .field = -1};

    snprintf(error.message, sizeof error.message, "%s", message);
    server_body b = server_body_begin();
    json_t *object = server_body_error(&error, NULL);

    if (object) {
        json_object_set_new(object, "status", json_string(status));
    }
    server_body_put(&b, b.root, "error", object);
    server_body_put(&b, b.root, "mistakes", json_array());
    server_body_send(&b, reply, http);
    return false;
}

const char *server_status_word(shoal_status status)
{
    static const char *const words[] = {
        "ok", "invalid",   "format",      "not_found", "unsatisfiable", "limit", "memory",
        "io", "cancelled", "unsupported", "rejected",  "busy",          "warned"};

    return (size_t)status < sizeof words / sizeof *words ? words[status] : "io";
}

unsigned server_status_http(shoal_status status)
{
    switch (status) {
    case SHOAL_OK:
        return 200;
    case SHOAL_ENOTFOUND:
        return 404;
    case SHOAL_ELIMIT:
        return 413;
    case SHOAL_ENOMEM:
    case SHOAL_EIO:
        return 500;
    case SHOAL_EBUSY:
        return 429;
    default:
        return 422;
    }
}

/* Of what stands behind the name of the private folder, "/jobs/3/release.csv", the name. */
static const char *skip_room(const char *text)
{
    static const char *const rooms[] = {"/jobs/", "/uploads/"};

    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        size_t length = strlen(rooms[i]);

        if (strncmp(text, rooms[i], length) == 0) {
            length += strspn(text + length, "0123456789");
            return text + length + (text[length] == '/');
        }
    }
    return text + (text[0] == '/');
}

char *server_without_work(const char *text, const char *work)
{
    size_t length = work ? strlen(work) : 0;
    char *copy = malloc(strlen(text) + 1);
    char *end = copy;
    const char *found = NULL;

    if (!copy) {
        return NULL;
    }
    while (length > 0 && (found = strstr(text, work)) != NULL) {
        memcpy(end, text, (size_t)(found - text));
        end += found - text;
        text = skip_room(found + length);
    }
    memcpy(end, text, strlen(text) + 1);
    return copy;
}

static json_t *position(int64_t number, int64_t none)
{
    return number == none ? json_null() : json_integer((json_int_t)number);
}

json_t *server_body_error(const shoal_error *error, const char *work)
{
    server_body b = server_body_begin();
    char *message = server_without_work(error->message, work);
    char *source = server_without_work(error->source, work);

    server_body_put(&b, b.root, "status", server_body_text(server_status_word(error->status)));
    server_body_put(&b, b.root, "message", server_body_text(message ? message : ""));
    server_body_put(&b, b.root, "source",
                    source && source[0] ? server_body_text(source) : json_null());
    server_body_put(&b, b.root, "line", position(error->line, 0));
    server_body_put(&b, b.root, "column", position(error->column, 0));
    server_body_put(&b, b.root, "record", position(error->record, -1));
    server_body_put(&b, b.root, "field", position(error->field, -1));
    server_body_put(&b, b.root, "setting", json_null());
    free(message);
    free(source);
    if (b.has_failed) {
        json_decref(b.root);
        return NULL;
    }
    /* Where a single setting is at fault, its key is what the library names as the source. */
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;

    for (size_t i = 0; error->source[0] && shoal_setting_describe(&facts, i); i++) {
        if (strcmp(facts.key, error->source) == 0) {
            json_object_set_new(b.root, "setting", json_string(facts.key));
        }
    }
    return b.root;
}

bool server_refuse_error(server_reply *reply, const shoal_error *error, json_t *mistakes,
                         const char *work)
{
    server_body b = server_body_begin();
    size_t count = json_array_size(mistakes);

    server_body_put(&b, b.root, "error",
                    count > 0 ? json_incref(json_array_get(mistakes, 0))
                              : server_body_error(error, work));
    server_body_put(&b, b.root, "mistakes", mistakes ? mistakes : json_array());
    server_body_send(&b, reply, server_status_http(error->status));
    return false;
}

void server_take_mistake(void *payload, shoal_log_level level, const char *message,
                         const shoal_error *where)
{
    server_mistakes *mistakes = payload;
    shoal_error none = {.status = SHOAL_EINVAL, .record = -1, .field = -1};

    if (level != SHOAL_LOG_ERROR || json_array_size(mistakes->list) >= MISTAKES_MAX) {
        return;
    }
    if (!where) {
        snprintf(none.message, sizeof none.message, "%s", message);
    }
    json_array_append_new(mistakes->list,
                          server_body_error(where ? where : &none, mistakes->work));
}

/* --- Bodies of requests. ------------------------------------------------------------------ */

/* jansson calls itself for every level: what is too deep never reaches it. */
static bool is_too_deep(const char *text, size_t size)
{
    int depth = 0;
    bool is_quoted = false;

    for (size_t i = 0; i < size; i++) {
        if (is_quoted) {
            is_quoted = text[i] != '"';
            i += text[i] == '\\';
        } else if (text[i] == '"') {
            is_quoted = true;
        } else if (text[i] == '[' || text[i] == '{') {
            if (++depth > DEPTH_MAX) {
                return true;
            }
        } else if (text[i] == ']' || text[i] == '}') {
            depth--;
        }
    }
    return false;
}

static bool is_known(const char *key, const char *const *known)
{
    while (*known && strcmp(*known, key) != 0) {
        known++;
    }
    return *known != NULL;
}

json_t *server_body_parse(const server_request *request, server_reply *reply,
                          const char *const *known)
{
    json_error_t error;
    const char *key = NULL;
    json_t *value = NULL;

    if (is_too_deep(request->body, request->body_size)) {
        server_refuse(reply, 413, "limit", "The body is more than %d levels deep.", DEPTH_MAX);
        return NULL;
    }
    json_t *root = json_loadb(request->body ? request->body : "", request->body_size,
                              JSON_REJECT_DUPLICATES, &error);

    if (!root) {
        server_refuse(reply, 400, "request", "The body is not JSON: line %d, column %d.",
                      error.line, error.column);
        return NULL;
    }
    if (!json_is_object(root)) {
        server_refuse(reply, 400, "request", "The body must be a JSON object.");
        json_decref(root);
        return NULL;
    }
    json_object_foreach(root, key, value)
    {
        if (!is_known(key, known)) {
            server_refuse(reply, 400, "request", "The key \"%.80s\" is not known here.", key);
            json_decref(root);
            return NULL;
        }
    }
    return root;
}

bool server_body_want_text(server_reply *reply, const json_t *object, const char *key,
                           const char **out)
{
    const json_t *value = json_object_get(object, key);

    *out = NULL;
    if (!value || json_is_null(value)) {
        return true;
    }
    *out = json_string_value(value);
    return *out || server_refuse(reply, 400, "request", "\"%s\" must be a text.", key);
}

bool server_body_want_truth(server_reply *reply, const json_t *object, const char *key,
                            bool *out)
{
    const json_t *value = json_object_get(object, key);

    *out = json_is_true(value);
    return !value || json_is_boolean(value) ||
           server_refuse(reply, 400, "request", "\"%s\" must be true or false.", key);
}
