#include "coarsest.h"

#include "../../base/relay.h"
#include "../../table/table_part.h"
#include "../input/columns.h"
#include "../input/problem_build.h"

#include <string.h>

shoal_status shoal_i_coarsest_check(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_i_chosen chosen = shoal_i_spec_method(spec);
    const char *refusal =
        chosen.method->shape != SHOAL_I_SHAPE_CLASSES || chosen.method->is_full_domain
            ? "methods that make classes by local recoding"
        : spec->suppress > 0 ? "releases without suppression, which shows nothing of a record"
        : shoal_i_spec_reads_population(spec)          ? "requirements about the records alone"
        : spec->categorical == SHOAL_I_CATEGORICAL_SET ? "categories as labels, not as sets"
                                                       : NULL;

    if (!refusal || !shoal_i_spec_has_coarsest(spec)) {
        return SHOAL_OK;
    }
    return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED, "A coarsest level is supported for %s.",
                        refusal);
}

/* --- Which stratum a record is in. -------------------------------------------------------- */

typedef struct strata {
    size_t count;
    uint32_t *of;     /* of each record */
    uint32_t *rows;   /* records, stratum after stratum */
    uint32_t *starts; /* count + 1 */
} strata;

static void clear_strata(strata *s)
{
    free(s->of);
    free(s->rows);
    free(s->starts);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Part the strata once more, by the labels of one column. Numbers ascend with those that there
 * were and then with the labels, so they do not depend on the order of the records. */
static shoal_status part_by(shoal_ctx *ctx, strata *s, const shoal_table *table, size_t column,
                            const shoal_hierarchy *h, int depth)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(table);
    uint64_t *keys = NULL;
    uint64_t *sorted = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, keys, rows);
    SHOAL_ALLOC(ctx, sorted, rows);
    for (size_t row = 0; row < rows; row++) {
        uint32_t leaf = shoal_hierarchy_leaf(h, shoal_table_code(table, column, row));

        keys[row] = (uint64_t)s->of[row] << 32 | shoal_hierarchy_ancestor_at(h, leaf, depth);
    }
    memcpy(sorted, keys, rows * sizeof *keys);
    qsort(sorted, rows, sizeof *sorted, compare_keys);
    for (size_t i = 0; i < rows; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
            sorted[count++] = sorted[i];
        }
    }
    for (size_t row = 0; row < rows; row++) {
        const uint64_t *found =
            bsearch(&keys[row], sorted, count, sizeof *sorted, compare_keys);

        s->of[row] = (uint32_t)(found - sorted);
    }
    s->count = count;
done:
    free(keys);
    free(sorted);
    return st;
}

static shoal_status list_rows(shoal_ctx *ctx, strata *s, size_t rows)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, s->rows, rows);
    SHOAL_ALLOC(ctx, s->starts, s->count + 2);
    for (size_t row = 0; row < rows; row++) {
        s->starts[s->of[row] + 2]++;
    }
    for (size_t i = 2; i < s->count + 2; i++) {
        s->starts[i] += s->starts[i - 1];
    }
    for (size_t row = 0; row < rows; row++) {
        s->rows[s->starts[s->of[row] + 1]++] = (uint32_t)row;
    }
done:
    return st;
}

static shoal_status find_strata(shoal_ctx *ctx, strata *s, const shoal_spec *spec,
                                const shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = prepared->table;

    SHOAL_ALLOC(ctx, s->of, shoal_table_row_count(table));
    s->count = 1;
    for (size_t c = 0; c < prepared->column_count; c++) {
        const shoal_i_spec_column *asked =
            shoal_i_spec_find_column(spec, shoal_table_name(table, c));
        int depth = 0;

        if (prepared->roles[c] == SHOAL_ROLE_QUASI && asked->texts[SHOAL_I_COLUMN_COARSEST]) {
            SHOAL_TRY(shoal_i_coarsest_depth(ctx, &depth, asked, &prepared->readied, c,
                                             prepared->hierarchies[c]));
            SHOAL_TRY(part_by(ctx, s, table, c, prepared->hierarchies[c], depth));
        }
    }
    SHOAL_TRY(list_rows(ctx, s, shoal_table_row_count(table)));
done:
    return st;
}

