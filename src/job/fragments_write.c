/* The merged rows as text, and the text read back: a chunk of whole classes at a time. */
#include "fragments.h"

#include "../table/csv_spooled.h"
#include "../table/table_part.h"
#include "released.h"

#include <inttypes.h>
#include <string.h>

/* Rows of a file in memory: as many whole classes as fit. */
typedef struct chunk {
    const shoal_i_rows *rows;
    size_t class_bytes; /* of a row: those that tell its class */
    size_t capacity;    /* rows */
    unsigned char *bytes;
    uint64_t first;
    size_t count;
} chunk;

static shoal_status init_chunk(shoal_ctx *ctx, chunk *c, const shoal_i_fragments *f,
                               const shoal_i_rows *rows, size_t class_bytes)
{
    shoal_status st = SHOAL_OK;
    size_t bytes = 0;

    *c = (chunk){.rows = rows, .class_bytes = class_bytes, .capacity = f->largest};
    SHOAL_TRY(shoal_i_size_mul(ctx, &bytes, c->capacity, rows->format->size));
    SHOAL_ALLOC(ctx, c->bytes, bytes);
done:
    return st;
}

static const unsigned char *row_of(const chunk *c, size_t i)
{
    return c->bytes + i * c->rows->format->size;
}

static bool is_same_class(const chunk *c, size_t i, size_t j)
{
    return memcmp(row_of(c, i), row_of(c, j), c->class_bytes) == 0;
}

/* The next chunk; count 0 at the end. The last class is left to the chunk after this one, unless
 * the file ends. */
static shoal_status read_chunk(shoal_ctx *ctx, chunk *c)
{
    shoal_status st = SHOAL_OK;

    c->first += c->count;
    uint64_t left = c->rows->count - c->first;

    c->count = left < c->capacity ? (size_t)left : c->capacity;
    SHOAL_TRY(shoal_i_rows_read(ctx, c->rows, c->first, c->count, c->bytes));
    if (c->count == left) {
        return SHOAL_OK;
    }
    size_t end = c->count - 1;

    while (end > 0 && is_same_class(c, end - 1, c->count - 1)) {
        end--;
    }
    if (end == 0) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "A class has more than %zu records, which do not fit in the memory "
                            "allowed; allow more.",
                            c->capacity);
    }
    c->count = end;
done:
    return st;
}

/* The records behind rows first .. first + count - 1 of the merged ones, with the codes of what is
 * released of them. */
static shoal_status build_table(shoal_ctx *ctx, shoal_table **out, const shoal_i_fragments *f,
                                const unsigned char *bytes, size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_row_format *format = &f->released_format;
    const shoal_i_quasi *quasi = f->prepared->quasi;

    SHOAL_TRY(shoal_i_table_part(ctx, out, f->prepared->table, count));
    for (size_t i = 0; i < count; i++) {
        const unsigned char *row = bytes + i * format->size;
        size_t field = 2 * quasi->count;

        for (size_t o = 0; o < f->other_count; o++) {
            shoal_i_table_part_set(*out, f->others[o], i,
                                   shoal_i_row_get(format, row, field++));
        }
        for (size_t c = 0; c < quasi->count; c++) {
            shoal_i_table_part_set(*out, quasi->columns[c].column, i,
                                   shoal_i_row_get(format, row, field++));
        }
    }
done:
    return st;
}

/* --- Writing. --------------------------------------------------------------------------- */

static shoal_status build_release(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_fragments *f, const shoal_i_quasi *quasi,
                                  const chunk *c)
{
    shoal_status st = SHOAL_OK;
    shoal_i_interval *boxes = NULL;
    uint32_t *box_of = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, box_of, c->count);
    for (size_t i = 0; i < c->count; i++) {
        count += i == 0 || !is_same_class(c, i - 1, i);
        box_of[i] = (uint32_t)(count - 1);
    }
    SHOAL_ALLOC(ctx, boxes, count * quasi->count);
    for (size_t i = 0; i < c->count; i++) {
        for (size_t q = 0; q < quasi->count; q++) {
            boxes[box_of[i] * quasi->count + q] = (shoal_i_interval){
                .lo = shoal_i_row_get(&f->released_format, row_of(c, i), 2 * q),
                .hi = shoal_i_row_get(&f->released_format, row_of(c, i), 2 * q + 1)};
        }
    }
    SHOAL_TRY(shoal_i_release_from_numbered(ctx, out, quasi, boxes, count, box_of, c->count));
