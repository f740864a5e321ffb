/* hierarchy_lines.h -- a hierarchy file cut into lines of labels, an outline, or a table that
 * says it.
 *
 *     private;"Non-Government";*          ';' or ',', whichever the first line has (';' if
 * both) federal;Government;*                quotes as in CSV; LF or CRLF; a byte order mark is
 * skipped unknown;;*                          empty labels above the value mean "no level here"
 *
 * The bytes are cut in place: labels point into them, end in NUL and live as long.
 *
 * An outline (hierarchy_outline.h) has a label on each line; one that nothing stands below is a
 * value, and its line is read as that value and all that it stands below.
 *
 * Of a table each record is a line: its first column has the value, the further ones the
 * labels. A cell without a value above the value is no level; a record without a value speaks
 * of the missing ones. Its labels are texts of the table.
 */
#ifndef SHOAL_I_HIERARCHY_LINES_H
#define SHOAL_I_HIERARCHY_LINES_H

#include <shoal/hierarchy.h>

#include "../base/fail.h"
#include "hierarchy_outline.h"

typedef struct shoal_i_hierarchy_lines {
    const char *source;
    const char *unit;          /* "line" or "record", for messages */
    const shoal_table *levels; /* NULL: bytes */
    size_t row;                /* of levels, to be read next */

    /* Bytes. */
    char *at;
    char *end;
    char *line_start;
    int64_t line; /* of `at` */
    char delimiter;
    bool is_outline;
    shoal_i_outline outline;

    /* The line read last: its value, then its labels from fine to coarse. */
    shoal_i_line_label labels[SHOAL_LEVELS_MAX];
    size_t count;
} shoal_i_hierarchy_lines;

/* Start on size bytes with room for a NUL behind them. SHOAL_EFORMAT: a NUL byte, invalid
 * UTF-8. */
shoal_status shoal_i_hierarchy_lines_start(shoal_ctx *ctx, shoal_i_hierarchy_lines *lines,
                                           char *bytes, size_t size, const char *source);

/* Start on a table. SHOAL_EINVAL: its first column was skipped when it was read. */
shoal_status shoal_i_hierarchy_lines_start_table(shoal_ctx *ctx, shoal_i_hierarchy_lines *lines,
                                                 const shoal_table *levels);

/* Record a failure at a label: line and column of the source, or record and field of the table.
 */
shoal_status shoal_i_hierarchy_lines_fail(shoal_ctx *ctx, const shoal_i_hierarchy_lines *lines,
                                          shoal_status status, const shoal_i_line_label *where,
                                          const char *format, ...) SHOAL_I_PRINTF(5, 6);

/* Read the next line that is not blank; *found is false at the end. SHOAL_EFORMAT: stray or
 * unclosed quotes, a value without a coarser label; SHOAL_ELIMIT: more than SHOAL_LEVELS_MAX
 * labels. */
shoal_status shoal_i_hierarchy_lines_next(shoal_ctx *ctx, bool *found,
                                          shoal_i_hierarchy_lines *lines);

#endif /* SHOAL_I_HIERARCHY_LINES_H */
