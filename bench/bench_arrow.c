/* bench_arrow.c -- how fast an Arrow stream becomes a table, and a table a stream.
 *
 *     bench_arrow [ROWS] [RUNS]
 *
 * ROWS records (default 1,000,000) of ten columns, five of them dictionaries of text with 8-bit
 * to 32-bit indices, five of 64-bit integers of 2 to 100,000 values, in arrays of 131,072
 * records. Prints the fastest of RUNS (default 7) imports and exports with one thread and with
 * two, beside a memcpy of all bytes of the arrays in the same run: the ratio is the figure. */
#include <shoal/arrow.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)131072)
#define COLUMNS 10

typedef struct source {
    size_t rows;
    size_t next;
    size_t size; /* bytes of all columns */
    void *data[COLUMNS];
    char *texts[COLUMNS]; /* of the dictionaries */
    int32_t *offsets[COLUMNS];
} source;

static const struct {
    const char *format;
    size_t width;
    size_t values; /* distinct */
} columns[COLUMNS] = {{"c", 1, 2},     {"c", 1, 16},    {"c", 1, 100}, {"s", 2, 3000},
                      {"i", 4, 50000}, {"l", 8, 2},     {"l", 8, 75},  {"l", 8, 1000},
                      {"l", 8, 20000}, {"l", 8, 100000}};

static int fail(const char *what)
{
    fprintf(stderr, "bench_arrow: %s\n", what);
    exit(1);
}

static bool is_dictionary(size_t c)
{
    return c < COLUMNS / 2;
}

static void *take(size_t count, size_t size)
{
    void *memory = malloc(count * size);

    if (!memory) {
        fail("out of memory");
    }
    return memory;
}

static void make_dictionary(source *s, size_t c)
{
    size_t values = columns[c].values;
    size_t at = 0;

    s->texts[c] = take(values, 32);
    s->offsets[c] = take(values + 1, sizeof(int32_t));
    s->offsets[c][0] = 0;
    for (size_t v = 0; v < values; v++) {
        at += (size_t)snprintf(s->texts[c] + at, 32, "value %zu of %zu", v, c);
        s->offsets[c][v + 1] = (int32_t)at;
    }
}

static void make_source(source *s)
{
    shoal_i_random random = shoal_i_random_start(1);

    for (size_t c = 0; c < COLUMNS; c++) {
        size_t width = columns[c].width;

        s->data[c] = take(s->rows, width);
        s->size += s->rows * width;
        for (size_t row = 0; row < s->rows; row++) {
            uint64_t value = shoal_i_random_below(&random, columns[c].values);

            memcpy((char *)s->data[c] + row * width, &value, width);
        }
        if (is_dictionary(c)) {
            make_dictionary(s, c);
        }
    }
}

/* --- The stream: everything is borrowed from the source but the structs. --- */

typedef struct array_parts {
    struct ArrowArray children[COLUMNS];
    struct ArrowArray dictionaries[COLUMNS];
    struct ArrowArray *pointers[COLUMNS];
    const void *buffers[COLUMNS][2];
    const void *dictionary_buffers[COLUMNS][3];
    const void *none[1];
} array_parts;

typedef struct schema_parts {
    struct ArrowSchema children[COLUMNS];
    struct ArrowSchema dictionaries[COLUMNS];
    struct ArrowSchema *pointers[COLUMNS];
    char names[COLUMNS][8];
} schema_parts;

static void release_part(struct ArrowArray *array)
{
    array->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    free(array->private_data);
    array->release = NULL;
}

