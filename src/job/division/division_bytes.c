#include "division_bytes.h"

#include "../../base/entry.h"
#include "../../hierarchy/tree.h"
#include "../../table/column_build.h"

#include <math.h>
#include <string.h>

#define RECORDS_MAX (UINT32_MAX - 1)

static const shoal_i_portable_kind kind = SHOAL_I_PORTABLE_DIVISION;

static shoal_status fail_broken(shoal_ctx *ctx)
{
    return shoal_i_unpack_end(ctx, &(shoal_i_unpacking){.is_broken = true}, kind);
}

/* --- Hierarchies. ----------------------------------------------------------------------- */

static void pack_hierarchy(shoal_i_buffer *out, const shoal_hierarchy *h)
{
    shoal_i_pack_number(out, h ? h->node_count : 0);
    if (!h) {
        return;
    }
    shoal_i_pack_number(out, h->leaf_count);
    for (size_t n = 0; n < h->node_count; n++) {
        shoal_i_pack_number(out, h->nodes[n].parent);
        shoal_i_pack_text(out, h->nodes[n].label, h->nodes[n].label_length);
    }
    for (uint32_t code = 0; code < h->leaf_count; code++) {
        shoal_i_pack_number(out, h->leaf_nodes[h->leaf_of_code[code]]);
    }
    shoal_i_pack_number(out, h->weights != NULL);
    for (size_t n = 0; h->weights && n < h->node_count; n++) {
        shoal_i_pack_double(out, h->weights[n]);
    }
}

/* A tree on its way from bytes to a hierarchy. */
typedef struct tree_parts {
    size_t node_count;
    size_t code_count;
    char *bytes; /* of the labels */
    const char **labels;
    uint32_t *parents;
    uint32_t *node_of_code;
} tree_parts;

static shoal_status unpack_nodes(shoal_ctx *ctx, tree_parts *t, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    char *at = NULL;

    SHOAL_ALLOC(ctx, t->labels, t->node_count);
    SHOAL_ALLOC(ctx, t->parents, t->node_count);
    SHOAL_ALLOC(ctx, t->node_of_code, t->code_count);
    SHOAL_ALLOC(ctx, t->bytes, (size_t)(in->end - in->at) + t->node_count);
    at = t->bytes;
    for (size_t n = 0; n < t->node_count; n++) {
        size_t length = 0;

        t->parents[n] = (uint32_t)shoal_i_unpack_number(in, n > 0 ? n - 1 : 0);
        const char *label = shoal_i_unpack_text(in, &length);

        memcpy(at, label, length);
        t->labels[n] = at;
        at += length + 1;
    }
    for (size_t code = 0; code < t->code_count; code++) {
        t->node_of_code[code] = (uint32_t)shoal_i_unpack_number(in, t->node_count - 1);
    }
done:
    return st;
}

/* Weights as they were set: within those of parents and children. */
static shoal_status unpack_weights(shoal_ctx *ctx, shoal_hierarchy *h, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;

    if (shoal_i_unpack_number(in, 1) == 0 || in->is_broken) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, h->weights, h->node_count);
    for (size_t n = 0; n < h->node_count; n++) {
        double weight = shoal_i_unpack_double(in);

        h->weights[n] = weight;
        in->is_broken = in->is_broken || !isfinite(weight) || weight < 0 ||
                        weight > h->weights[h->nodes[n].parent];
    }
    in->is_broken = in->is_broken || h->weights[0] <= 0;
done:
    return st;
}

static shoal_status unpack_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                     shoal_i_unpacking *in, size_t code_count)
{
    shoal_status st = SHOAL_OK;
    tree_parts t = {.node_count = shoal_i_unpack_count(in)};

    if (t.node_count == 0) {
        return SHOAL_OK;
    }
    t.code_count = shoal_i_unpack_count(in);
    if (t.code_count != code_count || in->is_broken) {
        return fail_broken(ctx);
    }
    SHOAL_TRY(unpack_nodes(ctx, &t, in));
    if (in->is_broken) {
        SHOAL_TRY(fail_broken(ctx));
    }
    st = shoal_hierarchy_build_tree(ctx, out, t.labels, t.parents, t.node_count, t.node_of_code,
                                    t.code_count);
    if (st == SHOAL_EINVAL || st == SHOAL_ELIMIT) {
        st = fail_broken(ctx);
    }
    SHOAL_TRY(st);
    if ((*out)->node_count != t.node_count) {
        SHOAL_TRY(fail_broken(ctx));
    }
    SHOAL_TRY(unpack_weights(ctx, *out, in));
done:
    free(t.bytes);
    free(t.labels);
    free(t.parents);
    free(t.node_of_code);
    return st;
}

