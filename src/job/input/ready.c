#include "ready.h"
#include "ready_rare.h"

#include "../../base/text.h"
#include "../../table/table_recode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS_MAX 160

/* What a column asks for, as numbers. */
typedef struct steps {
    const shoal_i_spec_column *column;
    bool has_top;
    bool has_bottom;
    double top;
    double bottom;
    double multiple; /* 0: none */
    size_t length;   /* of texts; 0: any */
    int level;       /* 0: none */
    uint64_t rare;   /* fewer records are; 0: none */
    int decimals;    /* of the multiple */
    const char *texts_top;
    const char *texts_bottom;
} steps;

static const char *text_of(const shoal_i_spec_column *column, shoal_i_column_text which)
{
    return column->texts[which];
}

static bool read_number(double *out, const char *text)
{
    return text && shoal_i_text_to_double(out, text, strlen(text));
}

/* The texts were checked when they were said. */
static steps read_steps(const shoal_i_spec_column *column)
{
    steps s = {.column = column};
    const char *multiple = text_of(column, SHOAL_I_COLUMN_ROUND);
    const char *point = multiple ? strchr(multiple, '.') : NULL;
    double number = 0;

    s.texts_top = text_of(column, SHOAL_I_COLUMN_TOP);
    s.texts_bottom = text_of(column, SHOAL_I_COLUMN_BOTTOM);
    s.has_top = read_number(&s.top, s.texts_top);
    s.has_bottom = read_number(&s.bottom, s.texts_bottom);
    read_number(&s.multiple, multiple);
    s.decimals = point ? (int)strlen(point + 1) : 0;
    if (read_number(&number, text_of(column, SHOAL_I_COLUMN_TRUNCATE))) {
        s.length = (size_t)number;
    }
    if (read_number(&number, text_of(column, SHOAL_I_COLUMN_GENERALIZE))) {
        s.level = (int)number;
    }
    if (read_number(&number, text_of(column, SHOAL_I_COLUMN_RARE))) {
        s.rare = (uint64_t)number;
    }
    return s;
}

bool shoal_i_is_made_ready_as_number(const shoal_i_spec_column *column)
{
    return text_of(column, SHOAL_I_COLUMN_TOP) || text_of(column, SHOAL_I_COLUMN_BOTTOM) ||
           text_of(column, SHOAL_I_COLUMN_ROUND);
}

bool shoal_i_is_made_ready(const shoal_i_spec_column *column)
{
    return shoal_i_is_made_ready_as_number(column) ||
           text_of(column, SHOAL_I_COLUMN_TRUNCATE) ||
           text_of(column, SHOAL_I_COLUMN_GENERALIZE) || text_of(column, SHOAL_I_COLUMN_RARE);
}

bool shoal_i_spec_makes_ready(const shoal_spec *spec)
{
    for (size_t i = 0; i < spec->column_count; i++) {
        if (shoal_i_is_made_ready(&spec->columns[i])) {
            return true;
        }
    }
    return false;
}

bool shoal_i_spec_merges_rare(const shoal_spec *spec)
{
    for (size_t i = 0; i < spec->column_count; i++) {
        if (text_of(&spec->columns[i], SHOAL_I_COLUMN_RARE)) {
            return true;
        }
    }
    return false;
}

/* --- Before reading. -------------------------------------------------------------------- */

static shoal_status fail_column(shoal_ctx *ctx, const shoal_i_spec_column *column,
                                const char *what)
{
    shoal_i_fail(ctx, SHOAL_EINVAL, "The column \"%.200s\" %s.", column->name, what);
    return shoal_i_fail_in(ctx, column->place.source, column->place.line, column->place.column);
}

