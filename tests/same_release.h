/* same_release.h -- two releases that must be equal: class by class and record by record. */
#ifndef SHOAL_TESTS_SAME_RELEASE_H
#define SHOAL_TESTS_SAME_RELEASE_H

#include "release/release.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static inline void assert_same_release(const shoal_i_release *a, const shoal_i_release *b)
{
    assert_int_equal(a->row_count, b->row_count);
    assert_int_equal(a->box_count, b->box_count);
    assert_memory_equal(a->box_of, b->box_of, a->row_count * sizeof *a->box_of);
    assert_memory_equal(a->box_sizes, b->box_sizes, a->box_count * sizeof *a->box_sizes);
    assert_memory_equal(a->boxes, b->boxes, a->box_count * a->quasi->count * sizeof *a->boxes);
}

#endif /* SHOAL_TESTS_SAME_RELEASE_H */
