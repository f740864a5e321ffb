/* verify.c -- the independent check of what is about to be published.
 *
 * Knows nothing of methods, boxes or hierarchies: it takes the file as anybody would receive
 * it, counts the records that look alike, and holds each such class against the requirements.
 * The second check, of cover, asks whether each record lies inside what was published for it.
 */
#include "measure.h"

#include "../base/pool.h"
#include "../release/number.h"

#include <assert.h>
#include <string.h>

/* Few enough that the boxes of a chunk stay in the cache from column to column. */
#define ROWS_PER_CHUNK 4096
#define NO_BOX UINT32_MAX

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

/* Per class: its size, its largest k and its population (where they are known), its first row.
 * Classes are numbered by first row, so a new number appears where a class starts. */
static void collect_classes(shoal_i_class_stats *stats, size_t *first_rows,
                            const uint32_t *class_of, size_t row_count,
                            const shoal_i_row_facts *facts)
{
    size_t seen = 0;

    for (size_t row = 0; row < row_count; row++) {
        shoal_i_class_stats *s = &stats[class_of[row]];

        if (class_of[row] == seen) {
            first_rows[seen++] = row;
            s->population_size = facts->population ? facts->population[row] : 0;
        }
        s->size++;
        if (facts->k && facts->k[row] > s->largest_k) {
            s->largest_k = facts->k[row];
        }
    }
}

/* The sensitive values of one class at a time, recounted from the rows of the file. Empty when
 * no requirement reads them. */
typedef struct recount {
    size_t column_count;               /* histograms, read or not */
    const shoal_i_sensitive **columns; /* of each histogram; NULL: not read */
    shoal_i_histogram *histograms;     /* of the class at hand */
    uint32_t **counts;                 /* what they show */
    uint32_t **present;
    uint32_t *rows; /* class after class */
    size_t *starts; /* of each class in rows, and the end */
    shoal_i_arena arena;
} recount;

/* Which columns the requirements read. */
static shoal_status list_columns(shoal_ctx *ctx, recount *r, const shoal_i_requirement_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        size_t index = set->items[i].column_index;

        if (set->items[i].kind->needs_sensitive && index >= r->column_count) {
            r->column_count = index + 1;
        }
    }
    r->columns = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->columns);
    r->histograms = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->histograms);
    r->counts = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->counts);
    r->present = shoal_i_arena_alloc(ctx, &r->arena, r->column_count, sizeof *r->present);
    if (!r->columns || !r->histograms || !r->counts || !r->present) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].kind->needs_sensitive) {
            r->columns[set->items[i].column_index] = set->items[i].column;
        }
    }
    return SHOAL_OK;
}

/* Order the rows by class. */
static shoal_status order_rows(shoal_ctx *ctx, recount *r, const uint32_t *class_of,
                               size_t row_count, const shoal_i_class_stats *stats,
                               size_t class_count)
{
    shoal_status st = SHOAL_OK;
    size_t *next = NULL;

    SHOAL_ALLOC(ctx, next, class_count);
    r->rows = shoal_i_arena_alloc(ctx, &r->arena, row_count, sizeof *r->rows);
    r->starts = shoal_i_arena_alloc(ctx, &r->arena, class_count + 1, sizeof *r->starts);
    if (!r->rows || !r->starts) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    for (size_t c = 0; c < class_count; c++) {
        next[c] = r->starts[c];
        r->starts[c + 1] = r->starts[c] + (size_t)stats[c].size;
    }
    for (size_t row = 0; row < row_count; row++) {
        r->rows[next[class_of[row]]++] = (uint32_t)row;
    }
done:
    free(next);
    return st;
}

