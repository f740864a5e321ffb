/* A report as a few lines for people. */
#include "report.h"

#include <inttypes.h>
#include <math.h>

/* Columns that a line names. */
#define NAMES_MOST 20

/* One line per fact: a word, and behind it what there is to say. */
static void put_label(shoal_i_buffer *out, const char *label)
{
    shoal_i_buffer_printf(out, "%-10s", label);
}

/* "1 record", "12 records" */
static void put_count(shoal_i_buffer *out, uint64_t count)
{
    shoal_i_buffer_printf(out, "%" PRIu64 " record%s", count, count == 1 ? "" : "s");
}

static void put_records(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    put_label(out, "Records");
    shoal_i_buffer_printf(
        out, "%" PRIu64, findings->loss ? findings->loss->records : findings->verdict->records);
    if (findings->original.dropped > 0) {
        shoal_i_buffer_printf(out, ", and %zu left out because a value is missing",
                              findings->original.dropped);
    }
    if (findings->loss && findings->loss->omitted > 0) {
        shoal_i_buffer_printf(out, ", %" PRIu64 " of them not in the release",
                              findings->loss->omitted);
    }
    if (findings->loss && findings->loss->suppressed > findings->loss->omitted) {
        shoal_i_buffer_printf(out, ", %" PRIu64 " fully suppressed",
                              findings->loss->suppressed - findings->loss->omitted);
    }
    shoal_i_buffer_char(out, '\n');
}

static void put_classes(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    const shoal_i_loss *loss = findings->loss;

    if (findings->shape == SHOAL_I_SHAPE_RECORDS) {
        put_label(out, "Boxes");
        shoal_i_buffer_printf(out, "%" PRIu64 " different ones\n",
                              loss ? loss->classes : findings->verdict->classes);
        return;
    }
    put_label(out, findings->shape == SHOAL_I_SHAPE_BUCKETS ? "Buckets" : "Classes");
    if (!loss) {
        shoal_i_buffer_printf(out, "%" PRIu64 ", the smallest of ", findings->verdict->classes);
        put_count(out, findings->verdict->smallest_class);
    } else {
        shoal_i_buffer_printf(out, "%" PRIu64 " of ", loss->classes);
        if (loss->smallest_class < loss->largest_class) {
            shoal_i_buffer_printf(out, "%" PRIu64 " to ", loss->smallest_class);
        }
        put_count(out, loss->largest_class);
    }
    shoal_i_buffer_char(out, '\n');
}

/* "1 person", "12 persons" */
static void put_persons(shoal_i_buffer *out, uint64_t count)
{
    shoal_i_buffer_printf(out, "%" PRIu64 " person%s", count, count == 1 ? "" : "s");
}

/* How many persons the records are of; or, of a release alone, that nobody knows. */
static void put_person_counts(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    const shoal_i_verdict *verdict = findings->verdict;

    if (shoal_i_report_counts_rows(findings)) {
        put_label(out, "Persons");
        shoal_i_buffer_text(out, SHOAL_I_ROWS_NOTE "\n");
    } else if (verdict && verdict->persons > 0) {
        put_label(out, "Persons");
        shoal_i_buffer_printf(out, "%" PRIu64 ", at least %" PRIu64 " in every %s\n",
                              verdict->persons, verdict->fewest_persons,
                              shoal_i_report_group(findings->shape));
    }
}

static void put_loss(shoal_i_buffer *out, const shoal_i_loss *loss)
{
    put_label(out, "Loss");
    if (isnan(loss->discernibility)) {
        shoal_i_buffer_printf(out, "GCP %.2f %%, NCP %.1f, distortion %.2f %%\n",
                              100 * loss->gcp, loss->ncp, 100 * loss->distortion_ratio);
        return;
    }
    shoal_i_buffer_printf(out,
                          "GCP %.2f %%, NCP %.1f, C_DM %.0f, C_AVG %.2f, distortion %.2f %%\n",
                          100 * loss->gcp, loss->ncp, loss->discernibility,
                          loss->average_class_size, 100 * loss->distortion_ratio);
}

