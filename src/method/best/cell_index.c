#include "cell_index.h"

#include "../../base/fail.h"

#include <string.h>

/* Of what prices and worths are multiplied by. */
#define UNIT 64

void shoal_i_cell_index_clear(shoal_i_cell_index *cell_index)
{
    free(cell_index->first);
    free(cell_index->cells);
    *cell_index = (shoal_i_cell_index){0};
}

shoal_status shoal_i_cell_index_build(shoal_ctx *ctx, shoal_i_cell_index *cell_index,
                                      const shoal_i_point_neighbours *points,
                                      const shoal_i_prices *prices)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_priced_cells *cells = &prices->cells;
    size_t total = 0;

    *cell_index = (shoal_i_cell_index){
        .points = points,
        .prices = prices,
        .smallest = shoal_i_requirement_smallest_class(points->problem->requirements),
    };
    SHOAL_ALLOC(ctx, cell_index->first, points->count + 2);
    for (size_t i = 0; i < cells->count; i++) {
        total += cells->cells[i].count;
        for (uint32_t j = 0; j < cells->cells[i].count; j++) {
            cell_index->first[cells->cells[i].points[j] + 2]++;
        }
    }
    SHOAL_ALLOC(ctx, cell_index->cells, total);
    for (size_t i = 2; i < points->count + 2; i++) {
        cell_index->first[i] += cell_index->first[i - 1];
    }
    for (size_t i = 0; i < cells->count; i++) {
        for (uint32_t j = 0; j < cells->cells[i].count; j++) {
            cell_index->cells[cell_index->first[cells->cells[i].points[j] + 1]++] = (uint32_t)i;
        }
    }
done:
    return st;
}

/* --- Bargains. ---------------------------------------------------------------------------- */

void shoal_i_cell_greedy_clear(shoal_i_cell_greedy *b)
{
    free(b->points);
    free(b->load);
    free(b->place);
    free(b->touched);
    free(b->members);
    free(b->is_taken);
    free(b->wanted);
    *b = (shoal_i_cell_greedy){0};
}

shoal_status shoal_i_cell_greedy_init(shoal_ctx *ctx, shoal_i_cell_greedy *b,
                                      const shoal_i_cell_index *cell_index)
{
    shoal_status st = SHOAL_OK;
    size_t cells = cell_index->prices->cells.count;

    *b = (shoal_i_cell_greedy){.cell_index = cell_index};
    SHOAL_ALLOC(ctx, b->points, SHOAL_I_GREEDY_POINTS);
    SHOAL_ALLOC(ctx, b->load, cells);
    SHOAL_ALLOC(ctx, b->place, cells);
    SHOAL_ALLOC(ctx, b->touched, cells);
    SHOAL_ALLOC(ctx, b->members, SHOAL_I_GREEDY_MEMBERS);
    SHOAL_ALLOC(ctx, b->is_taken, cell_index->points->count);
    SHOAL_ALLOC(ctx, b->wanted, SHOAL_I_GREEDY_POINTS);
done:
    return st;
}

static int32_t price_of(const shoal_i_cell_greedy *b, uint32_t point)
{
    return b->cell_index->prices->prices[point];
}

static void sort_points(shoal_i_cell_greedy *b, const uint32_t *points)
{
    for (size_t i = 0; i < b->point_count; i++) {
        size_t at = i;

        for (; at > 0 && price_of(b, b->points[at - 1]) < price_of(b, points[i]); at--) {
            b->points[at] = b->points[at - 1];
        }
        b->points[at] = points[i];
    }
}

/* Count how many records of the points each cell has. */
static void count_loads(shoal_i_cell_greedy *b)
{
    const shoal_i_cell_index *m = b->cell_index;

    b->touched_count = 0;
    for (size_t i = 0; i < b->point_count; i++) {
        uint32_t point = b->points[i];

        for (uint32_t j = m->first[point]; j < m->first[point + 1]; j++) {
            uint32_t cell = m->cells[j];

            if (b->load[cell] == 0) {
                b->touched[b->touched_count++] = cell;
            }
            b->load[cell] += m->points->weights[point];
        }
    }
}

