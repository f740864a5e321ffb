/* generate_record.h -- what generate.c needs to know of a kind of table: its header and one
 * record.
 *
 * A record is a function of the seed and its number, written by one thread into memory that is
 * large enough; so blocks of records can be made in any order.
 */
#ifndef SHOAL_I_GENERATE_RECORD_H
#define SHOAL_I_GENERATE_RECORD_H

#include <shoal/generate.h>

#include "../../base/random.h"

/* Bytes that writing a record may touch; labels are copied in steps of fixed size. */
#define SHOAL_I_CENSUS_RECORD_MAX 256

/* Its distributions, ready to draw from. Immutable once built. */
typedef struct shoal_i_census shoal_i_census;

shoal_status shoal_i_census_new(shoal_ctx *ctx, shoal_i_census **out);
void shoal_i_census_free(shoal_i_census *census);

/* The header line. */
extern const char shoal_i_census_header[];

/* Write the record that a stream gives to out; returns the end of what was written. */
char *shoal_i_census_write(const shoal_i_census *census, shoal_i_random *random, char *out);

/* Whole number in decimal; returns the end. */
char *shoal_i_generate_put_number(char *out, uint32_t number);

#endif /* SHOAL_I_GENERATE_RECORD_H */
