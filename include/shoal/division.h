/* division.h -- a table in parts, on disk or on many machines, anonymized as one.
 *
 * Parts that are anonymized each by itself lose much more than the whole table would: they have
 * other dictionaries, other ranges of numbers, other shares of sensitive values. A division
 * holds what the parts must share so that solving them apart is solving them together, and
 * where the table is cut:
 *
 *     of the whole table   the values of each column that is read; hierarchies, weights and
 *                          with them all penalties; how often each value of each quasi and
 *                          sensitive column occurs; the number of records
 *     where it is cut      a tree of cuts, "age below 30 to the front", whose leaves are the
 *                          fragments: runs of records that are solved together
 *
 * It is a function of the spec and of the counts of all values, so it does not depend on how
 * the records are spread over parts. Five verbs, and what goes where when a cluster does the
 * work; an executor has a part of the records, the driver has none:
 *
 *     executors                                    driver
 *
 *     shoal_values_count     each part  ──────►   shoal_values_add           of all parts
 *                                                 shoal_division_build
 *                                       ◄──────   shoal_division_write_memory
 *     shoal_division_count   each part  ──────►   shoal_counts_add           of all parts
 *        as long as fragments are open  ◄──────   shoal_division_cut
 *     shoal_division_route   each part: which fragment each record goes to
 *        ... records travel, so that a fragment is in one place ...
 *     shoal_division_solve   each fragment ───►   what is published, and its classes
 *                                                 shoal_classes_add          of all fragments
 *                                                 shoal_division_verify      publish, or not
 *
 * In one process the same looks like this (statuses left out):
 *
 *     for (p = 0; p < parts; p++) {
 *         shoal_values_count(ctx, &more, spec, part[p]);
 *         shoal_values_add(ctx, values, more);              the first one is `values` itself
 *     }
 *     shoal_division_build(ctx, &division, spec, values);
 *     shoal_division_cut(ctx, &open, division, NULL, 100000);
 *     while (open > 0) {
 *         for (p = 0; p < parts; p++) {
 *             shoal_division_count(ctx, &more, division, part[p]);
 *             shoal_counts_add(ctx, counts, more);
 *         }
 *         shoal_division_cut(ctx, &open, division, counts, 100000);
 *     }
 *     for (p = 0; p < parts; p++) {
 *         shoal_division_route(ctx, fragment_of, division, part[p]);
 *     }
 *     for (f = 0; f < shoal_division_fragment_count(division); f++) {
 *         shoal_division_solve(ctx, &published, &more, division, records_of[f], f);
 *         shoal_classes_add(ctx, classes, more);
 *     }
 *     shoal_division_verify(ctx, &outcome, division, classes);
 *
 * Only cuts are made whose sides both meet the requirements as one class each, so every
 * fragment can be released by itself. With the method mondrian the cuts are those that it would
 * make first, and the release is that of the whole table, byte for byte, up to the order of
 * rows. For other methods they are laid where few classes of a sample reach over them.
 *
 * Repeating a call repeats its result: the sample is drawn by what records say and not by where
 * they lie, and the records of a fragment are put into one order before they are solved.
 *
 * Persons. Where the spec has the role person, promises are about persons, who may have
 * several records, in several fragments. What the caller must see to: every part that
 * shoal_values_count and shoal_division_count are given has whole persons, all records of each
 * of them. On a cluster, spread the records by the column of the person before the first count.
 * Which persons are in which part is free, and may differ from call to call. Records without a
 * person (missing.person own) may be anywhere. shoal_division_route takes any parts, and
 * shoal_division_solve the records of a fragment, as ever. The names of persons stay in the
 * parts: a division has their number, and no dictionary of them.
 *
 * A person in two parts would be counted twice. That is found out, as SHOAL_EINVAL or by an
 * outcome that does not hold:
 *
 *     shoal_values_add        a person whom both have: always while all parts together have up
 *                             to 8192; of more persons a sample of as many is looked at
 *     shoal_division_cut      counts of other persons than the values had
 *     shoal_division_solve    a fragment with fewer persons than were counted in it
 *     shoal_division_verify   a release with fewer persons than were counted in all
 *
 * Mondrian's release is that of a run within a limit of memory, and that of the whole under k,
 * a k of each record's own, and distinct l; requirements that persons of two classes may meet
 * each by itself and not together can make another one (docs/performance.md), or none:
 * only_joined_fail of the outcome.
 *
 * Privacy. Values, divisions and counts hold cells of the table, in the clear; values, counts
 * and classes may hold digests of persons' names. Keep them, and their bytes, as private as the
 * table itself, and delete them with it. Their SHA-256 tells
 * bytes that were damaged on their way; it is no protection against those who mean to change
 * them.
 *
 * Supported: requirements about the records themselves (no population), in records or persons;
 * methods that make classes by local recoding (not exact and incognito), numbers as range or
 * minmax. Anything else is SHOAL_EUNSUPPORTED before any work.
 *
 * Objects that are not changed by a call may be shared by threads. New; may still change.
 */
