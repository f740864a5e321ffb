/* Settings one by one, by the table of settings. */
#include "setting.h"

#include "../base/entry.h"
#include "mistakes.h"

#include <string.h>

shoal_status shoal_i_parse_word(shoal_ctx *ctx, size_t *out, const char *what,
                                const char *value, const char *const *words)
{
    size_t count = 0;

    for (; words[count]; count++) {
        if (strcmp(words[count], value) == 0) {
            *out = count;
            return SHOAL_OK;
        }
    }
    return shoal_i_fail_unknown(ctx, SHOAL_EINVAL, what, value, words, count);
}

static shoal_status fail_unknown(shoal_ctx *ctx, const char *key, const shoal_i_setting *rows,
                                 size_t count)
{
    const char *keys[SHOAL_I_SETTINGS_MAX];

    for (size_t i = 0; i < count; i++) {
        keys[i] = rows[i].key;
    }
    return shoal_i_fail_unknown(ctx, SHOAL_EINVAL, "setting", key, keys, count);
}

shoal_status shoal_i_fail_column_setting(shoal_ctx *ctx, const char *key)
{
    return fail_unknown(ctx, key, shoal_i_column_settings, SHOAL_I_COLUMN_SETTINGS);
}

shoal_status shoal_i_setting_assign_text(shoal_ctx *ctx, shoal_spec *spec,
                                         const shoal_i_setting *s, shoal_i_setting_given *given,
                                         const char *text)
{
    shoal_status st = SHOAL_OK;
    char *copy = NULL;
    const char **items = NULL;

    given->items = &text;
    given->count = 1;
    if (s->type->form != SHOAL_I_FORM_LIST) {
        return shoal_i_setting_assign(ctx, spec, s, given);
    }
    SHOAL_ALLOC(ctx, copy, strlen(text) + 1);
    SHOAL_ALLOC(ctx, items, strlen(text) + 1);
    memcpy(copy, text, strlen(text));
    given->items = items;
    given->count = 0;
    given->quoted = text;
    for (char *at = copy; at;) {
        char *comma = strchr(at, ',');

        items[given->count++] = at;
        if (comma) {
            *comma++ = '\0';
        }
        at = comma;
    }
    SHOAL_TRY(shoal_i_setting_assign(ctx, spec, s, given));
done:
    free(copy);
    free(items);
    return st;
}

shoal_status shoal_spec_set(shoal_ctx *ctx, shoal_spec *spec, const char *key,
                            const char *value)
{
    SHOAL_ENTER(ctx, spec, key, value);
    const shoal_i_setting *s = shoal_i_setting_find(key);
    shoal_i_setting_given given = {0};

    if (!s) {
        return fail_unknown(ctx, key, shoal_i_settings, shoal_i_setting_count);
    }
    shoal_status st = shoal_i_setting_assign_text(ctx, spec, s, &given, value);

    if (st == SHOAL_OK) {
        shoal_i_spec_set_place(spec, key, (shoal_i_place){0});
    } else if (st != SHOAL_ENOMEM) {
        shoal_i_fail_in(ctx, key, 0, 0);
    }
    return st;
}

/* --- Places. ------------------------------------------------------------------------------ */

const shoal_i_place *shoal_i_spec_place(const shoal_spec *spec, const char *key)
{
    return &spec->places[shoal_i_setting_find(key) - shoal_i_settings];
}

void shoal_i_spec_set_place(shoal_spec *spec, const char *key, shoal_i_place place)
{
    spec->places[shoal_i_setting_find(key) - shoal_i_settings] = place;
}

shoal_status shoal_i_fail_of_setting(shoal_ctx *ctx, const shoal_spec *spec, const char *key,
                                     shoal_status status)
{
    if (status != SHOAL_OK && status != SHOAL_ENOMEM) {
        const shoal_i_place *place = shoal_i_spec_place(spec, key);

        shoal_i_fail_in(ctx, place->source ? place->source : key, place->line, place->column);
    }
    return status;
}

/* --- And back. ---------------------------------------------------------------------------- */

/* Append one item. SHOAL_EUNSUPPORTED when it cannot stand in a list of commas. */
static shoal_status put_item(shoal_ctx *ctx, shoal_i_buffer *out, const shoal_spec *spec,
                             const shoal_i_setting *s, size_t i)
{
    size_t start = out->size;
    bool is_split = s->type->form == SHOAL_I_FORM_LIST || s->type == &shoal_i_type_sweep;

    s->type->put(out, spec, s, i);
    if (is_split && out->size > start && memchr(out->data + start, ',', out->size - start)) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "An item of %s holds a comma, which only a file can say.", s->key);
    }
    return SHOAL_OK;
}

