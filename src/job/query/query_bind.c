#include "query_bind.h"

#include "../../base/text.h"
#include "../../release/value.h"

#include <math.h>
#include <string.h>

/* --- Columns. --------------------------------------------------------------------------- */

/* The nearest name, by a list of them that may not be there for lack of memory. */
static const char *find_near(shoal_ctx *ctx, const shoal_i_query_scope *scope, const char *name)
{
    size_t count = scope->quasi->count + shoal_table_column_count(scope->file);
    const char **names = shoal_i_alloc(ctx, count, sizeof *names);
    const char *near = NULL;

    for (size_t i = 0; names && i < count; i++) {
        names[i] = i < scope->quasi->count
                       ? scope->quasi->columns[i].name
                       : shoal_table_name(scope->file, i - scope->quasi->count);
    }
    if (names) {
        near = shoal_i_text_nearest(name, names, count);
    }
    free(names);
    return near;
}

/* The number of a column: quasi columns first, then the others. */
static shoal_status find_column(shoal_ctx *ctx, size_t *out, const shoal_i_query_scope *scope,
                                const shoal_i_query_word *name)
{
    for (size_t c = 0; c < scope->quasi->count; c++) {
        if (strcmp(scope->quasi->columns[c].name, name->text) == 0) {
            *out = c;
            return SHOAL_OK;
        }
    }
    for (size_t j = 0; j < scope->other_count; j++) {
        if (strcmp(scope->others[j].name, name->text) == 0) {
            *out = scope->quasi->count + j;
            return SHOAL_OK;
        }
    }
    const char *near = find_near(ctx, scope, name->text);

    if (near) {
        shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                     "The release has no column \"%.200s\"; did you mean \"%.200s\"?",
                     name->text, near);
    } else {
        shoal_i_fail(ctx, SHOAL_ENOTFOUND, "The release has no column \"%.200s\".", name->text);
    }
    return shoal_i_query_fail_in(ctx, name->at);
}

/* A column as values are looked up in it. */
typedef struct place {
    const shoal_i_query_scope *scope;
    size_t column;
    const shoal_table *table;
    size_t table_column;
    shoal_type type;
    const shoal_hierarchy *hierarchy;
    size_t code_count;
} place;

static place find_place(const shoal_i_query_scope *scope, size_t column)
{
    place p = {.scope = scope, .column = column};

    if (column < scope->quasi->count) {
        p.table = scope->quasi->table;
        p.table_column = scope->quasi->columns[column].column;
        p.hierarchy = scope->quasi->columns[column].hierarchy;
        p.code_count = scope->quasi->columns[column].value_count;
    } else {
        const shoal_i_sensitive *other = &scope->others[column - scope->quasi->count];

        p.table = other->table;
        p.table_column = other->column;
        p.hierarchy = other->hierarchy;
        p.code_count = other->value_count;
    }
    p.type = shoal_table_type(p.table, p.table_column);
    return p;
}

static bool is_quasi(const place *p)
{
    return p->column < p->scope->quasi->count;
}

/* Whether codes are places on a line of numbers: a range needs no value in it. */
static bool is_line(const place *p)
{
    return is_quasi(p) && !p->hierarchy;
}

/* --- Values. ---------------------------------------------------------------------------- */

static shoal_status fail_unknown(shoal_ctx *ctx, const place *p, const shoal_i_query_word *word)
{
    const char *near = NULL;
    const char **labels = NULL;
    size_t count = 0;
    size_t nodes = p->hierarchy ? shoal_hierarchy_node_count(p->hierarchy) : 0;

    labels = shoal_i_alloc(ctx, nodes, sizeof *labels);
    for (uint32_t node = 0; labels && node < nodes; node++) {
        /* Values are contents of cells; labels of groups are not. */
        if (ctx->show_values || shoal_hierarchy_child_count(p->hierarchy, node) > 0) {
            labels[count++] = shoal_hierarchy_label(p->hierarchy, node);
        }
    }
    near = labels ? shoal_i_text_nearest(word->text, labels, count) : NULL;
    if (near) {
        shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                     "The column \"%.200s\" has no value or group \"%.200s\"; did you mean "
                     "\"%.200s\"?",
                     shoal_table_name(p->table, p->table_column), word->text, near);
    } else {
        shoal_i_fail(ctx, SHOAL_ENOTFOUND, "The column \"%.200s\" has no value%s \"%.200s\".",
                     shoal_table_name(p->table, p->table_column),
                     p->hierarchy ? " or group" : "", word->text);
    }
    free(labels);
    return shoal_i_query_fail_in(ctx, word->at);
}

