/* The merged rows as text, a chunk at a time. */
#include "fragments.h"

#include "../../table/table_part.h"

#include <string.h>

/* Rows of a file in memory: as many whole classes as fit or, of a class that does not, a
 * part. */
typedef struct chunk {
    const shoal_i_rows *rows;
    size_t class_bytes; /* of a row: those that tell its class */
    size_t capacity;    /* rows */
    unsigned char *bytes;
    unsigned char *last; /* row of the chunk before */
    uint64_t first;
    size_t count;
    bool continues; /* it is the rest, or a part of it, of a class that began before */
    bool may_go_on; /* it is a part of one class, which may go on behind it */
} chunk;

static shoal_status init_chunk(shoal_ctx *ctx, chunk *c, const shoal_i_fragments *f)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_rows *rows = &f->merged;
    size_t bytes = 0;

    *c = (chunk){.rows = rows, .class_bytes = f->box_size, .capacity = f->largest};
    SHOAL_TRY(shoal_i_size_mul(ctx, &bytes, c->capacity, rows->format->size));
    SHOAL_ALLOC(ctx, c->bytes, bytes);
    SHOAL_ALLOC(ctx, c->last, rows->format->size);
done:
    return st;
}

static void clear_chunk(chunk *c)
{
    free(c->bytes);
    free(c->last);
}

static const unsigned char *row_of(const chunk *c, size_t i)
{
    return c->bytes + i * c->rows->format->size;
}

static bool is_same_class(const chunk *c, size_t i, size_t j)
{
    return memcmp(row_of(c, i), row_of(c, j), c->class_bytes) == 0;
}

/* How many rows at the front go on with the class of the chunk before. */
static size_t count_continuing(const chunk *c)
{
    size_t count = 0;

    while (count < c->count && memcmp(row_of(c, count), c->last, c->class_bytes) == 0) {
        count++;
    }
    return count;
}

/* Leave the last class to the chunk after this one, unless it is the only one. */
static void leave_last_class(chunk *c)
{
    size_t end = c->count - 1;

    while (end > 0 && is_same_class(c, end - 1, c->count - 1)) {
        end--;
    }
    c->may_go_on = end == 0;
    c->count = end > 0 ? end : c->count;
}

/* The next chunk; count 0 at the end. */
static shoal_status read_chunk(shoal_ctx *ctx, chunk *c)
{
    shoal_status st = SHOAL_OK;
    bool goes_on = c->may_go_on;

    if (c->count > 0) {
        memcpy(c->last, row_of(c, c->count - 1), c->rows->format->size);
    }
    c->first += c->count;
    uint64_t left = c->rows->count - c->first;

    c->count = left < c->capacity ? (size_t)left : c->capacity;
    SHOAL_TRY(shoal_i_rows_read(ctx, c->rows, c->first, c->count, c->bytes));
    size_t continuing = goes_on ? count_continuing(c) : 0;

    c->continues = continuing > 0;
    c->may_go_on = false;
    if (c->continues) {
        c->may_go_on = continuing == c->count;
        c->count = continuing;
    } else if (c->count < left) {
        leave_last_class(c);
    }
done:
    return st;
}

shoal_status shoal_i_fragments_table_of(shoal_ctx *ctx, shoal_table **out,
                                        const shoal_i_fragments *fragments,
                                        const unsigned char *rows, size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_row_format *format = &fragments->released_format;
    const shoal_i_quasi *quasi = fragments->prepared->quasi;

    SHOAL_TRY(shoal_i_table_part(ctx, out, fragments->prepared->table, count));
    for (size_t i = 0; i < count; i++) {
        const unsigned char *row = rows + i * format->size;
        size_t field = 2 * quasi->count;

        for (size_t o = 0; o < fragments->other_count; o++) {
            shoal_i_table_part_set(*out, fragments->others[o], i,
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

/* Figures of what was written, and of the class that is being written in parts. */
typedef struct losses {
    shoal_i_loss *all;
    shoal_i_loss open;
    shoal_i_exposed *exposed;
} losses;

static shoal_status end_class(shoal_ctx *ctx, losses *l, const shoal_i_fragments *f)
{
    shoal_status st = SHOAL_OK;

    if (l->open.classes > 0) {
        SHOAL_TRY(shoal_i_loss_join(ctx, l->all, &l->open, f->prepared->quasi, f->spec->k));
    }
    shoal_i_loss_clear(&l->open);
    l->open = (shoal_i_loss){0};
done:
    return st;
}

static shoal_status add_loss(shoal_ctx *ctx, losses *l, const shoal_i_loss *lost,
                             const shoal_i_fragments *f, const chunk *c)
{
    shoal_status st = SHOAL_OK;

    if (!c->continues) {
        SHOAL_TRY(end_class(ctx, l, f));
    }
    if (c->continues || c->may_go_on) {
        SHOAL_TRY(shoal_i_loss_join_class(ctx, &l->open, lost, f->prepared->quasi));
    } else {
        SHOAL_TRY(shoal_i_loss_join(ctx, l->all, lost, f->prepared->quasi, f->spec->k));
    }
done:
    return st;
}

/* Whose the rows of a chunk are: numbers that are equal where the person is. */
static void list_persons(const shoal_i_fragments *f, const chunk *c)
{
    for (size_t i = 0; f->persons && i < c->count; i++) {
        uint32_t person = shoal_i_row_get(&f->released_format, row_of(c, i), f->person_field);

        f->persons[i] =
            person == shoal_i_fragments_nobody(f) ? person + (uint32_t)(c->first + i) : person;
    }
}

/* What of its class a chunk is. */
static shoal_i_piece find_piece(const chunk *c)
{
    return c->continues ? SHOAL_I_GOING_ON : c->may_go_on ? SHOAL_I_BEGINNING : SHOAL_I_WHOLE;
}

static shoal_status write_chunk(shoal_ctx *ctx, losses *l, const shoal_i_fragments *f,
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
        .is_guarded = f->spec->is_guarded,
        .without_header = c->first > 0,
        .roles = f->prepared->roles,
    };

    SHOAL_TRY(shoal_i_fragments_table_of(ctx, &table, f, c->bytes, c->count));
    SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &quasi, f->prepared, f->spec, table));
    SHOAL_TRY(build_release(ctx, &release, f, quasi, c));
    SHOAL_TRY(shoal_i_release_write(ctx, &row_order, release, &layout, output));
    SHOAL_TRY(shoal_i_loss_measure(ctx, &lost, release, f->spec->k));
    SHOAL_TRY(add_loss(ctx, l, &lost, f, c));
    list_persons(f, c);
    l->exposed->person_of = f->persons;
    SHOAL_TRY(shoal_i_exposed_add(ctx, l->exposed, release, find_piece(c)));
done:
    shoal_i_loss_clear(&lost);
    free(row_order);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    return st;
}

shoal_status shoal_i_fragments_write(shoal_ctx *ctx, shoal_i_loss *loss,
                                     shoal_i_exposed *exposed,
                                     const shoal_i_fragments *fragments, shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    chunk c = {0};
    losses l = {.all = loss, .exposed = exposed};

    SHOAL_TRY(init_chunk(ctx, &c, fragments));
    SHOAL_TRY(read_chunk(ctx, &c));
    while (c.count > 0) {
        SHOAL_TRY(write_chunk(ctx, &l, fragments, &c, output));
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        SHOAL_TRY(read_chunk(ctx, &c));
    }
    SHOAL_TRY(end_class(ctx, &l, fragments));
done:
    shoal_i_loss_clear(&l.open);
    clear_chunk(&c);
    return st;
}