/* --- Columns. --------------------------------------------------------------------------- */

static void pack_column(shoal_i_buffer *out, const shoal_table *table, size_t c,
                        const uint32_t *totals)
{
    size_t values = shoal_table_value_count(table, c);
    const char *name = shoal_table_name(table, c);
    size_t length = 0;

    shoal_i_pack_text(out, name, strlen(name));
    shoal_i_pack_number(out, shoal_table_is_skipped(table, c));
    if (shoal_table_is_skipped(table, c)) {
        return;
    }
    shoal_i_pack_number(out, (uint64_t)shoal_table_type(table, c));
    shoal_i_pack_number(out, shoal_table_missing_count(table, c));
    shoal_i_pack_number(out, values);
    for (uint32_t code = 0; code < values + (shoal_table_missing_count(table, c) > 0); code++) {
        const char *text = shoal_table_text(table, c, code, &length);

        shoal_i_pack_text(out, text, length);
    }
    shoal_i_pack_number(out, totals != NULL);
    for (uint32_t code = 0; totals && code <= values; code++) {
        shoal_i_pack_number(out, totals[code]);
    }
}

/* The values of a column, in the order of their codes. */
static shoal_status unpack_values(shoal_ctx *ctx, shoal_i_column *column, shoal_i_unpacking *in,
                                  size_t values)
{
    shoal_status st = SHOAL_OK;
    shoal_i_dictionary texts = {0};
    uint32_t *code_of = NULL;
    char *token = NULL;
    bool has_bad = false;
    size_t length = 0;
    const char *text = NULL;
    uint32_t index = 0;

    for (size_t code = 0; code < values; code++) {
        text = shoal_i_unpack_text(in, &length);
        SHOAL_TRY(shoal_i_dictionary_add(ctx, &texts, &index, text, length));
        in->is_broken = in->is_broken || index != code + 1; /* a text that was there already */
    }
    bool has_token = column->missing_count > 0;

    text = has_token ? shoal_i_unpack_text(in, &length) : "";
    token = shoal_i_strndup(ctx, text, has_token ? length : 0);
    if (!token) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    shoal_i_column_rules rules = {.type = column->type,
                                  .missing_tokens = (const char *const[]){token},
                                  .missing_token_count = has_token};

    /* A token that is a value as well would take its code. */
    in->is_broken =
        in->is_broken || (has_token && shoal_i_dictionary_find(&texts, token, length) != 0);
    if (in->is_broken) {
        SHOAL_TRY(fail_broken(ctx));
    }
    SHOAL_TRY(shoal_i_column_build(ctx, column, &code_of, &has_bad, &texts, &rules));
    for (uint32_t code = 0; code < values; code++) {
        in->is_broken = in->is_broken || code_of[code + 1] != code;
    }
    if (in->is_broken || has_bad) {
        SHOAL_TRY(fail_broken(ctx));
    }
done:
    free(code_of);
    free(token);
    shoal_i_dictionary_clear(&texts);
    return st;
}

/* Whether the totals of a column are those of persons. */
static bool is_in_persons(const shoal_division *d, const char *name)
{
    return d->counts_persons && (shoal_i_column_role(d->spec, name) == SHOAL_ROLE_SENSITIVE ||
                                 (d->spec->k_column && strcmp(d->spec->k_column, name) == 0));
}

/* Whether totals can be those of a column: together they are all records; or each is of some
 * persons, none of whom lacks all. */
