/* The types of settings: how their values are read from text, kept in a spec, and told
 * again. */
#include "setting.h"

#include "../base/text.h"
#include "mistakes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void *field_of(shoal_spec *spec, size_t offset)
{
    return (char *)spec + offset;
}

static const void *field_in(const shoal_spec *spec, size_t offset)
{
    return (const char *)spec + offset;
}

static void note_given(shoal_spec *spec, const shoal_i_setting *s)
{
    if (s->given) {
        *(bool *)field_of(spec, s->given) = true;
    }
}

/* "k is a whole number from 1 to 9007199254740992; got ..." */
static shoal_status fail_range(shoal_ctx *ctx, const shoal_i_setting *s, const char *text)
{
    return shoal_i_fail(ctx, SHOAL_EINVAL, "%s %s; got \"%.*s\".", s->subject, s->range,
                        s->type->form == SHOAL_I_FORM_LIST ? 80 : 40, text);
}

static bool is_in_range(const shoal_i_setting *s, double number)
{
    return (s->is_least_out ? number > s->least : number >= s->least) &&
           (s->is_most_out ? number < s->most : number <= s->most);
}

/* --- Unsigned integers, whatever their size. ---------------------------------------------- */

static void store_integer(shoal_spec *spec, const shoal_i_setting *s, uint64_t value)
{
    void *field = field_of(spec, s->offset);

    switch (s->size) {
    case sizeof(uint8_t):
        *(uint8_t *)field = (uint8_t)value;
        break;
    case sizeof(uint32_t):
        *(uint32_t *)field = (uint32_t)value;
        break;
    default:
        assert(s->size == sizeof value);
        memcpy(field, &value, sizeof value);
    }
}

static uint64_t load_integer(const shoal_spec *spec, const shoal_i_setting *s)
{
    const void *field = field_in(spec, s->offset);
    uint64_t value = 0;

    switch (s->size) {
    case sizeof(uint8_t):
        return *(const uint8_t *)field;
    case sizeof(uint32_t):
        return *(const uint32_t *)field;
    default:
        memcpy(&value, field, sizeof value);
        return value;
    }
}

static shoal_status assign_whole(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                 shoal_i_setting_given *given)
{
    const char *text = given->items[0];
    int64_t number = 0;

    /* Compared as integers: not all of them are doubles. */
    if (!shoal_i_text_to_int64(&number, text, strlen(text)) || number < (int64_t)s->least ||
        (s->most < 0x1p63 && number > (int64_t)s->most)) {
        return fail_range(ctx, s, text);
    }
    store_integer(spec, s, (uint64_t)number);
    note_given(spec, s);
    return SHOAL_OK;
}

static void put_whole(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                      size_t i)
{
    (void)i;
    shoal_i_buffer_printf(out, "%llu", (unsigned long long)load_integer(spec, s));
}

const shoal_i_setting_type shoal_i_type_whole = {
    .name = "whole number",
    .assign = assign_whole,
    .put = put_whole,
};

/* A whole number of bytes, or of kibibytes, mebibytes or gibibytes: 512M. */
static shoal_status assign_bytes(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                 shoal_i_setting_given *given)
{
    static const char units[] = "kMGT";
    const char *text = given->items[0];
    size_t length = strlen(text);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    int64_t count = 0;

    if (!shoal_i_text_to_int64(&count, text, length - (unit != NULL)) || count < 1 ||
        count > (INT64_MAX >> shift)) {
        return fail_range(ctx, s, text);
    }
    store_integer(spec, s, (uint64_t)count << shift);
    return SHOAL_OK;
}

const shoal_i_setting_type shoal_i_type_bytes = {
    .name = "bytes",
    .assign = assign_bytes,
    .put = put_whole,
};

/* --- Numbers. ----------------------------------------------------------------------------- */

shoal_status shoal_i_setting_parse_number(shoal_ctx *ctx, double *out, const shoal_i_setting *s,
                                          const char *text, const char *quoted)
{
    double number = 0;

    if (!shoal_i_text_to_double(&number, text, strlen(text)) || !is_in_range(s, number)) {
        return fail_range(ctx, s, quoted ? quoted : text);
    }
    *out = number;
    return SHOAL_OK;
}

static shoal_status assign_number(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                  shoal_i_setting_given *given)
{
    shoal_status st =
        shoal_i_setting_parse_number(ctx, field_of(spec, s->offset), s, given->items[0], NULL);

    if (st == SHOAL_OK) {
        note_given(spec, s);
    }
    return st;
}

