/* exchange_classes.h -- classes whose members change, for exchange.c.
 *
 * Members are numbered stratum after stratum, so that all of a stratum lie side by side.
 */
#ifndef SHOAL_I_EXCHANGE_CLASSES_H
#define SHOAL_I_EXCHANGE_CLASSES_H

#include "split.h"
#include "strata.h"

#define SHOAL_I_NOBODY UINT32_MAX

typedef struct shoal_i_class {
    uint32_t head; /* first member; SHOAL_I_NOBODY: the class is empty */
    uint32_t size;
    int32_t penalty;
} shoal_i_class;

typedef struct shoal_i_classes {
    const shoal_i_lanes *lanes;
    size_t count;      /* members */
    uint32_t *records; /* of each member */
    int32_t *rows;
    uint32_t *stratum_of;
    size_t stratum_count;
    uint32_t *firsts; /* per stratum and one more: its first member */
    size_t class_count;
    shoal_i_class *classes; /* room for one per member */
    int32_t *boxes;         /* two rows per class */
    uint32_t *next;         /* member -> next of its class */
    uint32_t *class_of;
    int32_t *climb; /* scratch for changes; not for readers */
} shoal_i_classes;

shoal_status shoal_i_classes_build(shoal_ctx *ctx, shoal_i_classes **out,
                                   const shoal_i_grouping *grouping, shoal_i_span span,
                                   const shoal_i_strata *strata);
void shoal_i_classes_free(shoal_i_classes *classes);

static inline const int32_t *shoal_i_classes_row(const shoal_i_classes *c, uint32_t member)
{
    return c->rows + (size_t)member * c->lanes->count;
}

static inline int32_t *shoal_i_classes_box(const shoal_i_classes *c, size_t class)
{
    return c->boxes + class * 2 * c->lanes->count;
}

/* Penalty of a box, given one member of it. climb: scratch of one row. */
int32_t shoal_i_classes_box_penalty(const shoal_i_classes *c, const int32_t *box,
                                    const int32_t *member, int32_t *climb);

/* Let a member change to a class; boxes and penalties stay as they are. */
void shoal_i_classes_move(shoal_i_classes *c, uint32_t member, uint32_t class);

/* Work out the box and the penalty of a class. */
void shoal_i_classes_survey(shoal_i_classes *c, uint32_t class);

/* Write the classes back as runs of places from `first` on. */
void shoal_i_classes_lay_out(const shoal_i_classes *c, shoal_i_grouping *grouping,
                             size_t first);

#endif /* SHOAL_I_EXCHANGE_CLASSES_H */
