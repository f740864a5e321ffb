/* Which points a frontier has: those of the spec, or a grid that suits the table. */
#include "frontier.h"

#include "../../base/hash.h"
#include "../../base/text.h"
#include "../input/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const shoal_i_point_words[] = {
    [SHOAL_I_POINT_OPEN] = "not run",
    [SHOAL_I_POINT_DONE] = "done",
    [SHOAL_I_POINT_IMPOSSIBLE] = "impossible",
    [SHOAL_I_POINT_REFUSED] = "failed",
    NULL,
};

void shoal_i_frontier_clear(shoal_i_frontier *frontier)
{
    shoal_i_frontier_clear_queries(frontier);
    free(frontier->points);
    shoal_i_arena_clear(&frontier->arena);
    *frontier = (shoal_i_frontier){0};
}

/* --- Defaults. ---------------------------------------------------------------------------- */

static bool has_sensitive(const shoal_spec *spec)
{
    return shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE);
}

static shoal_status add_texts(shoal_ctx *ctx, shoal_i_frontier *f, const char *key,
                              const char *const *texts)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; texts[i]; i++) {
        SHOAL_TRY(shoal_i_sweep_add_request(ctx, &f->sweep, &f->arena, key, texts[i]));
    }
done:
    return st;
}

/* Class sizes up to a tenth of the table; LILI's ranges of the requirements on sensitive
 * values. */
static shoal_status add_default_requests(shoal_ctx *ctx, shoal_i_frontier *f)
{
    static const char *const sizes[] = {"2",   "5",   "10",   "25",   "50",   "100",
                                        "250", "500", "1000", "2500", "5000", NULL};
    static const char *const diversities[] = {"1.5", "2", "3", "4", "5", NULL};
    static const char *const closenesses[] = {"0.05", "0.1", "0.15", "0.2", "0.3", "0.4", NULL};
    static const char *const disclosures[] = {"1", "1.5", "2", "3", NULL};
    shoal_status st = SHOAL_OK;
    double most = (double)shoal_table_row_count(f->prepared->table) / 10;

    for (size_t i = 0; sizes[i]; i++) {
        double size = 0;

        if (i < 2 ||
            (shoal_i_text_to_double(&size, sizes[i], strlen(sizes[i])) && size <= most)) {
            SHOAL_TRY(shoal_i_sweep_add_request(ctx, &f->sweep, &f->arena, "k", sizes[i]));
        }
    }
    if (has_sensitive(f->spec)) {
        SHOAL_TRY(add_texts(ctx, f, "l", diversities));
        SHOAL_TRY(add_texts(ctx, f, "t", closenesses));
        SHOAL_TRY(add_texts(ctx, f, "delta", disclosures));
    }
done:
    return st;
}

/* Two that partition, and buckets where there is something to keep apart. */
static shoal_status add_default_methods(shoal_ctx *ctx, shoal_i_frontier *f)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_sweep_add_method(ctx, &f->sweep, &f->arena, "topdown"));
    SHOAL_TRY(shoal_i_sweep_add_method(ctx, &f->sweep, &f->arena, "mondrian"));
    if (has_sensitive(f->spec) && !shoal_i_spec_has_grid(f->spec) &&
        shoal_i_method_find("bucketize")) {
        SHOAL_TRY(shoal_i_sweep_add_method(ctx, &f->sweep, &f->arena, "bucketize"));
    }
done:
    return st;
}

static shoal_status fill_sweep(shoal_ctx *ctx, shoal_i_frontier *f)
{
    shoal_status st = SHOAL_OK;

    f->sweep = f->spec->sweep;
    /* What is added goes to memory of its own: the spec is only read. */
    f->sweep.request_capacity = f->sweep.request_count;
    if (f->sweep.request_count == 0) {
        SHOAL_TRY(add_default_requests(ctx, f));
    }
    if (f->sweep.method_count == 0) {
        SHOAL_TRY(add_default_methods(ctx, f));
    }
    if (!f->sweep.has_axes) {
        bool is_about_values = has_sensitive(f->spec);

        f->sweep.axes[0] = is_about_values ? SHOAL_I_BY_PRIVACY_LOSS : SHOAL_I_BY_RISK;
        f->sweep.axes[1] = is_about_values ? SHOAL_I_BY_UTILITY_LOSS : SHOAL_I_BY_GCP;
    }
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        f->has_limits = f->has_limits || f->sweep.has_limit[i];
    }
done:
    return st;
}

/* --- Checks. ------------------------------------------------------------------------------ */

