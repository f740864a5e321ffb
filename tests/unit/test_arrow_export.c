#include "context.h"

#include "arrow_refusal.h"
#include "table_tools.h"

#include "base/random.h"
#include "table/arrow/arrow_export.h"
#include "table/arrow/arrow_leave.h"
#include "table/table_join.h"
#include "table/table_origin.h"
#include "table/table_part.h"

#define ROWS 6

/* --- Reading a stream to its end. --- */

typedef struct reading {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
} reading;

static reading open_reading(shoal_ctx *ctx, const shoal_table *table, size_t batch)
{
    reading r;

    assert_int_equal(batch ? shoal_table_export_batches(ctx, &r.stream, table, batch)
                           : shoal_table_export(ctx, &r.stream, table),
                     SHOAL_OK);
    assert_int_equal(r.stream.get_schema(&r.stream, &r.schema), 0);
    assert_null(r.stream.get_last_error(&r.stream));
    assert_string_equal(r.schema.format, "+s");
    return r;
}

static void close_reading(reading *r)
{
    r->schema.release(&r->schema);
    assert_null(r->schema.release);
    r->stream.release(&r->stream);
    assert_null(r->stream.release);
}

static const char *values_of(const struct ArrowSchema *schema)
{
    return schema->dictionary ? schema->dictionary->format : NULL;
}

/* A value that was read, against the one that was produced. */
static void assert_value(const char *format, const arrow_value *read, const arrow_value *made)
{
    uint64_t sign = made->number < 0 ? UINT64_MAX : 0;
    uint64_t words[4] = {(uint64_t)made->number, sign, sign, sign};

    assert_int_equal(read->is_missing, made->is_missing);
    if (made->is_missing) {
        return;
    }
    if (strchr("uUv", format[0])) {
        assert_int_equal(read->length, made->length);
        assert_memory_equal(read->text, made->text ? made->text : "", made->length);
    } else if (strchr("fg", format[0])) {
        assert_true(read->real == made->real);
    } else if (format[0] == 'd') {
        assert_memory_equal(read->words, made->is_wide ? made->words : words, sizeof words);
    } else {
        assert_true(read->number == made->number);
    }
}

/* The buffers that a format has, and nothing else. */
static void assert_shape(const char *format, const struct ArrowArray *array)
{
    int64_t buffers = format[0] == 'n'          ? 0
                      : format[0] == 'v'        ? 4
                      : strchr("uU", format[0]) ? 3
                                                : 2;

    assert_int_equal(array->n_buffers, buffers);
    assert_int_equal(array->n_children, 0);
    assert_int_equal(array->offset, 0);
    for (int64_t i = 1; i < buffers; i++) {
        assert_non_null(array->buffers[i]);
    }
}

/* What is exported has the types and values that were produced, in arrays of `batch`. */
static void assert_script(shoal_ctx *ctx, const shoal_table *table, const arrow_script *script,
                          size_t batch)
{
    reading r = open_reading(ctx, table, batch);
    struct ArrowArray array;
    size_t row = 0;

    assert_int_equal(r.schema.n_children, script->field_count);
    for (size_t f = 0; f < script->field_count; f++) {
        const arrow_field *field = &script->fields[f];

        assert_string_equal(r.schema.children[f]->name, field->name);
        assert_string_equal(r.schema.children[f]->format, field->format);
        assert_true(r.schema.children[f]->flags == ARROW_FLAG_NULLABLE);
        assert_int_equal(values_of(r.schema.children[f]) != NULL, field->values != NULL);
        if (field->values) {
            assert_string_equal(values_of(r.schema.children[f]), field->values);
        }
    }
    for (;;) {
        assert_int_equal(r.stream.get_next(&r.stream, &array), 0);
        if (!array.release) {
            break;
        }
        assert_int_equal(array.n_children, script->field_count);
        assert_int_equal(array.n_buffers, 1);
        assert_true(array.offset == 0 && array.null_count == 0 && !array.buffers[0]);
        for (size_t f = 0; f < script->field_count; f++) {
            const arrow_field *field = &script->fields[f];
            int64_t nulls = 0;

            assert_int_equal(array.children[f]->length, array.length);
            assert_shape(field->format, array.children[f]);
            if (field->values) {
                assert_shape(field->values, array.children[f]->dictionary);
                assert_int_equal(array.children[f]->dictionary->null_count, 0);
            }
            for (size_t i = 0; i < (size_t)array.length; i++) {
                arrow_value value =
                    arrow_read(field->format, field->values, array.children[f], i);

                assert_value(field->values ? field->values : field->format, &value,
                             &field->cells[row + i]);
                nulls += value.is_missing;
            }
            assert_int_equal(array.children[f]->null_count, nulls);
        }
        row += (size_t)array.length;
        if (batch) {
            assert_true((size_t)array.length == batch || row == script->row_count);
        }
        array.release(&array);
        assert_null(array.release);
    }
    assert_int_equal(row, script->row_count);
    close_reading(&r);
}

