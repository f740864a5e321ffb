#include "people_box.h"

#include "../../base/fail.h"

shoal_status shoal_i_people_box_init(shoal_ctx *ctx, shoal_i_people_box *box,
                                     const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;

    *box = (shoal_i_people_box){.people = problem->people, .quasi = problem->quasi};
    if (box->people) {
        SHOAL_ALLOC(ctx, box->span, box->quasi->count);
        SHOAL_ALLOC(ctx, box->closed, box->quasi->count);
        SHOAL_ALLOC(ctx, box->scratch, box->quasi->count);
        shoal_i_people_box_empty(box);
    }
done:
    return st;
}

void shoal_i_people_box_clear(shoal_i_people_box *box)
{
    free(box->span);
    free(box->closed);
    free(box->scratch);
    *box = (shoal_i_people_box){0};
}

void shoal_i_people_box_empty(shoal_i_people_box *box)
{
    for (size_t c = 0; box->people && c < box->quasi->count; c++) {
        box->span[c] = (shoal_i_interval){.lo = UINT32_MAX, .hi = 0};
    }
}

void shoal_i_people_box_add(shoal_i_people_box *box, uint32_t record)
{
    for (size_t c = 0; box->people && c < box->quasi->count; c++) {
        uint32_t code = shoal_i_quasi_code(box->quasi, c, record);
        shoal_i_interval *span = &box->span[c];

        span->lo = code < span->lo ? code : span->lo;
        span->hi = code > span->hi ? code : span->hi;
    }
}

uint64_t shoal_i_people_box_count(shoal_i_people_box *box)
{
    for (size_t c = 0; c < box->quasi->count; c++) {
        box->closed[c] =
            shoal_i_quasi_close(&box->quasi->columns[c], box->span[c].lo, box->span[c].hi);
    }
    return shoal_i_people_count(box->people, box->closed, box->scratch);
}
