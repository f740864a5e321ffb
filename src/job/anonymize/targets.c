/* Where a release goes: one file or, by buckets, two. */
#include "making.h"
#include "../input/method_check.h"
#include "../input/sensitive_table.h"

#include <string.h>

/* What a target must not replace: a file that the run reads. NULL when it does not. */
static const char *find_read_file(const shoal_i_making *making, const char *target)
{
    const shoal_spec *spec = making->spec;

    if (shoal_i_is_same_file(making->input, target)) {
        return "the input itself";
    }
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_hierarchy_plan *plan = &spec->columns[i].plan;

        if (plan->kind == SHOAL_I_PLAN_FILE && shoal_i_is_same_file(plan->path, target)) {
            return "the file of a hierarchy";
        }
    }
    if (making->refined && shoal_i_is_same_file(making->refined, target)) {
        return "the release to refine";
    }
    if (spec->population && shoal_i_is_same_file(spec->population, target)) {
        return "the file of the population";
    }
    return NULL;
}

static shoal_status check_target(shoal_ctx *ctx, const shoal_i_making *making,
                                 const char *target)
{
    const char *what = find_read_file(making, target);

    if (!what) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EINVAL, "The output is %s; choose another name for the release.",
                 what);
    return shoal_i_fail_in(ctx, target, 0, 0);
}

/* --- The second file. ------------------------------------------------------------------- */

static shoal_status name_table(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(
        shoal_i_sensitive_table_path(ctx, &making->table_target, making->spec, making->target));
    if (!making->table_target) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A release by buckets has two files, and nothing lies beside the "
                            "standard output; name a file for the release, or one for its "
                            "sensitive table.");
    }
    if (strcmp(making->table_target, making->target) == 0 ||
        shoal_i_is_same_file(making->table_target, making->target)) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The sensitive table cannot be the file of the release itself.");
        return shoal_i_fail_in(ctx, making->table_target, 0, 0);
    }
    SHOAL_TRY(check_target(ctx, making, making->table_target));
done:
    return st;
}

/* Two files are published together or not at all; what went down a pipe cannot be taken back. */
static shoal_status open_table(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(name_table(ctx, making));
    SHOAL_TRY(shoal_i_output_open(ctx, &making->table_output, making->table_target));
    if (!shoal_i_output_is_renamed(making->table_output)) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The sensitive table must be a file, not a pipe or a device: it is "
                     "published together with the release or not at all.");
        return shoal_i_fail_in(ctx, making->table_target, 0, 0);
    }
done:
    return st;
}

shoal_status shoal_i_open_targets(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_method *method = shoal_i_spec_method(making->spec).method;
    bool has_table = !making->refined && method->shape == SHOAL_I_SHAPE_BUCKETS;

    SHOAL_TRY(check_target(ctx, making, making->target));
    if (has_table) {
        SHOAL_TRY(open_table(ctx, making));
    } else if (making->spec->sensitive_table) {
        st = shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The method %s makes a release of one file, without a sensitive table.",
            method->name);
        return shoal_i_fail_of_setting(ctx, making->spec, "output.sensitive_table", st);
    }
    SHOAL_TRY(
        shoal_i_output_open_by(ctx, &making->output, making->target, making->spec->temporary));
done:
    return st;
}

shoal_status shoal_i_publish_targets(shoal_ctx *ctx, shoal_i_making *making)
{
    return making->table_output
               ? shoal_i_output_publish_pair(ctx, making->output, making->table_output)
               : shoal_i_output_publish(ctx, making->output);
}
