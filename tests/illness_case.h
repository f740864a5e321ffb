/* illness_case.h -- random tables of ill people, and a requirement of each kind about them. */
#ifndef SHOAL_TESTS_ILLNESS_CASE_H
#define SHOAL_TESTS_ILLNESS_CASE_H

#include "fragments_case.h"

/* What can be asked for beside k. */
static const char *const requirements[][2] = {
    {"privacy.l", "distinct:3"},    {"privacy.l", "frequency:2"},
    {"privacy.l", "entropy:2.5"},   {"privacy.l", "recursive:3:3"},
    {"privacy.alpha", "0.6"},       {"privacy.alpha", "0.4:d1"},
    {"privacy.t", "equal:0.35"},    {"privacy.t", "js:0.15"},
    {"privacy.t", "ordered:0.3"},   {"privacy.t", "hierarchical:0.35"},
    {"privacy.delta", "1.6"},       {"privacy.beta", "basic:2"},
    {"privacy.beta", "enhanced:3"}, {"privacy.k.column", "own"},
};
#define DEMANDS (sizeof requirements / sizeof *requirements)

/* Ages and places, and an illness that goes with both; a k of each record's own. */
static inline void write_ill(fixture *f, shoal_i_random *random, size_t rows)
{
    FILE *file = fopen(f->input, "wb");
    unsigned ages = 4 + (unsigned)shoal_i_random_below(random, 60);
    unsigned towns = 2 + (unsigned)shoal_i_random_below(random, 7);

    assert_non_null(file);
    fprintf(file, "age,town,zip,ill,own\n");
    for (size_t i = 0; i < rows; i++) {
        unsigned age = (unsigned)shoal_i_random_below(random, ages);
        unsigned town = (unsigned)shoal_i_random_below(random, towns);
        unsigned ill = (unsigned)shoal_i_random_below(random, 6);
        bool is_usual = shoal_i_random_below(random, 3) == 0;

        ill = is_usual ? (age * 4 / ages + town) % 6 : ill;
        fprintf(
            file, "%u,t%u,%02u,%c%u,%u\n", age, town,
            (unsigned)shoal_i_random_below(random, 60), 'd', ill,
            1 + (unsigned)shoal_i_random_below(random, shoal_i_random_below(random, 9) + 1));
    }
    fclose(file);
}

static inline void ask_ill(fixture *f, const char *const demand[2], const char *k)
{
    bool is_ordered = strncmp(demand[1], "ordered", 7) == 0;

    shoal_spec_free(f->spec);
    assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "town", SHOAL_ROLE_QUASI);
    set_role(f, "zip", SHOAL_ROLE_QUASI);
    set_role(f, is_ordered ? "own" : "ill", SHOAL_ROLE_SENSITIVE);
    if (is_ordered) {
        assert_int_equal(shoal_spec_set_type(&f->ctx, f->spec, "own", "integer"), SHOAL_OK);
    }
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", "prefix:2"), SHOAL_OK);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "ill", "prefix:1"), SHOAL_OK);
    if (is_ordered) {
        set_role(f, "ill", SHOAL_ROLE_IDENTIFIER);
    }
    set(f, "privacy.k", k);
    set(f, demand[0], demand[1]);
    set(f, "temporary", f->folder);
}

#endif /* SHOAL_TESTS_ILLNESS_CASE_H */
