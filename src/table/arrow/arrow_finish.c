#include "arrow_coder.h"

#include "arrow_text.h"

#include <assert.h>

#define BLOCK 1024 /* records at a time */

static double value_of_number(const void *payload, uint64_t number)
{
    const shoal_i_arrow_coder *coder = payload;
    double value;
    int64_t rest;

    switch (coder->type.kind) {
    case SHOAL_I_ARROW_FLOAT:
        memcpy(&value, &number, sizeof value);
        return value;
    case SHOAL_I_ARROW_INSTANT:
        return (double)shoal_i_instant_days(&rest, (int64_t)number, &coder->type);
    default:
        return (double)(int64_t)number;
    }
}

static size_t write_number(char out[SHOAL_I_NUMBER_MAX], double *value, const void *payload,
                           uint64_t number)
{
    const shoal_i_arrow_coder *coder = payload;
    size_t length = 0;

    *value = value_of_number(payload, number);
    switch (coder->type.kind) {
    case SHOAL_I_ARROW_INTEGER:
        return shoal_i_text_from_int64(out, (int64_t)number);
    case SHOAL_I_ARROW_FLOAT:
        if (coder->type.width == 8) {
            return shoal_i_text_from_double(out, *value);
        }
        length = shoal_i_text_from_float(out, (float)*value);
        shoal_i_text_to_double(value, out, length);
        return length;
    default:
        return shoal_i_text_from_date(out, (int32_t)*value);
    }
}

/* Numbers that become texts: of integers beyond 2^53, instants with a time, truth values. */
static size_t write_text(char out[SHOAL_I_ARROW_TEXT_MAX], const shoal_i_arrow_coder *coder,
                         uint64_t number)
{
    switch (coder->type.kind) {
    case SHOAL_I_ARROW_INSTANT:
        return shoal_i_instant_text(out, (int64_t)number, &coder->type, coder->digits);
    case SHOAL_I_ARROW_BOOL:
        memcpy(out, number ? "true" : "false", number ? 5 : 6);
        return number ? 4 : 5;
    default:
        return coder->type.is_signed ? shoal_i_text_from_int64(out, (int64_t)number)
                                     : shoal_i_unsigned_text(out, number);
    }
}

/* Replace the numbers by their texts. Each number has a text of its own, so indices stay. */
static shoal_status replace_numbers(shoal_ctx *ctx, shoal_i_arrow_coder *coder)
{
    shoal_status st = SHOAL_OK;
    shoal_i_dictionary texts = {0};

    for (uint32_t i = 1; i <= coder->values.count; i++) {
        char text[SHOAL_I_ARROW_TEXT_MAX];
        size_t length = write_text(text, coder, shoal_i_dictionary_number(&coder->values, i));
        uint32_t index;

        SHOAL_TRY(shoal_i_dictionary_add(ctx, &texts, &index, text, length));
        assert(index == i);
    }
    shoal_i_dictionary_clear(&coder->values);
    coder->values = texts;
    texts = (shoal_i_dictionary){0};
done:
    shoal_i_dictionary_clear(&texts);
    return st;
}

static shoal_type find_type(const shoal_i_arrow_coder *coder)
{
    switch (coder->type.kind) {
    case SHOAL_I_ARROW_INTEGER:
        return coder->is_beyond ? SHOAL_TYPE_STRING : SHOAL_TYPE_INTEGER;
    case SHOAL_I_ARROW_DECIMAL:
        return coder->is_beyond        ? SHOAL_TYPE_STRING
               : coder->type.scale > 0 ? SHOAL_TYPE_REAL
                                       : SHOAL_TYPE_INTEGER;
    case SHOAL_I_ARROW_FLOAT:
        return SHOAL_TYPE_REAL;
    case SHOAL_I_ARROW_DATE:
        return SHOAL_TYPE_DATE;
    case SHOAL_I_ARROW_INSTANT:
        return coder->has_time ? SHOAL_TYPE_STRING : SHOAL_TYPE_DATE;
    default:
        return SHOAL_TYPE_STRING;
    }
}

static shoal_status build_values(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                                 shoal_i_column *column, uint32_t **code_of)
{
    shoal_status st = SHOAL_OK;
    shoal_i_arrow_kind kind = coder->type.kind;
    shoal_i_column_rules rules = {.type = find_type(coder)};
    shoal_i_number_rules number_rules = {
        .type = rules.type, .value = value_of_number, .write = write_number, .payload = coder};
    bool has_texts = kind == SHOAL_I_ARROW_TEXT || kind == SHOAL_I_ARROW_VIEW ||
                     kind == SHOAL_I_ARROW_DECIMAL || kind == SHOAL_I_ARROW_NULL;
    bool has_bad = false;

    if (!has_texts && rules.type != SHOAL_TYPE_STRING) {
        return shoal_i_column_build_numbers(ctx, column, code_of, &coder->values,
                                            &number_rules);
    }
    if (!has_texts) {
        SHOAL_TRY(replace_numbers(ctx, coder));
    }
    SHOAL_TRY(shoal_i_column_build(ctx, column, code_of, &has_bad, &coder->values, &rules));
    assert(!has_bad);
done:
    return st;
}

/* Codes from indices, a block at a time; both arrays have the smallest elements they can. */
static void recode(shoal_i_column *column, const shoal_i_arrow_coder *coder,
                   const uint32_t *code_of)
{
    shoal_i_codes indices = {.data = coder->indices, .width = coder->width};
    uint32_t codes[BLOCK];

    for (size_t first = 0; first < coder->count; first += BLOCK) {
        size_t left = coder->count - first;
        size_t count = left < BLOCK ? left : BLOCK;

        shoal_i_codes_widen(codes, indices, first, count);
        for (size_t i = 0; i < count; i++) {
            codes[i] = code_of[codes[i]];
        }
        shoal_i_codes_narrow(column->codes, column->width, first, codes, count);
    }
}

shoal_status shoal_i_arrow_finish(shoal_ctx *ctx, shoal_i_arrow_coder *coder,
                                  shoal_i_column *column)
{
    shoal_status st = SHOAL_OK;
    uint32_t *code_of = NULL;

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(build_values(ctx, coder, column, &code_of));
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, column, coder->count));
    recode(column, coder, code_of);
    shoal_i_column_count_missing(column, coder->count);
done:
    free(code_of);
    shoal_i_arrow_coder_clear(coder);
    return st;
}
