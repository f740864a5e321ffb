#include "specialize_census.h"

#include "../../base/fail.h"

#include <string.h>

/* Counts of values by node: beyond so many, records are tallied one by one. */
#define CELLS_MAX ((size_t)1 << 16)

/* Records of a set are scattered over the table: their codes are called for so many records
 * ahead. */
#define CODES_AHEAD 16

/* --- Scratch. -------------------- */

shoal_status shoal_i_make_room(shoal_ctx *ctx, uint32_t **out, size_t count)
{
    *out = shoal_i_alloc_raw(ctx, count, sizeof **out);
    return *out ? SHOAL_OK : SHOAL_ENOMEM;
}

shoal_status shoal_i_census_init(shoal_ctx *ctx, shoal_i_node_census *census,
                                 const shoal_i_census_scratch *scratch, size_t count,
                                 size_t nodes)
{
    shoal_status st = SHOAL_OK;

    if (scratch->cell_count > 0 && nodes <= CELLS_MAX / scratch->cell_count) {
        SHOAL_ALLOC(ctx, census->cells, nodes * scratch->cell_count);
    }
    SHOAL_TRY(shoal_i_make_room(ctx, &census->node_of, count));
    SHOAL_ALLOC(ctx, census->ids, nodes);
    SHOAL_ALLOC(ctx, census->starts, nodes + 1);
    SHOAL_TRY(shoal_i_make_room(ctx, &census->order, count));
    SHOAL_ALLOC(ctx, census->holds, nodes);
done:
    return st;
}

void shoal_i_census_clear(shoal_i_node_census *census)
{
    free(census->node_of);
    free(census->ids);
    free(census->starts);
    free(census->order);
    free(census->holds);
    free(census->cells);
}

shoal_status shoal_i_census_scratch_init(shoal_ctx *ctx, shoal_i_census_scratch *scratch,
                                         const shoal_i_tally_source *source, size_t id_count)
{
    shoal_status st = SHOAL_OK;

    /* Persons are as many as records, nearly: these are tallied one by one. */
    for (size_t j = 0; !source->persons && j < source->active_count; j++) {
        scratch->cell_count += source->active[j].value_count;
    }
    SHOAL_ALLOC(ctx, scratch->node_of_id, id_count);
    SHOAL_ALLOC(ctx, scratch->view, source->column_count + 2 + source->joined_count);
    SHOAL_ALLOC(ctx, scratch->view_present, scratch->cell_count + 1);
    SHOAL_TRY(shoal_i_tally_init(ctx, &scratch->judged, source));
done:
    return st;
}

void shoal_i_census_scratch_clear(shoal_i_census_scratch *scratch)
{
    free(scratch->node_of_id);
    free(scratch->view);
    free(scratch->view_present);
    shoal_i_tally_clear(&scratch->judged);
}

/* --- Counting. -------------------- */

static uint32_t record_at(shoal_i_roll roll, size_t i)
{
    return roll.list ? roll.list[i] : (uint32_t)i;
}

/* Give the node of an id the next number; returned is that number + 1. */
static uint32_t add_node(shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                         uint32_t id)
{
    size_t node = census->node_count++;

    census->ids[node] = id;
    census->starts[node + 1] = 0;
    if (census->cells) {
        memset(census->cells + node * scratch->cell_count, 0,
               scratch->cell_count * sizeof *census->cells);
    }
    scratch->node_of_id[id] = (uint32_t)node + 1;
    return (uint32_t)node + 1;
}