static bool are_totals(const shoal_division *d, const uint32_t *totals, size_t c)
{
    const shoal_table *table = d->prepared.table;
    size_t values = shoal_table_value_count(table, c);
    size_t missing = shoal_table_missing_count(table, c);
    uint64_t sum = 0;
    uint64_t most = 0;

    for (size_t code = 0; code <= values; code++) {
        sum += totals[code];
        most = totals[code] > most ? totals[code] : most;
    }
    return is_in_persons(d, shoal_table_name(table, c))
               ? sum >= d->prepared.persons.count && sum <= shoal_table_row_count(table) &&
                     most <= d->prepared.persons.count && totals[values] <= missing &&
                     (totals[values] > 0) == (missing > 0)
               : sum == shoal_table_row_count(table) && totals[values] == missing;
}

/* Every value occurs; the persons of one that is written in several ways stand with one of
 * them, which is checked when requirements are bound. */
static shoal_status unpack_totals(shoal_ctx *ctx, uint32_t **out, shoal_i_unpacking *in,
                                  const shoal_division *d, size_t c)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(d->prepared.table, c);
    const char *name = shoal_table_name(d->prepared.table, c);
    bool may_be_elsewhere =
        d->counts_persons && shoal_i_column_role(d->spec, name) == SHOAL_ROLE_SENSITIVE;

    if (shoal_i_unpack_number(in, 1) == 0) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, *out, values + 1);
    for (size_t code = 0; code <= values; code++) {
        (*out)[code] = (uint32_t)shoal_i_unpack_number(in, RECORDS_MAX);
        in->is_broken =
            in->is_broken || (code < values && (*out)[code] == 0 && !may_be_elsewhere);
    }
    in->is_broken = in->is_broken || !are_totals(d, *out, c);
done:
    return st;
}

static shoal_status unpack_column(shoal_ctx *ctx, shoal_division *d, shoal_i_unpacking *in,
                                  size_t c)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = d->prepared.table;
    shoal_i_column *column = &table->columns[c];
    size_t length = 0;
    const char *name = shoal_i_unpack_text(in, &length);

    SHOAL_TRY(shoal_i_table_set_name(ctx, table, c, name, length));
    column->type = SHOAL_TYPE_STRING;
    column->skipped = shoal_i_unpack_number(in, 1) != 0;
    if (column->skipped) {
        return SHOAL_OK;
    }
    column->type = (shoal_type)shoal_i_unpack_number(in, SHOAL_TYPE_DATE);
    column->missing_count = (size_t)shoal_i_unpack_number(in, table->row_count);
    size_t values = shoal_i_unpack_count(in);

    if (in->is_broken || column->type == SHOAL_TYPE_AUTO || values > RECORDS_MAX) {
        SHOAL_TRY(fail_broken(ctx));
    }
    SHOAL_TRY(unpack_values(ctx, column, in, values));
    SHOAL_TRY(unpack_totals(ctx, &d->totals.counts[c], in, d, c));
done:
    return st;
}

/* --- The base. -------------------------------------------------------------------------- */

/* Those with any of the values that a requirement joins, in the order of requirements. */
static void pack_joined(shoal_i_buffer *out, const shoal_division *d)
{
    for (size_t a = 0; a < d->counted.active_count; a++) {
        if (d->named[a] && d->counts_persons) {
            shoal_i_pack_number(out, d->joined[a][0]);
            shoal_i_pack_number(out, d->joined[a][1]);
        }
    }
}

static shoal_status unpack_joined(shoal_ctx *ctx, shoal_division *d, shoal_i_unpacking *in)
{
    uint64_t joined[SHOAL_I_TALLY_INPUTS_MAX][2] = {{0}};
    size_t count = 0;

    for (size_t a = 0; a < d->counted.active_count; a++) {
        if (d->named[a]) {
            joined[count][0] = shoal_i_unpack_number(in, d->prepared.persons.count);
            joined[count][1] = shoal_i_unpack_number(in, d->prepared.persons.count);
            count++;
        }
    }
    return in->is_broken ? fail_broken(ctx)
                         : shoal_i_division_join(ctx, d, (const uint64_t(*)[2])joined, count);
}