#ifndef SHOAL_DIVISION_H
#define SHOAL_DIVISION_H

#include "spec.h"
#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_values shoal_values;
typedef struct shoal_division shoal_division;
typedef struct shoal_counts shoal_counts;
typedef struct shoal_classes shoal_classes;

/* Bytes. All objects can be written to memory and read back, in another process and on another
 * machine. What *bytes points to is released by shoal_bytes_free. Reading fails with:
 *   SHOAL_EFORMAT       not such bytes, cut short, damaged
 *   SHOAL_EUNSUPPORTED  written by another version of the format
 *   SHOAL_EINVAL        bytes of another kind of object; made by another spec: columns, missing
 *                       values, requirements, method, seed and forms of output must be the
 *                       same */
SHOAL_API void shoal_bytes_free(char *bytes);

/* --- Values: before there is a division. -------------------------------------------------- */

/* The values of a part and how often each occurs; a part may be without records. A table's
 * columns are taken as the spec says: identifiers are not looked at; of quasi columns without a
 * type of their own in the spec the type of the table counts, and where parts disagree it is
 * that of the joined values: real for integer and real, else string. Records with a missing
 * value in a quasi column are left out here and in all that follows when the spec says so
 * (missing.action drop). SHOAL_EINVAL, SHOAL_EUNSUPPORTED  the spec is not complete, or asks
 * for what cannot be divided SHOAL_ENOTFOUND                   the part lacks a column of the
 * spec SHOAL_EFORMAT (record, field)     a value is missing and the spec allows none; a value
 * is not of the type of the spec; a record has no k of its own, or no person where it must have
 * one */
SHOAL_API shoal_status shoal_values_count(shoal_ctx *ctx, shoal_values **out,
                                          const shoal_spec *spec, const shoal_table *part);
SHOAL_API void shoal_values_free(shoal_values *values);

/* Add those of another part. SHOAL_EINVAL: of another spec, of a table with other columns, or a
 * person is in both; SHOAL_ELIMIT: more than 2^32 - 2 records. After any other failure only
 * free is left. */
SHOAL_API shoal_status shoal_values_add(shoal_ctx *ctx, shoal_values *values,
                                        const shoal_values *more);
SHOAL_API uint64_t shoal_values_record_count(const shoal_values *values);
/* Those of parts together; records where persons are not counted. */
SHOAL_API uint64_t shoal_values_person_count(const shoal_values *values);

/* The columns of the parts, and how many different values one has, each text that stands for a
 * missing one included; 0 for columns that are not read. A division holds all of them. Names
 * are borrowed. */
SHOAL_API size_t shoal_values_column_count(const shoal_values *values);
SHOAL_API const char *shoal_values_column_name(const shoal_values *values, size_t column);
SHOAL_API size_t shoal_values_value_count(const shoal_values *values, size_t column);

SHOAL_API shoal_status shoal_values_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                                 const shoal_values *values);
SHOAL_API shoal_status shoal_values_read_memory(shoal_ctx *ctx, shoal_values **out,
                                                const shoal_spec *spec, const void *bytes,
                                                size_t size);