static shoal_status fail_no_order(shoal_ctx *ctx, const place *p,
                                  const shoal_i_query_word *word)
{
    shoal_i_fail(ctx, SHOAL_EINVAL,
                 "The column \"%.200s\" holds texts, which have no order; ask by = or IN.",
                 shoal_table_name(p->table, p->table_column));
    return shoal_i_query_fail_in(ctx, word->at);
}

static shoal_status read_number(shoal_ctx *ctx, double *out, const place *p,
                                const shoal_i_query_word *word)
{
    if (shoal_i_range_read_number(out, p->type, word->text, word->length)) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EINVAL, "Expected a %s for the column \"%.200s\"; got \"%.80s\".",
                 p->type == SHOAL_TYPE_DATE ? "date YYYY-MM-DD" : "number",
                 shoal_table_name(p->table, p->table_column), word->text);
    return shoal_i_query_fail_in(ctx, word->at);
}

/* What a condition with an order selects. */
static shoal_status read_range(shoal_ctx *ctx, shoal_i_range *out, const place *p,
                               const shoal_i_condition *condition)
{
    shoal_status st = SHOAL_OK;
    double number = 0;

    *out = (shoal_i_range){.lo = -INFINITY, .hi = INFINITY};
    if (p->type == SHOAL_TYPE_STRING) {
        return fail_no_order(ctx, p, &condition->column);
    }
    SHOAL_TRY(read_number(ctx, &number, p, &condition->values[0]));
    switch (condition->sign) {
    case SHOAL_I_BETWEEN:
        out->lo = number;
        SHOAL_TRY(read_number(ctx, &out->hi, p, &condition->values[1]));
        break;
    case SHOAL_I_LESS:
    case SHOAL_I_LESS_EQUAL:
        out->hi = number;
        out->is_hi_open = condition->sign == SHOAL_I_LESS;
        break;
    default:
        out->lo = number;
        out->is_lo_open = condition->sign == SHOAL_I_GREATER;
        break;
    }
done:
    return st;
}

static bool is_equality(const shoal_i_condition *condition)
{
    return condition->sign == SHOAL_I_EQUAL || condition->sign == SHOAL_I_IN;
}

/* --- By codes: other columns, and quasi columns with a hierarchy. ----------------------- */

/* Codes of the place: leaves of a quasi column's hierarchy, else of the dictionary. */
static uint32_t find_code(const place *p, uint32_t entry)
{
    return is_quasi(p) ? shoal_hierarchy_leaf(p->hierarchy, entry) : entry;
}

static void choose_node(const place *p, bool *chosen, uint32_t node)
{
    for (uint32_t leaf = shoal_hierarchy_first(p->hierarchy, node);
         leaf <= shoal_hierarchy_last(p->hierarchy, node); leaf++) {
        chosen[find_code(p, shoal_hierarchy_code(p->hierarchy, leaf))] = true;
    }
}

static shoal_status choose_value(shoal_ctx *ctx, const place *p, bool *chosen,
                                 const shoal_i_query_word *word)
{
    int64_t node =
        p->hierarchy ? shoal_hierarchy_find(p->hierarchy, word->text, word->length) : -1;
    int64_t entry = shoal_table_find_code(p->table, p->table_column, word->text, word->length);
    double number = 0;

    if (node >= 0) {
        choose_node(p, chosen, (uint32_t)node);
    } else if (entry >= 0) {
        chosen[find_code(p, (uint32_t)entry)] = true;
    } else if (strcmp(word->text, "*") == 0) {
        memset(chosen, true, p->code_count);
    } else if (p->type == SHOAL_TYPE_STRING ||
               !shoal_i_range_read_number(&number, p->type, word->text, word->length)) {
        return fail_unknown(ctx, p, word);
    }
    return SHOAL_OK;
}