static shoal_table *import(shoal_ctx *ctx, arrow_script *script)
{
    struct ArrowArrayStream stream = arrow_open(script);
    shoal_table *table = NULL;

    assert_int_equal(shoal_table_import(ctx, &table, &stream), SHOAL_OK);
    assert_int_equal(script->live, 0);
    return table;
}

/* --- A column leaves with the type it came with. --- */

#define WIDE(a, b, c, d)                                                                       \
    {                                                                                          \
        .is_wide = true, .words = { a, b, c, d }                                               \
    }
#define ONES UINT64_MAX

static const arrow_value small[] = {NUMBER(100), NUMBER(0),   MISSING,
                                    NUMBER(1),   NUMBER(127), NUMBER(1)};
static const arrow_value negative[] = {NUMBER(-128), NUMBER(0),  MISSING,
                                       NUMBER(1),    NUMBER(-1), NUMBER(9)};
static const arrow_value extreme[] = {NUMBER(INT64_MIN), NUMBER(INT64_MAX), MISSING,
                                      NUMBER(1),         NUMBER(-1),        NUMBER(9)};
static const arrow_value most[] = {NUMBER(-1), NUMBER(0),         MISSING,
                                   NUMBER(1),  NUMBER(INT64_MIN), NUMBER(9)};
static const arrow_value reals[] = {REAL(0.1),   REAL(-2.5),   MISSING,
                                    REAL(1e300), REAL(5e-324), REAL(3)};
static const arrow_value floats[] = {REAL(0.1f),      REAL(-2.5),
                                     MISSING,         REAL(1e-45f),
                                     REAL(123456792), REAL(3.4028234663852886e38)};
static const arrow_value truths[] = {NUMBER(1), NUMBER(0), MISSING,
                                     NUMBER(1), NUMBER(1), NUMBER(0)};
static const arrow_value wides[] = {WIDE(5, 1, 0, 0),          NUMBER(-7),  MISSING, NUMBER(0),
                                    WIDE(3, ONES, ONES, ONES), NUMBER(1000)};
static const arrow_value widest[] = {WIDE(5, 0, 9, 1),          NUMBER(-7),  MISSING, NUMBER(0),
                                     WIDE(3, 4, 5, ONES << 40), NUMBER(1000)};
static const arrow_value texts[] = {TEXT("b"),
                                    TEXT(""),
                                    MISSING,
                                    TEXT("a text of some length"),
                                    TEXT("a text of some length, and of more than that"),
                                    TEXT("b")};
static const arrow_value midnights[] = {
    NUMBER(0), NUMBER(-86400000), MISSING, NUMBER(1709164800000), NUMBER(86400000), NUMBER(0)};
static const arrow_value nothing[] = {MISSING, MISSING, MISSING, MISSING, MISSING, MISSING};

