/* generate.c -- synthetic tables, made in blocks by all threads and written in order.
 *
 * A batch of blocks is filled in parallel, then written; memory is that of one batch whatever
 * the number of records. Record i is drawn from the stream number i below the seed, so neither
 * blocks nor threads show in the result.
 */
#include <shoal/generate.h>

#include <shoal/csv.h>

#include "generate_record.h"

#include "../../base/buffer.h"
#include "../../base/entry.h"
#include "../../base/fail.h"
#include "../../base/file.h"
#include "../../base/pool.h"
#include "../../base/sized.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* XU's attributes are whole numbers from 1 to this. */
enum { VALUES = 16, DIMENSIONS_MAX = 1024, DIMENSIONS_STANDARD = 4, PAYMENTS_STANDARD = 24 };
#define SIGMA_STANDARD 1.0
/* A wider bell is flat over 1..16, and nearly every draw would fall outside. */
#define SIGMA_MAX 100.0

#define RECORDS_MAX UINT64_C(1000000000000)
/* Of a table in memory: 16 GiB, some 200 million people. */
#define TEXT_MAX ((size_t)1 << (sizeof(size_t) > 4 ? 34 : 30))

enum { BATCH_BLOCKS = 16 };
#define BLOCK_BYTES ((size_t)1 << 20)

typedef struct block {
    char *bytes;
    size_t size;
} block;

typedef struct generator {
    shoal_generate_options options;
    shoal_i_census *census; /* NULL for the other kinds */
    size_t record_max;      /* bytes that writing a record may touch */
    uint64_t block_records;
    uint64_t done; /* records of earlier batches */
    block blocks[BATCH_BLOCKS];
} generator;

static const char *const kind_names[] = {
    [SHOAL_GENERATE_UNIFORM] = "uniform",
    [SHOAL_GENERATE_GAUSSIAN] = "gaussian",
    [SHOAL_GENERATE_CENSUS] = "census",
    [SHOAL_GENERATE_PAYMENTS] = "payments",
};

enum { KINDS = sizeof kind_names / sizeof *kind_names };

bool shoal_generate_kind_find(shoal_generate_kind *out, const char *name)
{
    for (int kind = 0; kind < KINDS; kind++) {
        if (strcmp(name, kind_names[kind]) == 0) {
            *out = (shoal_generate_kind)kind;
            return true;
        }
    }
    return false;
}

char *shoal_i_generate_put_number(char *out, uint32_t number)
{
    char digits[10];
    size_t count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *out++ = digits[--count];
    }
    return out;
}

/* --- Records. ----------------------------------------------------------------------------- */

static uint32_t draw_uniform(shoal_i_random *random)
{
    return 1 + shoal_i_random_u32(random) % VALUES; /* a power of two: no bias */
}

static uint32_t draw_gaussian(shoal_i_random *random, double sigma)
{
    for (;;) {
        double x = floor((1 + VALUES) / 2.0 + sigma * shoal_i_random_normal(random) + 0.5);

        if (x >= 1.0 && x <= VALUES) {
            return (uint32_t)x;
        }
    }
}

static char *write_numbers(const shoal_generate_options *options, shoal_i_random *random,
                           char *out)
{
    for (unsigned i = 0; i < options->dimensions; i++) {
        uint32_t number = options->kind == SHOAL_GENERATE_UNIFORM
                              ? draw_uniform(random)
                              : draw_gaussian(random, options->sigma);

        out = shoal_i_generate_put_number(out, number);
        *out++ = ',';
    }
    out[-1] = '\n';
    return out;
}

static char *write_record(const generator *g, uint64_t record, char *out)
{
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(g->options.seed, record));

    switch (g->options.kind) {
    case SHOAL_GENERATE_CENSUS:
        return shoal_i_census_write(g->census, &random, out);
    case SHOAL_GENERATE_PAYMENTS:
        return shoal_i_payments_write(g->options.dimensions, &random, out);
    default:
        return write_numbers(&g->options, &random, out);
    }
}

