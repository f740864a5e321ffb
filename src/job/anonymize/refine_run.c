#include "refine_run.h"

#include "../../base/clock.h"
#include "../measure/matched.h"
#include "../../method/problem/effort.h"
#include "../../method/best/refine.h"

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
    shoal_i_matched matched;
} given;

static void given_clear(given *g)
{
    shoal_i_matched_clear(&g->matched);
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
    SHOAL_TRY(shoal_i_match_records(ctx, &g.matched, original, g.parsed, &g.received,
                                    shoal_i_spec_reads_sensitive(spec), g.name));
    if (problem->seconds > 0) {
        /* The time is that of the whole, and 0 would be no limit. */
        rest.seconds -= shoal_i_clock_seconds() - start;
        rest.seconds = rest.seconds > SECONDS_LEAST ? rest.seconds : SECONDS_LEAST;
    }
    SHOAL_TRY(shoal_i_refine(ctx, out, &rest, g.matched.box_of,
                             spec->has_effort ? (double)spec->effort : SHOAL_I_EFFORT_NORMAL));
done:
    given_clear(&g);
    return st;
}
