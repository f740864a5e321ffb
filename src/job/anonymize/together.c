#include "together.h"

#include "../../base/fail.h"
#include "../../base/sort.h"
#include "../../release/number.h"
#include "../../table/table_codes.h"
#include "../../table/table_part.h"

#include <inttypes.h>
#include <string.h>

#define NO_HOME UINT32_MAX
#define NO_GROUP UINT32_MAX
/* Groups that a record is tried in, and how many more when few are left that found none. */
#define TRIES_MOST 32
#define TRIES_OF_FEW 256
#define FEW 64
#define LOOKED_AT_MOST                                                                         \
    32                /* records of a group whose cells are looked at one by one for that      \
                       */
#define MOVES_EACH 16 /* looked at in all, so many for each record of the table */

/* A group of records, chained. */
typedef struct group {
    uint32_t head;
    uint32_t size;
    bool is_mixed; /* not all have one home: cells have to be looked at */
    bool is_open;  /* it holds */
} group;

typedef struct making {
    const shoal_i_problem *problem;
    const shoal_i_previous *previous;
    const shoal_i_chosen *chosen;
    size_t records;
    uint32_t **homes; /* of each earlier release: of each record, its class, or NO_HOME */
    bool **in_both;   /* the same: whether it may be in that release */
    uint32_t *group_of;
    group *groups;
    size_t group_count;
    uint32_t *next; /* record -> another of its group */
    uint32_t *listed;
    uint32_t *of_home; /* of the first earlier release: groups by home, chained by next_group */
    uint32_t *next_group;
    uint32_t *adrift; /* records without a group */
    size_t adrift_count;
    uint32_t *order; /* of the release */
    uint32_t *starts;
    size_t class_count;
    shoal_i_tally tally;
} making;

static void making_clear(making *m)
{
    for (size_t i = 0; m->homes && i < m->previous->count; i++) {
        free(m->homes[i]);
    }
    for (size_t i = 0; m->in_both && i < m->previous->count; i++) {
        free(m->in_both[i]);
    }
    free(m->homes);
    free(m->in_both);
    free(m->group_of);
    free(m->groups);
    free(m->next);
    free(m->listed);
    free(m->of_home);
    free(m->next_group);
    free(m->adrift);
    free(m->order);
    free(m->starts);
    shoal_i_tally_clear(&m->tally);
}

static shoal_status making_init(shoal_ctx *ctx, making *m)
{
    shoal_status st = SHOAL_OK;

    m->records = m->problem->row_count;
    SHOAL_ALLOC(ctx, m->homes, m->previous->count);
    SHOAL_ALLOC(ctx, m->in_both, m->previous->count);
    for (size_t i = 0; i < m->previous->count; i++) {
        SHOAL_ALLOC(ctx, m->homes[i], m->records);
        SHOAL_ALLOC(ctx, m->in_both[i], m->records);
    }
    SHOAL_ALLOC(ctx, m->group_of, m->records);
    SHOAL_ALLOC(ctx, m->groups, m->records + 1);
    SHOAL_ALLOC(ctx, m->next, m->records);
    SHOAL_ALLOC(ctx, m->listed, m->records);
    SHOAL_ALLOC(ctx, m->next_group, m->records + 1);
    SHOAL_ALLOC(ctx, m->adrift, m->records);
    SHOAL_ALLOC(ctx, m->order, m->records);
    SHOAL_ALLOC(ctx, m->starts, m->records + 1);
    SHOAL_TRY(shoal_i_tally_init(ctx, &m->tally, m->problem->source));
done:
    return st;
}

/* --- Homes. ------------------------------------------------------------------------------- */

/* The classes of an earlier release by the loss of their boxes, the smallest first:
 * *rank_of each. */
