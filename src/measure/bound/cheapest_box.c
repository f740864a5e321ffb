#include "cheapest_box.h"

#include "../../base/fail.h"

typedef struct search {
    shoal_i_reaches *r;
    uint64_t need;
    size_t steps;   /* left */
    int64_t best;   /* of the boxes found */
    int64_t unseen; /* no box in what was left out costs less */
} search;

/* A choice that is half made: how far to reach is settled in the directions before `place`. */
typedef struct half_box {
    size_t place;
    int64_t spent;    /* by what is settled */
    uint32_t *active; /* records that can still be in the box */
    size_t count;
} half_box;

shoal_status shoal_i_reaches_init(shoal_ctx *ctx, shoal_i_reaches *reaches, size_t capacity,
                                  size_t directions)
{
    shoal_status st = SHOAL_OK;

    *reaches = (shoal_i_reaches){.capacity = capacity, .directions = directions};
    SHOAL_ALLOC(ctx, reaches->reach, capacity * directions);
    SHOAL_ALLOC(ctx, reaches->weights, capacity);
    SHOAL_ALLOC(ctx, reaches->order, directions);
    SHOAL_ALLOC(ctx, reaches->rests, capacity * (directions + 1));
    SHOAL_ALLOC(ctx, reaches->active, capacity * (directions + 1));
    SHOAL_ALLOC(ctx, reaches->values, capacity * directions);
done:
    return st;
}

void shoal_i_reaches_clear(shoal_i_reaches *reaches)
{
    free(reaches->reach);
    free(reaches->weights);
    free(reaches->order);
    free(reaches->rests);
    free(reaches->active);
    free(reaches->values);
    *reaches = (shoal_i_reaches){0};
}

static int32_t reach_of(const shoal_i_reaches *r, uint32_t record, size_t place)
{
    return r->reach[record * r->directions + r->order[place]];
}

static int64_t rest_of(const shoal_i_reaches *r, uint32_t record, size_t place)
{
    return r->rests[record * (r->directions + 1) + place];
}

/* Directions in which records differ most come first: they decide most. */
static void order_directions(shoal_i_reaches *r)
{
    for (size_t d = 0; d < r->directions; d++) {
        int32_t most = 0;
        size_t at = d;

        for (size_t i = 0; i < r->count; i++) {
            int32_t reach = r->reach[i * r->directions + d];

            most = reach > most ? reach : most;
        }
        for (; at > 0 && r->values[at - 1] < most; at--) {
            r->values[at] = r->values[at - 1];
            r->order[at] = r->order[at - 1];
        }
        r->values[at] = most;
        r->order[at] = d;
    }
}

static void sum_rests(shoal_i_reaches *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        int64_t *rests = r->rests + i * (r->directions + 1);

        rests[r->directions] = 0;
        for (size_t place = r->directions; place-- > 0;) {
            rests[place] = rests[place + 1] + reach_of(r, i, place);
        }
    }
}

/* The different reaches of the active records in the next direction, ascending; returns how
 * many. */
static size_t list_values(const shoal_i_reaches *r, const half_box *box, int32_t *values)
{
    size_t listed = 0;

    for (size_t i = 0; i < box->count; i++) {
        int32_t value = reach_of(r, box->active[i], box->place);
        size_t at = listed;

        while (at > 0 && values[at - 1] > value) {
            at--;
        }
        if (at > 0 && values[at - 1] == value) {
            continue;
        }
        for (size_t j = listed++; j > at; j--) {
            values[j] = values[j - 1];
        }
        values[at] = value;
    }
    return listed;
}

/* No box of the active records costs less than this: the `need` of them that reach least. */
static int64_t bound_active(const search *s, const half_box *box)
{
    int64_t bound = s->best;

    for (size_t i = 0; i < box->count; i++) {
        int64_t rest = rest_of(s->r, box->active[i], box->place);
        int64_t own = box->spent + rest;
        uint64_t weight = 0;

        for (size_t j = 0; j < box->count; j++) {
            uint32_t other = box->active[j];

            weight += rest_of(s->r, other, box->place) <= rest ? s->r->weights[other] : 0;
        }
        bound = weight >= s->need && own < bound ? own : bound;
    }
    return bound;
}

/* Reach as far as `value` in the next direction: those stay active who reach no further and can
 * be in a box cheaper than the best. Their weight. */
static uint64_t settle(const search *s, half_box *next, const half_box *box, int32_t value)
{
    uint64_t weight = 0;

    *next = (half_box){.place = box->place + 1,
                       .spent = box->spent + value,
                       .active = s->r->active + (box->place + 1) * s->r->capacity};
    for (size_t i = 0; i < box->count; i++) {
        uint32_t record = box->active[i];

        if (reach_of(s->r, record, box->place) <= value &&
            next->spent + rest_of(s->r, record, next->place) < s->best) {
            next->active[next->count++] = record;
            weight += s->r->weights[record];
        }
    }
    return weight;
}

static bool is_enough(const search *s, const half_box *box)
{
    return !s->r->is_enough || s->r->is_enough(s->r->payload, box->active, box->count);
}

/* Choose how far to reach in the next direction; as deep as there are directions. */
static void choose(search *s, const half_box *box)
{
    if (box->place == s->r->directions) {
        s->best = box->spent < s->best ? box->spent : s->best;
        return;
    }
    if (s->steps == 0) {
        int64_t bound = bound_active(s, box);

        s->unseen = bound < s->unseen ? bound : s->unseen;
        return;
    }
    s->steps--;
    int32_t *values = s->r->values + box->place * s->r->capacity;
    size_t value_count = list_values(s->r, box, values);

    for (size_t v = 0; v < value_count && box->spent + values[v] < s->best; v++) {
        half_box next;

        if (settle(s, &next, box, values[v]) >= s->need && is_enough(s, &next)) {
            choose(s, &next);
        }
    }
}

int64_t shoal_i_cheapest_box(shoal_i_reaches *reaches, uint64_t need, int64_t most,
                             size_t steps)
{
    search s = {.r = reaches, .need = need, .steps = steps, .best = most, .unseen = most};

    order_directions(reaches);
    sum_rests(reaches);
    half_box all = {.active = reaches->active};
    uint64_t weight = 0;

    for (uint32_t i = 0; i < reaches->count; i++) {
        if (rest_of(reaches, i, 0) < most) {
            all.active[all.count++] = i;
            weight += reaches->weights[i];
        }
    }
    if (weight >= need && is_enough(&s, &all)) {
        choose(&s, &all);
    }
    return s.best < s.unseen ? s.best : s.unseen;
}
