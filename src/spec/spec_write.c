/* A spec as YAML, by the table of settings. What is at its default is left out. */
#include "setting.h"

#include "../base/entry.h"
#include "../base/text.h"

#include <stdio.h>

#define PATH_MOST 64
#define KEY_SIMPLE_MOST 500 /* bytes of a name, with escapes within the 1,024 of YAML */

typedef struct writer {
    shoal_ctx *ctx;
    const shoal_spec *spec;
    shoal_i_buffer out;
    shoal_i_buffer item;  /* one item as text */
    char path[PATH_MOST]; /* of what was written last */
} writer;

/* --- Texts. ------------------------------------------------------------------------------- */

/* The character at the start of valid UTF-8, and how many bytes it has. */
static uint32_t read_character(const char *text, size_t *length)
{
    unsigned char first = (unsigned char)text[0];
    uint32_t character = first;

    *length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (*length > 1) {
        character &= 0xFFU >> (*length + 1);
    }
    for (size_t i = 1; i < *length; i++) {
        character = character << 6 | ((unsigned char)text[i] & 0x3F);
    }
    return character;
}

/* What YAML does not take as it is, or would take for the end of a line. */
static bool needs_escape(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF ||
           c == 0xFFFE || c == 0xFFFF;
}

void shoal_i_spec_put_quoted(shoal_i_buffer *out, const char *text)
{
    size_t length = 0;

    shoal_i_buffer_char(out, '"');
    for (; *text; text += length) {
        uint32_t character = read_character(text, &length);

        if (needs_escape(character)) {
            shoal_i_buffer_printf(out, "\\u%04X", (unsigned)character);
        } else {
            if (*text == '"' || *text == '\\') {
                shoal_i_buffer_char(out, '\\');
            }
            shoal_i_buffer_put(out, text, length);
        }
    }
    shoal_i_buffer_char(out, '"');
}

/* Whether a text means itself without quotes. */
static bool is_plain(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";

    return text[0] != '\0' && !strchr("./-", text[0]) && text[strspn(text, plain)] == '\0';
}

static shoal_status put_text(writer *w, const char *text)
{
    size_t at = 0;

    if (!shoal_i_text_is_utf8(&at, text, strlen(text))) {
        return shoal_i_fail(w->ctx, SHOAL_EUNSUPPORTED,
                            "A text of the spec is not UTF-8, which a file must be.");
    }
    if (is_plain(text)) {
        shoal_i_buffer_text(&w->out, text);
    } else {
        shoal_i_spec_put_quoted(&w->out, text);
    }
    return SHOAL_OK;
}

/* The same where null, if it is no text, would be none. */
static shoal_status put_label(writer *w, const char *text)
{
    if (strcmp(text, "null") == 0) {
        shoal_i_spec_put_quoted(&w->out, text);
        return SHOAL_OK;
    }
    return put_text(w, text);
}

/* The text that was collected as an item. */
static shoal_status put_item(writer *w)
{
    char *text = NULL;
    shoal_status st = shoal_i_buffer_take(&text, &w->item);

    if (st == SHOAL_OK) {
        st = put_text(w, text);
    }
    free(text);
    return st;
}

/* --- Columns. ----------------------------------------------------------------------------- */

static void put_numbers(shoal_i_buffer *out, const double *numbers, size_t count)
{
    shoal_i_buffer_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        shoal_i_buffer_text(out, i > 0 ? ", " : "");
        shoal_i_buffer_number(out, numbers[i]);
    }
    shoal_i_buffer_char(out, ']');
}

/* [[nurse, services, "*"], [baker, "*"], [null, "*"]] */
static shoal_status put_levels(writer *w, const shoal_table *levels)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer *out = &w->out;

    for (size_t row = 0; row < shoal_table_row_count(levels); row++) {
        shoal_i_buffer_text(out, row > 0 ? ", " : "[");
        for (size_t c = 0; c < shoal_table_column_count(levels); c++) {
            bool is_skipped = shoal_table_is_skipped(levels, c);
            uint32_t code = is_skipped ? 0 : shoal_table_code(levels, c, row);
            bool is_missing = is_skipped || code == shoal_table_value_count(levels, c);

            shoal_i_buffer_text(out, c > 0 ? ", " : "[");
            if (is_missing) {
                shoal_i_buffer_text(out, "null");
            } else {
                SHOAL_TRY(put_label(w, shoal_table_text(levels, c, code, NULL)));
            }
        }
        shoal_i_buffer_char(out, ']');
    }
    shoal_i_buffer_text(out, shoal_table_row_count(levels) > 0 ? "]" : "[]");
done:
    return st;
}

/* A file, which may be named like a word, a table, or a plan with weights, which only a mapping
 * can give; those are of these six kinds. */
