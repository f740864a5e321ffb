/* test_arrow_lies.c -- streams that contradict the interface, their schema or themselves. */
#include "context.h"

#include "arrow_refusal.h"

static void test_refused_types(void **state)
{
    static const struct {
        const char *format;
        const char *name;
    } cases[] = {{"+l", "list"},         {"+s", "struct"},         {"+m", "map"},
                 {"+w:3", "list"},       {"+vl", "list view"},     {"+ud:0,1", "union"},
                 {"+r", "run-end"},      {"z", "binary"},          {"Z", "large binary"},
                 {"vz", "binary view"},  {"w:16", "fixed-size"},   {"e", "half float"},
                 {"tts", "time of day"}, {"tDs", "duration"},      {"tiM", "interval"},
                 {"d:38", "decimal"},    {"d:38,2,99", "decimal"}, {"d:0,0", "decimal"},
                 {"d:9,77", "decimal"},  {"d:9,2x", "decimal"},    {"tsx:", "unknown"},
                 {"tss", "unknown"},     {"", "unknown"},          {"int64", "unknown"},
                 {"uu", "unknown"},      {"_pli128", "unknown"}};

    for (size_t i = 0; i < LENGTH(cases); i++) {
        for (int in_dictionary = 0; in_dictionary < 2; in_dictionary++) {
            arrow_field fields[] = {few_fields[0], {.name = "odd", .format = cases[i].format}};
            arrow_script script = {.fields = fields, .field_count = 2};

            if (in_dictionary) {
                fields[1].values = fields[1].format;
                fields[1].format = "i";
            }
            assert_refused(*state, &script, SHOAL_EUNSUPPORTED, -1, 1, "Column \"odd\" has");
            shoal_ctx *ctx = *state;

            assert_non_null(strstr(ctx->error.message, cases[i].name));
        }
    }
}

static void test_bad_dictionary_types(void **state)
{
    arrow_field field = {.name = "d", .format = "g", .values = "u"};
    arrow_script script = {.fields = &field, .field_count = 1};

    assert_refused(*state, &script, SHOAL_EFORMAT, -1, 0, "indices are no integers");
    field.format = "u";
    assert_refused(*state, &script, SHOAL_EFORMAT, -1, 0, "indices are no integers");
}

static void test_names(void **state)
{
    arrow_field fields[] = {few_fields[0], few_fields[0]};
    arrow_script script = {.fields = fields, .field_count = 2};

    assert_refused(*state, &script, SHOAL_EFORMAT, -1, 1, "Columns 1 and 2 have the same name");
    fields[1].name = "";
    assert_refused(*state, &script, SHOAL_EFORMAT, -1, 1, "empty name");
    fields[1].name = NULL;
    assert_refused(*state, &script, SHOAL_EFORMAT, -1, 1, "no name");
    fields[1].name = "\xE9";
    assert_refused(*state, &script, SHOAL_EFORMAT, -1, 1, "no name");
    script.field_count = 0;
    assert_refused(*state, &script, SHOAL_EFORMAT, -1, -1, "no columns");
}

static void spoil_root_format(struct ArrowSchema *schema)
{
    schema->format = "i";
}

static void spoil_root_without_format(struct ArrowSchema *schema)
{
    schema->format = NULL;
}

static void spoil_child_format(struct ArrowSchema *schema)
{
    schema->children[1]->format = NULL;
}

static void spoil_child(struct ArrowSchema *schema)
{
    schema->children[1] = NULL;
}

static void spoil_child_release(struct ArrowSchema *schema)
{
    schema->children[1]->release = NULL;
}

static void spoil_children(struct ArrowSchema *schema)
{
    schema->children = NULL;
}

static void spoil_child_count(struct ArrowSchema *schema)
{
    schema->n_children = -1;
}

static void spoil_child_many(struct ArrowSchema *schema)
{
    schema->n_children = 65537;
}

static void spoil_release_twice(struct ArrowSchema *schema)
{
    schema->release(schema);
}

static void spoil_nested_dictionary(struct ArrowSchema *schema)
{
    schema->children[3]->dictionary->dictionary = schema->children[0];
}

static void test_bad_schemas(void **state)
{
    static const struct {
        void (*spoil)(struct ArrowSchema *schema);
        shoal_status status;
        int64_t field;
        const char *message;
    } cases[] = {
        {spoil_root_format, SHOAL_EFORMAT, -1, "stream of records"},
        {spoil_root_without_format, SHOAL_EFORMAT, -1, "stream of records"},
        {spoil_child_format, SHOAL_EFORMAT, 1, "Column \"t\" has no type"},
        {spoil_child, SHOAL_EFORMAT, 1, "Column 2 of the stream"},
        {spoil_child_release, SHOAL_EFORMAT, 1, "Column 2 of the stream"},
        {spoil_children, SHOAL_EFORMAT, -1, "no columns"},
        {spoil_child_count, SHOAL_EFORMAT, -1, "no columns"},
        {spoil_child_many, SHOAL_ELIMIT, -1, "65536 columns"},
        {spoil_release_twice, SHOAL_EFORMAT, -1, "was released"},
        {spoil_nested_dictionary, SHOAL_EFORMAT, 3, "a dictionary again"},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        arrow_script script = few_script();

        script.spoil_schema = cases[i].spoil;
        assert_refused(*state, &script, cases[i].status, -1, cases[i].field, cases[i].message);
    }
}

