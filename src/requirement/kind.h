/* kind.h -- what the files of the kinds share. */
#ifndef SHOAL_I_KIND_H
#define SHOAL_I_KIND_H

#include "figure.h"
#include "requirement.h"

#include <inttypes.h>

/* How missing sensitive values count unless a kind has reason to do otherwise. */
#define SHOAL_I_MISSING_AS_VALUE                                                               \
    "A missing sensitive value counts as a value of its own, equal to other missing ones."

static inline const shoal_i_histogram *
shoal_i_histogram_of(const shoal_i_requirement *requirement, const shoal_i_class_stats *stats)
{
    return &stats->histograms[requirement->column_index];
}

/* Parameters: a share in (0, 1]; a finite number of at least 0; one of at least 1; a whole
 * number of at least 1. NaN is none of them. */
bool shoal_i_is_share(double value);
bool shoal_i_is_nonnegative(double value);
bool shoal_i_is_from_one(double value);
bool shoal_i_is_whole_from_one(double value);

/* smallest_class of kinds that prepare works it out for, and of kinds that allow any size. */
uint64_t shoal_i_smallest_prepared(const shoal_i_requirement *requirement);
uint64_t shoal_i_smallest_one(const shoal_i_requirement *requirement);

/* The smallest class in which some value can have a share of at most `limit`: 1 / limit. */
uint64_t shoal_i_smallest_for_share(double limit);

/* requirement->smallest for kinds that look at how much of the table's distribution a class
 * covers: n records have at most n different values, so the share of the table that these
 * values have is at most that of the n most frequent ones. is_enough says whether a class whose
 * values have that share of the table may hold; it must not become false as the share grows. */
shoal_status shoal_i_prepare_cover(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                   bool (*is_enough)(const shoal_i_requirement *requirement,
                                                     double share));

/* A number as short text, the same in every locale. */
typedef struct shoal_i_words {
    char text[256];
} shoal_i_words;
shoal_i_words shoal_i_words_number(double number);

/* What the strictest parameter does: "can hold"; of persons only "holds for the whole table",
 * since parts of it may hold where it does not. */
const char *shoal_i_words_can(const shoal_i_requirement *requirement);

/* A value in words: its rank by frequency, or its text if ctx->show_values. */
shoal_i_words shoal_i_words_value(const shoal_ctx *ctx, const shoal_i_sensitive *column,
                                  uint32_t code);

/* explain_impossible of kinds by which the most frequent value of the table is too frequent:
 * bound is the strictest value of the parameter that the table meets, as text. */
void shoal_i_explain_frequent(shoal_ctx *ctx, const shoal_i_requirement *requirement,
                              const shoal_i_class_stats *whole, const char *bound);

#endif /* SHOAL_I_KIND_H */
