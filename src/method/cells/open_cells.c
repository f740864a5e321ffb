#include "open_cells.h"

#include "../../base/fail.h"
#include "../../base/sort.h"

#include <assert.h>

/* Steps that a change may take, per point, before it is given up. */
#define STEPS_PER_POINT 6

/* --- The pool. ---------------------------------------------------------------------------- */

void shoal_i_cell_pool_clear(shoal_i_cell_pool *pool)
{
    free(pool->first);
    free(pool->cells_of);
    *pool = (shoal_i_cell_pool){0};
}

/* The numbers of the cells, cheapest first. */
static shoal_status order_cells(shoal_ctx *ctx, shoal_i_sort_item **out,
                                const shoal_i_cell_pool *pool)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *spare = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, items, pool->cell_count);
    SHOAL_ALLOC(ctx, spare, pool->cell_count);
    for (size_t i = 0; i < pool->cell_count; i++) {
        items[i] =
            (shoal_i_sort_item){.key = (uint64_t)pool->cells[i].loss, .item = (uint32_t)i};
    }
    shoal_i_sort_items(items, spare, pool->cell_count);
    *out = items;
    items = NULL;
done:
    free(items);
    free(spare);
    return st;
}

shoal_status shoal_i_cell_pool_index(shoal_ctx *ctx, shoal_i_cell_pool *pool)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *order = NULL;
    size_t total = 0;

    SHOAL_ALLOC(ctx, pool->first, pool->point_count + 2);
    for (size_t i = 0; i < pool->cell_count; i++) {
        total += pool->cells[i].count;
        for (uint32_t j = 0; j < pool->cells[i].count; j++) {
            pool->first[pool->cells[i].points[j] + 2]++;
        }
    }
    SHOAL_ALLOC(ctx, pool->cells_of, total);
    for (size_t i = 2; i < pool->point_count + 2; i++) {
        pool->first[i] += pool->first[i - 1];
    }
    SHOAL_TRY(order_cells(ctx, &order, pool));
    for (size_t i = 0; i < pool->cell_count; i++) {
        const shoal_i_priced_cell *cell = &pool->cells[order[i].item];

        for (uint32_t j = 0; j < cell->count; j++) {
            pool->cells_of[pool->first[cell->points[j] + 1]++] = order[i].item;
        }
    }
done:
    free(order);
    return st;
}

/* --- What is known of the open cells. ----------------------------------------------------- */

void shoal_i_open_cells_clear(shoal_i_open_cells *c)
{
    free(c->losses);
    free(c->cell_of);
    free(c->second);
    free(c->loads);
    free(c->closing);
    free(c->is_open);
    free(c->open);
    free(c->place);
    free(c->steps);
    free(c->donors);
    free(c->given);
    free(c->given_closing);
    free(c->lenders);
    free(c->held);
    free(c->held_place);
    *c = (shoal_i_open_cells){0};
}

static void list_open(shoal_i_open_cells *c, uint32_t cell)
{
    c->is_open[cell] = 1;
    c->place[cell] = (uint32_t)c->open_count;
    c->open[c->open_count++] = cell;
}

static void unlist_open(shoal_i_open_cells *c, uint32_t cell)
{
    uint32_t last = c->open[--c->open_count];

    c->is_open[cell] = 0;
    c->open[c->place[cell]] = last;
    c->place[last] = c->place[cell];
}

static uint32_t shelter_of(const shoal_i_open_cells *c)
{
    return (uint32_t)c->pool->cell_count;
}

/* Whether a cell is open whatever happens, and may have any number of records. */
static bool is_fixed(const shoal_i_open_cells *c, uint32_t cell)
{
    return cell >= c->pool->closable;
}

