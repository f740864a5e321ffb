#include "matched.h"

#include "../../base/sort.h"
#include "../../base/warnings.h"
#include "../../release/release_match.h"
#include "tradeoff_run.h"

void shoal_i_matched_clear(shoal_i_matched *matched)
{
    free(matched->tags);
    free(matched->box_of);
    *matched = (shoal_i_matched){0};
}

/* Tell apart what one more column tells apart: equal tags are those that were equal and have
 * equal codes. */
static void renumber_tags(uint32_t *tags, size_t records, size_t rows,
                          const shoal_i_sensitive *truth, const shoal_i_sensitive *shown,
                          shoal_i_sort_item *items, shoal_i_sort_item *scratch)
{
    uint32_t number = 0;

    for (size_t i = 0; i < records + rows; i++) {
        uint32_t code = i < records ? truth->codes[i] : shown->codes[i - records];

        items[i] =
            (shoal_i_sort_item){.key = (uint64_t)tags[i] << 32 | code, .item = (uint32_t)i};
    }
    shoal_i_sort_items(items, scratch, records + rows);
    for (size_t i = 0; i < records + rows; i++) {
        number += i > 0 && items[i].key != items[i - 1].key;
        tags[items[i].item] = number;
    }
}

static shoal_status find_tags(shoal_ctx *ctx, shoal_i_matched *m,
                              const shoal_i_prepared *original, const shoal_i_release *parsed,
                              const shoal_i_received *received)
{
    shoal_status st = SHOAL_OK;
    size_t records = shoal_table_row_count(original->table);
    size_t rows = parsed->row_count;
    shoal_i_shown shown = {0};
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_TRY(shoal_i_shown_build(ctx, &shown, NULL, original, parsed, received));
    SHOAL_ALLOC(ctx, m->tags, records + rows);
    SHOAL_ALLOC(ctx, items, records + rows);
    SHOAL_ALLOC(ctx, scratch, records + rows);
    for (size_t j = 0; j < shown.count; j++) {
        renumber_tags(m->tags, records, rows, &shown.truth[j], &shown.shown[j], items, scratch);
    }
done:
    free(items);
    free(scratch);
    shoal_i_shown_clear(&shown);
    return st;
}

/* Whether the rows are those of the original in its order. */
static bool is_in_order(const shoal_i_matched *m, const shoal_i_release *parsed)
{
    const shoal_i_quasi *quasi = parsed->quasi;
    size_t records = shoal_table_row_count(quasi->table);

    for (size_t i = 0; i < records; i++) {
        const shoal_i_interval *box = parsed->boxes + (size_t)parsed->box_of[i] * quasi->count;

        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, i);

            if (code < box[c].lo || code > box[c].hi) {
                return false;
            }
        }
        if (m->tags && m->tags[i] != m->tags[records + i]) {
            return false;
        }
    }
    return true;
}

static shoal_status find_boxes(shoal_ctx *ctx, shoal_i_matched *m,
                               const shoal_i_release *parsed, const char *name)
{
    shoal_status st = SHOAL_OK;
    size_t records = shoal_table_row_count(parsed->quasi->table);

    m->is_in_order = parsed->row_count == records && is_in_order(m, parsed);
    if (m->is_in_order) {
        SHOAL_ALLOC(ctx, m->box_of, records);
        for (size_t i = 0; i < records; i++) {
            m->box_of[i] = parsed->box_of[i];
        }
        goto done;
    }
    st = shoal_i_release_match(ctx, &m->box_of, &m->open_count, parsed, m->tags,
                               m->tags ? m->tags + records : NULL);
    if (st == SHOAL_EFORMAT) {
        shoal_i_fail_in(ctx, name, 0, 0);
    }
done:
    return st;
}

shoal_status shoal_i_match_records(shoal_ctx *ctx, shoal_i_matched *out,
                                   const shoal_i_prepared *original,
                                   const shoal_i_release *parsed,
                                   const shoal_i_received *received, bool with_values,
                                   const char *name)
{
    shoal_status st = SHOAL_OK;
    shoal_i_matched m = {0};

    if (with_values) {
        SHOAL_TRY(find_tags(ctx, &m, original, parsed, received));
    }
    SHOAL_TRY(find_boxes(ctx, &m, parsed, name));
    *out = m;
    m = (shoal_i_matched){0};
done:
    shoal_i_matched_clear(&m);
    return st;
}

/* Rows, or records, sorted by box and tag. */
static void sort_by_place(shoal_i_sort_item *items, shoal_i_sort_item *scratch,
                          const uint32_t *box_of, const uint32_t *tags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        items[i] = (shoal_i_sort_item){.key = (uint64_t)box_of[i] << 32 | (tags ? tags[i] : 0),
                                       .item = (uint32_t)i};
    }
    shoal_i_sort_items(items, scratch, count);
}

shoal_status shoal_i_matched_rows(shoal_ctx *ctx, uint32_t **record_of,
                                  const shoal_i_matched *matched, const shoal_i_release *parsed)
{
    shoal_status st = SHOAL_OK;
    size_t rows = parsed->row_count;
    const uint32_t *tags = matched->tags;
    uint32_t *found = NULL;
    shoal_i_sort_item *of_rows = NULL;
    shoal_i_sort_item *of_records = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, found, rows);
    SHOAL_ALLOC(ctx, of_rows, rows);
    SHOAL_ALLOC(ctx, of_records, rows);
    SHOAL_ALLOC(ctx, scratch, rows);
    /* Each place has as many rows as records, and equal places stay in their order: row i is of
     * record i where rows are in order. */
    sort_by_place(of_rows, scratch, parsed->box_of, tags ? tags + rows : NULL, rows);
    sort_by_place(of_records, scratch, matched->box_of, tags, rows);
    for (size_t i = 0; i < rows; i++) {
        found[of_rows[i].item] = of_records[i].item;
    }
    *record_of = found;
    found = NULL;
done:
    free(found);
    free(of_rows);
    free(of_records);
    free(scratch);
    return st;
}

shoal_status shoal_i_matched_warn(shoal_ctx *ctx, const shoal_i_matched *matched,
                                  const shoal_i_release *parsed, uint64_t classes)
{
    size_t open_count = classes > parsed->box_count ? parsed->row_count : matched->open_count;

    if (matched->is_in_order || open_count == 0) {
        return SHOAL_OK;
    }
    return shoal_i_warn(
        ctx, SHOAL_I_WARN_MATCHING, NULL,
        "Of the %zu records %zu could stand in more than one class, by what the release shows: "
        "the persons of classes were counted by one way to match them, and another may come to "
        "other numbers. A copy of the release in the order of its original (`output.order: "
        "keep`) "
        "leaves no doubt.",
        parsed->row_count, open_count);
}