static void put_real(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                     size_t i)
{
    shoal_i_buffer_number(out, ((const double *)field_in(spec, s->offset))[i]);
}

const shoal_i_setting_type shoal_i_type_number = {
    .name = "number",
    .assign = assign_number,
    .put = put_real,
};

/* "90", "90s", "5m", "1h" */
static shoal_status assign_time(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                shoal_i_setting_given *given)
{
    static const char units[] = "smh";
    static const double factors[] = {1, 60, 3600};
    const char *text = given->items[0];
    size_t length = strlen(text);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    double seconds = 0;
    bool is_number = shoal_i_text_to_double(&seconds, text, length - (unit ? 1 : 0));

    seconds *= unit ? factors[unit - units] : 1;
    if (!is_number || !is_in_range(s, seconds)) {
        return fail_range(ctx, s, text);
    }
    *(double *)field_of(spec, s->offset) = seconds;
    return SHOAL_OK;
}

static void put_time(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                     size_t i)
{
    put_real(out, spec, s, i);
    shoal_i_buffer_char(out, 's');
}

const shoal_i_setting_type shoal_i_type_time = {
    .name = "time",
    .assign = assign_time,
    .put = put_time,
};

static shoal_status assign_numbers(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                   shoal_i_setting_given *given)
{
    shoal_status st = SHOAL_OK;
    double numbers[SHOAL_I_THRESHOLDS_MAX];

    assert(s->capacity <= SHOAL_I_THRESHOLDS_MAX);
    if (given->count > s->capacity) {
        return fail_range(ctx, s, given->quoted);
    }
    for (given->at = 0; given->at < given->count; given->at++) {
        SHOAL_TRY(shoal_i_setting_parse_number(ctx, &numbers[given->at], s,
                                               given->items[given->at], given->quoted));
    }
    memcpy(field_of(spec, s->offset), numbers, given->count * sizeof *numbers);
    *(size_t *)field_of(spec, s->count) = given->count;
done:
    return st;
}

static size_t count_items(const shoal_spec *spec, const shoal_i_setting *s)
{
    return *(const size_t *)field_in(spec, s->count);
}

const shoal_i_setting_type shoal_i_type_numbers = {
    .name = "list of numbers",
    .form = SHOAL_I_FORM_LIST,
    .in_files = "a list of up to 8 numbers, such as [0.09, 0.2]",
    .least_items = 1,
    .item = "a number",
    .assign = assign_numbers,
    .count = count_items,
    .put = put_real,
};

/* --- Words. ------------------------------------------------------------------------------- */

static shoal_status assign_word(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                shoal_i_setting_given *given)
{
    size_t word = 0;
    shoal_status st = shoal_i_parse_word(ctx, &word, s->subject, given->items[0], s->words);

    if (st == SHOAL_OK) {
        store_integer(spec, s, word);
        note_given(spec, s);
    }
    return st;
}

static void put_word(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                     size_t i)
{
    (void)i;
    shoal_i_buffer_text(out, s->words[load_integer(spec, s)]);
}

const shoal_i_setting_type shoal_i_type_word = {
    .name = "word",
    .assign = assign_word,
    .put = put_word,
};

static shoal_status assign_words(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                 shoal_i_setting_given *given)
{
    shoal_status st = SHOAL_OK;
    uint64_t bits = 0;
    size_t word = 0;

    for (given->at = 0; given->at < given->count; given->at++) {
        SHOAL_TRY(
            shoal_i_parse_word(ctx, &word, s->subject, given->items[given->at], s->words));
        bits |= UINT64_C(1) << word;
    }
    store_integer(spec, s, bits);
done:
    return st;
}

static size_t count_bits(const shoal_spec *spec, const shoal_i_setting *s)
{
    size_t count = 0;

    for (uint64_t bits = load_integer(spec, s); bits; bits >>= 1) {
        count += bits & 1;
    }
    return count;
}

static void put_bit(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                    size_t i)
{
    uint64_t bits = load_integer(spec, s);
    size_t word = 0;

    for (;; word++) {
        if (((bits >> word) & 1) && i-- == 0) {
            break;
        }
    }
    shoal_i_buffer_text(out, s->words[word]);
}

const shoal_i_setting_type shoal_i_type_words = {
    .name = "list of words",
    .form = SHOAL_I_FORM_LIST,
    .assign = assign_words,
    .count = count_bits,
    .put = put_bit,
};

