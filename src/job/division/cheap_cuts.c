/* Where to cut for methods other than mondrian.
 *
 * A cut costs whatever classes would have reached over it. Which columns classes reach along
 * differs widely: in one of census records hardly any class joins men and women, while most
 * join neighbouring ages. So a sample of the records is put into classes by a fast method, and
 * of all cuts that leave at least a quarter of the records on both sides the one is taken that
 * divides the fewest records' classes for what it wins. Halves win most, for fewer further cuts
 * are needed: what is won counts as the product of the two shares.
 *
 *     class        [20 ... 24]   [25 .. 26] [27 ........ 35]
 *     cut before        23        25             30             divides 5, none, 9 records
 */

#include "division.h"

#include "../../base/sort.h"
#include "../../table/table_part.h"

#define LEAST_SHARE 4 /* one in so many records on each side */

/* The sample as a table, and whose its records are where persons are counted. */
typedef struct loaded {
    shoal_table *table;
    uint32_t *of; /* NULL: not counted */
    size_t name_count;
} loaded;

static void clear_loaded(loaded *l)
{
    shoal_table_free(l->table);
    free(l->of);
}

/* Whose record i of a sample is; 0: one of its own. */
static uint64_t find_person(const shoal_division *d, const shoal_i_draw *sample, size_t i)
{
    const uint32_t *words = sample->codes + i * sample->width + d->sampled_count;

    return (uint64_t)words[0] << 32 | words[1];
}

/* Number the persons of the rows, row after row of which is of record_of[row]. */
static shoal_status name_rows(shoal_ctx *ctx, loaded *l, const shoal_division *d,
                              const shoal_i_draw *sample, const uint32_t *record_of)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(l->table);
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, items, rows);
    SHOAL_ALLOC(ctx, scratch, rows);
    SHOAL_ALLOC(ctx, l->of, rows);
    for (uint32_t row = 0; row < rows; row++) {
        items[row] = (shoal_i_sort_item){find_person(d, sample, record_of[row]), row};
    }
    shoal_i_sort_items(items, scratch, rows);
    for (size_t i = 0; i < rows; i++) {
        l->name_count += i == 0 || items[i].key != items[i - 1].key || items[i].key == 0;
        l->of[items[i].item] = (uint32_t)l->name_count - 1;
    }
done:
    free(items);
    free(scratch);
    return st;
}

/* Its first records, as many as are wanted. */
static shoal_status load_sample(shoal_ctx *ctx, loaded *out, const shoal_division *d,
                                const shoal_i_draw *sample)
{
    shoal_status st = SHOAL_OK;
    uint32_t *record_of = NULL;
    uint64_t records = 0;
    size_t row = 0;

    for (size_t i = 0; i < sample->count; i++) {
        records += sample->times[i];
    }
    records = records < sample->most ? records : sample->most;
    SHOAL_TRY(shoal_i_table_part(ctx, &out->table, d->prepared.table, (size_t)records));
    SHOAL_ALLOC(ctx, record_of, (size_t)records);
    for (uint32_t i = 0; row < records; i++) {
        for (uint32_t n = 0; n < sample->times[i] && row < records; n++, row++) {
            for (size_t s = 0; s < d->sampled_count; s++) {
                shoal_i_table_part_set(out->table, d->sampled[s], row,
                                       sample->codes[i * sample->width + s]);
            }
            record_of[row] = i;
        }
    }
    if (d->counts_persons) {
        SHOAL_TRY(name_rows(ctx, out, d, sample, record_of));
    }
done:
    free(record_of);
    return st;
}

static shoal_status run_topdown(shoal_ctx *ctx, shoal_i_release **out, const shoal_division *d,
                                const shoal_i_quasi *quasi,
                                const shoal_i_requirement_set *requirements,
                                const shoal_i_tally_source *source)
{
    shoal_i_method_settings settings = shoal_i_method_defaults(&shoal_i_topdown);
    shoal_i_problem problem = {.quasi = quasi,
                               .row_count = shoal_table_row_count(quasi->table),
                               .requirements = requirements,
                               .source = source,
                               .seed = d->seed};
    shoal_ctx own;

    shoal_i_ctx_child(&own, ctx);
    own.progress = NULL; /* it is not the stage that would be shown */
    return shoal_i_ctx_join(
        ctx, &own, shoal_i_method_run(&own, out, &shoal_i_topdown, &problem, &settings));
}

/* Classes of as many records as are needed at least, whatever their values. */
static shoal_status put_into_classes_by_size(shoal_ctx *ctx, shoal_i_release **out,
                                             const shoal_division *d,
                                             const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    uint64_t least = shoal_i_requirement_smallest_class(&d->prepared.requirements.set);
    shoal_i_requirement_set sizes = {0};
    shoal_i_tally_source source = {0};

    SHOAL_TRY(shoal_i_requirement_add(ctx, &sizes, &shoal_i_k_anonymity, (double)least));
    SHOAL_TRY(shoal_i_tally_source_init(ctx, &source, &sizes, NULL, 0, NULL,
                                        shoal_table_row_count(quasi->table)));
    SHOAL_TRY(run_topdown(ctx, out, d, quasi, &sizes, &source));
done:
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&sizes);
    return st;
}

