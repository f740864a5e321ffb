/* part_persons.h -- whose records those of a part are, and what parts tell each other of it.
 *
 * A part has whole persons: all records of each, so that persons of parts add up. Within a part
 * they are told apart by the codes of its own dictionary; where objects of several parts meet,
 * by a digest of the name:
 *
 *     record   patient   name   digest           rows (person after person)
 *        0     P07        1     83b1...          1  0 2  3
 *        1     P03        0     0f22...
 *        2     P07        1     83b1...
 *        3                2     0                nobody: a person of its own
 *
 * Whether persons are whole is checked by a sketch: the smallest digests of each part. One that
 * two parts have is a person with records in both, and of few persons all are in it.
 */
#ifndef SHOAL_I_PART_PERSONS_H
#define SHOAL_I_PART_PERSONS_H

#include "../../spec/spec.h"
#include "division.h"

/* {0} may be cleared. */
typedef struct shoal_i_part_persons {
    uint32_t *names; /* of each record that takes part, below name_count; ascending with the
                        texts, then those without a person, each its own */
    size_t name_count;
    size_t nobodies;   /* the last so many names are theirs */
    uint64_t *digests; /* of each name; 0: nobody's */
    uint32_t *rows;    /* records that take part, person after person */
    size_t row_count;
    size_t count; /* persons */
} shoal_i_part_persons;

/* Those of a table that is as the spec wants it; keep: which records take part, NULL: all.
 * SHOAL_EFORMAT: a record has no person, and the spec allows none. */
shoal_status shoal_i_part_persons_init(shoal_ctx *ctx, shoal_i_part_persons *out,
                                       const shoal_spec *spec, const shoal_table *table,
                                       const bool *keep);
void shoal_i_part_persons_clear(shoal_i_part_persons *persons);

/* How many persons have each number: number_of[code of a record in the column], below count. */
shoal_status shoal_i_part_persons_total(shoal_ctx *ctx, uint64_t *totals,
                                        const shoal_i_part_persons *persons,
                                        const shoal_table *table, size_t column,
                                        const uint32_t *number_of, size_t count);

/* The digests of all names of a column, never 0; equal where names are the same by the spec. */
shoal_status shoal_i_person_digests(shoal_ctx *ctx, uint64_t *digests, const shoal_spec *spec,
                                    const shoal_table *table, size_t column);

/* --- Sketches. --------------------------------------------------------------------------- */

#define SHOAL_I_PERSON_SKETCH_MAX 8192

/* The smallest digests, ascending and all different. {0} has none and may be cleared. */
typedef struct shoal_i_person_sketch {
    uint64_t *digests;
    size_t count;
} shoal_i_person_sketch;

shoal_status shoal_i_person_sketch_init(shoal_ctx *ctx, shoal_i_person_sketch *out,
                                        const shoal_i_part_persons *persons);
void shoal_i_person_sketch_clear(shoal_i_person_sketch *sketch);

/* How many digests both have. */
size_t shoal_i_person_sketch_common(const shoal_i_person_sketch *a,
                                    const shoal_i_person_sketch *b);

/* Add those of another part. */
shoal_status shoal_i_person_sketch_add(shoal_ctx *ctx, shoal_i_person_sketch *sketch,
                                       const shoal_i_person_sketch *more);

#endif /* SHOAL_I_PART_PERSONS_H */
