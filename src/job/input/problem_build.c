#include "problem_build.h"

shoal_status shoal_i_pose(shoal_ctx *ctx, shoal_i_posed *out, const shoal_spec *spec,
                          const shoal_i_quasi *quasi,
                          const shoal_i_bound_requirements *requirements,
                          const uint32_t *record_k, const shoal_i_people *people)
{
    bool needs_people = shoal_i_requirement_needs_population(&requirements->set);

    *out = (shoal_i_posed){.problem = {
                               .quasi = quasi,
                               .row_count = shoal_table_row_count(quasi->table),
                               .requirements = &requirements->set,
                               .source = &out->source,
                               .people = needs_people ? people : NULL,
                               .seed = ctx->seed,
                               .seconds = spec->seconds,
                               .suppress = spec->suppress,
                               .is_blind = (spec->defended & SHOAL_I_AGAINST_MINIMALITY) != 0,
                           }};
    return shoal_i_tally_source_init_persons(
        ctx, &out->source, &requirements->set, requirements->sensitive,
        requirements->sensitive_count, record_k, requirements->persons, out->problem.row_count);
}

void shoal_i_posed_clear(shoal_i_posed *posed)
{
    shoal_i_tally_source_clear(&posed->source);
}