static shoal_status put_mapped_plan(writer *w, const shoal_i_hierarchy_plan *plan)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer *out = &w->out;

    if (plan->kind == SHOAL_I_PLAN_FILE) {
        shoal_i_buffer_text(out, "{file: ");
        SHOAL_TRY(put_text(w, plan->path));
    } else if (plan->kind == SHOAL_I_PLAN_TABLE) {
        shoal_i_buffer_text(out, "{levels: ");
        SHOAL_TRY(put_levels(w, plan->levels));
    } else if (plan->kind == SHOAL_I_PLAN_PREFIX) {
        if (plan->length > 0 || !plan->separators) {
            shoal_i_buffer_printf(out, "{prefix: %zu%s", plan->length,
                                  plan->separators ? ", separators: " : "");
        } else {
            shoal_i_buffer_text(out, "{separators: ");
        }
        if (plan->separators) {
            SHOAL_TRY(put_text(w, plan->separators));
        }
    } else if (plan->kind == SHOAL_I_PLAN_CODES) {
        shoal_i_buffer_printf(out, "{codes: %s", plan->codes);
        if (plan->other) {
            shoal_i_buffer_text(out, ", other: ");
            SHOAL_TRY(put_text(w, plan->other));
        }
    } else if (plan->kind == SHOAL_I_PLAN_WIDTHS) {
        shoal_i_buffer_text(out, "{widths: ");
        put_numbers(out, plan->numbers, plan->number_count);
        shoal_i_buffer_text(out, ", origin: ");
        shoal_i_buffer_number(out, plan->origin);
    } else {
        shoal_i_buffer_text(out, "{breaks: [");
        for (size_t i = 0; i < plan->level_count; i++) {
            shoal_i_buffer_text(out, i > 0 ? ", " : "");
            put_numbers(out, plan->numbers + plan->starts[i],
                        plan->starts[i + 1] - plan->starts[i]);
        }
        shoal_i_buffer_char(out, ']');
    }
    for (size_t i = 0; i < plan->weight_count; i++) {
        shoal_i_buffer_text(out, i > 0 ? ", " : ", weights: {");
        SHOAL_TRY(put_text(w, plan->weights[i].label));
        shoal_i_buffer_text(out, ": ");
        shoal_i_buffer_number(out, plan->weights[i].weight);
    }
    shoal_i_buffer_text(out, plan->weight_count > 0 ? "}}" : "}");
done:
    return st;
}

static shoal_status put_plan(writer *w, const char *key, const shoal_i_hierarchy_plan *plan)
{
    if (plan->kind == SHOAL_I_PLAN_NONE) {
        return SHOAL_OK;
    }
    shoal_i_buffer_text(&w->out, key);
    if (plan->weight_count > 0 || plan->kind == SHOAL_I_PLAN_FILE ||
        plan->kind == SHOAL_I_PLAN_TABLE) {
        return put_mapped_plan(w, plan);
    }
    shoal_i_hierarchy_plan_put(&w->item, plan);
    return put_item(w);
}

/* The role, and the type unless it is found by itself; a column of which nothing is said has
 * that for a sign of life. */
static void put_role_and_type(shoal_i_buffer *out, const shoal_i_spec_column *column)
{
    bool has_type = column->type != SHOAL_TYPE_AUTO || !column->has_role;

    if (column->has_role) {
        shoal_i_buffer_printf(out, "role: %s%s", shoal_role_name(column->role),
                              has_type ? ", " : "");
    }
    if (has_type) {
        shoal_i_buffer_printf(out, "type: %s", shoal_type_name(column->type));
    }
}

static shoal_status put_column(writer *w, const shoal_i_spec_column *column, const char *reason)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer *out = &w->out;
    const char *name = shoal_i_spec_original(column);
    bool is_long = strlen(name) > KEY_SIMPLE_MOST;

    shoal_i_buffer_text(out, is_long ? "  ? " : "  ");
    SHOAL_TRY(put_text(w, name));
    shoal_i_buffer_text(out, is_long ? "\n  : {" : ": {");
    put_role_and_type(out, column);
    if (column->weight != 1) {
        shoal_i_buffer_text(out, ", weight: ");
        shoal_i_buffer_number(out, column->weight);
    }
    if (column->grid.unit != SHOAL_I_GRID_UNSET) {
        shoal_i_buffer_text(out, ", grid: ");
        shoal_i_grid_put(out, &column->grid);
    }
    SHOAL_TRY(put_plan(w, ", hierarchy: ", &column->plan));
    SHOAL_TRY(put_plan(w, ", populations: ", &column->populations));
    for (size_t t = 0; t < SHOAL_I_COLUMN_TEXTS; t++) {
        if (column->texts[t]) {
            shoal_i_buffer_printf(
                out, ", %s: ", shoal_i_column_settings[SHOAL_I_COLUMN_FACTS + t].key);
            SHOAL_TRY(put_text(w, column->texts[t]));
        }
    }
    shoal_i_buffer_printf(out, "}%s%s\n", reason[0] ? "  # " : "", reason);
done:
    return st;
}

