/* What attacks reached, in words and as JSON. Records have numbers, counted from 1; no cell is
 * shown. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Records that a line names. */
#define NAMED_MOST 5

shoal_status shoal_i_report_add_attacks(shoal_ctx *ctx, shoal_report *report,
                                        const shoal_i_attack_findings *attacks)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, report->attacks.items, attacks->count);
    for (size_t i = 0; i < attacks->count; i++) {
        shoal_i_attack_finding *kept = &report->attacks.items[i];

        *kept = attacks->items[i];
        if (kept->column) {
            kept->column =
                shoal_i_arena_text(ctx, &report->arena, kept->column, strlen(kept->column));
            if (!kept->column) {
                st = SHOAL_ENOMEM;
                goto done;
            }
        }
    }
    report->attacks.count = attacks->count;
done:
    return st;
}

/* --- Words. ------------------------------------------------------------------------------ */

/* A chance as per cent, a number as it is. */
static void put_figure(shoal_i_buffer *out, const shoal_i_attack_finding *f, double figure)
{
    if (f->kind->larger_is_safer) {
        shoal_i_buffer_printf(out, "%.4g", figure);
    } else {
        shoal_i_buffer_printf(out, "%.2f %%", 100 * figure);
    }
}

static void put_promise(shoal_i_buffer *out, const shoal_i_attack_finding *f)
{
    if (isnan(f->promise)) {
        shoal_i_buffer_text(out, "; nothing is promised");
        return;
    }
    shoal_i_buffer_printf(out, "; %s promises at %s ", f->promised_by,
                          f->kind->larger_is_safer ? "least" : "most");
    put_figure(out, f, f->promise);
    if (f->beyond > 0) {
        shoal_i_buffer_printf(out, ", BEYOND for %" PRIu64, f->beyond);
    } else if (!shoal_i_attack_is_kept(f)) {
        shoal_i_buffer_text(out, ", BEYOND on average");
    }
}

static void put_people(shoal_i_buffer *out, const shoal_i_findings *findings,
                       const shoal_i_attack_finding *f)
{
    const char *unit = shoal_i_spec_person(findings->spec) ? "person" : "record";

    shoal_i_buffer_printf(out, " of %" PRIu64 " %s%s", f->people, unit,
                          f->people == 1 ? "" : "s");
}

static void put_worst(shoal_i_buffer *out, const shoal_i_attack_finding *f)
{
    size_t count = f->worst_count < NAMED_MOST ? f->worst_count : NAMED_MOST;

    for (size_t i = 0; i < count; i++) {
        shoal_i_buffer_printf(out, "%s%" PRIu32,
                              i > 0        ? ", "
                              : count == 1 ? " (record "
                                           : " (records ",
                              f->worst_people[i].record + 1);
    }
    shoal_i_buffer_text(out, count > 0 ? ")" : "");
}

static void put_line(shoal_i_buffer *out, const shoal_i_findings *findings,
                     const shoal_i_attack_finding *f)
{
    shoal_i_buffer_text(out, f->kind->name);
    if (f->column) {
        shoal_i_buffer_text(out, " of ");
        shoal_i_buffer_printable(out, f->column);
    }
    if (f->reason[0]) {
        shoal_i_buffer_printf(out, ": not done, %s\n", f->reason);
        return;
    }
    shoal_i_buffer_printf(out, ": %s ", f->kind->figure);
    put_figure(out, f, f->reached);
    if (f->is_sampled) {
        shoal_i_buffer_text(out, " (");
        put_figure(out, f, f->low);
        shoal_i_buffer_text(out, " to ");
        put_figure(out, f, f->high);
        shoal_i_buffer_char(out, ')');
    }
    shoal_i_buffer_text(out, " on average");
    put_people(out, findings, f);
    shoal_i_buffer_text(out, ", ");
    put_figure(out, f, f->worst);
    shoal_i_buffer_text(out, " at worst");
    put_worst(out, f);
    if (!isnan(f->without)) {
        shoal_i_buffer_text(out, "; without the attack ");
        put_figure(out, f, f->without);
    }
    put_promise(out, f);
    shoal_i_buffer_char(out, '\n');
}

void shoal_i_report_put_attacks_text(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    for (size_t i = 0; i < findings->attacks->count; i++) {
        shoal_i_buffer_printf(out, "%-10s", i == 0 ? "Attacks" : "");
        put_line(out, findings, &findings->attacks->items[i]);
    }
}

/* --- JSON. -------------------------------------------------------------------------------- */

static void put_reached(shoal_i_json *json, const shoal_i_attack_finding *f,
                        const shoal_table *table)
{
    shoal_i_json_number(json, "promise", f->promise);
    if (f->promised_by) {
        shoal_i_json_text(json, "promised_by", f->promised_by);
    }
    shoal_i_json_bool(json, "kept", shoal_i_attack_is_kept(f));
    shoal_i_json_number(json, "reached", f->reached);
    if (f->is_sampled) {
        shoal_i_json_number(json, "low", f->low);
        shoal_i_json_number(json, "high", f->high);
    }
    shoal_i_json_number(json, "worst", f->worst);
    shoal_i_json_number(json, "without", f->without);
    shoal_i_json_count(json, "people", f->people);
    shoal_i_json_count(json, "beyond", f->beyond);
    shoal_i_json_count(json, "certain", f->certain);
    shoal_i_json_array(json, "worst_records");
    for (size_t i = 0; i < f->worst_count; i++) {
        int64_t line = shoal_table_line(table, f->worst_people[i].record);

        shoal_i_json_object(json, NULL);
        shoal_i_json_count(json, "record", (uint64_t)f->worst_people[i].record + 1);
        if (line > 0) {
            shoal_i_json_count(json, "line", (uint64_t)line);
        }
        shoal_i_json_number(json, "figure", f->worst_people[i].figure);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
    if (f->bin_count > 0) {
        shoal_i_json_array(json, "people_by_figure");
        for (size_t i = 0; i < f->bin_count; i++) {
            shoal_i_json_count(json, NULL, f->bins[i]);
        }
        shoal_i_json_end(json);
    }
    if (f->note[0]) {
        shoal_i_json_text(json, "note", f->note);
    }
}

void shoal_i_report_put_attacks(shoal_i_json *json, const shoal_i_findings *findings)
{
    shoal_i_json_array(json, "attacks");
    for (size_t i = 0; i < findings->attacks->count; i++) {
        const shoal_i_attack_finding *f = &findings->attacks->items[i];

        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name", f->kind->name);
        if (f->column) {
            shoal_i_json_text(json, "column", f->column);
        }
        shoal_i_json_text(json, "attacker", f->kind->attacker);
        shoal_i_json_text(json, "figure", f->kind->figure);
        shoal_i_json_bool(json, "done", !f->reason[0]);
        if (f->reason[0]) {
            shoal_i_json_text(json, "reason", f->reason);
        } else {
            put_reached(json, f, findings->original.table);
        }
        shoal_i_json_text(json, "citation", f->kind->citation);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}
