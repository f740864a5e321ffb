/* incognito_search.h -- the search for the best node of the lattice of generalizations.
 *
 * A node takes some of the columns, each at a level (incognito_levels.h); it has a number, the
 * digits of its columns in mixed radix, the first column highest. How the search goes: see
 * incognito.c.
 */
#ifndef SHOAL_I_INCOGNITO_SEARCH_H
#define SHOAL_I_INCOGNITO_SEARCH_H

#include "incognito_counts.h"

#include "../../base/fail.h"

/* What is known of a node. */
enum {
    SHOAL_I_NODE_PASSES = 1,   /* the condition that steers the search */
    SHOAL_I_NODE_ACCEPTED = 2, /* a release can be made of it; all columns are taken */
    SHOAL_I_NODE_ABOVE = 4     /* it lies above one that is accepted */
};

/* A node to be judged, and what came of it. */
typedef struct shoal_i_candidate {
    size_t number;
    bool is_marked; /* it passes, because one below it does */
    bool passes;
    bool is_accepted;
    uint64_t cost;
    shoal_i_counts counts; /* class_count 0: not kept */
} shoal_i_candidate;

typedef struct shoal_i_generation {
    size_t count;
    size_t capacity;
    shoal_i_candidate *candidates; /* ascending by number */
} shoal_i_generation;

typedef struct shoal_i_search {
    const shoal_i_problem *problem;
    shoal_i_levels levels;
    bool is_strict;   /* the condition is that all classes hold */
    uint64_t allowed; /* records that may be suppressed */
    size_t *strides;  /* number of a node = sum of digit * stride */
    size_t node_count;
    uint8_t *facts; /* of each node */
    shoal_i_counts base;
    uint8_t *base_node;
    shoal_i_counts *cube;    /* by set of columns, as bits: projections of base; or NULL */
    shoal_i_roller *rollers; /* one per thread */
    size_t roller_count;
    size_t kept_bytes; /* atomic */
    size_t kept_most;
    shoal_i_generation before; /* one level lower */
    shoal_i_generation now;
    size_t size; /* columns taken by the nodes of now, and sum of their levels */
    size_t height;
    size_t judged;
    double steps;      /* nodes met, and classes added up for those that are judged */
    double steps_most; /* 0: as many as it takes */
    bool has_best;
    size_t best;
    uint64_t best_cost;
    shoal_i_meter meter;
} shoal_i_search;

/* Prepare a search for a release of at most `allowed` suppressed records. SHOAL_ELIMIT for a
 * lattice that is too large. Clear it whatever comes of it. */
shoal_status shoal_i_search_init(shoal_ctx *ctx, shoal_i_search *s,
                                 const shoal_i_problem *problem, shoal_i_objective objective,
                                 uint64_t allowed);
void shoal_i_search_clear(shoal_i_search *s);

/* Search: sets `facts` and `best`. The node of all roots is accepted if the whole table as one
 * class holds. Ends early, and then says nothing about the best, when it has taken more than
 * `steps_most` steps; how many it takes does not depend on threads. */
shoal_status shoal_i_search_run(shoal_ctx *ctx, shoal_i_search *s);

/* Whether the search took more steps than it may. */
bool shoal_i_search_gave_up(const shoal_i_search *s);

/* The digits of a node: of one column, and of all. */
uint8_t shoal_i_search_digit(const shoal_i_search *s, size_t number, size_t c);
void shoal_i_search_read(const shoal_i_search *s, size_t number, uint8_t *node);

#endif /* SHOAL_I_INCOGNITO_SEARCH_H */
