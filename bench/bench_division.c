/* bench_division.c -- what the verbs of a division cost, one after the other.
 *
 *     bench_division INPUT.csv SPEC.yaml [PARTS] [MOST]
 *
 * Deals the records out to PARTS parts (default 8), whole persons where the spec has some, cuts
 * into fragments of at most MOST records (default 100000), and prints of each verb: calls,
 * processor seconds of all of them, the same for a million records of the table, and by how
 * much memory grew while the hungriest call ran (Linux only, else 0). Objects go through
 * bytes, as between machines; their size is that of the largest. */
#include <shoal/shoal.h>

#include "spec/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PARTS_MAX 256

typedef struct verb {
    const char *name;
    size_t calls;
    double seconds;
    double mib;
    size_t bytes; /* of the largest object */
} verb;

enum {
    VALUES,
    VALUES_ADD,
    BUILD,
    COUNT,
    COUNTS_ADD,
    CUT,
    ROUTE,
    SOLVE,
    CLASSES_ADD,
    VERIFY,
    VERBS
};

static verb verbs[VERBS] = {
    [VALUES] = {.name = "shoal_values_count"},     [VALUES_ADD] = {.name = "shoal_values_add"},
    [BUILD] = {.name = "shoal_division_build"},    [COUNT] = {.name = "shoal_division_count"},
    [COUNTS_ADD] = {.name = "shoal_counts_add"},   [CUT] = {.name = "shoal_division_cut"},
    [ROUTE] = {.name = "shoal_division_route"},    [SOLVE] = {.name = "shoal_division_solve"},
    [CLASSES_ADD] = {.name = "shoal_classes_add"}, [VERIFY] = {.name = "shoal_division_verify"},
};

static shoal_ctx *ctx;

static void expect(shoal_status st)
{
    if (st != SHOAL_OK) {
        fprintf(stderr, "bench_division: %s\n", shoal_ctx_error(ctx)->message);
        exit(1);
    }
}

/* --- One verb. -------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A line of /proc/self/status, in MiB. */
static double read_status(const char *key)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double kib = 0;

    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) == 0) {
            kib = strtod(line + strlen(key) + 1, NULL);
        }
    }
    if (file) {
        fclose(file);
    }
    return kib / 1024;
}

/* Let the peak begin anew. */
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");

    if (file) {
        fputs("5", file);
        fclose(file);
    }
}

typedef struct measuring {
    double began;
    double resident;
} measuring;

static measuring begin(void)
{
    forget_peak();
    return (measuring){.resident = read_status("VmRSS:"), .began = now()};
}

static void end(measuring m, size_t which)
{
    verb *v = &verbs[which];
    double seconds = now() - m.began;
    double mib = read_status("VmHWM:") - m.resident;

    v->calls++;
    v->seconds += seconds;
    v->mib = mib > v->mib ? mib : v->mib;
}

static void keep_size(size_t which, char *bytes, size_t size)
{
    verbs[which].bytes = size > verbs[which].bytes ? size : verbs[which].bytes;
    shoal_bytes_free(bytes);
}

/* --- Parts. ----------------------------------------------------------------------------- */

/* Records with the same value of the column go together; -1: each for itself. */
static void deal_out(shoal_table **parts, size_t count, const shoal_table *table,
                     ptrdiff_t column)
{
    size_t rows = shoal_table_row_count(table);
    bool *keep = calloc(rows + 1, sizeof *keep);

    expect(keep ? SHOAL_OK : SHOAL_ENOMEM);
    for (size_t p = 0; p < count; p++) {
        for (size_t row = 0; row < rows; row++) {
            size_t key = column < 0 ? row : shoal_table_code(table, (size_t)column, row);

            keep[row] = key % count == p;
        }
        expect(shoal_table_filter(ctx, &parts[p], table, keep));
    }
    free(keep);
}

/* --- All of it. ------------------------------------------------------------------------- */

static shoal_division *build(const shoal_spec *spec, shoal_table **parts, size_t count)
{
    shoal_values *all = NULL;
    shoal_division *division = NULL;

    for (size_t p = 0; p < count; p++) {
        shoal_values *more = NULL;
        char *bytes = NULL;
        size_t size = 0;
        measuring m = begin();

        expect(shoal_values_count(ctx, &more, spec, parts[p]));
        expect(shoal_values_write_memory(ctx, &bytes, &size, more));
        end(m, VALUES);
        shoal_values_free(more);
        m = begin();
        expect(shoal_values_read_memory(ctx, &more, spec, bytes, size));
        if (all) {
            expect(shoal_values_add(ctx, all, more));
            shoal_values_free(more);
        } else {
            all = more;
        }
        end(m, VALUES_ADD);
        keep_size(VALUES, bytes, size);
    }
    measuring m = begin();
    char *bytes = NULL;
    size_t size = 0;

    expect(shoal_division_build(ctx, &division, spec, all));
    end(m, BUILD);
    expect(shoal_division_write_memory(ctx, &bytes, &size, division));
    keep_size(BUILD, bytes, size);
    shoal_values_free(all);
    return division;
}

