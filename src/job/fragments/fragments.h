/* fragments.h -- anonymizing a table that does not fit in memory.
 *
 * The records are cut into fragments that do, each fragment is solved by itself, and the solved
 * fragments are merged into one release:
 *
 *     read       the input once: values stay in memory, records go to disk      csv_spooled.h
 *     count      what the division asks of its fragments           \
 *     cut        where mondrian would cut, or where it costs little  > fragments_divide.c
 *     route      rows to the front and the back; until all fit     /   over ../division
 *     solve      each fragment: the method, canonical order           fragment_solve.c
 *     merge      the sorted fragments into one sorted file            fragments_merge.c
 *     write      it as text, a chunk at a time                        fragments_write.c
 *     verify     what was written, read back: classes are contiguous  fragments_verify.c
 *
 * Only cuts are made whose sides both meet the requirement as one class each, so every fragment
 * can be released by itself, and whatever is released keeps the promise: all requirements that
 * are supported are monotone, and fragments that hold still hold where their classes come to
 * look alike. What a fragment is solved with is that of the whole table: its dictionaries,
 * hierarchies, penalties (table_part.h), and the shares of sensitive values, which t, delta and
 * beta are about.
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
 *                record's own codes of the quasi columns | its own k, where records have one |
 *                its person, where persons are counted
 *
 * Compared as bytes, released rows are in the canonical order of a release (release.h). The
 * last parts are there for the verifier, which checks that every record lies in what is
 * released for it, among as many as it asks for.
 *
 * Where a person may have several records, a side of a cut is counted in persons. That adds up
 * as long as the records of a person are counted one after the other; so the person is the
 * first field of a record, and the records are sorted by it once (rows_sort.h). Parting rows
 * keeps their order, so they are so in every fragment. The verifier sorts what was written by
 * class and person: a class that several fragments have a part in has each person once.
 *
 * All of it is disk in `folder`, without names and readable by the owner only (spool.h).
 */
#ifndef SHOAL_I_FRAGMENTS_H
#define SHOAL_I_FRAGMENTS_H

#include "../../measure/exposed.h"
#include "../../measure/measure.h"
#include "../../method/grouping/top_cut.h"
#include "../../table/packed_rows.h"
#include "../division/division.h"
#include "../input/prepare.h"

typedef struct shoal_i_fragments {
    const shoal_spec *spec;
    shoal_division *division;         /* borrowed; is cut */
    const shoal_i_prepared *prepared; /* that of the division: its table has no codes */
    const char *folder;               /* of temporary files; NULL: that of the system */
    size_t most_records;              /* that fit in memory */
    shoal_i_row_format record_format;
    shoal_i_row_format released_format;
    size_t *fields; /* of each column of the table: its field in a record */
    size_t *others; /* columns that are released as they are */
    size_t other_count;
    size_t box_size;     /* bytes of a released row that tell its class */
    size_t k_field;      /* of a released row: the record's own k, where records have one */
    size_t person_field; /* of a released row: its person, where persons are counted */
    uint32_t *persons;   /* of the rows that are being written, where persons are counted */
    size_t count;
    uint64_t *starts;      /* row at which each fragment begins, in any file; the end is last */
    shoal_i_rows files[2]; /* records; a fragment is in one of the two */
    uint8_t *file_of;      /* of each fragment */
    size_t largest;        /* records of the largest fragment */
    shoal_i_rows solved;   /* released rows, fragment after fragment */
    shoal_i_rows merged;   /* released rows of all, sorted */
} shoal_i_fragments;

/* The form of a record of this table, which was read without codes. fields gets an entry per
 * column; free. person: the column that is the first field; -1: any. */
shoal_status shoal_i_fragments_records(shoal_ctx *ctx, shoal_i_row_format *format,
                                       size_t **fields, const shoal_table *table,
                                       ptrdiff_t person);

/* Set spec, division (bound), prepared, folder and most_records before; record_format and
 * fields too. The records, which are moved, are the only fragment then. */
