/* arrow_case.h -- Arrow streams made and read by hand, for tests: a producer and a consumer
 * that share nothing with the library but the structs.
 *
 * A table is a script: fields with a format and a value per record. The producer packs the
 * values into arrays of `chunk` records, each buffer in a block of its exact size so that the
 * sanitizer sees a read beyond it, with elements of garbage before and behind where the script
 * asks for offsets. It counts what was handed out and not yet released.
 */
#ifndef SHOAL_TESTS_ARROW_CASE_H
#define SHOAL_TESTS_ARROW_CASE_H

#include <shoal/arrow.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One value: of integers, truth values, dates and instants `number`, of floats `real`, of
 * decimals `number` (sign-extended, or all of `words` when is_wide), of texts the bytes. */
typedef struct arrow_value {
    bool is_missing;
    bool is_wide;
    int64_t number;
    double real;
    uint64_t words[4];
    const char *text;
    size_t length;
} arrow_value;

typedef struct arrow_field {
    const char *name;
    const char *format;
    const char *values; /* format of a dictionary's values; NULL: no dictionary */
    const arrow_value *cells;
} arrow_field;

typedef struct arrow_script {
    const arrow_field *fields;
    size_t field_count;
    size_t row_count;
    size_t chunk;        /* records of an array; 0: all */
    size_t offset;       /* of the array of records */
    size_t child_offset; /* of the arrays of columns */
    const bool *records; /* false: the record itself is null; NULL: none is */
    bool has_sentinels;  /* empty arrays between the others */

    /* Faults: */
    int fail_schema; /* code of get_schema */
    int fail_array;  /* code of get_next for array fail_at */
    size_t fail_at;
    const char *last_error;
    void (*spoil_schema)(struct ArrowSchema *schema);
    void (*spoil_array)(struct ArrowArray *array, size_t index);
    size_t spoil_at; /* index of the array that is spoiled */

    /* State: */
    size_t next_row;
    size_t next_array;
    long live;       /* structs handed out and not released */
    size_t releases; /* of the stream */
} arrow_script;

/* --- Memory of one struct and all that hangs on it. --- */

typedef struct arrow_block {
    struct arrow_block *next;
    void *memory;
} arrow_block;

typedef struct arrow_blocks {
    arrow_script *script;
    arrow_block *first;
} arrow_blocks;

static inline void *arrow_alloc(arrow_blocks *blocks, size_t size)
{
    arrow_block *block = malloc(sizeof *block);

    block->memory = calloc(size ? size : 1, 1);
    block->next = blocks->first;
    blocks->first = block;
    return block->memory;
}

static inline arrow_blocks *arrow_blocks_new(arrow_script *script)
{
    arrow_blocks *blocks = calloc(1, sizeof *blocks);

    blocks->script = script;
    script->live++;
    return blocks;
}

static inline void arrow_blocks_free(arrow_blocks *blocks)
{
    blocks->script->live--;
    while (blocks->first) {
        arrow_block *block = blocks->first;

        blocks->first = block->next;
        free(block->memory);
        free(block);
    }
    free(blocks);
}

/* --- Packing. --- */

static inline size_t arrow_width(const char *format)
{
    static const char letters[] = "cCsSiIlLfg";
    static const size_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    int precision;
    int scale;
    int bits = 128;

    if (format[0] == 'd') {
        sscanf(format, "d:%d,%d,%d", &precision, &scale, &bits);
        return (size_t)bits / 8;
    }
    if (strncmp(format, "td", 2) == 0) {
        return format[2] == 'D' ? 4 : 8;
    }
    if (strncmp(format, "ts", 2) == 0) {
        return 8;
    }
    return widths[strchr(letters, format[0]) - letters];
}

static inline void arrow_put_bit(uint8_t *bits, size_t i, bool value)
{
    bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1u << i % 8)) | (unsigned)value << i % 8);
}

static inline void arrow_put_element(char *out, const char *format, size_t width,
                                     const arrow_value *value)
{
    float narrow = (float)value->real;
    uint64_t sign = value->number < 0 ? UINT64_MAX : 0;
    uint64_t words[4] = {(uint64_t)value->number, sign, sign, sign};

    if (format[0] == 'f') {
        memcpy(out, &narrow, width);
    } else if (format[0] == 'g') {
        memcpy(out, &value->real, width);
    } else {
        memcpy(out, value->is_wide ? value->words : words, width);
    }
}