static shoal_status rank_classes(shoal_ctx *ctx, uint32_t **rank_of,
                                 const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    size_t count = release->box_count;
    size_t width = release->quasi->count;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    uint32_t *ranks = NULL;

    SHOAL_ALLOC(ctx, items, count);
    SHOAL_ALLOC(ctx, scratch, count);
    SHOAL_ALLOC(ctx, ranks, count);
    for (size_t b = 0; b < count; b++) {
        double loss = 0;

        for (size_t c = 0; c < width; c++) {
            shoal_i_interval box = release->boxes[b * width + c];

            loss += box.lo > box.hi
                        ? 1
                        : shoal_i_quasi_loss(&release->quasi->columns[c], box.lo, box.hi);
        }
        items[b] = (shoal_i_sort_item){.key = (uint64_t)(loss * 1e9), .item = (uint32_t)b};
    }
    shoal_i_sort_items(items, scratch, count);
    for (size_t i = 0; i < count; i++) {
        ranks[items[i].item] = (uint32_t)i;
    }
    *rank_of = ranks;
    ranks = NULL;
done:
    free(items);
    free(scratch);
    free(ranks);
    return st;
}

/* Who takes which row of an earlier release: rows of a class with one value, of the first
 * sensitive column, are places. */
typedef struct seating {
    const making *m;
    size_t release;
    size_t values;
    const uint32_t *rank_of; /* of classes */
    uint32_t *free_at;       /* places of class * values + value that are free */
    uint32_t *first_at;      /* a record that has such a place, the others by next and before */
    uint32_t *next;
    uint32_t *before;
    uint32_t *homes;
    uint32_t *queue;  /* records whose place is looked at */
    uint32_t *by;     /* of each class: the record that would come */
    uint32_t *stamps; /* of each class: the search that reached it */
    uint32_t stamp;
    uint64_t moves; /* that may still be looked at */
} seating;

static void seating_clear(seating *s)
{
    free(s->free_at);
    free(s->first_at);
    free(s->next);
    free(s->before);
    free(s->queue);
    free(s->by);
    free(s->stamps);
}

static uint32_t value_of(const making *m, size_t record)
{
    const shoal_i_bound_requirements *requirements = &m->previous->original->requirements;

    return requirements->sensitive_count > 0 ? requirements->sensitive[0].codes[record] : 0;
}

/* Count the rows of each class and value. */
static shoal_status count_places(shoal_ctx *ctx, seating *s)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_bound_requirements *requirements = &s->m->previous->original->requirements;
    const shoal_i_previous_release *r = &s->m->previous->releases[s->release];
    const shoal_table *table = r->received.table;

    for (size_t row = 0; row < r->release->row_count; row++) {
        uint32_t value = 0;

        if (requirements->sensitive_count > 0) {
            const shoal_i_sensitive *sensitive = &requirements->sensitive[0];
            size_t column = (size_t)shoal_table_find(table, sensitive->name);
            size_t length = 0;
            const char *text =
                shoal_table_text(table, column, shoal_table_code(table, column, row), &length);

            st = shoal_i_sensitive_find(ctx, &value, sensitive, text, length);
            if (st == SHOAL_ENOTFOUND) { /* nobody has it any more */
                st = SHOAL_OK;
                continue;
            }
            SHOAL_TRY(st);
        }
        s->free_at[r->release->box_of[row] * s->values + value]++;
    }
done:
    return st;
}

static shoal_status seating_init(shoal_ctx *ctx, seating *s)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_bound_requirements *requirements = &s->m->previous->original->requirements;
    size_t classes = s->m->previous->releases[s->release].release->box_count;

    s->values = requirements->sensitive_count > 0 ? requirements->sensitive[0].value_count : 1;
    s->homes = s->m->homes[s->release];
    SHOAL_ALLOC(ctx, s->free_at, classes * s->values);
    SHOAL_ALLOC(ctx, s->first_at, classes * s->values);
    SHOAL_ALLOC(ctx, s->next, s->m->records);
    SHOAL_ALLOC(ctx, s->before, s->m->records);
    SHOAL_ALLOC(ctx, s->queue, s->m->records);
    SHOAL_ALLOC(ctx, s->by, classes);
    SHOAL_ALLOC(ctx, s->stamps, classes);
    memset(s->first_at, 0xff, classes * s->values * sizeof *s->first_at);
    SHOAL_TRY(count_places(ctx, s));
done:
    return st;
}

static void take_place(seating *s, uint32_t record, uint32_t class)
{
    size_t at = class * s->values + value_of(s->m, record);

    s->free_at[at]--;
    s->homes[record] = class;
    s->before[record] = NO_HOME;
    s->next[record] = s->first_at[at];
    if (s->next[record] != NO_HOME) {
        s->before[s->next[record]] = record;
    }
    s->first_at[at] = record;
}