static void release_schema_part(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_schema(struct ArrowSchema *schema)
{
    free(schema->private_data);
    schema->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    schema_parts *parts = calloc(1, sizeof *parts);

    (void)stream;
    for (size_t c = 0; c < COLUMNS; c++) {
        snprintf(parts->names[c], sizeof parts->names[c], "c%zu", c);
        parts->pointers[c] = &parts->children[c];
        parts->children[c] = (struct ArrowSchema){.format = columns[c].format,
                                                  .name = parts->names[c],
                                                  .release = release_schema_part};
        if (is_dictionary(c)) {
            parts->children[c].dictionary = &parts->dictionaries[c];
            parts->dictionaries[c] =
                (struct ArrowSchema){.format = "u", .release = release_schema_part};
        }
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = COLUMNS,
                                .children = parts->pointers,
                                .release = release_schema,
                                .private_data = parts};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    source *s = stream->private_data;
    size_t left = s->rows - s->next;
    size_t count = left < CHUNK ? left : CHUNK;
    array_parts *parts = calloc(1, sizeof *parts);

    for (size_t c = 0; c < COLUMNS; c++) {
        parts->pointers[c] = &parts->children[c];
        parts->buffers[c][1] = (char *)s->data[c] + s->next * columns[c].width;
        parts->children[c] = (struct ArrowArray){.length = (int64_t)count,
                                                 .n_buffers = 2,
                                                 .buffers = parts->buffers[c],
                                                 .release = release_part};
        if (is_dictionary(c)) {
            parts->dictionary_buffers[c][1] = s->offsets[c];
            parts->dictionary_buffers[c][2] = s->texts[c];
            parts->children[c].dictionary = &parts->dictionaries[c];
            parts->dictionaries[c] =
                (struct ArrowArray){.length = (int64_t)columns[c].values,
                                    .n_buffers = 3,
                                    .buffers = parts->dictionary_buffers[c],
                                    .release = release_part};
        }
    }
    *out = (struct ArrowArray){.length = (int64_t)count,
                               .n_buffers = 1,
                               .buffers = parts->none,
                               .n_children = COLUMNS,
                               .children = parts->pointers,
                               .release = release_array,
                               .private_data = parts};
    s->next += count;
    if (count == 0) {
        out->release(out);
    }
    return 0;
}

/* --- What is measured. --- */

/* memcpy of all bytes of the arrays into fresh memory, as an import must at least read them. */
static double time_copy(const source *s)
{
    double start = shoal_i_clock_seconds();

    for (size_t c = 0; c < COLUMNS; c++) {
        size_t size = s->rows * columns[c].width;
        void *copy = take(size, 1);

        memcpy(copy, s->data[c], size);
        __asm__ volatile("" : : "r"(copy) : "memory"); /* it is wanted */
        free(copy);
    }
    return shoal_i_clock_seconds() - start;
}

static double time_import(shoal_ctx *ctx, source *s, shoal_table **out)
{
    struct ArrowArrayStream stream = {.get_schema = get_schema,
                                      .get_next = get_next,
                                      .release = release_stream,
                                      .private_data = s};

    s->next = 0;
    double start = shoal_i_clock_seconds();

    if (shoal_table_import(ctx, out, &stream) != SHOAL_OK) {
        fail(shoal_ctx_error(ctx)->message);
    }
    return shoal_i_clock_seconds() - start;
}

static double time_export(shoal_ctx *ctx, const shoal_table *table, size_t rows)
{
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    size_t got = 0;
    double start = shoal_i_clock_seconds();

    if (shoal_table_export(ctx, &stream, table) != SHOAL_OK) {
        fail(shoal_ctx_error(ctx)->message);
    }
    do {
        if (stream.get_next(&stream, &array) != 0) {
            fail("the stream failed");
        }
        if (array.release) {
            got += (size_t)array.length;
            array.release(&array);
        }
    } while (got < rows);
    stream.release(&stream);
    return shoal_i_clock_seconds() - start;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    source s = {.rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000};
    int runs = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 7;

    if (s.rows < 1 || runs < 1) {
        fail("usage: bench_arrow [ROWS] [RUNS]");
    }
    make_source(&s);
    for (int threads = 1; threads <= 2; threads++) {
        shoal_ctx *ctx = shoal_ctx_new();
        double copied = 1e9;
        double imported = 1e9;
        double exported = 1e9;

        if (!ctx || shoal_ctx_set_threads(ctx, threads) != SHOAL_OK) {
            fail("no context");
        }
        for (int i = 0; i < runs; i++) {
            shoal_table *table = NULL;

            copied = least(copied, time_copy(&s));
            imported = least(imported, time_import(ctx, &s, &table));
            exported = least(exported, time_export(ctx, table, s.rows));
            shoal_table_free(table);
        }
        printf("%d thread%s  memcpy %.4f s (%.0f MB)  import %.4f s, %.1f x  export %.4f s, "
               "%.1f x\n",
               threads, threads == 1 ? " " : "s", copied, (double)s.size / 1e6, imported,
               imported / copied, exported, exported / copied);
        shoal_ctx_free(ctx);
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        free(s.data[c]);
        free(s.texts[c]);
        free(s.offsets[c]);
    }
    return 0;
}
