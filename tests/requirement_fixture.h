/* requirement_fixture.h -- sensitive columns and classes from plain counts. */
#ifndef SHOAL_TESTS_REQUIREMENT_FIXTURE_H
#define SHOAL_TESTS_REQUIREMENT_FIXTURE_H

#include "failing.h"

#include "requirement/requirement.h"

#define VALUES_MAX 64
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A column known by its totals alone. */
typedef struct fixture_column {
    shoal_i_sensitive column;
    uint32_t totals[VALUES_MAX];
} fixture_column;

static inline void fixture_make_column(fixture_column *out, const uint32_t *totals,
                                       size_t count)
{
    *out = (fixture_column){
        .column = {.name = "illness", .value_count = count, .is_numeric = true}};
    for (size_t i = 0; i < count; i++) {
        out->totals[i] = totals[i];
        out->column.total += totals[i];
    }
    out->column.totals = out->totals;
}

/* A class of one sensitive column. */
typedef struct fixture_class {
    shoal_i_class_stats stats;
    shoal_i_histogram histogram;
    uint32_t counts[VALUES_MAX];
    uint32_t present[VALUES_MAX];
} fixture_class;

static inline void fixture_make_class(fixture_class *out, const uint32_t *counts, size_t count)
{
    *out = (fixture_class){.histogram = {.counts = out->counts, .present = out->present}};
    for (size_t i = count; i-- > 0;) { /* any order will do */
        out->counts[i] = counts[i];
        out->stats.size += counts[i];
        out->stats.persons += counts[i];
        out->histogram.total += counts[i];
        if (counts[i] > 0) {
            out->present[out->histogram.present_count++] = (uint32_t)i;
        }
    }
    out->stats.histograms = &out->histogram;
}

/* Whether a class of these counts meets the item, and the figure it reaches. */
static inline bool fixture_check(shoal_ctx *ctx, const shoal_i_requirement *item,
                                 const uint32_t *counts, double *figure)
{
    shoal_i_requirement_set set = {0};
    fixture_class class;

    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, item), SHOAL_OK);
    fixture_make_class(&class, counts, item->column ? item->column->value_count : 0);
    bool holds = set.items[0].kind->check(&set.items[0], &class.stats, figure);

    assert_true(shoal_i_requirement_holds(&set, &class.stats) == holds);
    shoal_i_requirement_set_clear(&set);
    return holds;
}

/* A column with 5 flu, 3 fever and 2 HIV. */
static inline void fixture_make_illness(fixture_column *illness)
{
    fixture_make_column(illness, (const uint32_t[]){5, 3, 2}, 3);
    illness->column.is_numeric = false;
}

/* Check a class of three counts against a kind with nothing but a value. */
static inline bool fixture_holds(shoal_ctx *ctx, const shoal_i_requirement_kind *kind,
                                 double value, uint32_t flu, uint32_t fever, uint32_t hiv)
{
    fixture_column illness;
    double figure = 0;

    fixture_make_illness(&illness);
    return fixture_check(ctx, &(shoal_i_requirement){kind, value, .column = &illness.column},
                         (const uint32_t[]){flu, fever, hiv}, &figure);
}

#endif /* SHOAL_TESTS_REQUIREMENT_FIXTURE_H */
