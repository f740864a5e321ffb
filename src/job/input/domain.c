#include "domain.h"

#include "../../base/file.h"
#include "../../base/text.h"
#include "../../hierarchy/hierarchy_lines.h"
#include "../../release/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FILE_MAX ((size_t)1 << 30)

/* The values of one column, as texts. */
typedef struct value_list {
    const char *name;
    const char **texts;
    size_t count;
    size_t capacity;
    shoal_type type; /* to be read by */
} value_list;

typedef struct domain {
    shoal_ctx *ctx;
    const shoal_spec *spec;
    const shoal_table *file;
    value_list *lists; /* of the quasi columns */
    size_t list_count;
    shoal_i_arena arena;
} domain;

static void clear_domain(domain *d)
{
    for (size_t i = 0; d->lists && i < d->list_count; i++) {
        free(d->lists[i].texts);
    }
    free(d->lists);
    shoal_i_arena_clear(&d->arena);
}

static shoal_status add_value(domain *d, value_list *list, const char *text, size_t length)
{
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        const char **texts =
            shoal_i_realloc(d->ctx, (void *)list->texts, capacity, sizeof *texts);

        if (!texts) {
            return SHOAL_ENOMEM;
        }
        list->texts = texts;
        list->capacity = capacity;
    }
    list->texts[list->count] = shoal_i_arena_text(d->ctx, &d->arena, text, length);
    return list->texts[list->count++] ? SHOAL_OK : SHOAL_ENOMEM;
}

static shoal_status fail_untold(domain *d, const char *name)
{
    shoal_i_fail(d->ctx, SHOAL_EUNSUPPORTED,
                 "The release alone does not tell which values the column \"%.200s\" has; give "
                 "its original (`original`) or a hierarchy file.",
                 name);
    return shoal_i_fail_in(d->ctx, shoal_table_source(d->file), 0, 0);
}

/* --- Leaves of a file or of a table. ----------------------------------------------------- */

