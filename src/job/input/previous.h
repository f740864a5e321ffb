/* previous.h -- earlier releases, as whoever has them reads them beside the new one.
 *
 * Nobody needs the table that an earlier release was made from, nor a column that tells who is
 * who: a reader has neither. A record of the new table may be in a class of the earlier release
 * when the box of that class covers it; it may be in the release at all when, beside that, the
 * classes that cover it have its sensitive values.
 *
 *     covering   the classes whose boxes cover a record
 *     in both    a record each of whose values one of its covering classes has; of the
 * sensitive columns that requirements are about cell       of a record that is in both: the
 * records of its new class that some class covers together with it, and whose values are among
 * those of its covering classes. Of several earlier releases, those of all in which it is.
 *
 * What was promised of a class must hold in every cell: that is what is left to hide among for
 * somebody who is in both. Where boxes of the earlier release do not overlap, a cell is what an
 * old class and a new one have in common.
 */
#ifndef SHOAL_I_PREVIOUS_H
#define SHOAL_I_PREVIOUS_H

#include "prepare.h"
#include "received.h"

typedef struct shoal_i_previous_release {
    const char *path;
    shoal_i_received received;
    shoal_i_release *release; /* boxes by the codes of the original */
    uint8_t **has;      /* of each sensitive column: whether a class has a value, at class *
                           values + value */
    uint32_t *starts;   /* of the covering classes of each record, and the end */
    uint32_t *covering; /* ascending */
    size_t nobody_rows; /* rows about values that nobody has in the original */
} shoal_i_previous_release;

/* Starts as {0}. */
typedef struct shoal_i_previous {
    const shoal_i_prepared *original;
    size_t count;
    shoal_i_previous_release *releases;
} shoal_i_previous;

/* Read the earlier releases of the spec; the original has its quasi-identifier and
 * requirements.
 *   SHOAL_ENOTFOUND     it lacks quasi columns, or sensitive ones that requirements are about
 *   SHOAL_EUNSUPPORTED  it is a release by buckets
 *   SHOAL_EFORMAT       it does not belong to the original: none of its rows covers a record */
shoal_status shoal_i_previous_open(shoal_ctx *ctx, shoal_i_previous *out,
                                   const shoal_spec *spec, const shoal_i_prepared *original);
void shoal_i_previous_clear(shoal_i_previous *previous);

/* Whether a class of an earlier release has each sensitive value of a record. */
bool shoal_i_previous_has(const shoal_i_previous *previous, size_t release, size_t class,
                          size_t record);

#endif /* SHOAL_I_PREVIOUS_H */
