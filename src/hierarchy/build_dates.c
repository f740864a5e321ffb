/* build_dates.c -- day, month, quarter, year, decade: the calendar as a hierarchy.
 *
 * Codes of a date column ascend with the day, so each group of the calendar is a run of codes:
 * a new node starts where the group differs from the day before's.
 */
#include "sketch.h"

#include "../base/entry.h"
#include "../base/text.h"

#include <stdio.h>

enum { DECADE, YEAR, QUARTER, MONTH, LEVELS };

/* The groups of a day as numbers that differ when the groups do. */
static void find_groups(int groups[LEVELS], int32_t days)
{
    int year = 0;
    int month = 0;
    int day = 0;

    shoal_i_date_parts(days, &year, &month, &day);
    groups[DECADE] = year / 10; /* years start at 1 */
    groups[YEAR] = year;
    groups[QUARTER] = year * 4 + (month - 1) / 3;
    groups[MONTH] = year * 12 + (month - 1);
}

static size_t write_label(char out[SHOAL_I_NUMBER_MAX], int level, int group)
{
    int length = 0;

    switch (level) {
    case DECADE:
        length = snprintf(out, SHOAL_I_NUMBER_MAX, "%03d0s", group);
        break;
    case YEAR:
        length = snprintf(out, SHOAL_I_NUMBER_MAX, "%04d", group);
        break;
    case QUARTER:
        length = snprintf(out, SHOAL_I_NUMBER_MAX, "%04d-Q%d", group / 4, group % 4 + 1);
        break;
    default:
        length = snprintf(out, SHOAL_I_NUMBER_MAX, "%04d-%02d", group / 12, group % 12 + 1);
        break;
    }
    return (size_t)length;
}

static shoal_status draw_calendar(shoal_ctx *ctx, shoal_i_sketch *sketch)
{
    shoal_status st = SHOAL_OK;
    size_t value_count = shoal_table_value_count(sketch->table, sketch->column);
    int before[LEVELS] = {-1, -1, -1, -1};
    uint32_t nodes[LEVELS + 1] = {0}; /* nodes[0] is the root, nodes[level + 1] of a level */

    for (uint32_t code = 0; code < value_count; code++) {
        int groups[LEVELS];

        find_groups(groups, (int32_t)shoal_table_number(sketch->table, sketch->column, code));
        for (int level = DECADE; level < LEVELS; level++) {
            if (groups[level] != before[level]) {
                char label[SHOAL_I_NUMBER_MAX];
                size_t length = write_label(label, level, groups[level]);

                SHOAL_TRY(shoal_i_sketch_add(ctx, &nodes[level + 1], sketch, nodes[level],
                                             label, length));
                before[level] = groups[level];
            }
        }
        SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, sketch, code, nodes[LEVELS]));
    }
done:
    return st;
}

shoal_status shoal_hierarchy_build_dates(shoal_ctx *ctx, shoal_hierarchy **out,
                                         const shoal_table *table, size_t column)
{
    SHOAL_ENTER_FOR(ctx, out, table);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    shoal_i_sketch sketch = {0};

    SHOAL_TRY(shoal_i_sketch_start(ctx, &sketch, table, column));
    if (shoal_table_type(table, column) != SHOAL_TYPE_DATE) {
        st = shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)column,
                             "Column \"%s\" is of type %s; a hierarchy of dates needs dates "
                             "written YYYY-MM-DD throughout.",
                             shoal_table_name(table, column),
                             shoal_type_name(shoal_table_type(table, column)));
        goto done;
    }
    SHOAL_TRY(draw_calendar(ctx, &sketch));
    SHOAL_TRY(shoal_i_sketch_build(ctx, out, &sketch));
done:
    shoal_i_sketch_clear(&sketch);
    return st;
}
