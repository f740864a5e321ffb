/* exact_answer.c -- the true answers to queries, from the original. */
#include "answer.h"

#include "../../base/bitset.h"
#include "../../base/sort.h"

#include <math.h>
#include <string.h>

#define BITS_VALUES_MAX 256
#define RECORD_COST 16

static void clear_column(shoal_i_truth_column *column)
{
    free(column->codes);
    free(column->numbers);
    free(column->starts);
    free(column->records);
    free(column->bits);
}

void shoal_i_truth_free(shoal_i_truth *exact)
{
    if (!exact) {
        return;
    }
    for (size_t c = 0; exact->columns && c < exact->column_count; c++) {
        clear_column(&exact->columns[c]);
    }
    free(exact->columns);
    free(exact);
}

/* Records by code, from the codes by record. */
static shoal_status list_records(shoal_ctx *ctx, shoal_i_truth_column *column, size_t rows)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, column->starts, column->value_count + 1);
    SHOAL_ALLOC(ctx, column->records, rows);
    shoal_i_sort_by_number(column->records, column->starts, column->codes, rows,
                           column->value_count);
done:
    return st;
}

/* Bits by code, where values are few: they take as much memory as the codes, times eight. */
static shoal_status mark_records(shoal_ctx *ctx, shoal_i_truth_column *column, size_t rows,
                                 size_t words)
{
    shoal_status st = SHOAL_OK;

    if (column->value_count <= BITS_VALUES_MAX) {
        SHOAL_ALLOC(ctx, column->bits, column->value_count * words);
        for (size_t row = 0; row < rows; row++) {
            column->bits[column->codes[row] * words + row / 64] |= (uint64_t)1 << (row % 64);
        }
    }
done:
    return st;
}

/* The numbers of a quasi column by its own codes. */
static shoal_status order_numbers(shoal_ctx *ctx, double **out, const shoal_i_quasi *quasi,
                                  size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &quasi->columns[c];
    size_t values = shoal_table_value_count(quasi->table, column->column);
    double *by_entry = NULL;
    double *numbers = NULL;

    SHOAL_TRY(shoal_i_answer_numbers(ctx, &by_entry, quasi->table, column->column));
    if (by_entry) {
        SHOAL_ALLOC(ctx, numbers, (size_t)column->value_count + 1);
        for (size_t entry = 0; entry < values; entry++) {
            numbers[column->code_of_entry[entry]] = by_entry[entry];
        }
    }
    *out = numbers;
done:
    free(by_entry);
    return st;
}

static shoal_status build_quasi(shoal_ctx *ctx, shoal_i_truth_column *column,
                                const shoal_i_quasi *quasi, size_t c, size_t rows)
{
    shoal_status st = SHOAL_OK;

    column->value_count = quasi->columns[c].value_count;
    SHOAL_ALLOC(ctx, column->codes, rows);
    for (size_t row = 0; row < rows; row++) {
        column->codes[row] = shoal_i_quasi_code(quasi, c, row);
    }
    SHOAL_TRY(order_numbers(ctx, &column->numbers, quasi, c));
    SHOAL_TRY(list_records(ctx, column, rows));
done:
    return st;
}

static shoal_status build_other(shoal_ctx *ctx, shoal_i_truth_column *column,
                                const shoal_i_sensitive *other, size_t rows)
{
    shoal_status st = SHOAL_OK;

    column->value_count = other->value_count;
    SHOAL_ALLOC(ctx, column->codes, rows);
    memcpy(column->codes, other->codes, rows * sizeof *column->codes);
    if (other->table) {
        SHOAL_TRY(shoal_i_answer_numbers(ctx, &column->numbers, other->table, other->column));
    }
    SHOAL_TRY(list_records(ctx, column, rows));
done:
    return st;
}