static inline void arrow_pack_texts(arrow_blocks *blocks, const void **buffers, size_t width,
                                    size_t before, const arrow_value *cells, size_t count)
{
    size_t size = 3 * before; /* garbage in front: "???" per element, invalid UTF-8 */
    char *offsets = arrow_alloc(blocks, (before + count + 1) * width);
    char *bytes;
    size_t at = 0;

    for (size_t i = 0; i < count; i++) {
        size += cells[i].is_missing ? 1 : cells[i].length;
    }
    bytes = arrow_alloc(blocks, size);
    for (size_t i = 0; i < before + count; i++) {
        const arrow_value *cell = i < before ? NULL : &cells[i - before];
        const char *text = !cell ? "\xFF\xFE\xFD" : cell->is_missing ? "\xFF" : cell->text;
        size_t length = !cell ? 3 : cell->is_missing ? 1 : cell->length;

        if (length > 0) {
            memcpy(bytes + at, text, length);
        }
        at += length;
        memcpy(offsets + (i + 1) * width, &at, width);
    }
    buffers[1] = offsets;
    buffers[2] = size > 0 ? bytes : NULL;
}

/* Long texts alternate between two buffers. */
static inline void arrow_pack_views(arrow_blocks *blocks, const void **buffers, size_t before,
                                    const arrow_value *cells, size_t count)
{
    char *views = arrow_alloc(blocks, (before + count) * 16);
    int64_t *sizes = arrow_alloc(blocks, 2 * sizeof *sizes);
    char *bytes[2];

    memset(views, 0xFF, before * 16);
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; pass == 1 && b < 2; b++) {
            bytes[b] = arrow_alloc(blocks, (size_t)sizes[b]);
            buffers[2 + b] = bytes[b];
            sizes[b] = 0;
        }
        for (size_t i = 0; i < count; i++) {
            char *view = views + (before + i) * 16;
            int32_t length = (int32_t)cells[i].length;
            int32_t place[2] = {(int32_t)(i % 2), (int32_t)sizes[i % 2]};

            if (cells[i].is_missing) {
                memset(view, 0xFF, 16);
                continue;
            }
            memcpy(view, &length, 4);
            if (length <= 12) {
                memcpy(view + 4, cells[i].text ? cells[i].text : "", (size_t)length);
                continue;
            }
            if (pass == 1) {
                memcpy(view + 4, cells[i].text, 4);
                memcpy(view + 8, place, 8);
                memcpy(bytes[i % 2] + place[1], cells[i].text, (size_t)length);
            }
            sizes[i % 2] += length;
        }
    }
    buffers[1] = views;
    buffers[4] = sizes;
}

static inline void arrow_release_child(struct ArrowArray *array)
{
    array->release = NULL;
}

/* Values of one format, behind `before` elements of garbage. */
static inline struct ArrowArray *arrow_pack(arrow_blocks *blocks, const char *format,
                                            size_t before, const arrow_value *cells,
                                            size_t count)
{
    struct ArrowArray *array = arrow_alloc(blocks, sizeof *array);
    const void **buffers = arrow_alloc(blocks, 5 * sizeof *buffers);
    size_t total = before + count;
    uint8_t *validity = arrow_alloc(blocks, total / 8 + (total % 8 != 0));

    *array = (struct ArrowArray){.length = (int64_t)count,
                                 .offset = (int64_t)before,
                                 .n_buffers = 2,
                                 .buffers = buffers,
                                 .release = arrow_release_child};
    for (size_t i = 0; i < count; i++) {
        arrow_put_bit(validity, before + i, !cells[i].is_missing);
        array->null_count += cells[i].is_missing;
    }
    buffers[0] = array->null_count > 0 || total % 2 == 1 ? validity : NULL;
    if (strcmp(format, "n") == 0) {
        array->n_buffers = 0;
        array->null_count = (int64_t)count;
    } else if (format[0] == 'u' || format[0] == 'U') {
        array->n_buffers = 3;
        arrow_pack_texts(blocks, buffers, format[0] == 'u' ? 4 : 8, before, cells, count);
    } else if (format[0] == 'v') {
        array->n_buffers = 5;
        arrow_pack_views(blocks, buffers, before, cells, count);
    } else if (format[0] == 'b') {
        uint8_t *bits = arrow_alloc(blocks, total / 8 + (total % 8 != 0));

        for (size_t i = 0; i < count; i++) {
            arrow_put_bit(bits, before + i, cells[i].is_missing || cells[i].number != 0);
        }
        buffers[1] = bits;
    } else {
        size_t width = arrow_width(format);
        char *data = arrow_alloc(blocks, total * width);

        memset(data, 0x7F, total * width); /* garbage where nothing else is put */
        for (size_t i = 0; i < count; i++) {
            if (!cells[i].is_missing) {
                arrow_put_element(data + (before + i) * width, format, width, &cells[i]);
            }
        }
        buffers[1] = data;
    }
    return array;
}