done:
    free(boxes);
    free(box_of);
    return st;
}

static shoal_status write_chunk(shoal_ctx *ctx, shoal_i_loss *loss, const shoal_i_fragments *f,
                                const chunk *c, shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    uint32_t *row_order = NULL;
    shoal_i_loss lost = {0};
    shoal_i_layout layout = {
        .numeric = f->spec->numeric,
        .categorical = f->spec->categorical,
        .keep_order = true, /* it is sorted already */
        .delimiter = f->spec->output_delimiter,
        .without_header = c->first > 0,
        .roles = f->prepared->roles,
    };

    SHOAL_TRY(build_table(ctx, &table, f, c->bytes, c->count));
    SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &quasi, f->prepared, f->spec, table));
    SHOAL_TRY(build_release(ctx, &release, f, quasi, c));
    SHOAL_TRY(shoal_i_release_write(ctx, &row_order, release, &layout, output));
    SHOAL_TRY(shoal_i_loss_measure(ctx, &lost, release, f->spec->k));
    SHOAL_TRY(shoal_i_loss_join(ctx, loss, &lost, f->prepared->quasi, f->spec->k));
done:
    shoal_i_loss_clear(&lost);
    free(row_order);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    return st;
}

shoal_status shoal_i_fragments_write(shoal_ctx *ctx, shoal_i_loss *loss,
                                     const shoal_i_fragments *fragments, shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    chunk c = {0};

    SHOAL_TRY(init_chunk(ctx, &c, fragments, &fragments->merged, fragments->box_size));
    SHOAL_TRY(read_chunk(ctx, &c));
    while (c.count > 0) {
        SHOAL_TRY(write_chunk(ctx, loss, fragments, &c, output));
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        SHOAL_TRY(read_chunk(ctx, &c));
    }
done:
    free(c.bytes);
    return st;
}

/* --- Verifying. ------------------------------------------------------------------------- */

/* The text of the release, coded and on disk. */
typedef struct read_back {
    const shoal_i_fragments *fragments;
    shoal_i_released released; /* without codes */
    shoal_i_row_format format;
    size_t *fields;
    shoal_i_rows rows;
    unsigned char *row;
} read_back;

static shoal_status consume(shoal_ctx *ctx, void *payload, const shoal_table *table,
                            uint32_t *const *codes, size_t count)
{
    shoal_status st = SHOAL_OK;
    read_back *b = payload;

    if (!b->row) {
        SHOAL_TRY(shoal_i_fragments_records(ctx, &b->format, &b->fields, table));
        SHOAL_ALLOC(ctx, b->row, b->format.size);
        SHOAL_TRY(shoal_i_rows_open(ctx, &b->rows, &b->format, b->fragments->folder));
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < shoal_table_column_count(table); c++) {
            if (codes[c]) {
                shoal_i_row_put(&b->format, b->row, b->fields[c], codes[c][i]);
            }
        }
        SHOAL_TRY(shoal_i_rows_add(ctx, &b->rows, b->row));
    }
done:
    return st;
}

static shoal_status read_text(shoal_ctx *ctx, read_back *b, const char *path)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = b->fragments;
    shoal_i_reading reading = {.spec = f->spec, .path = path};
    shoal_csv_options options = shoal_i_column_options(&reading, shoal_i_configure_release);
    shoal_i_csv_spooling spooling = {.folder = f->folder,
                                     .values_max = (size_t)(f->spec->memory / 2),
                                     .consume = consume,
                                     .payload = b};

    options.delimiter = f->spec->output_delimiter;
    SHOAL_TRY(shoal_i_csv_read_spooled(ctx, &b->released.table, path, &options, &spooling));
    SHOAL_TRY(shoal_i_released_list(ctx, &b->released, f->spec));
    if (b->rows.count != f->merged.count) {
        st = shoal_i_fail(ctx, SHOAL_EREJECTED,
                          "The release reads back with %" PRIu64 " records instead of %" PRIu64
                          "; nothing was written.",
                          b->rows.count, f->merged.count);
    }
done:
    return st;
}

