#include "cheapest_box.h"

#include "../../base/fail.h"

typedef struct search {
    shoal_i_reaches *r;
    uint64_t need;
    size_t steps;   /* left */
    int64_t best;   /* of the boxes found */
    int64_t unseen; /* no box in what was left out costs less */
} search;

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

/* The different reaches of the active records in a direction, ascending; returns how many. */
static size_t list_values(const shoal_i_reaches *r, size_t place, const uint32_t *active,
                          size_t count, int32_t *values)
{
    size_t listed = 0;

    for (size_t i = 0; i < count; i++) {
        int32_t value = reach_of(r, active[i], place);
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
static int64_t bound_active(const search *s, size_t place, const uint32_t *active, size_t count,
                            int64_t spent)
{
    int64_t bound = s->best;

    for (size_t i = 0; i < count; i++) {
        int64_t own = spent + rest_of(s->r, active[i], place);
        uint64_t weight = 0;

        for (size_t j = 0; j < count; j++) {
            weight +=
                spent + rest_of(s->r, active[j], place) <= own ? s->r->weights[active[j]] : 0;
        }
        bound = weight >= s->need && own < bound ? own : bound;
    }
    return bound;
}

/* Keep those who reach at most `value` and can be in a box cheaper than the best; their
 * weight. */
static uint64_t keep_active(const search *s, size_t place, int32_t value, int64_t spent,
                            const uint32_t *active, size_t count, uint32_t *kept,
                            size_t *kept_count)
{
    uint64_t weight = 0;

    *kept_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t record = active[i];

        if (reach_of(s->r, record, place) <= value &&
            spent + value + rest_of(s->r, record, place + 1) < s->best) {
            kept[(*kept_count)++] = record;
            weight += s->r->weights[record];
        }
    }
    return weight;
}

/* Choose how far to reach in the direction at `place`; as deep as there are directions. */
static void choose(search *s, size_t place, const uint32_t *active, size_t count, int64_t spent)
{
    shoal_i_reaches *r = s->r;

    if (place == r->directions) {
        s->best = spent < s->best ? spent : s->best;
        return;
    }
    if (s->steps == 0) {
        int64_t bound = bound_active(s, place, active, count, spent);

        s->unseen = bound < s->unseen ? bound : s->unseen;
        return;
    }
    s->steps--;
    uint32_t *kept = r->active + (place + 1) * r->capacity;
    int32_t *values = r->values + place * r->capacity;
    size_t value_count = list_values(r, place, active, count, values);

    for (size_t v = 0; v < value_count && spent + values[v] < s->best; v++) {
        size_t kept_count = 0;

        if (keep_active(s, place, values[v], spent, active, count, kept, &kept_count) >=
            s->need) {
            choose(s, place + 1, kept, kept_count, spent + values[v]);
        }
    }
}

int64_t shoal_i_cheapest_box(shoal_i_reaches *reaches, uint64_t need, int64_t most,
                             size_t steps)
{
    search s = {.r = reaches, .need = need, .steps = steps, .best = most, .unseen = most};

    order_directions(reaches);
    sum_rests(reaches);
    size_t count = 0;
    uint64_t weight = 0;

    for (uint32_t i = 0; i < reaches->count; i++) {
        if (rest_of(reaches, i, 0) < most) {
            reaches->active[count++] = i;
            weight += reaches->weights[i];
        }
    }
    if (weight >= need) {
        choose(&s, 0, reaches->active, count, 0);
    }
    return s.best < s.unseen ? s.best : s.unseen;
}
