#include "persons.h"

#include "../base/sort.h"

shoal_status shoal_i_persons_init(shoal_ctx *ctx, shoal_i_persons *out, const uint32_t *names,
                                  size_t row_count, size_t name_count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *number_of = NULL;
    uint32_t *of = NULL;
    size_t count = 0;

    *out = (shoal_i_persons){.row_count = row_count, .column = SIZE_MAX};
    SHOAL_ALLOC(ctx, number_of, name_count);
    of = shoal_i_arena_alloc(ctx, &out->arena, row_count, sizeof *of);
    if (!of) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    for (size_t row = 0; row < row_count; row++) {
        number_of[names[row]] = 1;
    }
    for (size_t name = 0; name < name_count; name++) {
        bool occurs = number_of[name] > 0;

        number_of[name] = (uint32_t)count;
        count += occurs;
    }
    for (size_t row = 0; row < row_count; row++) {
        of[row] = number_of[names[row]];
    }
    out->of = of;
    out->count = count;
done:
    free(number_of);
    if (st != SHOAL_OK) {
        shoal_i_persons_clear(out);
    }
    return st;
}

shoal_status shoal_i_persons_init_rows(shoal_ctx *ctx, shoal_i_persons *out,
                                       const shoal_i_persons *persons,
                                       const uint32_t *record_of, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *names = NULL;

    *out = (shoal_i_persons){0};
    SHOAL_ALLOC(ctx, names, row_count);
    for (size_t row = 0; row < row_count; row++) {
        names[row] = persons->of[record_of[row]];
    }
    SHOAL_TRY(shoal_i_persons_init(ctx, out, names, row_count, persons->count));
done:
    free(names);
    return st;
}

void shoal_i_persons_clear(shoal_i_persons *persons)
{
    shoal_i_arena_clear(&persons->arena);
    *persons = (shoal_i_persons){0};
}

/* Records are taken person after person, so that a group remembers only the last one. */
shoal_status shoal_i_persons_count_groups(shoal_ctx *ctx, uint64_t **out,
                                          const shoal_i_persons *persons,
                                          const uint32_t *group_of, size_t row_count,
                                          size_t group_count)
{
    shoal_status st = SHOAL_OK;
    uint64_t *counts = NULL;
    uint64_t *last = NULL; /* of each group: one more than the person counted last */
    uint32_t *order = NULL;
    uint32_t *starts = NULL;

    SHOAL_ALLOC(ctx, counts, group_count);
    SHOAL_ALLOC(ctx, last, group_count);
    if (persons) {
        SHOAL_ALLOC(ctx, order, row_count);
        SHOAL_ALLOC(ctx, starts, persons->count + 1);
        shoal_i_sort_by_number(order, starts, persons->of, row_count, persons->count);
    }
    for (size_t i = 0; i < row_count; i++) {
        size_t row = persons ? order[i] : i;
        uint32_t group = group_of[row];
        uint64_t person = (persons ? persons->of[row] : i) + (uint64_t)1;

        counts[group] += last[group] != person;
        last[group] = person;
    }
    *out = counts;
    counts = NULL;
done:
    free(counts);
    free(last);
    free(order);
    free(starts);
    return st;
}

/* Pairs are numbered person after person. A value remembers the pair it was last seen in; if
 * that is one of the person at hand, it is the same pair. */
shoal_status shoal_i_pairs_build(shoal_ctx *ctx, shoal_i_pairs *out, shoal_i_arena *arena,
                                 const shoal_i_persons *persons, const uint32_t *values,
                                 size_t value_count)
{
    shoal_status st = SHOAL_OK;
    size_t rows = persons->row_count;
    uint32_t *of = shoal_i_arena_alloc(ctx, arena, rows, sizeof *of);
    uint32_t *value_of = shoal_i_arena_alloc(ctx, arena, rows, sizeof *value_of);
    uint32_t *order = NULL;
    uint32_t *starts = NULL;
    uint32_t *last = NULL; /* of each value: one more than its last pair; 0: none */
    size_t count = 0;

    if (!of || !value_of) {
        return SHOAL_ENOMEM;
    }
    SHOAL_ALLOC(ctx, order, rows);
    SHOAL_ALLOC(ctx, starts, persons->count + 1);
    SHOAL_ALLOC(ctx, last, value_count);
    shoal_i_sort_by_number(order, starts, persons->of, rows, persons->count);
    for (size_t person = 0; person < persons->count; person++) {
        size_t first = count; /* pair of this person */

        for (size_t i = starts[person]; i < starts[person + 1]; i++) {
            uint32_t value = values[order[i]];

            if (last[value] <= first) {
                value_of[count] = value;
                last[value] = (uint32_t)++count;
            }
            of[order[i]] = last[value] - 1;
        }
    }
    *out = (shoal_i_pairs){.of = of, .count = count, .value_of = value_of};
done:
    free(order);
    free(starts);
    free(last);
    return st;
}
