#include "near_box.h"

/* Near points looked at: so many for each that is needed, and some more, within bounds. */
#define NEAR_PER_NEED 3
#define NEAR_MORE 32
#define NEAR_MOST 400

/* Steps of the search for one box. */
#define STEPS 2000

/* Leaves opened for all points together, and for each at least. */
#define LEAVES_TOTAL 40000000
#define LEAVES_LEAST 32

shoal_status shoal_i_near_box_init(shoal_ctx *ctx, shoal_i_near_box *box,
                                   const shoal_i_reach *reach, const shoal_i_nearby *nearest,
                                   size_t asked)
{
    shoal_status st = SHOAL_OK;
    size_t leaves = asked > 0 ? LEAVES_TOTAL / asked : 0;

    *box = (shoal_i_near_box){.reach = reach,
                              .nearest = nearest,
                              .leaves = leaves > LEAVES_LEAST ? leaves : LEAVES_LEAST};
    SHOAL_TRY(shoal_i_nearby_asking_init(ctx, &box->asking, nearest, NEAR_MOST));
    SHOAL_TRY(shoal_i_reaches_init(ctx, &box->reaches, NEAR_MOST, reach->directions));
done:
    return st;
}

void shoal_i_near_box_clear(shoal_i_near_box *box)
{
    shoal_i_nearby_asking_clear(&box->asking);
    shoal_i_reaches_clear(&box->reaches);
}

/* Find those nearest to a point; returns what whoever is not among them costs at least. */
static int32_t ask(shoal_i_near_box *box, uint32_t point, size_t wanted)
{
    const shoal_i_reach *reach = box->reach;

    return box->nearest->points == reach->points
               ? shoal_i_nearby_ask(&box->asking, box->nearest, point, wanted, box->leaves)
               : shoal_i_nearby_ask_row(&box->asking, box->nearest,
                                        shoal_i_distinct_row(reach->points, point), wanted,
                                        box->leaves);
}

static void fill_reaches(shoal_i_near_box *box, uint32_t point)
{
    const shoal_i_distinct *others = box->nearest->points;
    const shoal_i_reach *reach = box->reach;

    box->reaches.count = box->asking.count;
    for (size_t i = 0; i < box->asking.count; i++) {
        uint32_t other = box->asking.near[i].point;
        int32_t *out = box->reaches.reach + i * reach->directions;

        box->reaches.weights[i] = others->weights[other];
        if (others == reach->points) {
            shoal_i_reach_to(reach, out, box->asking.climb, point, other);
        } else {
            shoal_i_reach_to_row(reach, out, box->asking.climb, point,
                                 shoal_i_distinct_row(others, other));
        }
    }
}

int64_t shoal_i_near_box_find(shoal_i_near_box *box, uint32_t point, uint64_t need)
{
    int64_t alone = shoal_i_reach_own(box->reach, point);
    size_t wanted = need < NEAR_MOST ? (size_t)need * NEAR_PER_NEED + NEAR_MORE : NEAR_MOST;

    wanted = wanted < NEAR_MOST ? wanted : NEAR_MOST;
    int32_t beyond = ask(box, point, wanted);

    fill_reaches(box, point);
    /* What others must lose is known of the whole box, what it loses here beyond its cells. */
    int64_t most = (beyond < SHOAL_I_PENALTY_ONE ? beyond : SHOAL_I_PENALTY_ONE) - alone;

    most = most > 0 ? most : 0;
    int64_t bound = shoal_i_cheapest_box(&box->reaches, need, most, STEPS) - box->reach->slack;

    return alone + (bound > 0 ? bound : 0);
}
