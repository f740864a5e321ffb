#include "population_run.h"

#include "../measure/measure.h"
#include "demands.h"

#include <inttypes.h>

shoal_status shoal_i_population_check(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_mistakes mistakes = {.ctx = ctx};

    for (size_t i = 0; !spec->population && i < spec->wish_count; i++) {
        const shoal_i_wish *wish = &spec->wishes[i];

        if (wish->kind->needs_population) {
            shoal_i_fail(ctx, SHOAL_EINVAL,
                         "%s is about a population and there is none; give its file.",
                         wish->kind->key);
            SHOAL_TRY(shoal_i_mistakes_take(&mistakes,
                                            shoal_i_fail_of_wish(ctx, wish, SHOAL_EINVAL)));
        }
    }
    SHOAL_TRY(shoal_i_mistakes_status(&mistakes));
done:
    return st;
}

/* A sample has no more people of a kind than there are. */
static shoal_status check_sample(shoal_ctx *ctx, const shoal_i_release *parsed,
                                 const uint64_t *counts, const char *population)
{
    for (size_t row = 0; row < parsed->row_count; row++) {
        size_t box = parsed->box_of[row];

        if (parsed->box_sizes[box] > counts[box]) {
            shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, -1,
                            "Record %zu of the release and those like it are %" PRIu32
                            ", but the population has only %" PRIu64
                            " such records; it must hold all of the release.",
                            row + 1, parsed->box_sizes[box], counts[box]);
            return shoal_i_fail_in(ctx, population, 0, 0);
        }
    }
    return SHOAL_OK;
}

static shoal_status spread_counts(shoal_ctx *ctx, uint64_t **out, const shoal_i_release *parsed,
                                  const uint64_t *counts)
{
    shoal_status st = SHOAL_OK;
    uint64_t *of_rows = NULL;

    SHOAL_ALLOC(ctx, of_rows, parsed->row_count);
    for (size_t row = 0; row < parsed->row_count; row++) {
        of_rows[row] = counts[parsed->box_of[row]];
    }
    *out = of_rows;
done:
    return st;
}

shoal_status shoal_i_population_count(shoal_ctx *ctx, uint64_t **out, const shoal_spec *spec,
                                      const shoal_i_released *released)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prepared population = {0};
    shoal_i_release *parsed = NULL;
    uint64_t *counts = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_prepare_population(ctx, &population, spec, spec->population));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &population, spec));
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, population.quasi, released->table));
    SHOAL_TRY(shoal_i_count_population(ctx, &counts, parsed));
    SHOAL_TRY(check_sample(ctx, parsed, counts, spec->population));
    SHOAL_TRY(spread_counts(ctx, out, parsed, counts));
done:
    free(counts);
    shoal_i_release_free(parsed);
    shoal_i_prepared_clear(&population);
    return st;
}