static void leave_place(seating *s, uint32_t record)
{
    size_t at = s->homes[record] * s->values + value_of(s->m, record);

    s->free_at[at]++;
    if (s->before[record] != NO_HOME) {
        s->next[s->before[record]] = s->next[record];
    } else {
        s->first_at[at] = s->next[record];
    }
    if (s->next[record] != NO_HOME) {
        s->before[s->next[record]] = s->before[record];
    }
}

/* Everybody on the way moves on by one, so that `class`, which has a place, takes one in. */
static void move_on(seating *s, uint32_t newcomer, uint32_t class)
{
    for (uint32_t record = NO_HOME; record != newcomer;) {
        record = s->by[class];
        uint32_t left = s->homes[record];

        if (record != newcomer) {
            leave_place(s, record);
        }
        take_place(s, record, class);
        class = left;
    }
}

/* Find a place for a record, and let others who have the same value move to make one: a way
 * that ends at a free place, by breadth. */
static bool seat(seating *s, uint32_t newcomer)
{
    const shoal_i_previous_release *r = &s->m->previous->releases[s->release];
    uint32_t value = value_of(s->m, newcomer);
    size_t count = 0;

    s->stamp++;
    s->queue[count++] = newcomer;
    for (size_t i = 0; i < count && s->moves > 0; i++, s->moves--) {
        uint32_t record = s->queue[i];

        for (size_t n = r->starts[record]; n < r->starts[record + 1]; n++) {
            uint32_t class = r->covering[n];

            if (s->stamps[class] == s->stamp ||
                !shoal_i_previous_has(s->m->previous, s->release, class, record)) {
                continue;
            }
            s->stamps[class] = s->stamp;
            s->by[class] = record;
            if (s->free_at[class * s->values + value] > 0) {
                move_on(s, newcomer, class);
                return true;
            }
            for (uint32_t other = s->first_at[class * s->values + value]; other != NO_HOME;
                 other = s->next[other]) {
                s->queue[count++] = other;
            }
        }
    }
    return false;
}

/* The smallest class that covers a record and has its values and a place. */
static uint32_t find_home(const seating *s, size_t record)
{
    const shoal_i_previous_release *r = &s->m->previous->releases[s->release];
    uint32_t best = NO_HOME;

    for (size_t n = r->starts[record]; n < r->starts[record + 1]; n++) {
        uint32_t class = r->covering[n];
        bool is_free = s->free_at[class * s->values + value_of(s->m, record)] > 0;

        if (is_free && shoal_i_previous_has(s->m->previous, s->release, class, record) &&
            (best == NO_HOME || s->rank_of[class] < s->rank_of[best])) {
            best = class;
        }
    }
    return best;
}

/* First as it comes, then with others moving. Of an unchanged table everybody gets a place, so
 * that groups are the old classes or as good as these. */