static bool is_within(const shoal_i_range *range, double number)
{
    return (range->is_lo_open ? number > range->lo : number >= range->lo) &&
           (range->is_hi_open ? number < range->hi : number <= range->hi);
}

static shoal_status choose_codes(shoal_ctx *ctx, const place *p, bool *chosen,
                                 const shoal_i_condition *condition)
{
    shoal_status st = SHOAL_OK;
    shoal_i_range range;

    if (is_equality(condition)) {
        for (size_t i = 0; i < condition->value_count; i++) {
            SHOAL_TRY(choose_value(ctx, p, chosen, &condition->values[i]));
        }
        return SHOAL_OK;
    }
    SHOAL_TRY(read_range(ctx, &range, p, condition));
    for (uint32_t entry = 0; entry < shoal_table_value_count(p->table, p->table_column);
         entry++) {
        if (is_within(&range, shoal_table_number(p->table, p->table_column, entry))) {
            chosen[find_code(p, entry)] = true;
        }
    }
done:
    return st;
}

/* Runs of chosen codes as segments of a quasi column's axis. */
static size_t join_codes(shoal_i_segment *out, const bool *chosen, size_t count)
{
    size_t found = 0;

    for (size_t code = 0; code < count; code++) {
        if (chosen[code] && (code == 0 || !chosen[code - 1])) {
            out[found++].from = (double)code;
        }
        if (chosen[code]) {
            out[found - 1].to = (double)code + 1;
        }
    }
    return found;
}

static shoal_status bind_codes(shoal_ctx *ctx, shoal_i_selection *selection, const place *p,
                               const shoal_i_condition *condition)
{
    shoal_status st = SHOAL_OK;
    bool *chosen = NULL;

    SHOAL_ALLOC(ctx, chosen, p->code_count);
    SHOAL_TRY(choose_codes(ctx, p, chosen, condition));
    for (size_t code = 0; code < p->code_count; code++) {
        selection->chosen[code] =
            chosen[code] && (selection->is_any || selection->chosen[code]);
    }
    selection->is_any = false;
    if (is_quasi(p)) {
        selection->segment_count =
            join_codes(selection->segments, selection->chosen, p->code_count);
    }
done:
    free(chosen);
    return st;
}

/* --- On a line of numbers. -------------------------------------------------------------- */

/* A range as a segment; from > to when it is empty. Missing is no number. */
static shoal_i_segment find_segment(const shoal_i_axis *axis, const shoal_i_range *range)
{
    shoal_i_segment segment = {range->lo, range->hi};

    if (axis->is_whole) {
        segment.from = ceil(range->lo);
        segment.from += range->is_lo_open && segment.from == range->lo;
        segment.to = floor(range->hi);
        segment.to += !(range->is_hi_open && segment.to == range->hi);
    } else {
        segment.from = range->is_lo_open ? nextafter(range->lo, INFINITY) : range->lo;
        segment.to = range->is_hi_open ? nextafter(range->hi, -INFINITY) : range->hi;
    }
    if (axis->has_missing) {
        double missing = axis->starts[axis->count - 1];

        segment.to = fmin(segment.to, axis->is_whole ? missing : nextafter(missing, -INFINITY));
    }
    if (axis->is_whole && segment.from == segment.to) {
        segment.to = -INFINITY; /* no whole number */
    }
    return segment;
}

static shoal_status read_line_value(shoal_ctx *ctx, shoal_i_segment *out, const place *p,
                                    const shoal_i_query_word *word)
{
    const shoal_i_axis *axis = &p->scope->spread->columns[p->column].axis;
    shoal_i_range range;

    if (strcmp(word->text, "*") == 0) {
        *out = (shoal_i_segment){-INFINITY, INFINITY};
        return SHOAL_OK;
    }
    if (!shoal_i_range_read(&range, p->type, word->text, word->length)) {
        return fail_unknown(ctx, p, word);
    }
    *out = find_segment(axis, &range);
    return SHOAL_OK;
}

