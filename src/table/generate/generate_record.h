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

/* Payments. A record, a column's name and, in words of a spec, its hierarchy of intervals. */
#define SHOAL_I_PAYMENTS_FIELD_MAX 9 /* eight digits and a comma */
char *shoal_i_payments_write(unsigned columns, shoal_i_random *random, char *out);
char *shoal_i_payments_name(unsigned column, char *out);
const char *shoal_i_payments_hierarchy(unsigned column);

/* The name of a column of any kind but census, and its bytes with the comma behind it. */
#define SHOAL_I_GENERATE_NAME_MAX 9
char *shoal_i_generate_put_name(const shoal_generate_options *options, unsigned column,
                                char *out);

/* What was asked for, checked, with what it leaves open filled in. */
shoal_status shoal_i_generate_take_options(shoal_ctx *ctx, shoal_generate_options *options,
                                           const shoal_generate_options *asked);

/* Whole number in decimal; returns the end. */
char *shoal_i_generate_put_number(char *out, uint32_t number);

#endif /* SHOAL_I_GENERATE_RECORD_H */