shoal_status shoal_i_truth_build(shoal_ctx *ctx, shoal_i_truth **out,
                                 const shoal_i_quasi *quasi, const shoal_i_sensitive *others,
                                 size_t other_count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_truth *exact = NULL;
    size_t rows = shoal_table_row_count(quasi->table);

    *out = NULL;
    SHOAL_ALLOC(ctx, exact, 1);
    exact->record_count = rows;
    exact->word_count = (rows + 63) / 64;
    exact->column_count = quasi->count + other_count;
    SHOAL_ALLOC(ctx, exact->columns, exact->column_count);
    for (size_t c = 0; c < quasi->count; c++) {
        SHOAL_TRY(build_quasi(ctx, &exact->columns[c], quasi, c, rows));
    }
    for (size_t j = 0; j < other_count; j++) {
        SHOAL_TRY(build_other(ctx, &exact->columns[quasi->count + j], &others[j], rows));
    }
    for (size_t c = 0; c < exact->column_count; c++) {
        SHOAL_TRY(mark_records(ctx, &exact->columns[c], rows, exact->word_count));
    }
    *out = exact;
    exact = NULL;
done:
    shoal_i_truth_free(exact);
    return st;
}

/* --- Answers. --------------------------------------------------------------------------- */

/* Records that a selection leaves. */
static size_t count_chosen(const shoal_i_truth_column *column,
                           const shoal_i_selection *selection)
{
    size_t count = 0;

    for (size_t code = 0; code < column->value_count; code++) {
        count += selection->chosen[code] ? column->starts[code + 1] - column->starts[code] : 0;
    }
    return count;
}

static size_t find_narrowest(const shoal_i_truth *exact, const shoal_i_question *question,
                             size_t *count_out)
{
    size_t best = exact->column_count;
    size_t fewest = SIZE_MAX;

    for (size_t c = 0; c < exact->column_count; c++) {
        if (!question->selections[c].is_any) {
            size_t count = count_chosen(&exact->columns[c], &question->selections[c]);

            if (count < fewest) {
                fewest = count;
                best = c;
            }
        }
    }
    *count_out = fewest;
    return best;
}

static void add_record(const shoal_i_truth *exact, const shoal_i_question *question,
                       size_t best, uint32_t record, shoal_i_answer *answer)
{
    for (size_t c = 0; c < exact->column_count; c++) {
        if (c != best && !question->selections[c].is_any &&
            !question->selections[c].chosen[exact->columns[c].codes[record]]) {
            return;
        }
    }
    answer->count++;
    if (question->aggregate != SHOAL_I_COUNT) {
        const shoal_i_truth_column *target = &exact->columns[question->target];

        answer->sum += target->numbers[target->codes[record]];
    }
}

/* --- By bits. --------------------------------------------------------------------------- */

/* How many of a column's codes are joined to find what is chosen: these, or the others. */
static size_t count_joined(const shoal_i_truth_column *column,
                           const shoal_i_selection *selection, bool *are_chosen)
{
    size_t chosen = 0;

    for (size_t code = 0; code < column->value_count; code++) {
        chosen += selection->chosen[code];
    }
    *are_chosen = 2 * chosen <= column->value_count;
    return *are_chosen ? chosen : column->value_count - chosen;
}

/* What it costs, in words, to intersect the columns that have bits and to look at the records
 * left, as many as if columns did not depend on each other, for those that have none. Infinite
 * when no column has bits. */
static double find_bits_cost(const shoal_i_truth *exact, const shoal_i_question *question)
{
    double cost = 0;
    double left = (double)exact->record_count;
    bool has_rest = false;

    for (size_t c = 0; c < exact->column_count; c++) {
        const shoal_i_truth_column *column = &exact->columns[c];
        const shoal_i_selection *selection = &question->selections[c];
        bool are_chosen = false;

        if (selection->is_any) {
            continue;
        }
        if (!column->bits) {
            has_rest = true;
            continue;
        }
        cost += (double)exact->word_count *
                (double)(2 + count_joined(column, selection, &are_chosen));
        left *= (double)count_chosen(column, selection) / (double)exact->record_count;
    }
    if (cost == 0) {
        return HUGE_VAL;
    }
    return has_rest ? cost + left * RECORD_COST : cost;
}