/* Let cells with enough records compete, as many as there is room for. */
static void choose_cells(shoal_i_cell_greedy *b)
{
    const shoal_i_cell_index *m = b->cell_index;
    uint32_t room = 0;

    b->cell_count = 0;
    for (size_t i = 0; i < b->touched_count; i++) {
        uint32_t cell = b->touched[i];

        /* No cell has more members among the points than there are records or points. */
        uint32_t most =
            b->load[cell] < b->point_count ? b->load[cell] : (uint32_t)b->point_count;

        if (b->load[cell] >= m->smallest && b->cell_count < SHOAL_I_GREEDY_CELLS &&
            room + most <= SHOAL_I_GREEDY_MEMBERS) {
            b->cells[b->cell_count++] = (shoal_i_rival_cell){
                .worth = INT64_MAX,
                .loss = m->prices->cells.cells[cell].loss,
                .favour =
                    (int32_t)(UNIT - UNIT / 4 + shoal_i_random_below(b->random, UNIT / 2)),
                .first = room,
            };
            b->place[cell] = (uint32_t)b->cell_count;
            room += most;
        }
    }
}

static void list_members(shoal_i_cell_greedy *b)
{
    const shoal_i_cell_index *m = b->cell_index;

    for (size_t i = 0; i < b->point_count; i++) {
        uint32_t point = b->points[i];

        for (uint32_t j = m->first[point]; j < m->first[point + 1]; j++) {
            uint32_t place = b->place[m->cells[j]];

            if (place > 0) {
                shoal_i_rival_cell *cell = &b->cells[place - 1];

                b->members[cell->first + cell->count++] = point;
            }
        }
    }
}

void shoal_i_cell_greedy_begin(shoal_i_cell_greedy *b, shoal_i_random *random,
                               const uint32_t *points, size_t count)
{
    b->random = random;
    b->point_count = count;
    b->share = (int32_t)(UNIT / 2 + shoal_i_random_below(random, UNIT));
    b->least = -(int64_t)(shoal_i_random_below(random, SHOAL_I_PENALTY_ONE / 8) *
                          b->cell_index->smallest);
    sort_points(b, points);
    count_loads(b);
    choose_cells(b);
    list_members(b);
    for (size_t i = 0; i < b->touched_count; i++) {
        b->load[b->touched[i]] = 0;
        b->place[b->touched[i]] = 0;
    }
}

/* What a cell is worth with the points that are left, whom it takes becoming `wanted`. */
static int64_t find_worth(shoal_i_cell_greedy *b, const shoal_i_rival_cell *cell)
{
    uint64_t load = 0;
    int64_t worth = 0;

    b->wanted_count = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = b->members[cell->first + i];
        int64_t gain = (int64_t)price_of(b, point) * b->share / UNIT - cell->loss;

        if (b->is_taken[point]) {
            continue;
        }
        if (gain <= 0 && load >= b->cell_index->smallest) {
            break;
        }
        b->wanted[b->wanted_count++] = point;
        load += b->cell_index->points->weights[point];
        worth += gain * b->cell_index->points->weights[point];
    }
    if (load < b->cell_index->smallest) {
        return INT64_MIN;
    }
    return worth > 0 ? worth / UNIT * cell->favour : worth;
}

bool shoal_i_cell_greedy_next(shoal_i_cell_greedy *b)
{
    int64_t most = b->least;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < b->cell_count; i++) {
        if (b->cells[i].worth > most) {
            b->cells[i].worth = find_worth(b, &b->cells[i]);
            if (b->cells[i].worth > most) {
                most = b->cells[i].worth;
                best = i;
            }
        }
    }
    if (best == SIZE_MAX) {
        return false;
    }
    (void)find_worth(b, &b->cells[best]);
    for (size_t i = 0; i < b->wanted_count; i++) {
        b->is_taken[b->wanted[i]] = 1;
    }
    return true;
}

void shoal_i_cell_greedy_end(shoal_i_cell_greedy *b)
{
    for (size_t i = 0; i < b->point_count; i++) {
        b->is_taken[b->points[i]] = 0;
    }
}