/* --- Solving one. ------------------------------------------------------------------------- */

/* A stratum as a problem of its own. */
typedef struct stratum {
    shoal_table *table;
    shoal_i_quasi *quasi;
    shoal_i_sensitive *sensitive;
    size_t sensitive_count;
    uint32_t *record_k;
    shoal_i_persons persons;
    shoal_i_tally_source source;
    shoal_i_problem problem;
} stratum;

static void clear_stratum(stratum *t)
{
    shoal_i_tally_source_clear(&t->source);
    for (size_t i = 0; i < t->sensitive_count; i++) {
        shoal_i_sensitive_clear(&t->sensitive[i]);
    }
    free(t->sensitive);
    free(t->record_k);
    shoal_i_persons_clear(&t->persons);
    shoal_i_quasi_free(t->quasi);
    shoal_table_free(t->table);
}

static shoal_status take_rows(shoal_ctx *ctx, stratum *t, const shoal_table *table,
                              const uint32_t *rows, size_t count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_table_part(ctx, &t->table, table, count));
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        for (size_t i = 0; i < count && !shoal_table_is_skipped(table, c); i++) {
            shoal_i_table_part_set(t->table, c, i, shoal_table_code(table, c, rows[i]));
        }
    }
done:
    return st;
}

static shoal_status pose_stratum(shoal_ctx *ctx, stratum *t, const shoal_spec *spec,
                                 const shoal_i_prepared *prepared, const uint32_t *rows,
                                 size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_bound_requirements *requirements = &prepared->requirements;
    const shoal_i_persons *persons = requirements->persons;

    SHOAL_TRY(take_rows(ctx, t, prepared->table, rows, count));
    SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &t->quasi, prepared, spec, t->table));
    SHOAL_ALLOC(ctx, t->sensitive, requirements->sensitive_count);
    for (; t->sensitive_count < requirements->sensitive_count; t->sensitive_count++) {
        SHOAL_TRY(shoal_i_sensitive_init_part(ctx, &t->sensitive[t->sensitive_count],
                                              &requirements->sensitive[t->sensitive_count],
                                              t->table));
    }
    if (prepared->record_k) {
        SHOAL_ALLOC(ctx, t->record_k, count);
        for (size_t i = 0; i < count; i++) {
            t->record_k[i] = prepared->record_k[rows[i]];
        }
    }
    if (persons) {
        SHOAL_TRY(shoal_i_persons_init_rows(ctx, &t->persons, persons, rows, count));
    }
    t->problem = (shoal_i_problem){
        .quasi = t->quasi,
        .row_count = count,
        .requirements = &requirements->set,
        .source = &t->source,
        .seed = ctx->seed,
        .seconds =
            spec->seconds * (double)count / (double)shoal_table_row_count(prepared->table),
    };
    SHOAL_TRY(shoal_i_tally_source_init_persons(ctx, &t->source, &requirements->set,
                                                t->sensitive, t->sensitive_count, t->record_k,
                                                persons ? &t->persons : NULL, count));
done:
    return st;
}

/* --- All of them. ------------------------------------------------------------------------- */

/* The boxes of all strata, one after the other. */
typedef struct joined {
    size_t width; /* intervals of a box */
    shoal_i_interval *boxes;
    size_t count;
    size_t capacity;
    uint32_t *box_of; /* of each record */
} joined;