static void join_verdict(shoal_i_verdict *all, const shoal_i_verdict *part)
{
    bool is_first = all->records == 0;

    if (is_first) {
        *all = *part;
        return;
    }
    for (size_t i = 0; i < all->count; i++) {
        shoal_i_verdict_item *item = &all->items[i];
        const shoal_i_verdict_item *other = &part->items[i];
        bool is_worse = item->requirement.kind->larger_is_safer
                            ? other->worst_figure < item->worst_figure
                            : other->worst_figure > item->worst_figure;

        item->holds = item->holds && other->holds;
        item->failing_classes += other->failing_classes;
        item->failing_records += other->failing_records;
        if (is_worse) {
            item->worst_figure = other->worst_figure;
            item->worst_class = all->classes + other->worst_class;
            item->worst_class_size = other->worst_class_size;
            item->worst_row = (size_t)all->records + other->worst_row;
        }
    }
    all->holds = all->holds && part->holds;
    all->records += part->records;
    all->classes += part->classes;
    all->smallest_class =
        part->smallest_class < all->smallest_class ? part->smallest_class : all->smallest_class;
}

/* Whether the records of a chunk lie in what was written for them. */
static shoal_status check_cover(shoal_ctx *ctx, const shoal_i_fragments *f, const chunk *c,
                                const shoal_table *text)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *parsed = NULL;
    uint32_t *row_order = NULL;
    unsigned char *bytes = NULL;

    SHOAL_ALLOC(ctx, bytes, c->count * f->released_format.size);
    SHOAL_TRY(shoal_i_rows_read(ctx, &f->merged, c->first, c->count, bytes));
    SHOAL_TRY(build_table(ctx, &table, f, bytes, c->count));
    free(bytes);
    bytes = NULL;
    SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &quasi, f->prepared, f->spec, table));
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, quasi, text));
    SHOAL_ALLOC(ctx, row_order, c->count);
    for (size_t i = 0; i < c->count; i++) {
        row_order[i] = (uint32_t)i;
    }
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, row_order));
done:
    free(bytes);
    free(row_order);
    shoal_i_release_free(parsed);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    return st;
}

static shoal_status verify_chunk(shoal_ctx *ctx, shoal_i_verdict *verdict, const read_back *b,
                                 const chunk *c)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = b->fragments;
    const shoal_table *whole = b->released.table;
    shoal_table *text = NULL;
    shoal_i_verdict part = {0};

    SHOAL_TRY(shoal_i_table_part(ctx, &text, whole, c->count));
    for (size_t i = 0; i < c->count; i++) {
        for (size_t column = 0; column < shoal_table_column_count(whole); column++) {
            if (!shoal_table_is_skipped(whole, column)) {
                shoal_i_table_part_set(
                    text, column, i,
                    shoal_i_row_get(&b->format, row_of(c, i), b->fields[column]));
            }
        }
    }
    SHOAL_TRY(shoal_i_verify(ctx, &part, text, b->released.columns, b->released.column_count,
                             &f->prepared->demands.set, NULL));
    join_verdict(verdict, &part);
    SHOAL_TRY(check_cover(ctx, f, c, text));
done:
    shoal_table_free(text);
    return st;
}

static void clear_read_back(read_back *b)
{
    shoal_i_released_clear(&b->released);
    shoal_i_rows_clear(&b->rows);
    shoal_i_row_format_clear(&b->format);
    free(b->fields);
    free(b->row);
}

shoal_status shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                      const shoal_i_fragments *fragments, const char *path)
{
    shoal_status st = SHOAL_OK;
    read_back b = {.fragments = fragments};
    chunk c = {0};

    *verdict = (shoal_i_verdict){0};
    SHOAL_TRY(read_text(ctx, &b, path));
    SHOAL_TRY(init_chunk(ctx, &c, fragments, &b.rows, b.format.size));
    SHOAL_TRY(read_chunk(ctx, &c));
    while (c.count > 0) {
        SHOAL_TRY(verify_chunk(ctx, verdict, &b, &c));
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        SHOAL_TRY(read_chunk(ctx, &c));
    }
    if (!verdict->holds) {
        st =
            shoal_i_fail(ctx, SHOAL_EREJECTED,
                         "The verifier found classes that do not meet the requirement; nothing "
                         "was written. This is a defect of the method, please report it.");
    }
done:
    free(c.bytes);
    clear_read_back(&b);
    return st;
}
