/* From dictionaries and totals to a division: what is counted, and whether it can be met at
 * all. */
#include "division.h"

#include "../../base/entry.h"
#include "../input/method_check.h"
#include "division_bytes.h"
#include "values.h"

#include <string.h>

/* What the answers of one round may take by default. */
#define ROUND_BYTES ((size_t)256 << 20)

/* More records than that tell hardly more about where classes lie. */
#define SAMPLE_MAX 32768

/* --- Totals. ---------------------------------------------------------------------------- */

static bool is_own_k(const shoal_spec *spec, const char *name)
{
    return spec->k_column && strcmp(spec->k_column, name) == 0;
}

shoal_status shoal_i_totals_init(shoal_ctx *ctx, shoal_i_totals *totals, const shoal_spec *spec,
                                 const shoal_table *table, bool all_quasi)
{
    shoal_status st = SHOAL_OK;
    bool reads_sensitive = shoal_i_spec_reads_sensitive(spec);
    size_t columns = shoal_table_column_count(table);

    SHOAL_ALLOC(ctx, totals->counts, columns);
    totals->column_count = columns;
    for (size_t c = 0; c < columns; c++) {
        const char *name = shoal_table_name(table, c);
        shoal_role role = shoal_i_column_role(spec, name);
        bool is_read = is_own_k(spec, name) || (all_quasi && role == SHOAL_ROLE_QUASI) ||
                       (reads_sensitive && role == SHOAL_ROLE_SENSITIVE);

        if (is_read && !shoal_table_is_skipped(table, c)) {
            /* One more for missing values. */
            SHOAL_ALLOC(ctx, totals->counts[c], shoal_table_value_count(table, c) + 1);
        }
    }
done:
    return st;
}

void shoal_i_totals_clear(shoal_i_totals *totals)
{
    for (size_t c = 0; totals->counts && c < totals->column_count; c++) {
        free(totals->counts[c]);
    }
    free(totals->counts);
    *totals = (shoal_i_totals){0};
}

void shoal_i_totals_add(shoal_i_totals *totals, uint32_t *const *codes, size_t count)
{
    for (size_t c = 0; c < totals->column_count; c++) {
        for (size_t i = 0; totals->counts[c] && i < count; i++) {
            totals->counts[c][codes[c][i]]++;
        }
    }
}

/* --- What is counted. ------------------------------------------------------------------- */

static shoal_status fail_own_k(shoal_ctx *ctx, const char *name)
{
    return shoal_i_fail(
        ctx, SHOAL_EFORMAT,
        "Expected a k of its own for every record in column \"%.200s\", a whole "
        "number of at least 1; some have a smaller one or none.",
        name);
}

/* The values of the column ascend, but two of them may ask for the same, when both are larger
 * than any table. */
static shoal_status init_own_k(shoal_ctx *ctx, shoal_i_own_k *own, const shoal_table *table,
                               const char *name)
{
    shoal_status st = SHOAL_OK;
    size_t column = (size_t)shoal_table_find(table, name);
    size_t values = shoal_table_value_count(table, column);

    if (shoal_table_type(table, column) != SHOAL_TYPE_INTEGER ||
        shoal_table_missing_count(table, column) > 0) {
        SHOAL_TRY(fail_own_k(ctx, name));
    }
    SHOAL_ALLOC(ctx, own->ks, values);
    SHOAL_ALLOC(ctx, own->code_of_entry, values + 1);
    for (uint32_t entry = 0; entry < values; entry++) {
        uint32_t k = shoal_i_column_k(table, column, entry);

        if (k == 0) {
            SHOAL_TRY(fail_own_k(ctx, name));
        }
        if (own->count == 0 || own->ks[own->count - 1] != k) {
            own->ks[own->count++] = k;
        }
        own->code_of_entry[entry] = (uint32_t)(own->count - 1);
    }
    own->column = column;
    own->is_asked = true;
done:
    return st;
}