static const arrow_field all_fields[] = {
    {.name = "c", .format = "c", .cells = negative},
    {.name = "C", .format = "C", .cells = small},
    {.name = "s", .format = "s", .cells = negative},
    {.name = "S", .format = "S", .cells = small},
    {.name = "i", .format = "i", .cells = negative},
    {.name = "I", .format = "I", .cells = small},
    {.name = "l", .format = "l", .cells = negative},
    {.name = "L", .format = "L", .cells = small},
    {.name = "l beyond", .format = "l", .cells = extreme},
    {.name = "L beyond", .format = "L", .cells = most},
    {.name = "f", .format = "f", .cells = floats},
    {.name = "g", .format = "g", .cells = reals},
    {.name = "b", .format = "b", .cells = truths},
    {.name = "d32", .format = "d:9,3,32", .cells = negative},
    {.name = "d64", .format = "d:18,-3,64", .cells = negative},
    {.name = "d128", .format = "d:38,10", .cells = wides},
    {.name = "d0", .format = "d:5,0,128", .cells = negative},
    {.name = "d256", .format = "d:76,38,256", .cells = widest},
    {.name = "u", .format = "u", .cells = texts},
    {.name = "U", .format = "U", .cells = texts},
    {.name = "vu", .format = "vu", .cells = texts},
    {.name = "tdD", .format = "tdD", .cells = negative},
    {.name = "tdm", .format = "tdm", .cells = midnights},
    {.name = "tdm odd", .format = "tdm", .cells = negative},
    {.name = "tss", .format = "tss:", .cells = negative},
    {.name = "tsm", .format = "tsm:UTC", .cells = midnights},
    {.name = "tsm odd", .format = "tsm:+02:00", .cells = negative},
    {.name = "tsu", .format = "tsu:", .cells = negative},
    {.name = "tsn", .format = "tsn:Europe/Berlin", .cells = extreme},
    {.name = "n", .format = "n", .cells = nothing},
    {.name = "none", .format = "i", .cells = nothing},
    {.name = "cu", .format = "c", .values = "u", .cells = texts},
    {.name = "CU", .format = "C", .values = "U", .cells = texts},
    {.name = "Ivu", .format = "I", .values = "vu", .cells = texts},
    {.name = "ll", .format = "l", .values = "l", .cells = negative},
    {.name = "Lb", .format = "L", .values = "b", .cells = truths},
    {.name = "sd", .format = "s", .values = "d:38,10", .cells = wides},
    {.name = "ig", .format = "i", .values = "g", .cells = reals},
    {.name = "it", .format = "i", .values = "tsn:", .cells = extreme},
    {.name = "in", .format = "i", .values = "n", .cells = nothing},
};

static arrow_script all_script(void)
{
    return (arrow_script){
        .fields = all_fields, .field_count = LENGTH(all_fields), .row_count = ROWS};
}

static void test_types_return(void **state)
{
    static const size_t batches[] = {0, 1, 4, 7};
    arrow_script script = all_script();
    shoal_table *table = import(*state, &script);

    for (size_t i = 0; i < LENGTH(batches); i++) {
        assert_script(*state, table, &script, batches[i]);
    }
    shoal_table_free(table);
}

/* Out and in again: the same table. */
static void assert_returns(shoal_ctx *ctx, const shoal_table *table, size_t batch)
{
    struct ArrowArrayStream stream;
    shoal_table *back = NULL;

    assert_int_equal(shoal_table_export_batches(ctx, &stream, table, batch), SHOAL_OK);
    assert_int_equal(shoal_table_import(ctx, &back, &stream), SHOAL_OK);
    assert_null(stream.release);
    assert_same_table(table, back);
    shoal_table_free(back);
}

static void test_table_returns(void **state)
{
    arrow_script script = all_script();
    shoal_table *table = import(*state, &script);

    for (size_t batch = 1; batch <= ROWS; batch++) {
        assert_returns(*state, table, batch);
    }
    shoal_table_free(table);
}

/* --- Columns from elsewhere. --- */

static void assert_format(const reading *r, size_t column, const char *format,
                          const char *values)
{
    const struct ArrowSchema *schema = r->schema.children[column];

    assert_string_equal(schema->format, format);
    assert_int_equal(schema->dictionary != NULL, values != NULL);
    if (values) {
        assert_string_equal(schema->dictionary->format, values);
    }
}

