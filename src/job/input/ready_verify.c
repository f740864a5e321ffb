/* That columns were made ready, seen in the texts of a release alone. It reads what anybody
 * reads there, numbers and ranges of them, and shares nothing with what made the columns ready.
 */
#include "ready.h"

#include "../../base/text.h"
#include "../../table/csv/csv_spooled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A multiple is one up to what doubles cannot tell. */
#define NEARLY 1e-6

typedef struct bounds {
    const char *top;
    const char *bottom;
    const char *multiple;
} bounds;

static bool is_number_right(const bounds *b, double number)
{
    double limit = 0;

    if (b->top && shoal_i_text_to_double(&limit, b->top, strlen(b->top)) && number > limit) {
        return false;
    }
    if (b->bottom && shoal_i_text_to_double(&limit, b->bottom, strlen(b->bottom)) &&
        number < limit) {
        return false;
    }
    if (b->multiple && !b->top && !b->bottom &&
        shoal_i_text_to_double(&limit, b->multiple, strlen(b->multiple))) {
        double quotient = number / limit;

        return fabs(quotient - round(quotient)) < NEARLY;
    }
    return true;
}

/* A number, or a range [a..b] of two; other texts are labels of groups. */
static bool is_text_right(const bounds *b, const char *text, size_t length)
{
    double number = 0;

    if (shoal_i_text_to_double(&number, text, length)) {
        return is_number_right(b, number);
    }
    const char *dots = length > 2 && text[0] == '[' ? strstr(text, "..") : NULL;

    if (!dots || text[length - 1] != ']') {
        return true;
    }
    const char *second = dots + 2;

    return (!shoal_i_text_to_double(&number, text + 1, (size_t)(dots - text - 1)) ||
            is_number_right(b, number)) &&
           (!shoal_i_text_to_double(&number, second, (size_t)(text + length - 1 - second)) ||
            is_number_right(b, number));
}

static size_t count_characters(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return count;
}

static shoal_status reject(shoal_ctx *ctx, const char *name)
{
    return shoal_i_fail(
        ctx, SHOAL_EREJECTED,
        "The release has a value in the column \"%.200s\" that is finer or coarser "
        "than the spec allows; nothing was written.",
        name);
}

/* Whether a text is on the least level or above, by the hierarchy of the values before. A
 * suppressed cell is, and a set of values shows each of them. */
static bool is_coarse_enough(const shoal_hierarchy *h, int level, const char *text,
                             size_t length)
{
    int64_t node = shoal_hierarchy_find(h, text, length);

    if (node >= 0) {
        return shoal_hierarchy_depth(h, (uint32_t)node) <= shoal_hierarchy_height(h) - level;
    }
    if (length < 2 || text[0] != '{' || text[length - 1] != '}') {
        return strcmp(text, "*") == 0;
    }
    for (const char *at = text + 1; at < text + length - 1;) {
        size_t size = strcspn(at, "|}");

        if (!is_coarse_enough(h, level, at, size)) {
            return false;
        }
        at += size + 1;
    }
    return true;
}

/* What a column of the release is held against. */
typedef struct expected {
    bounds numbers;
    double longest;                /* characters; 0: any */
    const shoal_hierarchy *levels; /* NULL: any */
    int level;
    const shoal_hierarchy *released; /* by which it is; NULL: no level is too coarse */
    int least_depth;
} expected;

/* Whether a label is not above the coarsest level; values are never. */
static bool is_fine_enough(const expected *e, const char *text, size_t length)
{
    int64_t node = shoal_hierarchy_find(e->released, text, length);

    return node >= 0 && (shoal_hierarchy_child_count(e->released, (uint32_t)node) == 0 ||
                         shoal_hierarchy_depth(e->released, (uint32_t)node) >= e->least_depth);
}

static bool is_right(const expected *e, const char *text, size_t length)
{
    return is_text_right(&e->numbers, text, length) &&
           (e->longest == 0 || (double)count_characters(text, length) <= e->longest) &&
           (!e->levels || is_coarse_enough(e->levels, e->level, text, length)) &&
           (!e->released || is_fine_enough(e, text, length));
}

static double read_text(const char *text)
{
    double number = 0;

    return text && shoal_i_text_to_double(&number, text, strlen(text)) ? number : 0;
}

/* Prefixes and ranges of a quasi column have forms of their own; there only numbers and levels
 * count. Cells without a value say nothing. */
