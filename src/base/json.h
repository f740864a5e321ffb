/* json.h -- a streaming JSON writer.
 *
 *     shoal_i_json j = shoal_i_json_start(&buffer);
 *     shoal_i_json_object(&j, NULL);
 *     shoal_i_json_count(&j, "records", 30162);
 *     shoal_i_json_array(&j, "columns");
 *     shoal_i_json_text(&j, NULL, "age");
 *     shoal_i_json_end(&j);
 *     shoal_i_json_end(&j);
 *
 * Indented by two spaces. Each call takes the key, NULL inside an array or at the top. Numbers
 * are written so that reading them back gives the same value; NaN and infinity, which JSON
 * lacks, become null. Invalid UTF-8 becomes U+FFFD.
 */
#ifndef SHOAL_I_JSON_H
#define SHOAL_I_JSON_H

#include "buffer.h"

#define SHOAL_I_JSON_DEPTH_MAX 32

typedef struct shoal_i_json {
    shoal_i_buffer *out;
    int depth;
    char closers[SHOAL_I_JSON_DEPTH_MAX];
    bool has_items[SHOAL_I_JSON_DEPTH_MAX + 1];
} shoal_i_json;

shoal_i_json shoal_i_json_start(shoal_i_buffer *out);
void shoal_i_json_object(shoal_i_json *json, const char *key);
void shoal_i_json_array(shoal_i_json *json, const char *key);
/* Close the innermost object or array; the last one ends the text with a newline. */
void shoal_i_json_end(shoal_i_json *json);
void shoal_i_json_text(shoal_i_json *json, const char *key, const char *text);
void shoal_i_json_text_n(shoal_i_json *json, const char *key, const char *text, size_t length);
void shoal_i_json_count(shoal_i_json *json, const char *key, uint64_t count);
void shoal_i_json_number(shoal_i_json *json, const char *key, double number);
void shoal_i_json_bool(shoal_i_json *json, const char *key, bool value);
void shoal_i_json_null(shoal_i_json *json, const char *key);

#endif /* SHOAL_I_JSON_H */