/* The first cell around a point, of those ordered by loss, that loses so much. */
static uint32_t find_loss(const shoal_i_open_cells *c, uint32_t point, int32_t loss)
{
    uint32_t first = c->pool->first[point];
    uint32_t end = c->pool->first[point + 1];

    while (first < end) {
        uint32_t middle = first + (end - first) / 2;

        if (c->losses[c->pool->cells_of[middle]] < loss) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

uint32_t shoal_i_open_cells_count_cheaper(const shoal_i_open_cells *c, uint32_t point)
{
    return find_loss(c, point, c->losses[c->cell_of[point]]) - c->pool->first[point];
}

/* The cheapest open cell around a point, besides one, that loses so much at least. */
static uint32_t find_open(shoal_i_open_cells *c, uint32_t point, uint32_t besides, int32_t loss)
{
    const shoal_i_cell_pool *pool = c->pool;
    uint32_t first = find_loss(c, point, loss);

    for (uint32_t i = first; i < pool->first[point + 1]; i++) {
        uint32_t cell = pool->cells_of[i];

        if (c->is_open[cell] && cell != besides) {
            c->work += i - first;
            return cell;
        }
    }
    return shelter_of(c);
}

/* List a point among those kept back, or not, as it is now. */
static void list_held(shoal_i_open_cells *c, uint32_t point)
{
    bool is_held = c->losses[c->second[point]] < c->losses[c->cell_of[point]];
    uint32_t place = c->held_place[point];

    if (is_held && place == 0) {
        c->held[c->held_count++] = point;
        c->held_place[point] = (uint32_t)c->held_count;
    } else if (!is_held && place > 0) {
        uint32_t last = c->held[--c->held_count];

        c->held[place - 1] = last;
        c->held_place[last] = place;
        c->held_place[point] = 0;
    }
}

/* What a point adds to the cost of closing the cell that it is in. */
static int64_t closing_of(const shoal_i_open_cells *c, uint32_t point)
{
    return (int64_t)c->pool->weights[point] *
           (c->losses[c->second[point]] - c->losses[c->cell_of[point]]);
}

static void set_second(shoal_i_open_cells *c, uint32_t point, uint32_t cell)
{
    c->closing[c->cell_of[point]] -= closing_of(c, point);
    c->second[point] = cell;
    c->closing[c->cell_of[point]] += closing_of(c, point);
    list_held(c, point);
}

/* --- Steps. ------------------------------------------------------------------------------- */

static void move_point(shoal_i_open_cells *c, uint32_t point, uint32_t to)
{
    uint32_t from = c->cell_of[point];
    uint32_t weight = c->pool->weights[point];

    c->closing[from] -= closing_of(c, point);
    c->loads[from] -= weight;
    c->loads[to] += weight;
    c->cost += (int64_t)weight * (c->losses[to] - c->losses[from]);
    c->cell_of[point] = to;
    /* Besides the cell it came from, none was cheaper than the second. */
    if (c->second[point] == to) {
        c->second[point] = find_open(c, point, to, c->losses[to]);
    }
    if (c->is_open[from] && c->losses[from] < c->losses[c->second[point]]) {
        c->second[point] = from;
    }
    c->closing[to] += closing_of(c, point);
    list_held(c, point);
}

static void open_empty(shoal_i_open_cells *c, uint32_t number)
{
    const shoal_i_priced_cell *cell = &c->pool->cells[number];

    list_open(c, number);
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];

        if (c->losses[number] < c->losses[c->second[point]]) {
            set_second(c, point, number);
        }
    }
    c->work += cell->count;
}

/* Let points know that a cell, which is no longer listed, cannot be their second. */
static void forget_second(shoal_i_open_cells *c, uint32_t number)
{
    const shoal_i_priced_cell *cell = &c->pool->cells[number];

    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];

        if (c->second[point] == number) {
            set_second(c, point, find_open(c, point, c->cell_of[point], c->losses[number]));
        }
    }
    c->work += cell->count;
}

static void note_step(shoal_i_open_cells *c, uint32_t point, uint32_t cell)
{
    assert(c->step_count < c->step_most);
    c->steps[c->step_count++] = (shoal_i_cell_step){.point = point, .cell = cell};
}

static void move_noted(shoal_i_open_cells *c, uint32_t point, uint32_t to)
{
    note_step(c, point, c->cell_of[point]);
    move_point(c, point, to);
}