bool shoal_i_frontier_wants(const shoal_i_frontier *frontier, shoal_i_axis_figure figure)
{
    const shoal_i_sweep *sweep = &frontier->sweep;

    return sweep->axes[0] == figure || sweep->axes[1] == figure || sweep->has_limit[figure];
}

static shoal_status check_figures(shoal_ctx *ctx, const shoal_i_frontier *f)
{
    const shoal_i_axis_figure about_values[] = {SHOAL_I_BY_PRIVACY_LOSS,
                                                SHOAL_I_BY_UTILITY_LOSS, SHOAL_I_BY_DEFINETTI};

    for (size_t i = 0; i < sizeof about_values / sizeof *about_values; i++) {
        if (shoal_i_frontier_wants(f, about_values[i]) && !has_sensitive(f->spec)) {
            return shoal_i_fail(
                ctx, SHOAL_EINVAL,
                "%s is about sensitive values; give a column the role sensitive, "
                "or choose other axes.",
                shoal_i_axis_words[about_values[i]]);
        }
    }
    return SHOAL_OK;
}

/* --- Points. ------------------------------------------------------------------------------ */

/* "k 10", "t js 0.2", "alpha values 0.5 of ill" */
static void describe(char out[SHOAL_I_REQUIREMENT_TEXT_MAX],
                     const shoal_i_requirement_request *request)
{
    const shoal_i_requirement_kind *kind = request->kind;
    char value[SHOAL_I_NUMBER_MAX];
    char extra[SHOAL_I_NUMBER_MAX] = "";

    shoal_i_text_from_double(value, request->value);
    if (request->c > 0 || request->least > 0) {
        shoal_i_text_from_double(extra, request->c > 0 ? request->c : request->least);
    }
    snprintf(out, SHOAL_I_REQUIREMENT_TEXT_MAX, "%s%s%s%s%s %s%s%.60s", kind->key,
             kind->variant ? " " : "", kind->variant ? kind->variant : "", extra[0] ? " " : "",
             extra, value, request->column ? " of " : "",
             request->column ? request->column : "");
}

/* All that a point asks for: what is swept, and what the spec asks for at every point. */
static shoal_status describe_all(shoal_ctx *ctx, shoal_i_frontier *f, shoal_i_point *point)
{
    shoal_status st = SHOAL_OK;
    shoal_spec spec;
    shoal_i_buffer text;
    char one[SHOAL_I_REQUIREMENT_TEXT_MAX];

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&text, point->requirement);
    SHOAL_TRY(shoal_i_frontier_derive(ctx, &spec, f, point));
    if (spec.k > 1 && point->request->kind != &shoal_i_k_anonymity) {
        shoal_i_buffer_printf(&text, " and k %" PRIu64, spec.k);
    }
    for (size_t i = 0; i < spec.request_count; i++) {
        describe(one, &spec.requests[i]);
        if (strcmp(one, point->requirement) != 0) {
            shoal_i_buffer_printf(&text, " and %s", one);
        }
    }
    SHOAL_TRY(shoal_i_buffer_status(&text));
    point->asks = shoal_i_arena_text(ctx, &f->arena, text.data, text.size);
    st = point->asks ? SHOAL_OK : SHOAL_ENOMEM;
done:
    shoal_i_buffer_clear(&text);
    return st;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    uint64_t both[2] = {hash, shoal_i_digest_bytes(bytes, size)};

    return shoal_i_digest_bytes(both, sizeof both);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return mix(hash, text ? text : "", text ? strlen(text) : 0);
}

/* The codes of all records in a column of the table, and the texts behind them. */
static uint64_t mix_column(uint64_t hash, const shoal_table *table, size_t column)
{
    size_t rows = shoal_table_row_count(table);
    size_t values = shoal_table_value_count(table, column);

    hash = mix_text(hash, shoal_table_name(table, column));
    for (uint32_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, code, &length);

        hash = mix(hash, text, length);
    }
    for (size_t row = 0; row < rows; row++) {
        uint32_t code = shoal_table_code(table, column, row);

        hash = (hash ^ code) * 0x9E3779B97F4A7C15u;
    }
    return hash;
}

