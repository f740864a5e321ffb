/* fragments.h -- anonymizing a table that does not fit in memory.
 *
 * The records are cut into fragments that do, each fragment is solved by itself, and the solved
 * fragments are merged into one release:
 *
 *     read       the input once: values stay in memory, records go to disk      csv_spooled.h
 *     count      how often each value occurs in each quasi column  \
 *     cut        where mondrian would cut, or where it costs little  > fragments_divide.c,
 *     route      records into two files; again, until all fit      /  _cut.c, _judge.c
 *     solve      each fragment: the method, canonical order           fragment_solve.c
 *     merge      the sorted fragments into one sorted file            fragments_merge.c
 *     write      it as text, a chunk at a time                        fragments_write.c
 *     verify     what was written, read back: classes are contiguous  fragments_verify.c
 *
 * Only cuts are made whose sides both meet the requirement as one class each, so every fragment
 * can be released by itself, and whatever is released keeps the promise: all requirements that are
 * supported are monotone, and fragments that hold still hold where their classes come to look
 * alike. What a fragment is solved with is that of the whole table: its dictionaries, hierarchies,
 * penalties (table_part.h), and the shares of sensitive values, which t, delta and beta are about
 * (fragments_demands.c).
 *
 * Two things follow from that, and the tests hold them. Mondrian in its default form cuts first
 * what is cut here, and goes on from there as if nothing had happened: the release has the same
 * bytes as that of a run in memory. For other methods the cuts are laid where few classes would
 * have reached over them, which costs little.
 *
 * Rows on disk have two forms (packed_rows.h):
 *
 *     records    the code of each column that was read
 *     released   lo and hi of each quasi column | codes of columns released as they are | the
 *                record's own codes of the quasi columns | its own k, where records have one
 *
 * Compared as bytes, released rows are in the canonical order of a release (release.h). The last
 * parts are there for the verifier, which checks that every record lies in what is released for
 * it, among as many as it asks for.
 *
 * All of it is disk in `folder`, without names and readable by the owner only (spool.h).
 */
#ifndef SHOAL_I_FRAGMENTS_H
#define SHOAL_I_FRAGMENTS_H

#include "../../measure/measure.h"
#include "../../method/grouping/top_cut.h"
#include "../../table/packed_rows.h"
#include "../division/division.h"
#include "../input/prepare.h"

/* More files than that are not kept open. */
#define SHOAL_I_FRAGMENTS_MAX 512

typedef struct shoal_i_fragments {
    const shoal_spec *spec;
    const shoal_i_prepared *prepared; /* of the whole: its table has no codes */
    const char *folder;               /* of temporary files; NULL: that of the system */
    size_t most_records;              /* that fit in memory */
    shoal_i_row_format record_format;
    shoal_i_row_format released_format;
    size_t *fields; /* of each column of the table: its field in a record */
    size_t *others; /* columns that are released as they are */
    size_t other_count;
    size_t box_size; /* bytes of a released row that tell its class */
    shoal_i_own_k own_k;
    size_t k_field; /* of a released row */
    /* What requirements count beside sizes: columns of values, and where a record has them. */
    shoal_i_tally_source counted;
    size_t counted_columns[SHOAL_I_REQUIREMENTS_MAX + 1]; /* of the table */
    double whole_figures[SHOAL_I_REQUIREMENTS_MAX];       /* of all records as one class */
    shoal_i_rows *list;
    size_t count;
    size_t largest;      /* records of the largest fragment */
    shoal_i_rows merged; /* released rows of all */
} shoal_i_fragments;

/* The form of a record of this table, which was read without codes. fields gets an entry per
 * column; free. */
shoal_status shoal_i_fragments_records(shoal_ctx *ctx, shoal_i_row_format *format,
                                       size_t **fields, const shoal_table *table);

/* Set spec, prepared (with table, roles, hierarchies, quasi and demands), folder and most_records
 * before; record_format and fields too. The records, which are moved, are the only fragment then. */
shoal_status shoal_i_fragments_init(shoal_ctx *ctx, shoal_i_fragments *fragments,
                                    shoal_i_rows *records);
void shoal_i_fragments_clear(shoal_i_fragments *fragments);

/* --- What is asked of fragments (fragments_demands.c). ------------------------------------- */

/* Set own_k, counted and counted_columns, by the demands that are prepared. */
shoal_status shoal_i_fragments_watch(shoal_ctx *ctx, shoal_i_fragments *fragments);

/* Set whole_figures. SHOAL_EUNSATISFIABLE: not even all records as one class would hold, by their
 * totals. */
shoal_status shoal_i_fragments_check_possible(shoal_ctx *ctx, shoal_i_fragments *fragments,
                                              const shoal_i_totals *totals);

