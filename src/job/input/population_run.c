#include "population_run.h"

#include "../../base/relay.h"
#include "../../measure/measure.h"
#include "bound_requirements.h"

#include <inttypes.h>

shoal_status shoal_i_population_check(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_mistakes mistakes = {.ctx = ctx};

    for (size_t i = 0; !shoal_i_spec_has_population(spec) && i < spec->request_count; i++) {
        const shoal_i_requirement_request *request = &spec->requests[i];

        if (request->kind->needs_population) {
            shoal_i_fail(ctx, SHOAL_EINVAL,
                         "%s is about a population and there is none; give its file.",
                         request->kind->key);
            SHOAL_TRY(shoal_i_mistakes_take(
                &mistakes, shoal_i_fail_of_request(ctx, request, SHOAL_EINVAL)));
        }
    }
    SHOAL_TRY(shoal_i_mistakes_status(&mistakes));
done:
    return st;
}

static shoal_status read_and_code(shoal_ctx *ctx, shoal_i_prepared *population,
                                  const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    shoal_i_given given = spec->population ? shoal_i_given_file(spec->population)
                                           : shoal_i_given_table(spec->population_table);

    SHOAL_TRY(shoal_i_prepare_population(ctx, population, spec, &given));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, population, spec));
done:
    return st;
}

shoal_status shoal_i_population_read(shoal_ctx *ctx, shoal_i_prepared *population,
                                     const shoal_spec *spec)
{
    shoal_i_relay relay;

    shoal_i_relay_begin(&relay, ctx, "population");
    return shoal_i_ctx_join(ctx, &relay.own, read_and_code(&relay.own, population, spec));
}

/* A sample has no more people of a kind than there are. counts: people in each box. */
static shoal_status check_sample(shoal_ctx *ctx, const shoal_i_release *sample,
                                 const shoal_i_persons *persons, const uint64_t *counts,
                                 const shoal_i_prepared *population, const char *what)
{
    shoal_status st = SHOAL_OK;
    uint64_t *sizes = NULL;

    SHOAL_TRY(shoal_i_persons_count_groups(ctx, &sizes, persons, sample->box_of,
                                           sample->row_count, sample->box_count));
    for (size_t row = 0; row < sample->row_count; row++) {
        size_t box = sample->box_of[row];

        if (sizes[box] > counts[box]) {
            shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, -1,
                            "Record %zu of the %s and those like it are %" PRIu64
                            "%s, but the population has only %" PRIu64
                            " such %s; it must hold all of the %s.",
                            row + 1, what, sizes[box], persons ? " persons" : "", counts[box],
                            persons ? "persons" : "records", what);
            st = shoal_i_fail_in(ctx, shoal_table_source(population->table), 0, 0);
            goto done;
        }
    }
done:
    free(sizes);
    return st;
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

shoal_status shoal_i_population_count(shoal_ctx *ctx, uint64_t **out,
                                      const shoal_i_prepared *population,
                                      const shoal_i_received *received, bool has_persons,
                                      const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;
    uint64_t *counts = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, population->quasi, received->table));
    SHOAL_TRY(
        shoal_i_count_population(ctx, &counts, parsed, shoal_i_prepared_persons(population)));
    if (persons || !has_persons) {
        SHOAL_TRY(check_sample(ctx, parsed, persons, counts, population, "release"));
    }
    SHOAL_TRY(spread_counts(ctx, out, parsed, counts));
done:
    free(counts);
    shoal_i_release_free(parsed);
    return st;
}

/* The records of a table as they are, equal ones together. */
static shoal_status list_points(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(quasi->table);
    size_t cells = 0;
    shoal_i_interval *points = NULL;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, rows, quasi->count));
    SHOAL_ALLOC(ctx, points, cells);
    for (size_t i = 0; i < cells; i++) {
        uint32_t code = shoal_i_quasi_code(quasi, i % quasi->count, i / quasi->count);

        points[i] = (shoal_i_interval){code, code};
    }
    SHOAL_TRY(shoal_i_release_from_boxes(ctx, out, quasi, points, rows));
done:
    free(points);
    return st;
}

static shoal_status count_people(shoal_ctx *ctx, shoal_i_people **out,
                                 const shoal_i_prepared *original,
                                 const shoal_i_prepared *population)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = original->quasi;
    shoal_i_people *people = NULL;
    shoal_i_release *points = NULL;
    uint64_t *counts = NULL;
    shoal_i_interval *scratch = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_people_build(ctx, &people, quasi, population->quasi,
                                   shoal_i_prepared_persons(population)));
    SHOAL_TRY(list_points(ctx, &points, quasi));
    SHOAL_ALLOC(ctx, counts, points->box_count);
    SHOAL_ALLOC(ctx, scratch, quasi->count);
    for (size_t b = 0; b < points->box_count; b++) {
        counts[b] = shoal_i_people_count(people, points->boxes + b * quasi->count, scratch);
    }
    SHOAL_TRY(check_sample(ctx, points, shoal_i_prepared_persons(original), counts, population,
                           "table"));
    *out = people;
    people = NULL;
done:
    free(scratch);
    free(counts);
    shoal_i_release_free(points);
    shoal_i_people_free(people);
    return st;
}

shoal_status shoal_i_population_open(shoal_ctx *ctx, shoal_i_population *out,
                                     const shoal_spec *spec, const shoal_i_prepared *original)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_population_read(ctx, &out->prepared, spec));
    SHOAL_TRY(count_people(ctx, &out->people, original, &out->prepared));
done:
    return st;
}

void shoal_i_population_clear(shoal_i_population *population)
{
    shoal_i_people_free(population->people);
    shoal_i_prepared_clear(&population->prepared);
    *population = (shoal_i_population){0};
}
