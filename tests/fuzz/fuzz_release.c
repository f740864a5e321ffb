/* fuzz_release.c -- any bytes as the release of a small table: refused with a message or parsed
 * into boxes of codes that exist. */
#include "fuzz.h"

#include "box/quasi.h"
#include "release/release.h"
#include "release/value.h"

#include <string.h>

static const char original_text[] = "age,job,height,disease\n"
                                    "24,nurse,1.62,flu\n"
                                    "30,baker,1.8,flu\n"
                                    "32,carpenter,1.75,asthma\n"
                                    "55,teacher,1.62,\n"
                                    "?,teacher,1.9,flu\n";
static const char hierarchy_text[] = "nurse;services;*\nteacher;services;*\n"
                                     "baker;trades;*\ncarpenter;trades;*\n";

static shoal_status read_as_text(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                 size_t count)
{
    (void)ctx;
    (void)payload;
    for (size_t i = 0; i < count; i++) {
        columns[i].type = SHOAL_TYPE_STRING;
        columns[i].detect_missing = false;
    }
    return SHOAL_OK;
}

/* What is written for an interval reads back as that interval. */
static void check_text(shoal_ctx *ctx, const shoal_i_quasi *quasi, size_t c,
                       shoal_i_interval interval, shoal_i_categorical_form form)
{
    shoal_i_value_result result = SHOAL_I_VALUE_UNKNOWN;
    shoal_i_interval back = {0};
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_value_write(&text, quasi, c, interval, form);
    MUST(shoal_i_buffer_status(&text) == SHOAL_OK && text.size > 0);
    MUST(shoal_i_value_read(ctx, &result, &back, quasi, c, text.data, text.size) == SHOAL_OK);
    MUST(result == SHOAL_I_VALUE_FOUND);
    MUST(back.lo == interval.lo && back.hi == interval.hi);
    shoal_i_buffer_clear(&text);
}

static void check_release(shoal_ctx *ctx, const shoal_i_release *release,
                          const shoal_table *file)
{
    const shoal_i_quasi *quasi = release->quasi;
    size_t rows = 0;

    MUST(release->row_count == shoal_table_row_count(file));
    for (size_t b = 0; b < release->box_count; b++) {
        rows += release->box_sizes[b];
        for (size_t c = 0; c < quasi->count; c++) {
            shoal_i_interval interval = release->boxes[b * quasi->count + c];

            MUST(interval.lo <= interval.hi);
            MUST(interval.hi < quasi->columns[c].value_count);
            check_text(ctx, quasi, c, interval, SHOAL_I_CATEGORICAL_LABEL);
            check_text(ctx, quasi, c, interval, SHOAL_I_CATEGORICAL_SET);
        }
    }
    MUST(rows == release->row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        MUST(release->box_of[row] < release->box_count);
    }
}

static void parse(shoal_ctx *ctx, const shoal_i_quasi *quasi, const uint8_t *data, size_t size)
{
    const shoal_csv_options options = {.struct_size = sizeof options,
                                       .configure = read_as_text};
    shoal_table *file = NULL;
    shoal_i_release *release = NULL;
    shoal_status st =
        shoal_csv_read_memory(ctx, &file, (const char *)data, size, "fuzz", &options);

    if (st == SHOAL_OK) {
        st = shoal_i_release_parse(ctx, &release, quasi, file);
        MUST((release != NULL) == (st == SHOAL_OK));
    }
    if (st == SHOAL_OK) {
        check_release(ctx, release, file);
    } else {
        check_failure(ctx, st);
    }
    shoal_i_release_free(release);
    shoal_table_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_ctx *ctx = fuzz_ctx(1);
    shoal_table *table = NULL;
    shoal_hierarchy *jobs = NULL;
    shoal_i_quasi *quasi = NULL;

    MUST(shoal_csv_read_memory(ctx, &table, original_text, strlen(original_text), "original",
                               NULL) == SHOAL_OK);
    MUST(shoal_hierarchy_build_memory(ctx, &jobs, table, 1, hierarchy_text,
                                      strlen(hierarchy_text), "jobs") == SHOAL_OK);
    const shoal_i_quasi_request requests[] = {{.column = 0, .weight = 1},
                                              {.column = 1, .weight = 1, .hierarchy = jobs},
                                              {.column = 2, .weight = 2}};

    MUST(shoal_i_quasi_build(ctx, &quasi, table, requests, 3) == SHOAL_OK);
    parse(ctx, quasi, data, size);
    shoal_i_quasi_free(quasi);
    shoal_hierarchy_free(jobs);
    shoal_table_free(table);
    return 0;
}
