/* verify.c -- the independent check of what is about to be published.
 *
 * Knows nothing of methods, boxes or hierarchies: it takes the file as anybody would receive
 * it, counts the records that look alike, and holds each such class against the requirements.
 * The second check, of cover, asks whether each record lies inside what was published for it.
 */
#include "measure.h"

#include "../base/pool.h"
#include "../base/sort.h"
#include "../release/number.h"
#include "recount.h"

#include <string.h>

#define ROWS_PER_CHUNK 4096
#define NO_BOX UINT32_MAX

/* Records of a chunk that are checked together: their boxes stay in the nearest cache from
 * column to column. */
#define ROWS_AT_ONCE 256

shoal_status shoal_i_group_rows(shoal_ctx *ctx, uint32_t **class_of, size_t *class_count,
                                const shoal_table *table, const size_t *columns, size_t count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *ids = NULL;

    *class_of = NULL;
    *class_count = 0;
    SHOAL_ALLOC(ctx, ids, shoal_table_row_count(table));
    SHOAL_TRY(shoal_i_number_rows(ctx, ids, class_count, table, columns, count));
    *class_of = ids;
    ids = NULL;
done:
    free(ids);
    return st;
}

/* --- Requirements. */

static shoal_status check_set(shoal_ctx *ctx, const shoal_i_requirement_set *set,
                              const shoal_i_row_facts *facts)
{
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement_kind *kind = set->items[i].kind;

        if (kind->needs_population && !facts->population) {
            return shoal_i_fail(ctx, SHOAL_EINVAL, "To verify %s, a population is needed.",
                                kind->title);
        }
        if (kind->needs_record_k && !facts->k) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "To verify %s, the k of each record is needed.", kind->title);
        }
    }
    return SHOAL_OK;
}

/* The rows of a file by classes, and what is known of each class. */
typedef struct found_classes {
    size_t count;
    const uint32_t *class_of; /* of each row */
    size_t row_count;
    const shoal_i_row_facts *facts;
    uint32_t *sizes;
    uint32_t *first_rows;
    uint64_t *largest_k; /* NULL: not known */
} found_classes;

/* Rows of one class mostly come one after the other. Classes are numbered by first row, so a
 * new number appears where a class starts. */
static void collect_classes(found_classes *found)
{
    const uint32_t *class_of = found->class_of;
    size_t seen = 0;

    for (size_t row = 0, end = 0; row < found->row_count; row = end) {
        uint32_t class = class_of[row];

        if (class == seen) {
            found->first_rows[seen++] = (uint32_t)row;
        }
        for (end = row + 1; end < found->row_count && class_of[end] == class;) {
            end++;
        }
        found->sizes[class] += (uint32_t)(end - row);
    }
    for (size_t row = 0; found->largest_k && row < found->row_count; row++) {
        uint64_t *largest = &found->largest_k[class_of[row]];

        *largest = found->facts->k[row] > *largest ? found->facts->k[row] : *largest;
    }
}

/* What is known of a class; persons are yet to be counted, where they are. */
static shoal_i_class_stats find_stats(const found_classes *found, size_t class)
{
    const shoal_i_row_facts *facts = found->facts;

    return (shoal_i_class_stats){
        .size = found->sizes[class],
        .persons = facts->persons ? 0 : found->sizes[class],
        .largest_k = found->largest_k ? found->largest_k[class] : 0,
        .population_size = facts->population ? facts->population[found->first_rows[class]] : 0,
    };
}

/* The rows of the file class after class. */
typedef struct ordered_rows {
    uint32_t *rows;
    size_t *starts; /* of each class in rows, and the end */
} ordered_rows;

/* Within a class, the rows of one person come one after the other. */
static shoal_status order_rows(shoal_ctx *ctx, ordered_rows *out, const found_classes *found)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_persons *persons = found->facts->persons;
    size_t row_count = found->row_count;
    size_t *next = NULL;
    uint32_t *by_person = NULL;
    uint32_t *person_starts = NULL;

    SHOAL_ALLOC(ctx, next, found->count);
    SHOAL_ALLOC(ctx, out->rows, row_count);
    SHOAL_ALLOC(ctx, out->starts, found->count + 1);
    for (size_t c = 0; c < found->count; c++) {
        next[c] = out->starts[c];
        out->starts[c + 1] = out->starts[c] + found->sizes[c];
    }
    if (persons) {
        SHOAL_ALLOC(ctx, by_person, row_count);
        SHOAL_ALLOC(ctx, person_starts, persons->count + 1);
        shoal_i_sort_by_number(by_person, person_starts, persons->of, row_count,
                               persons->count);
    }
    for (size_t i = 0; i < row_count; i++) {
        size_t row = by_person ? by_person[i] : i;

        out->rows[next[found->class_of[row]]++] = (uint32_t)row;
    }
