#include "exact_line.h"

#include "../../base/fail.h"

#include <assert.h>
#include <math.h>

/* Places between two looks at progress. */
#define PROGRESS_STEP 256

/* What is known about the numbers before a place, with an outer group open: the least cost,
 * less the outer group's size times its first number, and the place where it was opened. */
typedef struct open_state {
    double cost;
    uint32_t start;
} open_state;

/* How the best partition of the numbers before a place ends. */
typedef struct ending {
    uint32_t start; /* place of its last run or block */
    uint32_t outer; /* size of the outer group of a block; 0: a run */
} ending;

typedef struct line {
    const double *x;
    size_t count;
    size_t k;
    size_t longest;  /* run: 2k - 1 */
    double *costs;   /* per place: least cost of the numbers before it */
    ending *endings; /* per place */
    size_t period;   /* places of the ring: longest + 1 */
    size_t stride;   /* states of a place */
    open_state *ring;
    uint32_t *group_of;
    size_t group_count;
} line;

double shoal_i_exact_line_work(size_t count, size_t k)
{
    double each = 0;

    if (count < 2 * k) {
        return (double)count;
    }
    for (size_t p = k; p + 2 <= 2 * k; p++) {
        each += (double)(p - 1) * (double)(2 * k - 1 - p);
    }
    return (double)count * (each + (double)k);
}

/* Where the states of outer groups of size p start among those of a place: one for each number
 * of members 1..p-1, and the sizes before it. */
static size_t offset_of(const line *l, size_t p)
{
    return (p - l->k) * (p + l->k - 3) / 2;
}

/* The states of outer groups of size p before a place, by number of members from 1 on. */
static open_state *states_at(const line *l, size_t place, size_t p)
{
    return l->ring + place % l->period * l->stride + offset_of(l, p);
}

/* What the numbers from a place up to another cost as a group. */
static double run_cost(const line *l, size_t from, size_t to)
{
    return (double)(to - from) * (l->x[to - 1] - l->x[from]);
}

/* Let the best partition of the numbers before `place` end with a run. */
static void end_with_run(line *l, size_t place)
{
    size_t most = place < l->longest ? place : l->longest;

    for (size_t size = l->k; size <= most; size++) {
        double cost = l->costs[place - size] + run_cost(l, place - size, place);

        if (cost < l->costs[place]) {
            l->costs[place] = cost;
            l->endings[place] = (ending){.start = (uint32_t)(place - size)};
        }
    }
}

/* Work out the states of outer groups of size p before `place`, except the newly opened. The
 * last number joins the outer group, or ends a run inside it. */
static void step_open(const line *l, size_t place, size_t p)
{
    open_state *now = states_at(l, place, p);
    const open_state *before = states_at(l, place - 1, p);

    for (size_t c = 1; c + 1 < p; c++) {
        now[c] = before[c - 1];
    }
    now[0] = (open_state){.cost = INFINITY};
    for (size_t size = p + 1; size <= l->longest && size < place; size++) {
        const open_state *from = states_at(l, place - size, p);
        double cost = run_cost(l, place - size, place);

        for (size_t c = 0; c + 1 < p; c++) {
            if (from[c].cost + cost < now[c].cost) {
                now[c].cost = from[c].cost + cost;
                now[c].start = from[c].start;
            }
        }
    }
}

/* Let the last number before `place` complete an outer group, of any size. */
static void end_with_block(line *l, size_t place)
{
    for (size_t p = l->k; p < l->longest; p++) {
        const open_state *before = states_at(l, place - 1, p);
        double cost = before[p - 2].cost + (double)p * l->x[place - 1];

        if (cost < l->costs[place]) {
            l->costs[place] = cost;
            l->endings[place] = (ending){.start = before[p - 2].start, .outer = (uint32_t)p};
        }
    }
}

/* Open outer groups with the number at `place - 1`. */
static void open_blocks(line *l, size_t place)
{
    for (size_t p = l->k; p < l->longest; p++) {
        open_state *now = states_at(l, place, p);
        double cost = l->costs[place - 1] - (double)p * l->x[place - 1];

        if (cost < now[0].cost) {
            now[0] = (open_state){.cost = cost, .start = (uint32_t)(place - 1)};
        }
    }
}

