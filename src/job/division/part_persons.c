#include "part_persons.h"

#include "../../base/hash.h"
#include "../../table/table_codes.h"
#include "../input/prepare.h"

#include <string.h>

/* --- Names. ----------------------------------------------------------------------------- */

shoal_status shoal_i_person_digests(shoal_ctx *ctx, uint64_t *digests, const shoal_spec *spec,
                                    const shoal_table *table, size_t column)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(table, column));

    SHOAL_TRY(shoal_i_same_values_digest(ctx, digests, table, column, &same));
    for (size_t i = 0; i < shoal_table_value_count(table, column); i++) {
        digests[i] = digests[i] > 0 ? digests[i] : 1;
    }
done:
    return st;
}

static shoal_status fail_nobody(shoal_ctx *ctx, const shoal_table *table, size_t column,
                                const bool *keep)
{
    uint32_t missing = (uint32_t)shoal_table_value_count(table, column);
    size_t first = 0;
    size_t count = 0;

    for (size_t row = shoal_table_row_count(table); row-- > 0;) {
        if ((!keep || keep[row]) && shoal_table_code(table, column, row) == missing) {
            first = row;
            count++;
        }
    }
    return shoal_i_prepare_fail_nobody(ctx, table, first, column, count);
}

/* The names of the records that take part; of names that are the same, the first. */
static shoal_status name_records(shoal_ctx *ctx, shoal_i_part_persons *p,
                                 const shoal_spec *spec, const shoal_table *table,
                                 size_t column, const bool *keep)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(table, column));
    shoal_i_same_values same_values = {0};
    shoal_i_arena arena = {0};
    size_t rows = shoal_table_row_count(table);
    size_t values = shoal_table_value_count(table, column);
    shoal_i_codes codes = shoal_i_table_codes(table, column);

    SHOAL_TRY(shoal_i_same_values_find(ctx, &same_values, &arena, table, column, &same));
    SHOAL_ALLOC(ctx, p->names, rows);
    p->name_count = values;
    for (size_t row = 0; row < rows; row++) {
        uint32_t code = shoal_i_same_values_first(&same_values, shoal_i_codes_get(codes, row));

        p->row_count += !keep || keep[row];
        if (code == values && (!keep || keep[row])) {
            code = (uint32_t)p->name_count++;
        }
        p->names[row] = code;
    }
    p->nobodies = p->name_count - values;
done:
    shoal_i_arena_clear(&arena);
    return st;
}

/* Records by name, and how many names occur. */
static shoal_status list_rows(shoal_ctx *ctx, shoal_i_part_persons *p, size_t rows,
                              const bool *keep)
{
    shoal_status st = SHOAL_OK;
    uint32_t *next = NULL;

    SHOAL_ALLOC(ctx, p->rows, p->row_count);
    SHOAL_ALLOC(ctx, next, p->name_count + 1);
    for (size_t row = 0; row < rows; row++) {
        if (!keep || keep[row]) {
            next[p->names[row] + 1]++;
        }
    }
    for (size_t name = 0; name < p->name_count; name++) {
        p->count += next[name + 1] > 0;
        next[name + 1] += next[name];
    }
    for (size_t row = 0; row < rows; row++) {
        if (!keep || keep[row]) {
            p->rows[next[p->names[row]]++] = (uint32_t)row;
        }
    }
done:
    free(next);
    return st;
}

shoal_status shoal_i_part_persons_init(shoal_ctx *ctx, shoal_i_part_persons *out,
                                       const shoal_spec *spec, const shoal_table *table,
                                       const bool *keep)
{
    shoal_status st = SHOAL_OK;
    /* That it is there was checked when the table was configured. */
    size_t column = (size_t)shoal_table_find(table, shoal_i_spec_person(spec)->name);

    *out = (shoal_i_part_persons){0};
    SHOAL_TRY(name_records(ctx, out, spec, table, column, keep));
    if (out->nobodies > 0 && !spec->owns_missing_person) {
        SHOAL_TRY(fail_nobody(ctx, table, column, keep));
    }
    SHOAL_ALLOC(ctx, out->digests, out->name_count);
    SHOAL_TRY(shoal_i_person_digests(ctx, out->digests, spec, table, column));
    SHOAL_TRY(list_rows(ctx, out, shoal_table_row_count(table), keep));
done:
    if (st != SHOAL_OK) {
        shoal_i_part_persons_clear(out);
    }
    return st;
}

void shoal_i_part_persons_clear(shoal_i_part_persons *persons)
{
    free(persons->names);
    free(persons->digests);
    free(persons->rows);
    *persons = (shoal_i_part_persons){0};
}

