#include "sample_queries.h"

#define QUERIES_MOST 500
#define QUERIES_LEAST 100
#define RECORDS_LOOKED_AT 100000000 /* by all queries of a sample */
#define DIMENSIONS_MOST 4
#define SELECTIVITY 0.05

/* What answers are taken from. */
typedef struct sources {
    shoal_i_published published;
    shoal_i_spread *spread;
    shoal_i_answerer *answerer;
    shoal_i_truth *truth;
    bool *is_sensitive;
    size_t *numbers; /* of the quasi columns, then of the sensitive ones */
} sources;

static shoal_status open_sources(shoal_ctx *ctx, sources *s, const shoal_i_release *release,
                                 const shoal_i_shown *shown)
{
    shoal_status st = SHOAL_OK;
    size_t columns = release->quasi->count;

    s->published = (shoal_i_published){
        .release = release, .sensitive = shown->shown, .sensitive_count = shown->count};
    SHOAL_ALLOC(ctx, s->is_sensitive, shown->count);
    SHOAL_ALLOC(ctx, s->numbers, columns + shown->count);
    for (size_t i = 0; i < columns; i++) {
        s->numbers[i] = i;
    }
    for (size_t i = 0; i < shown->count; i++) {
        s->is_sensitive[i] = true;
        s->numbers[columns + i] = i;
    }
    SHOAL_TRY(shoal_i_spread_build(ctx, &s->spread, &s->published));
    SHOAL_TRY(shoal_i_answerer_build(ctx, &s->answerer, s->spread, s->is_sensitive));
    SHOAL_TRY(shoal_i_truth_build(ctx, &s->truth, release->quasi, shown->truth, shown->count));
done:
    return st;
}

static void close_sources(sources *s)
{
    shoal_i_truth_free(s->truth);
    shoal_i_answerer_free(s->answerer);
    shoal_i_spread_free(s->spread);
    free(s->is_sensitive);
    free(s->numbers);
}

/* Fewer of large tables, where each takes longer and errors scatter less. */
static size_t choose_queries(const shoal_i_release *release)
{
    size_t queries = RECORDS_LOOKED_AT / (release->row_count > 0 ? release->row_count : 1);

    queries = queries < QUERIES_MOST ? queries : QUERIES_MOST;
    return queries > QUERIES_LEAST ? queries : QUERIES_LEAST;
}

static shoal_status add_sample(shoal_ctx *ctx, shoal_i_samples *out, const sources *s,
                               shoal_i_workload_kind kind, const char *name)
{
    shoal_status st = SHOAL_OK;
    size_t columns = s->published.release->quasi->count;
    shoal_i_sample *sample = &out->items[out->count];
    shoal_i_workload workload = {
        .kind = kind,
        .query_count = choose_queries(s->published.release),
        .seed = ctx->seed,
        .columns = s->numbers,
        .column_count = columns,
        .dimensions = columns < DIMENSIONS_MOST ? columns : DIMENSIONS_MOST,
        .selectivity = SELECTIVITY,
        .sensitive = s->numbers + columns,
        .sensitive_count = s->published.sensitive_count,
    };

    SHOAL_TRY(shoal_i_workload_run(ctx, &sample->errors, &workload, s->answerer, s->truth));
    sample->workload = name;
    out->count++;
done:
    return st;
}

shoal_status shoal_i_samples_run(shoal_ctx *ctx, shoal_i_samples *out,
                                 const shoal_i_release *release, const shoal_i_shown *shown)
{
    shoal_status st = SHOAL_OK;
    sources s = {0};

    *out = (shoal_i_samples){0};
    SHOAL_TRY(open_sources(ctx, &s, release, shown));
    SHOAL_TRY(add_sample(ctx, out, &s, SHOAL_I_WORKLOAD_XU_COUNT, "xu-count"));
    if (shown->count > 0) {
        SHOAL_TRY(add_sample(ctx, out, &s, SHOAL_I_WORKLOAD_LILI, "lili"));
    }
done:
    close_sources(&s);
    return st;
}
