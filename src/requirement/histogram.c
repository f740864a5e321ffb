#include "histogram.h"

uint32_t shoal_i_histogram_largest(const shoal_i_histogram *histogram)
{
    uint32_t largest = 0;

    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t count = histogram->counts[histogram->present[i]];

        largest = count > largest ? count : largest;
    }
    return largest;
}

/* How many counts are above a threshold, and their sum. */
static uint64_t count_above(const shoal_i_histogram *histogram, uint32_t threshold,
                            uint64_t *sum)
{
    uint64_t found = 0;

    *sum = 0;
    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t count = histogram->counts[histogram->present[i]];

        found += count > threshold;
        *sum += count > threshold ? count : 0;
    }
    return found;
}

uint64_t shoal_i_histogram_top(const shoal_i_histogram *histogram, uint64_t count)
{
    /* The smallest threshold with at most `count` counts above it; the rest of the wanted
     * counts then equal it. */
    uint32_t low = 0;
    uint32_t high = shoal_i_histogram_largest(histogram);
    uint64_t sum = 0;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (count_above(histogram, middle, &sum) <= count) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    uint64_t above = count_above(histogram, low, &sum);

    return sum + (count - above) * low;
}

/* Shell's sort: short, without recursion, fast enough for a few hundred. */
static void sort_positions(uint32_t *positions, size_t count)
{
    static const size_t gaps[] = {132, 57, 23, 10, 4, 1};

    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        size_t gap = gaps[g];

        for (size_t i = gap; i < count; i++) {
            uint32_t position = positions[i];
            size_t j = i;

            for (; j >= gap && positions[j - gap] > position; j -= gap) {
                positions[j] = positions[j - gap];
            }
            positions[j] = position;
        }
    }
}

void shoal_i_walk_start(shoal_i_walk *walk, const shoal_i_histogram *histogram,
                        const shoal_hierarchy *hierarchy, size_t value_count)
{
    size_t present = histogram->present_count;

    walk->histogram = histogram;
    walk->hierarchy = hierarchy;
    walk->next = 0;
    walk->is_sorted = present <= SHOAL_I_WALK_SORTED_MAX && present < value_count / 8;
    walk->end = walk->is_sorted ? present : value_count;
    if (walk->is_sorted) {
        for (size_t i = 0; i < present; i++) {
            uint32_t code = histogram->present[i];

            walk->sorted[i] = hierarchy ? shoal_hierarchy_leaf(hierarchy, code) : code;
        }
        sort_positions(walk->sorted, present);
    }
}

bool shoal_i_walk_next(shoal_i_walk *walk, uint32_t *position, uint32_t *count)
{
    while (walk->next < walk->end) {
        uint32_t at = walk->is_sorted ? walk->sorted[walk->next] : (uint32_t)walk->next;
        uint32_t code = walk->hierarchy ? shoal_hierarchy_code(walk->hierarchy, at) : at;

        walk->next++;
        if (walk->histogram->counts[code] > 0) {
            *position = at;
            *count = walk->histogram->counts[code];
            return true;
        }
    }
    return false;
}
