#include <shoal/arrow.h>

#include "../../base/entry.h"
#include "../../base/pool.h"
#include "../../base/text.h"
#include "../table_origin.h"
#include "arrow_coder.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>

#define COLUMNS_MAX 65536
#define ROWS_MAX (UINT32_MAX - 1)

/* Arrays are collected until they are worth waking threads for. */
#define BATCH_ROWS ((size_t)1 << 18)
#define BATCH_ARRAYS 256
#define CELLS_MIN 16384 /* fewer are coded by the calling thread alone */

typedef struct importing {
    struct ArrowArrayStream *stream;
    struct ArrowSchema schema;
    size_t column_count;
    shoal_table *table;
    shoal_i_arrow_coder *coders;
    struct ArrowArray arrays[BATCH_ARRAYS]; /* of the batch at hand */
    size_t array_count;
    struct ArrowArray previous; /* the last of the batch before, where there are dictionaries */
    bool has_dictionaries;
    size_t batch_rows;
    size_t row_count; /* of all arrays so far */
} importing;

/* --- What a producer hands over, released once. --- */

static void release_schema(struct ArrowSchema *schema)
{
    if (schema->release) {
        schema->release(schema);
    }
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    if (array->release) {
        array->release(array);
    }
    array->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    if (stream->release) {
        stream->release(stream);
    }
    stream->release = NULL;
}

/* The last array is kept until the next batch is coded: as long as both are alive, equal
 * addresses mean that they share a dictionary. */
static void release_batch(importing *im)
{
    release_array(&im->previous);
    if (im->has_dictionaries && im->array_count > 0) {
        im->previous = im->arrays[--im->array_count];
    }
    for (size_t i = 0; i < im->array_count; i++) {
        release_array(&im->arrays[i]);
    }
    im->array_count = 0;
    im->batch_rows = 0;
}

/* A callback of the producer returned an error. */
static shoal_status fail_stream(shoal_ctx *ctx, const importing *im, int code, const char *what)
{
    struct ArrowArrayStream *stream = im->stream;
    const char *words = NULL;
    size_t at;

    if (code == ENOMEM) {
        return shoal_i_fail(ctx, SHOAL_ENOMEM,
                            "The producer of the stream ran out of memory while %s.", what);
    }
    if (ctx->show_values && stream->get_last_error) {
        words = stream->get_last_error(stream);
    }
    if (words && words[0] && shoal_i_text_is_utf8(&at, words, strlen(words))) {
        return shoal_i_fail(
            ctx, SHOAL_EIO,
            "The producer of the stream failed with code %d while %s: \"%.600s\".", code, what,
            words);
    }
    return shoal_i_fail(ctx, SHOAL_EIO,
                        "The producer of the stream failed with code %d while %s; its own "
                        "words are shown only together with values.",
                        code, what);
}

/* --- The schema. --- */

static shoal_status fail_column(shoal_ctx *ctx, const importing *im, shoal_status status,
                                int64_t record, size_t column, const char *problem)
{
    return shoal_i_fail_at(ctx, status, record, (int64_t)column, "Column \"%.200s\" %s.",
                           im->table->columns[column].name, problem);
}

static shoal_status find_type(shoal_ctx *ctx, const importing *im, shoal_i_arrow_type *out,
                              size_t column, const struct ArrowSchema *schema)
{
    if (!schema->format) {
        return fail_column(ctx, im, SHOAL_EFORMAT, -1, column, "has no type");
    }
    if (shoal_i_arrow_type_find(out, schema->format)) {
        return SHOAL_OK;
    }
    return shoal_i_fail_at(ctx, SHOAL_EUNSUPPORTED, -1, (int64_t)column,
                           "Column \"%.200s\" has the Arrow type %s (\"%.20s\"), which no "
                           "column of a table can have; leave it out or cast it to text.",
                           im->table->columns[column].name,
                           shoal_i_arrow_format_name(schema->format), schema->format);
}

