#include "targets.h"

#include "../../base/warnings.h"
#include "../input/sensitive_table.h"

#include <string.h>

/* The files that a run reads; NULL for those it does not have. */
typedef struct read_files {
    const shoal_spec *spec;
    const char *input;
    const char *refined;
} read_files;

/* What a target must not replace: a file that the run reads. NULL when it does not. */
static const char *find_read_file(const read_files *files, const char *target)
{
    const shoal_spec *spec = files->spec;

    if (files->input && shoal_i_is_same_file(files->input, target)) {
        return "the input itself";
    }
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_hierarchy_plan *plan = &spec->columns[i].plan;

        if (plan->kind == SHOAL_I_PLAN_FILE && shoal_i_is_same_file(plan->path, target)) {
            return "the file of a hierarchy";
        }
    }
    if (files->refined && shoal_i_is_same_file(files->refined, target)) {
        return "the release to refine";
    }
    if (spec->population && shoal_i_is_same_file(spec->population, target)) {
        return "the file of the population";
    }
    return NULL;
}

static shoal_status check_target(shoal_ctx *ctx, const read_files *files, const char *target)
{
    const char *what = find_read_file(files, target);

    if (!what) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EINVAL, "The output is %s; choose another name for the release.",
                 what);
    return shoal_i_fail_in(ctx, target, 0, 0);
}

/* --- The second file. ------------------------------------------------------------------- */

static shoal_status name_table(shoal_ctx *ctx, shoal_i_targets *targets,
                               const read_files *files)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(
        shoal_i_sensitive_table_path(ctx, &targets->table_path, files->spec, targets->path));
    if (!targets->table_path) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A release by buckets has two files, and nothing lies beside the "
                            "standard output; name a file for the release, or one for its "
                            "sensitive table.");
    }
    if (strcmp(targets->table_path, targets->path) == 0 ||
        shoal_i_is_same_file(targets->table_path, targets->path)) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The sensitive table cannot be the file of the release itself.");
        return shoal_i_fail_in(ctx, targets->table_path, 0, 0);
    }
    SHOAL_TRY(check_target(ctx, files, targets->table_path));
done:
    return st;
}

/* Two files are published together or not at all; what went down a pipe cannot be taken
 * back. */
static shoal_status open_table(shoal_ctx *ctx, shoal_i_targets *targets,
                               const read_files *files)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(name_table(ctx, targets, files));
    SHOAL_TRY(shoal_i_output_open(ctx, &targets->table_output, targets->table_path));
    if (!shoal_i_output_is_renamed(targets->table_output)) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The sensitive table must be a file, not a pipe or a device: it is "
                     "published together with the release or not at all.");
        return shoal_i_fail_in(ctx, targets->table_path, 0, 0);
    }
done:
    return st;
}

/* Whoever made the link decided where the release goes. */
static shoal_status warn_link(shoal_ctx *ctx, const shoal_i_output *output)
{
    const char *file = shoal_i_output_linked(output);

    return file ? shoal_i_warn(ctx, SHOAL_I_WARN_LINK, file,
                               "The output is a symbolic link: the release is written to the "
                               "file it leads to, %.500s.",
                               file)
                : SHOAL_OK;
}

shoal_status shoal_i_targets_open(shoal_ctx *ctx, shoal_i_targets *out, const shoal_spec *spec,
                                  const char *target, const char *input, const char *refined)
{
    shoal_status st = SHOAL_OK;
    read_files files = {.spec = spec, .input = input, .refined = refined};
    const shoal_i_method *method = shoal_i_spec_method(spec).method;

    out->path = target;
    SHOAL_TRY(check_target(ctx, &files, target));
    if (!refined && method->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(open_table(ctx, out, &files));
    } else if (spec->sensitive_table) {
        st = shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The method %s makes a release of one file, without a sensitive table.",
            method->name);
        return shoal_i_fail_of_setting(ctx, spec, "output.sensitive_table", st);
    }
    SHOAL_TRY(shoal_i_output_open_by(ctx, &out->output, target, spec->temporary));
    SHOAL_TRY(warn_link(ctx, out->output));
    if (out->table_output) {
        SHOAL_TRY(warn_link(ctx, out->table_output));
    }
done:
    return st;
}

shoal_status shoal_i_targets_end(shoal_ctx *ctx, const shoal_i_targets *targets)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_output_end(ctx, targets->output));
    if (targets->table_output) {
        SHOAL_TRY(shoal_i_output_end(ctx, targets->table_output));
    }
done:
    return st;
}

shoal_status shoal_i_targets_sync(shoal_ctx *ctx, shoal_i_targets *targets)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_output_sync(ctx, targets->output));
    if (targets->table_output) {
        SHOAL_TRY(shoal_i_output_sync(ctx, targets->table_output));
    }
done:
    return st;
}

shoal_status shoal_i_targets_publish(shoal_ctx *ctx, shoal_i_targets *targets)
{
    return targets->table_output
               ? shoal_i_output_publish_pair(ctx, targets->output, targets->table_output)
               : shoal_i_output_publish(ctx, targets->output);
}

void shoal_i_targets_clear(shoal_i_targets *targets)
{
    shoal_i_output_free(targets->output); /* unpublished: removed */
    shoal_i_output_free(targets->table_output);
    free(targets->table_path);
    *targets = (shoal_i_targets){0};
}
