/* bench_read.c -- how fast a CSV file becomes a finished table.
 *
 *     bench_read FILE [RUNS]
 *
 * Reads FILE with one thread and with two, RUNS times each (default 5), and prints the fastest
 * run of each, beside the time that reading the bytes alone takes, and the peak of memory after
 * the first table. */
#include <shoal/csv.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define BLOCK ((size_t)1 << 20)

static int fail(const shoal_ctx *ctx)
{
    fprintf(stderr, "bench_read: %s:%" PRId64 ": %s\n", ctx->error.source, ctx->error.line,
            ctx->error.message);
    return 1;
}

/* Read all bytes and do nothing with them: seconds, and how many there were. */
static shoal_status read_bytes(shoal_ctx *ctx, const char *path, double *seconds,
                               uint64_t *size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_input *input = NULL;
    char *bytes = NULL;
    size_t got = BLOCK;
    double start = shoal_i_clock_seconds();

    *size = 0;
    SHOAL_TRY(shoal_i_input_open(ctx, &input, path));
    SHOAL_ALLOC(ctx, bytes, BLOCK);
    while (got == BLOCK) {
        SHOAL_TRY(shoal_i_input_read(ctx, &got, input, bytes, BLOCK));
        *size += got;
    }
    *seconds = shoal_i_clock_seconds() - start;
done:
    free(bytes);
    shoal_i_input_free(input);
    return st;
}

/* The fastest of several readings. */
static shoal_status read_table(shoal_ctx *ctx, const char *path, int runs, double *seconds,
                               size_t *rows)
{
    shoal_status st = SHOAL_OK;

    *seconds = 1e9;
    for (int i = 0; i < runs; i++) {
        shoal_table *table = NULL;
        double start = shoal_i_clock_seconds();

        SHOAL_TRY(shoal_csv_read(ctx, &table, path, NULL));
        double spent = shoal_i_clock_seconds() - start;

        *rows = shoal_table_row_count(table);
        *seconds = spent < *seconds ? spent : *seconds;
        shoal_table_free(table);
    }
done:
    return st;
}

static double peak_megabytes(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024 / 1e6;
}

int main(int argc, char **argv)
{
    shoal_ctx ctx;
    uint64_t size = 0;
    size_t rows = 0;
    double seconds;
    double one_thread = 0;
    int runs = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 5;
    int status = 0;

    if (argc < 2 || runs < 1) {
        fprintf(stderr, "usage: bench_read FILE [RUNS]\n");
        return 2;
    }
    shoal_i_ctx_init(&ctx);
    if (read_bytes(&ctx, argv[1], &seconds, &size) != SHOAL_OK) {
        return fail(&ctx);
    }
    double megabytes = (double)size / 1e6;

    printf("bytes alone   %8.3f s  %8.0f MB/s  (%.1f MB)\n", seconds, megabytes / seconds,
           megabytes);
    for (int threads = 1; threads <= 2 && status == 0; threads++) {
        ctx.threads = threads;
        if (read_table(&ctx, argv[1], runs, &seconds, &rows) != SHOAL_OK) {
            status = fail(&ctx);
            break;
        }
        one_thread = threads == 1 ? seconds : one_thread;
        printf("%d thread%s     %8.3f s  %8.0f MB/s  %.2f x  peak %.1f MB  (%zu records)\n",
               threads, threads == 1 ? " " : "s", seconds, megabytes / seconds,
               one_thread / seconds, peak_megabytes(), rows);
    }
    shoal_i_ctx_clear(&ctx);
    return status;
}