static const char *find_contradiction(const steps *s)
{
    const shoal_i_spec_column *column = s->column;
    bool is_number = shoal_i_is_made_ready_as_number(column);

    if (!column->has_role) {
        return "is made ready but has no role; give it one, or it is left out (or "
               "correct its name)";
    }
    if (column->role == SHOAL_ROLE_IDENTIFIER || column->role == SHOAL_ROLE_PERSON) {
        return "is made ready but is an identifier, which is never released";
    }
    if (s->has_top && s->has_bottom && s->bottom > s->top) {
        return "has a bottom above its top";
    }
    if (is_number && (s->length > 0 || s->level > 0)) {
        return "is rounded or cut off as a number, and truncated or generalized as well; "
               "choose "
               "one of the two";
    }
    if (s->rare > 0 && (is_number || s->length > 0 || s->level > 0)) {
        return "has its rare values merged, and is made ready otherwise as well; choose one of "
               "the two";
    }
    if (s->rare > 0 && column->plan.weight_count > 0) {
        return "has its rare values merged below a hierarchy with weights, which is not "
               "supported";
    }
    if (s->length > 0 && s->level > 0) {
        return "is truncated and generalized; choose one of the two";
    }
    if (s->level > 0 && column->plan.kind == SHOAL_I_PLAN_NONE) {
        return "is generalized to a level but has no hierarchy";
    }
    if (s->level > 0 && column->plan.weight_count > 0) {
        return "is generalized to a level of a hierarchy with weights, which is not supported";
    }
    if ((is_number || s->length > 0) && column->plan.kind == SHOAL_I_PLAN_FILE) {
        return "is made ready and has a hierarchy from a file, which has other values; give it "
               "a level of that instead, by generalize";
    }
    return NULL;
}

/* What speaks against its coarsest level. */
static const char *find_coarsest_mistake(const steps *s)
{
    const shoal_i_spec_column *column = s->column;
    double coarsest = 0;

    if (!read_number(&coarsest, text_of(column, SHOAL_I_COLUMN_COARSEST))) {
        return NULL;
    }
    if (!column->has_role || column->role != SHOAL_ROLE_QUASI) {
        return "has a coarsest level but is no quasi column; only those are made coarser";
    }
    if (column->plan.kind == SHOAL_I_PLAN_NONE) {
        return "has a coarsest level but no hierarchy";
    }
    return coarsest < s->level ? "has a coarsest level below its least, to which it is "
                                 "generalized"
                               : NULL;
}

shoal_status shoal_i_ready_check(shoal_ctx *ctx, const shoal_i_spec_column *column)
{
    steps s = read_steps(column);
    const char *what = shoal_i_is_made_ready(column) ? find_contradiction(&s) : NULL;

    what = what ? what : find_coarsest_mistake(&s);
    if (!what && column->original &&
        (!column->has_role || column->role == SHOAL_ROLE_IDENTIFIER ||
         column->role == SHOAL_ROLE_PERSON)) {
        what = "is renamed but never released; give it another role, or no new name";
    }

    return what ? fail_column(ctx, column, what) : SHOAL_OK;
}

