/* necessary.h -- what classes cannot do without, for bounds on what any release loses.
 *
 * Whether a class holds is asked of its own records. Here it is asked of some records whether
 * any class could lie among them: l different values must be there at all, k persons, so much
 * of each value that a share near that of the table can be reached. The answer may be yes where
 * none can, never no where one can; and what is true of some records is true of more.
 *
 * With p(s) the share of s in a class of n records (persons with a value, where persons count),
 * c(s) what the records at hand have of it, and n at least m, p(s) is at most c(s) / m:
 *
 *   alpha, l frequency   at most alpha n records of each value are of use, and n are needed
 *   l entropy            no part of the records is more even than the most even one of m
 *   t                    values that fall short of q(s) at c(s) / m must be made up for
 *   beta                 the shares, each below c(s) / m and its limit, sum up to 1
 *   delta                each value is there, with m times its smallest share
 */
#ifndef SHOAL_I_NECESSARY_H
#define SHOAL_I_NECESSARY_H

#include "requirement.h"

/* A number of records, or of persons where they are counted, that the histograms of no class
 * sum up to less than. */
uint64_t shoal_i_necessary_total(const shoal_i_requirement_set *set);

/* Whether a class that meets the set may lie within records of these statistics. total: as
 * above. */
bool shoal_i_necessary_within(const shoal_i_requirement_set *set,
                              const shoal_i_class_stats *stats, uint64_t total);

/* A number of people that no class of so many records, or persons where they are counted, or
 * more has fewer than of the population; at least 1. */
uint64_t shoal_i_necessary_people(const shoal_i_requirement_set *set, uint64_t persons);

/* A number of records that no class with a record of this value in the requirement's column
 * has less than; at least 1. */
uint64_t shoal_i_necessary_size(const shoal_i_requirement *requirement, uint32_t code);

#endif /* SHOAL_I_NECESSARY_H */