static void put_columns(shoal_i_buffer *out, const shoal_i_loss *loss)
{
    for (size_t i = 0; i < loss->column_count; i++) {
        const shoal_i_column_loss *column = &loss->columns[i];

        put_label(out, i == 0 ? "Columns" : "");
        shoal_i_buffer_printable(out, column->name);
        shoal_i_buffer_printf(out, " %.2f %%, %" PRIu64 " suppressed", 100 * column->loss,
                              column->suppressed);
        if (column->weight != 1.0) {
            shoal_i_buffer_printf(out, ", weight %g", column->weight);
        }
        shoal_i_buffer_char(out, '\n');
    }
}

static void put_gap(shoal_i_buffer *out, const shoal_i_gap *gap)
{
    put_label(out, "Bound");
    shoal_i_buffer_printf(out, "no release can lose less than GCP %.2f %%", 100 * gap->gcp);
    if (isfinite(gap->times)) {
        shoal_i_buffer_printf(out, "; this one is within %.2f times the best possible",
                              gap->times);
    } else if (isnan(gap->times)) {
        shoal_i_buffer_text(out, " and meet the requirement; this one does not meet it");
    }
    shoal_i_buffer_char(out, '\n');
}

/* What the release tells of single records, and no longer tells of many. */
static void put_tradeoff(shoal_i_buffer *out, const shoal_i_tradeoff *tradeoff)
{
    for (size_t j = 0; tradeoff->privacy && j < tradeoff->count; j++) {
        put_label(out, j == 0 ? "Privacy" : "");
        shoal_i_buffer_printable(out, tradeoff->privacy[j].name);
        shoal_i_buffer_printf(out, ": loss %.4f at worst, %.4f on average\n",
                              tradeoff->privacy[j].highest, tradeoff->privacy[j].mean);
    }
    for (size_t j = 0; tradeoff->utility && j < tradeoff->count; j++) {
        put_label(out, j == 0 ? "Utility" : "");
        shoal_i_buffer_printable(out, tradeoff->utility[j].name);
        shoal_i_buffer_printf(out,
                              ": loss %.4f on average, %.4f at worst, of %" PRIu64
                              " populations of at least ",
                              tradeoff->utility[j].mean, tradeoff->utility[j].highest,
                              tradeoff->populations.count);
        put_count(out, tradeoff->populations.support);
        shoal_i_buffer_char(out, '\n');
    }
}

/* What was lost before the method, apart from what it lost. */
static void put_ready(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    const shoal_i_original *original = &findings->original;

    for (size_t i = 0; i < original->ready_count; i++) {
        const shoal_i_made_ready *made = &original->ready[i];

        shoal_i_buffer_printf(out, "%-10s%s by %s: %zu records changed, loss %.2f %%\n",
                              i == 0 ? "Before" : "",
                              shoal_table_name(original->table, made->column), made->steps,
                              made->changed, 100 * made->loss);
    }
}

/* The names of the columns that something holds of, as far as a line goes; nothing where it
 * holds of none. */
static void put_names(shoal_i_buffer *out, const shoal_i_findings *findings, const char *label,
                      const char *remark,
                      bool (*holds)(const shoal_i_findings *findings, size_t column))
{
    const shoal_table *table = findings->original.table;
    size_t count = 0;

    for (size_t i = 0; table && i < shoal_table_column_count(table); i++) {
        if (!holds(findings, i) || count++ >= NAMES_MOST) {
            continue;
        }
        if (count == 1) {
            put_label(out, label);
        } else {
            shoal_i_buffer_text(out, ", ");
        }
        shoal_i_buffer_printable(out, shoal_table_name(table, i));
    }
    if (count > NAMES_MOST) {
        shoal_i_buffer_printf(out, " and %zu more", count - NAMES_MOST);
    }
    if (count > 0) {
        shoal_i_buffer_printf(out, "%s\n", remark);
    }
}

