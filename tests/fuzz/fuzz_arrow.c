/* fuzz_arrow.c -- bytes decide the columns of an Arrow stream, its values, how it is cut, and
 * where it lies: refused with a message or read into a sound table, the same on one thread and
 * on three, with nothing left unreleased; handed out and taken in again, the same table and
 * values.
 *
 * Lies are those that the interface lets a consumer see: a buffer is as long as the lengths say
 * that stand, or what they say is refused. */
#include "fuzz.h"

#include "arrow_case.h"

#define FIELDS_MAX 4
#define ROWS_MAX 48
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* What is left of the input; zeros behind its end. */
typedef struct bytes {
    const uint8_t *at;
    size_t left;
} bytes;

static uint8_t take(bytes *input)
{
    if (input->left == 0) {
        return 0;
    }
    input->left--;
    return *input->at++;
}

static uint64_t take_word(bytes *input)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++) {
        word = word << 8 | take(input);
    }
    return word;
}

/* --- A script. --- */

static const char *const formats[] = {
    "n",     "b",        "c",          "C",       "s",          "S",    "i",
    "I",     "l",        "L",          "f",       "g",          "u",    "U",
    "vu",    "tdD",      "tdm",        "tss:",    "tsm:UTC",    "tsu:", "tsn:",
    "d:9,2", "d:5,0,32", "d:18,-2,64", "d:38,30", "d:76,10,256"};

typedef struct made {
    arrow_script script;
    arrow_field fields[FIELDS_MAX];
    arrow_value cells[FIELDS_MAX][ROWS_MAX];
    bool records[ROWS_MAX];
    char names[FIELDS_MAX][4];
    char texts[256]; /* that texts are cut from */
    char format[32];
    bool has_lies;
} made;

/* Small numbers, extremes and anything; texts are pieces of the same few bytes. */
static arrow_value take_value(made *m, bytes *input)
{
    static const int64_t numbers[] = {0,        1,         -1,        86400,
                                      86400000, INT64_MAX, INT64_MIN, 9007199254740993};
    uint8_t kind = take(input);
    uint8_t start = take(input);
    arrow_value value = {.is_missing = kind % 8 == 0, .text = m->texts + start};

    value.length = (size_t)(kind / 4) % (sizeof m->texts - start);
    value.number = start % 2 ? (int8_t)take(input) : numbers[start / 2 % LENGTH(numbers)];
    if (kind % 8 == 1) {
        value.number = (int64_t)take_word(input);
        value.is_wide = kind % 16 == 1;
        for (int w = 0; w < 4; w++) {
            value.words[w] = take_word(input);
        }
    }
    value.real = (double)value.number / (1 + start % 8);
    if (kind == 255) {
        memcpy(&value.real, &value.number, sizeof value.real);
    }
    return value;
}

static void make_field(made *m, size_t f, bytes *input)
{
    static const char *const indices[] = {"c", "C", "s", "S", "i", "I", "l", "L"};
    uint8_t choice = take(input);
    arrow_field *field = &m->fields[f];

    snprintf(m->names[f], sizeof m->names[f], "%c", 'a' + choice / 64 + (int)f);
    *field = (arrow_field){.name = m->names[f], .cells = m->cells[f]};
    field->format = formats[choice % LENGTH(formats)];
    if (take(input) % 3 == 0) {
        field->values = field->format;
        field->format = indices[choice % LENGTH(indices)];
    }
    for (size_t row = 0; row < m->script.row_count; row++) {
        m->cells[f][row] = take_value(m, input);
    }
}

/* Any text as the format of a column, which then has no records. */
static void make_format(made *m, bytes *input)
{
    for (size_t i = 0; i + 1 < sizeof m->format; i++) {
        m->format[i] = (char)take(input);
    }
    m->fields[0].format = m->format;
    m->fields[0].values = NULL;
}

/* --- Lies. --- */

static bytes lies; /* read anew for each reading of the script */
static bytes lies_start;
static made *lying;

static void *writable(const void *buffer)
{
    return (void *)(uintptr_t)buffer;
}

/* Change some bytes of a buffer. */
static void poke(const void *buffer, size_t size)
{
    unsigned char *to = writable(buffer);

    for (size_t count = take(&lies) % 4; count > 0 && size > 0 && to; count--) {
        size_t at = ((size_t)take(&lies) * 256 + take(&lies)) % size;

        to[at] = take(&lies);
    }
}