shoal_status shoal_i_ready_refuse_whole(shoal_ctx *ctx, const shoal_spec *spec)
{
    if (shoal_i_spec_renames(spec)) {
        return shoal_i_fail(
            ctx, SHOAL_EUNSUPPORTED,
            "Columns of a table in parts cannot be renamed; rename them in what "
            "is published.");
    }
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        if (text_of(column, SHOAL_I_COLUMN_GENERALIZE) ||
            text_of(column, SHOAL_I_COLUMN_RARE)) {
            shoal_i_fail(
                ctx, SHOAL_EUNSUPPORTED,
                "The column \"%.200s\" is generalized to a level, or its rare values "
                "are merged, which all of its values decide; a table in parts does not "
                "know them. Round or truncate it, or make it ready before.",
                column->name);
            return shoal_i_fail_in(ctx, column->place.source, column->place.line,
                                   column->place.column);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_coarsest_depth(shoal_ctx *ctx, int *out, const shoal_i_spec_column *column,
                                    const shoal_i_readied *readied, size_t at,
                                    const shoal_hierarchy *h)
{
    const shoal_hierarchy *whole = readied->levels ? readied->levels[at] : NULL;
    int height = shoal_hierarchy_height(whole ? whole : h);
    double level = 0;
    char what[STEPS_MAX];

    read_number(&level, text_of(column, SHOAL_I_COLUMN_COARSEST));
    if ((int)level > height) {
        snprintf(what, sizeof what,
                 "has the coarsest level %d, but its hierarchy has levels 0 to %d", (int)level,
                 height);
        return fail_column(ctx, column, what);
    }
    *out = height - (int)level;
    return SHOAL_OK;
}

/* --- Values. ---------------------------------------------------------------------------- */

/* The nearest multiple; halves go away from zero, also where the quotient of two decimal
 * numbers falls short of a half by the last bit. */
static double round_to(double number, double multiple)
{
    double quotient = fabs(number) / multiple;

    return copysign(floor(quotient + 0.5 + 1e-9) * multiple, number);
}

/* The text that a number becomes; NULL: no memory. Rounded first, so that nothing is beyond the
 * top or the bottom in the end. */
static char *change_number(shoal_ctx *ctx, const steps *s, double number, const char *text)
{
    char rounded[SHOAL_I_NUMBER_MAX];

    if (s->multiple > 0) {
        number = round_to(number, s->multiple);
        number = number == 0 ? 0 : number; /* no -0 */
        snprintf(rounded, sizeof rounded, "%.*f", s->decimals, number);
        text = rounded;
    }
    return shoal_i_strdup(ctx, s->has_top && number > s->top         ? s->texts_top
                               : s->has_bottom && number < s->bottom ? s->texts_bottom
                                                                     : text);
}

/* Bytes of the first `length` characters of UTF-8. */
static size_t measure_characters(const char *text, size_t size, size_t length)
{
    size_t at = 0;

    while (at < size) {
        length -= ((unsigned char)text[at] & 0xC0) != 0x80 && length > 0;
        at++;
        bool is_start = at == size || ((unsigned char)text[at] & 0xC0) != 0x80;

        if (length == 0 && is_start) {
            break;
        }
    }
    return at;
}

static char *change_value(shoal_ctx *ctx, const steps *s, const shoal_table *table,
                          size_t column, uint32_t code, const shoal_hierarchy *h)
{
    size_t size = 0;
    const char *text = shoal_table_text(table, column, code, &size);

    if (h) {
        int depth = shoal_hierarchy_height(h) - s->level;
        uint32_t node = shoal_hierarchy_ancestor_at(h, shoal_hierarchy_leaf(h, code), depth);

        return shoal_i_strdup(ctx, shoal_hierarchy_label(h, node));
    }
    if (s->length > 0) {
        return shoal_i_strndup(ctx, text, measure_characters(text, size, s->length));
    }
    return change_number(ctx, s, shoal_table_number(table, column, code), text);
}

/* --- What was lost. --------------------------------------------------------------------- */

/* By the certainty penalty: of each record, how much of the column is spanned by the values
 * that became the same as its own and by that; and how many records have another value now. */
static shoal_status measure_loss(shoal_ctx *ctx, shoal_i_made_ready *out,
                                 const shoal_table *from, const shoal_table *to, size_t column,
                                 const uint32_t *became, const uint64_t *counts)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(from, column);
    size_t after = shoal_table_value_count(to, column);
    bool is_number = shoal_table_type(from, column) != SHOAL_TYPE_STRING &&
                     shoal_table_type(to, column) != SHOAL_TYPE_STRING;
    double *least = NULL;
    double *most = NULL;
    size_t *sources = NULL;
    double sum = 0;
    uint64_t rows = counts[values];

    SHOAL_ALLOC(ctx, least, after + 1);
    SHOAL_ALLOC(ctx, most, after + 1);
    SHOAL_ALLOC(ctx, sources, after + 1);
    for (uint32_t old = 0; old < values; old++) {
        uint32_t code = became[old];
        double number = is_number ? shoal_table_number(from, column, old) : 0;
        double now = is_number && code < after ? shoal_table_number(to, column, code) : number;

        if (counts[old] > 0) {
            if (sources[code]++ == 0) {
                least[code] = now;
                most[code] = now;
            }
            least[code] = fmin(least[code], number);
            most[code] = fmax(most[code], number);
        }
    }
    double range = values > 1 && is_number
                       ? shoal_table_number(from, column, (uint32_t)values - 1) -
                             shoal_table_number(from, column, 0)
                       : (double)values - 1;

    for (uint32_t old = 0; old < values; old++) {
        uint32_t code = became[old];

        if (range > 0 && counts[old] > 0) {
            sum += (double)counts[old] *
                   fmin(1, (is_number ? most[code] - least[code] : (double)sources[code] - 1) /
                               range);
        }
        if (strcmp(shoal_table_text(from, column, old, NULL),
                   shoal_table_text(to, column, code, NULL)) != 0) {
            out->changed += (size_t)counts[old];
        }
        rows += counts[old];
    }
    out->loss = rows > 0 ? sum / (double)rows : 0;
done:
    free(least);
    free(most);
    free(sources);
    return st;
}

/* --- A least level. --------------------------------------------------------------------- */

/* The part of a hierarchy above a level, over the labels that are values now. */
static shoal_status cut_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                  const shoal_hierarchy *h, int depth, const shoal_table *to,
                                  size_t column, const uint32_t *became)
{
    shoal_status st = SHOAL_OK;
    size_t nodes = shoal_hierarchy_node_count(h);
    size_t codes =
        shoal_table_value_count(to, column) + (shoal_table_missing_count(to, column) > 0);
    const char **labels = NULL;
    uint32_t *parents = NULL;
    uint32_t *place = NULL; /* of each node that is kept */
    uint32_t *node_of_code = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, labels, nodes);
    SHOAL_ALLOC(ctx, parents, nodes);
    SHOAL_ALLOC(ctx, place, nodes);
    SHOAL_ALLOC(ctx, node_of_code, codes);
    for (uint32_t node = 0; node < nodes; node++) {
        if (shoal_hierarchy_depth(h, node) <= depth) {
            place[node] = (uint32_t)count;
            labels[count] = shoal_hierarchy_label(h, node);
            parents[count] = place[shoal_hierarchy_parent(h, node)];
            count++;
        }
    }
    for (uint32_t leaf = 0; leaf < shoal_hierarchy_leaf_count(h); leaf++) {
        node_of_code[became[shoal_hierarchy_code(h, leaf)]] =
            place[shoal_hierarchy_ancestor_at(h, leaf, depth)];
    }
    SHOAL_TRY(
        shoal_hierarchy_build_tree(ctx, out, labels, parents, count, node_of_code, codes));
