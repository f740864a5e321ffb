#include "t_closeness.h"

bool shoal_i_t_is_value(double value)
{
    return value >= 0 && value <= 1;
}

void shoal_i_t_describe(const shoal_i_requirement *requirement, const char *group,
                        shoal_i_buffer *out)
{
    shoal_i_buffer_printf(out,
                          "in every %s the distribution of %s is at most %s from that of the "
                          "table (distance: %s)",
                          group, requirement->column->name,
                          shoal_i_words_number(requirement->value).text,
                          requirement->kind->variant);
}

bool shoal_i_t_is_cover(const shoal_i_requirement *requirement, double share, double step)
{
    return (1 - share) * step <= requirement->value + 2 * SHOAL_I_TOLERANCE;
}