static shoal_status assign_axes(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                shoal_i_setting_given *given)
{
    shoal_status st = SHOAL_OK;
    size_t axes[2] = {0};

    if (given->count != 2) {
        return fail_range(ctx, s, given->quoted);
    }
    for (given->at = 0; given->at < 2; given->at++) {
        SHOAL_TRY(shoal_i_parse_word(ctx, &axes[given->at], "figure", given->items[given->at],
                                     s->words));
    }
    if (axes[0] == axes[1]) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "The two axes are the same figure, %s.",
                            s->words[axes[0]]);
    }
    for (size_t i = 0; i < 2; i++) {
        spec->sweep.axes[i] = (shoal_i_axis_figure)axes[i];
    }
    note_given(spec, s);
done:
    return st;
}

static size_t count_axes(const shoal_spec *spec, const shoal_i_setting *s)
{
    (void)s;
    return spec->sweep.has_axes ? 2 : 0;
}

static void put_axis(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                     size_t i)
{
    shoal_i_buffer_text(out, s->words[spec->sweep.axes[i]]);
}

const shoal_i_setting_type shoal_i_type_axes = {
    .name = "two words",
    .form = SHOAL_I_FORM_LIST,
    .in_files = "a list of two figures",
    .item = "a figure",
    .is_list_in_files = true,
    .least_items = 2,
    .assign = assign_axes,
    .count = count_axes,
    .put = put_axis,
};

/* --- Texts. ------------------------------------------------------------------------------- */

static shoal_status assign_texts(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                 shoal_i_setting_given *given)
{
    if (given->count > s->capacity) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %zu %s; got %zu.", s->capacity,
                            s->subject, given->count);
    }
    const char **texts =
        shoal_i_arena_alloc(ctx, &spec->arena, given->count + 1, sizeof *texts);

    for (size_t i = 0; texts && i < given->count; i++) {
        texts[i] =
            shoal_i_arena_text(ctx, &spec->arena, given->items[i], strlen(given->items[i]));
        if (!texts[i]) {
            return SHOAL_ENOMEM;
        }
    }
    if (!texts) {
        return SHOAL_ENOMEM;
    }
    memcpy(field_of(spec, s->offset), &texts, sizeof texts);
    *(size_t *)field_of(spec, s->count) = given->count;
    return SHOAL_OK;
}

static void put_item(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                     size_t i)
{
    shoal_i_buffer_text(out, (*(const char *const *const *)field_in(spec, s->offset))[i]);
}

const shoal_i_setting_type shoal_i_type_texts = {
    .name = "list of texts",
    .form = SHOAL_I_FORM_LIST,
    .item = "a text",
    .is_list_in_files = true,
    .assign = assign_texts,
    .count = count_items,
    .put = put_item,
};

/* A name, or a path as seen from the folder of its file. */
static shoal_status assign_text(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                shoal_i_setting_given *given)
{
    const char *folder = s->type == &shoal_i_type_path ? given->folder : NULL;

    if (given->items[0][0] == '\0') {
        return s->type == &shoal_i_type_path
                   ? shoal_i_fail(ctx, SHOAL_EINVAL, "%s has no name.", s->subject)
                   : shoal_i_fail(ctx, SHOAL_EINVAL, "%s is %s; got nothing.", s->subject,
                                  s->range);
    }
    return shoal_i_hierarchy_plan_resolve(ctx, field_of(spec, s->offset), &spec->arena, folder,
                                          given->items[0]);
}

static size_t count_text(const shoal_spec *spec, const shoal_i_setting *s)
{
    return *(const char *const *)field_in(spec, s->offset) != NULL;
}

static void put_text(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                     size_t i)
{
    (void)i;
    shoal_i_buffer_text(out, *(const char *const *)field_in(spec, s->offset));
}

const shoal_i_setting_type shoal_i_type_text = {
    .name = "text",
    .assign = assign_text,
    .count = count_text,
    .put = put_text,
};

static shoal_status assign_date_format(shoal_ctx *ctx, shoal_spec *spec,
                                       const shoal_i_setting *s, shoal_i_setting_given *given)
{
    shoal_status st = shoal_i_date_format_check(ctx, given->items[0]);

    return st == SHOAL_OK ? assign_text(ctx, spec, s, given) : st;
}

const shoal_i_setting_type shoal_i_type_date_format = {
    .name = "format of dates",
    .assign = assign_date_format,
    .count = count_text,
    .put = put_text,
};

const shoal_i_setting_type shoal_i_type_path = {
    .name = "path",
    .in_files = "the path of a file",
    .assign = assign_text,
    .count = count_text,
    .put = put_text,
};