done:
    free(labels);
    free(parents);
    free(place);
    free(node_of_code);
    return st;
}

/* --- A table. --------------------------------------------------------------------------- */

typedef struct making {
    const shoal_table *table;
    shoal_i_recoding *recodings;
    char ***texts; /* of each column; NULL: it stays */
    shoal_hierarchy **levels;
} making;

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++) {
        free(texts[i]);
    }
    free(texts);
}

static shoal_type find_type(const steps *s, shoal_type type)
{
    bool is_whole = s->decimals == 0 && (!s->has_top || s->top == floor(s->top)) &&
                    (!s->has_bottom || s->bottom == floor(s->bottom)) &&
                    s->multiple == floor(s->multiple);

    if (s->length > 0 || s->level > 0 || s->rare > 0) {
        return SHOAL_TYPE_STRING;
    }
    return type == SHOAL_TYPE_INTEGER && !is_whole ? SHOAL_TYPE_REAL : type;
}

static shoal_status check_type(shoal_ctx *ctx, const steps *s, shoal_type type)
{
    bool is_number = type == SHOAL_TYPE_INTEGER || type == SHOAL_TYPE_REAL;

    if (shoal_i_is_made_ready_as_number(s->column) && !is_number) {
        return fail_column(ctx, s->column,
                           type == SHOAL_TYPE_DATE
                               ? "holds dates; round, top and bottom are for numbers, a level "
                                 "of the hierarchy dates for these"
                               : "is read as text; round, top and bottom are for numbers");
    }
    if (s->length > 0 && type != SHOAL_TYPE_STRING) {
        return fail_column(ctx, s->column,
                           "is read as numbers or dates; truncate is for texts: give it the "
                           "type string");
    }
    return SHOAL_OK;
}

