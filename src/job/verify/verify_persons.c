#include "verify_persons.h"

#include "../measure/matched.h"

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
    SHOAL_TRY(shoal_i_matched_warn(ctx, &matched, parsed, out->classes));
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