done:
    free(next);
    free(by_person);
    free(person_starts);
    return st;
}

/* Count the values of one row in. turn: that of its person, or 0: it is one of its own. */
static void count_row(shoal_i_recount *r, size_t row, uint64_t turn)
{
    for (size_t i = 0; i < r->column_count; i++) {
        if (r->columns[i] && turn == 0) {
            shoal_i_recount_add(r, i, r->columns[i]->codes[row]);
        } else if (r->columns[i]) {
            shoal_i_recount_add_once(r, i, r->columns[i]->codes[row], turn);
        }
    }
    for (size_t i = 0; r->joined && i < r->set->count; i++) {
        if (r->set->items[i].joined > 0) {
            shoal_i_recount_add_joined(r, i, r->set->items[i].column->codes[row], turn);
        }
    }
}

/* Show the values of a class in place of the one before; where persons are counted, how many
 * there are. *turn: the last that was taken. */
static void count_class(shoal_i_recount *r, const ordered_rows *ordered, size_t class,
                        const shoal_i_persons *persons, shoal_i_class_stats *stats,
                        uint64_t *turn)
{
    shoal_i_recount_empty(r);
    for (size_t at = ordered->starts[class]; at < ordered->starts[class + 1]; at++) {
        uint32_t row = ordered->rows[at];
        bool is_next = persons && (at == ordered->starts[class] ||
                                   persons->of[row] != persons->of[ordered->rows[at - 1]]);

        *turn += is_next;
        stats->persons += is_next;
        count_row(r, row, persons ? *turn : 0);
    }
}

static shoal_status judge_all(shoal_ctx *ctx, shoal_i_verdict *verdict,
                              const shoal_i_requirement_set *set, const found_classes *found)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_persons *persons = found->facts->persons;
    shoal_i_recount r = {0};
    ordered_rows ordered = {0};
    uint64_t turn = 0;

    SHOAL_TRY(shoal_i_recount_init(ctx, &r, set));
    if (r.column_count > 0 || persons) {
        SHOAL_TRY(order_rows(ctx, &ordered, found));
    }
    shoal_i_verdict_begin(verdict, set);
    verdict->persons = persons ? persons->count : 0;
    for (size_t c = 0; c < found->count; c++) {
        shoal_i_class_stats stats = find_stats(found, c);

        if (ordered.rows) {
            count_class(&r, &ordered, c, persons, &stats, &turn);
        }
        stats.histograms = r.histograms;
        stats.joined = r.joined;
        shoal_i_verdict_take(verdict, &stats, found->first_rows[c]);
    }
    shoal_i_verdict_end(verdict);
done:
    shoal_i_recount_clear(&r);
    free(ordered.rows);
    free(ordered.starts);
    return st;
}

shoal_status shoal_i_verify(shoal_ctx *ctx, shoal_i_verdict *out, const shoal_table *file,
                            const size_t *quasi_columns, size_t quasi_count,
                            const shoal_i_requirement_set *set, const shoal_i_row_facts *facts)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_row_facts none = {0};
    found_classes found = {.row_count = shoal_table_row_count(file)};
    uint32_t *class_of = NULL;

    *out = (shoal_i_verdict){0};
    facts = facts ? facts : &none;
    found.facts = facts;
    SHOAL_TRY(check_set(ctx, set, facts));
    if (facts->classes) {
        found.class_of = facts->classes->of;
        found.count = facts->classes->count;
    } else {
        SHOAL_TRY(
            shoal_i_group_rows(ctx, &class_of, &found.count, file, quasi_columns, quasi_count));
        found.class_of = class_of;
    }
    SHOAL_ALLOC(ctx, found.sizes, found.count);
    SHOAL_ALLOC(ctx, found.first_rows, found.count);
    if (facts->k) {
        SHOAL_ALLOC(ctx, found.largest_k, found.count);
    }
    collect_classes(&found);
    SHOAL_TRY(judge_all(ctx, out, set, &found));
done:
    free(class_of);
    free(found.sizes);
    free(found.first_rows);
    free(found.largest_k);
    return st;
}

/* --- Cover. */

/* Lines come in another order than records. So first each record learns its box, NO_BOX when it
 * was not published, and then records are checked in the order in which their codes lie. */