static shoal_status find_level(shoal_ctx *ctx, making *m, const steps *s, size_t column)
{
    char what[STEPS_MAX];
    shoal_status st = shoal_i_hierarchy_plan_build(ctx, &m->levels[column], &s->column->plan,
                                                   m->table, column);

    if (st != SHOAL_OK) {
        return st == SHOAL_ENOMEM || st == SHOAL_ECANCELLED
                   ? st
                   : shoal_i_fail_in(ctx, s->column->place.source, s->column->place.line,
                                     s->column->place.column);
    }
    int height = shoal_hierarchy_height(m->levels[column]);

    if (s->level <= height) {
        return SHOAL_OK;
    }
    snprintf(what, sizeof what,
             "is generalized to level %d, but its hierarchy has levels 0 to %d", s->level,
             height);
    return fail_column(ctx, s->column, what);
}

static shoal_status make_column(shoal_ctx *ctx, making *m, const steps *s, size_t column)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(m->table, column);
    shoal_type type = shoal_table_type(m->table, column);

    SHOAL_TRY(check_type(ctx, s, type));
    if (s->level > 0) {
        SHOAL_TRY(find_level(ctx, m, s, column));
    }
    SHOAL_ALLOC(ctx, m->texts[column], values);
    if (s->rare > 0) {
        SHOAL_TRY(
            shoal_i_rare_texts(ctx, m->texts[column], m->table, column, s->column, s->rare));
    }
    for (uint32_t code = 0; s->rare == 0 && code < values; code++) {
        m->texts[column][code] =
            change_value(ctx, s, m->table, column, code, m->levels[column]);
        if (!m->texts[column][code]) {
            return SHOAL_ENOMEM;
        }
    }
    m->recodings[column] = (shoal_i_recoding){m->texts[column], find_type(s, type)};
done:
    return st;
}

/* What was done to a column, in words of the spec. */
static void name_steps(char out[SHOAL_I_MADE_READY_MAX], const shoal_i_spec_column *column)
{
    static const struct {
        shoal_i_column_text which;
        const char *name;
    } names[] = {{SHOAL_I_COLUMN_ROUND, "round"},
                 {SHOAL_I_COLUMN_BOTTOM, "bottom"},
                 {SHOAL_I_COLUMN_TOP, "top"},
                 {SHOAL_I_COLUMN_TRUNCATE, "truncate"},
                 {SHOAL_I_COLUMN_GENERALIZE, "generalize"},
                 {SHOAL_I_COLUMN_RARE, "rare"}};
    size_t length = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = text_of(column, names[i].which);

        if (text && length < SHOAL_I_MADE_READY_MAX) {
            length += (size_t)snprintf(out + length, SHOAL_I_MADE_READY_MAX - length, "%s%s %s",
                                       length > 0 ? ", " : "", names[i].name, text);
        }
    }
}

static shoal_status make_columns(shoal_ctx *ctx, making *m, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < shoal_table_column_count(m->table); i++) {
        const shoal_i_spec_column *column =
            shoal_i_spec_find_column(spec, shoal_table_name(m->table, i));

        if (column && shoal_i_is_made_ready(column) && !shoal_table_is_skipped(m->table, i)) {
            steps s = read_steps(column);

            SHOAL_TRY(make_column(ctx, m, &s, i));
        }
    }
done:
    return st;
}

shoal_status shoal_i_ready_values(shoal_ctx *ctx, shoal_i_readied *out,
                                  const shoal_table *table, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_table_column_count(table);
    making m = {.table = table};

    out->column_count = count;
    SHOAL_ALLOC(ctx, m.recodings, count);
    SHOAL_ALLOC(ctx, m.texts, count);
    SHOAL_ALLOC(ctx, out->levels, count);
    SHOAL_ALLOC(ctx, out->hierarchies, count);
    SHOAL_ALLOC(ctx, out->maps, count);
    SHOAL_ALLOC(ctx, out->columns, count);
    m.levels = out->levels;
    SHOAL_TRY(make_columns(ctx, &m, spec));
    SHOAL_TRY(shoal_i_table_recode(ctx, &out->table, out->maps, table, m.recodings));
done:
    for (size_t i = 0; m.texts && i < count; i++) {
        free_texts(m.texts[i], shoal_table_value_count(table, i));
    }
    free(m.recodings);
    free(m.texts);
    return st;
}