/* Which values are joined by the requirements that join some. */
static shoal_status list_joined(shoal_ctx *ctx, shoal_division *d)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_requirement_set *set = &d->prepared.requirements.set;
    const shoal_i_tally_source *counted = &d->counted;

    for (size_t a = 0; a < counted->active_count; a++) {
        for (size_t i = 0; i < set->count; i++) {
            const shoal_i_requirement *item = &set->items[i];

            if (item->joined == 0 ||
                counted->active[a].column != counted->column_count + 1 + item->joined) {
                continue;
            }
            SHOAL_ALLOC(ctx, d->named[a], item->column->value_count + 1);
            for (size_t v = 0; v < item->code_count; v++) {
                d->named[a][item->codes[v]] = 1;
            }
            d->counted_columns[a] = item->column->column;
            d->value_of[a] = item->column->value_of;
        }
    }
done:
    return st;
}

static shoal_status list_counted(shoal_ctx *ctx, shoal_division *d)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_bound_requirements *requirements = &d->prepared.requirements;
    const shoal_i_quasi *quasi = d->prepared.quasi;
    shoal_i_tally_source *counted = &d->counted;

    if (d->spec->k_column) {
        SHOAL_TRY(init_own_k(ctx, &d->own_k, d->prepared.table, d->spec->k_column));
    }
    shoal_i_tally_source_init_counted(counted, &requirements->set, requirements->sensitive,
                                      requirements->sensitive_count, d->own_k.ks,
                                      d->own_k.count);
    SHOAL_TRY(list_joined(ctx, d));
    SHOAL_ALLOC(ctx, d->sampled, quasi->count + counted->active_count + 1);
    for (size_t c = 0; c < quasi->count; c++) {
        d->sampled[d->sampled_count++] = quasi->columns[c].column;
    }
    for (size_t i = 0; i < counted->active_count; i++) {
        size_t column = counted->active[i].column;

        if (d->named[i]) {
            continue; /* is sampled with its column */
        }
        d->counted_columns[i] = column == counted->column_count
                                    ? d->own_k.column
                                    : requirements->sensitive[column].column;
        d->value_of[i] =
            column == counted->column_count ? NULL : requirements->sensitive[column].value_of;
        d->sampled[d->sampled_count++] = d->counted_columns[i];
    }
    if (shoal_i_division_counts_persons(d)) {
        counted->person_step = 0;
    }
done:
    return st;
}

/* Count the values of all records in. Of those that a requirement joins, totals do not tell how
 * many persons have any; joined does. */
static void count_whole(shoal_i_tally *whole, const shoal_division *d, size_t a)
{
    size_t column = d->counted_columns[a];
    bool is_k = d->counted.active[a].column == d->counted.column_count;

    if (d->named[a]) {
        for (uint32_t code = 0; code < 2; code++) {
            if (d->joined[a][code] > 0) {
                shoal_i_tally_add_values(whole, a, code, d->joined[a][code]);
            }
        }
        return;
    }
    for (uint32_t entry = 0; entry <= shoal_table_value_count(d->prepared.table, column);
         entry++) {
        uint32_t count = d->totals.counts[column][entry];

        if (count > 0) {
            shoal_i_tally_add_values(whole, a,
                                     is_k ? d->own_k.code_of_entry[entry]
                                          : shoal_i_division_value(d, a, entry),
                                     count);
        }
    }
}

shoal_status shoal_i_division_check_possible(shoal_ctx *ctx, shoal_division *division)
{
    shoal_status st = SHOAL_OK;
    shoal_division *d = division;
    const shoal_i_tally_source *counted = &d->counted;
    const shoal_table *table = d->prepared.table;
    const shoal_i_requirement_set *set = &d->prepared.requirements.set;
    shoal_i_tally whole = {0};

    SHOAL_TRY(shoal_i_tally_init(ctx, &whole, counted));
    shoal_i_tally_add_size(&whole, shoal_table_row_count(table));
    whole.stats.persons += d->prepared.persons.count; /* else 0: records are */
    for (size_t i = 0; i < counted->active_count; i++) {
        count_whole(&whole, d, i);
    }
    for (size_t i = 0; i < set->count; i++) {
        set->items[i].kind->check(&set->items[i], &whole.stats, &d->whole_figures[i]);
    }
    st = shoal_i_requirement_check_possible(ctx, set, &whole.stats);
    if (st != SHOAL_OK) {
        shoal_i_fail_in(ctx, shoal_table_source(table), 0, 0);
    }
done:
    shoal_i_tally_clear(&whole);
    return st;
}

