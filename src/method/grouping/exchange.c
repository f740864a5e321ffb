#include "exchange.h"

#include "../../base/fail.h"
#include "batch_search.h"
#include "exchange_scratch.h"

typedef struct search {
    shoal_i_classes *classes;
    shoal_i_exchange_scratch *scratches; /* one per task */
} search;

static shoal_status look(shoal_ctx *ctx, void *payload, size_t task, shoal_i_random random)
{
    search *s = payload;

    (void)ctx;
    shoal_i_exchange_scratch_search(&s->scratches[task], random);
    return SHOAL_OK;
}

static bool is_touched(const shoal_i_batch_search *batches, const shoal_i_classes *c,
                       const shoal_i_change *it)
{
    return shoal_i_batch_is_touched(batches, c->class_of[it->member]) ||
           (it->class != SHOAL_I_NEW_CLASS && shoal_i_batch_is_touched(batches, it->class));
}

/* Make a step, unless one before has touched the same classes. */
static void make_step(shoal_i_classes *c, shoal_i_batch_search *batches,
                      const shoal_i_change *changes, size_t count)
{
    uint32_t touched[2 * SHOAL_I_REPLACED_MAX + 2];
    size_t touched_count = 0;
    uint32_t fresh = SHOAL_I_NEW_CLASS;

    for (size_t i = 0; i < count; i++) {
        if (is_touched(batches, c, &changes[i])) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t from = c->class_of[changes[i].member];
        uint32_t to = changes[i].class;

        if (to == SHOAL_I_NEW_CLASS) {
            if (fresh == SHOAL_I_NEW_CLASS) {
                fresh = (uint32_t)c->class_count++;
                c->classes[fresh] = (shoal_i_class){.head = SHOAL_I_NOBODY};
            }
            to = fresh;
        }
        for (int side = 0; side < 2; side++) {
            uint32_t class = side == 0 ? from : to;

            if (!shoal_i_batch_is_touched(batches, class)) {
                shoal_i_batch_touch(batches, class);
                touched[touched_count++] = class;
            }
        }
        shoal_i_classes_move(c, changes[i].member, to);
    }
    for (size_t i = 0; i < touched_count; i++) {
        shoal_i_classes_survey(c, touched[i]);
    }
}

static void make_steps(void *payload, shoal_i_batch_search *batches, size_t task)
{
    search *s = payload;
    const shoal_i_exchange_scratch *found = &s->scratches[task];

    for (size_t i = 0; i < found->step_count; i++) {
        make_step(s->classes, batches, found->changes + found->steps[i].first,
                  found->steps[i].count);
    }
}

static uint64_t count_work(const void *payload, size_t task)
{
    const search *s = payload;

    return s->scratches[task].work;
}

shoal_status shoal_i_exchange(shoal_ctx *ctx, shoal_i_grouping *grouping, shoal_i_span span,
                              const shoal_i_exchange_case *exchange, shoal_i_search_limit limit,
                              shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    search s = {0};
    shoal_i_batch_search batches = {
        .look = look,
        .accept = make_steps,
        .work = count_work,
        .payload = &s,
        .group_count = span.count,
        .seed = exchange->seed,
    };

    SHOAL_TRY(shoal_i_classes_build(ctx, &s.classes, grouping, span, exchange->strata));
    SHOAL_ALLOC(ctx, s.scratches, SHOAL_I_BATCH_TASKS);
    for (size_t i = 0; i < SHOAL_I_BATCH_TASKS; i++) {
        SHOAL_TRY(shoal_i_exchange_scratch_init(ctx, &s.scratches[i], s.classes, exchange));
    }
    SHOAL_TRY(shoal_i_batch_search_run(ctx, &batches, limit, meter));
    shoal_i_classes_lay_out(s.classes, grouping, span.first);
done:
    for (size_t i = 0; s.scratches && i < SHOAL_I_BATCH_TASKS; i++) {
        shoal_i_exchange_scratch_clear(&s.scratches[i]);
    }
    free(s.scratches);
    shoal_i_classes_free(s.classes);
    return st;
}