/* The type of a column, and what it is to remember. */
static shoal_status read_type(shoal_ctx *ctx, importing *im, size_t column)
{
    shoal_status st = SHOAL_OK;
    const struct ArrowSchema *schema = im->schema.children[column];
    const struct ArrowSchema *values = schema->dictionary;
    shoal_i_arrow_coder *coder = &im->coders[column];
    shoal_i_column *to = &im->table->columns[column];
    char *origin = NULL;

    if (!values) {
        SHOAL_TRY(find_type(ctx, im, &coder->type, column, schema));
        SHOAL_TRY(shoal_i_column_set_origin(ctx, to, schema->format));
        goto done;
    }
    SHOAL_TRY(find_type(ctx, im, &coder->index_type, column, schema));
    SHOAL_TRY(find_type(ctx, im, &coder->type, column, values));
    if (coder->index_type.kind != SHOAL_I_ARROW_INTEGER || values->dictionary) {
        st = fail_column(ctx, im, SHOAL_EFORMAT, -1, column,
                         "is a dictionary whose indices are no integers, or whose values are a "
                         "dictionary again");
        goto done;
    }
    coder->has_entries = true;
    im->has_dictionaries = true;
    size_t size = strlen(schema->format) + 1 + strlen(values->format) + 1;

    SHOAL_ALLOC(ctx, origin, size);
    snprintf(origin, size, "%s>%s", schema->format, values->format);
    SHOAL_TRY(shoal_i_column_set_origin(ctx, to, origin));
done:
    free(origin);
    return st;
}

static shoal_status read_name(shoal_ctx *ctx, importing *im, size_t column)
{
    const struct ArrowSchema *schema = im->schema.children[column];
    size_t at;

    if (!schema || !schema->release) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, -1, (int64_t)column,
                               "Column %zu of the stream has a schema that is empty or was "
                               "released.",
                               column + 1);
    }
    if (!schema->name || !shoal_i_text_is_utf8(&at, schema->name, strlen(schema->name))) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, -1, (int64_t)column,
                               "Column %zu of the stream has no name in valid UTF-8; every "
                               "column needs one.",
                               column + 1);
    }
    return shoal_i_table_set_name(ctx, im->table, column, schema->name, strlen(schema->name));
}

static shoal_status check_schema(shoal_ctx *ctx, importing *im)
{
    const struct ArrowSchema *schema = &im->schema;

    if (!schema->release) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT, "The stream gave a schema that was released.");
    }
    if (!schema->format || strcmp(schema->format, "+s") != 0) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT,
                            "A stream of records is expected, whose arrays are structs; got "
                            "one of single values. Put the values into a table.");
    }
    if (schema->n_children < 1 || !schema->children) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT, "The stream has no columns.");
    }
    if (schema->n_children > COLUMNS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "The stream has more than %d columns.",
                            COLUMNS_MAX);
    }
    im->column_count = (size_t)schema->n_children;
    return SHOAL_OK;
}

static shoal_status read_schema(shoal_ctx *ctx, importing *im)
{
    shoal_status st = SHOAL_OK;
    int code = im->stream->get_schema(im->stream, &im->schema);

    if (code != 0) {
        im->schema.release = NULL; /* what it holds after an error is not said */
        return fail_stream(ctx, im, code, "telling its columns");
    }
    SHOAL_TRY(check_schema(ctx, im));
    SHOAL_TRY(shoal_i_table_new(ctx, &im->table, "", im->column_count));
    SHOAL_ALLOC(ctx, im->coders, im->column_count);
    for (size_t c = 0; c < im->column_count; c++) {
        SHOAL_TRY(read_name(ctx, im, c));
    }
    SHOAL_TRY(shoal_i_table_check_names(ctx, im->table, SHOAL_EFORMAT));
    SHOAL_TRY(shoal_i_table_index_names(ctx, im->table));
    for (size_t c = 0; c < im->column_count; c++) {
        SHOAL_TRY(read_type(ctx, im, c));
    }
done:
    return st;
}

/* --- Arrays. --- */

/* The validity of the records of an array of structs; NULL: all are there. */
static const uint8_t *find_records(const struct ArrowArray *array)
{
    return array->n_buffers > 0 && array->buffers ? array->buffers[0] : NULL;
}

/* Views of a column's array and of its dictionary; what is wrong with them, or NULL. */
static const char *open_views(shoal_i_arrow_view *view, shoal_i_arrow_view *entries,
                              const shoal_i_arrow_coder *coder, const struct ArrowArray *array)
{
    const shoal_i_arrow_type *type = coder->has_entries ? &coder->index_type : &coder->type;
    const char *problem = shoal_i_arrow_view_open(view, type, array);

    if (problem || !coder->has_entries) {
        return problem;
    }
    if (!array->dictionary || !array->dictionary->release) {
        return "has an array without its dictionary";
    }
    /* Before it is opened, which may read its last offset. */
    if (array->dictionary->length > UINT32_MAX) {
        return "has a dictionary of more than 2^32 - 1 entries";
    }
    return shoal_i_arrow_view_open(entries, &coder->type, array->dictionary);
}