static int compare_segments(const void *a, const void *b)
{
    double x = ((const shoal_i_segment *)a)->from;
    double y = ((const shoal_i_segment *)b)->from;

    return (x > y) - (x < y);
}

/* Sort, drop empty ones, join what overlaps. */
static size_t tidy_segments(shoal_i_segment *segments, size_t count)
{
    size_t kept = 0;

    qsort(segments, count, sizeof *segments, compare_segments);
    for (size_t i = 0; i < count; i++) {
        if (!(segments[i].from <= segments[i].to)) {
            continue;
        }
        if (kept > 0 && segments[i].from <= segments[kept - 1].to) {
            segments[kept - 1].to = fmax(segments[kept - 1].to, segments[i].to);
        } else {
            segments[kept++] = segments[i];
        }
    }
    return kept;
}

/* What two lists of segments have in common; whole numbers have no part in common where they
 * only touch. Room for a_count + b_count. */
static size_t intersect(shoal_i_segment *out, const shoal_i_segment *a, size_t a_count,
                        const shoal_i_segment *b, size_t b_count, bool is_whole)
{
    size_t count = 0;

    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        shoal_i_segment part = {fmax(a[i].from, b[j].from), fmin(a[i].to, b[j].to)};

        if (is_whole ? part.from < part.to : part.from <= part.to) {
            out[count++] = part;
        }
        if (a[i].to < b[j].to) {
            i++;
        } else {
            j++;
        }
    }
    return count;
}

static shoal_status bind_line(shoal_ctx *ctx, shoal_i_selection *selection, const place *p,
                              const shoal_i_condition *condition)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_axis *axis = &p->scope->spread->columns[p->column].axis;
    shoal_i_segment *found = NULL;
    shoal_i_segment *common = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, found, condition->value_count);
    if (is_equality(condition)) {
        for (; count < condition->value_count; count++) {
            SHOAL_TRY(read_line_value(ctx, &found[count], p, &condition->values[count]));
        }
    } else {
        shoal_i_range range;

        SHOAL_TRY(read_range(ctx, &range, p, condition));
        found[count++] = find_segment(axis, &range);
    }
    count = tidy_segments(found, count);
    SHOAL_ALLOC(ctx, common, count + selection->segment_count + 1);
    shoal_i_segment all = {-INFINITY, INFINITY};

    selection->segment_count =
        intersect(common, found, count, selection->is_any ? &all : selection->segments,
                  selection->is_any ? 1 : selection->segment_count, axis->is_whole);
    free(selection->segments);
    selection->segments = common;
    common = NULL;
    selection->is_any = false;
    shoal_i_axis_choose(axis, selection->chosen, selection->segments, selection->segment_count);
done:
    free(found);
    free(common);
    return st;
}

/* --- The whole. ------------------------------------------------------------------------- */

static shoal_status bind_target(shoal_ctx *ctx, shoal_i_question *out,
                                const shoal_i_query *query, const shoal_i_query_scope *scope)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(find_column(ctx, &out->target, scope, &query->target));
    if (find_place(scope, out->target).type == SHOAL_TYPE_STRING) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The column \"%.200s\" holds texts, which cannot be added up.",
                     query->target.text);
        st = shoal_i_query_fail_in(ctx, query->target.at);
    }
done:
    return st;
}

shoal_status shoal_i_query_bind(shoal_ctx *ctx, shoal_i_question *out,
                                const shoal_i_query *query, const shoal_i_query_scope *scope)
{
    shoal_status st = SHOAL_OK;

    out->aggregate = query->aggregate;
    if (query->aggregate != SHOAL_I_COUNT) {
        SHOAL_TRY(bind_target(ctx, out, query, scope));
    }
    for (size_t i = 0; i < query->condition_count; i++) {
        const shoal_i_condition *condition = &query->conditions[i];
        size_t column = 0;

        SHOAL_TRY(find_column(ctx, &column, scope, &condition->column));
        place p = find_place(scope, column);

        if (is_line(&p)) {
            SHOAL_TRY(bind_line(ctx, &out->selections[column], &p, condition));
        } else {
            SHOAL_TRY(bind_codes(ctx, &out->selections[column], &p, condition));
        }
    }
done:
    return st;
}
