/* release_object.h -- the inside of a public release, and how a run makes one.
 *
 * Plain arrays: by row, by record of the original, by class. Nothing of the run that made it is
 * needed any more. */
#ifndef SHOAL_I_RELEASE_OBJECT_H
#define SHOAL_I_RELEASE_OBJECT_H

#include <shoal/release.h>

#include "../../release/release_table.h"
#include "../input/given.h"
#include "../input/prepare.h"

#define SHOAL_I_NO_CLASS UINT32_MAX

/* What a class shows of a quasi column; NaN: it is not told in numbers. */
typedef struct shoal_i_shown_range {
    double least;
    double greatest;
} shoal_i_shown_range;

struct shoal_release {
    shoal_shape shape;
    shoal_table *rows;
    shoal_table *sensitive; /* NULL unless the shape is buckets */

    /* Below: empty in a release that somebody gave. */
    uint32_t *record_of; /* row -> record of the original */
    size_t record_count;
    uint32_t *class_of; /* record -> class, or SHOAL_I_NO_CLASS */
    uint32_t *alike;    /* record -> how many records could be meant */
    size_t class_count;
    uint32_t *class_sizes;
    uint32_t *first_row; /* of each class */
    size_t quasi_count;
    char **quasi_names;
    ptrdiff_t *quasi_columns;    /* of rows; -1: it is shown by two columns, or not at all */
    shoal_i_shown_range *ranges; /* class after class; NULL for buckets */
};

/* From what a run made. The tables are the release's from now on, also after a failure. */
shoal_status shoal_i_release_object_build(shoal_ctx *ctx, shoal_release **out,
                                          const shoal_i_release *made,
                                          shoal_i_release_tables *tables,
                                          const shoal_i_prepared *original);

/* As a run reads it. */
shoal_i_given_release shoal_i_release_object_given(const shoal_release *release);

#endif /* SHOAL_I_RELEASE_OBJECT_H */
