/* exposed.h -- what a release shows of single records though every requirement holds.
 *
 * Two things that k does not ask for. A class in which all have the same sensitive value tells
 * it of everybody who is known to be there, however large the class is. And the ends of a
 * released range are values of records: where most values of a column are one record's alone
 * (dates of birth, incomes), an end is somebody's exact value.
 *
 * One pass over the release, which may come in parts:
 *
 *     shoal_i_exposed_init(ctx, &e, quasi, sensitive, sensitive_count, true);
 *     shoal_i_exposed_add(ctx, &e, release, SHOAL_I_WHOLE);
 *     shoal_i_exposed_end(&e, quasi);
 *     ... e.singles[j].records, e.ends[c].shown ...
 *     shoal_i_exposed_clear(&e);
 */
#ifndef SHOAL_I_EXPOSED_H
#define SHOAL_I_EXPOSED_H

#include "../base/arena.h"
#include "../release/release.h"

/* Of a sensitive column: classes (of the shape buckets, buckets) with one value only. */
typedef struct shoal_i_single_value {
    size_t column;            /* of the table */
    const uint32_t *value_of; /* of each of its codes, where some are one value; NULL: itself.
                                 Set by the user after init */
    uint64_t classes;
    uint64_t records; /* in them */
    uint64_t persons; /* in them, each once; 0 where records are counted */
    /* The class that came in part. */
    uint32_t open_code;
    bool is_open_mixed;
} shoal_i_single_value;

/* Of a quasi column. */
typedef struct shoal_i_range_ends {
    bool is_looked_at;    /* its numbers are published as ranges between values of records */
    uint64_t values;      /* that occur */
    uint64_t alone;       /* of one record, or person, alone */
    uint64_t shown;       /* of those: that are the end of a range */
    unsigned char *marks; /* of each code */
    uint32_t *first;      /* of each code: who had it first; NULL where records are counted */
} shoal_i_range_ends;

/* Starts as {0}. */
typedef struct shoal_i_exposed {
    size_t quasi_count;
    shoal_i_range_ends *ends; /* of each quasi column */
    size_t sensitive_count;
    shoal_i_single_value *singles; /* of each sensitive column */
    const uint32_t
        *person_of;      /* of each row of what is added next; NULL: its own. Set by the user */
    size_t person_count; /* above all of them, of a whole release; 0: it comes in pieces, and
                            persons of classes of one value are not counted */
    uint64_t classes;
    shoal_i_arena arena; /* for the user */
    uint64_t open_size;  /* of the class that came in part; 0: there is none */
} shoal_i_exposed;

/* Whether a release is a part of one, of which a class came in part before, or may go on. */
typedef enum shoal_i_piece {
    SHOAL_I_WHOLE,     /* of whole classes */
    SHOAL_I_BEGINNING, /* one class, which may go on */
    SHOAL_I_GOING_ON   /* one class, that of the part before */
} shoal_i_piece;

/* sensitive: columns of the table. has_ranges: numbers are published by their ends. */
shoal_status shoal_i_exposed_init(shoal_ctx *ctx, shoal_i_exposed *out,
                                  const shoal_i_quasi *quasi, const size_t *sensitive,
                                  size_t sensitive_count, bool has_ranges);
void shoal_i_exposed_clear(shoal_i_exposed *exposed);

/* Take a release, or its next part, whose columns and codes are those of the quasi-identifier
 * above. Of the shape records, which has no classes, only ranges are looked at. */
shoal_status shoal_i_exposed_add(shoal_ctx *ctx, shoal_i_exposed *exposed,
                                 const shoal_i_release *release, shoal_i_piece piece);

/* All was taken: find the figures. */
void shoal_i_exposed_end(shoal_i_exposed *exposed, const shoal_i_quasi *quasi);

#endif /* SHOAL_I_EXPOSED_H */
