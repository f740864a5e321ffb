#include "previous.h"

#include "../../box/box_tree.h"

static void clear_release(shoal_i_previous_release *r, size_t sensitive_count)
{
    for (size_t s = 0; r->has && s < sensitive_count; s++) {
        free(r->has[s]);
    }
    free(r->has);
    free(r->starts);
    free(r->covering);
    shoal_i_release_free(r->release);
    shoal_i_received_clear(&r->received);
}

void shoal_i_previous_clear(shoal_i_previous *previous)
{
    for (size_t i = 0; i < previous->count; i++) {
        clear_release(&previous->releases[i], previous->original->requirements.sensitive_count);
    }
    free(previous->releases);
    *previous = (shoal_i_previous){0};
}

/* --- Values. ------------------------------------------------------------------------------ */

/* The code in the original of each code of a column of the earlier release; value_count where
 * nobody has that value. */
static shoal_status map_values(shoal_ctx *ctx, uint32_t **out,
                               const shoal_i_sensitive *sensitive, const shoal_table *table,
                               size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(table, column);
    uint32_t *codes = NULL;

    SHOAL_ALLOC(ctx, codes, values + 1);
    for (size_t code = 0; code <= values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, (uint32_t)code, &length);

        if (code == values) { /* missing */
            codes[code] = (uint32_t)(sensitive->has_missing ? sensitive->value_count - 1
                                                            : sensitive->value_count);
            continue;
        }
        st = shoal_i_sensitive_find(ctx, &codes[code], sensitive, text, length);
        if (st == SHOAL_ENOTFOUND) {
            codes[code] = (uint32_t)sensitive->value_count;
            st = SHOAL_OK;
        }
        SHOAL_TRY(st);
    }
    *out = codes;
    codes = NULL;
done:
    free(codes);
    return st;
}

static shoal_status list_values(shoal_ctx *ctx, shoal_i_previous_release *r,
                                const shoal_i_sensitive *sensitive, size_t s)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = r->received.table;
    size_t values = sensitive->value_count;
    size_t cells = 0;
    uint32_t *codes = NULL;
    ptrdiff_t column = shoal_table_find(table, sensitive->name);

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, r->release->box_count, values));
    SHOAL_ALLOC(ctx, r->has[s], cells);
    SHOAL_TRY(map_values(ctx, &codes, sensitive, table, (size_t)column));
    for (size_t row = 0; row < r->release->row_count; row++) {
        uint32_t value = codes[shoal_table_code(table, (size_t)column, row)];

        if (value < values) {
            r->has[s][r->release->box_of[row] * values + value] = 1;
        }
    }
done:
    free(codes);
    return st;
}

bool shoal_i_previous_has(const shoal_i_previous *previous, size_t release, size_t class,
                          size_t record)
{
    const shoal_i_bound_requirements *requirements = &previous->original->requirements;
    const shoal_i_previous_release *r = &previous->releases[release];
    bool has = true;

    for (size_t s = 0; has && s < requirements->sensitive_count; s++) {
        const shoal_i_sensitive *sensitive = &requirements->sensitive[s];

        has = r->has[s][class * sensitive->value_count + sensitive->codes[record]] != 0;
    }
    return has;
}

/* --- Who is covered. ---------------------------------------------------------------------- */

typedef struct listing {
    shoal_ctx *ctx;
    shoal_status st;
    uint32_t *classes;
    size_t count;
    size_t capacity;
} listing;

static bool list_class(void *payload, size_t class)
{
    listing *l = payload;

    if (l->count == l->capacity) {
        size_t capacity = l->capacity > 0 ? 2 * l->capacity : 1024;
        uint32_t *larger = shoal_i_alloc_raw(l->ctx, capacity, sizeof *larger);

        if (!larger) {
            l->st = SHOAL_ENOMEM;
            return true;
        }
        for (size_t i = 0; i < l->count; i++) {
            larger[i] = l->classes[i];
        }
        free(l->classes);
        l->classes = larger;
        l->capacity = capacity;
    }
    l->classes[l->count++] = (uint32_t) class;
    return false;
}