static inline bool arrow_same(const arrow_value *a, const arrow_value *b)
{
    if (a->is_missing || b->is_missing) {
        return a->is_missing && b->is_missing;
    }
    return a->number == b->number && a->is_wide == b->is_wide &&
           memcmp(&a->real, &b->real, sizeof a->real) == 0 &&
           memcmp(a->words, b->words, sizeof a->words) == 0 && a->length == b->length &&
           (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

/* Indices and the distinct values of these records, the last one first, between an entry that
 * nobody has and one that is missing. Every other missing record has the index of the
 * latter. */
static inline struct ArrowArray *arrow_pack_dictionary(arrow_blocks *blocks,
                                                       const arrow_field *field, size_t before,
                                                       const arrow_value *cells, size_t count)
{
    arrow_value *entries = arrow_alloc(blocks, (count + 2) * sizeof *entries);
    arrow_value *indices = arrow_alloc(blocks, count * sizeof *indices);
    size_t entry_count = 1;

    entries[0] = (arrow_value){
        .number = 1, .real = 1e308 * 10, .text = "\xC3nobody has this", .length = 16};
    for (size_t i = count; i-- > 0;) {
        size_t e = 1;

        if (cells[i].is_missing && i % 2 == 0) {
            indices[i].is_missing = true;
            continue;
        }
        while (e < entry_count && !arrow_same(&entries[e], &cells[i])) {
            e++;
        }
        if (e == entry_count) {
            entries[entry_count++] = cells[i];
        }
        indices[i].number = (int64_t)e;
    }
    struct ArrowArray *array = arrow_pack(blocks, field->format, before, indices, count);

    array->dictionary = arrow_pack(blocks, field->values, before, entries, entry_count);
    return array;
}

/* --- The stream. --- */

static inline void arrow_release_root(struct ArrowArray *array)
{
    arrow_blocks_free(array->private_data);
    array->release = NULL;
}

static inline void arrow_produce(arrow_script *script, struct ArrowArray *out, size_t first,
                                 size_t count)
{
    arrow_blocks *blocks = arrow_blocks_new(script);
    size_t before = script->offset;
    const void **buffers = arrow_alloc(blocks, sizeof *buffers);
    struct ArrowArray **children =
        arrow_alloc(blocks, script->field_count * sizeof(struct ArrowArray *));
    arrow_value *cells = arrow_alloc(blocks, (before + count + 1) * sizeof *cells);

    *out = (struct ArrowArray){.length = (int64_t)count,
                               .offset = (int64_t)before,
                               .n_buffers = 1,
                               .n_children = (int64_t)script->field_count,
                               .buffers = buffers,
                               .children = children,
                               .release = arrow_release_root,
                               .private_data = blocks};
    if (script->records) {
        uint8_t *bits = arrow_alloc(blocks, (before + count) / 8 + 1);

        for (size_t i = 0; i < count; i++) {
            arrow_put_bit(bits, before + i, script->records[first + i]);
            out->null_count += !script->records[first + i];
        }
        buffers[0] = bits;
    }
    for (size_t f = 0; f < script->field_count; f++) {
        const arrow_field *field = &script->fields[f];

        for (size_t i = 0; i < before + count + 1; i++) {
            /* Before the records, and one behind them, values that must not be read. */
            bool is_ours = i >= before && i < before + count;

            cells[i] = is_ours ? field->cells[first + i - before]
                               : (arrow_value){.number = -1, .text = "\xFF", .length = 1};
        }
        children[f] = field->values ? arrow_pack_dictionary(blocks, field, script->child_offset,
                                                            cells, before + count + 1)
                                    : arrow_pack(blocks, field->format, script->child_offset,
                                                 cells, before + count + 1);
    }
}

static inline int arrow_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    arrow_script *script = stream->private_data;
    size_t left = script->row_count - script->next_row;
    size_t count = script->chunk && script->chunk < left ? script->chunk : left;
    size_t index = script->next_array++;

    if (script->fail_array && index == script->fail_at) {
        memset(out, 0x5A, sizeof *out); /* nothing is promised about it */
        return script->fail_array;
    }
    if (left == 0) {
        *out = (struct ArrowArray){0};
        return 0;
    }
    if (script->has_sentinels && index % 2 == 0) {
        count = 0;
    }
    arrow_produce(script, out, script->next_row, count);
    script->next_row += count;
    if (script->spoil_array && index == script->spoil_at) {
        script->spoil_array(out, index);
    }
    return 0;
}

static inline void arrow_release_child_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static inline void arrow_release_schema(struct ArrowSchema *schema)
{
    arrow_blocks_free(schema->private_data);
    schema->release = NULL;
}

static inline struct ArrowSchema *arrow_child_schema(arrow_blocks *blocks, const char *name,
                                                     const char *format)
{
    struct ArrowSchema *schema = arrow_alloc(blocks, sizeof *schema);

    *schema = (struct ArrowSchema){.name = name,
                                   .format = format,
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .release = arrow_release_child_schema};
    return schema;
}

static inline int arrow_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    arrow_script *script = stream->private_data;

    if (script->fail_schema) {
        memset(out, 0x5A, sizeof *out);
        return script->fail_schema;
    }
    arrow_blocks *blocks = arrow_blocks_new(script);
    struct ArrowSchema **children =
        arrow_alloc(blocks, script->field_count * sizeof(struct ArrowSchema *));

    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = (int64_t)script->field_count,
                                .children = children,
                                .release = arrow_release_schema,
                                .private_data = blocks};
    for (size_t f = 0; f < script->field_count; f++) {
        const arrow_field *field = &script->fields[f];

        children[f] = arrow_child_schema(blocks, field->name, field->format);
        if (field->values) {
            children[f]->dictionary = arrow_child_schema(blocks, NULL, field->values);
        }
    }
    if (script->spoil_schema) {
        script->spoil_schema(out);
    }
    return 0;
}

