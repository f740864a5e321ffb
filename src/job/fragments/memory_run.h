/* memory_run.h -- `anonymize` within a limit of memory.
 *
 * What the limit is spent on:
 *
 *     a base            the program, its threads, blocks of text on their way
 *     a quarter         the different values of all columns, which stay in memory; the names of
 *                       persons are among them
 *     the rest          one fragment at a time: records times what the method needs of each
 *
 * Supported: requirements about the records themselves, methods that make classes by local
 * recoding, suppression, numbers as range or minmax, canonical order. Whatever else is asked
 * for is refused before anything is read:
 *
 *     a population            its records would have to fit as well
 *     incognito               one level for all records cannot be found fragment by fragment
 *     exact                   no cut keeps the optimum
 *     nonhomogeneous          is verified by matching all records with all rows
 *     anatomy, bucketize      write two files that are linked; anatomy deals out all values at
 *                             once
 *     means and medians       are not checked for cover, nor parsed back as classes
 *     keep-order              would need the whole order in memory
 *     full reports, figures   measure the release in a run of its own
 */
#ifndef SHOAL_I_MEMORY_RUN_H
#define SHOAL_I_MEMORY_RUN_H

#include "../../base/file.h"
#include "../../measure/measure.h"
#include "../input/prepare.h"
#include "../input/run.h"

/* The least limit that can be set; what a run with this spec needs at least may be more. */
#define SHOAL_I_MEMORY_LEAST ((uint64_t)64 << 20)

/* SHOAL_EUNSUPPORTED for what cannot be done within a limit; SHOAL_ELIMIT, saying how much
 * would do, for a limit that is too small for the threads and columns of the run. SHOAL_OK
 * without one. */
shoal_status shoal_i_memory_check(shoal_ctx *ctx, const shoal_spec *spec);

/* What comes of it besides the file; starts as {0}. Every record was found inside what is
 * published for it. */
typedef struct shoal_i_memory_made {
    shoal_i_prepared prepared; /* the original, without the codes of its records */
    shoal_i_loss loss;
    shoal_i_verdict verdict;
} shoal_i_memory_made;

/* All of a run from reading a file to verifying what was written into an open output. */
shoal_status shoal_i_memory_make(shoal_ctx *ctx, shoal_i_memory_made *out, shoal_i_run *run,
                                 const char *input, shoal_i_output *output);
void shoal_i_memory_made_clear(shoal_i_memory_made *made);

#endif /* SHOAL_I_MEMORY_RUN_H */