/* The class that comes nearest to a violation, or is the worst one. For sizes the line of the
 * classes has told it, unless they are too small. */
static void put_worst(shoal_i_buffer *out, const shoal_i_verdict_item *item,
                      shoal_i_shape shape)
{
    const shoal_i_requirement_kind *kind = item->requirement.kind;
    bool is_of_values = kind->needs_sensitive || kind->needs_population;

    if (item->holds && !is_of_values) {
        return;
    }
    shoal_i_buffer_text(out, "; at worst ");
    if (is_of_values) {
        shoal_i_buffer_printf(out, "%.4g, in ", item->worst_figure);
    }
    shoal_i_buffer_printf(out, "%s %" PRIu64 " of ", shoal_i_report_group(shape),
                          item->worst_class + 1);
    put_count(out, item->worst_class_size);
    if (item->requirement.counts_persons) {
        shoal_i_buffer_text(out, " and ");
        put_persons(out, item->worst_class_persons);
    }
}

static void put_verdict(shoal_i_buffer *out, const shoal_i_verdict *verdict,
                        shoal_i_shape shape)
{
    for (size_t i = 0; i < verdict->count; i++) {
        const shoal_i_verdict_item *item = &verdict->items[i];

        put_label(out, item->holds ? "Verified" : "Violated");
        shoal_i_report_put_asked(out, &item->requirement, shape);
        if (!item->holds) {
            shoal_i_buffer_printf(out, "; %" PRIu64 " of %" PRIu64 " %s do not, with ",
                                  item->failing_classes, verdict->classes,
                                  shoal_i_report_groups(shape));
            put_count(out, item->failing_records);
        }
        put_worst(out, item, shape);
        shoal_i_buffer_char(out, '\n');
    }
}

/* How many candidates records and rows have. */
static void put_candidates(shoal_i_buffer *out, const shoal_i_verdict *verdict)
{
    for (size_t i = 0; i < verdict->count; i++) {
        const shoal_i_verdict_item *item = &verdict->items[i];

        put_label(out, item->holds ? "Verified" : "Violated");
        shoal_i_report_put_asked(out, &item->requirement, SHOAL_I_SHAPE_RECORDS);
        if (verdict->unmatched > 0) {
            shoal_i_buffer_printf(out, "; %" PRIu64 " find no partner of their own",
                                  verdict->unmatched);
        } else if (!item->holds) {
            shoal_i_buffer_printf(out, "; %" PRIu64 " of them have fewer, at worst %.0f",
                                  item->failing_classes, item->worst_figure);
        }
        shoal_i_buffer_char(out, '\n');
    }
}

/* The codes of warnings, with the columns they are about: those that somebody accepted, or the
 * others; nothing where there are none. */
static void put_codes(shoal_i_buffer *out, const char *label, bool is_accepted)
{
    const shoal_i_warnings *warnings = out->ctx->warnings;
    size_t count = 0;

    for (const shoal_i_warning *w = warnings ? warnings->first : NULL; w; w = w->next) {
        if (w->is_accepted != is_accepted || count++ >= NAMES_MOST) {
            continue;
        }
        if (count == 1) {
            put_label(out, label);
        } else {
            shoal_i_buffer_text(out, ", ");
        }
        shoal_i_buffer_text(out, w->code);
        if (w->column[0]) {
            shoal_i_buffer_text(out, " (");
            shoal_i_buffer_printable(out, w->column);
            shoal_i_buffer_char(out, ')');
        }
    }
    if (count > NAMES_MOST) {
        shoal_i_buffer_printf(out, " and %zu more", count - NAMES_MOST);
    }
    if (count > 0) {
        shoal_i_buffer_char(out, '\n');
    }
}