static inline void number_roll(shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                               const shoal_i_trial_set *set, int depth, shoal_i_roll roll)
{
    const uint32_t *ids = shoal_i_branching_ids(set->branching, depth);
    const uint32_t *codes = set->codes;
    const uint32_t *records = set->records;
    const uint32_t *node_of_id = scratch->node_of_id;
    uint32_t *node_of = census->node_of;
    size_t stride = set->stride;

    for (size_t i = 0; i < roll.count; i++) {
        uint32_t at = record_at(roll, i);
        uint32_t id = ids[codes[records[at] * stride]];
        uint32_t number = node_of_id[id];
        uint32_t ahead = record_at(roll, i + CODES_AHEAD < roll.count ? i + CODES_AHEAD : i);

        __builtin_prefetch(&codes[records[ahead] * stride]);
        number = number > 0 ? number : add_node(scratch, census, id);
        node_of[at] = number - 1;
    }
}

/* Number the nodes of the records at a depth, in order of appearance. Without a list the loop
 * is a tighter one. */
static void number_records(shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                           const shoal_i_trial_set *set, int depth, shoal_i_roll roll)
{
    if (roll.list) {
        number_roll(scratch, census, set, depth, roll);
    } else {
        number_roll(scratch, census, set, depth, (shoal_i_roll){NULL, roll.count});
    }
}

/* Count the records and their values by node. */
static void count_records(const shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                          const shoal_i_trial_set *set, shoal_i_roll roll)
{
    const shoal_i_tally_source *source = set->problem->source;
    const uint32_t *node_of = census->node_of;
    uint32_t *cells = census->cells;

    for (size_t i = 0; i < roll.count; i++) {
        census->starts[node_of[record_at(roll, i)] + 1]++;
    }
    for (size_t j = 0; census->cells && j < source->active_count; j++) {
        const uint32_t *values = set->values + j;

        for (size_t i = 0; i < roll.count; i++) {
            uint32_t at = record_at(roll, i);

            cells[node_of[at] * scratch->cell_count + values[set->records[at] * set->stride]]++;
        }
        cells += source->active[j].value_count;
    }
}

/* Number the nodes at a depth in the order of codes; which record is where stays open. */
static void number_codes(shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                         const shoal_i_trial_set *set, int depth)
{
    const uint32_t *ids = shoal_i_branching_ids(set->branching, depth);

    for (size_t code = set->lo; code <= set->hi; code++) {
        if (set->code_sizes[code] > 0 && scratch->node_of_id[ids[code]] == 0) {
            add_node(scratch, census, ids[code]);
        }
    }
}

/* Add up the counts of codes in those of their nodes. */
static void add_codes(const shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                      const shoal_i_trial_set *set, int depth)
{
    const uint32_t *ids = shoal_i_branching_ids(set->branching, depth);

    for (size_t code = set->lo; code <= set->hi; code++) {
        uint32_t size = set->code_sizes[code];

        if (size > 0) {
            uint32_t number = scratch->node_of_id[ids[code]];

            census->starts[number] += size;
            for (size_t i = 0; i < scratch->cell_count; i++) {
                census->cells[(number - 1) * scratch->cell_count + i] +=
                    set->code_cells[code * scratch->cell_count + i];
            }
        }
    }
}

/* Forget the numbers of ids, and make sizes starts. */
static void close_numbers(shoal_i_census_scratch *scratch, shoal_i_node_census *census)
{
    for (size_t node = 0; node < census->node_count; node++) {
        scratch->node_of_id[census->ids[node]] = 0;
        census->starts[node + 1] += census->starts[node];
    }
}

void shoal_i_census_order(shoal_i_node_census *census, shoal_i_roll roll)
{
    for (size_t i = 0; i < roll.count; i++) {
        uint32_t at = record_at(roll, i);

        census->order[census->starts[census->node_of[at]]++] = at;
    }
    /* Each start has moved to the end of its node, which is the start of the next. */
    for (size_t node = census->node_count; node > 0; node--) {
        census->starts[node] = census->starts[node - 1];
    }
    census->starts[0] = 0;
}