/* One more release; the first one that is not of a file replaces those that are. */
static shoal_status assign_previous(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                    shoal_i_setting_given *given)
{
    shoal_status st = SHOAL_OK;
    size_t count =
        given->is_of_file || spec->previous_by_flag ? spec->previous_count : (size_t)0;
    const char *path = NULL;

    if (given->items[0][0] == '\0') {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "%s has no name.", s->subject);
    }
    if (count == SHOAL_I_PREVIOUS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "At most %d previous releases.",
                            SHOAL_I_PREVIOUS_MAX);
    }
    SHOAL_TRY(shoal_i_hierarchy_plan_resolve(ctx, &path, &spec->arena, given->folder,
                                             given->items[0]));
    spec->previous[count] = path;
    spec->previous_count = count + 1;
    spec->previous_by_flag = spec->previous_by_flag || !given->is_of_file;
done:
    return st;
}

static size_t count_previous(const shoal_spec *spec, const shoal_i_setting *s)
{
    (void)s;
    return spec->previous_count;
}

static void put_previous(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                         size_t i)
{
    (void)s;
    shoal_i_buffer_text(out, spec->previous[i]);
}

const shoal_i_setting_type shoal_i_type_previous = {
    .name = "paths",
    .form = SHOAL_I_FORM_ADDING,
    .in_files = "the path of a file, or a list of such",
    .item = "the path of a file",
    .assign = assign_previous,
    .count = count_previous,
    .put = put_previous,
};

static shoal_status assign_delimiter(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                     shoal_i_setting_given *given)
{
    const char *text = given->items[0];
    bool is_tab = strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0;

    if (!is_tab && (text[0] == '\0' || text[1] != '\0' || !strchr(",;|\t", text[0]))) {
        return fail_range(ctx, s, text);
    }
    *(char *)field_of(spec, s->offset) = is_tab ? '\t' : text[0];
    return SHOAL_OK;
}

static size_t count_delimiter(const shoal_spec *spec, const shoal_i_setting *s)
{
    return *(const char *)field_in(spec, s->offset) != '\0';
}

static void put_delimiter(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                          size_t i)
{
    char c = *(const char *)field_in(spec, s->offset);

    (void)i;
    shoal_i_buffer_text(out, c == '\t' ? "tab" : (const char[]){c, '\0'});
}

const shoal_i_setting_type shoal_i_type_delimiter = {
    .name = "delimiter",
    .assign = assign_delimiter,
    .count = count_delimiter,
    .put = put_delimiter,
};

/* --- Methods. ----------------------------------------------------------------------------- */

static shoal_status assign_method(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                  shoal_i_setting_given *given)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings = {0};
    shoal_status st = shoal_i_method_parse(ctx, &method, &settings, given->items[0]);

    (void)s;
    if (st == SHOAL_OK) {
        spec->method = method;
        spec->method_settings = settings;
    }
    return st;
}

static size_t count_method(const shoal_spec *spec, const shoal_i_setting *s)
{
    (void)s;
    return spec->method != NULL;
}

static void put_method(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                       size_t i)
{
    (void)s;
    (void)i;
    shoal_i_method_put(out, spec->method, &spec->method_settings);
}

const shoal_i_setting_type shoal_i_type_method = {
    .name = "method",
    .assign = assign_method,
    .count = count_method,
    .put = put_method,
};

/* The first one that is not of a file replaces those that are. */
static shoal_status assign_methods(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                   shoal_i_setting_given *given)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sweep sweep = spec->sweep;

    (void)s;
    if (!given->is_of_file && !spec->methods_by_flag) {
        sweep.method_count = 0;
    }
    SHOAL_TRY(shoal_i_sweep_add_method(ctx, &sweep, &spec->arena, given->items[0]));
    spec->sweep = sweep;
    spec->methods_by_flag = spec->methods_by_flag || !given->is_of_file;
done:
    return st;
}

static size_t count_methods(const shoal_spec *spec, const shoal_i_setting *s)
{
    (void)s;
    return spec->sweep.method_count;
}

static void put_methods(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                        size_t i)
{
    (void)s;
    shoal_i_buffer_text(out, spec->sweep.methods[i].text);
}

const shoal_i_setting_type shoal_i_type_methods = {
    .name = "method",
    .form = SHOAL_I_FORM_ADDING,
    .in_files = "a method, NAME[:option=value,...]",
    .item = "a method, NAME[:option=value,...]",
    .assign = assign_methods,
    .count = count_methods,
    .put = put_methods,
};

