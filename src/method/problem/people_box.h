/* people_box.h -- how many people fall into the class of some records, which come one by one.
 */
#ifndef SHOAL_I_PEOPLE_BOX_H
#define SHOAL_I_PEOPLE_BOX_H

#include "method.h"

/* What a count is taken to cost, in rows that could have been compared in the same time: it is
 * more in large populations, and less in small ones. */
#define SHOAL_I_WORK_OF_PEOPLE 64

typedef struct shoal_i_people_box {
    const shoal_i_people *people; /* NULL: nobody asks, and nothing is done */
    const shoal_i_quasi *quasi;
    shoal_i_interval *span;   /* of the codes of the records */
    shoal_i_interval *closed; /* the box that would be published */
    shoal_i_interval *scratch;
} shoal_i_people_box;

shoal_status shoal_i_people_box_init(shoal_ctx *ctx, shoal_i_people_box *box,
                                     const shoal_i_problem *problem);
void shoal_i_people_box_clear(shoal_i_people_box *box);

void shoal_i_people_box_empty(shoal_i_people_box *box);
void shoal_i_people_box_add(shoal_i_people_box *box, uint32_t record);

/* There is a record. */
uint64_t shoal_i_people_box_count(shoal_i_people_box *box);

#endif /* SHOAL_I_PEOPLE_BOX_H */