static void test_columns_from_csv(void **state)
{
    const char *text = "n,r,d,t,007\n1,1.5,2024-01-01,x,01\n,,,,\n-3,2,2024-02-29,yy,02\n";
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    const char *const tokens[] = {""};

    options.missing_tokens = tokens;
    options.missing_token_count = 1;
    shoal_table *table = read_text(*state, text, &options);
    reading r = open_reading(*state, table, 0);
    struct ArrowArray array;

    assert_format(&r, 0, "l", NULL);
    assert_format(&r, 1, "g", NULL);
    assert_format(&r, 2, "tdD", NULL);
    assert_format(&r, 3, "c", "u");
    assert_format(&r, 4, "c", "u");
    assert_int_equal(r.stream.get_next(&r.stream, &array), 0);
    assert_int_equal(array.length, 3);
    assert_int_equal(arrow_read("l", NULL, array.children[0], 2).number, -3);
    assert_true(arrow_read("g", NULL, array.children[1], 0).real == 1.5);
    assert_int_equal(arrow_read("tdD", NULL, array.children[2], 2).number, 19782);
    assert_memory_equal(arrow_read("c", "u", array.children[3], 2).text, "yy", 2);
    for (size_t c = 0; c < 5; c++) {
        assert_int_equal(array.children[c]->null_count, 1);
    }
    assert_true(arrow_read("c", "u", array.children[4], 1).is_missing);
    array.release(&array);
    close_reading(&r);
    assert_returns(*state, table, 2);
    shoal_table_free(table);
}

/* The index type is the smallest that reaches all values. */
static void test_index_types(void **state)
{
    static const struct {
        size_t values;
        const char *format;
    } cases[] = {{1, "c"},   {128, "c"},   {129, "s"},  {255, "s"},
                 {256, "s"}, {32768, "s"}, {32769, "i"}};

    for (size_t i = 0; i < LENGTH(cases); i++) {
        for (size_t missing = 0; missing < 2; missing++) {
            size_t count = cases[i].values;
            char *bytes = malloc(8 * count);
            int32_t *offsets = malloc((count + 2) * sizeof *offsets);
            uint8_t *validity = malloc(count / 8 + 1);
            const shoal_array array = {.name = "t",
                                       .kind = SHOAL_ARRAY_UTF8,
                                       .length = count + missing,
                                       .data = bytes,
                                       .offsets32 = offsets,
                                       .validity = missing ? validity : NULL};
            shoal_table *table = NULL;

            offsets[0] = 0;
            memset(validity, 0xFF, count / 8 + 1);
            validity[count / 8] = (uint8_t) ~(1u << count % 8);
            for (size_t v = 0; v < count; v++) {
                offsets[v + 1] = offsets[v] + snprintf(bytes + offsets[v], 8, "%zu", v);
            }
            offsets[count + 1] = offsets[count];
            assert_int_equal(shoal_table_from_arrays(*state, &table, &array, 1), SHOAL_OK);
            reading r = open_reading(*state, table, 0);

            assert_format(&r, 0, cases[i].format, "u");
            close_reading(&r);
            assert_returns(*state, table, 1000);
            shoal_table_free(table);
            free(bytes);
            free(offsets);
            free(validity);
        }
    }
}

/* Arrays whose dictionaries are small, but not all of them together: other indices. */
static void test_index_outgrown(void **state)
{
    enum { COUNT = 300 };
    static arrow_value cells[COUNT];
    static char names[COUNT][8];
    const arrow_field field = {.name = "t", .format = "c", .values = "u", .cells = cells};
    arrow_field expected = field;

    for (size_t i = 0; i < COUNT; i++) {
        int length = snprintf(names[i], sizeof names[i], "v%zu", i);

        cells[i] = (arrow_value){.text = names[i], .length = (size_t)length};
    }
    arrow_script script = {
        .fields = &field, .field_count = 1, .row_count = COUNT, .chunk = 100};
    shoal_table *table = import(*state, &script);

    expected.format = "s";
    script.fields = &expected;
    assert_script(*state, table, &script, 77);
    shoal_table_free(table);
}

/* --- The type goes with the values. --- */

