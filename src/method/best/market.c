#include "market.h"

#include "../../base/fail.h"

#include <string.h>

/* Of what prices and worths are multiplied by. */
#define UNIT 64

void shoal_i_market_clear(shoal_i_market *market)
{
    free(market->first);
    free(market->lots);
    *market = (shoal_i_market){0};
}

shoal_status shoal_i_market_build(shoal_ctx *ctx, shoal_i_market *market,
                                  const shoal_i_site *site, const shoal_i_prices *prices)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_lots *lots = &prices->lots;
    size_t total = 0;

    *market = (shoal_i_market){
        .site = site,
        .prices = prices,
        .smallest = shoal_i_requirement_smallest_class(site->problem->requirements),
    };
    SHOAL_ALLOC(ctx, market->first, site->count + 2);
    for (size_t i = 0; i < lots->count; i++) {
        total += lots->lots[i].count;
        for (uint32_t j = 0; j < lots->lots[i].count; j++) {
            market->first[lots->lots[i].points[j] + 2]++;
        }
    }
    SHOAL_ALLOC(ctx, market->lots, total);
    for (size_t i = 2; i < site->count + 2; i++) {
        market->first[i] += market->first[i - 1];
    }
    for (size_t i = 0; i < lots->count; i++) {
        for (uint32_t j = 0; j < lots->lots[i].count; j++) {
            market->lots[market->first[lots->lots[i].points[j] + 1]++] = (uint32_t)i;
        }
    }
done:
    return st;
}

/* --- Bargains. -------------------------------------------------------------------------------------- */

void shoal_i_bargain_clear(shoal_i_bargain *b)
{
    free(b->points);
    free(b->load);
    free(b->place);
    free(b->touched);
    free(b->members);
    free(b->is_taken);
    free(b->wanted);
    *b = (shoal_i_bargain){0};
}

shoal_status shoal_i_bargain_init(shoal_ctx *ctx, shoal_i_bargain *b,
                                  const shoal_i_market *market)
{
    shoal_status st = SHOAL_OK;
    size_t lots = market->prices->lots.count;

    *b = (shoal_i_bargain){.market = market};
    SHOAL_ALLOC(ctx, b->points, SHOAL_I_BARGAIN_POINTS);
    SHOAL_ALLOC(ctx, b->load, lots);
    SHOAL_ALLOC(ctx, b->place, lots);
    SHOAL_ALLOC(ctx, b->touched, lots);
    SHOAL_ALLOC(ctx, b->members, SHOAL_I_BARGAIN_MEMBERS);
    SHOAL_ALLOC(ctx, b->is_taken, market->site->count);
    SHOAL_ALLOC(ctx, b->wanted, SHOAL_I_BARGAIN_POINTS);
done:
    return st;
}

static int32_t price_of(const shoal_i_bargain *b, uint32_t point)
{
    return b->market->prices->prices[point];
}

static void sort_points(shoal_i_bargain *b, const uint32_t *points)
{
    for (size_t i = 0; i < b->point_count; i++) {
        size_t at = i;

        for (; at > 0 && price_of(b, b->points[at - 1]) < price_of(b, points[i]); at--) {
            b->points[at] = b->points[at - 1];
        }
        b->points[at] = points[i];
    }
}

/* Count how many records of the points each lot has. */
static void count_loads(shoal_i_bargain *b)
{
    const shoal_i_market *m = b->market;

    b->touched_count = 0;
    for (size_t i = 0; i < b->point_count; i++) {
        uint32_t point = b->points[i];

        for (uint32_t j = m->first[point]; j < m->first[point + 1]; j++) {
            uint32_t lot = m->lots[j];

            if (b->load[lot] == 0) {
                b->touched[b->touched_count++] = lot;
            }
            b->load[lot] += m->site->weights[point];
        }
    }
}