/* --- Blocks. ------------------------------------------------------------------------------ */

static shoal_status fill_block(shoal_ctx *ctx, void *payload, size_t index)
{
    generator *g = payload;
    block *b = &g->blocks[index];
    uint64_t first = g->done + index * g->block_records;
    uint64_t left = g->options.records - first;
    uint64_t end = first + (left < g->block_records ? left : g->block_records);
    char *out = b->bytes;

    for (uint64_t record = first; record < end; record++) {
        out = write_record(g, record, out);
        assert((size_t)(out - b->bytes) <= (record - first + 1) * g->record_max);
    }
    b->size = (size_t)(out - b->bytes);
    return shoal_i_check_cancelled(ctx);
}

/* Where the text goes: a file, or memory. */
typedef struct sink {
    shoal_i_output *output; /* NULL: memory */
    shoal_i_buffer text;
} sink;

static shoal_status put_bytes(shoal_ctx *ctx, sink *to, const char *bytes, size_t size)
{
    if (to->output) {
        return shoal_i_output_write(ctx, to->output, bytes, size);
    }
    shoal_i_buffer_put(&to->text, bytes, size);
    return shoal_i_buffer_status(&to->text);
}

char *shoal_i_generate_put_name(const shoal_generate_options *options, unsigned column,
                                char *out)
{
    if (options->kind == SHOAL_GENERATE_PAYMENTS) {
        return shoal_i_payments_name(column, out);
    }
    *out++ = 'A';
    return shoal_i_generate_put_number(out, column + 1);
}

static shoal_status write_header(shoal_ctx *ctx, const generator *g, sink *to)
{
    char line[(size_t)DIMENSIONS_MAX * SHOAL_I_GENERATE_NAME_MAX];
    char *out = line;

    if (g->census) {
        return put_bytes(ctx, to, shoal_i_census_header, strlen(shoal_i_census_header));
    }
    for (unsigned i = 0; i < g->options.dimensions; i++) {
        if (i > 0) {
            *out++ = ',';
        }
        out = shoal_i_generate_put_name(&g->options, i, out);
    }
    *out++ = '\n';
    return put_bytes(ctx, to, line, (size_t)(out - line));
}

static shoal_status write_batch(shoal_ctx *ctx, generator *g, sink *to)
{
    shoal_status st = SHOAL_OK;
    uint64_t left = g->options.records - g->done;
    uint64_t blocks = (left + g->block_records - 1) / g->block_records;
    size_t count = blocks < BATCH_BLOCKS ? (size_t)blocks : BATCH_BLOCKS;

    SHOAL_TRY(shoal_i_parallel_for(ctx, count, fill_block, g));
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(put_bytes(ctx, to, g->blocks[i].bytes, g->blocks[i].size));
    }
    g->done += left < count * g->block_records ? left : count * g->block_records;
done:
    return st;
}

static shoal_status write_table(shoal_ctx *ctx, generator *g, sink *to)
{
    shoal_status st = SHOAL_OK;
    shoal_i_meter meter = {.stage = "generate", .total = g->options.records};

    SHOAL_TRY(write_header(ctx, g, to));
    while (g->done < g->options.records) {
        uint64_t before = g->done;

        SHOAL_TRY(write_batch(ctx, g, to));
        SHOAL_TRY(shoal_i_meter_add(ctx, &meter, g->done - before));
    }
done:
    return st;
}

/* --- The calls. --------------------------------------------------------------------------- */

static shoal_status check_options(shoal_ctx *ctx, const shoal_generate_options *options)
{
    if ((int)options->kind < 0 || (int)options->kind >= KINDS) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The kind of table must be uniform, gaussian, census or payments.");
    }
    if (options->records == 0 || options->records > RECORDS_MAX) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The number of records must be from 1 to 10^12.");
    }
    if (options->dimensions > DIMENSIONS_MAX) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "The dimensions must be from 1 to %d; got %u.",
                            DIMENSIONS_MAX, options->dimensions);
    }
    if (!(options->sigma >= 0.0 && options->sigma <= SIGMA_MAX)) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The standard deviation sigma must be above 0 and at most %g; got %g.", SIGMA_MAX,
            options->sigma);
    }
    return SHOAL_OK;
}