static void test_filter_keeps_types(void **state)
{
    static const bool keep[ROWS] = {true, false, true, true, false, true};
    arrow_value kept[LENGTH(all_fields)][ROWS];
    arrow_field fields[LENGTH(all_fields)];
    arrow_script script = all_script();
    shoal_table *table = import(*state, &script);
    shoal_table *some = NULL;

    assert_int_equal(shoal_table_filter(*state, &some, table, keep), SHOAL_OK);
    shoal_table_free(table);
    for (size_t f = 0; f < LENGTH(all_fields); f++) {
        size_t count = 0;

        for (size_t row = 0; row < ROWS; row++) {
            if (keep[row]) {
                kept[f][count++] = all_fields[f].cells[row];
            }
        }
        fields[f] = all_fields[f];
        fields[f].cells = kept[f];
        script.row_count = count;
    }
    script.fields = fields;
    assert_script(*state, some, &script, 3);
    shoal_table_free(some);
}

/* A part borrows from the whole, which may be freed before it and before its stream. */
static void test_part_keeps_types(void **state)
{
    arrow_script script = all_script();
    shoal_table *table = import(*state, &script);
    shoal_table *part = NULL;

    assert_int_equal(shoal_i_table_part(*state, &part, table, ROWS), SHOAL_OK);
    for (size_t c = 0; c < LENGTH(all_fields); c++) {
        for (size_t row = 0; row < ROWS; row++) {
            shoal_i_table_part_set(part, c, row, shoal_table_code(table, c, row));
        }
    }
    shoal_table_free(table);
    assert_script(*state, part, &script, 0);
    shoal_table_free(part);
}

static void test_join_keeps_types(void **state)
{
    arrow_script script = all_script();
    arrow_script left = all_script();
    arrow_script right = all_script();

    left.field_count = 20;
    right.fields += 20;
    right.field_count -= 20;
    shoal_table *table = import(*state, &left);
    shoal_table *more = import(*state, &right);

    assert_int_equal(shoal_i_table_join(*state, table, more), SHOAL_OK);
    shoal_table_free(more);
    assert_script(*state, table, &script, 0);
    shoal_table_free(table);
}

/* Values that do not fit the type remembered: the column leaves as one from elsewhere. */
static void test_other_values(void **state)
{
    static const struct {
        const char *origin;
        const char *text;
        const char *format; /* expected */
        const char *values;
    } cases[] = {
        {"c", "128", "l", NULL},
        {"c", "127", "c", NULL},
        {"C", "-1", "l", NULL},
        {"C", "256", "l", NULL},
        {"I", "4294967296", "l", NULL},
        {"I", "4294967295", "I", NULL},
        {"L", "-1", "l", NULL},
        {"l", "text", "c", "u"},
        {"l", "9223372036854775808", "c", "u"},
        {"L", "18446744073709551616", "c", "u"},
        {"b", "yes", "c", "u"},
        {"n", "text", "c", "u"},
        {"f", "1e39", "g", NULL},
        {"f", "text", "c", "u"},
        {"d:9,1", "1.25", "g", NULL},
        {"d:9,2,32", "21474836.48", "g", NULL},
        {"d:9,2,32", "21474836.47", "d:9,2,32", NULL},
        {"d:9,2", "1e3", "g", NULL},
        {"d:9,-2,64", "150", "l", NULL},
        {"d:9,-2,64", "1500", "d:9,-2,64", NULL},
        {"tdD", "text", "c", "u"},
        {"tss:", "2024-01-01T10:00:00.5", "c", "u"},
        {"tsm:", "2024-01-01T10:00:00.5", "tsm:", NULL},
        {"tss:", "2024-01-01T10:00:00Z", "c", "u"},
        {"tss:UTC", "2024-01-01T10:00:00", "c", "u"},
        {"tss:UTC", "2024-01-01T24:00:00Z", "c", "u"},
        {"tss:", "2024-01-01T10:60:00", "c", "u"},
        {"tsn:", "2024-01-01", "tsn:", NULL},
        {"tsn:", "2263-01-01", "tdD", NULL},
        {"c>c", "128", "l", NULL},
        {"g>u", "text", "c", "u"},
        {"what", "text", "c", "u"},
        {"", "text", "c", "u"},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        char csv[64];
        shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;

        snprintf(csv, sizeof csv, "x\n%s\n", cases[i].text);
        shoal_table *table = read_text(*state, csv, &options);

        assert_int_equal(shoal_i_column_set_origin(*state, &table->columns[0], cases[i].origin),
                         SHOAL_OK);
        reading r = open_reading(*state, table, 0);

        assert_format(&r, 0, cases[i].format, cases[i].values);
        close_reading(&r);
        shoal_table_free(table);
    }
}

