/* in_memory.c -- the library without files: arrays in, a verified release out.
 *
 *     cc in_memory.c $(pkg-config --cflags --libs shoal) -o in_memory
 *     ./in_memory
 *
 * Twelve patients as three columns, laid out as Apache Arrow lays out its arrays. Other
 * programs hand such tables over as Arrow streams: shoal_table_import takes one,
 * shoal_release_export gives one.
 */
#include <shoal/shoal.h>

#include <stdio.h>

#define PATIENTS 12

static const int32_t ages[PATIENTS] = {23, 25, 31, 34, 36, 38, 44, 47, 52, 58, 61, 67};

/* A text column: all texts in a row, and where each begins. */
static const char sexes[] = "FMFFMFMMFMFM";
static const int32_t sex_offsets[PATIENTS + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/* A dictionary column: a number for each record, and the texts they stand for. */
static const int32_t ills[PATIENTS] = {0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 2};
static const char ill_texts[] = "flugoutasthma";
static const int32_t ill_offsets[] = {0, 3, 7, 13};

static shoal_status build_table(shoal_ctx *ctx, shoal_table **out)
{
    const shoal_array values = {
        .kind = SHOAL_ARRAY_UTF8, .length = 3, .data = ill_texts, .offsets32 = ill_offsets};
    const shoal_array arrays[] = {
        {.name = "age", .kind = SHOAL_ARRAY_INT32, .length = PATIENTS, .data = ages},
        {.name = "sex",
         .kind = SHOAL_ARRAY_UTF8,
         .length = PATIENTS,
         .data = sexes,
         .offsets32 = sex_offsets},
        {.name = "ill",
         .kind = SHOAL_ARRAY_DICTIONARY,
         .length = PATIENTS,
         .data = ills,
         .dictionary = &values},
    };

    return shoal_table_from_arrays(ctx, out, arrays, 3);
}

/* Age and sex are what others may know; everybody shall look like at least two others. */
static shoal_status describe(shoal_ctx *ctx, shoal_spec *spec)
{
    shoal_status st = shoal_spec_set_role(ctx, spec, "age", SHOAL_ROLE_QUASI);

    if (st == SHOAL_OK) {
        st = shoal_spec_set_role(ctx, spec, "sex", SHOAL_ROLE_QUASI);
    }
    if (st == SHOAL_OK) {
        st = shoal_spec_set_role(ctx, spec, "ill", SHOAL_ROLE_SENSITIVE);
    }
    if (st == SHOAL_OK) {
        st = shoal_spec_set(ctx, spec, "privacy.k", "3");
    }
    if (st == SHOAL_OK) {
        st = shoal_spec_set(ctx, spec, "method", "mondrian");
    }
    return st;
}

/* What is handed out; then what only its maker may see. */
static void print_release(const shoal_release *release)
{
    const shoal_table *rows = shoal_release_table(release);

    for (size_t row = 0; row < shoal_release_row_count(release); row++) {
        for (size_t c = 0; c < shoal_table_column_count(rows); c++) {
            uint32_t code = shoal_table_code(rows, c, row);

            printf("%s%s", c > 0 ? "," : "", shoal_table_text(rows, c, code, NULL));
        }
        printf("\n");
    }
    for (size_t record = 0; record < shoal_release_record_count(release); record++) {
        size_t class_number = (size_t)shoal_release_class_of(release, record);

        printf("record %zu: age %s, class %zu of %zu records, risk %.2f\n", record,
               shoal_release_text(release, class_number, 0), class_number,
               shoal_release_class_size(release, class_number),
               shoal_release_risk(release, record));
    }
}

static shoal_status run(shoal_ctx *ctx)
{
    shoal_table *table = NULL;
    shoal_spec *spec = NULL;
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    shoal_status st = build_table(ctx, &table);

    if (st == SHOAL_OK) {
        st = shoal_spec_new(ctx, &spec);
    }
    if (st == SHOAL_OK) {
        st = describe(ctx, spec);
    }
    if (st == SHOAL_OK) {
        st = shoal_anonymize_table(ctx, &release, &report, spec, table);
    }
    if (st == SHOAL_OK) {
        print_release(release);
        printf("lost: %.1f %%\n", 100 * shoal_report_figure(report, "gcp"));
    }
    shoal_report_free(report);
    shoal_release_free(release);
    shoal_spec_free(spec);
    shoal_table_free(table);
    return st;
}

int main(void)
{
    shoal_ctx *ctx = shoal_ctx_new();

    if (!ctx) {
        return 1;
    }
    shoal_status st = run(ctx);

    if (st != SHOAL_OK) {
        fprintf(stderr, "%s\n", shoal_ctx_error(ctx)->message);
    }
    shoal_ctx_free(ctx);
    return st == SHOAL_OK ? 0 : 1;
}
