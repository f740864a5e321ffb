#include "arrow_export.h"

#include "../../base/entry.h"
#include "../../base/pool.h"
#include "../table_hold.h"
#include "arrow_leave.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* What a stream, its schemas and its arrays have in common. Each of them counts, since a
 * consumer may release them in any order, and the parts of an array apart from each other. */
typedef struct exporting {
    uint32_t references; /* atomic */
    const shoal_table *table;
    size_t row_count;
    size_t column_count; /* those that leave */
    shoal_i_leaving *columns;
} exporting;

typedef struct stream_data {
    exporting *source;
    size_t next_row;
    size_t batch_rows;
    shoal_ctx ctx; /* for memory and the last error; without threads */
} stream_data;

static exporting *hold(exporting *source)
{
    __atomic_add_fetch(&source->references, 1, __ATOMIC_RELAXED);
    return source;
}

static void drop(exporting *source)
{
    if (!source || __atomic_sub_fetch(&source->references, 1, __ATOMIC_ACQ_REL) > 0) {
        return;
    }
    for (size_t c = 0; source->columns && c < source->column_count; c++) {
        shoal_i_leaving_clear(&source->columns[c]);
    }
    free(source->columns);
    shoal_i_table_drop(source->table);
    free(source);
}

/* --- Schemas. A schema of a column has a block of its own: whoever moves it out of its parent
 * releases it alone. --- */

typedef struct schema_data {
    exporting *source;
    struct ArrowSchema dictionary;
} schema_data;

typedef struct schema_root {
    exporting *source;
    struct ArrowSchema **children;
    struct ArrowSchema *columns; /* to which these point */
} schema_root;

static void end_schema(struct ArrowSchema *schema)
{
    if (schema->release) {
        schema->release(schema);
    }
}

static void release_values_schema(struct ArrowSchema *schema)
{
    drop(schema->private_data);
    schema->release = NULL;
}

static void release_column_schema(struct ArrowSchema *schema)
{
    schema_data *data = schema->private_data;

    end_schema(&data->dictionary);
    drop(data->source);
    free(data);
    schema->release = NULL;
}

static void release_root_schema(struct ArrowSchema *schema)
{
    schema_root *root = schema->private_data;

    for (int64_t i = 0; i < schema->n_children; i++) {
        end_schema(schema->children[i]);
    }
    drop(root->source);
    free(root->children);
    free(root->columns);
    free(root);
    schema->release = NULL;
}

static shoal_status fill_column_schema(shoal_ctx *ctx, struct ArrowSchema *out,
                                       exporting *source, const shoal_i_leaving *leaving)
{
    shoal_status st = SHOAL_OK;
    schema_data *data = NULL;

    SHOAL_ALLOC(ctx, data, 1);
    data->source = hold(source);
    *out = (struct ArrowSchema){.format = leaving->format,
                                .name = leaving->column.name,
                                .flags = ARROW_FLAG_NULLABLE,
                                .release = release_column_schema,
                                .private_data = data};
    if (leaving->values_format) {
        data->dictionary = (struct ArrowSchema){.format = leaving->values_format,
                                                .name = "",
                                                .flags = ARROW_FLAG_NULLABLE,
                                                .release = release_values_schema,
                                                .private_data = hold(source)};
        out->dictionary = &data->dictionary;
    }
done:
    return st;
}

static shoal_status fill_schema(shoal_ctx *ctx, struct ArrowSchema *out, exporting *source)
{
    shoal_status st = SHOAL_OK;
    struct ArrowSchema schema = {.format = "+s", .name = "", .release = release_root_schema};
    schema_root *root = NULL;

    SHOAL_ALLOC(ctx, root, 1);
    schema.private_data = root;
    root->source = hold(source);
    SHOAL_ALLOC(ctx, root->children, source->column_count);
    SHOAL_ALLOC(ctx, root->columns, source->column_count);
    schema.children = root->children;
    for (size_t c = 0; c < source->column_count; c++) {
        root->children[c] = &root->columns[c];
        schema.n_children++;
        SHOAL_TRY(fill_column_schema(ctx, &root->columns[c], source, &source->columns[c]));
    }
    *out = schema;
    root = NULL;
done:
    if (root) {
        release_root_schema(&schema);
    }
    return st;
}

/* --- Arrays, in the same way. --- */

typedef struct array_data {
    exporting *source;
    shoal_i_leaving_array array;
    struct ArrowArray dictionary;
} array_data;

typedef struct array_root {
    struct ArrowArray **children;
    struct ArrowArray *columns;
    const void *buffers[1]; /* no validity: every record is there */
} array_root;

static void end_array(struct ArrowArray *array)
{
    if (array->release) {
        array->release(array);
    }
}

static void release_values(struct ArrowArray *array)
{
    drop(array->private_data);
    array->release = NULL;
}

static void free_array_data(array_data *data)
{
    for (size_t i = 0; i < sizeof data->array.owned / sizeof *data->array.owned; i++) {
        free(data->array.owned[i]);
    }
    drop(data->source);
    free(data);
}

static void release_column(struct ArrowArray *array)
{
    array_data *data = array->private_data;

    end_array(&data->dictionary);
    free_array_data(data);
    array->release = NULL;
}

static void release_root(struct ArrowArray *array)
{
    array_root *root = array->private_data;

    for (int64_t i = 0; i < array->n_children; i++) {
        end_array(array->children[i]);
    }
    free(root->children);
    free(root->columns);
    free(root);
    array->release = NULL;
}