static shoal_status check_child(shoal_ctx *ctx, const importing *im,
                                const struct ArrowArray *array, size_t column)
{
    const struct ArrowArray *child = array->children[column];
    int64_t record = (int64_t)im->row_count;
    shoal_i_arrow_view view;
    shoal_i_arrow_view entries;

    if (!child || !child->release) {
        return fail_column(ctx, im, SHOAL_EFORMAT, record, column,
                           "has an array that is empty or was released");
    }
    const char *problem = open_views(&view, &entries, &im->coders[column], child);

    if (problem) {
        return fail_column(ctx, im, SHOAL_EFORMAT, record, column, problem);
    }
    /* Both are not negative, and their sum was checked. */
    if (child->length < array->offset + array->length) {
        return fail_column(ctx, im, SHOAL_EFORMAT, record, column,
                           "has an array that is shorter than the array of records");
    }
    return SHOAL_OK;
}

/* All that can be checked before the values are looked at. */
static shoal_status check_array(shoal_ctx *ctx, const importing *im,
                                const struct ArrowArray *array)
{
    shoal_status st = SHOAL_OK;
    int64_t record = (int64_t)im->row_count;

    if (array->length < 0 || array->offset < 0 || array->offset > INT64_MAX - array->length ||
        array->null_count < -1 || array->null_count > array->length) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, record, -1,
                               "The stream gave an array whose length, offset or number of "
                               "missing values cannot be.");
    }
    if (array->n_children != (int64_t)im->column_count || !array->children) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, record, -1,
                               "The stream gave an array with another number of columns than "
                               "its schema, which has %zu.",
                               im->column_count);
    }
    if ((uint64_t)array->length > ROWS_MAX - im->row_count) {
        return shoal_i_fail_at(ctx, SHOAL_ELIMIT, record, -1,
                               "The stream has more than %u records, the most that a table "
                               "can have.",
                               ROWS_MAX);
    }
    if (array->null_count > 0 && !find_records(array)) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, record, -1,
                               "The stream gave an array that tells of missing records, but "
                               "not which ones.");
    }
    for (size_t c = 0; c < im->column_count; c++) {
        SHOAL_TRY(check_child(ctx, im, array, c));
    }
done:
    return st;
}

/* Whether two dictionaries, both alive, are the same memory. */
static bool is_same_array(const struct ArrowArray *a, const struct ArrowArray *b)
{
    return a->length == b->length && a->offset == b->offset && a->n_buffers == b->n_buffers &&
           a->n_buffers > 0 &&
           memcmp(a->buffers, b->buffers, (size_t)a->n_buffers * sizeof *a->buffers) == 0;
}

static bool has_same_dictionary(const importing *im, size_t array, size_t column)
{
    const struct ArrowArray *before = array > 0 ? &im->arrays[array - 1] : &im->previous;

    return im->coders[column].has_entries && before->release &&
           is_same_array(im->arrays[array].children[column]->dictionary,
                         before->children[column]->dictionary);
}

/* Add the arrays of the batch to one column. */
static shoal_status code_column(shoal_ctx *ctx, void *payload, size_t column)
{
    shoal_status st = SHOAL_OK;
    importing *im = payload;
    shoal_i_arrow_coder *coder = &im->coders[column];

    for (size_t i = 0; i < im->array_count && !coder->fault; i++) {
        const struct ArrowArray *array = &im->arrays[i];
        shoal_i_arrow_view view;
        shoal_i_arrow_view entries;
        shoal_i_arrow_piece piece = {.view = &view,
                                     .entries = &entries,
                                     .is_same_dictionary = has_same_dictionary(im, i, column),
                                     .first = (size_t)array->offset,
                                     .count = (size_t)array->length,
                                     .records = find_records(array),
                                     .records_offset = (size_t)array->offset};
        const char *problem = open_views(&view, &entries, coder, array->children[column]);

        assert(!problem);
        (void)problem;
        SHOAL_TRY(shoal_i_arrow_code(ctx, coder, &piece));
    }
done:
    return st;
}

static shoal_status check_faults(shoal_ctx *ctx, const importing *im)
{
    const shoal_i_arrow_coder *first = NULL;

    for (size_t c = 0; c < im->column_count; c++) {
        const shoal_i_arrow_coder *coder = &im->coders[c];

        if (coder->fault && (!first || coder->fault_row < first->fault_row)) {
            first = coder;
        }
    }
    return first ? fail_column(ctx, im, SHOAL_EFORMAT, (int64_t)first->fault_row,
                               (size_t)(first - im->coders),
                               shoal_i_arrow_fault_text(first->fault))
                 : SHOAL_OK;
}

