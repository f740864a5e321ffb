/* One step over a part of a table, by the public verbs of a division; every object is a file of
 * bytes, so that every step is another process. See divided_parts.py. */
#include <shoal/shoal.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static shoal_ctx *ctx;

static void check(shoal_status st)
{
    if (st != SHOAL_OK) {
        fprintf(stderr, "%s\n", shoal_ctx_error(ctx)->message);
        exit(1);
    }
}

static char *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");

    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);

    if (!bytes || fread(bytes, 1, *size, file) != *size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

/* Takes the bytes. */
static void save(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    shoal_bytes_free(bytes);
}

static shoal_table *read_table(const char *path)
{
    shoal_table *table = NULL;

    check(shoal_csv_read(ctx, &table, path, NULL));
    return table;
}

static shoal_division *read_division(const shoal_spec *spec, const char *path)
{
    size_t size = 0;
    char *bytes = load(path, &size);
    shoal_division *division = NULL;

    check(shoal_division_read_memory(ctx, &division, spec, bytes, size));
    free(bytes);
    return division;
}

static void save_division(const shoal_division *division, const char *path)
{
    char *bytes = NULL;
    size_t size = 0;

    check(shoal_division_write_memory(ctx, &bytes, &size, division));
    save(path, bytes, size);
}

/* PART.csv OUT */
static void count_values(const shoal_spec *spec, char **arguments)
{
    shoal_table *part = read_table(arguments[0]);
    shoal_values *values = NULL;
    char *bytes = NULL;
    size_t size = 0;

    check(shoal_values_count(ctx, &values, spec, part));
    check(shoal_values_write_memory(ctx, &bytes, &size, values));
    save(arguments[1], bytes, size);
    shoal_values_free(values);
    shoal_table_free(part);
}

/* OUT MOST VALUES... */
static void build(const shoal_spec *spec, char **arguments, int count)
{
    shoal_values *all = NULL;
    shoal_division *division = NULL;
    size_t open = 0;

    for (int i = 2; i < count; i++) {
        size_t size = 0;
        char *bytes = load(arguments[i], &size);
        shoal_values *more = NULL;

        check(shoal_values_read_memory(ctx, &more, spec, bytes, size));
        free(bytes);
        if (all) {
            check(shoal_values_add(ctx, all, more));
            shoal_values_free(more);
        } else {
            all = more;
        }
    }
    check(shoal_division_build(ctx, &division, spec, all));
    check(shoal_division_cut(ctx, &open, division, NULL, strtoull(arguments[1], NULL, 10)));
    save_division(division, arguments[0]);
    printf("%zu\n", open);
    shoal_division_free(division);
    shoal_values_free(all);
}

/* DIVISION PART.csv OUT */
static void count(const shoal_spec *spec, char **arguments)
{
    shoal_division *division = read_division(spec, arguments[0]);
    shoal_table *part = read_table(arguments[1]);
    shoal_counts *counts = NULL;
    char *bytes = NULL;
    size_t size = 0;

    check(shoal_division_count(ctx, &counts, division, part));
    check(shoal_counts_write_memory(ctx, &bytes, &size, counts));
    save(arguments[2], bytes, size);
    shoal_counts_free(counts);
    shoal_table_free(part);
    shoal_division_free(division);
}

/* DIVISION MOST COUNTS... */
static void cut(const shoal_spec *spec, char **arguments, int count)
{
    shoal_division *division = read_division(spec, arguments[0]);
    shoal_counts *all = NULL;
    size_t open = 0;

    for (int i = 2; i < count; i++) {
        size_t size = 0;
        char *bytes = load(arguments[i], &size);
        shoal_counts *more = NULL;

        check(shoal_counts_read_memory(ctx, &more, division, bytes, size));
        free(bytes);
        if (all) {
            check(shoal_counts_add(ctx, all, more));
            shoal_counts_free(more);
        } else {
            all = more;
        }
    }
    check(shoal_division_cut(ctx, &open, division, all, strtoull(arguments[1], NULL, 10)));
    save_division(division, arguments[0]);
    printf("%zu %zu\n", open, shoal_division_fragment_count(division));
    shoal_counts_free(all);
    shoal_division_free(division);
}

/* DIVISION PART.csv: a line per record */
static void route(const shoal_spec *spec, char **arguments)
{
    shoal_division *division = read_division(spec, arguments[0]);
    shoal_table *part = read_table(arguments[1]);
    size_t rows = shoal_table_row_count(part);
    uint32_t *fragments = calloc(rows, sizeof *fragments);

    check(fragments ? shoal_division_route(ctx, fragments, division, part) : SHOAL_ENOMEM);
    for (size_t i = 0; i < rows; i++) {
        printf("%" PRIu32 "\n", fragments[i]);
    }
    free(fragments);
    shoal_table_free(part);
    shoal_division_free(division);
}

/* DIVISION FRAGMENT RECORDS.csv PUBLISHED.csv CLASSES */
static void solve(const shoal_spec *spec, char **arguments)
{
    shoal_division *division = read_division(spec, arguments[0]);
    shoal_table *records = read_table(arguments[2]);
    shoal_table *published = NULL;
    shoal_classes *classes = NULL;
    char *bytes = NULL;
    size_t size = 0;

    check(shoal_division_solve(ctx, &published, &classes, division, records,
                               strtoull(arguments[1], NULL, 10)));
    check(shoal_csv_write(ctx, published, arguments[3], ','));
    check(shoal_classes_write_memory(ctx, &bytes, &size, classes));
    save(arguments[4], bytes, size);
    shoal_classes_free(classes);
    shoal_table_free(published);
    shoal_table_free(records);
    shoal_division_free(division);
}

/* DIVISION CLASSES... */
static void verify(const shoal_spec *spec, char **arguments, int count)
{
    shoal_division *division = read_division(spec, arguments[0]);
    shoal_classes *all = NULL;
    shoal_division_outcome outcome = SHOAL_DIVISION_OUTCOME_INIT;

    for (int i = 1; i < count; i++) {
        size_t size = 0;
        char *bytes = load(arguments[i], &size);
        shoal_classes *more = NULL;

        check(shoal_classes_read_memory(ctx, &more, spec, bytes, size));
        free(bytes);
        if (all) {
            check(shoal_classes_add(ctx, all, more));
            shoal_classes_free(more);
        } else {
            all = more;
        }
    }
    check(shoal_division_verify(ctx, &outcome, division, all));
    printf("%s %" PRIu64 " %" PRIu64 " %.9f\n", outcome.holds ? "holds" : outcome.failing,
           outcome.records, outcome.classes, outcome.gcp);
    shoal_classes_free(all);
    shoal_division_free(division);
}

int main(int argc, char **argv)
{
    shoal_spec *spec = NULL;

    if (argc < 5) {
        fprintf(stderr, "usage: divided_parts VERB SPEC.yaml ARGUMENT...\n");
        return 2;
    }
    char **arguments = argv + 3;
    int left = argc - 3;

    ctx = shoal_ctx_new();
    check(shoal_spec_new(ctx, &spec));
    check(shoal_spec_read(ctx, spec, argv[2]));
    if (strcmp(argv[1], "values") == 0) {
        count_values(spec, arguments);
    } else if (strcmp(argv[1], "build") == 0) {
        build(spec, arguments, left);
    } else if (strcmp(argv[1], "count") == 0) {
        count(spec, arguments);
    } else if (strcmp(argv[1], "cut") == 0) {
        cut(spec, arguments, left);
    } else if (strcmp(argv[1], "route") == 0) {
        route(spec, arguments);
    } else if (strcmp(argv[1], "solve") == 0) {
        solve(spec, arguments);
    } else {
        verify(spec, arguments, left);
    }
    shoal_spec_free(spec);
    shoal_ctx_free(ctx);
    return 0;
}
