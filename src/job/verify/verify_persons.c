#include "verify_persons.h"

#include "../../base/warnings.h"
#include "../measure/matched.h"

/* Records that could stand in another class. Different texts may mean one box, which the
 * matching cannot tell apart: then it could be any. */
static shoal_status warn_open(shoal_ctx *ctx, const shoal_i_matched *matched,
                              const shoal_i_release *parsed, uint64_t classes)
{
    size_t open_count = classes > parsed->box_count ? parsed->row_count : matched->open_count;

    if (matched->is_in_order || open_count == 0) {
        return SHOAL_OK;
    }
    return shoal_i_warn(
        ctx, SHOAL_I_WARN_MATCHING, NULL,
        "Of the %zu records %zu could stand in more than one class, by what the release shows: "
        "the persons of classes were counted by one way to match them, and another may come to "
        "other numbers. A copy of the release in the order of its original (`output.order: "
        "keep`) "
        "leaves no doubt.",
        parsed->row_count, open_count);
}

shoal_status shoal_i_verify_persons(shoal_ctx *ctx, shoal_i_verdict *out,
                                    const shoal_spec *spec, const shoal_i_prepared *original,
                                    const shoal_i_received *received,
                                    const shoal_i_prepared *population, bool with_values,
                                    const char *name)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;
    shoal_i_matched matched = {0};
    uint32_t *record_of = NULL;
    uint32_t *record_k = NULL;
    uint64_t *people = NULL;
    shoal_i_persons persons = {0}; /* of the rows */
    shoal_i_bound_requirements requirements = {0};

    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, original->quasi, received->table));
    SHOAL_TRY(
        shoal_i_match_records(ctx, &matched, original, parsed, received, with_values, name));
    SHOAL_TRY(shoal_i_matched_rows(ctx, &record_of, &matched, parsed));
    SHOAL_TRY(shoal_i_persons_init_rows(ctx, &persons, &original->persons, record_of,
                                        parsed->row_count));
    if (original->record_k) {
        SHOAL_ALLOC(ctx, record_k, parsed->row_count);
        for (size_t i = 0; i < parsed->row_count; i++) {
            record_k[i] = original->record_k[record_of[i]];
        }
    }
    if (population) {
        SHOAL_TRY(shoal_i_population_count(ctx, &people, population, received, true, &persons));
    }
    SHOAL_TRY(
        shoal_i_bound_requirements_build(ctx, &requirements, spec, received->table, &persons));
    SHOAL_TRY(shoal_i_verify(
        ctx, out, received->table, received->columns, received->column_count, &requirements.set,
        &(shoal_i_row_facts){.k = record_k, .population = people, .persons = &persons}));
    shoal_i_verdict_speak_of(out, &original->requirements.set);
    SHOAL_TRY(warn_open(ctx, &matched, parsed, out->classes));
done:
    shoal_i_bound_requirements_clear(&requirements);
    shoal_i_persons_clear(&persons);
    free(people);
    free(record_k);
    free(record_of);
    shoal_i_matched_clear(&matched);
    shoal_i_release_free(parsed);
    return st;
}
