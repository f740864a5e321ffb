/* Measuring a release that anybody made against its original: what it lost, how exposed its
 * people are. */
#include <shoal/job.h>

#include "../../measure/origin_check.h"
#include "../input/released.h"
#include "../../report/report.h"

#include <stdio.h>

/* One row in so many that seems to break k is enough to ask whether the file was read rightly. */
#define SEEMS_BY_RECORD 10

/* Every row must be able to stand for a record: what is measured of another table's release would
 * be figures without a meaning. */
static shoal_status check_origin(shoal_ctx *ctx, const shoal_i_release *parsed,
                                 const shoal_table *file)
{
    shoal_status st = SHOAL_OK;
    shoal_i_origin_verdict found = {0};
    char where[SHOAL_MESSAGE_MAX / 2] = "";

    SHOAL_TRY(shoal_i_origin_check(ctx, &found, parsed, SHOAL_I_ORIGIN_WHOLE));
    if (found.lost == 0) {
        goto done;
    }
    if (found.column != SHOAL_I_ORIGIN_ALL) {
        snprintf(where, sizeof where, "in column \"%.200s\", ",
                 parsed->quasi->columns[found.column].name);
    }
    shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)found.row, -1,
                    "This is no release of the original: %s%zu of its %zu rows, this one among "
                    "them, find no record of their own that they cover; compare the files, "
                    "roles and hierarchies (of means and medians, measure the release with "
                    "ranges).",
                    where, found.lost, parsed->row_count);
    st = shoal_i_fail_in(ctx, shoal_table_source(file), shoal_table_line(file, found.row), 0);
done:
    return st;
}

/* Rows that look like a class too small, though their box is none of a single point: that is what
 * a release with a box per record is read as. */
static size_t count_alone(const shoal_i_release *parsed, uint64_t k)
{
    size_t width = parsed->quasi->count;
    size_t alone = 0;

    for (size_t b = 0; b < parsed->box_count; b++) {
        const shoal_i_interval *box = parsed->boxes + b * width;
        bool is_point = true;

        for (size_t c = 0; c < width; c++) {
            is_point = is_point && box[c].lo == box[c].hi;
        }
        if (!is_point && parsed->box_sizes[b] < (k > 2 ? k : 2)) {
            alone += parsed->box_sizes[b];
        }
    }
    return alone;
}

/* A file does not tell whether rows with equal boxes are a class; whoever asks may say so. */
static void find_shape(shoal_ctx *ctx, shoal_i_release *parsed, shoal_i_released *released,
                       const shoal_spec *spec)
{
    if (parsed->shape != SHOAL_I_SHAPE_CLASSES) {
        return;
    }
    if (spec->is_by_record) {
        parsed->shape = SHOAL_I_SHAPE_RECORDS;
        released->shape = SHOAL_I_SHAPE_RECORDS;
        return;
    }
    size_t alone = count_alone(parsed, spec->k);

    if (alone > parsed->row_count / SEEMS_BY_RECORD) {
        shoal_i_log(ctx, SHOAL_LOG_WARNING,
                    "%zu of the %zu rows of the release are in classes of fewer than %zu, "
                    "though their values are generalized; if it has a box per record (method "
                    "nonhomogeneous), say so: `measure.shape: records`.",
                    alone, parsed->row_count, (size_t)(spec->k > 2 ? spec->k : 2));
    }
}

/* The release as boxes of the original's codes, with the records it leaves out counted. */
static shoal_status parse_release(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_prepared *prepared, shoal_i_released *released,
                                  const shoal_spec *spec)
{
    size_t original = shoal_table_row_count(prepared->table);
    size_t written = shoal_table_row_count(released->table);

    if (written > original) {
        shoal_i_fail(
            ctx, SHOAL_EFORMAT,
            "The release has %zu records, its original %zu; a release has no more than its "
            "original.",
            written, original);
        return shoal_i_fail_in(ctx, shoal_table_source(released->table), 0, 0);
    }
    shoal_status st = shoal_i_released_parse(ctx, out, released, prepared->quasi);

    if (st == SHOAL_OK) {
        (*out)->omitted = original - written;
        st = check_origin(ctx, *out, released->table);
    }
    if (st == SHOAL_OK) {
        find_shape(ctx, *out, released, spec);
    }
    return st;
}

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

static shoal_status measure_gap(shoal_ctx *ctx, shoal_i_gap *gap, const shoal_spec *spec,
                                const shoal_i_prepared *prepared, const shoal_i_release *parsed,
                                double ncp)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_set set = {0};

    if (spec->figures & SHOAL_I_FIGURE_BOUND) {
        SHOAL_TRY(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, (double)spec->k));
        SHOAL_TRY(shoal_i_gap_measure(ctx, gap, prepared, &set, parsed, ncp));
    }
done:
    shoal_i_requirement_set_clear(&set);
    return st;
}