/* --- Arrays that lie. Each is the second of three. --- */

static void lie_length(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->length = -1;
}

static void lie_offset(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->offset = INT64_MAX;
}

static void lie_null_count(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->null_count = 3;
}

static void lie_null_records(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->null_count = 1;
}

static void lie_many(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->length =
        (int64_t)UINT32_MAX - 2; /* with the two before, one more than there can be */
}

static void lie_children(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->n_children = 4;
}

static void lie_no_children(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children = NULL;
}

static void lie_no_child(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[1] = NULL;
}

static void lie_child_released(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[1]->release = NULL;
}

static void lie_child_short(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[1]->length = 1;
}

static void lie_child_length(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->length = INT64_MAX;
}

static void lie_child_offset(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->offset = -1;
}

static void lie_child_offset_sum(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->offset = INT64_MAX;
}

static void lie_child_null_count(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->null_count = -2;
}

static void lie_child_nulls(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->null_count = 1;
    array->children[0]->buffers[0] = NULL;
}

static void lie_few_buffers(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[1]->n_buffers = 2;
}

static void lie_many_buffers(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->n_buffers = 3;
}

static void lie_negative_buffers(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[2]->n_buffers = -1;
}

static void lie_no_buffers(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->buffers = NULL;
}

static void lie_no_data(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[0]->buffers[1] = NULL;
}

static void lie_no_offsets(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[1]->buffers[1] = NULL;
}

static void lie_no_bytes(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[1]->buffers[2] = NULL;
}

static void lie_no_views(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[2]->buffers[1] = NULL;
}

static void lie_no_sizes(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[2]->buffers[4] = NULL;
}

static void lie_no_dictionary(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[3]->dictionary = NULL;
}

static void lie_released_dictionary(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[3]->dictionary->release = NULL;
}

static void lie_dictionary_buffers(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[3]->dictionary->n_buffers = 1;
}

static void lie_large_dictionary(struct ArrowArray *array, size_t index)
{
    (void)index;
    array->children[3]->dictionary->length = INT64_MAX / 256;
}

static void test_lying_arrays(void **state)
{
    static const struct {
        void (*spoil)(struct ArrowArray *array, size_t index);
        shoal_status status;
        int64_t field;
        const char *message;
    } cases[] = {
        {lie_length, SHOAL_EFORMAT, -1, "cannot be"},
        {lie_offset, SHOAL_EFORMAT, -1, "cannot be"},
        {lie_null_count, SHOAL_EFORMAT, -1, "cannot be"},
        {lie_null_records, SHOAL_EFORMAT, -1, "missing records"},
        {lie_many, SHOAL_ELIMIT, -1, "4294967294 records"},
        {lie_children, SHOAL_EFORMAT, -1, "another number of columns"},
        {lie_no_children, SHOAL_EFORMAT, -1, "another number of columns"},
        {lie_no_child, SHOAL_EFORMAT, 1, "Column \"t\" has an array that is empty"},
        {lie_child_released, SHOAL_EFORMAT, 1, "Column \"t\" has an array that is empty"},
        {lie_child_short, SHOAL_EFORMAT, 1, "Column \"t\" has an array that is shorter"},
        {lie_child_length, SHOAL_EFORMAT, 0, "Column \"n\" has an array whose length"},
        {lie_child_offset, SHOAL_EFORMAT, 0, "Column \"n\" has an array whose length"},
        {lie_child_offset_sum, SHOAL_EFORMAT, 0, "Column \"n\" has an array whose length"},
        {lie_child_null_count, SHOAL_EFORMAT, 0, "missing values"},
        {lie_child_nulls, SHOAL_EFORMAT, 0, "not which ones"},
        {lie_few_buffers, SHOAL_EFORMAT, 1, "buffers for its type"},
        {lie_many_buffers, SHOAL_EFORMAT, 0, "buffers for its type"},
        {lie_negative_buffers, SHOAL_EFORMAT, 2, "buffers for its type"},
        {lie_no_buffers, SHOAL_EFORMAT, 0, "without buffers"},
        {lie_no_data, SHOAL_EFORMAT, 0, "without data"},
        {lie_no_offsets, SHOAL_EFORMAT, 1, "without offsets"},
        {lie_no_bytes, SHOAL_EFORMAT, 1, "do not ascend"},
        {lie_no_views, SHOAL_EFORMAT, 2, "without data"},
        {lie_no_sizes, SHOAL_EFORMAT, 2, "sizes of buffers"},
        {lie_no_dictionary, SHOAL_EFORMAT, 3, "without its dictionary"},
        {lie_released_dictionary, SHOAL_EFORMAT, 3, "without its dictionary"},
        {lie_dictionary_buffers, SHOAL_EFORMAT, 3, "buffers for its type"},
        {lie_large_dictionary, SHOAL_EFORMAT, 3, "more than 2^32"},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        arrow_script script = few_script();

        script.spoil_array = cases[i].spoil;
        script.spoil_at = 1;
        assert_refused(*state, &script, cases[i].status, 2, cases[i].field, cases[i].message);
    }
}

