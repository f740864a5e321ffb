#include "measured.h"

void shoal_i_measured_clear(shoal_i_measured *measured)
{
    shoal_i_attack_findings_clear(&measured->attacks);
    shoal_i_details_clear(&measured->details);
    shoal_i_tradeoff_clear(&measured->tradeoff);
    shoal_i_shown_clear(&measured->shown);
    shoal_i_loss_clear(&measured->loss);
    *measured = (shoal_i_measured){0};
}

/* What the requirements of the original read is known; of others only sizes are. */
static shoal_status measure_gap(shoal_ctx *ctx, shoal_i_measured *out,
                                const shoal_i_prepared *original,
                                const shoal_i_release *release,
                                const shoal_i_requirement_set *set,
                                const shoal_i_quasi *population)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_bound_requirements *own = &original->requirements;
    shoal_i_tally_source source = {0};
    bool is_known = set == &own->set;

    if (is_known) {
        SHOAL_TRY(shoal_i_tally_source_init_persons(
            ctx, &source, set, own->sensitive, own->sensitive_count, original->record_k,
            own->persons, shoal_table_row_count(original->table)));
    }
    shoal_i_bound_known known = {.ncp = out->loss.ncp,
                                 .source = is_known ? &source : NULL,
                                 .record_k = original->record_k,
                                 .population = population};

    SHOAL_TRY(shoal_i_gap_measure(ctx, &out->gap, release, set, &known));
done:
    shoal_i_tally_source_clear(&source);
    return st;
}

shoal_status shoal_i_measured_figures(shoal_ctx *ctx, shoal_i_measured *out,
                                      const shoal_spec *spec, unsigned figures,
                                      const shoal_i_prepared *original,
                                      const shoal_i_release *release,
                                      const shoal_i_requirement_set *set,
                                      const shoal_i_quasi *population)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_loss_measure(ctx, &out->loss, release, spec->k));
    if (figures & SHOAL_I_FIGURES_SENSITIVE) {
        SHOAL_TRY(shoal_i_tradeoff_measure(ctx, &out->tradeoff, spec, &out->shown, figures));
    }
    if (figures & SHOAL_I_FIGURE_BOUND) {
        SHOAL_TRY(measure_gap(ctx, out, original, release, set, population));
    }
done:
    return st;
}

shoal_status shoal_i_measured_details(shoal_ctx *ctx, shoal_i_measured *out,
                                      const shoal_spec *spec, const shoal_i_prepared *original,
                                      const shoal_i_release *release,
                                      const shoal_i_run_files *files,
                                      const shoal_i_persons *row_persons)
{
    shoal_status st = SHOAL_OK;
    shoal_i_risk_parts parts = {.spec = spec,
                                .prepared = original,
                                .release = release,
                                .shown = &out->shown,
                                .row_persons = row_persons};

    SHOAL_TRY(shoal_i_details_build(ctx, &out->details, &parts, files));
    out->has_details = true;
done:
    return st;
}

void shoal_i_findings_measured(shoal_i_findings *findings, const shoal_i_measured *measured)
{
    findings->loss = &measured->loss;
    findings->tradeoff = &measured->tradeoff;
    findings->gap = &measured->gap;
    findings->details = measured->has_details ? &measured->details : NULL;
    findings->attacks = measured->attacks.items ? &measured->attacks : NULL;
}