static shoal_status join(shoal_ctx *ctx, joined *j, const shoal_i_release *release,
                         const uint32_t *rows)
{
    if (j->count + release->box_count > j->capacity) {
        size_t capacity = 2 * j->capacity + release->box_count;
        shoal_i_interval *boxes =
            shoal_i_realloc(ctx, j->boxes, capacity * j->width, sizeof *boxes);

        if (!boxes) {
            return SHOAL_ENOMEM;
        }
        j->boxes = boxes;
        j->capacity = capacity;
    }
    memcpy(j->boxes + j->count * j->width, release->boxes,
           release->box_count * j->width * sizeof *j->boxes);
    for (size_t i = 0; i < release->row_count; i++) {
        j->box_of[rows[i]] = (uint32_t)j->count + release->box_of[i];
    }
    j->count += release->box_count;
    return SHOAL_OK;
}

static shoal_status solve_stratum(shoal_ctx *ctx, joined *j, const shoal_spec *spec,
                                  const shoal_i_prepared *prepared, const uint32_t *rows,
                                  size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_chosen chosen = shoal_i_spec_method(spec);
    stratum t = {0};
    shoal_i_release *release = NULL;

    SHOAL_TRY(pose_stratum(ctx, &t, spec, prepared, rows, count));
    SHOAL_TRY(shoal_i_method_run(ctx, &release, chosen.method, &t.problem, &chosen.settings));
    SHOAL_TRY(join(ctx, j, release, rows));
done:
    shoal_i_release_free(release);
    clear_stratum(&t);
    return st;
}

/* Whether each stratum could be one class: all that could not are counted. */
static shoal_status check_strata(shoal_ctx *ctx, const strata *s, const shoal_spec *spec,
                                 const shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;
    shoal_i_posed posed = {0};
    shoal_i_tally tally = {0};
    size_t failing = 0;
    size_t records = 0;

    SHOAL_TRY(shoal_i_pose(ctx, &posed, spec, prepared->quasi, &prepared->requirements,
                           prepared->record_k, NULL));
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, &posed.source));
    for (size_t i = 0; i < s->count; i++) {
        for (size_t r = s->starts[i]; r < s->starts[i + 1]; r++) {
            shoal_i_tally_add(&tally, s->rows[r]);
        }
        if (!shoal_i_requirement_holds(&prepared->requirements.set, &tally.stats)) {
            failing++;
            records += s->starts[i + 1] - s->starts[i];
        }
        shoal_i_tally_empty(&tally);
    }
    if (failing > 0) {
        shoal_i_fail(
            ctx, SHOAL_EUNSATISFIABLE,
            "At the coarsest levels that are allowed the records fall into %zu groups, "
            "and %zu of them, with %zu records, do not meet the requirements even as "
            "one class; allow a coarser level (`coarsest`), ask for less, or take "
            "these records out.",
            s->count, failing, records);
        st = shoal_i_fail_in(ctx, shoal_table_source(prepared->table), 0, 0);
    }
done:
    shoal_i_tally_clear(&tally);
    shoal_i_posed_clear(&posed);
    return st;
}

shoal_status shoal_i_coarsest_release(shoal_ctx *ctx, shoal_i_release **out,
                                      const shoal_spec *spec, const shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(prepared->table);
    strata s = {0};
    joined j = {.width = prepared->quasi->count};
    shoal_i_relay relay;

    *out = NULL;
    shoal_i_relay_begin(&relay, ctx, NULL);
    SHOAL_TRY(find_strata(&relay.own, &s, spec, prepared));
    SHOAL_TRY(check_strata(&relay.own, &s, spec, prepared));
    SHOAL_ALLOC(&relay.own, j.box_of, rows);
    for (size_t i = 0; i < s.count; i++) {
        size_t count = s.starts[i + 1] - s.starts[i];

        relay.share = (double)count / (double)rows;
        SHOAL_TRY(solve_stratum(&relay.own, &j, spec, prepared, s.rows + s.starts[i], count));
        relay.from += relay.share;
    }
    SHOAL_TRY(shoal_i_release_from_numbered(&relay.own, out, prepared->quasi, j.boxes, j.count,
                                            j.box_of, rows));
done:
    free(j.boxes);
    free(j.box_of);
    clear_strata(&s);
    return shoal_i_ctx_join(ctx, &relay.own, st);
}
