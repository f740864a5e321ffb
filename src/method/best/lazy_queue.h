/* lazy_queue.h -- what to take next, where costs only rise: the cheapest first, by what each
 * cost when it was looked at last.
 *
 *     first = entries[0]
 *     look at it again:  dearer than it was?  raise its cost; settle    (others come before)
 *                        otherwise            take it; drop
 *
 * As costs only rise, what is still the cheapest after a second look is the cheapest of all,
 * and most entries are never looked at twice. A binary heap; of equal costs the lower item is
 * first, so that the order is the same on any number of threads.
 */
#ifndef SHOAL_I_LAZY_QUEUE_H
#define SHOAL_I_LAZY_QUEUE_H

#include <stddef.h>
#include <stdint.h>

typedef struct shoal_i_queued {
    int64_t cost;
    uint32_t item;
} shoal_i_queued;

/* The entries belong to whoever fills them. */
typedef struct shoal_i_lazy_queue {
    shoal_i_queued *entries;
    size_t count;
} shoal_i_lazy_queue;

/* Put entries that were written in any order in theirs. */
void shoal_i_lazy_queue_order(shoal_i_lazy_queue *queue);

/* The cost of the first entry was raised: it goes where it belongs. */
void shoal_i_lazy_queue_settle(shoal_i_lazy_queue *queue);

/* Drop the first entry. */
void shoal_i_lazy_queue_drop(shoal_i_lazy_queue *queue);

#endif /* SHOAL_I_LAZY_QUEUE_H */
