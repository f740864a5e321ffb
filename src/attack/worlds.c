#include "worlds.h"

#include "../base/fail.h"
#include "../base/relay.h"
#include "../table/table_codes.h"
#include "../table/table_part.h"

#include <string.h>

void shoal_i_world_clear(shoal_i_world *world)
{
    for (size_t i = 0; world->codes && i < world->source.active_count; i++) {
        free(world->codes[i]);
    }
    free(world->codes);
    free(world->quasi.columns);
    shoal_table_free(world->table);
    *world = (shoal_i_world){0};
}

/* Whether an active column of the source follows the sensitive values. */
static bool is_of_values(const shoal_i_tally_source *source, size_t i)
{
    return source->active[i].column != source->column_count && i != source->person_input;
}

static shoal_status copy_table(shoal_ctx *ctx, shoal_i_world *world, const shoal_i_quasi *given)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(given->table);

    SHOAL_TRY(shoal_i_table_part(ctx, &world->table, given->table, rows));
    for (size_t c = 0; c < shoal_table_column_count(given->table); c++) {
        for (size_t row = 0; !shoal_table_is_skipped(given->table, c) && row < rows; row++) {
            shoal_i_table_part_set(world->table, c, row,
                                   shoal_table_code(given->table, c, row));
        }
    }
    world->quasi = *given;
    world->quasi.table = world->table;
    world->quasi.columns = NULL;
    SHOAL_ALLOC(ctx, world->quasi.columns, given->count);
    for (size_t c = 0; c < given->count; c++) {
        world->quasi.columns[c] = given->columns[c];
        world->quasi.columns[c].entries =
            shoal_i_table_codes(world->table, given->columns[c].column);
    }
done:
    return st;
}

shoal_status shoal_i_world_init(shoal_ctx *ctx, shoal_i_world *out,
                                const shoal_i_attack_scene *scene)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_problem *given = scene->problem;

    *out = (shoal_i_world){.scene = scene};
    SHOAL_TRY(copy_table(ctx, out, given->quasi));
    out->source = *given->source;
    SHOAL_ALLOC(ctx, out->codes, out->source.active_count);
    for (size_t i = 0; i < out->source.active_count; i++) {
        SHOAL_ALLOC(ctx, out->codes[i], given->row_count);
        memcpy(out->codes[i], given->source->active[i].codes,
               given->row_count * sizeof *out->codes[i]);
        out->source.active[i].codes = out->codes[i];
    }
    out->problem = *given;
    out->problem.quasi = &out->quasi;
    out->problem.source = &out->source;
done:
    return st;
}

void shoal_i_world_set(shoal_i_world *world, const uint32_t *value_of)
{
    const shoal_i_problem *given = world->scene->problem;
    const shoal_table *table = given->quasi->table;

    for (size_t s = 0; s < world->scene->sensitive_count; s++) {
        size_t column = world->scene->truth[s].column;

        for (size_t row = 0; row < given->row_count; row++) {
            shoal_i_table_part_set(world->table, column, row,
                                   shoal_table_code(table, column, value_of[row]));
        }
    }
    for (size_t i = 0; i < world->source.active_count; i++) {
        for (size_t row = 0; is_of_values(&world->source, i) && row < given->row_count; row++) {
            world->codes[i][row] = given->source->active[i].codes[value_of[row]];
        }
    }
}

shoal_status shoal_i_world_release(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_world *world)
{
    shoal_i_relay relay;

    *out = NULL;
    shoal_i_relay_begin(&relay, ctx, "attack");
    relay.share = 0; /* the bar is the caller's, but whether to go on is asked */
    shoal_status st = shoal_i_method_run(&relay.own, out, world->scene->method, &world->problem,
                                         world->scene->settings);

    if (st == SHOAL_EUNSATISFIABLE) {
        st = SHOAL_OK;
    }
    return shoal_i_ctx_join(ctx, &relay.own, st);
}