/* --- The division. ---------------------------------------------------------------------- */

/* Classes of fragments are classes of the whole where each record is recoded by itself. That of
 * full-domain recoding is at one level for all records; exact promises the optimum, which no
 * cut keeps. */
static bool is_supported(const shoal_i_method *method)
{
    return method->shape == SHOAL_I_SHAPE_CLASSES && !method->is_full_domain &&
           method != &shoal_i_exact;
}

const char *shoal_i_division_refusal(const shoal_spec *spec)
{
    shoal_i_chosen chosen = shoal_i_spec_method(spec);

    if (!is_supported(chosen.method)) {
        return "the methods best, topdown, bottomup, mondrian, specialize, hilbert and cluster "
               "only";
    }
    const char *refusal =
        chosen.method->refuse_parts ? chosen.method->refuse_parts(&chosen.settings) : NULL;

    if (refusal) {
        return refusal;
    }
    if (shoal_i_spec_has_coarsest(spec)) {
        return "quasi columns without a coarsest level";
    }
    if (shoal_i_spec_reads_population(spec)) {
        return "requirements about the records alone, not about a population, which would have "
               "to fit in memory as well";
    }
    if (spec->numeric == SHOAL_I_NUMERIC_MEAN || spec->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        return "numbers as range or minmax only";
    }
    return NULL;
}

shoal_status shoal_i_division_new(shoal_ctx *ctx, shoal_division **out, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_division *d = NULL;

    SHOAL_ALLOC(ctx, d, 1);
    d->spec = spec;
    d->round_bytes = ROUND_BYTES;
    d->most_sampled = SAMPLE_MAX;
    d->is_exact = shoal_i_spec_method(spec).method == &shoal_i_mondrian;
    d->seed = spec->has_seed ? spec->seed : ctx->seed;
    *out = d;
    d = NULL;
done:
    shoal_division_free(d);
    return st;
}

void shoal_i_division_count_persons(shoal_division *division, uint64_t persons)
{
    shoal_i_prepared *prepared = &division->prepared;
    const char *name = shoal_i_spec_person(division->spec)->name;

    division->counts_persons = true;
    prepared->persons.count = (size_t)persons;
    prepared->persons.row_count = shoal_table_row_count(prepared->table);
    prepared->persons.column = (size_t)shoal_table_find(prepared->table, name);
}

shoal_status shoal_i_division_join(shoal_ctx *ctx, shoal_division *division,
                                   const uint64_t (*joined)[2], size_t count)
{
    const shoal_i_tally_source *counted = &division->counted;

    for (size_t a = 0; a < counted->active_count; a++) {
        /* The inputs of values that are joined lie behind those of columns, k and persons. */
        size_t number =
            division->named[a] ? counted->active[a].column - counted->column_count - 2 : count;

        for (size_t side = 0; number < count && side < 2; side++) {
            division->joined[a][side] = (uint32_t)joined[number][side];
        }
    }
    return shoal_i_division_check_possible(ctx, division);
}