void shoal_i_pack_base(shoal_i_buffer *out, const shoal_division *division)
{
    const shoal_i_prepared *prepared = &division->prepared;
    const shoal_i_bound_requirements *requirements = &prepared->requirements;

    shoal_i_pack_number(out, division->seed);
    shoal_i_pack_number(out, shoal_table_row_count(prepared->table));
    shoal_i_pack_number(out, division->counts_persons ? prepared->persons.count : 0);
    shoal_i_pack_number(out, prepared->column_count);
    for (size_t c = 0; c < prepared->column_count; c++) {
        pack_column(out, prepared->table, c, division->totals.counts[c]);
    }
    for (size_t c = 0; c < prepared->column_count; c++) {
        pack_hierarchy(out, prepared->hierarchies[c]);
    }
    shoal_i_pack_number(out, requirements->sensitive_count);
    for (size_t i = 0; i < requirements->sensitive_count; i++) {
        shoal_i_pack_number(out, requirements->sensitive[i].column);
        pack_hierarchy(out, requirements->hierarchies[i]);
    }
    pack_joined(out, division);
}

shoal_status shoal_i_division_check_columns(shoal_ctx *ctx, const shoal_division *division)
{
    shoal_status st = SHOAL_OK;
    const shoal_division *d = division;
    const shoal_spec *spec = d->spec;
    const shoal_table *table = d->prepared.table;

    SHOAL_TRY(shoal_i_table_check_names(ctx, table, SHOAL_EFORMAT));
    for (size_t i = 0; i < spec->column_count; i++) {
        if (shoal_table_find(table, spec->columns[i].name) < 0) {
            SHOAL_TRY(fail_broken(ctx));
        }
    }
    if (spec->k_column && shoal_table_find(table, spec->k_column) < 0) {
        SHOAL_TRY(fail_broken(ctx));
    }
    for (size_t c = 0; c < d->prepared.column_count; c++) {
        const char *name = shoal_table_name(table, c);
        bool is_k = spec->k_column && strcmp(spec->k_column, name) == 0;
        bool is_read = (d->prepared.roles[c] != SHOAL_ROLE_IDENTIFIER &&
                        d->prepared.roles[c] != SHOAL_ROLE_PERSON) ||
                       is_k;
        bool is_counted = d->prepared.roles[c] == SHOAL_ROLE_QUASI ||
                          d->prepared.roles[c] == SHOAL_ROLE_SENSITIVE || is_k;

        if (is_read == shoal_table_is_skipped(table, c) ||
            (is_counted && !d->totals.counts[c])) {
            SHOAL_TRY(fail_broken(ctx));
        }
    }
done:
    return st;
}

static size_t count_codes(const shoal_table *table, size_t c)
{
    return shoal_table_value_count(table, c) + (shoal_table_missing_count(table, c) > 0);
}

static shoal_status unpack_quasi_hierarchies(shoal_ctx *ctx, shoal_division *d,
                                             shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prepared *prepared = &d->prepared;
    shoal_table *table = prepared->table;

    SHOAL_ALLOC(ctx, prepared->hierarchies, prepared->column_count);
    for (size_t c = 0; c < prepared->column_count; c++) {
        bool is_quasi = prepared->roles[c] == SHOAL_ROLE_QUASI;

        SHOAL_TRY(unpack_hierarchy(ctx, &prepared->hierarchies[c], in, count_codes(table, c)));
        if ((prepared->hierarchies[c] && !is_quasi) ||
            (is_quasi && !prepared->hierarchies[c] &&
             (shoal_table_type(table, c) == SHOAL_TYPE_STRING || count_codes(table, c) == 0))) {
            SHOAL_TRY(fail_broken(ctx));
        }
    }
done:
    return st;
}

/* *given has an entry per column of the table. */
static shoal_status unpack_sensitive_hierarchies(shoal_ctx *ctx, shoal_hierarchy **given,
                                                 const shoal_division *d, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_i_unpack_count(in);

    for (size_t i = 0; i < count; i++) {
        size_t c = (size_t)shoal_i_unpack_number(in, d->prepared.column_count - 1);

        if (in->is_broken || given[c] || d->prepared.roles[c] != SHOAL_ROLE_SENSITIVE) {
            SHOAL_TRY(fail_broken(ctx));
        }
        SHOAL_TRY(unpack_hierarchy(ctx, &given[c], in, count_codes(d->prepared.table, c)));
    }
done:
    return st;
}

