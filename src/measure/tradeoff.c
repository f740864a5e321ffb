#include "tradeoff.h"

#include <math.h>
#include <stdlib.h>

void shoal_i_tradeoff_clear(shoal_i_tradeoff *tradeoff)
{
    free(tradeoff->privacy);
    free(tradeoff->utility);
    *tradeoff = (shoal_i_tradeoff){0};
}

double shoal_i_tradeoff_privacy(const shoal_i_tradeoff *tradeoff)
{
    double highest = 0;

    for (size_t j = 0; j < tradeoff->count; j++) {
        highest = fmax(highest, tradeoff->privacy[j].highest);
    }
    return highest;
}

double shoal_i_tradeoff_utility(const shoal_i_tradeoff *tradeoff)
{
    double highest = 0;

    for (size_t j = 0; j < tradeoff->count; j++) {
        highest = fmax(highest, tradeoff->utility[j].mean);
    }
    return highest;
}
