#include "number.h"

#include "../base/hash.h"
#include "../base/pool.h"

#include <string.h>

#define FIRST_CAPACITY 1024
#define BLOCK_ROWS 4096
#define PART_ROWS_MIN 65536
#define PARTS_PER_THREAD 2 /* some have more keys than others */

/* Keys and their numbers: open addressing, a power of two of slots, at most half of them used.
 */
typedef struct map {
    shoal_i_hash_key hash_key; /* once there is room */
    struct slot {
        uint64_t key;
        uint32_t id_plus_one; /* 0: free */
    } * slots;
    size_t capacity;
    uint64_t *keys; /* by number; room for capacity / 2 */
    size_t count;
} map;

static struct slot *find_slot(const map *m, uint64_t key)
{
    size_t at = (size_t)shoal_i_hash_u64(&m->hash_key, key) & (m->capacity - 1);

    while (m->slots[at].id_plus_one != 0 && m->slots[at].key != key) {
        at = (at + 1) & (m->capacity - 1);
    }
    return &m->slots[at];
}

static shoal_status grow_map(shoal_ctx *ctx, map *m, size_t capacity)
{
    shoal_status st = SHOAL_OK;
    map larger = {.hash_key = m->capacity ? m->hash_key : ctx->hash_key,
                  .capacity = capacity,
                  .count = m->count};

    larger.slots = shoal_i_alloc_raw(ctx, larger.capacity, sizeof *larger.slots);
    if (!larger.slots) {
        return SHOAL_ENOMEM;
    }
    /* Written before it is read: pages of zeros that were read first are copied when they are
     * written to, and all threads are stopped for each. */
    memset(larger.slots, 0, larger.capacity * sizeof *larger.slots);
    larger.keys = shoal_i_realloc(ctx, m->keys, larger.capacity / 2, sizeof *larger.keys);
    if (!larger.keys) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    m->keys = NULL;
    for (size_t id = 0; id < larger.count; id++) {
        *find_slot(&larger, larger.keys[id]) = (struct slot){larger.keys[id], (uint32_t)id + 1};
    }
    struct slot *old = m->slots;

    *m = larger;
    larger.slots = old;
done:
    free(larger.slots);
    return st;
}

static void clear_map(map *m)
{
    free(m->slots);
    free(m->keys);
    *m = (map){0};
}

/* Number keys, going on from those the map has. */
static shoal_status add_keys(shoal_ctx *ctx, map *m, uint32_t *ids, const uint64_t *keys,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && keys[i] == keys[i - 1]) {
            ids[i] = ids[i - 1]; /* the rule in a file sorted by class */
            continue;
        }
        if (2 * m->count >= m->capacity &&
            grow_map(ctx, m, m->capacity ? 2 * m->capacity : FIRST_CAPACITY) != SHOAL_OK) {
            return SHOAL_ENOMEM;
        }
        struct slot *slot = find_slot(m, keys[i]);

        if (slot->id_plus_one == 0) {
            m->keys[m->count++] = keys[i];
            *slot = (struct slot){keys[i], (uint32_t)m->count};
        }
        ids[i] = slot->id_plus_one - 1;
    }
    return SHOAL_OK;
}

shoal_status shoal_i_number_keys(shoal_ctx *ctx, uint32_t *ids, size_t *id_count,
                                 const uint64_t *keys, size_t count)
{
    map m = {0};
    shoal_status st = add_keys(ctx, &m, ids, keys, count);

    *id_count = m.count;
    clear_map(&m);
    return st;
}

/* One pass over the rows: their numbers so far and the next columns become new numbers. The
 * rows are cut into parts that are numbered on their own, the parts' keys are numbered in order
 * of the parts, and then each part translates its numbers. Since numbers go by first
 * appearance, the result does not depend on the cuts. */
typedef struct pass {
    const shoal_table *table;
    const size_t *columns;
    size_t column_count;
    size_t row_count;
    size_t part_count;
    uint32_t *ids;
    map *parts;
    uint32_t **global; /* of each part: its numbers -> numbers of all */
    uint32_t **found;  /* of each part: its numbers -> the first part that has the key */
} pass;

static size_t find_part_start(const pass *p, size_t part)
{
    return p->row_count / p->part_count * part +
           (part < p->row_count % p->part_count ? part : p->row_count % p->part_count);
}

/* How many codes a column has; one more than there are values, for "missing". */
static uint64_t count_codes(const shoal_table *table, size_t column)
{
    return (uint64_t)shoal_table_value_count(table, column) + 1;
}

/* keys = keys * codes + code, for the rows from `first` on. */
static void join_column(uint64_t *keys, uint32_t *codes, const shoal_table *table,
                        size_t column, size_t first, size_t count)
{
    uint64_t code_count = count_codes(table, column);

    shoal_table_codes(table, column, first, count, codes);
    for (size_t i = 0; i < count; i++) {
        keys[i] = keys[i] * code_count + codes[i];
    }
}

