#include "details.h"

#include <stdlib.h>

void shoal_i_details_clear(shoal_i_details *details)
{
    shoal_i_as_is_clear(&details->as_is);
    shoal_i_sample_rows_clear(&details->sample);
    shoal_i_risk_clear(&details->risk);
    free(details->distributions);
    free(details->frontier);
    *details = (shoal_i_details){0};
}
