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
 *
 * Where persons are counted, who may have several records, numbers would not add up: a person
 * may have records in several fragments that come to look alike. So there are no pairs then,
 * but a row for each record:
 *
 *     rows        class 1, 83b1...: 2     whose it is, by a digest of the name, and its texts
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

/* Records, where persons are counted. */
typedef struct shoal_i_class_rows {
    size_t count;
    size_t capacity;
    uint32_t *classes;
    uint64_t *persons; /* 0: one of its own */
    uint32_t *texts;   /* of each row as many as there are sensitive columns, by index */
} shoal_i_class_rows;

struct shoal_classes {
    char spec_digest[SHOAL_I_SHA256_HEX];
    uint64_t record_count;
    size_t name_count; /* columns that tell classes apart */
    char **names;
    shoal_i_dictionary keys;
    uint64_t *sizes;     /* of each class, by its index from 1 on */
    uint64_t *largest_k; /* 0: none asks */
    uint64_t *parts;     /* that have it */
    size_t capacity;
    bool counts_persons;
    shoal_i_class_rows rows;
    size_t value_count; /* sensitive columns; 0 when no requirement reads them */
    shoal_i_class_values *values;
};

/* Count a published table. ks: the k that each row asks for, or NULL; persons: the digests of
 * those whose rows they are, where persons are counted. */
shoal_status shoal_i_classes_count(shoal_ctx *ctx, struct shoal_classes **out,
                                   const shoal_spec *spec, const shoal_table *published,
                                   const uint32_t *ks, const uint64_t *persons);

#endif /* SHOAL_I_CLASSES_H */