/* --- Values that point elsewhere; the second array is of records 2 and 3. --- */

static void set_int32(const void *buffer, size_t i, int32_t value)
{
    memcpy((char *)(uintptr_t)buffer + i * sizeof value, &value, sizeof value);
}

static void point_offset_down(struct ArrowArray *array, size_t index)
{
    (void)index;
    set_int32(array->children[1]->buffers[1], 0, 4); /* texts 4..3, 3..4, ... */
}

static void point_offset_beyond(struct ArrowArray *array, size_t index)
{
    (void)index;
    set_int32(array->children[1]->buffers[1], 1, 1000000);
}

static void point_offset_negative(struct ArrowArray *array, size_t index)
{
    (void)index;
    set_int32(array->children[1]->buffers[1], 0, -5);
}

static void point_view_length(struct ArrowArray *array, size_t index)
{
    (void)index;
    set_int32(array->children[2]->buffers[1], 0, -1);
}

/* A view of 20 bytes of a buffer, at a place. */
static void point_view(struct ArrowArray *array, int32_t buffer, int32_t place)
{
    set_int32(array->children[2]->buffers[1], 0, 20);
    set_int32(array->children[2]->buffers[1], 2, buffer);
    set_int32(array->children[2]->buffers[1], 3, place);
}

static void point_view_buffer(struct ArrowArray *array, size_t index)
{
    (void)index;
    point_view(array, 2, 0);
}

static void point_view_negative_buffer(struct ArrowArray *array, size_t index)
{
    (void)index;
    point_view(array, -1, 0);
}

static void point_view_beyond(struct ArrowArray *array, size_t index)
{
    (void)index;
    point_view(array, 0, INT32_MAX);
}

/* From within its buffer to one byte behind it. */
static void point_view_end(struct ArrowArray *array, size_t index)
{
    int64_t *sizes = (int64_t *)(uintptr_t)array->children[2]->buffers[4];

    (void)index;
    sizes[0] = 25;
    array->children[2]->buffers[2] = "0123456789012345678901234";
    point_view(array, 0, 6);
}

static void point_view_negative(struct ArrowArray *array, size_t index)
{
    (void)index;
    point_view(array, 0, -1);
}

static void point_entry(struct ArrowArray *array, int8_t entry)
{
    memcpy((char *)(uintptr_t)array->children[3]->buffers[1], &entry, 1);
}

static void point_entry_beyond(struct ArrowArray *array, size_t index)
{
    (void)index;
    point_entry(array, (int8_t)array->children[3]->dictionary->length);
}

static void point_entry_negative(struct ArrowArray *array, size_t index)
{
    (void)index;
    point_entry(array, -1);
}

static void point_entry_offset(struct ArrowArray *array, size_t index)
{
    (void)index;
    for (size_t i = 1; i < (size_t)array->children[3]->dictionary->length; i++) {
        set_int32(array->children[3]->dictionary->buffers[1], i, 1000000);
    }
}

static void test_pointing_elsewhere(void **state)
{
    static const struct {
        void (*spoil)(struct ArrowArray *array, size_t index);
        int64_t field;
        const char *message;
    } cases[] = {
        {point_offset_down, 1, "Column \"t\" has a text that lies outside"},
        {point_offset_beyond, 1, "Column \"t\" has a text that lies outside"},
        {point_offset_negative, 1, "Column \"t\" has a text that lies outside"},
        {point_view_length, 2, "Column \"v\" has a text that lies outside"},
        {point_view_buffer, 2, "Column \"v\" has a text that lies outside"},
        {point_view_negative_buffer, 2, "Column \"v\" has a text that lies outside"},
        {point_view_beyond, 2, "Column \"v\" has a text that lies outside"},
        {point_view_end, 2, "Column \"v\" has a text that lies outside"},
        {point_view_negative, 2, "Column \"v\" has a text that lies outside"},
        {point_entry_beyond, 3, "Column \"d\" has an index outside"},
        {point_entry_negative, 3, "Column \"d\" has an index outside"},
        {point_entry_offset, 3, "Column \"d\" has a text that lies outside"},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        arrow_script script = few_script();

        script.spoil_array = cases[i].spoil;
        script.spoil_at = 1;
        assert_refused(*state, &script, SHOAL_EFORMAT, 2, cases[i].field, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_types), cmocka_unit_test(test_bad_dictionary_types),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_bad_schemas),
        cmocka_unit_test(test_lying_arrays),  cmocka_unit_test(test_pointing_elsewhere),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