/* One round of counts; the sum. */
static shoal_counts *count_all(const shoal_division *division, shoal_table **parts,
                               size_t count)
{
    shoal_counts *all = NULL;

    for (size_t p = 0; p < count; p++) {
        shoal_counts *more = NULL;
        char *bytes = NULL;
        size_t size = 0;
        measuring m = begin();

        expect(shoal_division_count(ctx, &more, division, parts[p]));
        expect(shoal_counts_write_memory(ctx, &bytes, &size, more));
        end(m, COUNT);
        shoal_counts_free(more);
        m = begin();
        expect(shoal_counts_read_memory(ctx, &more, division, bytes, size));
        if (all) {
            expect(shoal_counts_add(ctx, all, more));
            shoal_counts_free(more);
        } else {
            all = more;
        }
        end(m, COUNTS_ADD);
        keep_size(COUNT, bytes, size);
    }
    return all;
}

/* How many rounds it took. */
static size_t cut(shoal_division *division, shoal_table **parts, size_t count, uint64_t most)
{
    size_t open = 0;
    size_t rounds = 0;
    measuring m = begin();

    expect(shoal_division_cut(ctx, &open, division, NULL, most));
    end(m, CUT);
    for (; open > 0; rounds++) {
        shoal_counts *all = count_all(division, parts, count);

        m = begin();
        expect(shoal_division_cut(ctx, &open, division, all, most));
        end(m, CUT);
        shoal_counts_free(all);
    }
    return rounds;
}

static void solve(const shoal_division *division, const shoal_spec *spec,
                  const shoal_table *table)
{
    size_t rows = shoal_table_row_count(table);
    uint32_t *fragment_of = calloc(rows + 1, sizeof *fragment_of);
    bool *keep = calloc(rows + 1, sizeof *keep);
    shoal_classes *all = NULL;
    shoal_division_outcome outcome = SHOAL_DIVISION_OUTCOME_INIT;
    measuring m = begin();

    expect(fragment_of && keep ? SHOAL_OK : SHOAL_ENOMEM);
    expect(shoal_division_route(ctx, fragment_of, division, table));
    end(m, ROUTE);
    for (size_t i = 0; i < shoal_division_fragment_count(division); i++) {
        shoal_table *records = NULL;
        shoal_table *published = NULL;
        shoal_classes *more = NULL;
        char *bytes = NULL;
        size_t size = 0;

        for (size_t row = 0; row < rows; row++) {
            keep[row] = fragment_of[row] == i;
        }
        expect(shoal_table_filter(ctx, &records, table, keep));
        m = begin();
        expect(shoal_division_solve(ctx, &published, &more, division, records, i));
        expect(shoal_classes_write_memory(ctx, &bytes, &size, more));
        end(m, SOLVE);
        shoal_classes_free(more);
        shoal_table_free(published);
        shoal_table_free(records);
        m = begin();
        expect(shoal_classes_read_memory(ctx, &more, spec, bytes, size));
        if (all) {
            expect(shoal_classes_add(ctx, all, more));
            shoal_classes_free(more);
        } else {
            all = more;
        }
        end(m, CLASSES_ADD);
        keep_size(SOLVE, bytes, size);
    }
    m = begin();
    expect(shoal_division_verify(ctx, &outcome, division, all));
    end(m, VERIFY);
    printf("%s; %" PRIu64 " classes, GCP %.4f %%\n", outcome.holds ? "holds" : outcome.failing,
           outcome.classes, 100 * outcome.gcp);
    shoal_classes_free(all);
    free(fragment_of);
    free(keep);
}

/* The column of the role person; -1: none. */
static ptrdiff_t find_person(const shoal_spec *spec, const shoal_table *table)
{
    const shoal_i_spec_column *person = shoal_i_spec_person(spec);

    return person ? shoal_table_find(table, person->name) : -1;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_division INPUT.csv SPEC.yaml [PARTS] [MOST]\n");
        return 2;
    }
    size_t count = argc > 3 ? strtoul(argv[3], NULL, 10) : 8;
    uint64_t most = argc > 4 ? strtoull(argv[4], NULL, 10) : 100000;
    shoal_spec *spec = NULL;
    shoal_table *table = NULL;
    shoal_table *parts[PARTS_MAX] = {NULL};

    ctx = shoal_ctx_new();
    expect(ctx ? SHOAL_OK : SHOAL_ENOMEM);
    shoal_ctx_set_threads(ctx, 1);
    expect(shoal_spec_new(ctx, &spec));
    expect(shoal_spec_read(ctx, spec, argv[2]));
    expect(shoal_csv_read(ctx, &table, argv[1], NULL));
    count = count < 1 ? 1 : count > PARTS_MAX ? PARTS_MAX : count;
    deal_out(parts, count, table, find_person(spec, table));
    shoal_division *division = build(spec, parts, count);
    size_t rounds = cut(division, parts, count, most);
    double millions = (double)shoal_table_row_count(table) / 1e6;

    printf("%zu records in %zu parts, %zu rounds, %zu fragments; ",
           shoal_table_row_count(table), count, rounds,
           shoal_division_fragment_count(division));
    solve(division, spec, table);
    printf("%-24s %6s %9s %12s %8s %10s\n", "verb", "calls", "s", "s/million", "MiB",
           "KiB sent");
    for (size_t i = 0; i < VERBS; i++) {
        printf("%-24s %6zu %9.3f %12.3f %8.1f %10.1f\n", verbs[i].name, verbs[i].calls,
               verbs[i].seconds, verbs[i].seconds / millions, verbs[i].mib,
               (double)verbs[i].bytes / 1024);
    }
    shoal_division_free(division);
    for (size_t p = 0; p < count; p++) {
        shoal_table_free(parts[p]);
    }
    shoal_table_free(table);
    shoal_spec_free(spec);
    shoal_ctx_free(ctx);
    return 0;
}