static bool is_missing_token(const shoal_spec *spec, const char *text)
{
    if (!spec->missing_tokens) {
        return text[0] == '\0' || strcmp(text, "?") == 0;
    }
    for (size_t i = 0; i < spec->missing_token_count; i++) {
        if (strcmp(spec->missing_tokens[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static shoal_status add_leaves(domain *d, value_list *list, const shoal_i_hierarchy_plan *plan)
{
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;
    shoal_i_hierarchy_lines lines;
    bool found = true;

    if (plan->kind == SHOAL_I_PLAN_TABLE) {
        SHOAL_TRY(shoal_i_hierarchy_lines_start_table(d->ctx, &lines, plan->levels));
    } else {
        SHOAL_TRY(shoal_i_input_read_all(d->ctx, &bytes, &size, plan->path, FILE_MAX));
        SHOAL_TRY(shoal_i_hierarchy_lines_start(d->ctx, &lines, bytes, size, plan->path));
    }
    for (;;) {
        SHOAL_TRY(shoal_i_hierarchy_lines_next(d->ctx, &found, &lines));
        if (!found) {
            break;
        }
        if (!lines.labels[0].is_missing && !is_missing_token(d->spec, lines.labels[0].text)) {
            SHOAL_TRY(add_value(d, list, lines.labels[0].text, lines.labels[0].length));
        }
    }
done:
    free(bytes);
    return st;
}

/* --- Texts of the release. -------------------------------------------------------------- */

/* Call `take` for each element of a released text: itself, or what a set {a|b} holds. */
typedef shoal_status (*take_fn)(domain *d, void *payload, const char *text, size_t length);

static shoal_status take_elements(domain *d, const char *text, size_t length, take_fn take,
                                  void *payload)
{
    shoal_status st = SHOAL_OK;
    char *element = NULL;
    size_t size = 0;

    if (length < 2 || text[0] != '{' || text[length - 1] != '}') {
        return take(d, payload, text, length);
    }
    SHOAL_ALLOC(d->ctx, element, length);
    for (size_t i = 1; i < length; i++) {
        bool is_end = i == length - 1 || text[i] == '|';

        if (is_end) {
            SHOAL_TRY(take(d, payload, element, size));
            size = 0;
        } else {
            i += text[i] == '\\' && i + 2 < length;
            element[size++] = text[i];
        }
    }
done:
    free(element);
    return st;
}

/* Every released text of a column but `*`. */
static shoal_status take_texts(domain *d, size_t column, take_fn take, void *payload)
{
    shoal_status st = SHOAL_OK;

    for (uint32_t code = 0; code < shoal_table_value_count(d->file, column); code++) {
        size_t length = 0;
        const char *text = shoal_table_text(d->file, column, code, &length);

        if (strcmp(text, "*") != 0) {
            SHOAL_TRY(take_elements(d, text, length, take, payload));
        }
    }
done:
    return st;
}

static shoal_status take_text(domain *d, void *list, const char *text, size_t length)
{
    return add_value(d, list, text, length);
}

/* --- Ends of ranges. -------------------------------------------------------------------- */

/* The ranges of a column. */
typedef struct ends {
    shoal_type type;
    bool are_ranges; /* all that was looked at */
    bool are_whole;
    value_list *list; /* where they are put; NULL: looked at only */
} ends;

static bool is_whole_number(double number)
{
    return !isfinite(number) || number == floor(number);
}

static shoal_status add_number(domain *d, const ends *e, double number)
{
    char text[SHOAL_I_NUMBER_MAX];

    if (!isfinite(number)) {
        return SHOAL_OK;
    }
    size_t length = e->type == SHOAL_TYPE_DATE ? shoal_i_text_from_date(text, (int32_t)number)
                                               : shoal_i_text_from_double(text, number);

    return add_value(d, e->list, text, length);
}

static double step(const ends *e, double number, double towards)
{
    return e->are_whole ? number + (towards > 0 ? 1 : -1) : nextafter(number, towards);
}

static shoal_status take_range(domain *d, void *payload, const char *text, size_t length)
{
    shoal_status st = SHOAL_OK;
    ends *e = payload;
    shoal_i_range range;

    if (!shoal_i_range_read(&range, e->type, text, length)) {
        e->are_ranges = false;
        return SHOAL_OK;
    }
    e->are_whole = e->are_whole && is_whole_number(range.lo) && is_whole_number(range.hi);
    if (e->list) {
        SHOAL_TRY(add_number(d, e, range.is_lo_open ? step(e, range.lo, INFINITY) : range.lo));
        SHOAL_TRY(add_number(d, e, range.is_hi_open ? step(e, range.hi, -INFINITY) : range.hi));
    }
done:
    return st;
}

/* The columns of the file that hold a quasi column: one, or NAME_min and NAME_max. */
static size_t find_columns(const domain *d, const char *name, size_t columns[2])
{
    static const char *const endings[] = {"_min", "_max"};
    ptrdiff_t column = shoal_table_find(d->file, name);
    size_t count = 0;
    char whole[SHOAL_MESSAGE_MAX];

    if (column >= 0) {
        columns[count++] = (size_t)column;
        return count;
    }
    for (size_t i = 0; i < 2; i++) {
        snprintf(whole, sizeof whole, "%s%s", name, endings[i]);
        column = shoal_table_find(d->file, whole);
        if (column >= 0) {
            columns[count++] = (size_t)column;
        }
    }
    return count;
}

/* Whether all texts of a column are numbers or ranges by a type; if so their ends are added. */
static shoal_status add_ends(domain *d, value_list *list, shoal_type type, bool *are_ranges)
{
    shoal_status st = SHOAL_OK;
    size_t columns[2] = {0};
    size_t count = find_columns(d, list->name, columns);
    ends e = {.type = type, .are_ranges = true, .are_whole = true};

    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(take_texts(d, columns[i], take_range, &e));
    }
    if (e.are_ranges) {
        e.list = list;
        for (size_t i = 0; i < count; i++) {
            SHOAL_TRY(take_texts(d, columns[i], take_range, &e));
        }
    }
    *are_ranges = e.are_ranges && list->count > 0;
done:
    return st;
}

/* --- Columns. --------------------------------------------------------------------------- */

/* Numbers if they can be read as such, dates if as such, else the texts that are shown. */
static shoal_status add_shown(domain *d, value_list *list, shoal_type type)
{
    shoal_status st = SHOAL_OK;
    static const shoal_type types[] = {SHOAL_TYPE_REAL, SHOAL_TYPE_DATE};
    size_t columns[2] = {0};
    bool are_ranges = false;

    for (size_t i = 0; i < 2 && !are_ranges && type != SHOAL_TYPE_STRING; i++) {
        if ((type == SHOAL_TYPE_DATE) <= (types[i] == SHOAL_TYPE_DATE)) {
            SHOAL_TRY(add_ends(d, list, types[i], &are_ranges));
        }
    }
    list->type = type;
    if (!are_ranges) {
        list->type = SHOAL_TYPE_STRING;
        for (size_t i = 0; i < find_columns(d, list->name, columns); i++) {
            SHOAL_TRY(take_texts(d, columns[i], take_text, list));
        }
    }
done:
    return st;
}

static shoal_status add_column(domain *d, value_list *list, const shoal_i_spec_column *asked)
{
    shoal_status st = SHOAL_OK;

    list->name = asked->name;
    list->type = shoal_i_column_type(asked);
    switch (asked->plan.kind) {
    case SHOAL_I_PLAN_FILE:
    case SHOAL_I_PLAN_TABLE:
        SHOAL_TRY(add_leaves(d, list, &asked->plan));
        break;
    case SHOAL_I_PLAN_PREFIX:
    case SHOAL_I_PLAN_DATES:
    case SHOAL_I_PLAN_CODES:
        break;
    default:
        SHOAL_TRY(add_shown(d, list, list->type));
        break;
    }
    if (list->count == 0) {
        st = fail_untold(d, asked->name);
    }
done:
    return st;
}

/* --- The table. ------------------------------------------------------------------------- */

static void put_cell(shoal_i_buffer *out, const char *text)
{
    shoal_i_buffer_char(out, '"');
    for (; *text; text++) {
        shoal_i_buffer_char(out, *text);
        if (*text == '"') {
            shoal_i_buffer_char(out, '"');
        }
    }
    shoal_i_buffer_char(out, '"');
}

/* One value per row; a column with fewer repeats its first. */
static void put_table(shoal_i_buffer *out, const domain *d)
{
    size_t rows = 0;

    for (size_t i = 0; i < d->list_count; i++) {
        rows = d->lists[i].count > rows ? d->lists[i].count : rows;
        put_cell(out, d->lists[i].name);
        shoal_i_buffer_char(out, i + 1 < d->list_count ? ',' : '\n');
    }
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < d->list_count; i++) {
            put_cell(out, d->lists[i].texts[row < d->lists[i].count ? row : 0]);
            shoal_i_buffer_char(out, i + 1 < d->list_count ? ',' : '\n');
        }
    }
}

static shoal_status configure_domain(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                     size_t count)
{
    const domain *d = payload;

    (void)ctx;
    for (size_t i = 0; i < count; i++) {
        columns[i].type = d->lists[i].type;
        columns[i].detect_missing = false;
    }
    return SHOAL_OK;
}

static shoal_status make_table(shoal_ctx *ctx, shoal_table **out, domain *d)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer csv;
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .delimiter = ',',
                                 .configure = configure_domain,
                                 .configure_payload = d};

    shoal_i_buffer_init(&csv, ctx, SHOAL_I_BUFFER_MAX);
    put_table(&csv, d);
    SHOAL_TRY(shoal_i_buffer_status(&csv));
    SHOAL_TRY(shoal_csv_read_memory(ctx, out, csv.data, csv.size, shoal_table_source(d->file),
                                    &options));
done:
    shoal_i_buffer_clear(&csv);
    return st;
}

