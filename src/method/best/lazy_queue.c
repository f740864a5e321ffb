#include "lazy_queue.h"

#include <assert.h>
#include <stdbool.h>

static bool is_before(shoal_i_queued a, shoal_i_queued b)
{
    return a.cost != b.cost ? a.cost < b.cost : a.item < b.item;
}

/* Let the entry at a place sink to where it belongs. */
static void sink(shoal_i_lazy_queue *queue, size_t at)
{
    shoal_i_queued *entries = queue->entries;
    shoal_i_queued moving = entries[at];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child + 1 < queue->count && is_before(entries[child + 1], entries[child])) {
            child++;
        }
        if (child >= queue->count || !is_before(entries[child], moving)) {
            break;
        }
        entries[at] = entries[child];
        at = child;
    }
    entries[at] = moving;
}

void shoal_i_lazy_queue_order(shoal_i_lazy_queue *queue)
{
    for (size_t i = queue->count / 2; i-- > 0;) {
        sink(queue, i);
    }
}

void shoal_i_lazy_queue_settle(shoal_i_lazy_queue *queue)
{
    assert(queue->count > 0);
    sink(queue, 0);
}

void shoal_i_lazy_queue_drop(shoal_i_lazy_queue *queue)
{
    assert(queue->count > 0);
    queue->entries[0] = queue->entries[--queue->count];
    if (queue->count > 0) {
        sink(queue, 0);
    }
}
