#include "refine_run.h"

#include "../../base/clock.h"
#include "../../base/sort.h"
#include "../measure/tradeoff_run.h"
#include "../../method/problem/effort.h"
#include "../../method/best/refine.h"
#include "../../release/release_match.h"

#include <inttypes.h>

#define SECONDS_LEAST 1e-3

/* A release that was given, and which of its boxes each record of the original is in. */
typedef struct given {
    const shoal_spec *spec;
    const shoal_i_prepared *original;
    const char *name; /* of the release, for messages */
    shoal_i_received received;
    shoal_i_release *parsed;
    shoal_i_bound_requirements requirements;
    shoal_i_shown shown;
    /* Of the records, then of the rows; NULL: no requirement reads sensitive values. */
    uint32_t *tags;
    uint32_t *box_of;
} given;

static void given_clear(given *g)
{
    free(g->box_of);
    free(g->tags);
    shoal_i_shown_clear(&g->shown);
    shoal_i_bound_requirements_clear(&g->requirements);
    shoal_i_release_free(g->parsed);
    shoal_i_received_clear(&g->received);
}

/* Name the first requirement that does not hold. */
static shoal_status fail_verdict(shoal_ctx *ctx, const shoal_i_verdict *verdict,
                                 const char *path)
{
    const shoal_i_verdict_item *item = verdict->items;

    while (item->holds) {
        item++;
    }
    shoal_i_fail(ctx, SHOAL_EINVAL,
                 "The release has %" PRIu64
                 " classes that do not meet %s; it must meet the requirement to be refined. To "
                 "start from the original, use shoal anonymize.",
                 item->failing_classes, item->requirement.kind->title);
    return shoal_i_fail_in(ctx, path, 0, 0);
}

/* A k of each record's own, and persons, are held against the classes later: rows do not tell
 * whose they are. */
static shoal_status check_requirements(shoal_ctx *ctx, given *g)
{
    shoal_status st = SHOAL_OK;
    shoal_i_verdict verdict = {0};

    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &g->requirements, g->spec,
                                               g->received.table, NULL));
    if (!shoal_i_requirement_needs_record_k(&g->requirements.set) &&
        !shoal_i_prepared_persons(g->original)) {
        SHOAL_TRY(shoal_i_verify(ctx, &verdict, g->received.table, g->received.columns,
                                 g->received.column_count, &g->requirements.set, NULL));
        if (!verdict.holds) {
            SHOAL_TRY(fail_verdict(ctx, &verdict, g->name));
        }
    }
done:
    return st;
}

/* Tell apart what one more column tells apart: equal tags are those that were equal and have
 * equal codes. */
static void renumber_tags(uint32_t *tags, size_t records, size_t rows,
                          const shoal_i_sensitive *truth, const shoal_i_sensitive *shown,
                          shoal_i_sort_item *items, shoal_i_sort_item *scratch)
{
    uint32_t number = 0;

    for (size_t i = 0; i < records + rows; i++) {
        uint32_t code = i < records ? truth->codes[i] : shown->codes[i - records];

        items[i] =
            (shoal_i_sort_item){.key = (uint64_t)tags[i] << 32 | code, .item = (uint32_t)i};
    }
    shoal_i_sort_items(items, scratch, records + rows);
    for (size_t i = 0; i < records + rows; i++) {
        number += i > 0 && items[i].key != items[i - 1].key;
        tags[items[i].item] = number;
    }
}

static shoal_status find_tags(shoal_ctx *ctx, given *g)
{
    shoal_status st = SHOAL_OK;
    size_t records = shoal_table_row_count(g->original->table);
    size_t rows = g->parsed->row_count;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    if (!shoal_i_spec_reads_sensitive(g->spec)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_shown_build(ctx, &g->shown, g->original, g->parsed, &g->received));
    SHOAL_ALLOC(ctx, g->tags, records + rows);
    SHOAL_ALLOC(ctx, items, records + rows);
    SHOAL_ALLOC(ctx, scratch, records + rows);
    for (size_t j = 0; j < g->shown.count; j++) {
        renumber_tags(g->tags, records, rows, &g->shown.truth[j], &g->shown.shown[j], items,
                      scratch);
    }
done:
    free(items);
    free(scratch);
    return st;
}

/* Whether the rows are those of the original in its order. */
static bool is_in_order(const given *g, const shoal_i_quasi *quasi)
{
    size_t records = shoal_table_row_count(quasi->table);

    for (size_t i = 0; i < records; i++) {
        const shoal_i_interval *box =
            g->parsed->boxes + (size_t)g->parsed->box_of[i] * quasi->count;

        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, i);

            if (code < box[c].lo || code > box[c].hi) {
                return false;
            }
        }
        if (g->tags && g->tags[i] != g->tags[records + i]) {
            return false;
        }
    }
    return true;
}

static shoal_status find_boxes(shoal_ctx *ctx, given *g)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = g->original->quasi;
    size_t records = shoal_table_row_count(quasi->table);

    if (g->parsed->row_count == records && is_in_order(g, quasi)) {
        SHOAL_ALLOC(ctx, g->box_of, records);
        for (size_t i = 0; i < records; i++) {
            g->box_of[i] = g->parsed->box_of[i];
        }
        goto done;
    }
    st = shoal_i_release_match(ctx, &g->box_of, g->parsed, g->tags,
                               g->tags ? g->tags + records : NULL);
    if (st == SHOAL_EFORMAT) {
        shoal_i_fail_in(ctx, g->name, 0, 0);
    }
done:
    return st;
}

shoal_status shoal_i_refine_release(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_spec *spec, const shoal_i_prepared *original,
                                    const shoal_i_given_release *release,
                                    const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    given g = {.spec = spec, .original = original, .name = shoal_i_given_name(&release->rows)};
    double start = shoal_i_clock_seconds();
    shoal_i_problem rest = *problem;

    SHOAL_TRY(shoal_i_received_read(ctx, &g.received, spec, release, 0,
                                    shoal_i_spec_reads_sensitive(spec)));
    SHOAL_TRY(check_requirements(ctx, &g));
    SHOAL_TRY(shoal_i_release_parse(ctx, &g.parsed, original->quasi, g.received.table));
    SHOAL_TRY(find_tags(ctx, &g));
    SHOAL_TRY(find_boxes(ctx, &g));
    if (problem->seconds > 0) {
        /* The time is that of the whole, and 0 would be no limit. */
        rest.seconds -= shoal_i_clock_seconds() - start;
        rest.seconds = rest.seconds > SECONDS_LEAST ? rest.seconds : SECONDS_LEAST;
    }
    SHOAL_TRY(shoal_i_refine(ctx, out, &rest, g.box_of,
                             spec->has_effort ? (double)spec->effort : SHOAL_I_EFFORT_NORMAL));
done:
    given_clear(&g);
    return st;
}