/* --- Grids. ------------------------------------------------------------------------------- */

static shoal_status assign_grid(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                shoal_i_setting_given *given)
{
    shoal_i_grid *grid = field_of(spec, s->offset);

    if (!shoal_i_grid_read(grid, given->items[0])) {
        return fail_range(ctx, s, given->quoted ? given->quoted : given->items[0]);
    }
    return SHOAL_OK;
}

static void put_grid(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                     size_t i)
{
    (void)i;
    shoal_i_grid_put(out, field_in(spec, s->offset));
}

const shoal_i_setting_type shoal_i_type_grid = {
    .name = "grid",
    .assign = assign_grid,
    .put = put_grid,
};

/* --- Requirements. ------------------------------------------------------------------------ */

/* "privacy.l" is about l. */
static const char *name_requirement(const shoal_i_setting *s)
{
    return strchr(s->key, '.') + 1;
}

/* Another requirement; the first that is not of a file replaces those of its key that are. */
static shoal_status assign_requirement(shoal_ctx *ctx, shoal_spec *spec,
                                       const shoal_i_setting *s, shoal_i_setting_given *given)
{
    shoal_status st = SHOAL_OK;
    const char *key = name_requirement(s);
    shoal_i_requirement_request request = {0};

    SHOAL_TRY(shoal_i_request_parse(ctx, &request, &spec->arena, key, given->items[0]));
    shoal_i_spec_forget_requests(spec, key, true);
    SHOAL_TRY(shoal_i_spec_add_request(ctx, spec, &request));
done:
    return st;
}

static size_t count_requirements(const shoal_spec *spec, const shoal_i_setting *s)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->request_count; i++) {
        count += strcmp(spec->requests[i].kind->key, name_requirement(s)) == 0;
    }
    return count;
}

static void put_requirement(shoal_i_buffer *out, const shoal_spec *spec,
                            const shoal_i_setting *s, size_t i)
{
    const shoal_i_requirement_request *request = spec->requests;

    while (strcmp(request->kind->key, name_requirement(s)) != 0 || i-- > 0) {
        request++;
    }
    shoal_i_request_put(out, request);
}

const shoal_i_setting_type shoal_i_type_requirement = {
    .name = "requirement",
    .form = SHOAL_I_FORM_ADDING,
    .in_files = "a number or a mapping",
    .assign = assign_requirement,
    .count = count_requirements,
    .put = put_requirement,
};

static shoal_status assign_sweep(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                 shoal_i_setting_given *given)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sweep sweep = spec->sweep;

    (void)s;
    if (!spec->sweep_by_flag) {
        sweep.request_count = 0;
        sweep.request_capacity = 0; /* those of a file stay until this has worked */
    }
    SHOAL_TRY(shoal_i_sweep_add_line(ctx, &sweep, &spec->arena, given->items[0]));
    spec->sweep = sweep;
    spec->sweep_by_flag = true;
done:
    return st;
}

static size_t count_swept(const shoal_spec *spec, const shoal_i_setting *s)
{
    (void)s;
    return spec->sweep.request_count;
}

static void put_swept(shoal_i_buffer *out, const shoal_spec *spec, const shoal_i_setting *s,
                      size_t i)
{
    const shoal_i_requirement_request *request = &spec->sweep.requests[i];

    (void)s;
    shoal_i_buffer_printf(out, "%s=", request->kind->key);
    shoal_i_request_put(out, request);
}

const shoal_i_setting_type shoal_i_type_sweep = {
    .name = "sweep",
    .form = SHOAL_I_FORM_ADDING,
    .in_files = "a mapping of keys to values",
    .assign = assign_sweep,
    .count = count_swept,
    .put = put_swept,
};

/* --- All of them. ------------------------------------------------------------------------- */

shoal_status shoal_i_setting_assign(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                    shoal_i_setting_given *given)
{
    return s->type->assign(ctx, spec, s, given);
}

size_t shoal_i_setting_item_count(const shoal_spec *spec, const shoal_i_setting *s)
{
    return s->type->count ? s->type->count(spec, s) : 1;
}

bool shoal_i_setting_is_set(const shoal_spec *spec, const shoal_i_setting *s)
{
    if (s->given) {
        return *(const bool *)field_in(spec, s->given);
    }
    return s->size > 0 ? memcmp(field_in(spec, s->offset),
                                field_in(&shoal_i_spec_standard, s->offset), s->size) != 0
                       : shoal_i_setting_item_count(spec, s) > 0;
}
