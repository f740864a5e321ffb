/* bound_part.h -- a table of some records, held against a spec and against a division.
 *
 * The tables of parts come with dictionaries and types of their own; the same value has another
 * code in each. A part that is bound leads from its codes to those of the division:
 *
 *     part       0 "baker"  1 "nurse"               division   0 "baker" 1 "clerk" 2 "nurse"
 *     code_of    0          2
 */
#ifndef SHOAL_I_BOUND_PART_H
#define SHOAL_I_BOUND_PART_H

#include "division.h"
#include "part_persons.h"

/* A part as the spec wants its table: what is read, by which type, and what is missing there;
 * it borrows from the table, which may be without records. SHOAL_ENOTFOUND, every one logged:
 * columns of the spec that the table lacks. SHOAL_EFORMAT: a value that is not of its type. */
shoal_status shoal_i_part_configure(shoal_ctx *ctx, shoal_table **out, const shoal_spec *spec,
                                    const shoal_table *table);

/* Which records take part, when those with a missing value in a quasi column are dropped; *keep
 * is NULL when all of them do, else free. SHOAL_EFORMAT: a value is missing and the spec allows
 * none, or a record has no k of its own. */
shoal_status shoal_i_part_select(shoal_ctx *ctx, bool **keep, const shoal_spec *spec,
                                 const shoal_table *table);

typedef struct shoal_i_bound_part {
    const shoal_division *division;
    shoal_table *table; /* as the spec wants it */
    bool *keep;         /* NULL: all records */
    ptrdiff_t *columns; /* of the table, of each column of the division; -1: not read */
    uint32_t **code_of; /* by code of the table; SHOAL_I_LACKING: the division has none */
    uint32_t **codes;   /* of a batch, by column of the division; NULL: not read */
    bool *is_read;      /* of each column: batches have its codes */
    shoal_i_part_persons persons; /* where they are counted */
    uint64_t *digests;            /* of a batch: whose each record is */
} shoal_i_bound_part;

#define SHOAL_I_LACKING UINT32_MAX

/* What batches are for. */
typedef enum shoal_i_part_use {
    SHOAL_I_PART_ROUTED, /* codes of quasi columns are enough */
    SHOAL_I_PART_COUNTED,
    SHOAL_I_PART_SOLVED /* all */
} shoal_i_part_use;

/* {0} may be cleared. Division and table are borrowed. */
shoal_status shoal_i_bound_part_init(shoal_ctx *ctx, shoal_i_bound_part *part,
                                     const shoal_division *division, const shoal_table *table,
                                     shoal_i_part_use use);
void shoal_i_bound_part_clear(shoal_i_bound_part *part);

/* Some of its records, at most SHOAL_I_BATCH_MAX from `first` on, in codes of the division, of
 * the columns that are needed; the batch has those that take part, rows[i] tells which record
 * each is, and *next where to go on. SHOAL_EFORMAT, with record and field: a value that the
 * division lacks. */
shoal_status shoal_i_bound_part_read(shoal_ctx *ctx, shoal_i_batch *batch, uint32_t *rows,
                                     size_t *next, const shoal_i_bound_part *part,
                                     size_t first);

/* The same of any of its records, at most SHOAL_I_BATCH_MAX, all of which take part. */
shoal_status shoal_i_bound_part_gather(shoal_ctx *ctx, shoal_i_batch *batch,
                                       const shoal_i_bound_part *part, const uint32_t *rows,
                                       size_t count);

/* The records that take part, fragment after fragment of the division, and in each of them
 * person after person; *rows has part->persons.row_count entries, free. Persons are counted. */
shoal_status shoal_i_bound_part_sort(shoal_ctx *ctx, uint32_t **rows,
                                     const shoal_i_bound_part *part);

#endif /* SHOAL_I_BOUND_PART_H */