/* Hierarchies as asked for where they come from files or tables; texts without get a flat one;
 * numbers are ranges, whatever intervals they were grouped by. */
static shoal_status make_quasi(shoal_ctx *ctx, shoal_i_prepared *prepared,
                               const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    size_t count = prepared->column_count;
    shoal_i_quasi_request *requests = NULL;

    SHOAL_ALLOC(ctx, requests, count);
    SHOAL_ALLOC(ctx, prepared->hierarchies, count);
    for (size_t i = 0; i < count; i++) {
        shoal_i_hierarchy_plan plan =
            shoal_i_spec_find_column(spec, shoal_table_name(prepared->table, i))->plan;

        if (plan.kind != SHOAL_I_PLAN_FILE && plan.kind != SHOAL_I_PLAN_TABLE) {
            plan.kind = shoal_table_type(prepared->table, i) == SHOAL_TYPE_STRING
                            ? SHOAL_I_PLAN_FLAT
                            : SHOAL_I_PLAN_NONE;
        }
        SHOAL_TRY(shoal_i_hierarchy_plan_build(ctx, &prepared->hierarchies[i], &plan,
                                               prepared->table, i));
        requests[i] = (shoal_i_quasi_request){
            .column = i, .weight = 1, .hierarchy = prepared->hierarchies[i]};
    }
    SHOAL_TRY(shoal_i_quasi_build(ctx, &prepared->quasi, prepared->table, requests, count));
done:
    free(requests);
    return st;
}

shoal_status shoal_i_domain_build(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                  const shoal_spec *spec, const shoal_i_received *received)
{
    shoal_status st = SHOAL_OK;
    domain d = {.ctx = ctx, .spec = spec, .file = received->table};

    SHOAL_ALLOC(ctx, d.lists, spec->column_count);
    for (size_t i = 0; i < spec->column_count; i++) {
        if (spec->columns[i].has_role && spec->columns[i].role == SHOAL_ROLE_QUASI) {
            SHOAL_TRY(add_column(&d, &d.lists[d.list_count++], &spec->columns[i]));
        }
    }
    SHOAL_TRY(make_table(ctx, &prepared->table, &d));
    prepared->column_count = d.list_count;
    SHOAL_ALLOC(ctx, prepared->roles, d.list_count);
    for (size_t i = 0; i < d.list_count; i++) {
        prepared->roles[i] = SHOAL_ROLE_QUASI;
    }
    SHOAL_TRY(make_quasi(ctx, prepared, spec));
done:
    clear_domain(&d);
    return st;
}