shoal_status shoal_i_unpack_base(shoal_ctx *ctx, shoal_division *division,
                                 shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prepared *prepared = &division->prepared;
    uint64_t seed = shoal_i_unpack_number(in, UINT64_MAX);
    size_t records = (size_t)shoal_i_unpack_number(in, RECORDS_MAX);
    size_t persons = (size_t)shoal_i_unpack_number(in, records);
    bool in_persons = shoal_i_spec_person(division->spec) != NULL;
    size_t columns = shoal_i_unpack_count(in);
    shoal_hierarchy **given = NULL;

    division->seed = seed;
    if (in->is_broken || columns == 0 || records == 0 || (persons > 0) != in_persons) {
        return fail_broken(ctx);
    }
    SHOAL_TRY(shoal_i_table_new(ctx, &prepared->table, "", columns));
    prepared->table->row_count = records;
    SHOAL_ALLOC(ctx, given, columns);
    SHOAL_ALLOC(ctx, division->totals.counts, columns);
    division->totals.column_count = columns;
    division->counts_persons = in_persons;
    prepared->persons.count = persons;
    for (size_t c = 0; c < columns; c++) {
        SHOAL_TRY(unpack_column(ctx, division, in, c));
    }
    SHOAL_TRY(shoal_i_prepare_roles(ctx, prepared, division->spec));
    SHOAL_TRY(shoal_i_division_check_columns(ctx, division));
    SHOAL_TRY(unpack_quasi_hierarchies(ctx, division, in));
    SHOAL_TRY(unpack_sensitive_hierarchies(ctx, given, division, in));
    if (in->is_broken) {
        SHOAL_TRY(fail_broken(ctx));
    }
    if (in_persons) {
        shoal_i_division_count_persons(division, persons);
    }
    SHOAL_TRY(shoal_i_division_bind(ctx, division, given));
    if (in_persons) {
        SHOAL_TRY(unpack_joined(ctx, division, in));
    }
done:
    for (size_t c = 0; given && c < columns; c++) {
        shoal_hierarchy_free(given[c]);
    }
    free(given);
    return st;
}

/* --- The state. ------------------------------------------------------------------------- */

static void pack_fragment(shoal_i_buffer *out, const shoal_i_fragment *f)
{
    shoal_i_pack_number(out, f->size);
    shoal_i_pack_number(out, f->persons);
    shoal_i_pack_number(out, (uint64_t)f->state);
    shoal_i_pack_number(out, f->is_asked);
    shoal_i_pack_number(out, f->cut_count);
    for (size_t i = 0; i < f->cut_count; i++) {
        shoal_i_pack_number(out, f->cuts[i].column);
        shoal_i_pack_number(out, f->cuts[i].code);
        shoal_i_pack_number(out, f->cuts[i].front);
    }
    shoal_i_pack_number(out, f->cheap_count);
    shoal_i_pack_number(out, f->tried);
    shoal_i_pack_number(out, f->trial);
}

void shoal_i_pack_state(shoal_i_buffer *out, const shoal_division *division)
{
    shoal_i_pack_number(out, division->node_count);
    for (size_t i = 0; i < division->node_count; i++) {
        const shoal_i_cut_node *node = &division->nodes[i];
        bool is_leaf = node->column == SHOAL_I_LEAF;

        shoal_i_pack_number(out, is_leaf ? 0 : (uint64_t)node->column + 1);
        shoal_i_pack_number(out, node->front);
        if (!is_leaf) {
            shoal_i_pack_number(out, node->code);
            shoal_i_pack_number(out, node->back);
        }
    }
    for (size_t i = 0; i < division->count; i++) {
        pack_fragment(out, &division->fragments[i]);
    }
}

static void unpack_cut(shoal_i_top_cut *cut, const shoal_division *d, shoal_i_unpacking *in,
                       uint64_t size)
{
    const shoal_i_quasi *quasi = d->prepared.quasi;

    cut->column = (size_t)shoal_i_unpack_number(in, quasi->count - 1);
    cut->code =
        (uint32_t)shoal_i_unpack_number(in, quasi->columns[cut->column].value_count - 1);
    cut->front = shoal_i_unpack_number(in, size - 1);
    in->is_broken = in->is_broken || cut->front == 0;
}