static shoal_status fill_costs(shoal_ctx *ctx, line *l, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < l->period * l->stride; i++) {
        l->ring[i].cost = INFINITY;
    }
    for (size_t place = 1; place <= l->count; place++) {
        l->costs[place] = INFINITY;
        end_with_run(l, place);
        if (l->k > 1) {
            end_with_block(l, place);
            for (size_t p = l->k; p < l->longest; p++) {
                step_open(l, place, p);
            }
            open_blocks(l, place);
        }
        if (place % PROGRESS_STEP == 0) {
            SHOAL_TRY(shoal_i_meter_add(ctx, meter, PROGRESS_STEP));
        }
    }
done:
    return st;
}

/* --- From the endings back to the groups. ------------------------------------------------- */

static void name_run(line *l, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        l->group_of[i] = (uint32_t)l->group_count;
    }
    l->group_count++;
}

/* The best block of the places from..to-1 with an outer group of size p is worked out again,
 * this time with how each state came about: steps[place * p + members] is the size of the run
 * that ends before the place, 0 when its last number is of the outer group. */
static void retrace_steps(const line *l, size_t from, size_t to, size_t p, double *costs,
                          uint16_t *steps)
{
    for (size_t i = 0; i < (to - from) * p; i++) {
        costs[i] = INFINITY;
    }
    costs[p + 1] = 0; /* after the first number, which is of the outer group */
    for (size_t place = 2; place < to - from; place++) {
        for (size_t c = 1; c < p; c++) {
            double *cost = &costs[place * p + c];

            *cost = c > 1 ? costs[(place - 1) * p + c - 1] : INFINITY;
            for (size_t size = p + 1; size <= l->longest && size < place; size++) {
                double with = costs[(place - size) * p + c] +
                              run_cost(l, from + place - size, from + place);

                if (with < *cost) {
                    *cost = with;
                    steps[place * p + c] = (uint16_t)size;
                }
            }
        }
    }
}

static shoal_status name_block(shoal_ctx *ctx, line *l, size_t from, size_t to, size_t p)
{
    shoal_status st = SHOAL_OK;
    uint32_t outer = (uint32_t)l->group_count++;
    double *costs = NULL;
    uint16_t *steps = NULL;
    size_t place = to - from - 1;
    size_t members = p - 1;

    SHOAL_ALLOC(ctx, costs, (to - from) * p);
    SHOAL_ALLOC(ctx, steps, (to - from) * p);
    retrace_steps(l, from, to, p, costs, steps);
    l->group_of[to - 1] = outer;
    while (place > 0) {
        size_t size = steps[place * p + members];

        if (size > 0) {
            name_run(l, from + place - size, from + place);
            place -= size;
        } else {
            l->group_of[from + place - 1] = outer;
            place--;
            members--;
        }
    }
    assert(members == 0);
done:
    free(costs);
    free(steps);
    return st;
}

static shoal_status name_groups(shoal_ctx *ctx, line *l)
{
    shoal_status st = SHOAL_OK;

    for (size_t place = l->count; place > 0;) {
        ending e = l->endings[place];

        if (e.outer == 0) {
            name_run(l, e.start, place);
        } else {
            SHOAL_TRY(name_block(ctx, l, e.start, place, e.outer));
        }
        place = e.start;
    }
done:
    return st;
}

shoal_status shoal_i_exact_line(shoal_ctx *ctx, uint32_t *group_of, size_t *group_count,
                                const double *x, size_t count, size_t k)
{
    shoal_status st = SHOAL_OK;
    shoal_i_meter meter = {.stage = "anonymize", .total = count};
    line l = {.x = x, .count = count, .k = k, .longest = 2 * k - 1, .group_of = group_of};

    assert(k > 0 && k <= count);
    if (2 * k > count) {
        name_run(&l, 0, count);
        *group_count = 1;
        return SHOAL_OK;
    }
    assert(k <= SHOAL_I_EXACT_LINE_K_MAX);
    l.period = l.longest + 1;
    l.stride = offset_of(&l, l.longest);
    SHOAL_ALLOC(ctx, l.costs, count + 1);
    SHOAL_ALLOC(ctx, l.endings, count + 1);
    SHOAL_ALLOC(ctx, l.ring, l.period * l.stride + 1);
    SHOAL_TRY(fill_costs(ctx, &l, &meter));
    SHOAL_TRY(name_groups(ctx, &l));
    *group_count = l.group_count;
done:
    free(l.costs);
    free(l.endings);
    free(l.ring);
    return st;
}
