#include "strata.h"

#include "../../base/fail.h"
#include "../../base/sort.h"

#include <assert.h>

/* Number the records by their number so far and their value in one more column. */
static void refine(shoal_i_strata *s, const struct shoal_i_tally_input *input,
                   shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        items[i] =
            (shoal_i_sort_item){.key = (uint64_t)s->of[i] << 32 | shoal_i_tally_value(input, i),
                                .item = (uint32_t)i};
    }
    shoal_i_sort_items(items, scratch, rows);
    s->count = 0;
    for (size_t i = 0; i < rows; i++) {
        s->count += i == 0 || items[i].key != items[i - 1].key;
        s->of[items[i].item] = (uint32_t)(s->count - 1);
    }
}

/* Cut the records, in their order after the last refinement, into strata of about equal size
 * that part no equal ones. */
static void gather(shoal_i_strata *s, const shoal_i_sort_item *items, size_t rows)
{
    size_t most = (rows + SHOAL_I_STRATA_MAX - 1) / SHOAL_I_STRATA_MAX;
    size_t size = 0;
    uint32_t number = 0;

    for (size_t i = 0; i < rows; i++) {
        if (size >= most && items[i].key != items[i - 1].key) {
            number++;
            size = 0;
        }
        s->of[items[i].item] = number;
        size++;
    }
    s->count = number + 1;
    s->are_exact = false;
}

shoal_status shoal_i_strata_build(shoal_ctx *ctx, shoal_i_strata **out,
                                  const shoal_i_tally_source *source)
{
    shoal_status st = SHOAL_OK;
    shoal_i_strata *s = NULL;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    assert(source->row_count > 0 && source->active_count > (source->persons != NULL));
    *out = NULL;
    SHOAL_ALLOC(ctx, s, 1);
    s->are_exact = !source->persons; /* two of a stratum are different persons */
    SHOAL_ALLOC(ctx, s->of, source->row_count);
    SHOAL_ALLOC(ctx, items, source->row_count);
    SHOAL_ALLOC(ctx, scratch, source->row_count);
    for (size_t i = 0; i < source->active_count; i++) {
        if (i != source->person_input) {
            refine(s, &source->active[i], items, scratch, source->row_count);
        }
    }
    if (s->count > SHOAL_I_STRATA_MAX) {
        gather(s, items, source->row_count);
    }
    *out = s;
    s = NULL;
done:
    shoal_i_strata_free(s);
    free(items);
    free(scratch);
    return st;
}

void shoal_i_strata_free(shoal_i_strata *strata)
{
    if (strata) {
        free(strata->of);
        free(strata);
    }
}
