/* hierarchy_outline.h -- a hierarchy as an indented outline, which people write by hand.
 *
 *     # marital status                 a comment
 *     *
 *       Together
 *         Married
 *         Partnered
 *       Single                         a value: nothing stands below it
 *
 * A label is below the nearest line above it that is indented less. Indentation is spaces or
 * tabs, as many as one likes, the same for all labels below one. A label that starts with a
 * quote or '#', or has spaces around it, stands in quotes as in CSV. Blank lines are skipped.
 *
 * The first line has no delimiter and the next one is indented: so no file of paths is taken
 * for an outline.
 */
#ifndef SHOAL_I_HIERARCHY_OUTLINE_H
#define SHOAL_I_HIERARCHY_OUTLINE_H

#include <shoal/hierarchy.h>

#include "../base/buffer.h"

/* A label of a hierarchy file. */
typedef struct shoal_i_line_label {
    const char *text;
    size_t length;
    bool is_missing; /* a record without a value */
    int64_t line;    /* where it starts; 1-based; of a table its record */
    int64_t column;
} shoal_i_line_label;

/* A label of an outline, and the spaces before it. */
typedef struct shoal_i_outline_label {
    shoal_i_line_label label;
    const char *indent;
    size_t width;
} shoal_i_outline_label;

typedef struct shoal_i_outline {
    /* The labels that the next line may stand below, from the root down. */
    shoal_i_outline_label open[SHOAL_LEVELS_MAX];
    size_t depth;
    shoal_i_outline_label next; /* read, and not yet told whether it is a value */
    bool has_next;
    bool has_started;
} shoal_i_outline;

/* What is wrong with a line, in a sentence; where says which label, or stands at its start. */
typedef struct shoal_i_outline_mistake {
    const char *message; /* NULL: nothing */
    shoal_status status;
    shoal_i_line_label where;
} shoal_i_outline_mistake;

/* Whether bytes are an outline and not paths. */
bool shoal_i_outline_detect(const char *bytes, size_t size);

/* Where an outline is read: its bytes are cut in place. */
typedef struct shoal_i_outline_text {
    char *at;
    char *end;
    int64_t line; /* of `at`; 1-based */
} shoal_i_outline_text;

/* Read up to the next value: labels[0] is it, the further ones are what it is below, the root
 * last. *count is 0 behind the last one, and when there is a mistake. */
shoal_i_outline_mistake shoal_i_outline_next(shoal_i_line_label labels[SHOAL_LEVELS_MAX],
                                             size_t *count, shoal_i_outline *outline,
                                             shoal_i_outline_text *text);

/* Put a label, in quotes where it needs them; a root also where it would pass for a path. */
void shoal_i_outline_put(shoal_i_buffer *out, int depth, const char *label);

#endif /* SHOAL_I_HIERARCHY_OUTLINE_H */
