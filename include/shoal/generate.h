/* generate.h -- synthetic tables of any size, written as CSV as they are made, or in memory.
 *
 * Record i depends on the seed and on i alone, so a longer table starts with the shorter one
 * and the number of threads does not matter. Writing takes the same memory for any number of
 * records.
 *
 *   uniform    XU's synthetic data: columns A1..Ad, integers 1..16, each equally likely
 *   gaussian   XU's: integers 1..16, normal around 8.5 with standard deviation sigma, rounded,
 *              redrawn when outside
 *   census     age, sex, education, marital, race, workclass, country, occupation, zip, income
 *              in realistic, dependent distributions; no missing values; about 74 bytes a
 *              record
 *   payments   wide: limit and age of a bank's customers, then bill1, paid1, late1, bill2, …,
 * as many columns as asked for; amounts that follow each other, with tails over several orders
 * of magnitude and thousands of distinct values; about 6 bytes a field
 *
 * (XU: J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. Fu, "Utility-based anonymization using local
 * recoding", KDD 2006, doi:10.1145/1150402.1150504.)
 */
#ifndef SHOAL_GENERATE_H
#define SHOAL_GENERATE_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum shoal_generate_kind {
    SHOAL_GENERATE_UNIFORM,
    SHOAL_GENERATE_GAUSSIAN,
    SHOAL_GENERATE_CENSUS,
    SHOAL_GENERATE_PAYMENTS
} shoal_generate_kind;

typedef struct shoal_generate_options {
    size_t struct_size; /* see ctx.h */
    shoal_generate_kind kind;
    uint64_t records; /* 1 to 10^12 */
    uint64_t seed;
    unsigned dimensions; /* columns, not of census; 0 means 4, of payments 24; at most 1024 */
    double sigma;        /* gaussian; 0 means 1.0; at most 100 */
} shoal_generate_options;

#define SHOAL_GENERATE_OPTIONS_INIT                                                            \
    {                                                                                          \
        sizeof(shoal_generate_options), SHOAL_GENERATE_UNIFORM, 0, 1, 0, 0.0                   \
    }

/* Whether name is a kind ("uniform", "gaussian", "census", "payments"); if so *out is it. */
SHOAL_API bool shoal_generate_kind_find(shoal_generate_kind *out, const char *name);

/* Write the table to path, "-" for standard output; whole or not at all. Uses all threads of
 * ctx; the stage of its progress is "generate". SHOAL_EINVAL for options out of range (of all
 * kinds, whether the kind uses them or not), SHOAL_EIO, SHOAL_ENOMEM, SHOAL_ECANCELLED. */
SHOAL_API shoal_status shoal_generate(shoal_ctx *ctx, const char *path,
                                      const shoal_generate_options *options);

/* The same table in memory: what shoal_csv_read makes of the file. The text is held while the
 * table is made of it. SHOAL_ELIMIT: more than 16 GiB of it. */
SHOAL_API shoal_status shoal_generate_table(shoal_ctx *ctx, shoal_table **out,
                                            const shoal_generate_options *options);

/* Write a spec that goes with the table to path, "-" for standard output: every column is part
 * of the quasi-identifier, those of payments with hierarchies of intervals; income of census is
 * sensitive; k is 5. The statuses of shoal_generate. */
SHOAL_API shoal_status shoal_generate_spec(shoal_ctx *ctx, const char *path,
                                           const shoal_generate_options *options);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_GENERATE_H */
