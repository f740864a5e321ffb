/* anneal_classes.h -- classes whose members come and go one by one, each judged in constant
 * time, for anneal.c.
 *
 * What a class would lose without one member follows from the two smallest and the two largest
 * different values of each lane and how many members have each of them:
 *
 *     lane of a class   3 3 5 7 9        lowest 3 (twice), then 5;   highest 9, then 7
 *     without the 9     3 .. 7           without one 3   3 .. 9
 *
 * So neither asking nor changing looks at the members, unless the last member with one of these
 * values goes; then the class is surveyed anew.
 *
 * Members are numbered point after point (box/distinct.h), so that those who agree in the
 * quasi-identifier lie side by side.
 */
#ifndef SHOAL_I_ANNEAL_CLASSES_H
#define SHOAL_I_ANNEAL_CLASSES_H

#include "../grouping/split.h"
#include "../grouping/strata.h"

/* No member. */
#define SHOAL_I_ANNEAL_NONE UINT32_MAX

typedef struct shoal_i_anneal_class {
    uint32_t size;
    int32_t penalty;
} shoal_i_anneal_class;

/* What trials ask of a member, side by side. */
typedef struct shoal_i_anneal_member {
    uint32_t point;
    uint32_t stratum;
    uint32_t class;
    uint32_t task; /* anneal.c's */
} shoal_i_anneal_member;

/* A member goes to another class, and `back`, unless it is SHOAL_I_ANNEAL_NONE, comes from
 * there. */
typedef struct shoal_i_anneal_step {
    uint32_t member;
    uint32_t class;
    uint32_t back;
    int32_t here; /* what a record of the member's class loses then */
    int32_t there;
} shoal_i_anneal_step;

typedef struct shoal_i_anneal_classes {
    const shoal_i_lanes *lanes;
    const shoal_i_problem *problem;
    size_t count;           /* members */
    const int32_t *rows;    /* of each point */
    const uint32_t *points; /* per point and one more: its first member */
    uint32_t *records;      /* of each member */
    shoal_i_anneal_member *members;
    bool is_exact; /* members of a stratum are interchangeable, and counts tell all */
    size_t stratum_count;
    int32_t *climbs; /* of each point, as of a probe */
    size_t class_count;
    shoal_i_anneal_class *classes;
    uint32_t *next; /* of a member in the ring of those of its class and stratum */
    uint32_t *previous;
    uint32_t *heads;     /* per class and stratum: some member, if there is any */
    uint32_t *counts;    /* the same: how many there are */
    uint32_t *like;      /* per stratum: a record of it */
    int32_t *extremes;   /* per class: rows of lowest, second lowest, highest, second highest */
    uint32_t *multitude; /* the same: how many members have it */
} shoal_i_anneal_classes;

/* The groups of a span; grouping->rows are in step with its records. The distinct points of the
 * same rows, in places of the span, are borrowed. */
shoal_status shoal_i_anneal_classes_build(shoal_ctx *ctx, shoal_i_anneal_classes **out,
                                          const shoal_i_grouping *grouping, shoal_i_span span,
                                          const shoal_i_problem *problem,
                                          const shoal_i_strata *strata,
                                          const shoal_i_distinct *distinct);
void shoal_i_anneal_classes_free(shoal_i_anneal_classes *classes);

static inline const int32_t *shoal_i_anneal_row(const shoal_i_anneal_classes *c,
                                                uint32_t member)
{
    return c->rows + (size_t)c->members[member].point * c->lanes->count;
}

/* The row of the lowest values of a class. */
static inline const int32_t *shoal_i_anneal_lowest(const shoal_i_anneal_classes *c,
                                                   uint32_t class)
{
    return c->extremes + (size_t) class * 4 * c->lanes->count;
}

/* Call for what is known of a class, ahead of asking. */
static inline void shoal_i_anneal_prefetch(const shoal_i_anneal_classes *c, uint32_t class)
{
    size_t row = 4 * c->lanes->count * sizeof *c->extremes;
    const char *extremes = (const char *)c->extremes + class * row;
    const char *multitude = (const char *)c->multitude + class * row;

    for (size_t at = 0; at < row && at < 512; at += 64) {
        __builtin_prefetch(extremes + at);
        __builtin_prefetch(multitude + at);
    }
    __builtin_prefetch(&c->heads[class * c->stratum_count]);
    __builtin_prefetch(&c->counts[class * c->stratum_count]);
}

/* A member of a class in a stratum, another one each time; SHOAL_I_ANNEAL_NONE: there is none.
 */
static inline uint32_t shoal_i_anneal_pick(const shoal_i_anneal_classes *c, uint32_t class,
                                           uint32_t stratum)
{
    size_t ring = (size_t) class * c->stratum_count + stratum;
    uint32_t member = c->heads[ring];

    if (c->counts[ring] == 0) {
        return SHOAL_I_ANNEAL_NONE;
    }
    c->heads[ring] = c->next[member];
    return member;
}

/* What the class would lose per record without one member and with another, who may be
 * SHOAL_I_ANNEAL_NONE; somebody is left. */
int32_t shoal_i_anneal_penalty(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                               uint32_t joins);

/* By how much a step raises the total; its `here` and `there` are set. Somebody is left
 * behind. */
int64_t shoal_i_anneal_judge(const shoal_i_anneal_classes *c, shoal_i_anneal_step *step);

/* Whether the class would meet the requirements. tally: scratch. */
bool shoal_i_anneal_holds(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                          uint32_t joins, shoal_i_tally *tally);

/* Make a step that was judged. Returns how many members were looked at. */
size_t shoal_i_anneal_make(shoal_i_anneal_classes *c, const shoal_i_anneal_step *step);

/* Sum over all records of what they lose. */
int64_t shoal_i_anneal_cost(const shoal_i_anneal_classes *c);

/* Write the classes back as groups of a span. */
void shoal_i_anneal_lay_out(const shoal_i_anneal_classes *c, shoal_i_grouping *grouping,
                            size_t first);

#endif /* SHOAL_I_ANNEAL_CLASSES_H */
