/* Measuring a release that anybody made against its original: what it lost, how exposed its
 * people are. */
#include <shoal/job.h>

#include "../input/run.h"
#include "../release/release_object.h"
#include "attacked.h"
#include "matched.h"
#include "measured.h"
#include "parsed.h"

/* The bound is about classes of at least k records, so k must be known. */
static shoal_status check_gap(shoal_ctx *ctx, const shoal_spec *spec)
{
    if ((spec->figures & SHOAL_I_FIGURE_BOUND) && spec->k == 0) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The bound is about releases whose classes have at least k records; "
            "say which, such as `privacy.k: 10`.");
    }
    return SHOAL_OK;
}

/* What both runs hold. */
typedef struct measuring {
    shoal_i_run run;
    shoal_i_prepared prepared;
    shoal_i_received received;
    shoal_i_release *parsed; /* NULL: no release */
    shoal_i_persons persons; /* of its rows; of is NULL where they are not known */
    shoal_i_measured measured;
} measuring;

/* What they are given; release may give nothing. */
typedef struct pair {
    const shoal_spec *spec;
    shoal_i_given original;
    shoal_i_given_release release;
} pair;

static void clear_measuring(measuring *m)
{
    shoal_i_measured_clear(&m->measured);
    shoal_i_persons_clear(&m->persons);
    shoal_i_release_free(m->parsed);
    shoal_i_received_clear(&m->received);
    shoal_i_prepared_clear(&m->prepared);
}

/* Whose the rows are, where persons have several records: of a release by classes that leaves
 * nobody out. */
static shoal_status find_persons(shoal_ctx *ctx, measuring *m, const pair *p)
{
    shoal_status st = SHOAL_OK;
    shoal_i_matched matched = {0};
    uint32_t *record_of = NULL;

    if (!m->parsed || !shoal_i_prepared_persons(&m->prepared) ||
        m->parsed->shape != SHOAL_I_SHAPE_CLASSES || m->parsed->omitted > 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_match_records(ctx, &matched, &m->prepared, m->parsed, &m->received,
                                    shoal_i_spec_has_role(p->spec, SHOAL_ROLE_SENSITIVE),
                                    shoal_i_given_name(&p->release.rows)));
    SHOAL_TRY(shoal_i_matched_rows(ctx, &record_of, &matched, m->parsed));
    SHOAL_TRY(shoal_i_persons_init_rows(ctx, &m->persons, &m->prepared.persons, record_of,
                                        m->parsed->row_count));
    SHOAL_TRY(shoal_i_matched_warn(ctx, &matched, m->parsed, m->parsed->box_count));
done:
    free(record_of);
    shoal_i_matched_clear(&matched);
    return st;
}

static shoal_status open_measuring(shoal_ctx *ctx, measuring *m, const pair *p)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = p->spec;
    bool has_sensitive = shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE);
    bool has_release = shoal_i_is_given(&p->release.rows);

    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, false));
    SHOAL_TRY(shoal_i_prepare_original(ctx, &m->prepared, spec, &p->original));
    if (has_release) {
        SHOAL_TRY(
            shoal_i_received_read(ctx, &m->received, spec, &p->release, 0, has_sensitive));
    }
    SHOAL_TRY(shoal_i_run_stage(&m->run, "read"));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &m->prepared, spec));
    SHOAL_TRY(shoal_i_run_stage(&m->run, "prepare"));
    if (has_release) {
        SHOAL_TRY(shoal_i_parse_beside(ctx, &m->parsed, &m->prepared, &m->received, spec));
        SHOAL_TRY(shoal_i_shown_build(ctx, &m->measured.shown, spec, &m->prepared, m->parsed,
                                      &m->received));
        SHOAL_TRY(shoal_i_run_stage(&m->run, "parse"));
    }
done:
    return st;
}

static shoal_status find_details(shoal_ctx *ctx, measuring *m, const pair *p)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run_files files = {.input = p->original.path,
                               .release = p->release.rows.path,
                               .table = m->received.table_path,
                               .frontier = p->spec->frontier_plot};

    SHOAL_TRY(find_persons(ctx, m, p));
    SHOAL_TRY(shoal_i_measured_details(ctx, &m->measured, p->spec, &m->prepared, m->parsed,
                                       &files, m->persons.of ? &m->persons : NULL));
done:
    return st;
}

/* The bound is that of k-anonymity: what else was asked of the release is not known. */
static shoal_status measure(shoal_ctx *ctx, measuring *m, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_set set = {0};
    unsigned figures = spec->figures ? spec->figures : SHOAL_I_FIGURES_SENSITIVE;

    if (spec->figures & SHOAL_I_FIGURE_BOUND) {
        SHOAL_TRY(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, (double)spec->k));
    }
    SHOAL_TRY(shoal_i_measured_figures(ctx, &m->measured, spec, figures, &m->prepared,
                                       m->parsed, &set, NULL));
