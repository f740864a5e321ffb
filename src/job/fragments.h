/* fragments.h -- anonymizing a table that does not fit in memory.
 *
 * The records are cut into fragments that do, each fragment is solved by itself, and the solved
 * fragments are merged into one release:
 *
 *     read       the input once: values stay in memory, records go to disk      csv_spooled.h
 *     count      how often each value occurs in each quasi column  \
 *     cut        where mondrian would cut, or where it costs little  > fragments_divide.c,
 *     route      records into two files; again, until all fit      /  fragments_cut.c
 *     solve      each fragment: the method, canonical order           fragment_solve.c
 *     merge      the sorted fragments into one sorted file            fragments_merge.c
 *     write      it as text, a chunk of whole classes at a time      \
 *     verify     what was written, read back: classes are contiguous / fragments_write.c
 *
 * Only cuts that leave enough records on both sides are made, so every fragment can be released
 * by itself and whatever is released keeps the promise. What a fragment is solved with is that of
 * the whole table: its dictionaries, hierarchies and penalties (table_part.h).
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
 *                record's own codes of the quasi columns
 *
 * Compared as bytes, released rows are in the canonical order of a release (release.h). The last
 * part is there for the verifier, which checks that every record lies in what is released for it.
 *
 * All of it is disk in `folder`, without names and readable by the owner only (spool.h).
 */
#ifndef SHOAL_I_FRAGMENTS_H
#define SHOAL_I_FRAGMENTS_H

#include "../measure/measure.h"
#include "../method/top_cut.h"
#include "../table/packed_rows.h"
#include "prepare.h"

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

/* counts[c][code]: how many records have that code of quasi column c; added to what is there. */
shoal_status shoal_i_fragments_count(shoal_ctx *ctx, const shoal_i_fragments *fragments,
                                     const shoal_i_rows *records, uint64_t *const *counts);

/* The cut that divides the fewest classes of a sample of the records, by their counts; none may
 * be found. */
shoal_status shoal_i_fragments_find_cheap_cut(shoal_ctx *ctx, shoal_i_top_cut *cut, bool *found,
                                              const shoal_i_fragments *fragments,
                                              const shoal_i_rows *records,
                                              uint64_t *const *counts);

/* The records before a cut and those behind it, each in their order. */
shoal_status shoal_i_fragments_route(shoal_ctx *ctx, shoal_i_rows *front, shoal_i_rows *back,
                                     const shoal_i_fragments *fragments,
                                     const shoal_i_rows *records, const shoal_i_top_cut *cut);

/* Count, cut and route until no fragment has more than most_records. SHOAL_ELIMIT: one that no
 * cut divides has, or too many fragments. */
shoal_status shoal_i_fragments_divide(shoal_ctx *ctx, shoal_i_fragments *fragments);

/* Replace a fragment by its released rows, sorted. share: of the time that the spec allows. */
shoal_status shoal_i_fragment_solve(shoal_ctx *ctx, shoal_i_fragments *fragments, size_t i,
                                    double share);

/* Merge the solved fragments, which are gone then, into `merged`. */
shoal_status shoal_i_fragments_merge(shoal_ctx *ctx, shoal_i_fragments *fragments);

/* Write the merged rows as text, and measure what was lost. */
shoal_status shoal_i_fragments_write(shoal_ctx *ctx, shoal_i_loss *loss,
                                     const shoal_i_fragments *fragments,
                                     shoal_i_output *output);

/* Check what was written, from its text: every class meets the requirement, every record lies in
 * the box that is released for it, no record is missing. Classes are counted as far as equal
 * rows follow each other; one that lay apart would have to hold in each of its places, which is
 * more than is asked. Fills the verdict; SHOAL_EREJECTED when the release does not hold. */
shoal_status shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                      const shoal_i_fragments *fragments, const char *path);

#endif /* SHOAL_I_FRAGMENTS_H */