static shoal_status verify_column(shoal_ctx *ctx, const shoal_table *release, size_t at,
                                  const shoal_i_spec_column *column,
                                  const shoal_i_ready_known *known)
{
    shoal_status st = SHOAL_OK;
    bool is_quasi = column->role == SHOAL_ROLE_QUASI;
    expected e = {.numbers = {column->texts[SHOAL_I_COLUMN_TOP],
                              column->texts[SHOAL_I_COLUMN_BOTTOM],
                              is_quasi ? NULL : column->texts[SHOAL_I_COLUMN_ROUND]},
                  .longest = is_quasi ? 0 : read_text(column->texts[SHOAL_I_COLUMN_TRUNCATE]),
                  .level = (int)read_text(column->texts[SHOAL_I_COLUMN_GENERALIZE])};
    ptrdiff_t from = known ? shoal_table_find(known->original, column->name) : -1;

    if (from >= 0 && known->readied->levels) {
        e.levels = known->readied->levels[from];
    }
    if (from >= 0 && column->texts[SHOAL_I_COLUMN_COARSEST]) {
        e.released = known->hierarchies[from];
        SHOAL_TRY(shoal_i_coarsest_depth(ctx, &e.least_depth, column, known->readied,
                                         (size_t)from, e.released));
    }
    for (size_t code = 0; code < shoal_table_value_count(release, at); code++) {
        size_t length = 0;
        const char *text = shoal_table_text(release, at, (uint32_t)code, &length);

        if (!is_right(&e, text, length)) {
            return reject(ctx, column->name);
        }
    }
done:
    return st;
}

/* Whether anything is said of how fine a column may be released. */
static bool is_bounded(const shoal_i_spec_column *column)
{
    return shoal_i_is_made_ready(column) || column->texts[SHOAL_I_COLUMN_COARSEST];
}

/* The columns of a release that hold one of the table: itself, or its two ends. */
static const char *const endings[] = {"", "_min", "_max"};

shoal_status shoal_i_ready_verify(shoal_ctx *ctx, const shoal_table *release,
                                  const shoal_spec *spec, const shoal_i_ready_known *known)
{
    shoal_status st = SHOAL_OK;
    char name[SHOAL_MESSAGE_MAX];

    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        for (size_t e = 0; is_bounded(column) && e < 3; e++) {
            snprintf(name, sizeof name, "%s%s", column->name, endings[e]);
            ptrdiff_t at = shoal_table_find(release, name);

            if (at >= 0 && !shoal_table_is_skipped(release, (size_t)at)) {
                SHOAL_TRY(verify_column(ctx, release, (size_t)at, column, known));
            }
        }
    }
done:
    return st;
}

/* --- A file. ---------------------------------------------------------------------------- */

/* Read the columns that were made ready, as the texts they are. */
static shoal_status configure(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    const shoal_spec *spec = payload;
    char name[SHOAL_MESSAGE_MAX];

    (void)ctx;
    for (size_t c = 0; c < count; c++) {
        columns[c].skip = true;
        columns[c].type = SHOAL_TYPE_STRING;
        columns[c].detect_missing = true;
        for (size_t i = 0; i < 3 * spec->column_count; i++) {
            const shoal_i_spec_column *column = &spec->columns[i / 3];

            snprintf(name, sizeof name, "%s%s", column->name, endings[i % 3]);
            if (is_bounded(column) && strcmp(name, columns[c].name) == 0) {
                columns[c].skip = false;
            }
        }
    }
    return SHOAL_OK;
}

/* Only values are wanted, not what each record has. */
static shoal_status ignore_records(shoal_ctx *ctx, void *payload, const shoal_table *table,
                                   uint32_t *const *codes, size_t count)
{
    (void)payload;
    (void)table;
    (void)codes;
    (void)count;
    return shoal_i_check_cancelled(ctx);
}

shoal_status shoal_i_ready_verify_file(shoal_ctx *ctx, const char *path, const shoal_spec *spec,
                                       const shoal_i_ready_known *known)
{
    shoal_status st = SHOAL_OK;
    shoal_table *release = NULL;
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .delimiter = spec->output_delimiter,
                                 .missing_tokens = spec->missing_tokens,
                                 .missing_token_count = spec->missing_token_count,
                                 .configure = configure,
                                 .configure_payload = (void *)spec};
    shoal_i_csv_spooling spooling = {.folder = spec->temporary, .consume = ignore_records};

    if (!shoal_i_spec_makes_ready(spec) && !shoal_i_spec_has_coarsest(spec)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_csv_read_spooled(ctx, &release, path, &options, &spooling));
    SHOAL_TRY(shoal_i_ready_verify(ctx, release, spec, known));
done:
    shoal_table_free(release);
    return st;
}