/* Whether so many more steps can be noted. */
static bool has_room(const shoal_i_open_cells *c, size_t steps)
{
    return steps < c->step_most - c->step_count;
}

void shoal_i_open_cells_close(shoal_i_open_cells *c, uint32_t number)
{
    const shoal_i_priced_cell *cell = &c->pool->cells[number];

    assert(!is_fixed(c, number));
    unlist_open(c, number);
    for (uint32_t i = 0; i < cell->count; i++) {
        if (c->cell_of[cell->points[i]] == number) {
            move_noted(c, cell->points[i], c->second[cell->points[i]]);
        }
    }
    note_step(c, SHOAL_I_NO_STEP_POINT, number);
    forget_second(c, number);
}

void shoal_i_open_cells_keep(shoal_i_open_cells *c)
{
    c->step_count = 0;
}

void shoal_i_open_cells_undo(shoal_i_open_cells *c)
{
    while (c->step_count > 0) {
        shoal_i_cell_step step = c->steps[--c->step_count];

        if (step.point != SHOAL_I_NO_STEP_POINT) {
            move_point(c, step.point, step.cell);
        } else if (c->is_open[step.cell]) {
            unlist_open(c, step.cell);
            forget_second(c, step.cell);
        } else {
            open_empty(c, step.cell);
        }
    }
}

/* --- The beginning. ----------------------------------------------------------------------- */

static void start_in_shelter(shoal_i_open_cells *c)
{
    uint32_t shelter = shelter_of(c);

    for (uint32_t i = 0; i <= shelter; i++) {
        c->losses[i] = shoal_i_cell_pool_loss(c->pool, i);
    }
    list_open(c, shelter);
    for (size_t i = 0; i < c->pool->point_count; i++) {
        c->cell_of[i] = shelter;
        c->second[i] = shelter;
        c->loads[shelter] += c->pool->weights[i];
    }
    c->cost = (int64_t)c->loads[shelter] * c->losses[shelter];
}

shoal_status shoal_i_open_cells_init(shoal_ctx *ctx, shoal_i_open_cells *c,
                                     const shoal_i_cell_pool *pool)
{
    shoal_status st = SHOAL_OK;
    size_t cells = pool->cell_count + 1;

    *c = (shoal_i_open_cells){.pool = pool, .absorbed = SHOAL_I_NO_CELL};
    c->step_most = STEPS_PER_POINT * pool->point_count + 2 * cells;
    SHOAL_ALLOC(ctx, c->losses, cells);
    SHOAL_ALLOC(ctx, c->cell_of, pool->point_count);
    SHOAL_ALLOC(ctx, c->second, pool->point_count);
    SHOAL_ALLOC(ctx, c->loads, cells);
    SHOAL_ALLOC(ctx, c->closing, cells);
    SHOAL_ALLOC(ctx, c->is_open, cells);
    SHOAL_ALLOC(ctx, c->open, cells);
    SHOAL_ALLOC(ctx, c->place, cells);
    SHOAL_ALLOC(ctx, c->steps, c->step_most);
    SHOAL_ALLOC(ctx, c->donors, cells);
    SHOAL_ALLOC(ctx, c->given, cells);
    SHOAL_ALLOC(ctx, c->given_closing, cells);
    SHOAL_ALLOC(ctx, c->lenders, pool->point_count);
    SHOAL_ALLOC(ctx, c->held, pool->point_count);
    SHOAL_ALLOC(ctx, c->held_place, pool->point_count);
    start_in_shelter(c);
    for (size_t i = pool->closable; i < pool->cell_count; i++) {
        open_empty(c, (uint32_t)i);
    }
done:
    return st;
}

void shoal_i_open_cells_place(shoal_i_open_cells *c, const uint32_t *cell_of)
{
    for (uint32_t i = 0; i < c->pool->point_count; i++) {
        if (!c->is_open[cell_of[i]]) {
            open_empty(c, cell_of[i]);
        }
    }
    for (uint32_t i = 0; i < c->pool->point_count; i++) {
        if (c->cell_of[i] != cell_of[i]) {
            move_point(c, i, cell_of[i]);
        }
    }
}

