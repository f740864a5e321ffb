/* verify.c -- the independent check of what is about to be published.
 *
 * Knows nothing of methods, boxes or hierarchies: it takes the file as anybody would receive
 * it, counts the records that look alike, and holds each such class against the requirements.
 * The second check, of cover, asks whether each record lies inside what was published for it.
 */
#include "measure.h"

#include "../base/bitset.h"
#include "../base/pool.h"
#include "../release/number.h"

#include <assert.h>
#include <inttypes.h>

#define ROWS_PER_CHUNK 65536

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

/* --- Requirements.
 * ---------------------------------------------------------------------------- */

static shoal_status check_set(shoal_ctx *ctx, const shoal_i_requirement_set *set,
                              const uint32_t *record_k)
{
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement_kind *kind = set->items[i].kind;

        if (kind->needs_sensitive) {
            return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                                "The verifier cannot check %s yet: it reads sensitive values.",
                                kind->title);
        }
        if (kind->needs_record_k && !record_k) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "To verify %s, the k of each record is needed.", kind->title);
        }
    }
    return SHOAL_OK;
}

/* Per class: its size, its largest k (when record_k is given), its first row. Classes are
 * numbered by first row, so a new number appears where a class starts. */
static void collect_classes(shoal_i_class_stats *stats, size_t *first_rows,
                            const uint32_t *class_of, size_t row_count,
                            const uint32_t *record_k)
{
    size_t seen = 0;

    for (size_t row = 0; row < row_count; row++) {
        shoal_i_class_stats *s = &stats[class_of[row]];

        if (class_of[row] == seen) {
            first_rows[seen++] = row;
        }
        s->size++;
        if (record_k && record_k[row] > s->largest_k) {
            s->largest_k = record_k[row];
        }
    }
}

static shoal_i_verdict_item judge(const shoal_i_requirement *requirement,
                                  const shoal_i_class_stats *stats, const size_t *first_rows,
                                  size_t class_count)
{
    shoal_i_verdict_item item = {.requirement = *requirement, .holds = true};

    for (size_t c = 0; c < class_count; c++) {
        double figure = 0;
        bool holds = requirement->kind->check(requirement, &stats[c], &figure);
        bool is_worse = requirement->kind->larger_is_safer ? figure < item.worst_figure
                                                           : figure > item.worst_figure;

        if (!holds) {
            item.holds = false;
            item.failing_classes++;
            item.failing_records += stats[c].size;
        }
        if (c == 0 || is_worse) {
            item.worst_figure = figure;
            item.worst_class_size = stats[c].size;
            item.worst_row = first_rows[c];
        }
    }
    return item;
}

static void judge_all(shoal_i_verdict *verdict, const shoal_i_requirement_set *set,
                      const shoal_i_class_stats *stats, const size_t *first_rows)
{
    verdict->holds = true;
    verdict->count = set->count;
    for (size_t i = 0; i < set->count; i++) {
        verdict->items[i] = judge(&set->items[i], stats, first_rows, (size_t)verdict->classes);
        verdict->holds = verdict->holds && verdict->items[i].holds;
    }
    verdict->smallest_class = verdict->classes > 0 ? stats[0].size : 0;
    for (size_t c = 0; c < verdict->classes; c++) {
        if (stats[c].size < verdict->smallest_class) {
            verdict->smallest_class = stats[c].size;
        }
    }
}

shoal_status shoal_i_verify(shoal_ctx *ctx, shoal_i_verdict *out, const shoal_table *file,
                            const size_t *quasi_columns, size_t quasi_count,
                            const shoal_i_requirement_set *set, const uint32_t *record_k)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(file);
    uint32_t *class_of = NULL;
    size_t class_count = 0;
    shoal_i_class_stats *stats = NULL;
    size_t *first_rows = NULL;

    *out = (shoal_i_verdict){0};
    SHOAL_TRY(check_set(ctx, set, record_k));
    SHOAL_TRY(
        shoal_i_group_rows(ctx, &class_of, &class_count, file, quasi_columns, quasi_count));
    SHOAL_ALLOC(ctx, stats, class_count);
    SHOAL_ALLOC(ctx, first_rows, class_count);
    collect_classes(stats, first_rows, class_of, rows, record_k);
    out->records = rows;
    out->classes = class_count;
    judge_all(out, set, stats, first_rows);
done:
    free(class_of);
    free(stats);
    free(first_rows);
    return st;
}

/* --- Cover.
 * ----------------------------------------------------------------------------------- */

typedef struct cover_job {
    const shoal_i_release *parsed;
    const uint32_t *row_order;
} cover_job;

static shoal_status reject(shoal_ctx *ctx, size_t row, int64_t field, const char *name)
{
    return shoal_i_fail_at(ctx, SHOAL_EREJECTED, (int64_t)row, field,
                           "Record %zu of the release does not cover the record it was made "
                           "from in column '%s'; nothing is published.",
                           row + 1, name);
}

static shoal_status check_rows(shoal_ctx *ctx, void *payload, size_t chunk)
{
    const cover_job *job = payload;
    const shoal_i_release *parsed = job->parsed;
    const shoal_i_quasi *quasi = parsed->quasi;
    size_t row = chunk * ROWS_PER_CHUNK;
    size_t end =
        parsed->row_count - row < ROWS_PER_CHUNK ? parsed->row_count : row + ROWS_PER_CHUNK;

    for (; row < end; row++) {
        const shoal_i_interval *box = parsed->boxes + parsed->box_of[row] * quasi->count;

        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, job->row_order[row]);

            if (code < box[c].lo || code > box[c].hi) {
                return reject(ctx, row, (int64_t)quasi->columns[c].column,
                              quasi->columns[c].name);
            }
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* Whether each record of the original was published at most once. */
static shoal_status check_origins(shoal_ctx *ctx, const cover_job *job)
{
    shoal_status st = SHOAL_OK;
    size_t original_rows = shoal_table_row_count(job->parsed->quasi->table);
    uint8_t *is_published = NULL;

    SHOAL_ALLOC(ctx, is_published, shoal_i_bitset_bytes(original_rows));
    for (size_t row = 0; row < job->parsed->row_count; row++) {
        size_t origin = job->row_order[row];

        if (origin >= original_rows || shoal_i_bitset_has(is_published, origin)) {
            st = shoal_i_fail_at(ctx, SHOAL_EREJECTED, (int64_t)row, -1,
                                 "Record %zu of the release stands for a record that is "
                                 "published twice or does not exist; nothing is published.",
                                 row + 1);
            goto done;
        }
        shoal_i_bitset_add(is_published, origin);
    }
done:
    free(is_published);
    return st;
}

shoal_status shoal_i_verify_cover(shoal_ctx *ctx, const shoal_i_release *parsed,
                                  const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    cover_job job = {.parsed = parsed, .row_order = row_order};
    size_t rows = parsed->row_count;

    SHOAL_TRY(check_origins(ctx, &job));
    SHOAL_TRY(shoal_i_parallel_for(ctx, rows / ROWS_PER_CHUNK + (rows % ROWS_PER_CHUNK != 0),
                                   check_rows, &job));
done:
    return st;
}
