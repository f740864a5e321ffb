#include "published.h"

#include <stdlib.h>

void shoal_i_shown_clear(shoal_i_shown *shown)
{
    for (size_t j = 0; j < shown->count; j++) {
        if (shown->truth) {
            shoal_i_sensitive_clear(&shown->truth[j]);
        }
        if (shown->shown) {
            shoal_i_sensitive_clear(&shown->shown[j]);
        }
    }
    free(shown->truth);
    free(shown->shown);
    *shown = (shoal_i_shown){0};
}