/* --- Opening a cell. ---------------------------------------------------------------------- */

/* Count from which cells its points would come. */
static void count_donors(shoal_i_open_cells *c, const shoal_i_priced_cell *cell)
{
    c->donor_count = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];
        uint32_t donor = c->cell_of[point];

        if (c->given[donor] == 0) {
            c->donors[c->donor_count++] = donor;
        }
        c->given[donor] += c->pool->weights[point];
        c->given_closing[donor] += closing_of(c, point);
    }
    c->work += cell->count;
}

/* By how much the cost rises if a donor, which is dearer than the cell, gives all it can;
 * *given: its records. */
static int64_t judge_donor(const shoal_i_open_cells *c, uint32_t donor, int32_t loss,
                           uint64_t *given)
{
    int64_t gain = c->losses[donor] - loss;
    uint64_t rest = c->loads[donor] - c->given[donor];
    int64_t rise = -gain * (int64_t)c->given[donor];

    *given = c->given[donor];
    if (is_fixed(c, donor) || rest == 0 || rest >= c->pool->smallest) {
        return rise;
    }
    uint64_t kept = c->pool->smallest - rest;
    int64_t keeping = gain * (int64_t)kept;
    int64_t closing = c->closing[donor] - c->given_closing[donor];

    if (closing <= keeping) {
        return rise + closing;
    }
    *given -= kept;
    return rise + keeping;
}

/* How many records a donor that is no dearer than the cell can lend. */
static uint64_t count_lent(const shoal_i_open_cells *c, uint32_t donor)
{
    uint64_t needed = is_fixed(c, donor) ? 0 : c->pool->smallest;
    uint64_t spare = c->loads[donor] > needed ? c->loads[donor] - needed : 0;

    return spare < c->given[donor] ? spare : c->given[donor];
}

/* By how much the cost rises if so many records are lent, those that pay most now first;
 * INT64_MAX: there are not so many. Donors that are asked give no more. */
static int64_t judge_loan(shoal_i_open_cells *c, int32_t loss, uint64_t missing)
{
    int64_t rise = 0;

    while (missing > 0) {
        uint32_t dearest = SHOAL_I_NO_CELL;

        for (size_t i = 0; i < c->donor_count; i++) {
            uint32_t donor = c->donors[i];

            if (c->losses[donor] <= loss && count_lent(c, donor) > 0 &&
                (dearest == SHOAL_I_NO_CELL || c->losses[donor] > c->losses[dearest])) {
                dearest = donor;
            }
        }
        if (dearest == SHOAL_I_NO_CELL) {
            return INT64_MAX;
        }
        uint64_t lent = count_lent(c, dearest);

        lent = lent < missing ? lent : missing;
        rise += (int64_t)lent * (loss - c->losses[dearest]);
        missing -= lent;
        c->given[dearest] = 0;
    }
    return rise;
}

/* The cell no dearer than a new one, with enough records for both, that it would cost least to
 * close so that those of its points that can join the new one do; SHOAL_I_NO_CELL: none. */
static uint32_t find_absorbed(const shoal_i_open_cells *c, int32_t loss, uint64_t missing,
                              int64_t *rise)
{
    uint32_t found = SHOAL_I_NO_CELL;

    *rise = INT64_MAX;
    for (size_t i = 0; i < c->donor_count; i++) {
        uint32_t donor = c->donors[i];
        int64_t joining = (int64_t)c->given[donor] * (loss - c->losses[donor]);
        int64_t closing = c->closing[donor] - c->given_closing[donor];

        if (c->losses[donor] <= loss && !is_fixed(c, donor) && c->given[donor] >= missing &&
            joining + closing < *rise) {
            *rise = joining + closing;
            found = donor;
        }
    }
    return found;
}

/* By how much the cost rises if a new cell gets so many records besides those of points that
 * gain, from a cell that it absorbs (c->absorbed) or by loans. */
