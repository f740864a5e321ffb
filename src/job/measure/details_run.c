#include "details_run.h"

#include "../../base/file.h"
#include "../../base/pool.h"

#include <string.h>

#define FRONTIER_MOST ((size_t)1 << 24)

typedef struct hash_job {
    const char *paths[3];
    char *digests[3];
} hash_job;

/* What can be read once only has been read already. */
static bool can_read_again(const char *path)
{
    return path && strcmp(path, "-") != 0 && shoal_i_is_regular_file(path);
}

static shoal_status hash_file(shoal_ctx *ctx, void *payload, size_t i)
{
    const hash_job *job = payload;

    return can_read_again(job->paths[i])
               ? shoal_i_sha256_file(ctx, job->digests[i], job->paths[i])
               : SHOAL_OK;
}

shoal_status shoal_i_details_hash(shoal_ctx *ctx, shoal_i_details *out,
                                  const shoal_i_run_files *files)
{
    hash_job job = {.paths = {files->input, files->release, files->table},
                    .digests = {out->input_digest, out->release_digest, out->table_digest}};

    return shoal_i_parallel_for(ctx, 3, hash_file, &job);
}

static shoal_status read_frontier(shoal_ctx *ctx, shoal_i_details *out, const char *path)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(
        shoal_i_input_read_all(ctx, &out->frontier, &out->frontier_size, path, FRONTIER_MOST));
    if (strncmp(out->frontier, "<svg ", strlen("<svg ")) != 0) {
        shoal_i_fail(ctx, SHOAL_EFORMAT,
                     "This is not a picture of a frontier, as shoal_frontier has it drawn "
                     "in a .svg file.");
        st = shoal_i_fail_in(ctx, path, 1, 1);
    }
done:
    return st;
}

shoal_status shoal_i_details_build(shoal_ctx *ctx, shoal_i_details *out,
                                   const shoal_i_risk_parts *parts,
                                   const shoal_i_run_files *files)
{
    shoal_status st = SHOAL_OK;

    if (files->frontier) {
        SHOAL_TRY(read_frontier(ctx, out, files->frontier));
    }
    SHOAL_TRY(shoal_i_risk_build(ctx, &out->risk, parts));
    if (parts->release) {
        SHOAL_TRY(
            shoal_i_distributions_find(ctx, &out->distributions, parts->release, parts->shown));
        out->distribution_count = parts->release->quasi->count + parts->shown->count;
        SHOAL_TRY(shoal_i_samples_run(ctx, &out->queries, parts->release, parts->shown));
    }
    SHOAL_TRY(shoal_i_details_hash(ctx, out, files));
done:
    if (st != SHOAL_OK) {
        shoal_i_details_clear(out);
    }
    return st;
}