static shoal_status unpack_fragment(shoal_ctx *ctx, shoal_i_fragment *f,
                                    const shoal_division *d, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;

    f->size = shoal_i_unpack_number(in, shoal_table_row_count(d->prepared.table));
    f->persons = shoal_i_unpack_number(in, f->size);
    f->state = (shoal_i_fragment_state)shoal_i_unpack_number(in, SHOAL_I_FRAGMENT_SIDES);
    f->is_asked = shoal_i_unpack_number(in, 1) != 0;
    size_t count = shoal_i_unpack_count(in);

    in->is_broken = in->is_broken || f->size == 0 || (f->persons > 0) != d->counts_persons;
    if (in->is_broken) {
        return fail_broken(ctx);
    }
    SHOAL_ALLOC(ctx, f->cuts, count);
    f->cut_count = count;
    for (size_t i = 0; i < count; i++) {
        unpack_cut(&f->cuts[i], d, in, f->size);
    }
    f->cheap_count = (size_t)shoal_i_unpack_number(in, count);
    f->tried = (size_t)shoal_i_unpack_number(in, count);
    f->trial = (size_t)shoal_i_unpack_number(in, count - f->tried);
    bool asks = f->state == SHOAL_I_FRAGMENT_VALUES || f->state == SHOAL_I_FRAGMENT_SIDES;

    if (in->is_broken || (f->is_asked && !asks) ||
        ((f->state == SHOAL_I_FRAGMENT_SIDES) != (f->trial > 0)) ||
        (f->tried < f->cheap_count && f->trial > f->cheap_count - f->tried) ||
        (f->state == SHOAL_I_FRAGMENT_SIDES && d->counted.active_count == 0 &&
         !d->counts_persons)) {
        SHOAL_TRY(fail_broken(ctx));
    }
done:
    return st;
}

static void unpack_node(shoal_division *d, shoal_i_unpacking *in, size_t n, size_t *leaves)
{
    const shoal_i_quasi *quasi = d->prepared.quasi;
    uint64_t column = shoal_i_unpack_number(in, quasi->count);
    shoal_i_cut_node *node = &d->nodes[n];

    node->column = column == 0 ? SHOAL_I_LEAF : (uint32_t)column - 1;
    node->front = (uint32_t)shoal_i_unpack_number(in, d->node_count - 1);
    if (node->column == SHOAL_I_LEAF) {
        ++*leaves;
        return;
    }
    node->code =
        (uint32_t)shoal_i_unpack_number(in, quasi->columns[node->column].value_count - 1);
    node->back = (uint32_t)shoal_i_unpack_number(in, d->node_count - 1);
    /* Children come behind their parent, so that no way runs in a circle. */
    in->is_broken = in->is_broken || node->front <= n || node->back != node->front + 1;
}

/* Every node but the root is the child of one other, and every fragment is one leaf. */
static shoal_status check_tree(shoal_ctx *ctx, shoal_division *d)
{
    shoal_status st = SHOAL_OK;
    bool *is_seen = NULL;
    bool *is_leaf = NULL;
    bool holds = true;

    SHOAL_ALLOC(ctx, is_seen, d->node_count);
    SHOAL_ALLOC(ctx, is_leaf, d->count);
    is_seen[0] = true;
    for (uint32_t n = 0; n < d->node_count; n++) {
        const shoal_i_cut_node *node = &d->nodes[n];

        holds = holds && is_seen[n];
        if (node->column == SHOAL_I_LEAF) {
            holds = holds && node->front < d->count && !is_leaf[node->front];
            if (holds) {
                is_leaf[node->front] = true;
                d->fragments[node->front].node = n;
            }
        } else {
            holds = holds && !is_seen[node->front] && !is_seen[node->back];
            is_seen[node->front] = true;
            is_seen[node->back] = true;
        }
    }
    if (!holds) {
        st = fail_broken(ctx);
    }
done:
    free(is_seen);
    free(is_leaf);
    return st;
}

