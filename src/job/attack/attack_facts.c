/* What attacks reached, as facts of a report. */
#include <shoal/attack.h>

#include "../../base/sized.h"
#include "../../report/report.h"

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

size_t shoal_report_attack_count(const shoal_report *report)
{
    return report->attacks.count;
}

bool shoal_report_attack(const shoal_report *report, size_t attack, shoal_attack_facts *out)
{
    if (attack >= report->attacks.count) {
        return false;
    }
    const shoal_i_attack_finding *f = &report->attacks.items[attack];
    shoal_attack_facts facts = {
        .struct_size = sizeof facts,
        .name = f->kind->name,
        .column = or_empty(f->column),
        .reason = f->reason,
        .note = f->note,
        .promised_by = or_empty(f->promised_by),
        .promise = f->promise,
        .reached = f->reached,
        .worst = f->worst,
        .without = f->without,
        .low = f->low,
        .high = f->high,
        .people = f->people,
        .beyond = f->beyond,
        .certain = f->certain,
        .worst_count = f->worst_count,
    };

    return shoal_i_sized_fill(out, &facts, sizeof facts);
}

bool shoal_report_attack_worst(const shoal_report *report, size_t attack, size_t place,
                               uint64_t *record, double *figure)
{
    if (attack >= report->attacks.count || place >= report->attacks.items[attack].worst_count) {
        return false;
    }
    *record = report->attacks.items[attack].worst_people[place].record;
    *figure = report->attacks.items[attack].worst_people[place].figure;
    return true;
}