static shoal_status give_homes(shoal_ctx *ctx, making *m, size_t i)
{
    shoal_status st = SHOAL_OK;
    uint32_t *rank_of = NULL;
    seating s = {.m = m, .release = i, .moves = MOVES_EACH * (uint64_t)m->records + 4096};

    SHOAL_TRY(rank_classes(ctx, &rank_of, m->previous->releases[i].release));
    s.rank_of = rank_of;
    SHOAL_TRY(seating_init(ctx, &s));
    for (uint32_t r = 0; r < m->records; r++) {
        uint32_t home = find_home(&s, r);

        s.homes[r] = NO_HOME;
        if (home != NO_HOME) {
            take_place(&s, r, home);
        }
    }
    for (uint32_t r = 0; r < m->records; r++) {
        if (s.homes[r] == NO_HOME) {
            seat(&s, r);
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    seating_clear(&s);
    free(rank_of);
    return st;
}

/* --- Cells. ------------------------------------------------------------------------------- */

/* Whether the values of a record are among those of the classes that cover another. */
static bool may_have(const making *m, size_t i, size_t record, size_t other)
{
    const shoal_i_bound_requirements *requirements = &m->previous->original->requirements;
    const shoal_i_previous_release *r = &m->previous->releases[i];
    bool may = true;

    for (size_t s = 0; may && s < requirements->sensitive_count; s++) {
        size_t values = requirements->sensitive[s].value_count;
        uint32_t value = requirements->sensitive[s].codes[record];

        may = false;
        for (size_t n = r->starts[other]; !may && n < r->starts[other + 1]; n++) {
            may = r->has[s][r->covering[n] * values + value] != 0;
        }
    }
    return may;
}

static void find_in_both(making *m)
{
    for (size_t i = 0; i < m->previous->count; i++) {
        const shoal_i_previous_release *r = &m->previous->releases[i];

        for (size_t record = 0; record < m->records; record++) {
            m->in_both[i][record] =
                r->starts[record] < r->starts[record + 1] && may_have(m, i, record, record);
        }
    }
}

/* Whether some class covers both; their lists ascend. */
static bool are_covered(const shoal_i_previous_release *r, size_t a, size_t b)
{
    size_t i = r->starts[a];
    size_t j = r->starts[b];

    while (i < r->starts[a + 1] && j < r->starts[b + 1]) {
        if (r->covering[i] == r->covering[j]) {
            return true;
        }
        if (r->covering[i] < r->covering[j]) {
            i++;
        } else {
            j++;
        }
    }
    return false;
}

static bool is_in_cell(const making *m, size_t record, size_t other)
{
    bool is = true;

    for (size_t i = 0; is && i < m->previous->count; i++) {
        is = !m->in_both[i][record] || (are_covered(&m->previous->releases[i], record, other) &&
                                        may_have(m, i, other, record));
    }
    return is;
}

static bool is_in_any(const making *m, size_t record)
{
    bool is = false;

    for (size_t i = 0; !is && i < m->previous->count; i++) {
        is = m->in_both[i][record];
    }
    return is;
}

/* Whether records hold as one class, and each of their cells does. */
static bool are_holding(making *m, const uint32_t *records, size_t count, bool with_cells)
{
    shoal_i_tally_empty(&m->tally);
    shoal_i_tally_add_list(&m->tally, records, count);
    bool holds = shoal_i_requirement_holds(m->problem->requirements, &m->tally.stats);

    /* Who came last is the likeliest to fail. */
    for (size_t i = count; with_cells && holds && i-- > 0;) {
        if (!is_in_any(m, records[i])) {
            continue;
        }
        shoal_i_tally_empty(&m->tally);
        for (size_t j = 0; j < count; j++) {
            if (is_in_cell(m, records[i], records[j])) {
                shoal_i_tally_add(&m->tally, records[j]);
            }
        }
        holds = shoal_i_requirement_holds(m->problem->requirements, &m->tally.stats);
    }
    return holds;
}

/* --- Groups. ------------------------------------------------------------------------------ */

static size_t list_group(making *m, const group *g)
{
    size_t count = 0;

    for (uint32_t r = g->head; count < g->size; r = m->next[r]) {
        m->listed[count++] = r;
    }
    return count;
}

static void add_to_group(making *m, uint32_t number, uint32_t record)
{
    group *g = &m->groups[number];

    m->next[record] = g->head;
    g->head = record;
    g->size++;
    m->group_of[record] = number;
}

/* Whether a record may be in an earlier release in which it has no home. */
static bool is_homeless(const making *m, size_t record)
{
    bool is = false;

    for (size_t i = 0; !is && i < m->previous->count; i++) {
        is = m->in_both[i][record] && m->homes[i][record] == NO_HOME;
    }
    return is;
}

static shoal_status form_groups(shoal_ctx *ctx, making *m)
{
    shoal_status st = SHOAL_OK;
    uint64_t *keys = NULL;
    size_t count = 1;

    SHOAL_ALLOC(ctx, keys, m->records);
    for (size_t i = 0; i < m->previous->count; i++) {
        for (size_t r = 0; r < m->records; r++) {
            keys[r] = (uint64_t)m->group_of[r] << 32 | m->homes[i][r];
        }
        SHOAL_TRY(shoal_i_number_keys(ctx, m->group_of, &count, keys, m->records));
    }
    m->group_count = count;
    for (size_t r = m->records; r-- > 0;) {
        if (is_homeless(m, r)) {
            m->adrift[m->adrift_count++] = (uint32_t)r;
        } else {
            add_to_group(m, m->group_of[r], (uint32_t)r);
        }
    }
done:
    free(keys);
    return st;
}

/* Dissolve the groups that do not hold, and list the others by their home. Records that have no
 * home, though they may be in both by values of several classes, are looked at closely. */
static shoal_status judge_groups(shoal_ctx *ctx, making *m)
{
    shoal_status st = SHOAL_OK;
    size_t classes = m->previous->releases[0].release->box_count;

    SHOAL_ALLOC(ctx, m->of_home, classes);
    for (size_t c = 0; c < classes; c++) {
        m->of_home[c] = NO_GROUP;
    }
    for (size_t n = 0; n < m->group_count; n++) {
        group *g = &m->groups[n];
        size_t count = list_group(m, g);

        if (count == 0) { /* all of it have no home */
            continue;
        }
        for (size_t i = 0; i < m->previous->count; i++) {
            g->is_mixed = g->is_mixed || m->homes[i][g->head] == NO_HOME;
        }
        g->is_open = are_holding(m, m->listed, count, g->is_mixed);
        uint32_t home = m->homes[0][g->head];

        for (size_t i = 0; !g->is_open && i < count; i++) {
            m->adrift[m->adrift_count++] = m->listed[i];
        }
        if (g->is_open && home != NO_HOME) {
            m->next_group[n] = m->of_home[home];
            m->of_home[home] = (uint32_t)n;
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

/* Whether a record might have the home of all of a group: then cells are the group. */
static bool is_at_home(const making *m, uint32_t number, uint32_t record)
{
    const group *g = &m->groups[number];
    const shoal_i_previous_release *r = &m->previous->releases[0];
    uint32_t home = m->homes[0][g->head];
    bool is_covered = false;

    for (size_t n = r->starts[record]; !is_covered && n < r->starts[record + 1]; n++) {
        is_covered = r->covering[n] == home;
    }
    return is_covered && m->previous->count == 1 && !g->is_mixed &&
           shoal_i_previous_has(m->previous, 0, home, record);
}

static bool fits(making *m, uint32_t number, uint32_t record)
{
    bool is_home = is_at_home(m, number, record);

    if (!is_home && m->groups[number].size > LOOKED_AT_MOST) {
        return false;
    }
    size_t count = list_group(m, &m->groups[number]);

    m->listed[count] = record;
    return are_holding(m, m->listed, count + 1, !is_home);
}

/* A group for a record that is adrift: of one of the classes that cover it; for one whom none
 * covers, of any. */
static uint32_t find_group(making *m, uint32_t record, size_t most)
{
    const shoal_i_previous_release *r = &m->previous->releases[0];
    bool is_covered = is_in_any(m, record);
    size_t tries = 0;

    for (size_t n = r->starts[record]; n < r->starts[record + 1]; n++) {
        for (uint32_t g = m->of_home[r->covering[n]]; g != NO_GROUP; g = m->next_group[g]) {
            if (tries++ < most && fits(m, g, record)) {
                return g;
            }
        }
    }
    for (size_t g = 0; !is_covered && g < m->group_count && tries < most; g++) {
        if (m->groups[g].is_open && ++tries && fits(m, (uint32_t)g, record)) {
            return (uint32_t)g;
        }
    }
    return NO_GROUP;
}

static shoal_status take_in(shoal_ctx *ctx, making *m, size_t most)
{
    shoal_status st = SHOAL_OK;
    size_t left = 0;

    for (size_t i = 0; i < m->adrift_count; i++) {
        uint32_t number = find_group(m, m->adrift[i], most);

        if (number == NO_GROUP) {
            m->adrift[left++] = m->adrift[i];
        } else {
            bool is_home = is_at_home(m, number, m->adrift[i]);
            uint32_t home = m->homes[0][m->groups[number].head];

            m->groups[number].is_mixed = m->groups[number].is_mixed || !is_home;
            m->homes[0][m->adrift[i]] = is_home ? home : m->homes[0][m->adrift[i]];
            add_to_group(m, number, m->adrift[i]);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    m->adrift_count = left;
done:
    return st;
}

/* Those whom no group takes may hold among themselves. */
static void close_rest(making *m)
{
    if (m->adrift_count == 0 || !are_holding(m, m->adrift, m->adrift_count, true)) {
        return;
    }
    m->groups[m->group_count] = (group){.is_mixed = true, .is_open = true};
    for (size_t i = 0; i < m->adrift_count; i++) {
        add_to_group(m, (uint32_t)m->group_count, m->adrift[i]);
    }
    m->group_count++;
    m->adrift_count = 0;
}

/* --- Classes. ----------------------------------------------------------------------------- */

/* The problem of some records, and what it points to. */
typedef struct part {
    shoal_table *table;
    shoal_i_quasi quasi;
    shoal_i_tally_source source;
    uint32_t **codes;
    shoal_i_problem problem;
} part;

static void part_clear(part *p)
{
    for (size_t i = 0; p->codes && i < p->source.active_count; i++) {
        free(p->codes[i]);
    }
    free(p->codes);
    free(p->quasi.columns);
    shoal_table_free(p->table);
}

static shoal_status part_init(shoal_ctx *ctx, part *p, const shoal_i_problem *whole,
                              const uint32_t *records, size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = whole->quasi->table;

    SHOAL_TRY(shoal_i_table_part(ctx, &p->table, table, count));
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        for (size_t i = 0; !shoal_table_is_skipped(table, c) && i < count; i++) {
            shoal_i_table_part_set(p->table, c, i, shoal_table_code(table, c, records[i]));
        }
    }
    p->quasi = *whole->quasi;
    p->quasi.table = p->table;
    p->quasi.columns = NULL;
    SHOAL_ALLOC(ctx, p->quasi.columns, p->quasi.count);
    for (size_t c = 0; c < p->quasi.count; c++) {
        p->quasi.columns[c] = whole->quasi->columns[c];
        p->quasi.columns[c].entries =
            shoal_i_table_codes(p->table, whole->quasi->columns[c].column);
    }
    p->source = *whole->source;
    p->source.row_count = count;
    SHOAL_ALLOC(ctx, p->codes, p->source.active_count);
    for (size_t i = 0; i < p->source.active_count; i++) {
        SHOAL_ALLOC(ctx, p->codes[i], count);
        for (size_t n = 0; n < count; n++) {
            p->codes[i][n] = whole->source->active[i].codes[records[n]];
        }
        p->source.active[i].codes = p->codes[i];
    }
    p->problem = *whole;
    p->problem.quasi = &p->quasi;
    p->problem.source = &p->source;
    p->problem.row_count = count;
    p->problem.seconds = whole->seconds * (double)count / (double)whole->row_count;
done:
    return st;
}

static void add_class(making *m, const uint32_t *records, size_t count)
{
    size_t first = m->starts[m->class_count];

    memcpy(m->order + first, records, count * sizeof *records);
    m->starts[++m->class_count] = (uint32_t)(first + count);
}

/* Let the method divide a group, whose records are given; it stays whole where a class of its
 * would not do. */
static shoal_status divide_group(shoal_ctx *ctx, making *m, const group *g,
                                 const uint32_t *records)
{
    shoal_status st = SHOAL_OK;
    part p = {0};
    shoal_i_release *release = NULL;
    uint32_t *by_class = NULL;
    uint32_t *starts = NULL;
    bool holds = true;

    SHOAL_TRY(part_init(ctx, &p, m->problem, records, g->size));
    SHOAL_TRY(
        shoal_i_method_run(ctx, &release, m->chosen->method, &p.problem, &m->chosen->settings));
    SHOAL_ALLOC(ctx, by_class, g->size);
    SHOAL_ALLOC(ctx, starts, release->box_count + 1);
    shoal_i_sort_by_number(by_class, starts, release->box_of, g->size, release->box_count);
    for (size_t i = 0; i < g->size; i++) {
        by_class[i] = records[by_class[i]];
    }
    for (size_t c = 0; g->is_mixed && holds && c < release->box_count; c++) {
        holds = are_holding(m, by_class + starts[c], starts[c + 1] - starts[c], true);
    }
    for (size_t c = 0; holds && c < release->box_count; c++) {
        add_class(m, by_class + starts[c], starts[c + 1] - starts[c]);
    }
    if (!holds) {
        add_class(m, records, g->size);
    }
done:
    free(by_class);
    free(starts);
    shoal_i_release_free(release);
    part_clear(&p);
    return st;
}

static shoal_status divide_groups(shoal_ctx *ctx, making *m)
{
    shoal_status st = SHOAL_OK;
    uint64_t least = 2 * shoal_i_requirement_smallest_class(m->problem->requirements);
    uint32_t *records = NULL;
    shoal_i_meter meter = {.stage = "anonymize", .total = m->records};

    SHOAL_ALLOC(ctx, records, m->records);
    for (size_t n = 0; n < m->group_count; n++) {
        const group *g = &m->groups[n];

        if (!g->is_open) {
            continue;
        }
        size_t count = list_group(m, g);

        memcpy(records, m->listed, count * sizeof *records);
        if (count < least) {
            add_class(m, records, count);
        } else {
            SHOAL_TRY(divide_group(ctx, m, g, records));
        }
        SHOAL_TRY(shoal_i_meter_add(ctx, &meter, count));
    }
done:
    free(records);
    return st;
}

/* Classes with equal boxes have become one: whether that still goes. */
static shoal_status check_joined(shoal_ctx *ctx, making *m, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    uint32_t *starts = NULL;
    uint32_t *records = NULL;
    bool holds = true;

    if (release->box_count == m->class_count) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, records, m->records);
    SHOAL_ALLOC(ctx, starts, release->box_count + 1);
    shoal_i_sort_by_number(records, starts, release->box_of, m->records, release->box_count);
    for (size_t c = 0; holds && c < release->box_count; c++) {
        holds = are_holding(m, records + starts[c], starts[c + 1] - starts[c], true);
    }
    if (!holds) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                               "No release was found that goes together with the previous one: "
                               "classes inside different old classes would look the same. Try "
                               "another method or seed."));
    }
done:
    free(starts);
    free(records);
    return st;
}

static shoal_status check_adrift(shoal_ctx *ctx, const making *m)
{
    if (m->adrift_count == 0) {
        return SHOAL_OK;
    }
    uint32_t first = m->adrift[0];

    for (size_t i = 1; i < m->adrift_count; i++) {
        first = m->adrift[i] < first ? m->adrift[i] : first;
    }
    return shoal_i_fail_at(
        ctx, SHOAL_EUNSATISFIABLE, (int64_t)first, -1,
        "No release goes together with the previous one: %zu record%s may be in it, in classes "
        "from which too few others are left, or too few different ones; the first is record "
        "%" PRIu32 ". Leave them out of the table, or ask for less.",
        m->adrift_count, m->adrift_count == 1 ? "" : "s", first + 1);
}

shoal_status shoal_i_together(shoal_ctx *ctx, shoal_i_release **out,
                              const shoal_i_chosen *chosen, const shoal_i_problem *problem,
                              const shoal_i_previous *previous)
{
    shoal_status st = SHOAL_OK;
    making m = {.problem = problem, .previous = previous, .chosen = chosen};

    SHOAL_TRY(making_init(ctx, &m));
    for (size_t i = 0; i < previous->count; i++) {
        SHOAL_TRY(give_homes(ctx, &m, i));
    }
    find_in_both(&m);
    SHOAL_TRY(form_groups(ctx, &m));
    SHOAL_TRY(judge_groups(ctx, &m));
    SHOAL_TRY(take_in(ctx, &m, TRIES_MOST));
    if (m.adrift_count <= FEW) {
        SHOAL_TRY(take_in(ctx, &m, TRIES_OF_FEW));
    }
    close_rest(&m);
    SHOAL_TRY(check_adrift(ctx, &m));
    SHOAL_TRY(divide_groups(ctx, &m));
    SHOAL_TRY(shoal_i_release_from_groups(ctx, out, problem->quasi, m.order, m.starts,
                                          m.class_count));
    SHOAL_TRY(check_joined(ctx, &m, *out));
done:
    making_clear(&m);
    if (st != SHOAL_OK) {
        shoal_i_release_free(*out);
        *out = NULL;
    }
    return st;
}