static int64_t judge_missing(shoal_i_open_cells *c, int32_t loss, uint64_t missing)
{
    int64_t absorbing = 0;

    c->absorbed = find_absorbed(c, loss, missing, &absorbing);
    int64_t lending = judge_loan(c, loss, missing);

    if (lending < absorbing) {
        c->absorbed = SHOAL_I_NO_CELL;
        return lending;
    }
    return absorbing;
}

int64_t shoal_i_open_cells_judge(shoal_i_open_cells *c, uint32_t number)
{
    int32_t loss = c->losses[number];
    uint64_t load = 0;
    int64_t rise = 0;

    c->absorbed = SHOAL_I_NO_CELL;
    count_donors(c, &c->pool->cells[number]);
    for (size_t i = 0; i < c->donor_count; i++) {
        if (c->losses[c->donors[i]] > loss) {
            uint64_t given = 0;

            rise += judge_donor(c, c->donors[i], loss, &given);
            load += given;
        }
    }
    if (load == 0) {
        rise = INT64_MAX;
    } else if (load < c->pool->smallest) {
        int64_t more = judge_missing(c, loss, c->pool->smallest - load);

        rise = more == INT64_MAX ? more : rise + more;
    }
    for (size_t i = 0; i < c->donor_count; i++) {
        c->given[c->donors[i]] = 0;
        c->given_closing[c->donors[i]] = 0;
    }
    return rise;
}

/* Let all who pay more than in a new cell go there; the donors are then those that lost
 * some. */
static void take_gainers(shoal_i_open_cells *c, uint32_t number)
{
    const shoal_i_priced_cell *cell = &c->pool->cells[number];

    c->donor_count = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];
        uint32_t donor = c->cell_of[point];

        if (c->losses[donor] > c->losses[number]) {
            if (c->given[donor] == 0) {
                c->donors[c->donor_count++] = donor;
            }
            c->given[donor]++;
            move_noted(c, point, number);
        }
    }
    for (size_t i = 0; i < c->donor_count; i++) {
        c->given[c->donors[i]] = 0;
    }
}

/* Let a donor have points back from the new cell until it has enough. */
static bool give_back(shoal_i_open_cells *c, uint32_t donor, uint32_t number)
{
    const shoal_i_priced_cell *cell = &c->pool->cells[donor];

    for (uint32_t i = 0; i < cell->count && c->loads[donor] < c->pool->smallest; i++) {
        if (c->cell_of[cell->points[i]] == number) {
            move_noted(c, cell->points[i], donor);
        }
    }
    c->work += cell->count;
    return c->loads[donor] >= c->pool->smallest;
}

/* See to a donor that may have too few records now. */
static bool mend_donor(shoal_i_open_cells *c, uint32_t donor, uint32_t number)
{
    uint64_t smallest = c->pool->smallest;

    if (is_fixed(c, donor) || c->loads[donor] >= smallest) {
        return true;
    }
    if (!has_room(c, 2 * (size_t)c->pool->cells[donor].count + 2)) {
        return false;
    }
    int64_t keeping =
        (int64_t)(smallest - c->loads[donor]) * (c->losses[donor] - c->losses[number]);

    if (c->loads[donor] == 0 || c->closing[donor] <= keeping) {
        shoal_i_open_cells_close(c, donor);
        return true;
    }
    return give_back(c, donor, number);
}

/* Whether a cell can do without some of its records. */
static bool can_spare(const shoal_i_open_cells *c, uint32_t cell, uint64_t records)
{
    return is_fixed(c, cell) || c->loads[cell] >= c->pool->smallest + records;
}

/* Let points of cells with records to spare join a cell that has too few, those that pay most
 * first. */
