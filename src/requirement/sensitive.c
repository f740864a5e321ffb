#include "sensitive.h"

#include <string.h>

static shoal_status check_column(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                 const shoal_hierarchy *hierarchy, size_t value_count)
{
    if (shoal_table_is_skipped(table, column)) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The sensitive column \"%.200s\" was not read; its values are needed.",
            shoal_table_name(table, column));
    }
    if (hierarchy && shoal_hierarchy_leaf_count(hierarchy) != value_count) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The hierarchy of column \"%.200s\" has %zu leaves; the column has "
                            "%zu different values.",
                            shoal_table_name(table, column),
                            shoal_hierarchy_leaf_count(hierarchy), value_count);
    }
    return SHOAL_OK;
}

/* What is the same lies in one place of a hierarchy, or distances along it would depend on how
 * a value is written. */
static shoal_status check_places(shoal_ctx *ctx, const shoal_i_sensitive *s, size_t count)
{
    const shoal_hierarchy *h = s->hierarchy;

    for (uint32_t entry = 0; entry < count; entry++) {
        uint32_t leaf = shoal_hierarchy_leaf(h, entry);
        uint32_t first = shoal_hierarchy_leaf(h, s->entry_of[s->value_of[entry]]);

        if (shoal_hierarchy_parent(h, shoal_hierarchy_leaf_node(h, leaf)) !=
            shoal_hierarchy_parent(h, shoal_hierarchy_leaf_node(h, first))) {
            return shoal_i_fail(
                ctx, SHOAL_EINVAL,
                "The column \"%.200s\" has texts that are one value, such as 7 and 7.0, and "
                "its hierarchy puts them into different places; put them into one. With `type: "
                "string`, and without `same`, texts are values of their own.",
                s->name);
        }
    }
    return SHOAL_OK;
}

/* Leave one leaf of each value in the hierarchy. */
static shoal_status reduce_hierarchy(shoal_ctx *ctx, shoal_i_sensitive *s)
{
    shoal_status st = SHOAL_OK;
    const shoal_hierarchy *h = s->hierarchy;
    size_t nodes = shoal_hierarchy_node_count(h);
    const char **labels = NULL;
    uint32_t *parents = NULL;
    uint32_t *node_of = NULL;

    SHOAL_TRY(check_places(ctx, s, shoal_hierarchy_leaf_count(h)));
    SHOAL_ALLOC(ctx, labels, nodes);
    SHOAL_ALLOC(ctx, parents, nodes);
    SHOAL_ALLOC(ctx, node_of, s->value_count);
    for (uint32_t node = 0; node < nodes; node++) {
        labels[node] = shoal_hierarchy_label(h, node);
        parents[node] = shoal_hierarchy_parent(h, node);
    }
    for (size_t value = 0; value < s->value_count; value++) {
        node_of[value] =
            shoal_hierarchy_leaf_node(h, shoal_hierarchy_leaf(h, s->entry_of[value]));
    }
    SHOAL_TRY(shoal_hierarchy_build_tree(ctx, &s->reduced, labels, parents, nodes, node_of,
                                         s->value_count));
    s->hierarchy = s->reduced;
done:
    free(labels);
    free(parents);
    free(node_of);
    return st;
}

/* All but codes and totals. */
static shoal_status begin(shoal_ctx *ctx, shoal_i_sensitive *out, const shoal_table *table,
                          size_t column, const shoal_hierarchy *hierarchy,
                          const shoal_i_sameness *same)
{
    shoal_status st = SHOAL_OK;
    shoal_i_same_values values = {0};
    bool has_missing =
        !shoal_table_is_skipped(table, column) && shoal_table_missing_count(table, column) > 0;
    shoal_type type = shoal_table_type(table, column);

    *out = (shoal_i_sensitive){
        .name = shoal_table_name(table, column),
        .row_count = shoal_table_row_count(table),
        .value_count = shoal_table_value_count(table, column) + has_missing,
        .has_missing = has_missing,
        .total = shoal_table_row_count(table),
        .is_numeric =
            type == SHOAL_TYPE_INTEGER || type == SHOAL_TYPE_REAL || type == SHOAL_TYPE_DATE,
        .hierarchy = hierarchy,
        .table = table,
        .column = column,
    };
    SHOAL_TRY(check_column(ctx, table, column, hierarchy, out->value_count));
    SHOAL_TRY(shoal_i_same_values_find(ctx, &values, &out->arena, table, column, same));
    out->same = same ? *same : (shoal_i_sameness){0};
    out->value_count = values.count;
    out->value_of = values.value_of;
    out->entry_of = values.code_of;
    if (hierarchy && out->value_of) {
        SHOAL_TRY(reduce_hierarchy(ctx, out));
    }
done:
    return st;
}

/* The codes of all records of a table. */
static shoal_status load_codes(shoal_ctx *ctx, shoal_i_sensitive *out, const shoal_table *table)
{
    uint32_t *codes =
        shoal_i_arena_alloc(ctx, &out->arena, shoal_table_row_count(table), sizeof *codes);

    if (!codes) {
        return SHOAL_ENOMEM;
    }
    shoal_table_codes(table, out->column, 0, shoal_table_row_count(table), codes);
    for (size_t row = 0; out->value_of && row < out->row_count; row++) {
        codes[row] = out->value_of[codes[row]];
    }
    out->codes = codes;
    return SHOAL_OK;
}