/* Contents that are checked when they are read: offsets but the last, views, indices, bytes. */
static void lie_within(struct ArrowArray *array, const char *format)
{
    size_t total = (size_t)(array->offset + array->length);

    if (format[0] == 'n') {
        return;
    }
    poke(array->buffers[0], total / 8);
    if (format[0] == 'u' || format[0] == 'U') {
        size_t width = format[0] == 'u' ? 4 : 8;
        uint64_t end = 0;

        memcpy(&end, (const char *)array->buffers[1] + total * width, width);
        poke(array->buffers[1], total * width);
        poke(array->buffers[2], (size_t)end);
    } else if (format[0] == 'v') {
        poke(array->buffers[1], total * 16);
    } else {
        poke(array->buffers[1], format[0] == 'b' ? total / 8 : total * arrow_width(format));
    }
}

static int64_t take_odd(void)
{
    static const int64_t odd[] = {
        -1, -2, INT64_MIN, INT64_MAX, INT64_MAX - 1, (int64_t)1 << 59};

    return odd[take(&lies) % LENGTH(odd)];
}

/* Shapes that are refused, or say less than there is. */
static void lie_about(struct ArrowArray *array, bool is_root)
{
    switch (take(&lies) % 16) {
    case 0:
        array->length = take_odd();
        break;
    case 1:
        array->offset = take_odd();
        break;
    case 2:
        array->null_count = take_odd();
        break;
    case 3:
        array->null_count = take(&lies) % 8;
        break;
    case 4:
        array->n_buffers = (int8_t)take(&lies) % 3;
        break;
    case 5:
        array->buffers = NULL;
        break;
    case 6:
        if (array->n_buffers > 0) {
            array->buffers[take(&lies) % (uint64_t)array->n_buffers] = NULL;
        }
        break;
    case 7:
        array->length = take(&lies) % (array->length + 1);
        break;
    case 8:
        array->offset = take(&lies) % (array->offset + 1);
        break;
    case 9:
        if (!is_root) {
            array->release = NULL;
        }
        break;
    case 10:
        if (!is_root) {
            array->dictionary = NULL;
        }
        break;
    case 11:
        if (is_root) {
            array->n_children = (int8_t)take(&lies);
        }
        break;
    case 12:
        if (is_root) {
            array->children = NULL;
        }
        break;
    default:
        break;
    }
}

static void lie(struct ArrowArray *array, size_t index)
{
    size_t f = take(&lies) % lying->script.field_count;
    const arrow_field *field = &lying->fields[f];
    struct ArrowArray *child = array->children[f];

    (void)index;
    /* Not both: a length that was cut would make a changed offset the last one. */
    if (take(&lies) % 2) {
        lie_within(child, field->format);
        if (child->dictionary) {
            lie_within(child->dictionary, field->values);
        }
        return;
    }
    switch (take(&lies) % 4) {
    case 0:
        lie_about(array, true);
        break;
    case 1:
        lie_about(child, false);
        break;
    case 2:
        if (child->dictionary) {
            lie_about(child->dictionary, false);
        }
        break;
    default:
        array->children[f] = NULL;
    }
}

static void make(made *m, bytes *input)
{
    memset(m, 0, sizeof *m);
    m->script.fields = m->fields;
    m->script.field_count = 1 + take(input) % FIELDS_MAX;
    m->script.row_count = take(input) % (ROWS_MAX + 1);
    m->script.chunk = take(input) % 20;
    m->script.offset = take(input) % 4;
    m->script.child_offset = take(input) % 10;
    m->script.has_sentinels = take(input) % 4 == 0;
    uint8_t choices = take(input);

    for (size_t i = 0; i < sizeof m->texts; i++) {
        m->texts[i] = choices % 2 ? (char)take(input) : "abcdefghijklmnop"[i % 8 + i / 64];
    }
    for (size_t f = 0; f < m->script.field_count; f++) {
        make_field(m, f, input);
    }
    for (size_t row = 0; row < m->script.row_count; row++) {
        m->records[row] = choices / 2 % 8 != 1 || take(input) % 4;
    }
    m->script.records = choices / 2 % 8 == 1 ? m->records : NULL;
    if (m->script.row_count == 0 && choices / 16 % 2) {
        make_format(m, input);
    }
    if (choices / 32 % 4 == 3) {
        m->script.fail_array = 1 + take(input) % 40;
        m->script.fail_at = take(input) % 8;
    }
    if (choices / 128) {
        m->has_lies = true;
        m->script.spoil_array = lie;
        m->script.spoil_at = take(input) % 8;
    }
    lies_start = *input;
    lying = m;
}

/* --- What must hold. --- */