shoal_status shoal_i_part_persons_total(shoal_ctx *ctx, uint64_t *totals,
                                        const shoal_i_part_persons *persons,
                                        const shoal_table *table, size_t column,
                                        const uint32_t *number_of, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_codes codes = shoal_i_table_codes(table, column);
    uint32_t *last = NULL; /* of each number: one more than the name it was last seen with */

    SHOAL_ALLOC(ctx, last, count);
    for (size_t i = 0; i < persons->row_count; i++) {
        uint32_t row = persons->rows[i];
        uint32_t code = shoal_i_codes_get(codes, row);
        uint32_t number = number_of ? number_of[code] : code;
        uint32_t name = persons->names[row] + 1;

        totals[number] += last[number] != name;
        last[number] = name;
    }
done:
    free(last);
    return st;
}

/* --- Sketches. -------------------------------------------------------------------------- */

static int compare_digests(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Digests are spread evenly, so that all but some more than are wanted can be left out before
 * they are sorted; a bound of UINT64_MAX leaves none out. */
static size_t list_below(uint64_t *to, const shoal_i_part_persons *p, const bool *occurs,
                         uint64_t bound)
{
    size_t count = 0;

    for (size_t name = 0; name < p->name_count - p->nobodies; name++) {
        if (occurs[name] && p->digests[name] <= bound) {
            to[count++] = p->digests[name];
        }
    }
    return count;
}

shoal_status shoal_i_person_sketch_init(shoal_ctx *ctx, shoal_i_person_sketch *out,
                                        const shoal_i_part_persons *persons)
{
    shoal_status st = SHOAL_OK;
    size_t names = persons->name_count - persons->nobodies;
    uint64_t bound =
        names > 2 * SHOAL_I_PERSON_SKETCH_MAX
            ? UINT64_MAX / names * (SHOAL_I_PERSON_SKETCH_MAX + SHOAL_I_PERSON_SKETCH_MAX / 2)
            : UINT64_MAX;
    uint64_t *digests = NULL;
    bool *occurs = NULL;

    *out = (shoal_i_person_sketch){0};
    SHOAL_ALLOC(ctx, occurs, persons->name_count);
    SHOAL_ALLOC(ctx, digests, names);
    for (size_t i = 0; i < persons->row_count; i++) {
        occurs[persons->names[persons->rows[i]]] = true;
    }
    size_t count = list_below(digests, persons, occurs, bound);

    if (count < SHOAL_I_PERSON_SKETCH_MAX && bound < UINT64_MAX) {
        count = list_below(digests, persons, occurs, UINT64_MAX);
    }
    qsort(digests, count, sizeof *digests, compare_digests);
    for (size_t i = 0; i < count && out->count < SHOAL_I_PERSON_SKETCH_MAX; i++) {
        if (out->count == 0 || digests[out->count - 1] != digests[i]) {
            digests[out->count++] = digests[i];
        }
    }
    uint64_t *fitting =
        shoal_i_realloc(ctx, digests, out->count > 0 ? out->count : 1, sizeof *digests);

    if (!fitting) {
        st = SHOAL_ENOMEM;
        *out = (shoal_i_person_sketch){0};
        goto done;
    }
    out->digests = fitting;
    digests = NULL;
done:
    free(digests);
    free(occurs);
    return st;
}

void shoal_i_person_sketch_clear(shoal_i_person_sketch *sketch)
{
    free(sketch->digests);
    *sketch = (shoal_i_person_sketch){0};
}

size_t shoal_i_person_sketch_common(const shoal_i_person_sketch *a,
                                    const shoal_i_person_sketch *b)
{
    size_t common = 0;

    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint64_t x = a->digests[i];
        uint64_t y = b->digests[j];

        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return common;
}

shoal_status shoal_i_person_sketch_add(shoal_ctx *ctx, shoal_i_person_sketch *sketch,
                                       const shoal_i_person_sketch *more)
{
    shoal_status st = SHOAL_OK;
    size_t most = sketch->count + more->count;
    uint64_t *merged = NULL;
    size_t count = 0;

    most = most < SHOAL_I_PERSON_SKETCH_MAX ? most : SHOAL_I_PERSON_SKETCH_MAX;
    SHOAL_ALLOC(ctx, merged, most);
    for (size_t i = 0, j = 0; count < most && (i < sketch->count || j < more->count);) {
        uint64_t x = i < sketch->count ? sketch->digests[i] : UINT64_MAX;
        uint64_t y = j < more->count ? more->digests[j] : UINT64_MAX;
        bool takes_x = i < sketch->count && x <= y;

        merged[count++] = takes_x ? x : y;
        j += j < more->count && y <= x;
        i += takes_x;
    }
    free(sketch->digests);
    *sketch = (shoal_i_person_sketch){.digests = merged, .count = count};
done:
    return st;
}