/* --- Who may end before whom. --- */

/* The table first, then the stream, then the schema, then arrays, dictionaries and columns that
 * were moved out of them; the sanitizer looks on. */
static void test_lives(void **state)
{
    arrow_script script = all_script();
    shoal_table *table = import(*state, &script);
    reading r = open_reading(*state, table, 2);
    struct ArrowArray arrays[2];
    struct ArrowArray moved[3];
    struct ArrowSchema moved_schema[2];
    size_t dictionary = LENGTH(all_fields) - 9; /* "cu" */
    size_t view = 20;

    assert_string_equal(all_fields[dictionary].name, "cu");
    shoal_table_free(table);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(r.stream.get_next(&r.stream, &arrays[i]), 0);
    }
    r.stream.release(&r.stream); /* before its end */
    moved[0] = *arrays[0].children[view];
    arrays[0].children[view]->release = NULL;
    moved[1] = *arrays[1].children[dictionary];
    arrays[1].children[dictionary]->release = NULL;
    moved[2] = *arrays[0].children[dictionary]->dictionary;
    arrays[0].children[dictionary]->dictionary->release = NULL;
    moved_schema[0] = *r.schema.children[dictionary];
    r.schema.children[dictionary]->release = NULL;
    moved_schema[1] = *r.schema.children[dictionary + 1]->dictionary;
    r.schema.children[dictionary + 1]->dictionary->release = NULL;
    arrays[0].release(&arrays[0]);
    arrays[1].release(&arrays[1]);
    r.schema.release(&r.schema);

    assert_memory_equal(arrow_read("vu", NULL, &moved[0], 0).text, "b", 1);
    assert_memory_equal(arrow_read("c", "u", &moved[1], 1).text, "a text", 6);
    assert_memory_equal(arrow_read("u", NULL, &moved[2], 1).text, "a text", 6);
    assert_string_equal(moved_schema[0].name, "cu");
    assert_string_equal(moved_schema[0].dictionary->format, "u");
    assert_string_equal(moved_schema[1].format, "U");
    for (size_t i = 0; i < 3; i++) {
        moved[i].release(&moved[i]);
        assert_null(moved[i].release);
    }
    for (size_t i = 0; i < 2; i++) {
        moved_schema[i].release(&moved_schema[i]);
        assert_null(moved_schema[i].release);
    }
}

/* Codes that fit are the array; where something is missing they cannot be. */
static void test_codes_are_shared(void **state)
{
    shoal_table *table = read_text(*state, "t,u\nb,?\na,x\nb,y\n", NULL);
    reading r = open_reading(*state, table, 2);
    struct ArrowArray array;

    assert_int_equal(r.stream.get_next(&r.stream, &array), 0);
    assert_ptr_equal(array.children[0]->buffers[1], table->columns[0].codes);
    assert_null(array.children[0]->buffers[0]);
    assert_ptr_not_equal(array.children[1]->buffers[1], table->columns[1].codes);
    array.release(&array);
    assert_int_equal(r.stream.get_next(&r.stream, &array), 0);
    assert_ptr_equal(array.children[0]->buffers[1], (char *)table->columns[0].codes + 2);
    array.release(&array);
    close_reading(&r);
    shoal_table_free(table);
}

static shoal_status skip_second(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                size_t count)
{
    (void)ctx;
    (void)payload;
    assert_true(count > 1);
    columns[1].skip = true;
    return SHOAL_OK;
}