static shoal_status number_part(shoal_ctx *ctx, void *payload, size_t part)
{
    pass *p = payload;
    shoal_status st = SHOAL_OK;
    size_t end = find_part_start(p, part + 1);
    uint64_t *keys = NULL;
    uint32_t *codes = NULL;

    SHOAL_ALLOC(ctx, keys, BLOCK_ROWS);
    SHOAL_ALLOC(ctx, codes, BLOCK_ROWS);
    for (size_t first = find_part_start(p, part); first < end; first += BLOCK_ROWS) {
        size_t count = end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS;

        for (size_t i = 0; i < count; i++) {
            keys[i] = p->ids[first + i];
        }
        for (size_t c = 0; c < p->column_count; c++) {
            join_column(keys, codes, p->table, p->columns[c], first, count);
        }
        SHOAL_TRY(add_keys(ctx, &p->parts[part], p->ids + first, keys, count));
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    free(keys);
    free(codes);
    return st;
}

static shoal_status translate_part(shoal_ctx *ctx, void *payload, size_t part)
{
    pass *p = payload;
    size_t end = find_part_start(p, part + 1);

    (void)ctx;
    for (size_t row = find_part_start(p, part); row < end; row++) {
        p->ids[row] = p->global[part][p->ids[row]];
    }
    return SHOAL_OK;
}

/* Find the keys of a part that parts before it have: global gets the number there, and `found`
 * which part that is, the first of them; the part itself where none has it. */
static shoal_status look_back(shoal_ctx *ctx, void *payload, size_t part)
{
    shoal_status st = SHOAL_OK;
    pass *p = payload;
    const map *own = &p->parts[part];

    SHOAL_ALLOC(ctx, p->global[part], own->count);
    SHOAL_ALLOC(ctx, p->found[part], own->count);
    for (size_t id = 0; id < own->count; id++) {
        size_t before = 0;
        uint32_t number = 0;

        for (; before < part; before++) {
            number = p->parts[before].count > 0
                         ? find_slot(&p->parts[before], own->keys[id])->id_plus_one
                         : 0;
            if (number != 0) {
                break;
            }
        }
        p->found[part][id] = (uint32_t)before;
        p->global[part][id] = number - (number != 0);
    }
done:
    return st;
}

/* Keys are numbered in order of the parts: whoever was not found before gets the next number.
 */
static shoal_status join_parts(shoal_ctx *ctx, pass *p, size_t *id_count)
{
    shoal_status st = SHOAL_OK;
    size_t count = 0;

    SHOAL_ALLOC(ctx, p->found, p->part_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, p->part_count, look_back, p));
    for (size_t part = 0; part < p->part_count; part++) {
        for (size_t id = 0; id < p->parts[part].count; id++) {
            size_t where = p->found[part][id];
            uint32_t *number = &p->global[part][id];

            *number = where < part ? p->global[where][*number] : (uint32_t)count++;
        }
    }
    *id_count = count;
    SHOAL_TRY(shoal_i_parallel_for(ctx, p->part_count, translate_part, p));
done:
    return st;
}

static shoal_status run_pass(shoal_ctx *ctx, pass *p, size_t *id_count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, p->parts, p->part_count);
    SHOAL_ALLOC(ctx, p->global, p->part_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, p->part_count, number_part, p));
    if (p->part_count == 1) {
        *id_count = p->parts[0].count;
    } else {
        SHOAL_TRY(join_parts(ctx, p, id_count));
    }
done:
    for (size_t part = 0; part < p->part_count; part++) {
        if (p->parts) {
            clear_map(&p->parts[part]);
        }
        if (p->global) {
            free(p->global[part]);
        }
        if (p->found) {
            free(p->found[part]);
        }
    }
    free(p->parts);
    free(p->global);
    free(p->found);
    p->parts = NULL;
    p->global = NULL;
    p->found = NULL;
    return st;
}

/* How many of the columns fit into one key together with id_count numbers. */
static size_t count_fitting(const shoal_table *table, const size_t *columns,
                            size_t column_count, size_t id_count)
{
    uint64_t keys = id_count;
    size_t fitting = 0;

    while (fitting < column_count &&
           keys <= UINT64_MAX / count_codes(table, columns[fitting])) {
        keys *= count_codes(table, columns[fitting]);
        fitting++;
    }
    return fitting;
}

shoal_status shoal_i_number_rows(shoal_ctx *ctx, uint32_t *ids, size_t *id_count,
                                 const shoal_table *table, const size_t *columns,
                                 size_t column_count)
{
    shoal_status st = SHOAL_OK;
    size_t row_count = shoal_table_row_count(table);
    size_t threads = (size_t)shoal_ctx_thread_count(ctx);
    size_t parts = row_count / PART_ROWS_MIN;
    pass p = {.table = table, .row_count = row_count, .ids = ids};

    *id_count = row_count > 0;
    if (threads > 1) {
        threads *= PARTS_PER_THREAD;
    }
    p.part_count = parts < 1 ? 1 : parts < threads ? parts : threads;
    memset(ids, 0, row_count * sizeof *ids);
    /* Once every row is alone, no column can part them further. */
    while (column_count > 0 && *id_count < row_count) {
        p.columns = columns;
        p.column_count = count_fitting(table, columns, column_count, *id_count);
        SHOAL_TRY(run_pass(ctx, &p, id_count));
        columns += p.column_count;
        column_count -= p.column_count;
    }
done:
    return st;
}

shoal_status shoal_i_number_records(shoal_ctx *ctx, uint32_t **ids, size_t *id_count,
                                    const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    uint32_t *numbers = NULL;
    size_t *columns = NULL;

    *ids = NULL;
    SHOAL_ALLOC(ctx, columns, quasi->count);
    SHOAL_ALLOC(ctx, numbers, shoal_table_row_count(quasi->table));
    for (size_t c = 0; c < quasi->count; c++) {
        columns[c] = quasi->columns[c].column;
    }
    SHOAL_TRY(shoal_i_number_rows(ctx, numbers, id_count, quasi->table, columns, quasi->count));
    *ids = numbers;
    numbers = NULL;
done:
    free(numbers);
    free(columns);
    return st;
}
