/* tally.h -- the statistics of a class that changes: records come and go, classes join.
 *
 * A method that tries splits and merges keeps a tally per side and asks after each step whether
 * the side holds:
 *
 *     shoal_i_tally_source source = {0};                      once per run, shared
 *     shoal_i_tally_source_init(ctx, &source, set, sensitive, sensitive_count, record_k, rows);
 *
 *     shoal_i_tally left = {0};                               per thread
 *     shoal_i_tally_init(ctx, &left, &source);
 *     shoal_i_tally_add(&left, record);
 *     if (shoal_i_requirement_holds(set, &left.stats)) ...
 *     shoal_i_tally_empty(&left);
 *
 * A step costs O(1) per column that some requirement reads, emptying and joining O(values
 * present). A set that reads only sizes costs one increment. Nothing is allocated after init:
 * 12 bytes per value of each column that is read.
 *
 * Where a person may have several records (persons.h), the persons are one more column that is
 * counted, and of a sensitive column not its values are counted but the pairs of a person and a
 * value. When a person or a pair occurs for the first time, or no longer, stats.persons or the
 * histogram changes by one. Counts of persons and pairs add up like any others, so whoever
 * keeps counts instead of records may go on to do so.
 *
 * The order in which values are listed in the histograms depends on what was done before;
 * requirements do not depend on it.
 */
#ifndef SHOAL_I_TALLY_H
#define SHOAL_I_TALLY_H

#include "persons.h"
#include "requirement.h"

/* Columns that may be counted: sensitive ones, values joined, persons, k. */
#define SHOAL_I_TALLY_INPUTS_MAX (2 * SHOAL_I_REQUIREMENTS_MAX + 2)

/* What tallies count: the codes of the records. Read-only once built. */
typedef struct shoal_i_tally_source {
    size_t row_count;
    size_t column_count; /* sensitive columns, read or not */
    size_t joined_count; /* histograms of values that requirements join */
    size_t active_count; /* columns that are counted, the coded k last if it is among them */
    struct shoal_i_tally_input {
        size_t column;         /* its histogram; column_count for k, one more for persons, then
                                  values joined */
        const uint32_t *codes; /* of each record */
        size_t value_count;    /* how many codes there are */
        const uint32_t *value_of; /* of each code, a pair: its value; NULL: values are codes */
        size_t shown_count;       /* how many values the histogram has */
    } active[SHOAL_I_TALLY_INPUTS_MAX];
    const shoal_i_persons *persons; /* who may have several records; NULL: nobody has */
    size_t person_input;            /* which of active; SIZE_MAX: none */
    uint64_t person_step; /* what a record adds to the persons by itself: 1, or 0 where they are
                             counted */
    const uint32_t *ks;   /* the different k of the records, ascending; NULL: none is read */
    shoal_i_arena arena;
} shoal_i_tally_source;

/* The value of a record in an active column, or its person. */
static inline uint32_t shoal_i_tally_value(const struct shoal_i_tally_input *input,
                                           size_t record)
{
    uint32_t code = input->codes[record];

    return input->value_of ? input->value_of[code] : code;
}

/* The sensitive columns, which the requirements number by column_index, and record_k (one per
 * record; may be NULL when no requirement reads it) are borrowed. O(1), or O(rows log rows)
 * when record_k is read. */
shoal_status shoal_i_tally_source_init(shoal_ctx *ctx, shoal_i_tally_source *out,
                                       const shoal_i_requirement_set *set,
                                       const shoal_i_sensitive *sensitive,
                                       size_t sensitive_count, const uint32_t *record_k,
                                       size_t row_count);

/* The same where persons may have several records; they are borrowed, too. NULL: each record is
 * a person of its own. O(rows) more. */
shoal_status shoal_i_tally_source_init_persons(shoal_ctx *ctx, shoal_i_tally_source *out,
                                               const shoal_i_requirement_set *set,
                                               const shoal_i_sensitive *sensitive,
                                               size_t sensitive_count, const uint32_t *record_k,
                                               const shoal_i_persons *persons,
                                               size_t row_count);
void shoal_i_tally_source_clear(shoal_i_tally_source *source);

/* A source without records, for those who keep counts instead (shoal_i_tally_add_values): all
 * but the values of the columns may be unknown. ks: the different k of all records, ascending,
 * or NULL; their places are the codes of the last active column. They are borrowed. Of values
 * that a requirement joins the codes are 1 for those it names and 0 for the others. */
void shoal_i_tally_source_init_counted(shoal_i_tally_source *out,
                                       const shoal_i_requirement_set *set,
                                       const shoal_i_sensitive *sensitive,
                                       size_t sensitive_count, const uint32_t *ks,
                                       size_t k_count);

typedef struct shoal_i_tally {
    shoal_i_class_stats stats; /* to be read; population_size is the caller's to set */
    const shoal_i_tally_source *source;
    shoal_i_histogram *histograms; /* one per column, of the coded k, of persons, of values
                                      joined */
    struct shoal_i_tally_lists {
        uint32_t *counts;
        uint32_t *present;
        uint32_t *places; /* of a code in present */
        size_t present_count;
    } lists[SHOAL_I_TALLY_INPUTS_MAX]; /* of the codes of active columns */
    struct shoal_i_tally_lists shown[SHOAL_I_TALLY_INPUTS_MAX]; /* of the values of pairs */
    uint32_t top_k; /* code of the largest k present, if any is */
    shoal_i_arena arena;
} shoal_i_tally;

/* An empty tally. The source is borrowed. */
shoal_status shoal_i_tally_init(shoal_ctx *ctx, shoal_i_tally *tally,
                                const shoal_i_tally_source *source);
void shoal_i_tally_clear(shoal_i_tally *tally);

/* Count the columns of a record in or out; add and remove below also count the record. */
void shoal_i_tally_count_in(shoal_i_tally *tally, size_t record);
void shoal_i_tally_count_out(shoal_i_tally *tally, size_t record);

/* A record comes, or one that is there goes. */
static inline void shoal_i_tally_add(shoal_i_tally *tally, size_t record)
{
    tally->stats.size++;
    tally->stats.persons += tally->source->person_step;
    if (tally->source->active_count > 0) {
        shoal_i_tally_count_in(tally, record);
    }
}
static inline void shoal_i_tally_remove(shoal_i_tally *tally, size_t record)
{
    tally->stats.size--;
    tally->stats.persons -= tally->source->person_step;
    if (tally->source->active_count > 0) {
        shoal_i_tally_count_out(tally, record);
    }
}

/* All records of a list, or of the table. */
void shoal_i_tally_add_list(shoal_i_tally *tally, const uint32_t *records, size_t count);
void shoal_i_tally_add_all(shoal_i_tally *tally);

/* So many records more, whose columns are the caller's to count (below). */
static inline void shoal_i_tally_add_size(shoal_i_tally *tally, uint64_t count)
{
    tally->stats.size += count;
    tally->stats.persons += count * tally->source->person_step;
}

/* Count `count` records in whose code in active column i is `code`: for those who keep counts
 * instead of records. Their other columns and their number are the caller's to count. */
void shoal_i_tally_add_values(shoal_i_tally *tally, size_t i, uint32_t code, uint32_t count);

/* All records of another tally of the same source come. */
void shoal_i_tally_join(shoal_i_tally *tally, const shoal_i_tally *other);

/* Forget all records. */
void shoal_i_tally_empty(shoal_i_tally *tally);

#endif /* SHOAL_I_TALLY_H */