/* Run a body for every column, on all threads where there is enough to do. */
static shoal_status for_columns(shoal_ctx *ctx, importing *im, size_t rows,
                                shoal_i_body_fn body)
{
    shoal_status st = SHOAL_OK;

    if (rows >= CELLS_MIN / im->column_count) {
        return shoal_i_parallel_for(ctx, im->column_count, body, im);
    }
    for (size_t c = 0; c < im->column_count; c++) {
        SHOAL_TRY(body(ctx, im, c));
    }
done:
    return st;
}

/* Code the batch and release it. */
static shoal_status code_batch(shoal_ctx *ctx, importing *im)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_progress(ctx, "read", 0));
    SHOAL_TRY(for_columns(ctx, im, im->batch_rows, code_column));
    SHOAL_TRY(check_faults(ctx, im));
done:
    release_batch(im);
    return st;
}

/* The next array, checked, at the end of the batch; *is_end when there was none. */
static shoal_status take_array(shoal_ctx *ctx, importing *im, bool *is_end)
{
    shoal_status st = SHOAL_OK;
    struct ArrowArray *array = &im->arrays[im->array_count];

    *array = (struct ArrowArray){0};
    int code = im->stream->get_next(im->stream, array);

    *is_end = false;
    if (code != 0) {
        return fail_stream(ctx, im, code, "giving the next records");
    }
    if (!array->release) {
        *is_end = true;
        return SHOAL_OK;
    }
    st = check_array(ctx, im, array);
    if (st != SHOAL_OK) {
        release_array(array);
        return st;
    }
    im->array_count++;
    im->batch_rows += (size_t)array->length;
    im->row_count += (size_t)array->length;
    return SHOAL_OK;
}

static shoal_status read_arrays(shoal_ctx *ctx, importing *im)
{
    shoal_status st = SHOAL_OK;
    bool is_end = false;

    while (!is_end) {
        shoal_status taken = take_array(ctx, im, &is_end);
        shoal_error error = ctx->error;
        bool is_full = im->array_count == BATCH_ARRAYS || im->batch_rows >= BATCH_ROWS;

        /* What came before a failure comes first, if it is wrong as well. */
        if (is_full || is_end || taken != SHOAL_OK) {
            SHOAL_TRY(code_batch(ctx, im));
        }
        if (taken != SHOAL_OK) {
            ctx->error = error;
            st = taken;
            goto done;
        }
    }
done:
    release_batch(im); /* with the one that was kept */
    return st;
}

static shoal_status finish_column(shoal_ctx *ctx, void *payload, size_t column)
{
    const importing *im = payload;

    return shoal_i_arrow_finish(ctx, &im->coders[column], &im->table->columns[column]);
}

static void clear_importing(importing *im)
{
    for (size_t c = 0; im->coders && c < im->column_count; c++) {
        shoal_i_arrow_coder_clear(&im->coders[c]);
    }
    free(im->coders);
    shoal_table_free(im->table);
    release_schema(&im->schema);
    release_stream(im->stream);
}

shoal_status shoal_table_import(shoal_ctx *ctx, shoal_table **out,
                                struct ArrowArrayStream *stream)
{
    shoal_status st = SHOAL_OK;
    importing *im = NULL;

    SHOAL_ENTER_FOR(ctx, out, stream);
    if (!stream->release) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "There is no stream to read, or it was read and released before.");
    }
    im = shoal_i_alloc(ctx, 1, sizeof *im);
    if (!im) {
        release_stream(stream);
        return SHOAL_ENOMEM;
    }
    im->stream = stream;
    if (!stream->get_schema || !stream->get_next) {
        st = shoal_i_fail(ctx, SHOAL_EINVAL, "The stream lacks a function of its interface.");
        goto done;
    }
    SHOAL_TRY(read_schema(ctx, im));
    SHOAL_TRY(read_arrays(ctx, im));
    im->table->row_count = im->row_count;
    SHOAL_TRY(for_columns(ctx, im, im->row_count, finish_column));
    SHOAL_TRY(shoal_i_progress(ctx, "read", 1));
    *out = im->table;
    im->table = NULL;
done:
    clear_importing(im);
    free(im);
    return st;
}