static void test_skipped_columns(void **state)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;

    options.configure = skip_second;
    shoal_table *table = read_text(*state, "a,b,c\n1,2,3\n", &options);
    reading r = open_reading(*state, table, 0);

    assert_int_equal(r.schema.n_children, 2);
    assert_string_equal(r.schema.children[1]->name, "c");
    close_reading(&r);
    shoal_table_free(table);
}

static void test_no_records(void **state)
{
    arrow_script script = all_script();

    script.row_count = 0;
    shoal_table *table = import(*state, &script);

    assert_script(*state, table, &script, 0);
    assert_returns(*state, table, 1);
    shoal_table_free(table);
}

static void test_no_batch(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = read_text(ctx, "a\n1\n", NULL);
    struct ArrowArrayStream stream = {.release = (void (*)(struct ArrowArrayStream *))abort};

    assert_int_equal(shoal_table_export_batches(ctx, &stream, table, 0), SHOAL_EINVAL);
    assert_null(stream.release);
    assert_int_equal(shoal_table_export(ctx, NULL, table), SHOAL_EINVAL);
    assert_int_equal(shoal_table_export(ctx, &stream, NULL), SHOAL_EINVAL);
    assert_null(stream.release);
    shoal_table_free(table);
}

/* Offsets of 32 bits end an array early. Only lengths are looked at: the texts are not
 * there. */
static void test_long_texts(void **state)
{
    size_t starts[] = {0, ((size_t)1 << 30) + 1, ((size_t)1 << 30) + 12,
                       ((size_t)1 << 30) + 13};
    uint8_t codes[] = {0, 1, 1, 0, 0, 1, 2};
    shoal_i_leaving leaving = {.type = {.kind = SHOAL_I_ARROW_TEXT, .width = 4}};

    (void)state;
    leaving.column.starts = starts;
    leaving.column.codes = codes;
    leaving.column.width = 1;
    leaving.column.value_count = 2; /* of 2^30 bytes, of 10, and missing */
    assert_int_equal(shoal_i_leaving_fit(&leaving, 0, 7), 3);
    assert_int_equal(shoal_i_leaving_fit(&leaving, 0, 2), 2);
    assert_int_equal(shoal_i_leaving_fit(&leaving, 1, 6), 3);
    assert_int_equal(shoal_i_leaving_fit(&leaving, 4, 3), 3);
    assert_int_equal(shoal_i_leaving_fit(&leaving, 0, 0), 0);
    leaving.type.width = 8;
    assert_int_equal(shoal_i_leaving_fit(&leaving, 0, 7), 7);
    /* As many bytes as there can be, and one more. */
    starts[1] = (size_t)INT32_MAX - 9;
    starts[2] = starts[1] + 11;
    starts[3] = starts[2] + 1;
    leaving.type.width = 4;
    assert_int_equal(shoal_i_leaving_fit(&leaving, 0, 2), 2);
    starts[2]++;
    starts[3]++;
    assert_int_equal(shoal_i_leaving_fit(&leaving, 0, 2), 1);
}

/* --- Random tables. --- */

enum { RANDOM_ROWS = 300, RANDOM_COLUMNS = 6 };