static void put_held_back(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    if (findings->is_held_back) {
        put_label(out, "Rejected");
        shoal_i_buffer_text(out, "there are warnings that nobody accepted\n");
    }
}

/* What the release was made to withstand. */
static void put_withstands(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    if (shoal_i_report_is_blind(findings)) {
        put_label(out, "Against");
        shoal_i_buffer_text(out, "minimality: " SHOAL_I_BLIND_NOTE "\n");
    }
    if (findings->previous_count > 0) {
        put_label(out, "Verified");
        shoal_i_buffer_printf(
            out, "together with %zu previous release%s: ", findings->previous_count,
            findings->previous_count == 1 ? "" : "s");
        put_count(out, findings->in_previous);
        shoal_i_buffer_text(out, " that may be in both " SHOAL_I_PREVIOUS_NOTE "\n");
    }
}

void shoal_i_report_put_warnings_text(shoal_i_buffer *out)
{
    put_codes(out, "Warnings", false);
    put_codes(out, "Accepted", true);
}

void shoal_i_report_put_seconds_text(shoal_i_buffer *out, const shoal_i_stages *stages)
{
    put_label(out, "Seconds");
    for (size_t i = 0; i < stages->count; i++) {
        shoal_i_buffer_printf(out, "%s %.3f, ", stages->items[i].name,
                              stages->items[i].seconds);
    }
    shoal_i_buffer_printf(out, "total %.3f\n", shoal_i_stages_total(stages));
}

void shoal_i_report_put_text(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    const char *note = shoal_i_report_note(findings->shape);

    if (!findings->loss && !findings->verdict && findings->attacks) {
        put_label(out, "Records");
        shoal_i_buffer_printf(out, "%zu\n", shoal_table_row_count(findings->original.table));
        shoal_i_report_put_attacks_text(out, findings);
        shoal_i_report_put_warnings_text(out);
        shoal_i_report_put_seconds_text(out, findings->stages);
        return;
    }
    if (!findings->loss && !findings->verdict) {
        shoal_i_report_put_risk_text(out, &findings->details->risk);
        shoal_i_report_put_warnings_text(out);
        shoal_i_report_put_seconds_text(out, findings->stages);
        return;
    }
    put_records(out, findings);
    put_classes(out, findings);
    put_person_counts(out, findings);
    if (findings->loss) {
        put_loss(out, findings->loss);
        put_columns(out, findings->loss);
    }
    put_ready(out, findings);
    put_names(out, findings, "As it is", "", shoal_i_report_is_as_is);
    put_names(out, findings, "Left out", " (no role)", shoal_i_report_is_left_out);
    if (findings->gap && findings->gap->is_known) {
        put_gap(out, findings->gap);
    }
    if (findings->tradeoff) {
        put_tradeoff(out, findings->tradeoff);
    }
    if (findings->verdict && findings->shape == SHOAL_I_SHAPE_RECORDS) {
        put_candidates(out, findings->verdict);
    } else if (findings->verdict) {
        put_verdict(out, findings->verdict, findings->shape);
    }
    put_withstands(out, findings);
    if (findings->attacks) {
        shoal_i_report_put_attacks_text(out, findings);
    }
    for (size_t i = 0; i < findings->withheld_count; i++) {
        put_label(out, "Violated");
        shoal_i_buffer_text(out, "the column ");
        shoal_i_buffer_printable(out, findings->withheld[i]);
        shoal_i_buffer_text(out, " must not be released, and it is in the file\n");
    }
    if (findings->is_test_seeded) {
        put_label(out, "WARNING");
        shoal_i_buffer_text(out, "drawn by a test's seed: not for publication\n");
    }
    if (note) {
        put_label(out, "Note");
        shoal_i_buffer_printf(out, "%s\n", note);
    }
    shoal_i_report_put_warnings_text(out);
    put_held_back(out, findings);
    shoal_i_report_put_seconds_text(out, findings->stages);
}