shoal_status shoal_i_unpack_state(shoal_ctx *ctx, shoal_division *division,
                                  shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    size_t nodes = shoal_i_unpack_count(in);
    size_t leaves = 0;
    uint64_t records = 0;

    if (in->is_broken || nodes % 2 == 0 || nodes >= SHOAL_I_LEAF) {
        return fail_broken(ctx);
    }
    free(division->nodes);
    free(division->fragments);
    division->nodes = NULL;
    division->fragments = NULL;
    division->count = 0;
    SHOAL_ALLOC(ctx, division->nodes, nodes);
    division->node_count = nodes;
    for (size_t n = 0; n < nodes; n++) {
        unpack_node(division, in, n, &leaves);
    }
    if (in->is_broken || leaves != (nodes + 1) / 2) {
        SHOAL_TRY(fail_broken(ctx));
    }
    SHOAL_ALLOC(ctx, division->fragments, leaves);
    division->count = leaves;
    for (size_t i = 0; i < leaves; i++) {
        SHOAL_TRY(unpack_fragment(ctx, &division->fragments[i], division, in));
        records += division->fragments[i].size;
    }
    if (records != shoal_table_row_count(division->prepared.table)) {
        SHOAL_TRY(fail_broken(ctx));
    }
    SHOAL_TRY(check_tree(ctx, division));
done:
    return st;
}

/* --- Digests. --------------------------------------------------------------------------- */

static shoal_status digest_buffer(char hex[SHOAL_I_SHA256_HEX], shoal_i_buffer *bytes)
{
    shoal_status st = shoal_i_buffer_status(bytes);
    shoal_i_sha256 hash = shoal_i_sha256_start();

    if (st == SHOAL_OK) {
        shoal_i_sha256_add(&hash, bytes->data, bytes->size);
        shoal_i_sha256_end(&hash, hex);
    }
    shoal_i_buffer_clear(bytes);
    return st;
}

shoal_status shoal_i_division_seal(shoal_ctx *ctx, shoal_division *division)
{
    shoal_i_buffer bytes;

    shoal_i_buffer_init(&bytes, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_pack_base(&bytes, division);
    return digest_buffer(division->base_digest, &bytes);
}

shoal_status shoal_i_division_digest(shoal_ctx *ctx, char hex[SHOAL_I_SHA256_HEX],
                                     const shoal_division *division)
{
    shoal_i_buffer bytes;

    shoal_i_buffer_init(&bytes, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&bytes, division->spec_digest);
    shoal_i_buffer_text(&bytes, division->base_digest);
    shoal_i_pack_state(&bytes, division);
    return digest_buffer(hex, &bytes);
}

/* --- Whole divisions. ------------------------------------------------------------------- */

void shoal_bytes_free(char *bytes)
{
    free(bytes);
}

shoal_status shoal_division_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                         const shoal_division *division)
{
    SHOAL_ENTER_FOR(ctx, bytes, size, division);
    shoal_i_buffer out;

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_pack_text(&out, division->spec_digest, strlen(division->spec_digest));
    shoal_i_pack_base(&out, division);
    shoal_i_pack_state(&out, division);
    return shoal_i_pack_end(ctx, bytes, size, kind, &out);
}

shoal_status shoal_division_read_memory(shoal_ctx *ctx, shoal_division **out,
                                        const shoal_spec *spec, const void *bytes, size_t size)
{
    SHOAL_ENTER_FOR(ctx, out, spec);
    shoal_status st = SHOAL_OK;
    shoal_i_unpacking in = {0};
    shoal_division *d = NULL;

    SHOAL_TRY(shoal_i_unpack_begin(ctx, &in, kind, bytes, size));
    SHOAL_TRY(shoal_i_division_new(ctx, &d, spec));
    SHOAL_TRY(shoal_i_spec_digest(ctx, d->spec_digest, spec));
    SHOAL_TRY(shoal_i_unpack_spec(ctx, &in, kind, d->spec_digest));
    SHOAL_TRY(shoal_i_unpack_base(ctx, d, &in));
    SHOAL_TRY(shoal_i_unpack_state(ctx, d, &in));
    SHOAL_TRY(shoal_i_unpack_end(ctx, &in, kind));
    SHOAL_TRY(shoal_i_division_seal(ctx, d));
    *out = d;
    d = NULL;
done:
    shoal_division_free(d);
    return st;
}