/* The code of a record in a quasi column. */
static inline uint32_t shoal_i_fragments_code(const shoal_i_fragments *fragments,
                                              const unsigned char *row, size_t c)
{
    const shoal_i_quasi_column *column = &fragments->prepared->quasi->columns[c];
    uint32_t entry =
        shoal_i_row_get(&fragments->record_format, row, fragments->fields[column->column]);

    return column->code_of_entry[entry];
}

/* The code that a record has in active column i of `counted`. */
static inline uint32_t shoal_i_fragments_counted_code(const shoal_i_fragments *fragments,
                                                      const unsigned char *row, size_t i)
{
    size_t field = fragments->fields[fragments->counted_columns[i]];
    uint32_t entry = shoal_i_row_get(&fragments->record_format, row, field);
    bool is_k = fragments->counted.active[i].column == fragments->counted.column_count;

    return is_k ? fragments->own_k.code_of_entry[entry] : entry;
}

/* {0} may be cleared; the part is borrowed. */
shoal_status shoal_i_fragments_source(shoal_ctx *ctx, shoal_i_part_source *out,
                                      const shoal_i_fragments *fragments,
                                      const shoal_table *part);

/* --- Dividing. ------------------------------------------------------------------------------ */

/* counts[c][code]: how many records have that code of quasi column c; added to what is there. */
shoal_status shoal_i_fragments_count(shoal_ctx *ctx, const shoal_i_fragments *fragments,
                                     const shoal_i_rows *records, uint64_t *const *counts);

/* Cuts that leave at least a quarter of the records on both sides, those first that divide the
 * fewest classes of a sample and the records most evenly; free *cuts. */
shoal_status shoal_i_fragments_list_cheap_cuts(shoal_ctx *ctx, shoal_i_top_cut **cuts,
                                               size_t *count,
                                               const shoal_i_fragments *fragments,
                                               const shoal_i_rows *records,
                                               uint64_t *const *counts);

/* The first of these cuts whose sides both meet the requirement; `count` when none does. All of
 * them leave enough records. With prefers_room, of the cuts judged together the first whose sides
 * are not much nearer to what is forbidden than the whole table is; if there is none, the one
 * whose sides are the least so. Reads the records once or, if many cuts fail, a few times. */
shoal_status shoal_i_fragments_find_safe(shoal_ctx *ctx, size_t *found,
                                         const shoal_i_fragments *fragments,
                                         const shoal_i_rows *records,
                                         const shoal_i_top_cut *cuts, size_t count,
                                         bool prefers_room);

/* The records before a cut and those behind it, each in their order. */
shoal_status shoal_i_fragments_route(shoal_ctx *ctx, shoal_i_rows *front, shoal_i_rows *back,
                                     const shoal_i_fragments *fragments,
                                     const shoal_i_rows *records, const shoal_i_top_cut *cut);

/* Count, cut and route until no fragment has more than most_records. SHOAL_ELIMIT: one that no
 * cut divides has, or too many fragments. */
shoal_status shoal_i_fragments_divide(shoal_ctx *ctx, shoal_i_fragments *fragments);

/* --- Solving, merging, writing, verifying. -------------------------------------------------- */

/* Record i of a part of the table, from a row of codes. */
void shoal_i_fragments_take_row(const shoal_i_fragments *fragments, shoal_table *part, size_t i,
                                const unsigned char *row);

/* The records behind `count` merged rows, with the codes of what is released of them. */
shoal_status shoal_i_fragments_table_of(shoal_ctx *ctx, shoal_table **out,
                                        const shoal_i_fragments *fragments,
                                        const unsigned char *rows, size_t count);

/* Replace a fragment by its released rows, sorted. share: of the time that the spec allows. */
shoal_status shoal_i_fragment_solve(shoal_ctx *ctx, shoal_i_fragments *fragments, size_t i,
                                    double share);

/* Merge the solved fragments, which are gone then, into `merged`. */
shoal_status shoal_i_fragments_merge(shoal_ctx *ctx, shoal_i_fragments *fragments);

/* Write the merged rows as text, and measure what was lost. */
shoal_status shoal_i_fragments_write(shoal_ctx *ctx, shoal_i_loss *loss,
                                     const shoal_i_fragments *fragments,
                                     shoal_i_output *output);

/* Check what was written, from its text: every class meets the requirement, by the shares that
 * the sensitive values have in that text; every record lies in the box that is released for it; no
 * record is missing. Classes are counted as far as equal rows follow each other; one that lay
 * apart would have to hold in each of its places, which is more than is asked. Fills the verdict; SHOAL_EREJECTED when the release does not hold. */
shoal_status shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                      const shoal_i_fragments *fragments, const char *path);

#endif /* SHOAL_I_FRAGMENTS_H */