/* --- The division. ------------------------------------------------------------------------ */

/* Build it from the values of all parts: one fragment, which is not cut yet. The spec is
 * borrowed and must outlive it. Where the spec has no seed, that of the context goes with the
 * division.
 *   SHOAL_EUNSATISFIABLE  no release can meet the requirements, or there is no record
 *   SHOAL_EINVAL          values counted by another spec; a named value that does not occur
 * and as the builders of hierarchy.h. What speaks against releasing a column as it is goes to
 * the log callback as a warning, with its code behind it in brackets. */
SHOAL_API shoal_status shoal_division_build(shoal_ctx *ctx, shoal_division **out,
                                            const shoal_spec *spec, const shoal_values *values);
SHOAL_API void shoal_division_free(shoal_division *division);

/* With its hierarchies, cuts, and what its fragments ask. */
SHOAL_API shoal_status shoal_division_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                                   const shoal_division *division);
SHOAL_API shoal_status shoal_division_read_memory(shoal_ctx *ctx, shoal_division **out,
                                                  const shoal_spec *spec, const void *bytes,
                                                  size_t size);

SHOAL_API uint64_t shoal_division_record_count(const shoal_division *division);
SHOAL_API uint64_t shoal_division_person_count(const shoal_division *division);

/* Fragments are numbered from 0, from the front of the tree of cuts to its back; the numbers
 * hold until the next cut. The size of a fragment is that of its records, 0 for a number that
 * is out of range. */
SHOAL_API size_t shoal_division_fragment_count(const shoal_division *division);
SHOAL_API uint64_t shoal_division_fragment_size(const shoal_division *division,
                                                size_t fragment);

/* --- Count and cut. ----------------------------------------------------------------------- */

/* What the open fragments ask, answered by the records of a part: how often each value occurs
 * in each of them, or what requirements count on the sides of some cuts.
 *   SHOAL_EFORMAT (record, field)  a value that the division lacks
 *   SHOAL_ENOTFOUND                the part lacks a column */
SHOAL_API shoal_status shoal_division_count(shoal_ctx *ctx, shoal_counts **out,
                                            const shoal_division *division,
                                            const shoal_table *part);
SHOAL_API void shoal_counts_free(shoal_counts *counts);

/* Add those of another part. SHOAL_EINVAL: of another division, or of another state of its
 * cuts. */
SHOAL_API shoal_status shoal_counts_add(shoal_ctx *ctx, shoal_counts *counts,
                                        const shoal_counts *more);
SHOAL_API shoal_status shoal_counts_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                                 const shoal_counts *counts);
/* The division is the one that was counted by. */
SHOAL_API shoal_status shoal_counts_read_memory(shoal_ctx *ctx, shoal_counts **out,
                                                const shoal_division *division,
                                                const void *bytes, size_t size);

/* Cut the fragments that have more than most_records, as far as the counts of all parts tell
 * how, and ask what is to be known next; counts NULL: only ask. *open is the number of
 * fragments that are not done: count, and cut again. One that no cut may divide stays as it is,
 * larger than asked for; so look at the sizes when *open is 0. SHOAL_EINVAL: counts of another
 * division, or not those of all records. After any other failure only free is left. */
SHOAL_API shoal_status shoal_division_cut(shoal_ctx *ctx, size_t *open,
                                          shoal_division *division, const shoal_counts *counts,
                                          uint64_t most_records);

/* --- Route and solve. --------------------------------------------------------------------- */

/* A record that was left out because a value is missing. */
#define SHOAL_NO_FRAGMENT UINT32_MAX

/* The fragment of each record of a part; fragments has an entry per record. Fails as
 * shoal_division_count does. */
SHOAL_API shoal_status shoal_division_route(shoal_ctx *ctx, uint32_t *fragments,
                                            const shoal_division *division,
                                            const shoal_table *part);

