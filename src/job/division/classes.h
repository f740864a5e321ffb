/* classes.h -- what is published, class by class, with the counts that requirements need;
 * behind include/shoal/division.h.
 *
 * The verifier's side of a division: it reads texts as anybody would, and shares nothing with
 * what found the classes. A class is known by the texts of its quasi columns, each with its
 * length before it, so that classes of several parts are one when they look alike:
 *
 *     key         "7:[20..29]1:F"         class 1, of 12 records
 *     texts       1 "flu"  2 "gout"       of each sensitive column, with totals
 *     pairs       class 1, text 2: 5      how often a class has a text
 */
#ifndef SHOAL_I_CLASSES_H
#define SHOAL_I_CLASSES_H

#include "values.h"

/* The sensitive values of classes, in one column. */
typedef struct shoal_i_class_values {
    shoal_i_value_column texts;
    shoal_i_dictionary pairs; /* numbers: class, then text */
    uint64_t *counts;         /* of each pair, by its index from 1 on */
    size_t capacity;
} shoal_i_class_values;

struct shoal_classes {
    char spec_digest[SHOAL_I_SHA256_HEX];
    uint64_t record_count;
    size_t name_count; /* columns that tell classes apart */
    char **names;
    shoal_i_dictionary keys;
    uint64_t *sizes;     /* of each class, by its index from 1 on */
    uint64_t *largest_k; /* 0: none asks */
    size_t capacity;
    size_t value_count; /* sensitive columns; 0 when no requirement reads them */
    shoal_i_class_values *values;
};

/* Count a published table. ks: the k that each row asks for, or NULL. */
shoal_status shoal_i_classes_count(shoal_ctx *ctx, struct shoal_classes **out,
                                   const shoal_spec *spec, const shoal_table *published,
                                   const uint32_t *ks);

/* `records` more of a class, of which the largest own k is given; *index is that of the
 * class. */
shoal_status shoal_i_classes_put(shoal_ctx *ctx, struct shoal_classes *classes, uint32_t *index,
                                 const char *key, size_t length, uint64_t records,
                                 uint64_t largest_k);

/* `times` more records of a class have a text, by indices. */
shoal_status shoal_i_class_values_put(shoal_ctx *ctx, shoal_i_class_values *values,
                                      uint32_t class, uint32_t text, uint64_t times);

#endif /* SHOAL_I_CLASSES_H */