static shoal_status put_value(shoal_ctx *ctx, shoal_i_buffer *out, const shoal_spec *spec,
                              const shoal_i_setting *s, size_t item)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_i_setting_item_count(spec, s);

    if (s->type->form != SHOAL_I_FORM_LIST) {
        return put_item(ctx, out, spec, s, item);
    }
    if (count == 0) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "%s is an empty list, which only a file can say.", s->key);
    }
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            shoal_i_buffer_char(out, ',');
        }
        SHOAL_TRY(put_item(ctx, out, spec, s, i));
    }
done:
    return st;
}

shoal_status shoal_spec_get(shoal_ctx *ctx, char **out, const shoal_spec *spec, const char *key,
                            size_t item)
{
    SHOAL_ENTER_FOR(ctx, out, spec, key);
    shoal_status st = SHOAL_OK;
    const shoal_i_setting *s = shoal_i_setting_find(key);
    shoal_i_buffer buffer;

    if (!s) {
        return fail_unknown(ctx, key, shoal_i_settings, shoal_i_setting_count);
    }
    bool is_set = s->type->form == SHOAL_I_FORM_ADDING
                      ? item < shoal_i_setting_item_count(spec, s)
                      : shoal_i_setting_is_set(spec, s);

    if (!is_set && !s->standard) {
        return SHOAL_OK;
    }
    shoal_i_buffer_init(&buffer, ctx, SHOAL_I_BUFFER_MAX);
    if (is_set) {
        SHOAL_TRY(put_value(ctx, &buffer, spec, s, item));
    } else {
        shoal_i_buffer_text(&buffer, s->standard);
    }
    SHOAL_TRY(shoal_i_buffer_take(out, &buffer));
done:
    shoal_i_buffer_clear(&buffer);
    return st;
}

/* --- Of columns. -------------------------------------------------------------------------- */

size_t shoal_spec_column_count(const shoal_spec *spec)
{
    return spec->column_count;
}

const char *shoal_spec_column_name(const shoal_spec *spec, size_t column)
{
    return shoal_i_spec_original(&spec->columns[column]);
}

static shoal_status put_plan(shoal_ctx *ctx, shoal_i_buffer *out,
                             const shoal_i_hierarchy_plan *plan)
{
    if (plan->kind == SHOAL_I_PLAN_TABLE) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "The hierarchy comes from a table, which no text can name.");
    }
    if (plan->weight_count > 0) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "The hierarchy has weights, which only a file can give.");
    }
    shoal_i_hierarchy_plan_put(out, plan);
    return SHOAL_OK;
}

shoal_status shoal_spec_get_column(shoal_ctx *ctx, char **out, const shoal_spec *spec,
                                   const char *column, const char *key)
{
    SHOAL_ENTER_FOR(ctx, out, spec, column, key);
    shoal_status st = SHOAL_OK;
    const shoal_i_spec_column *c = shoal_i_spec_find_column(spec, column);
    shoal_i_buffer buffer;

    shoal_i_buffer_init(&buffer, ctx, SHOAL_I_BUFFER_MAX);
    const shoal_i_setting *s = shoal_i_column_setting_find(key);

    if (!s) {
        SHOAL_TRY(shoal_i_fail_column_setting(ctx, key));
    }
    size_t place = (size_t)(s - shoal_i_column_settings);

    if (c && place >= SHOAL_I_COLUMN_FACTS) {
        const char *text = c->texts[place - SHOAL_I_COLUMN_FACTS];

        shoal_i_buffer_text(&buffer, text ? text : "");
    } else if (c && strcmp(key, "role") == 0 && c->has_role) {
        shoal_i_buffer_text(&buffer, shoal_role_name(c->role));
    } else if (c && strcmp(key, "type") == 0) {
        shoal_i_buffer_text(&buffer, shoal_type_name(c->type));
    } else if (c && strcmp(key, "weight") == 0) {
        shoal_i_buffer_number(&buffer, c->weight);
    } else if (c && strcmp(key, "grid") == 0) {
        shoal_i_grid_put(&buffer, &c->grid);
    } else if (c && strcmp(key, "hierarchy") == 0 && c->plan.kind != SHOAL_I_PLAN_NONE) {
        SHOAL_TRY(put_plan(ctx, &buffer, &c->plan));
    } else if (c && strcmp(key, "populations") == 0 &&
               c->populations.kind != SHOAL_I_PLAN_NONE) {
        SHOAL_TRY(put_plan(ctx, &buffer, &c->populations));
    }
    if (buffer.size > 0) {
        SHOAL_TRY(shoal_i_buffer_take(out, &buffer));
    }
    SHOAL_TRY(shoal_i_buffer_status(&buffer));
done:
    shoal_i_buffer_clear(&buffer);
    return st;
}