/* Anonymize one fragment: `part` has all of its records, in any order, and no others.
 * *published is what is released of them: quasi columns as texts (or NAME_min and NAME_max),
 * the others as they are, rows in canonical order. It was read back from its texts, and every
 * record lies in what is published for it. *classes is what the requirements count in it; NULL:
 * not wanted.
 *   SHOAL_EINVAL   no such fragment; records of another one; more or fewer than it has, or of
 *                  another number of persons
 *   SHOAL_EFORMAT  as shoal_division_count
 *   SHOAL_EREJECTED  what is published is not true of a record: a defect of the method */
SHOAL_API shoal_status shoal_division_solve(shoal_ctx *ctx, shoal_table **published,
                                            shoal_classes **classes,
                                            const shoal_division *division,
                                            const shoal_table *part, size_t fragment);

/* The same, and whose each row is: rows[i] is the record of `part`, counted from 0, that row i
 * of *published was made from. rows has room for as many as the fragment has records. So a
 * caller can keep beside the released rows, until they are verified, what is never released:
 * who it is, and a k of the record's own. */
SHOAL_API shoal_status shoal_division_solve_rows(shoal_ctx *ctx, shoal_table **published,
                                                 shoal_classes **classes, uint32_t *rows,
                                                 const shoal_division *division,
                                                 const shoal_table *part, size_t fragment);

/* --- Verify. ------------------------------------------------------------------------------ */

/* The classes of what is published, by the texts of its quasi columns, from a table that
 * anybody made of it, all rows or any. Where records have a k of their own that is not
 * published, only shoal_division_solve can count; where persons are counted, the table has
 * their column beside what is published (shoal_division_solve_rows). Classes of persons take
 * some 20 bytes a record, as numbers of persons do not add up. SHOAL_ENOTFOUND: it lacks a
 * quasi or sensitive column. SHOAL_EINVAL: it lacks such a k, or the persons. */
SHOAL_API shoal_status shoal_classes_count(shoal_ctx *ctx, shoal_classes **out,
                                           const shoal_spec *spec,
                                           const shoal_table *published);
SHOAL_API void shoal_classes_free(shoal_classes *classes);

/* Add those of another part: classes of the same texts become one. SHOAL_EINVAL: of another
 * spec. */
SHOAL_API shoal_status shoal_classes_add(shoal_ctx *ctx, shoal_classes *classes,
                                         const shoal_classes *more);
SHOAL_API shoal_status shoal_classes_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                                  const shoal_classes *classes);
SHOAL_API shoal_status shoal_classes_read_memory(shoal_ctx *ctx, shoal_classes **out,
                                                 const shoal_spec *spec, const void *bytes,
                                                 size_t size);

/* What came of it. */
typedef struct shoal_division_outcome {
    size_t struct_size;
    bool holds; /* every class meets every requirement, and no record or person is missing */
    uint64_t records;
    uint64_t classes;
    uint64_t smallest_class;
    uint64_t failing_classes; /* of the first requirement that does not hold */
    double ncp;               /* loss, as docs/measures.md defines it */
    double gcp;
    char failing[SHOAL_MESSAGE_MAX]; /* that requirement in words; "" when all hold */
    uint64_t persons;                /* where they are counted; else 0 */
    uint64_t fewest_persons;         /* of a class */
    bool only_joined_fail; /* all classes that fail are of several fragments that came to look
                              alike: larger fragments, of which there are fewer, may do */
} shoal_division_outcome;

#define SHOAL_DIVISION_OUTCOME_INIT                                                            \
    {                                                                                          \
        sizeof(shoal_division_outcome), false, 0, 0, 0, 0, 0.0, 0.0, {0}, 0, 0, false          \
    }

/* Judge the classes of all fragments together. SHOAL_OK whether or not they hold. SHOAL_EINVAL:
 * of another spec. SHOAL_EFORMAT: a text that means nothing by the division. */
SHOAL_API shoal_status shoal_division_verify(shoal_ctx *ctx, shoal_division_outcome *out,
                                             const shoal_division *division,
                                             const shoal_classes *classes);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_DIVISION_H */