shoal_status shoal_i_fragments_init(shoal_ctx *ctx, shoal_i_fragments *fragments,
                                    shoal_i_rows *records);
void shoal_i_fragments_clear(shoal_i_fragments *fragments);

/* Count, cut and route until no fragment has more than most_records. SHOAL_ELIMIT: one that no
 * cut divides has. */
shoal_status shoal_i_fragments_divide(shoal_ctx *ctx, shoal_i_fragments *fragments);

/* --- Persons (fragments_persons.c). ------------------------------------------------------- */

/* The code of records without a person, each of whom is one of its own. */
static inline uint32_t shoal_i_fragments_nobody(const shoal_i_fragments *fragments)
{
    const shoal_i_prepared *prepared = fragments->prepared;

    return (uint32_t)shoal_table_value_count(prepared->table, prepared->persons.column);
}

/* Rows that are sorted by person. */
typedef struct shoal_i_person_rows {
    const shoal_i_rows *sorted;
    size_t person_field;
    uint32_t nobody;      /* code of those without a person, each of whom is one of its own */
    const size_t *fields; /* of the columns that are counted */
} shoal_i_person_rows;

/* Whose turn it is, row after row; starts as {0}. */
typedef struct shoal_i_turn {
    uint64_t number; /* how many persons there were */
    uint32_t person;
} shoal_i_turn;

/* The next row is this person's; whether another one's turn begins with it. */
bool shoal_i_next_person(shoal_i_turn *turn, uint32_t person, uint32_t nobody);

/* How many persons have each value of the columns that are counted, in place of what was
 * there; and how many there are. Of texts that are one value by the spec, those of the first
 * are those of all. */
shoal_status shoal_i_totals_of_persons(shoal_ctx *ctx, shoal_i_totals *totals,
                                       uint64_t *persons, const shoal_spec *spec,
                                       const shoal_table *table,
                                       const shoal_i_person_rows *rows);

/* How many persons have any of the values that requirements of a division join: sets `joined`.
 * The rows are its records. */
shoal_status shoal_i_joined_of_persons(shoal_ctx *ctx, shoal_division *division,
                                       const shoal_i_person_rows *rows);

/* --- Solving, merging, writing, verifying. ------------------------------------------------ */

/* Record i of a part of the table, from a row of codes. */
void shoal_i_fragments_take_row(const shoal_i_fragments *fragments, shoal_table *part, size_t i,
                                const unsigned char *row);

/* The records behind `count` merged rows, with the codes of what is released of them. */
shoal_status shoal_i_fragments_table_of(shoal_ctx *ctx, shoal_table **out,
                                        const shoal_i_fragments *fragments,
                                        const unsigned char *rows, size_t count);

/* Solve a fragment, which is the next behind those that are solved: its released rows,
 * sorted. */
shoal_status shoal_i_fragment_solve(shoal_ctx *ctx, shoal_i_fragments *fragments, size_t i);

/* Merge the solved fragments, which are gone then, into `merged`. */
shoal_status shoal_i_fragments_merge(shoal_ctx *ctx, shoal_i_fragments *fragments);

/* Write the merged rows as text, measure what was lost, and look at what they show. */
shoal_status shoal_i_fragments_write(shoal_ctx *ctx, shoal_i_loss *loss,
                                     shoal_i_exposed *exposed,
                                     const shoal_i_fragments *fragments,
                                     shoal_i_output *output);

/* Check what was written, from its text: every class meets the requirement, by the shares that
 * the sensitive values have in that text; every record lies in the box that is released for it;
 * no record is missing. Classes are counted as far as equal rows follow each other; one that
 * lay apart would have to hold in each of its places, which is more than is asked. Persons are
 * those of the records, as a release does not tell them; shares are theirs then. Fills the
 * verdict; SHOAL_EREJECTED when the release does not hold. */
shoal_status shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                      const shoal_i_fragments *fragments, const char *path);

#endif /* SHOAL_I_FRAGMENTS_H */