/* What both runs hold. */
typedef struct measuring {
    shoal_i_run run;
    shoal_i_prepared prepared;
    shoal_i_released released;
    shoal_i_release *parsed; /* NULL: no release */
    shoal_i_loss loss;
    shoal_i_shown shown;
    shoal_i_tradeoff tradeoff;
    shoal_i_gap gap;
    shoal_i_details details;
} measuring;

static void clear_measuring(measuring *m)
{
    shoal_i_details_clear(&m->details);
    shoal_i_tradeoff_clear(&m->tradeoff);
    shoal_i_shown_clear(&m->shown);
    shoal_i_loss_clear(&m->loss);
    shoal_i_release_free(m->parsed);
    shoal_i_released_clear(&m->released);
    shoal_i_prepared_clear(&m->prepared);
    shoal_i_run_end(&m->run);
}

/* Read and parse; release may be NULL. */
static shoal_status open_measuring(shoal_ctx *ctx, measuring *m, const shoal_spec *spec,
                                   const char *original, const char *release)
{
    shoal_status st = SHOAL_OK;
    bool has_sensitive = shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE);

    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, false));
    SHOAL_TRY(shoal_i_prepare_original(ctx, &m->prepared, spec, original));
    if (release) {
        SHOAL_TRY(shoal_i_released_read(ctx, &m->released, spec, release, 0, has_sensitive));
    }
    SHOAL_TRY(shoal_i_run_stage(&m->run, "read"));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &m->prepared, spec));
    SHOAL_TRY(shoal_i_run_stage(&m->run, "prepare"));
    if (release) {
        SHOAL_TRY(parse_release(ctx, &m->parsed, &m->prepared, &m->released, spec));
        SHOAL_TRY(shoal_i_shown_build(ctx, &m->shown, &m->prepared, m->parsed, &m->released));
        SHOAL_TRY(shoal_i_run_stage(&m->run, "parse"));
    }
done:
    return st;
}

static shoal_status find_details(shoal_ctx *ctx, measuring *m, const char *original,
                                 const char *release)
{
    shoal_i_risk_parts parts = {.spec = m->run.spec,
                                .prepared = &m->prepared,
                                .release = m->parsed,
                                .shown = &m->shown};

    return shoal_i_details_build(ctx, &m->details, &parts,
                                 &(shoal_i_run_files){.input = original,
                                                      .release = release,
                                                      .table = m->released.table_path,
                                                      .frontier = m->run.spec->frontier_plot});
}

shoal_status shoal_measure(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *original, const char *release)
{
    shoal_status st = SHOAL_OK;
    measuring m = {0};

    *out = NULL;
    shoal_i_run_begin(&m.run, ctx, spec);
    SHOAL_TRY(check_gap(ctx, spec));
    SHOAL_TRY(open_measuring(ctx, &m, spec, original, release));
    SHOAL_TRY(shoal_i_loss_measure(ctx, &m.loss, m.parsed, spec->k));
    SHOAL_TRY(
        shoal_i_tradeoff_measure(ctx, &m.tradeoff, spec, &m.shown,
                                 spec->figures ? spec->figures : SHOAL_I_FIGURES_SENSITIVE));
    SHOAL_TRY(measure_gap(ctx, &m.gap, spec, &m.prepared, m.parsed, m.loss.ncp));
    SHOAL_TRY(shoal_i_run_stage(&m.run, "measure"));
    if (spec->is_full_report) {
        SHOAL_TRY(find_details(ctx, &m, original, release));
        SHOAL_TRY(shoal_i_run_stage(&m.run, "report"));
    }
    shoal_i_findings findings = {.command = "measure",
                                 .spec = spec,
                                 .run = &m.run,
                                 .input = original,
                                 .release = release,
                                 .prepared = &m.prepared,
                                 .loss = &m.loss,
                                 .tradeoff = &m.tradeoff,
                                 .gap = &m.gap,
                                 .details = spec->is_full_report ? &m.details : NULL,
                                 .shape = m.released.shape,
                                 .sensitive_table = m.released.table_path};

    SHOAL_TRY(shoal_i_report_build(ctx, out, &findings));
done:
    clear_measuring(&m);
    return st;
}

shoal_status shoal_risk(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                        const char *original, const char *release)
{
    shoal_status st = SHOAL_OK;
    measuring m = {0};

    *out = NULL;
    shoal_i_run_begin(&m.run, ctx, spec);
    SHOAL_TRY(open_measuring(ctx, &m, spec, original, release));
    SHOAL_TRY(find_details(ctx, &m, original, release));
    SHOAL_TRY(shoal_i_run_stage(&m.run, "risk"));

    shoal_i_findings findings = {.command = "risk",
                                 .spec = spec,
                                 .run = &m.run,
                                 .input = original,
                                 .release = release,
                                 .prepared = &m.prepared,
                                 .details = &m.details,
                                 .shape = m.released.shape,
                                 .sensitive_table = m.released.table_path};

    SHOAL_TRY(shoal_i_report_build(ctx, out, &findings));
done:
    clear_measuring(&m);
    return st;
}
