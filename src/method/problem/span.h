/* span.h -- a run of consecutive places, records or entries: first, first + 1, ... count of
 * them. */
#ifndef SHOAL_I_SPAN_H
#define SHOAL_I_SPAN_H

#include <stddef.h>

typedef struct shoal_i_span {
    size_t first;
    size_t count;
} shoal_i_span;

/* The place behind the last. */
static inline size_t shoal_i_span_end(shoal_i_span span)
{
    return span.first + span.count;
}

/* The places from start to end - 1. */
static inline shoal_i_span shoal_i_span_between(size_t start, size_t end)
{
    return (shoal_i_span){.first = start, .count = end - start};
}

#endif /* SHOAL_I_SPAN_H */
