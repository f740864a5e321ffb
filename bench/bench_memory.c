/* bench_memory.c -- a run in memory beside the same run on files, stage by stage.
 *
 *     bench_memory INPUT.csv SPEC.yaml [RUNS]
 *
 * Prints the seconds of every stage of the fastest of RUNS (default 5) runs of each kind, which
 * take turns. The table in memory is read once, before. */
#include <shoal/shoal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct timing {
    double total;
    char *json; /* of the report with that total */
} timing;

static void expect(const shoal_ctx *ctx, shoal_status st)
{
    if (st != SHOAL_OK) {
        fprintf(stderr, "bench_memory: %s\n", shoal_ctx_error(ctx)->message);
        exit(1);
    }
}

static void keep(timing *best, const shoal_report *report)
{
    double total = shoal_report_figure(report, "seconds");

    if (!best->json || total < best->total) {
        free(best->json);
        best->total = total;
        best->json = strdup(shoal_report_json(report));
    }
}

/* The stages are the last object of the JSON. */
static void print_stages(const char *what, const timing *best)
{
    const char *seconds = strstr(best->json, "\"seconds\"");

    printf("%-8s %.3f s: %s", what, best->total, seconds ? seconds : "\n");
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_memory INPUT.csv SPEC.yaml [RUNS]\n");
        return 2;
    }
    int runs = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 5;
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_spec *spec = NULL;
    shoal_table *table = NULL;
    timing file = {0};
    timing memory = {0};

    expect(ctx, shoal_spec_new(ctx, &spec));
    expect(ctx, shoal_spec_read(ctx, spec, argv[2]));
    expect(ctx, shoal_csv_read(ctx, &table, argv[1], NULL));
    for (int i = 0; i < runs; i++) {
        shoal_report *report = NULL;
        shoal_release *release = NULL;

        expect(ctx, shoal_anonymize(ctx, &report, spec, argv[1], "/dev/null"));
        keep(&file, report);
        shoal_report_free(report);
        expect(ctx, shoal_anonymize_table(ctx, &release, &report, spec, table));
        keep(&memory, report);
        shoal_report_free(report);
        shoal_release_free(release);
    }
    print_stages("file", &file);
    print_stages("memory", &memory);
    free(file.json);
    free(memory.json);
    shoal_table_free(table);
    shoal_spec_free(spec);
    shoal_ctx_free(ctx);
    return 0;
}