shoal_status shoal_i_sensitive_init(shoal_ctx *ctx, shoal_i_sensitive *out,
                                    const shoal_table *table, size_t column,
                                    const shoal_hierarchy *hierarchy,
                                    const shoal_i_sameness *same)
{
    shoal_status st = SHOAL_OK;
    uint32_t *totals = NULL;

    SHOAL_TRY(begin(ctx, out, table, column, hierarchy, same));
    SHOAL_TRY(load_codes(ctx, out, table));
    totals = shoal_i_arena_alloc(ctx, &out->arena, out->value_count, sizeof *totals);
    if (!totals) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    for (size_t i = 0; i < out->row_count; i++) {
        totals[out->codes[i]]++;
    }
    out->totals = totals;
done:
    if (st != SHOAL_OK) {
        shoal_i_sensitive_clear(out);
    }
    return st;
}

shoal_status shoal_i_sensitive_count_persons(shoal_ctx *ctx, shoal_i_sensitive *sensitive,
                                             const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;
    shoal_i_arena scratch = {0};
    shoal_i_pairs pairs = {0};
    uint32_t *totals = NULL;

    if (!shoal_i_persons_repeat(persons)) {
        return SHOAL_OK;
    }
    totals =
        shoal_i_arena_alloc(ctx, &sensitive->arena, sensitive->value_count, sizeof *totals);
    if (!totals) {
        return SHOAL_ENOMEM;
    }
    SHOAL_TRY(shoal_i_pairs_build(ctx, &pairs, &scratch, persons, sensitive->codes,
                                  sensitive->value_count));
    for (size_t i = 0; i < pairs.count; i++) {
        totals[pairs.value_of[i]]++;
    }
    sensitive->totals = totals;
    sensitive->total = pairs.count;
done:
    shoal_i_arena_clear(&scratch);
    return st;
}

shoal_status shoal_i_sensitive_init_counted(shoal_ctx *ctx, shoal_i_sensitive *out,
                                            const shoal_table *table, size_t column,
                                            const shoal_hierarchy *hierarchy,
                                            const shoal_i_sameness *same,
                                            const uint32_t *totals)
{
    shoal_status st = SHOAL_OK;
    size_t entries =
        shoal_table_value_count(table, column) + (shoal_table_missing_count(table, column) > 0);
    uint32_t *copy = NULL;

    SHOAL_TRY(begin(ctx, out, table, column, hierarchy, same));
    copy = shoal_i_arena_alloc(ctx, &out->arena, out->value_count, sizeof *copy);
    if (!copy) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    out->total = 0;
    for (uint32_t entry = 0; entry < entries; entry++) {
        copy[shoal_i_sensitive_value(out, entry)] += totals[entry];
        out->total += totals[entry];
    }
    out->totals = copy;
done:
    if (st != SHOAL_OK) {
        shoal_i_sensitive_clear(out);
    }
    return st;
}

shoal_status shoal_i_sensitive_init_part(shoal_ctx *ctx, shoal_i_sensitive *out,
                                         const shoal_i_sensitive *whole,
                                         const shoal_table *part)
{
    *out = *whole;
    out->reduced = NULL; /* is the whole's, and used as that is */
    out->arena = (shoal_i_arena){0};
    out->row_count = shoal_table_row_count(part);
    out->table = part;
    return load_codes(ctx, out, part);
}

void shoal_i_sensitive_clear(shoal_i_sensitive *sensitive)
{
    shoal_i_arena_clear(&sensitive->arena);
    shoal_hierarchy_free(sensitive->reduced);
    *sensitive = (shoal_i_sensitive){0};
}

shoal_status shoal_i_sensitive_find(shoal_ctx *ctx, uint32_t *code,
                                    const shoal_i_sensitive *sensitive, const char *text,
                                    size_t length)
{
    int64_t found = shoal_table_find_code(sensitive->table, sensitive->column, text, length);

    /* In a release a formula may stand behind an apostrophe (release/formula.h). */
    if (found < 0 && length > 0 && strchr("=+-@\t\r", text[0])) {
        char *guarded = shoal_i_alloc(ctx, length + 1, 1);

        if (!guarded) {
            return SHOAL_ENOMEM;
        }
        guarded[0] = '\'';
        memcpy(guarded + 1, text, length);
        found = shoal_table_find_code(sensitive->table, sensitive->column, guarded, length + 1);
        free(guarded);
    }

    if (found < 0 && sensitive->has_missing) {
        uint32_t missing =
            (uint32_t)shoal_table_value_count(sensitive->table, sensitive->column);
        size_t size = 0;
        const char *token =
            shoal_table_text(sensitive->table, sensitive->column, missing, &size);

        found = size == length && memcmp(token, text, length) == 0 ? (int64_t)missing : -1;
    }
    if (found < 0) {
        shoal_status st = shoal_i_same_values_seek(
            ctx, &found, sensitive->table, sensitive->column, &sensitive->same, text, length);

        if (st != SHOAL_OK) {
            return st;
        }
    }
    if (found < 0) {
        /* The text is the user's own, from the spec, and occurs in no cell. */
        return shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                            "The value \"%.*s\" does not occur in the sensitive column "
                            "\"%.200s\".",
                            length < 200 ? (int)length : 200, text, sensitive->name);
    }
    *code = shoal_i_sensitive_value(sensitive, (uint32_t)found);
    return SHOAL_OK;
}

size_t shoal_i_sensitive_rank(const shoal_i_sensitive *sensitive, uint32_t code)
{
    size_t rank = 1;

    for (size_t i = 0; i < sensitive->value_count; i++) {
        rank += sensitive->totals[i] > sensitive->totals[code];
    }
    return rank;
}

uint32_t shoal_i_sensitive_most_frequent(const shoal_i_sensitive *sensitive)
{
    uint32_t best = 0;

    for (uint32_t code = 1; code < sensitive->value_count; code++) {
        best = sensitive->totals[code] > sensitive->totals[best] ? code : best;
    }
    return best;
}