static bool borrow(shoal_i_open_cells *c, uint32_t number)
{
    const shoal_i_priced_cell *cell = &c->pool->cells[number];
    uint64_t smallest = c->pool->smallest;
    size_t count = 0;

    for (uint32_t i = 0; i < cell->count; i++) {
        c->lenders[count] = cell->points[i];
        count += c->cell_of[cell->points[i]] != number;
    }
    while (c->loads[number] < smallest) {
        int32_t most = -1;
        size_t kept = 0;

        for (size_t i = 0; i < count; i++) {
            uint32_t from = c->cell_of[c->lenders[i]];

            if (can_spare(c, from, c->pool->weights[c->lenders[i]])) {
                most = c->losses[from] > most ? c->losses[from] : most;
                c->lenders[kept++] = c->lenders[i];
            }
        }
        count = kept;
        c->work += count;
        if (most < 0 || !has_room(c, count)) {
            return false;
        }
        kept = 0;
        for (size_t i = 0; i < count; i++) {
            uint32_t point = c->lenders[i];
            uint32_t from = c->cell_of[point];

            if (c->loads[number] < smallest && c->losses[from] == most &&
                can_spare(c, from, c->pool->weights[point])) {
                move_noted(c, point, number);
            } else {
                c->lenders[kept++] = point;
            }
        }
        count = kept;
    }
    return true;
}

/* Close a cell so that those of its points that can join the new one do. */
static bool absorb(shoal_i_open_cells *c, uint32_t absorbed, uint32_t number)
{
    const shoal_i_priced_cell *cell = &c->pool->cells[number];

    if (!has_room(c, (size_t)cell->count + c->pool->cells[absorbed].count + 1)) {
        return false;
    }
    for (uint32_t i = 0; i < cell->count; i++) {
        if (c->cell_of[cell->points[i]] == absorbed) {
            move_noted(c, cell->points[i], number);
        }
    }
    shoal_i_open_cells_close(c, absorbed);
    return true;
}

bool shoal_i_open_cells_open(shoal_i_open_cells *c, uint32_t number)
{
    uint32_t absorbed = c->absorbed;

    assert(!c->is_open[number]);
    c->absorbed = SHOAL_I_NO_CELL;
    if (!has_room(c, (size_t)c->pool->cells[number].count + 1)) {
        return false;
    }
    note_step(c, SHOAL_I_NO_STEP_POINT, number);
    open_empty(c, number);
    take_gainers(c, number);
    for (size_t i = 0; i < c->donor_count; i++) {
        if (!mend_donor(c, c->donors[i], number)) {
            return false;
        }
    }
    if (absorbed != SHOAL_I_NO_CELL && c->is_open[absorbed] &&
        c->loads[number] < c->pool->smallest && !absorb(c, absorbed, number)) {
        return false;
    }
    return borrow(c, number);
}

/* --- One point. --------------------------------------------------------------------------- */

/* The point that would take the place of another in its cell at the least cost;
 * SHOAL_I_NO_STEP_POINT: none does for less than the other gains. */
static uint32_t find_substitute(shoal_i_open_cells *c, uint32_t point)
{
    uint32_t from = c->cell_of[point];
    const shoal_i_priced_cell *cell = &c->pool->cells[from];
    uint64_t weight = c->pool->weights[point];
    int64_t least = (int64_t)weight * (c->losses[from] - c->losses[c->second[point]]);
    uint32_t found = SHOAL_I_NO_STEP_POINT;

    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t other = cell->points[i];
        uint32_t source = c->cell_of[other];
        uint64_t records = c->pool->weights[other];
        int64_t rise = (int64_t)records * (c->losses[from] - c->losses[source]);

        if (source != from && rise < least && can_spare(c, source, records) &&
            c->loads[from] + records >= c->pool->smallest + weight) {
            least = rise;
            found = other;
        }
    }
    c->work += cell->count;
    return found;
}

void shoal_i_open_cells_settle(shoal_i_open_cells *c, uint32_t point)
{
    uint32_t from = c->cell_of[point];

    if (c->losses[c->second[point]] >= c->losses[from]) {
        return;
    }
    if (!can_spare(c, from, c->pool->weights[point])) {
        uint32_t other = find_substitute(c, point);

        if (other == SHOAL_I_NO_STEP_POINT) {
            return;
        }
        move_point(c, other, from);
    }
    move_point(c, point, c->second[point]);
}