static shoal_status put_into_classes(shoal_ctx *ctx, shoal_i_release **out,
                                     const shoal_division *d, const shoal_i_quasi *quasi,
                                     const loaded *sample)
{
    shoal_status st = SHOAL_OK;
    shoal_i_part_source source = {0};
    shoal_i_names names = {sample->of, sample->name_count};

    SHOAL_TRY(shoal_i_part_source_init(ctx, &source, d, quasi->table, &names));
    st = run_topdown(ctx, out, d, quasi, &d->prepared.requirements.set, &source.source);
    if (st == SHOAL_EUNSATISFIABLE) {
        /* All records meet the requirement, but not this sample of them. */
        st = put_into_classes_by_size(ctx, out, d, quasi);
    }
done:
    shoal_i_part_source_clear(&source);
    return st;
}

/* divided[code]: records of the sample whose class reaches over a cut of column c before the
 * code. */
static shoal_status count_divided(shoal_ctx *ctx, uint64_t **divided,
                                  const shoal_i_release *release, size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = release->quasi;
    uint32_t values = quasi->columns[c].value_count;
    shoal_i_interval *extents = NULL;

    SHOAL_ALLOC(ctx, extents, release->box_count);
    SHOAL_ALLOC(ctx, *divided, (size_t)values + 1);
    for (size_t b = 0; b < release->box_count; b++) {
        extents[b] = (shoal_i_interval){.lo = UINT32_MAX, .hi = 0};
    }
    for (size_t row = 0; row < release->row_count; row++) {
        shoal_i_interval *extent = &extents[release->box_of[row]];
        uint32_t code = shoal_i_quasi_code(quasi, c, row);

        extent->lo = code < extent->lo ? code : extent->lo;
        extent->hi = code > extent->hi ? code : extent->hi;
    }
    /* Where a class begins and ends to be divided, then the sums of that. */
    for (size_t b = 0; b < release->box_count; b++) {
        (*divided)[extents[b].lo + 1] += release->box_sizes[b];
        (*divided)[extents[b].hi + 1] -= release->box_sizes[b];
    }
    for (uint32_t code = 1; code <= values; code++) {
        (*divided)[code] += (*divided)[code - 1];
    }
done:
    free(extents);
    return st;
}

/* A cut, and how good it is. */
typedef struct candidate {
    shoal_i_top_cut cut;
    double price;      /* records of divided classes over what is won */
    uint64_t distance; /* from the middle */
} candidate;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;

    if (x->price != y->price) {
        return x->price < y->price ? -1 : 1;
    }
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    if (x->cut.column != y->cut.column) {
        return x->cut.column < y->cut.column ? -1 : 1;
    }
    return x->cut.code < y->cut.code ? -1 : 1;
}

/* The cuts of a column that leave enough records on both sides; how many they are. */
static size_t list_column(candidate *out, const uint64_t *counts, const uint64_t *divided,
                          size_t c, uint32_t values, uint64_t total, uint64_t least)
{
    size_t count = 0;
    uint64_t ahead = 0;

    for (uint32_t code = 0; code < values; ahead += counts[code++]) {
        if (counts[code] > 0 && ahead >= least && total - ahead >= least) {
            shoal_i_top_cut cut = {.column = c, .code = code, .front = ahead};
            double won = (double)ahead * (double)(total - ahead);

            out[count++] = (candidate){.cut = cut,
                                       .price = (double)divided[code] / won,
                                       .distance = shoal_i_top_cut_distance(&cut, total)};
        }
    }
    return count;
}

/* All cuts, best first. */
static shoal_status list_cuts(shoal_ctx *ctx, shoal_i_top_cut **cuts, size_t *count,
                              const shoal_i_release *release, uint64_t *const *counts,
                              uint64_t total, uint64_t least)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = release->quasi;
    candidate *candidates = NULL;
    uint64_t *divided = NULL;
    size_t values = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        values += quasi->columns[c].value_count;
    }
    SHOAL_ALLOC(ctx, candidates, values);
    for (size_t c = 0; c < quasi->count; c++) {
        SHOAL_TRY(count_divided(ctx, &divided, release, c));
        *count += list_column(candidates + *count, counts[c], divided, c,
                              quasi->columns[c].value_count, total, least);
        free(divided);
        divided = NULL;
    }
    qsort(candidates, *count, sizeof *candidates, compare_candidates);
    SHOAL_ALLOC(ctx, *cuts, *count);
    for (size_t i = 0; i < *count; i++) {
        (*cuts)[i] = candidates[i].cut;
    }
done:
    free(divided);
    free(candidates);
    return st;
}

shoal_status shoal_i_list_cheap_cuts(shoal_ctx *ctx, shoal_i_top_cut **cuts, size_t *count,
                                     const shoal_division *division, shoal_i_draw *sample,
                                     uint64_t *const *counts, uint64_t total)
{
    shoal_status st = SHOAL_OK;
    uint64_t smallest =
        shoal_i_requirement_smallest_class(&division->prepared.requirements.set);
    uint64_t quarter = total / LEAST_SHARE;
    loaded l = {0};
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;

    *cuts = NULL;
    *count = 0;
    SHOAL_TRY(shoal_i_draw_settle(ctx, sample));
    SHOAL_TRY(load_sample(ctx, &l, division, sample));
    if (shoal_table_row_count(l.table) < smallest || shoal_table_row_count(l.table) == 0) {
        goto done;
    }
    SHOAL_TRY(
        shoal_i_prepare_quasi_of(ctx, &quasi, &division->prepared, division->spec, l.table));
    SHOAL_TRY(put_into_classes(ctx, &release, division, quasi, &l));
    SHOAL_TRY(list_cuts(ctx, cuts, count, release, counts, total,
                        quarter > smallest ? quarter : smallest));
done:
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    clear_loaded(&l);
    return st;
}