/* Whatever the figures of a point depend on, but the point itself. */
static uint64_t take_fingerprint(const shoal_i_frontier *f)
{
    const shoal_i_quasi *quasi = f->prepared->quasi;
    uint64_t hash = mix_text(0, shoal_version());

    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        hash = mix_column(hash, quasi->table, column->column);
        hash = mix(hash, &column->weight, sizeof column->weight);
        hash = mix(hash, &column->grid, sizeof column->grid);
        for (uint32_t n = 0;
             column->hierarchy && n < shoal_hierarchy_node_count(column->hierarchy); n++) {
            double loss = shoal_hierarchy_loss(column->hierarchy, n);

            hash = mix_text(hash, shoal_hierarchy_label(column->hierarchy, n));
            hash = mix(hash, &loss, sizeof loss);
        }
    }
    for (size_t i = 0; i < f->prepared->column_count; i++) {
        if (f->prepared->roles[i] == SHOAL_ROLE_SENSITIVE) {
            hash = mix_column(hash, quasi->table, i);
        }
    }
    hash = mix(hash, &f->spec->k, sizeof f->spec->k);
    for (size_t i = 0; i < f->spec->request_count; i++) {
        char text[SHOAL_I_REQUIREMENT_TEXT_MAX];

        describe(text, &f->spec->requests[i]);
        hash = mix_text(hash, text);
    }
    hash = mix(hash, &f->spec->suppress, sizeof f->spec->suppress);
    return mix(hash, &f->spec->min_support, sizeof f->spec->min_support);
}

shoal_status shoal_i_frontier_list(shoal_ctx *ctx, shoal_i_frontier *frontier)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_sweep *sweep = &frontier->sweep;
    shoal_ctx own;

    shoal_i_ctx_child(&own, ctx);
    SHOAL_TRY(fill_sweep(ctx, frontier));
    SHOAL_TRY(check_figures(ctx, frontier));
    frontier->fingerprint = take_fingerprint(frontier) ^ ctx->seed;
    frontier->count = sweep->request_count * sweep->method_count;
    SHOAL_ALLOC(ctx, frontier->points, frontier->count);
    for (size_t i = 0; i < frontier->count; i++) {
        shoal_i_point *point = &frontier->points[i];

        point->request = &sweep->requests[i / sweep->method_count];
        point->method = &sweep->methods[i % sweep->method_count];
        describe(point->requirement, point->request);
        point->asks = point->requirement;
        for (size_t j = 0; j < SHOAL_I_BY_COUNT; j++) {
            point->figures[j] = NAN;
        }
        st = describe_all(&own, frontier, point);
        if (st == SHOAL_ENOMEM) {
            SHOAL_TRY(shoal_i_ctx_join(ctx, &own, st));
        }
        st = SHOAL_OK; /* too many requirements are the point's failure, when it is tried */
    }
done:
    return st;
}

/* --- Their specs. ------------------------------------------------------------------------- */

/* What a sweep has no part in is left to the spec; its limit of memory is not, which would cut
 * the table where a point was made of the whole. */
static shoal_status write_spec(shoal_ctx *ctx, char **out, const shoal_i_frontier *f,
                               const shoal_i_point *point)
{
    shoal_status st = SHOAL_OK;
    shoal_spec spec;

    SHOAL_TRY(shoal_i_frontier_derive(ctx, &spec, f, point));
    spec.has_seed = true;
    spec.seed = ctx->seed;
    spec.memory = 0;
    spec.sweep = (shoal_i_sweep){0};
    SHOAL_TRY(shoal_spec_write_yaml(ctx, out, &spec));
done:
    return st;
}

shoal_status shoal_i_frontier_write_specs(shoal_ctx *ctx, shoal_i_frontier *frontier)
{
    shoal_status st = SHOAL_OK;
    shoal_ctx own;
    char *text = NULL;

    /* That a point has no spec is no failure of the run. */
    shoal_i_ctx_child(&own, ctx);
    for (size_t i = 0; i < frontier->count; i++) {
        shoal_i_point *point = &frontier->points[i];

        point->spec = "";
        st = write_spec(&own, &text, frontier, point);
        if (st == SHOAL_OK) {
            point->spec = shoal_i_arena_text(&own, &frontier->arena, text, strlen(text));
            st = point->spec ? SHOAL_OK : SHOAL_ENOMEM;
        }
        free(text);
        text = NULL;
        if (st == SHOAL_ENOMEM) {
            return shoal_i_ctx_join(ctx, &own, st);
        }
    }
    return SHOAL_OK;
}

static bool names_values(const shoal_i_hierarchy_plan *plan)
{
    return plan->weight_count > 0 || plan->kind == SHOAL_I_PLAN_TABLE;
}

bool shoal_i_frontier_names_values(const shoal_i_frontier *frontier, const shoal_i_point *point)
{
    const shoal_spec *spec = frontier->spec;
    bool does = point->request->value_count > 0;

    for (size_t i = 0; i < spec->request_count; i++) {
        does = does || spec->requests[i].value_count > 0;
    }
    for (size_t i = 0; i < spec->column_count; i++) {
        does = does || names_values(&spec->columns[i].plan) ||
               names_values(&spec->columns[i].populations);
    }
    return does;
}