static inline const char *arrow_get_last_error(struct ArrowArrayStream *stream)
{
    const arrow_script *script = stream->private_data;

    return script->last_error;
}

static inline void arrow_release_stream(struct ArrowArrayStream *stream)
{
    arrow_script *script = stream->private_data;

    script->live--;
    script->releases++;
    stream->release = NULL;
}

/* Start a script from its first record. */
static inline struct ArrowArrayStream arrow_open(arrow_script *script)
{
    script->next_row = 0;
    script->next_array = 0;
    script->releases = 0;
    script->live++;
    return (struct ArrowArrayStream){.get_schema = arrow_get_schema,
                                     .get_next = arrow_get_next,
                                     .get_last_error = arrow_get_last_error,
                                     .release = arrow_release_stream,
                                     .private_data = script};
}

/* --- Reading an array. --- */

/* Element i of an array; texts are borrowed. The dictionary is looked up. */
static inline arrow_value arrow_read(const char *format, const char *values,
                                     const struct ArrowArray *array, size_t i)
{
    arrow_value value = {0};
    const uint8_t *validity = array->n_buffers > 0 ? array->buffers[0] : NULL;
    size_t at = (size_t)array->offset + i;

    if (format[0] == 'n' || (validity && !(validity[at / 8] >> at % 8 & 1))) {
        value.is_missing = true;
        return value;
    }
    const char *data = array->buffers[1];

    if (format[0] == 'u' || format[0] == 'U') {
        size_t width = format[0] == 'u' ? 4 : 8;
        int64_t start = 0;
        int64_t end = 0;

        memcpy(&start, data + at * width, width);
        memcpy(&end, data + (at + 1) * width, width);
        value.text = (const char *)array->buffers[2] + start;
        value.length = (size_t)(end - start);
    } else if (format[0] == 'v') {
        int32_t parts[4];

        memcpy(parts, data + at * 16, 16);
        value.length = (size_t)parts[0];
        value.text = parts[0] <= 12 ? data + at * 16 + 4
                                    : (const char *)array->buffers[2 + parts[2]] + parts[3];
    } else if (format[0] == 'b') {
        value.number = data[at / 8] >> at % 8 & 1;
    } else if (format[0] == 'f') {
        float narrow;

        memcpy(&narrow, data + at * 4, 4);
        value.real = (double)narrow;
    } else if (format[0] == 'g') {
        memcpy(&value.real, data + at * 8, 8);
    } else {
        size_t width = arrow_width(format);
        bool has_sign = !strchr("CSIL", format[0]);
        bool is_negative = has_sign && data[(at + 1) * width - 1] < 0;

        memset(value.words, is_negative ? 0xFF : 0, sizeof value.words);
        memcpy(value.words, data + at * width, width);
        memcpy(&value.number, value.words, sizeof value.number);
    }
    if (values) {
        return arrow_read(values, NULL, array->dictionary, (size_t)value.number);
    }
    return value;
}

#endif /* SHOAL_TESTS_ARROW_CASE_H */