shoal_status shoal_i_placed_find(shoal_ctx *ctx, shoal_i_placed *out,
                                 const shoal_i_release *parsed, const uint32_t *row_order)
{
    size_t count = shoal_table_row_count(parsed->quasi->table);
    uint32_t *box_of = shoal_i_alloc_raw(ctx, count, sizeof *box_of);

    *out = (shoal_i_placed){parsed, row_order, count, box_of};
    if (!box_of) {
        return SHOAL_ENOMEM;
    }
    memset(box_of, 0xFF, count * sizeof *box_of); /* NO_BOX */
    for (size_t line = 0; line < parsed->row_count; line++) {
        size_t record = row_order[line];

        if (record >= count || box_of[record] != NO_BOX) {
            return shoal_i_fail_at(ctx, SHOAL_EREJECTED, (int64_t)line, -1,
                                   "Record %zu of the release stands for a record that is "
                                   "published twice or does not exist.",
                                   line + 1);
        }
        box_of[record] = parsed->box_of[line];
    }
    return SHOAL_OK;
}

void shoal_i_placed_clear(shoal_i_placed *cover)
{
    free(cover->box_of);
    *cover = (shoal_i_placed){0};
}

static shoal_status reject(shoal_ctx *ctx, const shoal_i_placed *job, size_t c, size_t record)
{
    const shoal_i_quasi_column *column = &job->parsed->quasi->columns[c];
    size_t line = 0;

    while (job->row_order[line] != record) {
        line++;
    }
    return shoal_i_fail_at(ctx, SHOAL_EREJECTED, (int64_t)line, (int64_t)column->column,
                           "Record %zu of the release does not cover the record it was made "
                           "from in column '%s'.",
                           line + 1, column->name);
}

/* Records that are checked together. */
typedef struct covered {
    size_t first;
    size_t count;                   /* of those that were published */
    uint32_t records[ROWS_AT_ONCE]; /* counted from the first */
    const shoal_i_interval *boxes[ROWS_AT_ONCE];
    uint32_t entries[ROWS_AT_ONCE]; /* in one column, of all */
} covered;

/* List those of `count` records from `first` on that were published, and call for their boxes.
 */
static void list_covered(covered *k, const shoal_i_placed *job, size_t first, size_t count)
{
    size_t width = job->parsed->quasi->count;

    k->first = first;
    k->count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t box = job->box_of[first + i];
        bool is_published = box != NO_BOX;

        k->records[k->count] = (uint32_t)i;
        k->boxes[k->count] = job->parsed->boxes + (is_published ? box : 0) * width;
        __builtin_prefetch(k->boxes[k->count]);
        k->count += is_published;
    }
}

static bool is_outside(const covered *k, const uint32_t *code_of_entry, size_t c, size_t i)
{
    uint32_t code = code_of_entry[k->entries[k->records[i]]];

    return (code < k->boxes[i][c].lo) | (code > k->boxes[i][c].hi);
}

/* In one column. Without a branch per record: none is outside, as a rule. */
static shoal_status check_codes(shoal_ctx *ctx, const shoal_i_placed *job, const covered *k,
                                size_t c)
{
    const uint32_t *code_of_entry = job->parsed->quasi->columns[c].code_of_entry;
    bool is_any = false;

    for (size_t i = 0; i < k->count; i++) {
        is_any |= is_outside(k, code_of_entry, c, i);
    }
    for (size_t i = 0; is_any && i < k->count; i++) {
        if (is_outside(k, code_of_entry, c, i)) {
            return reject(ctx, job, c, k->first + k->records[i]);
        }
    }
    return SHOAL_OK;
}

static shoal_status check_records(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_placed *job = payload;
    const shoal_i_quasi *quasi = job->parsed->quasi;
    size_t begin = chunk * ROWS_PER_CHUNK;
    size_t left = job->record_count - begin;
    size_t end = left < ROWS_PER_CHUNK ? job->record_count : begin + ROWS_PER_CHUNK;
    covered k;

    for (size_t first = begin; first < end; first += ROWS_AT_ONCE) {
        size_t count = end - first < ROWS_AT_ONCE ? end - first : ROWS_AT_ONCE;

        list_covered(&k, job, first, count);
        for (size_t c = 0; c < quasi->count; c++) {
            shoal_table_codes(quasi->table, quasi->columns[c].column, first, count, k.entries);
            SHOAL_TRY(check_codes(ctx, job, &k, c));
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

shoal_status shoal_i_placed_check(shoal_ctx *ctx, const shoal_i_placed *cover)
{
    size_t chunks =
        cover->record_count / ROWS_PER_CHUNK + (cover->record_count % ROWS_PER_CHUNK != 0);

    return shoal_i_parallel_for(ctx, chunks, check_records, (void *)cover);
}

shoal_status shoal_i_verify_cover(shoal_ctx *ctx, const shoal_i_release *parsed,
                                  const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    shoal_i_placed cover = {0};

    SHOAL_TRY(shoal_i_placed_find(ctx, &cover, parsed, row_order));
    SHOAL_TRY(shoal_i_placed_check(ctx, &cover));
done:
    shoal_i_placed_clear(&cover);
    return st;
}
