#include "exchange_classes.h"

#include "../../base/fail.h"
#include "../../box/scan.h"

#include <string.h>

static shoal_status classes_alloc(shoal_ctx *ctx, shoal_i_classes *c)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = c->lanes->count;

    SHOAL_ALLOC(ctx, c->records, c->count);
    SHOAL_ALLOC(ctx, c->stratum_of, c->count);
    SHOAL_ALLOC(ctx, c->firsts, c->stratum_count + 1);
    SHOAL_ALLOC(ctx, c->classes, c->count);
    SHOAL_ALLOC(ctx, c->boxes, c->count * 2 * lanes);
    SHOAL_ALLOC(ctx, c->next, c->count);
    SHOAL_ALLOC(ctx, c->class_of, c->count);
    SHOAL_ALLOC(ctx, c->climb, lanes);
    c->rows = shoal_i_alloc_aligned(ctx, c->count, lanes * sizeof *c->rows);
    st = c->rows ? SHOAL_OK : SHOAL_ENOMEM;
done:
    return st;
}

static void put(shoal_i_classes *c, uint32_t member, uint32_t class)
{
    c->next[member] = c->classes[class].head;
    c->classes[class].head = member;
    c->classes[class].size++;
    c->class_of[member] = class;
}

/* Number the members and put each into the class of its group. */
static void load_members(shoal_i_classes *c, const shoal_i_grouping *grouping, size_t first,
                         const shoal_i_strata *strata)
{
    size_t lanes = c->lanes->count;
    uint32_t filled[SHOAL_I_STRATA_MAX] = {0};

    for (size_t i = 0; i < c->count; i++) {
        c->firsts[strata->of[grouping->records[first + i]] + 1]++;
    }
    for (size_t s = 0; s < c->stratum_count; s++) {
        c->firsts[s + 1] += c->firsts[s];
    }
    for (size_t i = 0; i < c->count; i++) {
        uint32_t record = grouping->records[first + i];
        uint32_t stratum = strata->of[record];
        uint32_t member = c->firsts[stratum] + filled[stratum]++;

        if (i == 0 || grouping->is_start[first + i]) {
            c->classes[c->class_count++].head = SHOAL_I_NOBODY;
        }
        c->records[member] = record;
        c->stratum_of[member] = stratum;
        memcpy(c->rows + (size_t)member * lanes, grouping->rows + (first + i) * lanes,
               lanes * sizeof *c->rows);
        put(c, member, (uint32_t)(c->class_count - 1));
    }
}

shoal_status shoal_i_classes_build(shoal_ctx *ctx, shoal_i_classes **out,
                                   const shoal_i_grouping *grouping, shoal_i_span span,
                                   const shoal_i_strata *strata)
{
    shoal_status st = SHOAL_OK;
    shoal_i_classes *c = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, c, 1);
    c->lanes = grouping->lanes;
    c->count = span.count;
    c->stratum_count = strata->count;
    SHOAL_TRY(classes_alloc(ctx, c));
    load_members(c, grouping, span.first, strata);
    for (uint32_t class = 0; class < c->class_count; class ++) {
        shoal_i_classes_survey(c, class);
    }
    *out = c;
    c = NULL;
done:
    shoal_i_classes_free(c);
    return st;
}

void shoal_i_classes_free(shoal_i_classes *classes)
{
    if (classes) {
        free(classes->records);
        free(classes->rows);
        free(classes->stratum_of);
        free(classes->firsts);
        free(classes->classes);
        free(classes->boxes);
        free(classes->next);
        free(classes->class_of);
        free(classes->climb);
        free(classes);
    }
}

int32_t shoal_i_classes_box_penalty(const shoal_i_classes *c, const int32_t *box,
                                    const int32_t *member, int32_t *climb)
{
    shoal_i_probe probe = {.climb = climb};

    shoal_i_probe_set(&probe, c->lanes, box, box + c->lanes->count, member);
    return shoal_i_penalty(c->lanes, &probe);
}

void shoal_i_classes_move(shoal_i_classes *c, uint32_t member, uint32_t class)
{
    shoal_i_class *from = &c->classes[c->class_of[member]];
    uint32_t *link = &from->head;

    while (*link != member) {
        link = &c->next[*link];
    }
    *link = c->next[member];
    from->size--;
    put(c, member, class);
}

void shoal_i_classes_survey(shoal_i_classes *c, uint32_t class)
{
    size_t lanes = c->lanes->count;
    int32_t *box = shoal_i_classes_box(c, class);
    uint32_t head = c->classes[class].head;

    if (head == SHOAL_I_NOBODY) {
        c->classes[class].penalty = 0;
        return;
    }
    memcpy(box, shoal_i_classes_row(c, head), lanes * sizeof *box);
    memcpy(box + lanes, box, lanes * sizeof *box);
    for (uint32_t i = head; i != SHOAL_I_NOBODY; i = c->next[i]) {
        const int32_t *row = shoal_i_classes_row(c, i);

        shoal_i_box_join(c->lanes, box, box + lanes, row, row);
    }
    c->classes[class].penalty =
        shoal_i_classes_box_penalty(c, box, shoal_i_classes_row(c, head), c->climb);
}

void shoal_i_classes_lay_out(const shoal_i_classes *c, shoal_i_grouping *grouping, size_t first)
{
    size_t lanes = c->lanes->count;
    size_t place = first;

    for (size_t class = 0; class < c->class_count; class ++) {
        for (uint32_t i = c->classes[class].head; i != SHOAL_I_NOBODY; i = c->next[i]) {
            grouping->is_start[place] = i == c->classes[class].head;
            grouping->records[place] = c->records[i];
            memcpy(grouping->rows + place * lanes, shoal_i_classes_row(c, i),
                   lanes * sizeof *grouping->rows);
            place++;
        }
    }
}