static shoal_status run(shoal_ctx *ctx, made *m, shoal_table **out)
{
    lies = lies_start;
    struct ArrowArrayStream stream = arrow_open(&m->script);
    shoal_status st = shoal_table_import(ctx, out, &stream);

    MUST((*out != NULL) == (st == SHOAL_OK));
    MUST(!stream.release && m->script.live == 0 && m->script.releases == 1);
    return st;
}

static void check_same(const shoal_table *a, const shoal_table *b)
{
    MUST(shoal_table_row_count(a) == shoal_table_row_count(b));
    MUST(shoal_table_column_count(a) == shoal_table_column_count(b));
    for (size_t c = 0; c < shoal_table_column_count(a); c++) {
        size_t values = shoal_table_value_count(a, c);

        MUST(strcmp(shoal_table_name(a, c), shoal_table_name(b, c)) == 0);
        MUST(shoal_table_type(a, c) == shoal_table_type(b, c));
        MUST(values == shoal_table_value_count(b, c));
        MUST(shoal_table_missing_count(a, c) == shoal_table_missing_count(b, c));
        for (uint32_t code = 0; code < values; code++) {
            MUST(strcmp(shoal_table_text(a, c, code, NULL),
                        shoal_table_text(b, c, code, NULL)) == 0);
        }
        for (size_t row = 0; row < shoal_table_row_count(a); row++) {
            MUST(shoal_table_code(a, c, row) == shoal_table_code(b, c, row));
            MUST(shoal_table_code(a, c, row) <= values);
        }
    }
}

/* The values of one array as they were put in; numbers of a column by the bytes they fit in. */
static void check_cells(const made *m, const struct ArrowArray *array, size_t first)
{
    for (size_t f = 0; f < m->script.field_count; f++) {
        const arrow_field *field = &m->fields[f];
        const char *format = field->values ? field->values : field->format;

        for (size_t i = 0; i < (size_t)array->length && !m->script.records; i++) {
            const arrow_value *cell = &m->cells[f][first + i];
            /* Indices may have another width than they had. */
            arrow_value value = field->values ? (arrow_value){.is_missing = cell->is_missing}
                                              : arrow_read(format, NULL, array->children[f], i);

            if (format[0] != 'n' && format[0] != 'f' && format[0] != 'g') {
                MUST(value.is_missing == cell->is_missing);
            }
            if (!value.is_missing && strchr("uUv", format[0]) && !field->values) {
                MUST(value.length == cell->length);
                MUST(value.length == 0 || memcmp(value.text, cell->text, value.length) == 0);
            }
            if (!value.is_missing && strchr("cCsSiIlLt", format[0]) && !field->values) {
                size_t width = arrow_width(format);

                MUST(memcmp(&value.number,
                            cell->is_wide ? (const void *)cell->words
                                          : (const void *)&cell->number,
                            width) == 0);
            }
        }
    }
}

static void check_export(shoal_ctx *ctx, const made *m, const shoal_table *table, size_t batch)
{
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    shoal_table *back = NULL;
    size_t row = 0;

    MUST(shoal_table_export_batches(ctx, &stream, table, batch) == SHOAL_OK);
    MUST(shoal_table_import(ctx, &back, &stream) == SHOAL_OK);
    check_same(table, back);
    shoal_table_free(back);
    MUST(shoal_table_export_batches(ctx, &stream, table, batch) == SHOAL_OK);
    while (row < shoal_table_row_count(table)) {
        MUST(stream.get_next(&stream, &array) == 0 && array.release);
        if (!m->has_lies) {
            check_cells(m, &array, row);
        }
        row += (size_t)array.length;
        array.release(&array);
    }
    stream.release(&stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static made m;
    bytes input = {.at = data, .left = size};
    shoal_ctx *one = fuzz_ctx(1);
    shoal_ctx *three = fuzz_ctx(3);
    shoal_table *table = NULL;
    shoal_table *again = NULL;

    make(&m, &input);
    shoal_status st = run(one, &m, &table);

    MUST(run(three, &m, &again) == st);
    if (st != SHOAL_OK) {
        const shoal_error *error = shoal_ctx_error(one);
        const shoal_error *other = shoal_ctx_error(three);

        check_failure(one, st);
        MUST(strcmp(error->message, other->message) == 0);
        MUST(error->record == other->record && error->field == other->field);
        return 0;
    }
    check_same(table, again);
    check_export(one, &m, table, 1 + size % 50);
    shoal_table_free(table);
    shoal_table_free(again);
    return 0;
}
