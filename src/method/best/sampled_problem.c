#include "sampled_problem.h"

#include "../../base/fail.h"
#include "../../table/table_codes.h"
#include "../../table/table_part.h"

#include <assert.h>

static size_t record_at(const shoal_i_problem *problem, size_t i, size_t count)
{
    return (size_t)((uint64_t)problem->row_count * i / count);
}

static shoal_status sample_quasi(shoal_ctx *ctx, shoal_i_sampled *s,
                                 const shoal_i_problem *problem, size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *given = problem->quasi;

    SHOAL_TRY(shoal_i_table_part(ctx, &s->table, given->table, count));
    for (size_t c = 0; c < given->count; c++) {
        size_t column = given->columns[c].column;

        for (size_t i = 0; i < count; i++) {
            shoal_i_table_part_set(
                s->table, column, i,
                shoal_table_code(given->table, column, record_at(problem, i, count)));
        }
    }
    s->quasi = *given;
    s->quasi.table = s->table;
    s->quasi.columns = NULL;
    SHOAL_ALLOC(ctx, s->quasi.columns, given->count);
    for (size_t c = 0; c < given->count; c++) {
        s->quasi.columns[c] = given->columns[c];
        s->quasi.columns[c].entries = shoal_i_table_codes(s->table, given->columns[c].column);
    }
done:
    return st;
}

shoal_status shoal_i_sampled_init(shoal_ctx *ctx, shoal_i_sampled *out,
                                  const shoal_i_problem *problem, size_t count)
{
    shoal_status st = SHOAL_OK;

    assert(problem->source->active_count == 0 && count <= problem->row_count);
    *out = (shoal_i_sampled){.problem = *problem, .source = *problem->source};
    out->source.row_count = count;
    SHOAL_TRY(sample_quasi(ctx, out, problem, count));
    out->problem.quasi = &out->quasi;
    out->problem.source = &out->source;
    out->problem.row_count = count;
    out->problem.seconds = 0;
done:
    return st;
}

void shoal_i_sampled_clear(shoal_i_sampled *sampled)
{
    free(sampled->quasi.columns);
    shoal_table_free(sampled->table);
    *sampled = (shoal_i_sampled){0};
}