/* Count the values of a node, given its cells, into a tally. */
static void tally_cells(shoal_i_tally *tally, const uint32_t *cells)
{
    const shoal_i_tally_source *source = tally->source;

    for (size_t j = 0; j < source->active_count; j++) {
        for (uint32_t code = 0; code < source->active[j].value_count; code++) {
            if (cells[code] > 0) {
                shoal_i_tally_add_values(tally, j, code, cells[code]);
            }
        }
        cells += source->active[j].value_count;
    }
}

void shoal_i_census_tally(const shoal_i_census_scratch *scratch, shoal_i_tally *tally,
                          const shoal_i_node_census *census, const shoal_i_trial_set *set,
                          size_t node)
{
    size_t first = census->starts[node];
    size_t end = census->starts[node + 1];

    if (shoal_i_census_is_counted(census, set)) {
        shoal_i_tally_add_size(tally, end - first);
        if (census->cells) {
            tally_cells(tally, census->cells + node * scratch->cell_count);
        }
        return;
    }
    for (size_t i = first; i < end; i++) {
        shoal_i_tally_add(tally, set->records[census->order[i]]);
    }
}

/* The statistics of a node as its cells are, without a tally. */
static shoal_i_class_stats view_cells(shoal_i_census_scratch *scratch,
                                      const shoal_i_tally_source *source, const uint32_t *cells,
                                      uint64_t size)
{
    shoal_i_class_stats stats = {.size = size,
                                 .persons = size,
                                 .histograms = scratch->view,
                                 .joined = scratch->view + source->column_count + 2};
    uint32_t *present = scratch->view_present;

    for (size_t j = 0; j < source->active_count; j++) {
        const struct shoal_i_tally_input *active = &source->active[j];
        size_t count = 0;

        for (uint32_t code = 0; code < active->value_count; code++) {
            present[count] = code;
            count += cells[code] > 0;
        }
        scratch->view[active->column] = (shoal_i_histogram){
            .counts = cells, .present = present, .present_count = count, .total = size};
        if (active->column == source->column_count) {
            stats.largest_k = source->ks[present[count - 1]];
        }
        cells += active->value_count;
        present += active->value_count;
    }
    return stats;
}

static bool node_holds(shoal_i_census_scratch *scratch, const shoal_i_node_census *census,
                       const shoal_i_trial_set *set, size_t node)
{
    size_t size = census->starts[node + 1] - census->starts[node];

    if (size < set->smallest_class) {
        return false;
    }
    if (census->cells) {
        shoal_i_class_stats stats = view_cells(
            scratch, set->problem->source, census->cells + node * scratch->cell_count, size);

        return shoal_i_requirement_holds(set->problem->requirements, &stats);
    }
    shoal_i_tally_empty(&scratch->judged);
    shoal_i_census_tally(scratch, &scratch->judged, census, set, node);
    return shoal_i_requirement_holds(set->problem->requirements, &scratch->judged.stats);
}

/* Whether the records themselves can be left alone for a census of them all. */
static bool is_known_by_code(const shoal_i_node_census *census, const shoal_i_trial_set *set,
                             shoal_i_roll roll)
{
    return !roll.list && set->code_sizes && shoal_i_census_is_counted(census, set);
}

void shoal_i_census_take(shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                         const shoal_i_trial_set *set, int depth, shoal_i_roll roll,
                         bool needs_records)
{
    bool by_code = is_known_by_code(census, set, roll);

    census->node_count = 0;
    census->starts[0] = 0;
    if (by_code && !needs_records) {
        number_codes(scratch, census, set, depth);
    } else {
        number_records(scratch, census, set, depth, roll);
    }
    if (by_code) {
        add_codes(scratch, census, set, depth);
    } else {
        count_records(scratch, census, set, roll);
    }
    close_numbers(scratch, census);
    if (!shoal_i_census_is_counted(census, set)) {
        shoal_i_census_order(census, roll);
    }
    for (size_t node = 0; node < census->node_count; node++) {
        census->holds[node] = node_holds(scratch, census, set, node);
    }
}