/* Of texts that are one value, one may have the persons of all; each value has some. */
static shoal_status check_totals(shoal_ctx *ctx, const shoal_i_bound_requirements *requirements)
{
    for (size_t i = 0; i < requirements->sensitive_count; i++) {
        const shoal_i_sensitive *column = &requirements->sensitive[i];

        for (size_t value = 0; value < column->value_count; value++) {
            if (column->totals[value] == 0) {
                return shoal_i_fail(ctx, SHOAL_EFORMAT,
                                    "The totals of column \"%.200s\" make no sense: nobody has "
                                    "one of its values.",
                                    column->name);
            }
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_division_bind(shoal_ctx *ctx, shoal_division *division,
                                   shoal_hierarchy **sensitive_hierarchies)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prepared *prepared = &division->prepared;

    if (!prepared->hierarchies) {
        SHOAL_TRY(shoal_i_prepare_quasi(ctx, prepared, division->spec));
    } else {
        SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &prepared->quasi, prepared, division->spec,
                                           prepared->table));
    }
    SHOAL_TRY(shoal_i_bound_requirements_build_given(
        ctx, &prepared->requirements, division->spec, prepared->table, division->totals.counts,
        sensitive_hierarchies,
        shoal_i_division_counts_persons(division) ? &prepared->persons : NULL));
    SHOAL_TRY(check_totals(ctx, &prepared->requirements));
    SHOAL_TRY(list_counted(ctx, division));
    if (!division->counts_persons) {
        SHOAL_TRY(shoal_i_division_check_possible(ctx, division));
    }
    SHOAL_ALLOC(ctx, division->nodes, 1);
    SHOAL_ALLOC(ctx, division->fragments, 1);
    division->nodes[0] = (shoal_i_cut_node){.column = SHOAL_I_LEAF};
    division->node_count = 1;
    division->fragments[0] =
        (shoal_i_fragment){.size = shoal_table_row_count(prepared->table),
                           .persons = division->counts_persons ? prepared->persons.count : 0,
                           .state = SHOAL_I_FRAGMENT_LARGE};
    division->count = 1;
done:
    return st;
}

void shoal_division_free(shoal_division *division)
{
    if (!division) {
        return;
    }
    for (size_t i = 0; i < division->count; i++) {
        free(division->fragments[i].cuts);
    }
    free(division->fragments);
    free(division->nodes);
    free(division->sampled);
    for (size_t a = 0; a < SHOAL_I_TALLY_INPUTS_MAX; a++) {
        free(division->named[a]);
    }
    free(division->own_k.code_of_entry);
    free(division->own_k.ks);
    shoal_i_tally_source_clear(&division->counted);
    shoal_i_totals_clear(&division->totals);
    shoal_i_prepared_clear(&division->prepared);
    free(division);
}

uint64_t shoal_division_record_count(const shoal_division *division)
{
    return shoal_table_row_count(division->prepared.table);
}

uint64_t shoal_division_person_count(const shoal_division *division)
{
    return division->counts_persons ? division->prepared.persons.count
                                    : shoal_division_record_count(division);
}

size_t shoal_division_fragment_count(const shoal_division *division)
{
    return division->count;
}

uint64_t shoal_division_fragment_size(const shoal_division *division, size_t fragment)
{
    return fragment < division->count ? division->fragments[fragment].size : 0;
}

shoal_status shoal_division_build(shoal_ctx *ctx, shoal_division **out, const shoal_spec *spec,
                                  const shoal_values *values)
{
    SHOAL_ENTER_FOR(ctx, out, spec, values);
    shoal_status st = SHOAL_OK;
    shoal_division *d = NULL;

    SHOAL_TRY(shoal_i_division_new(ctx, &d, spec));
    SHOAL_TRY(shoal_i_spec_digest(ctx, d->spec_digest, spec));
    if (strcmp(d->spec_digest, values->spec_digest) != 0) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL, "The values were counted by another spec."));
    }
    if (values->record_count == 0) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                               "There are no records, so there is nothing to divide."));
    }
    SHOAL_TRY(shoal_i_values_table(ctx, &d->prepared.table, &d->totals, values, spec));
    SHOAL_TRY(shoal_i_prepare_roles(ctx, &d->prepared, spec));
    SHOAL_TRY(shoal_i_division_check_columns(ctx, d));
    if (values->counts_persons) {
        shoal_i_division_count_persons(d, values->person_count);
    }
    SHOAL_TRY(shoal_i_division_bind(ctx, d, NULL));
    if (values->counts_persons) {
        SHOAL_TRY(shoal_i_division_join(ctx, d, values->joined, values->joined_count));
    }
    SHOAL_TRY(shoal_i_prepare_warn(ctx, &d->prepared, spec));
    SHOAL_TRY(shoal_i_division_seal(ctx, d));
    *out = d;
    d = NULL;
done:
    shoal_division_free(d);
    return st;
}
