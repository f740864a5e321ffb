/* hierarchy_plan.h -- how the hierarchy of a column is to be made: asked for in a spec, built
 * once the table is known.
 */
#ifndef SHOAL_I_HIERARCHY_PLAN_H
#define SHOAL_I_HIERARCHY_PLAN_H

#include <shoal/hierarchy.h>

#include "../base/arena.h"
#include "../base/buffer.h"

typedef enum shoal_i_hierarchy_plan_kind {
    SHOAL_I_PLAN_NONE,
    SHOAL_I_PLAN_FLAT,
    SHOAL_I_PLAN_FILE,
    SHOAL_I_PLAN_PREFIX,
    SHOAL_I_PLAN_DATES,
    SHOAL_I_PLAN_WIDTHS,
    SHOAL_I_PLAN_BREAKS,
    SHOAL_I_PLAN_TABLE,
    SHOAL_I_PLAN_CODES
} shoal_i_hierarchy_plan_kind;

/* Limit of the break points of one hierarchy, all levels together. */
#define SHOAL_I_PLAN_NUMBERS_MAX 65536
#define SHOAL_I_PLAN_WEIGHTS_MAX 4096

typedef struct shoal_i_hierarchy_plan {
    shoal_i_hierarchy_plan_kind kind;
    const char *path;          /* FILE */
    const shoal_table *levels; /* TABLE; held (table_hold.h) */
    size_t length;             /* PREFIX: characters to mask; 0: as the longest value */
    double origin;             /* WIDTHS */
    const double *numbers;     /* WIDTHS; or the BREAKS of all levels, one after another */
    size_t number_count;
    const size_t *starts; /* BREAKS: level_count + 1 offsets into numbers */
    size_t level_count;
    const char *separators; /* PREFIX: values are cut at these first; NULL: they are not */
    const char *codes;      /* CODES: name of the system */
    const char *other; /* CODES: label of those that are not known; NULL: they are a mistake */
    const shoal_group_weight *weights; /* labels with a weight of their own */
    size_t weight_count;
} shoal_i_hierarchy_plan;

/* "5": characters of a prefix. */
shoal_status shoal_i_hierarchy_plan_parse_prefix(shoal_ctx *ctx, shoal_i_hierarchy_plan *plan,
                                                 const char *length);

/* "./-": what values are cut at before. */
shoal_status shoal_i_hierarchy_plan_parse_separators(shoal_ctx *ctx,
                                                     shoal_i_hierarchy_plan *plan,
                                                     shoal_i_arena *arena, const char *text);

/* Read "flat", "prefix[:N][@SEPARATORS]", "dates", "widths:5,10,20[@ORIGIN]",
 * "breaks:18,40,65;40", a system of codes with the group of what is not known, "icd10[:OTHER]",
 * or else a path, which is taken as relative to folder (NULL: as it is). Memory comes from the
 * arena. */
shoal_status shoal_i_hierarchy_plan_parse(shoal_ctx *ctx, shoal_i_hierarchy_plan *out,
                                          shoal_i_arena *arena, const char *folder,
                                          const char *text);

/* path as seen from folder: unchanged when absolute or when folder is NULL. */
shoal_status shoal_i_hierarchy_plan_resolve(shoal_ctx *ctx, const char **out,
                                            shoal_i_arena *arena, const char *folder,
                                            const char *path);

/* Put another plan in the place of one: what it held is dropped, what the other holds goes
 * over. */
void shoal_i_hierarchy_plan_replace(shoal_i_hierarchy_plan *plan,
                                    const shoal_i_hierarchy_plan *other);

/* Make it, for one column of a table. A plan of kind NONE gives none: *out is NULL. */
shoal_status shoal_i_hierarchy_plan_build(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_i_hierarchy_plan *plan,
                                          const shoal_table *table, size_t column);

/* The plan in the words of shoal_i_hierarchy_plan_parse, for reports. */
void shoal_i_hierarchy_plan_describe(const shoal_i_hierarchy_plan *plan, shoal_i_buffer *out);

/* The text that shoal_i_hierarchy_plan_parse reads as this plan, but for weights: a file that
 * is named like a word is "./flat". Not of a table. */
void shoal_i_hierarchy_plan_put(shoal_i_buffer *out, const shoal_i_hierarchy_plan *plan);

#endif /* SHOAL_I_HIERARCHY_PLAN_H */