static void test_random_tables(void **state)
{
    static const char *const formats[] = {"c", "S",  "i",     "l",   "g",   "b",
                                          "u", "vu", "d:9,2", "tdD", "tsu:"};
    static arrow_value cells[RANDOM_COLUMNS][RANDOM_ROWS];
    static char words[RANDOM_COLUMNS][RANDOM_ROWS][40];

    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        arrow_field fields[RANDOM_COLUMNS];
        char names[RANDOM_COLUMNS][8];
        arrow_script script = {.fields = fields, .field_count = RANDOM_COLUMNS};

        script.row_count = shoal_i_random_below(&random, RANDOM_ROWS + 1);
        script.chunk = 1 + shoal_i_random_below(&random, 120);
        script.offset = shoal_i_random_below(&random, 4);
        script.child_offset = shoal_i_random_below(&random, 9);
        for (size_t f = 0; f < RANDOM_COLUMNS; f++) {
            uint64_t distinct = 1 + shoal_i_random_below(&random, seed % 2 ? 100 : 6);
            uint64_t holes = shoal_i_random_below(&random, 3);

            snprintf(names[f], sizeof names[f], "c%zu", f);
            fields[f] = (arrow_field){.name = names[f], .cells = cells[f]};
            fields[f].format = formats[shoal_i_random_below(&random, LENGTH(formats))];
            for (size_t row = 0; row < script.row_count; row++) {
                uint64_t pick = shoal_i_random_below(&random, distinct);
                int length =
                    snprintf(words[f][row], sizeof words[f][row], "%.*s%u", (int)pick % 30,
                             "one word and another and so on, on", (unsigned)pick);

                cells[f][row] = (arrow_value){
                    .number = (int64_t)(fields[f].format[0] == 'b' ? pick % 2 : pick),
                    .real = (double)pick / 3,
                    .is_missing = holes && shoal_i_random_below(&random, 4) < holes,
                    .text = words[f][row],
                    .length = (size_t)length};
            }
            if (shoal_i_random_below(&random, 3) == 0) {
                fields[f].values = fields[f].format;
                fields[f].format = "s";
            }
        }
        shoal_table *table = import(*state, &script);

        assert_script(*state, table, &script, 1 + shoal_i_random_below(&random, 200));
        assert_returns(*state, table, 1 + shoal_i_random_below(&random, 200));
        shoal_table_free(table);
    }
}

/* --- Memory. --- */

static shoal_status export_and_release(shoal_ctx *ctx, void *payload)
{
    struct ArrowArrayStream stream;
    shoal_status st = shoal_table_export(ctx, &stream, payload);

    assert_true((st == SHOAL_OK) == (stream.release != NULL));
    if (stream.release) {
        stream.release(&stream);
    }
    return st;
}

/* The callbacks of a stream fail with ENOMEM and a message, and can be called again. */
static void check_failing_callbacks(shoal_ctx *ctx, const shoal_table *table)
{
    reading r = open_reading(ctx, table, 4);
    shoal_ctx *own = shoal_i_arrow_stream_ctx(&r.stream);
    int code = ENOMEM;

    r.schema.release(&r.schema);
    for (int64_t n = 0; code != 0; n++) {
        own->alloc_budget = n;
        code = r.stream.get_schema(&r.stream, &r.schema);
        assert_true(code == 0 || (code == ENOMEM && !r.schema.release));
        assert_true(n > 0 || r.stream.get_last_error(&r.stream) != NULL);
    }
    for (size_t rows = 0; rows < ROWS; rows += 4) {
        struct ArrowArray array;

        code = ENOMEM;
        for (int64_t n = 0; code != 0; n++) {
            own->alloc_budget = n;
            code = r.stream.get_next(&r.stream, &array);
            assert_true(code == 0 || (code == ENOMEM && !array.release));
        }
        assert_int_equal(array.length, rows == 0 ? 4 : ROWS - 4);
        array.release(&array);
    }
    close_reading(&r);
}

static void test_failing_allocations(void **state)
{
    arrow_script script = all_script();
    shoal_table *table = import(*state, &script);

    assert_survives_failing_allocations(*state, export_and_release, table);
    check_failing_callbacks(*state, table);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_return),        cmocka_unit_test(test_table_returns),
        cmocka_unit_test(test_columns_from_csv),    cmocka_unit_test(test_index_types),
        cmocka_unit_test(test_index_outgrown),      cmocka_unit_test(test_filter_keeps_types),
        cmocka_unit_test(test_part_keeps_types),    cmocka_unit_test(test_join_keeps_types),
        cmocka_unit_test(test_other_values),        cmocka_unit_test(test_lives),
        cmocka_unit_test(test_codes_are_shared),    cmocka_unit_test(test_skipped_columns),
        cmocka_unit_test(test_no_records),          cmocka_unit_test(test_no_batch),
        cmocka_unit_test(test_long_texts),          cmocka_unit_test(test_random_tables),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