shoal_status shoal_i_generate_take_options(shoal_ctx *ctx, shoal_generate_options *options,
                                           const shoal_generate_options *asked)
{
    shoal_status st = SHOAL_OK;

    *options = (shoal_generate_options)SHOAL_GENERATE_OPTIONS_INIT;
    SHOAL_TRY(
        shoal_i_sized_take(ctx, options, sizeof *options, asked, "shoal_generate_options"));
    SHOAL_TRY(check_options(ctx, options));
    if (options->dimensions == 0) {
        options->dimensions =
            options->kind == SHOAL_GENERATE_PAYMENTS ? PAYMENTS_STANDARD : DIMENSIONS_STANDARD;
    }
    if (options->sigma == 0.0) {
        options->sigma = SIGMA_STANDARD;
    }
done:
    return st;
}

static shoal_status start_generator(shoal_ctx *ctx, generator *g,
                                    const shoal_generate_options *asked)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_generate_take_options(ctx, &g->options, asked));
    if (g->options.kind == SHOAL_GENERATE_CENSUS) {
        SHOAL_TRY(shoal_i_census_new(ctx, &g->census));
        g->record_max = SHOAL_I_CENSUS_RECORD_MAX;
    } else if (g->options.kind == SHOAL_GENERATE_PAYMENTS) {
        g->record_max = (size_t)g->options.dimensions * SHOAL_I_PAYMENTS_FIELD_MAX;
    } else {
        g->record_max = (size_t)g->options.dimensions * 3; /* two digits and a comma */
    }
    g->block_records = BLOCK_BYTES / g->record_max;
    for (size_t i = 0; i < BATCH_BLOCKS; i++) {
        g->blocks[i].bytes = shoal_i_alloc_raw(ctx, BLOCK_BYTES, 1);
        if (!g->blocks[i].bytes) {
            return SHOAL_ENOMEM;
        }
    }
done:
    return st;
}

static void clear_generator(generator *g)
{
    for (size_t i = 0; i < BATCH_BLOCKS; i++) {
        free(g->blocks[i].bytes);
    }
    shoal_i_census_free(g->census);
}

shoal_status shoal_generate(shoal_ctx *ctx, const char *path,
                            const shoal_generate_options *options)
{
    SHOAL_ENTER(ctx, path, options);
    shoal_status st = SHOAL_OK;
    generator g = {0};
    sink to = {0};

    SHOAL_TRY(start_generator(ctx, &g, options));
    SHOAL_TRY(shoal_i_output_open(ctx, &to.output, path));
    SHOAL_TRY(write_table(ctx, &g, &to));
    SHOAL_TRY(shoal_i_output_publish(ctx, to.output));
done:
    shoal_i_output_free(to.output);
    clear_generator(&g);
    return st;
}

/* By way of the text, so that types and values are those of the file by construction. */
shoal_status shoal_generate_table(shoal_ctx *ctx, shoal_table **out,
                                  const shoal_generate_options *options)
{
    SHOAL_ENTER_FOR(ctx, out, options);
    shoal_status st = SHOAL_OK;
    generator g = {0};
    sink to = {0};

    shoal_i_buffer_init(&to.text, ctx, TEXT_MAX);
    SHOAL_TRY(start_generator(ctx, &g, options));
    SHOAL_TRY(write_table(ctx, &g, &to));
    clear_generator(&g);
    g = (generator){0};
    SHOAL_TRY(shoal_csv_read_memory(ctx, out, to.text.data, to.text.size, "", NULL));
done:
    shoal_i_buffer_clear(&to.text);
    clear_generator(&g);
    return st;
}