/* Those that the notes name in their order, else all. */
static shoal_status put_columns(writer *w, const shoal_i_spec_notes *notes)
{
    shoal_status st = SHOAL_OK;
    size_t count = notes ? notes->column_count : w->spec->column_count;

    /* An empty file would be none; columns may be none. */
    shoal_i_buffer_text(&w->out, count > 0 ? "columns:\n" : "columns: {}\n");
    for (size_t i = 0; i < count; i++) {
        const shoal_i_spec_column *column =
            notes ? shoal_i_spec_find_column(w->spec, notes->names[i]) : &w->spec->columns[i];

        if (column) {
            SHOAL_TRY(put_column(w, column, notes ? notes->reasons[i] : ""));
        }
    }
done:
    return st;
}

/* --- Settings. ---------------------------------------------------------------------------- */

/* Write the levels of a path that are not those of the path before, up to the colon of the
 * last. */
static void put_path(writer *w, const char *path)
{
    size_t shared = 0; /* bytes of both that are whole levels */
    size_t depth = 0;

    for (size_t i = 0; path[i] && path[i] == w->path[i]; i++) {
        if (path[i] == '.') {
            shared = i + 1;
            depth++;
        }
    }
    for (const char *at = path + shared; at; depth++) {
        size_t length = strcspn(at, ".");

        shoal_i_buffer_printf(&w->out, "%*s%.*s:", (int)(2 * depth), "", (int)length, at);
        at = at[length] ? at + length + 1 : NULL;
        shoal_i_buffer_char(&w->out, at ? '\n' : ' ');
    }
    snprintf(w->path, sizeof w->path, "%s", path);
}

/* k: {value: 10, column: my_k} */
static void put_path_of(writer *w, const shoal_i_setting *s)
{
    char path[PATH_MOST];
    bool has_level = strcmp(s->key, "privacy.k") == 0 && w->spec->k_column;

    snprintf(path, sizeof path, "%s%s", s->key, has_level ? ".value" : "");
    put_path(w, path);
}

/* [{k: [5, 10]}, {t: [0.1]}, {k: [20]}]: in the order of the sweep */
static shoal_status put_sweep(writer *w)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_sweep *sweep = &w->spec->sweep;
    const char *key = "";

    for (size_t i = 0; i < sweep->request_count; i++) {
        const shoal_i_requirement_request *request = &sweep->requests[i];

        if (strcmp(request->kind->key, key) != 0) {
            key = request->kind->key;
            shoal_i_buffer_printf(&w->out, "%s{%s: [", i > 0 ? "]}, " : "[", key);
        } else {
            shoal_i_buffer_text(&w->out, ", ");
        }
        shoal_i_request_put(&w->item, request);
        SHOAL_TRY(put_item(w));
    }
    shoal_i_buffer_text(&w->out, "]}]\n");
done:
    return st;
}

static shoal_status put_setting(writer *w, const shoal_i_setting *s)
{
    shoal_status st = SHOAL_OK;
    bool is_single = s->type->form == SHOAL_I_FORM_SINGLE;

    put_path_of(w, s);
    if (s->type == &shoal_i_type_sweep) {
        return put_sweep(w);
    }
    shoal_i_buffer_text(&w->out, is_single ? "" : "[");
    for (size_t i = 0; i < shoal_i_setting_item_count(w->spec, s); i++) {
        shoal_i_buffer_text(&w->out, i > 0 ? ", " : "");
        s->type->put(&w->item, w->spec, s, i);
        SHOAL_TRY(put_item(w));
    }
    shoal_i_buffer_text(&w->out, is_single ? "\n" : "]\n");
done:
    return st;
}

shoal_status shoal_i_spec_write_noted(shoal_ctx *ctx, char **out, const shoal_spec *spec,
                                      const shoal_i_spec_notes *notes)
{
    shoal_status st = SHOAL_OK;
    writer w = {.ctx = ctx, .spec = spec};

    if (!spec->population && spec->population_table) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "The population is a table in memory, which a file cannot hold; "
                            "write it to a file of its own (`privacy.population`).");
    }
    shoal_i_buffer_init(&w.out, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_init(&w.item, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&w.out, notes ? notes->head : "");
    SHOAL_TRY(put_columns(&w, notes));
    for (size_t i = 0; i < shoal_i_setting_count; i++) {
        if (shoal_i_setting_is_set(spec, &shoal_i_settings[i])) {
            SHOAL_TRY(put_setting(&w, &shoal_i_settings[i]));
        }
    }
    if (w.out.size > SHOAL_I_SPEC_SIZE_MAX) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_ELIMIT,
                               "The spec takes %zu bytes as a file, of which %zu can be read; "
                               "write its tables of levels to files.",
                               w.out.size, SHOAL_I_SPEC_SIZE_MAX));
    }
    SHOAL_TRY(shoal_i_buffer_take(out, &w.out));
done:
    shoal_i_buffer_clear(&w.out);
    shoal_i_buffer_clear(&w.item);
    return st;
}

shoal_status shoal_spec_write_yaml(shoal_ctx *ctx, char **out, const shoal_spec *spec)
{
    SHOAL_ENTER_FOR(ctx, out, spec);

    return shoal_i_spec_write_noted(ctx, out, spec, NULL);
}