/* Cut the hierarchy of a quasi column at its least level. It is built again: missing values,
 * which are a leaf of it, may have been counted only now. */
static shoal_status finish_level(shoal_ctx *ctx, shoal_i_readied *out, const shoal_table *table,
                                 const shoal_i_spec_column *column, size_t i)
{
    shoal_status st = SHOAL_OK;
    shoal_hierarchy *h = NULL;

    SHOAL_TRY(shoal_i_hierarchy_plan_build(ctx, &h, &column->plan, table, i));
    shoal_hierarchy_free(out->levels[i]);
    out->levels[i] = h;
    if (column->role == SHOAL_ROLE_QUASI) {
        int depth = shoal_hierarchy_height(h) - read_steps(column).level;

        SHOAL_TRY(
            cut_hierarchy(ctx, &out->hierarchies[i], h, depth, out->table, i, out->maps[i]));
    }
done:
    return st;
}

shoal_status shoal_i_ready_finish(shoal_ctx *ctx, shoal_i_readied *out,
                                  const shoal_table *table, uint64_t *const *counts,
                                  const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < out->column_count; i++) {
        if (!out->maps[i]) {
            continue;
        }
        const char *name = shoal_table_name(table, i);
        const shoal_i_spec_column *column = shoal_i_spec_find_column(spec, name);
        shoal_i_made_ready *made = &out->columns[out->count++];

        made->column = i;
        name_steps(made->steps, column);
        SHOAL_TRY(measure_loss(ctx, made, table, out->table, i, out->maps[i], counts[i]));
        if (out->levels[i]) {
            SHOAL_TRY(finish_level(ctx, out, table, column, i));
        }
        if (column->role == SHOAL_ROLE_QUASI && read_steps(column).rare > 0) {
            SHOAL_TRY(shoal_i_rare_hierarchy(ctx, &out->hierarchies[i], table, out->table, i,
                                             column, out->maps[i]));
        }
    }
done:
    return st;
}

/* How many records have each value of the columns that were made ready. */
static shoal_status count_records(shoal_ctx *ctx, uint64_t **counts,
                                  const shoal_i_readied *readied, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < readied->column_count; i++) {
        if (readied->maps[i]) {
            SHOAL_ALLOC(ctx, counts[i], shoal_table_value_count(table, i) + 1);
            for (size_t row = 0; row < shoal_table_row_count(table); row++) {
                counts[i][shoal_table_code(table, i, row)]++;
            }
        }
    }
done:
    return st;
}

shoal_status shoal_i_make_ready(shoal_ctx *ctx, shoal_i_readied *out, const shoal_table *table,
                                const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(table);
    uint64_t **counts = NULL;

    SHOAL_ALLOC(ctx, counts, columns);
    SHOAL_TRY(shoal_i_ready_values(ctx, out, table, spec));
    SHOAL_TRY(count_records(ctx, counts, out, table));
    SHOAL_TRY(shoal_i_ready_finish(ctx, out, table, counts, spec));
done:
    for (size_t i = 0; counts && i < columns; i++) {
        free(counts[i]);
    }
    free(counts);
    return st;
}

void shoal_i_readied_clear(shoal_i_readied *readied)
{
    for (size_t i = 0; i < readied->column_count; i++) {
        if (readied->hierarchies) {
            shoal_hierarchy_free(readied->hierarchies[i]);
        }
        if (readied->levels) {
            shoal_hierarchy_free(readied->levels[i]);
        }
        if (readied->maps) {
            free(readied->maps[i]);
        }
    }
    free(readied->hierarchies);
    free(readied->levels);
    free(readied->maps);
    free(readied->columns);
    shoal_table_free(readied->table);
    *readied = (shoal_i_readied){0};
}