static shoal_status start_recount(shoal_ctx *ctx, recount *r,
                                  const shoal_i_requirement_set *set, const uint32_t *class_of,
                                  size_t row_count, const shoal_i_class_stats *stats,
                                  size_t class_count)
{
    shoal_status st = SHOAL_OK;

    if (!shoal_i_requirement_needs_sensitive(set)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(list_columns(ctx, r, set));
    SHOAL_TRY(order_rows(ctx, r, class_of, row_count, stats, class_count));
    for (size_t i = 0; i < r->column_count; i++) {
        size_t values = r->columns[i] ? r->columns[i]->value_count : 0;

        assert(!r->columns[i] || r->columns[i]->row_count == row_count);
        r->counts[i] = shoal_i_arena_alloc(ctx, &r->arena, values, sizeof **r->counts);
        r->present[i] = shoal_i_arena_alloc(ctx, &r->arena, values, sizeof **r->present);
        if (!r->counts[i] || !r->present[i]) {
            return SHOAL_ENOMEM;
        }
        r->histograms[i] =
            (shoal_i_histogram){.counts = r->counts[i], .present = r->present[i]};
    }
done:
    return st;
}

/* Show the values of a class in place of the one before. */
static void count_class(recount *r, size_t class)
{
    for (size_t i = 0; i < r->column_count; i++) {
        const shoal_i_sensitive *column = r->columns[i];
        shoal_i_histogram *histogram = &r->histograms[i];

        for (size_t k = 0; k < histogram->present_count; k++) {
            r->counts[i][r->present[i][k]] = 0;
        }
        histogram->present_count = 0;
        for (size_t at = r->starts[class]; column && at < r->starts[class + 1]; at++) {
            uint32_t code = column->codes[r->rows[at]];

            if (r->counts[i][code]++ == 0) {
                r->present[i][histogram->present_count++] = code;
            }
        }
    }
}

/* --- The verdict. */

static void judge_class(shoal_i_verdict_item *item, const shoal_i_class_stats *stats,
                        size_t class, size_t first_row)
{
    const shoal_i_requirement *requirement = &item->requirement;
    double figure = 0;
    bool holds = requirement->kind->check(requirement, stats, &figure);
    bool is_worse = requirement->kind->larger_is_safer ? figure < item->worst_figure
                                                       : figure > item->worst_figure;

    if (!holds) {
        item->holds = false;
        item->failing_classes++;
        item->failing_records += stats->size;
    }
    if (class == 0 || is_worse) {
        item->worst_figure = figure;
        item->worst_class = class;
        item->worst_class_size = stats->size;
        item->worst_row = first_row;
    }
}

static void judge_all(shoal_i_verdict *verdict, const shoal_i_requirement_set *set,
                      shoal_i_class_stats *stats, const size_t *first_rows, recount *r)
{
    verdict->holds = true;
    verdict->count = set->count;
    for (size_t i = 0; i < set->count; i++) {
        verdict->items[i] = (shoal_i_verdict_item){.requirement = set->items[i], .holds = true};
    }
    for (size_t c = 0; c < verdict->classes; c++) {
        if (c == 0 || stats[c].size < verdict->smallest_class) {
            verdict->smallest_class = stats[c].size;
        }
        count_class(r, c);
        stats[c].histograms = r->histograms;
        for (size_t i = 0; i < set->count; i++) {
            judge_class(&verdict->items[i], &stats[c], c, first_rows[c]);
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        verdict->holds = verdict->holds && verdict->items[i].holds;
    }
}

shoal_status shoal_i_verify(shoal_ctx *ctx, shoal_i_verdict *out, const shoal_table *file,
                            const size_t *quasi_columns, size_t quasi_count,
                            const shoal_i_requirement_set *set, const shoal_i_row_facts *facts)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_row_facts none = {0};
    size_t rows = shoal_table_row_count(file);
    uint32_t *class_of = NULL;
    size_t class_count = 0;
    shoal_i_class_stats *stats = NULL;
    size_t *first_rows = NULL;
    recount counted = {0};

    *out = (shoal_i_verdict){0};
    facts = facts ? facts : &none;
    SHOAL_TRY(check_set(ctx, set, facts));
    SHOAL_TRY(
        shoal_i_group_rows(ctx, &class_of, &class_count, file, quasi_columns, quasi_count));
    SHOAL_ALLOC(ctx, stats, class_count);
    SHOAL_ALLOC(ctx, first_rows, class_count);
    collect_classes(stats, first_rows, class_of, rows, facts);
    SHOAL_TRY(start_recount(ctx, &counted, set, class_of, rows, stats, class_count));
    out->records = rows;
    out->classes = class_count;
    judge_all(out, set, stats, first_rows, &counted);
done:
    shoal_i_arena_clear(&counted.arena);
    free(class_of);
    free(stats);
    free(first_rows);
    return st;
}

/* --- Cover. */

/* Lines come in another order than records. So first each record learns its box, and then
 * records are checked in the order in which their codes lie. */
typedef struct cover_job {
    const shoal_i_release *parsed;
    const uint32_t *row_order;
    uint32_t *box_of; /* of each record of the original; NO_BOX when it was not published */
    size_t record_count;
} cover_job;

static shoal_status place_records(shoal_ctx *ctx, cover_job *job)
{
    memset(job->box_of, 0xFF, job->record_count * sizeof *job->box_of); /* NO_BOX */
    for (size_t line = 0; line < job->parsed->row_count; line++) {
        size_t record = job->row_order[line];

        if (record >= job->record_count || job->box_of[record] != NO_BOX) {
            return shoal_i_fail_at(ctx, SHOAL_EREJECTED, (int64_t)line, -1,
                                   "Record %zu of the release stands for a record that is "
                                   "published twice or does not exist.",
                                   line + 1);
        }
        job->box_of[record] = job->parsed->box_of[line];
    }
    return SHOAL_OK;
}

static shoal_status reject(shoal_ctx *ctx, const cover_job *job, size_t c, size_t record)
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

/* Check `count` records from `first` on in one column. */
static shoal_status check_codes(shoal_ctx *ctx, const cover_job *job, size_t c,
                                const uint32_t *entries, size_t first, size_t count)
{
    const shoal_i_quasi *quasi = job->parsed->quasi;

    for (size_t i = 0; i < count; i++) {
        size_t box = job->box_of[first + i];

        if (box == NO_BOX) {
            continue;
        }
        uint32_t code = quasi->columns[c].code_of_entry[entries[i]];
        shoal_i_interval interval = job->parsed->boxes[box * quasi->count + c];

        if (code < interval.lo || code > interval.hi) {
            return reject(ctx, job, c, first + i);
        }
    }
    return SHOAL_OK;
}

static shoal_status check_records(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_status st = SHOAL_OK;
    const cover_job *job = payload;
    const shoal_i_quasi *quasi = job->parsed->quasi;
    size_t first = chunk * ROWS_PER_CHUNK;
    size_t left = job->record_count - first;
    size_t count = left < ROWS_PER_CHUNK ? left : ROWS_PER_CHUNK;
    uint32_t *entries = NULL;

    SHOAL_ALLOC(ctx, entries, count);
    for (size_t c = 0; c < quasi->count; c++) {
        shoal_table_codes(quasi->table, quasi->columns[c].column, first, count, entries);
        SHOAL_TRY(check_codes(ctx, job, c, entries, first, count));
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(entries);
    return st;
}

shoal_status shoal_i_verify_cover(shoal_ctx *ctx, const shoal_i_release *parsed,
                                  const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    cover_job job = {.parsed = parsed,
                     .row_order = row_order,
                     .record_count = shoal_table_row_count(parsed->quasi->table)};
    size_t chunks =
        job.record_count / ROWS_PER_CHUNK + (job.record_count % ROWS_PER_CHUNK != 0);

    job.box_of = shoal_i_alloc_raw(ctx, job.record_count, sizeof *job.box_of);
    if (!job.box_of) {
        return SHOAL_ENOMEM;
    }
    SHOAL_TRY(place_records(ctx, &job));
    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, check_records, &job));
done:
    free(job.box_of);
    return st;
}