/* Let lots with enough records compete, as many as there is room for. */
static void choose_lots(shoal_i_bargain *b)
{
    const shoal_i_market *m = b->market;
    uint32_t room = 0;

    b->lot_count = 0;
    for (size_t i = 0; i < b->touched_count; i++) {
        uint32_t lot = b->touched[i];

        /* No lot has more members among the points than there are records or points. */
        uint32_t most = b->load[lot] < b->point_count ? b->load[lot] : (uint32_t)b->point_count;

        if (b->load[lot] >= m->smallest && b->lot_count < SHOAL_I_BARGAIN_LOTS &&
            room + most <= SHOAL_I_BARGAIN_MEMBERS) {
            b->lots[b->lot_count++] = (shoal_i_rival_lot){
                .worth = INT64_MAX,
                .loss = m->prices->lots.lots[lot].loss,
                .favour =
                    (int32_t)(UNIT - UNIT / 4 + shoal_i_random_below(b->random, UNIT / 2)),
                .first = room,
            };
            b->place[lot] = (uint32_t)b->lot_count;
            room += most;
        }
    }
}

static void list_members(shoal_i_bargain *b)
{
    const shoal_i_market *m = b->market;

    for (size_t i = 0; i < b->point_count; i++) {
        uint32_t point = b->points[i];

        for (uint32_t j = m->first[point]; j < m->first[point + 1]; j++) {
            uint32_t place = b->place[m->lots[j]];

            if (place > 0) {
                shoal_i_rival_lot *lot = &b->lots[place - 1];

                b->members[lot->first + lot->count++] = point;
            }
        }
    }
}

void shoal_i_bargain_begin(shoal_i_bargain *b, shoal_i_random *random, const uint32_t *points,
                           size_t count)
{
    b->random = random;
    b->point_count = count;
    b->share = (int32_t)(UNIT / 2 + shoal_i_random_below(random, UNIT));
    b->least =
        -(int64_t)(shoal_i_random_below(random, SHOAL_I_PENALTY_ONE / 8) * b->market->smallest);
    sort_points(b, points);
    count_loads(b);
    choose_lots(b);
    list_members(b);
    for (size_t i = 0; i < b->touched_count; i++) {
        b->load[b->touched[i]] = 0;
        b->place[b->touched[i]] = 0;
    }
}

/* What a lot is worth with the points that are left, whom it takes becoming `wanted`. */
static int64_t appraise(shoal_i_bargain *b, const shoal_i_rival_lot *lot)
{
    uint64_t load = 0;
    int64_t worth = 0;

    b->wanted_count = 0;
    for (uint32_t i = 0; i < lot->count; i++) {
        uint32_t point = b->members[lot->first + i];
        int64_t gain = (int64_t)price_of(b, point) * b->share / UNIT - lot->loss;

        if (b->is_taken[point]) {
            continue;
        }
        if (gain <= 0 && load >= b->market->smallest) {
            break;
        }
        b->wanted[b->wanted_count++] = point;
        load += b->market->site->weights[point];
        worth += gain * b->market->site->weights[point];
    }
    if (load < b->market->smallest) {
        return INT64_MIN;
    }
    return worth > 0 ? worth / UNIT * lot->favour : worth;
}

bool shoal_i_bargain_next(shoal_i_bargain *b)
{
    int64_t most = b->least;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < b->lot_count; i++) {
        if (b->lots[i].worth > most) {
            b->lots[i].worth = appraise(b, &b->lots[i]);
            if (b->lots[i].worth > most) {
                most = b->lots[i].worth;
                best = i;
            }
        }
    }
    if (best == SIZE_MAX) {
        return false;
    }
    (void)appraise(b, &b->lots[best]);
    for (size_t i = 0; i < b->wanted_count; i++) {
        b->is_taken[b->wanted[i]] = 1;
    }
    return true;
}

void shoal_i_bargain_end(shoal_i_bargain *b)
{
    for (size_t i = 0; i < b->point_count; i++) {
        b->is_taken[b->points[i]] = 0;
    }
}
