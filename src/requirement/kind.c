#include "kind.h"

#include "../base/sort.h"

#include <assert.h>
#include <stdio.h>

bool shoal_i_is_share(double value)
{
    return value > 0 && value <= 1;
}

bool shoal_i_is_nonnegative(double value)
{
    return value >= 0 && isfinite(value);
}

bool shoal_i_is_from_one(double value)
{
    return value >= 1 && value <= 0x1p53;
}

bool shoal_i_is_whole_from_one(double value)
{
    return shoal_i_is_from_one(value) && value == floor(value);
}

uint64_t shoal_i_smallest_prepared(const shoal_i_requirement *requirement)
{
    return requirement->smallest;
}

uint64_t shoal_i_smallest_one(const shoal_i_requirement *requirement)
{
    (void)requirement;
    return 1;
}

uint64_t shoal_i_smallest_for_share(double limit)
{
    double estimate = ceil(1 / limit);

    if (estimate >= 0x1p53) {
        return UINT64_C(1) << 53;
    }
    uint64_t size = (uint64_t)estimate;

    /* 1 / limit was rounded; what counts is how a check rounds 1 / size. */
    while (size > 1 && shoal_i_ratio(1, size - 1) <= limit) {
        size--;
    }
    return size;
}

shoal_status shoal_i_prepare_cover(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                   bool (*is_enough)(const shoal_i_requirement *requirement,
                                                     double share))
{
    shoal_status st = SHOAL_OK;
    const shoal_i_sensitive *column = requirement->column;
    uint32_t *sorted = NULL;
    uint64_t covered = 0;
    size_t count = 0;

    requirement->smallest = 1;
    SHOAL_ALLOC(ctx, sorted, column->value_count);
    for (size_t i = 0; i < column->value_count; i++) {
        sorted[i] = column->totals[i];
    }
    if (column->value_count > 0) {
        qsort(sorted, column->value_count, sizeof *sorted, shoal_i_compare_u32_down);
    }
    while (count < column->value_count &&
           !is_enough(requirement, shoal_i_ratio(covered, column->total))) {
        covered += sorted[count++];
    }
    requirement->smallest = count > 1 ? count : 1;
done:
    free(sorted);
    return st;
}

shoal_i_words shoal_i_words_number(double number)
{
    shoal_i_words words = {""};

    shoal_i_text_from_double(words.text, number);
    return words;
}

const char *shoal_i_words_can(const shoal_i_requirement *requirement)
{
    return requirement->counts_persons ? "holds for the whole table as one class" : "can hold";
}

shoal_i_words shoal_i_words_value(const shoal_ctx *ctx, const shoal_i_sensitive *column,
                                  uint32_t code)
{
    shoal_i_words words = {""};

    if (column->has_missing && code + 1 == column->value_count) {
        snprintf(words.text, sizeof words.text, "the missing value");
    } else if (ctx->show_values && column->table) {
        snprintf(words.text, sizeof words.text, "the value \"%.200s\"",
                 shoal_table_text(column->table, column->column,
                                  shoal_i_sensitive_entry(column, code), NULL));
    } else {
        snprintf(words.text, sizeof words.text, "the value of rank %zu by frequency",
                 shoal_i_sensitive_rank(column, code));
    }
    return words;
}

void shoal_i_explain_frequent(shoal_ctx *ctx, const shoal_i_requirement *requirement,
                              const shoal_i_class_stats *whole, const char *bound)
{
    const shoal_i_requirement_kind *kind = requirement->kind;
    const shoal_i_sensitive *column = requirement->column;
    uint32_t code = shoal_i_sensitive_most_frequent(column);

    shoal_i_fail(ctx, SHOAL_EUNSATISFIABLE,
                 "%s = %s cannot be met: in column \"%.200s\" %s has %" PRIu32
                 " of the %" PRIu64 " %ss; the %s %s that %s is %s.",
                 kind->key, shoal_i_words_number(requirement->value).text, column->name,
                 shoal_i_words_value(ctx, column, code).text, column->totals[code],
                 whole->persons, shoal_i_requirement_unit(requirement),
                 kind->larger_is_safer ? "largest" : "smallest", kind->key,
                 shoal_i_words_can(requirement), bound);
}