/* By insertion: a record is covered by few. */
static void sort_few(uint32_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t number = numbers[i];
        size_t j = i;

        for (; j > 0 && numbers[j - 1] > number; j--) {
            numbers[j] = numbers[j - 1];
        }
        numbers[j] = number;
    }
}

static shoal_status list_covering(shoal_ctx *ctx, shoal_i_previous_release *r,
                                  const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    size_t records = shoal_table_row_count(quasi->table);
    shoal_i_box_tree *tree = NULL;
    shoal_i_interval *point = NULL;
    listing l = {.ctx = ctx};

    SHOAL_TRY(shoal_i_box_tree_build(ctx, &tree, quasi->count, r->release->boxes,
                                     r->release->box_count));
    SHOAL_ALLOC(ctx, point, quasi->count);
    SHOAL_ALLOC(ctx, r->starts, records + 1);
    for (size_t record = 0; record < records; record++) {
        shoal_i_box_tree_search search = {
            .box = point, .from = SHOAL_I_NO_ITEM, .found = list_class, .payload = &l};

        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, record);

            point[c] = (shoal_i_interval){code, code};
        }
        shoal_i_box_tree_find(tree, &search);
        SHOAL_TRY(l.st);
        sort_few(l.classes + r->starts[record], l.count - r->starts[record]);
        r->starts[record + 1] = (uint32_t)l.count;
        if (record % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    r->covering = l.classes;
    l.classes = NULL;
done:
    free(l.classes);
    free(point);
    shoal_i_box_tree_free(tree);
    return st;
}

/* --- Reading. ----------------------------------------------------------------------------- */

static bool is_nobody(const shoal_i_release *release, size_t box)
{
    const shoal_i_interval *b = release->boxes + box * release->quasi->count;

    return release->quasi->count > 0 && b->lo > b->hi;
}

static shoal_status check_belongs(shoal_ctx *ctx, shoal_i_previous_release *r, size_t records)
{
    for (size_t row = 0; row < r->release->row_count; row++) {
        r->nobody_rows += is_nobody(r->release, r->release->box_of[row]);
    }
    if (r->starts[records] > 0) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EFORMAT,
                 "The previous release does not belong to this table: none of its %zu rows "
                 "covers a record. Its columns must mean the same, by the same hierarchies.",
                 r->release->row_count);
    return shoal_i_fail_in(ctx, r->path, 0, 0);
}

static shoal_status open_release(shoal_ctx *ctx, shoal_i_previous_release *r,
                                 const shoal_spec *spec, const shoal_i_prepared *original)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_bound_requirements *requirements = &original->requirements;

    SHOAL_TRY(shoal_i_received_read(
        ctx, &r->received, spec, &(shoal_i_given_release){.rows = shoal_i_given_file(r->path)},
        0, shoal_i_spec_reads_sensitive(spec)));
    if (r->received.shape != SHOAL_I_SHAPE_CLASSES) {
        shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                     "A previous release must be one by classes; this one is by buckets, which "
                     "show who is in it.");
        SHOAL_TRY(shoal_i_fail_in(ctx, r->path, 0, 0));
    }
    SHOAL_TRY(
        shoal_i_release_parse_others(ctx, &r->release, original->quasi, r->received.table));
    SHOAL_ALLOC(ctx, r->has, requirements->sensitive_count);
    for (size_t s = 0; s < requirements->sensitive_count; s++) {
        SHOAL_TRY(list_values(ctx, r, &requirements->sensitive[s], s));
    }
    SHOAL_TRY(list_covering(ctx, r, original->quasi));
    SHOAL_TRY(check_belongs(ctx, r, shoal_table_row_count(original->table)));
done:
    return st;
}

shoal_status shoal_i_previous_open(shoal_ctx *ctx, shoal_i_previous *out,
                                   const shoal_spec *spec, const shoal_i_prepared *original)
{
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_previous){.original = original};
    SHOAL_ALLOC(ctx, out->releases, spec->previous_count);
    for (; out->count < spec->previous_count;) {
        shoal_i_previous_release *r = &out->releases[out->count++];

        r->path = spec->previous[out->count - 1];
        SHOAL_TRY(open_release(ctx, r, spec, original));
    }
done:
    return st;
}