done:
    shoal_i_requirement_set_clear(&set);
    return st;
}

/* What attacks reach, against the requirements of the spec. */
static shoal_status find_attacks(shoal_ctx *ctx, measuring *m, const pair *p)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &m->prepared.requirements, p->spec,
                                               m->prepared.table,
                                               shoal_i_prepared_persons(&m->prepared)));
    SHOAL_TRY(shoal_i_attacks_find(ctx, &m->measured.attacks, p->spec, p->spec->attacks,
                                   &m->prepared, m->parsed, &m->received, &m->measured.shown,
                                   shoal_i_given_name(&p->release.rows)));
done:
    return st;
}

static shoal_status build_report(shoal_ctx *ctx, shoal_report **out, const char *command,
                                 const measuring *m, const pair *p, bool has_figures)
{
    shoal_i_findings findings = {
        .command = command,
        .spec = p->spec,
        .stages = &m->run.stages,
        .seed = m->run.ctx.seed,
        .threads = shoal_ctx_thread_count(&m->run.ctx),
        .input = p->original.path,
        .release = p->release.rows.path,
        .original = shoal_i_prepared_original(&m->prepared),
        .shape = m->received.shape,
        .sensitive_table = m->received.table_path,
    };

    if (has_figures) {
        shoal_i_findings_measured(&findings, &m->measured);
    } else {
        findings.details = &m->measured.details;
    }
    return shoal_i_report_build(ctx, out, &findings);
}

static shoal_status run_measure(shoal_ctx *caller, shoal_report **out, const pair *p)
{
    shoal_status st = SHOAL_OK;
    measuring m = {0};
    shoal_ctx *ctx = shoal_i_run_begin(&m.run, caller, p->spec);

    *out = NULL;
    SHOAL_TRY(check_gap(ctx, p->spec));
    SHOAL_TRY(shoal_i_attacks_check(ctx, p->spec, 1, p->spec->method != NULL));
    SHOAL_TRY(open_measuring(ctx, &m, p));
    SHOAL_TRY(measure(ctx, &m, p->spec));
    SHOAL_TRY(shoal_i_run_stage(&m.run, "measure"));
    if (p->spec->attacks != 0) {
        SHOAL_TRY(find_attacks(ctx, &m, p));
        SHOAL_TRY(shoal_i_run_stage(&m.run, "attack"));
    }
    if (p->spec->is_full_report) {
        SHOAL_TRY(find_details(ctx, &m, p));
        SHOAL_TRY(shoal_i_run_stage(&m.run, "report"));
    }
    SHOAL_TRY(build_report(ctx, out, "measure", &m, p, true));
done:
    clear_measuring(&m);
    return shoal_i_run_end(&m.run, st);
}

static shoal_status run_risk(shoal_ctx *caller, shoal_report **out, const pair *p)
{
    shoal_status st = SHOAL_OK;
    measuring m = {0};
    shoal_ctx *ctx = shoal_i_run_begin(&m.run, caller, p->spec);

    *out = NULL;
    SHOAL_TRY(open_measuring(ctx, &m, p));
    SHOAL_TRY(find_details(ctx, &m, p));
    SHOAL_TRY(shoal_i_run_stage(&m.run, "risk"));
    SHOAL_TRY(build_report(ctx, out, "risk", &m, p, false));
done:
    clear_measuring(&m);
    return shoal_i_run_end(&m.run, st);
}

shoal_status shoal_measure(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *original, const char *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, release);

    return run_measure(ctx, out,
                       &(pair){.spec = spec,
                               .original = shoal_i_given_file(original),
                               .release = {.rows = shoal_i_given_file(release)}});
}

shoal_status shoal_risk(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                        const char *original, const char *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original);

    return run_risk(ctx, out,
                    &(pair){.spec = spec,
                            .original = shoal_i_given_file(original),
                            .release = {.rows = shoal_i_given_file(release)}});
}

shoal_status shoal_measure_release(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                   const shoal_table *original, const shoal_release *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, release);

    return run_measure(ctx, out,
                       &(pair){.spec = spec,
                               .original = shoal_i_given_table(original),
                               .release = shoal_i_release_object_given(release)});
}

shoal_status shoal_risk_release(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                const shoal_table *original, const shoal_release *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original);
    pair p = {.spec = spec, .original = shoal_i_given_table(original)};

    if (release) {
        p.release = shoal_i_release_object_given(release);
    }
    return run_risk(ctx, out, &p);
}