/* kept &= records whose code is chosen in a column. */
static void keep_chosen(const shoal_i_truth *exact, const shoal_i_selection *selection,
                        size_t c, uint64_t *kept, uint64_t *joined)
{
    const shoal_i_truth_column *column = &exact->columns[c];
    size_t words = exact->word_count;
    bool are_chosen = false;

    (void)count_joined(column, selection, &are_chosen);
    memset(joined, 0, words * sizeof *joined);
    for (size_t code = 0; code < column->value_count; code++) {
        const uint64_t *bits = column->bits + code * words;

        if (selection->chosen[code] == are_chosen) {
            for (size_t i = 0; i < words; i++) {
                joined[i] |= bits[i];
            }
        }
    }
    for (size_t i = 0; i < words; i++) {
        kept[i] &= are_chosen ? joined[i] : ~joined[i];
    }
}

/* kept &= records that the columns without bits leave. */
static void keep_rest(const shoal_i_truth *exact, const shoal_i_question *question,
                      uint64_t *kept)
{
    for (size_t c = 0; c < exact->column_count; c++) {
        const shoal_i_truth_column *column = &exact->columns[c];

        if (question->selections[c].is_any || column->bits) {
            continue;
        }
        for (size_t i = 0; i < exact->word_count; i++) {
            for (uint64_t word = kept[i]; word; word &= word - 1) {
                size_t record = i * 64 + (size_t)__builtin_ctzll(word);

                if (!question->selections[c].chosen[column->codes[record]]) {
                    kept[i] &= ~(word & -word);
                }
            }
        }
    }
}

static shoal_i_answer answer_by_bits(const shoal_i_truth *exact,
                                     const shoal_i_question *question, uint64_t *scratch)
{
    shoal_i_answer answer = {0};
    uint64_t *kept = scratch;
    uint64_t count = 0;

    memset(kept, 0xFF, exact->word_count * sizeof *kept);
    if (exact->record_count % 64) {
        kept[exact->word_count - 1] = ((uint64_t)1 << (exact->record_count % 64)) - 1;
    }
    for (size_t c = 0; c < exact->column_count; c++) {
        if (!question->selections[c].is_any && exact->columns[c].bits) {
            keep_chosen(exact, &question->selections[c], c, kept, kept + exact->word_count);
        }
    }
    keep_rest(exact, question, kept);
    for (size_t i = 0; i < exact->word_count; i++) {
        count += shoal_i_count_bits(kept[i]);
    }
    answer.count = (double)count;
    if (question->aggregate != SHOAL_I_COUNT) {
        const shoal_i_truth_column *target = &exact->columns[question->target];

        for (size_t i = 0; i < exact->word_count; i++) {
            for (uint64_t word = kept[i]; word; word &= word - 1) {
                answer.sum +=
                    target->numbers[target->codes[i * 64 + (size_t)__builtin_ctzll(word)]];
            }
        }
    }
    return answer;
}

shoal_i_answer shoal_i_answer_exact(const shoal_i_truth *exact,
                                    const shoal_i_question *question, uint64_t *scratch)
{
    shoal_i_answer answer = {0};
    size_t fewest = 0;
    size_t best = find_narrowest(exact, question, &fewest);

    if (best == exact->column_count) {
        for (size_t record = 0; record < exact->record_count; record++) {
            add_record(exact, question, best, (uint32_t)record, &answer);
        }
        return answer;
    }
    /* A record that is looked at costs about as much as this many words. */
    if (find_bits_cost(exact, question) / RECORD_COST < (double)fewest) {
        return answer_by_bits(exact, question, scratch);
    }
    const shoal_i_truth_column *column = &exact->columns[best];

    for (size_t code = 0; code < column->value_count; code++) {
        if (question->selections[best].chosen[code]) {
            for (uint32_t at = column->starts[code]; at < column->starts[code + 1]; at++) {
                add_record(exact, question, best, column->records[at], &answer);
            }
        }
    }
    return answer;
}
