/* The check of a release by buckets, from both of its tables:
 *
 *   - every bucket, by the counts of the sensitive table, meets the requirements;
 *   - every record is published with its quasi-identifier as it is, and once;
 *   - every bucket has the sensitive values of its records, no others and no fewer.
 */
#include "../../release/formula.h"
#include "verify_release.h"

/* Every record as it is: a box of single values that covers it. */
static shoal_status check_records(shoal_ctx *ctx, const shoal_i_received *received,
                                  const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = expected->original->quasi;
    shoal_i_release *parsed = NULL;

    SHOAL_TRY(shoal_i_received_parse(ctx, &parsed, received, quasi));
    for (size_t i = 0; i < parsed->box_count * quasi->count; i++) {
        if (parsed->boxes[i].lo != parsed->boxes[i].hi) {
            st =
                shoal_i_fail(ctx, SHOAL_EREJECTED,
                             "The column '%s' reads back with a value that stands for several; "
                             "nothing was written.",
                             quasi->columns[i % quasi->count].name);
            goto done;
        }
    }
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, expected->record_of));
done:
    shoal_i_release_free(parsed);
    return st;
}

/* One sensitive column, as published and as it was. */
typedef struct column_pair {
    const shoal_table *file;
    size_t file_column;
    const shoal_table *original;
    size_t column;
    uint32_t *code_of; /* codes of the file -> codes of the original */
    int64_t *surplus;  /* in the bucket at hand, by code: published less true */
} column_pair;

static shoal_status reject(shoal_ctx *ctx, const column_pair *p)
{
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The sensitive table reads back with values of column \"%.200s\" that "
                        "are not those of the records of a bucket; nothing was written.",
                        shoal_table_name(p->original, p->column));
}

/* What the published values are in the original. */
static shoal_status match_values(shoal_ctx *ctx, column_pair *p)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_table_value_count(p->file, p->file_column);

    SHOAL_ALLOC(ctx, p->code_of, count + 1);
    for (size_t code = 0; code < count; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(p->file, p->file_column, (uint32_t)code, &length);
        int64_t found = shoal_table_find_code(p->original, p->column, text, length);

        if (found < 0 && shoal_i_is_guarded(text, length)) {
            found = shoal_table_find_code(p->original, p->column, text + 1, length - 1);
        }

        if (found < 0) {
            SHOAL_TRY(reject(ctx, p));
        }
        p->code_of[code] = (uint32_t)found;
    }
    p->code_of[count] = (uint32_t)shoal_table_value_count(p->original, p->column);
done:
    return st;
}

/* Count the lines of one bucket, both ways; all must come out even. */
static bool is_even(column_pair *p, const uint32_t *lines, size_t count,
                    const uint32_t *record_of)
{
    bool is_even = true;

    for (size_t i = 0; i < count; i++) {
        uint32_t published = shoal_table_code(p->file, p->file_column, lines[i]);
        uint32_t own = shoal_table_code(p->original, p->column, record_of[lines[i]]);

        p->surplus[p->code_of[published]]++;
        p->surplus[own]--;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t published = shoal_table_code(p->file, p->file_column, lines[i]);
        uint32_t own = shoal_table_code(p->original, p->column, record_of[lines[i]]);

        is_even = is_even && p->surplus[p->code_of[published]] == 0 && p->surplus[own] == 0;
    }
    return is_even;
}

/* The lines of the file, bucket after bucket. */
static shoal_status order_lines(shoal_ctx *ctx, uint32_t **lines, uint32_t **starts,
                                const shoal_i_received *received)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *file = received->table;
    size_t rows = shoal_table_row_count(file);
    size_t buckets = shoal_table_value_count(file, received->bucket_column);

    SHOAL_ALLOC(ctx, *lines, rows);
    SHOAL_ALLOC(ctx, *starts, buckets + 2);
    /* starts[b + 1] first tells where the next line of bucket b goes, and ends as its end. */
    for (size_t line = 0; line < rows; line++) {
        (*starts)[shoal_table_code(file, received->bucket_column, line) + 2]++;
    }
    for (size_t b = 0; b < buckets; b++) {
        (*starts)[b + 2] += (*starts)[b + 1];
    }
    for (size_t line = 0; line < rows; line++) {
        uint32_t bucket = shoal_table_code(file, received->bucket_column, line);

        (*lines)[(*starts)[bucket + 1]++] = (uint32_t)line;
    }
done:
    return st;
}

static shoal_status check_column(shoal_ctx *ctx, const shoal_i_received *received,
                                 const shoal_i_expected *expected, size_t column,
                                 const uint32_t *lines, const uint32_t *starts)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *original = expected->original->table;
    ptrdiff_t found = shoal_table_find(received->table, shoal_table_name(original, column));
    size_t buckets = shoal_table_value_count(received->table, received->bucket_column);
    column_pair p = {.file = received->table,
                     .file_column = (size_t)found,
                     .original = original,
                     .column = column};

    if (found < 0) {
        return reject(ctx, &p);
    }
    SHOAL_TRY(match_values(ctx, &p));
    SHOAL_ALLOC(ctx, p.surplus, shoal_table_value_count(original, column) + 1);
    for (size_t b = 0; b < buckets; b++) {
        if (!is_even(&p, lines + starts[b], starts[b + 1] - starts[b], expected->record_of)) {
            SHOAL_TRY(reject(ctx, &p));
        }
    }
done:
    free(p.code_of);
    free(p.surplus);
    return st;
}

static shoal_status check_values(shoal_ctx *ctx, const shoal_i_received *received,
                                 const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;
    uint32_t *lines = NULL;
    uint32_t *starts = NULL;

    SHOAL_TRY(order_lines(ctx, &lines, &starts, received));
    for (size_t i = 0; i < expected->original->column_count; i++) {
        if (expected->original->roles[i] == SHOAL_ROLE_SENSITIVE) {
            SHOAL_TRY(check_column(ctx, received, expected, i, lines, starts));
        }
    }
done:
    free(lines);
    free(starts);
    return st;
}

shoal_status shoal_i_verify_buckets(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_received *received,
                                    const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_verify_requirements(
        ctx, out, received, expected,
        &(shoal_i_row_classes){.columns = &received->bucket_column, .column_count = 1}));
    SHOAL_TRY(check_records(ctx, received, expected));
    SHOAL_TRY(check_values(ctx, received, expected));
    out->checked_cover = true;
done:
    return st;
}