/* The values of a dictionary: the same memory in every array. */
static struct ArrowArray share_values(exporting *source, shoal_i_leaving *leaving)
{
    return (struct ArrowArray){.length = leaving->column.value_count,
                               .n_buffers = leaving->value_buffer_count,
                               .buffers = leaving->value_buffers,
                               .release = release_values,
                               .private_data = hold(source)};
}

static shoal_status fill_column(shoal_ctx *ctx, struct ArrowArray *out, exporting *source,
                                shoal_i_leaving *leaving, size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    array_data *data = NULL;

    SHOAL_ALLOC(ctx, data, 1);
    data->source = hold(source);
    SHOAL_TRY(shoal_i_leaving_gather(ctx, &data->array, leaving, first, count));
    *out = (struct ArrowArray){.length = (int64_t)count,
                               .null_count = data->array.null_count,
                               .n_buffers = data->array.buffer_count,
                               .buffers = data->array.buffers,
                               .release = release_column,
                               .private_data = data};
    if (leaving->values_format) {
        data->dictionary = share_values(source, leaving);
        out->dictionary = &data->dictionary;
    }
    data = NULL;
done:
    if (data) {
        free_array_data(data);
    }
    return st;
}

static shoal_status fill_array(shoal_ctx *ctx, struct ArrowArray *out, exporting *source,
                               size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    struct ArrowArray array = {
        .length = (int64_t)count, .n_buffers = 1, .release = release_root};
    array_root *root = NULL;

    SHOAL_ALLOC(ctx, root, 1);
    array.private_data = root;
    array.buffers = root->buffers;
    SHOAL_ALLOC(ctx, root->children, source->column_count);
    SHOAL_ALLOC(ctx, root->columns, source->column_count);
    array.children = root->children;
    for (size_t c = 0; c < source->column_count; c++) {
        root->children[c] = &root->columns[c];
        array.n_children++;
        SHOAL_TRY(
            fill_column(ctx, &root->columns[c], source, &source->columns[c], first, count));
    }
    *out = array;
    root = NULL;
done:
    if (root) {
        release_root(&array);
    }
    return st;
}

/* --- The stream. --- */

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    stream_data *data = stream->private_data;

    *out = (struct ArrowSchema){0};
    return fill_schema(&data->ctx, out, data->source) == SHOAL_OK ? 0 : ENOMEM;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    stream_data *data = stream->private_data;
    exporting *source = data->source;
    size_t left = source->row_count - data->next_row;
    size_t count = left < data->batch_rows ? left : data->batch_rows;

    *out = (struct ArrowArray){0};
    if (count == 0) {
        return 0;
    }
    for (size_t c = 0; c < source->column_count; c++) {
        count = shoal_i_leaving_fit(&source->columns[c], data->next_row, count);
    }
    assert(count > 0);
    if (fill_array(&data->ctx, out, source, data->next_row, count) != SHOAL_OK) {
        return ENOMEM;
    }
    data->next_row += count;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const stream_data *data = stream->private_data;

    return data->ctx.error.status == SHOAL_OK ? NULL : data->ctx.error.message;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream_data *data = stream->private_data;

    drop(data->source);
    free(data);
    stream->release = NULL;
    stream->private_data = NULL;
}

shoal_ctx *shoal_i_arrow_stream_ctx(struct ArrowArrayStream *stream)
{
    stream_data *data = stream->private_data;

    return &data->ctx;
}

typedef struct opening {
    exporting *source;
    const size_t *columns; /* of the table */
} opening;

static shoal_status open_column(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const opening *o = payload;

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(shoal_i_leaving_open(ctx, &o->source->columns[index],
                                   &o->source->table->columns[o->columns[index]]));
done:
    return st;
}

static shoal_status open_columns(shoal_ctx *ctx, exporting *source)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = source->table;
    size_t *columns = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, columns, table->column_count);
    for (size_t c = 0; c < table->column_count; c++) {
        if (!table->columns[c].skipped) {
            columns[count++] = c;
        }
    }
    SHOAL_ALLOC(ctx, source->columns, count);
    source->column_count = count;
    opening o = {.source = source, .columns = columns};

    SHOAL_TRY(shoal_i_parallel_for(ctx, count, open_column, &o));
done:
    free(columns);
    return st;
}

shoal_status shoal_table_export_batches(shoal_ctx *ctx, struct ArrowArrayStream *out,
                                        const shoal_table *table, size_t batch_rows)
{
    shoal_status st = SHOAL_OK;
    exporting *source = NULL;
    stream_data *data = NULL;

    if (out) {
        *out = (struct ArrowArrayStream){0};
    }
    SHOAL_ENTER(ctx, out, table);
    if (batch_rows == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Arrays of 0 records were asked for; at least 1 is needed.");
    }
    SHOAL_ALLOC(ctx, source, 1);
    source->references = 1;
    source->table = table;
    source->row_count = table->row_count;
    shoal_i_table_hold(table);
    SHOAL_TRY(open_columns(ctx, source));
    SHOAL_ALLOC(ctx, data, 1);
    *data = (stream_data){.source = hold(source), .batch_rows = batch_rows};
    shoal_i_ctx_init(&data->ctx);
    data->ctx.threads = 1;
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = data};
done:
    drop(source);
    return st;
}

shoal_status shoal_table_export(shoal_ctx *ctx, struct ArrowArrayStream *out,
                                const shoal_table *table)
{
    return shoal_table_export_batches(ctx, out, table, SHOAL_ARROW_BATCH);
}
