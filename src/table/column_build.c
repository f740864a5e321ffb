#include "column_build.h"

#include "grow.h"
#include "sort_keys.h"
#include "value_type.h"

#include <assert.h>

const char *const shoal_i_usual_tokens[SHOAL_I_USUAL_TOKENS] = {"", "?"};

/* What building a column holds on the way. Arrays by index have dictionary->count + 1 entries.
 */
typedef struct builder {
    shoal_i_column *column;
    const shoal_i_dictionary *dictionary;
    const shoal_i_column_rules *rules;
    bool *is_missing;         /* by index */
    double *number_of;        /* by index; numeric types only */
    uint32_t *code_of;        /* by index */
    shoal_i_sort_item *items; /* the values that are not missing, in the end in code order */
    shoal_i_sort_item *scratch;
    size_t item_count;
    uint32_t *chosen; /* index whose text each code takes */
    const char *missing_text;
    bool has_bad;
} builder;

static shoal_status alloc_builder(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;
    size_t count = (size_t)b->dictionary->count + 1;

    SHOAL_ALLOC(ctx, b->is_missing, count);
    SHOAL_ALLOC(ctx, b->code_of, count);
    SHOAL_ALLOC(ctx, b->items, count);
    SHOAL_ALLOC(ctx, b->scratch, count);
    SHOAL_ALLOC(ctx, b->chosen, count);
done:
    return st;
}

static void clear_builder(builder *b)
{
    free(b->is_missing);
    free(b->number_of);
    free(b->code_of);
    free(b->items);
    free(b->scratch);
    free(b->chosen);
}

/* All tokens that occur become the one missing value; its text is the first of them in the
 * list. */
static void mark_missing(builder *b)
{
    b->missing_text = b->rules->missing_token_count ? b->rules->missing_tokens[0] : "";
    for (size_t i = b->rules->missing_token_count; i-- > 0;) {
        const char *token = b->rules->missing_tokens[i];
        uint32_t index = shoal_i_dictionary_find(b->dictionary, token, strlen(token));

        if (index != 0) {
            b->is_missing[index] = true;
            b->missing_text = token;
        }
    }
}

/* --- Order. --- */

static void add_item(builder *b, uint32_t index, uint64_t key)
{
    b->items[b->item_count++] = (shoal_i_sort_item){.key = key, .item = index};
}

static int compare_texts(const void *payload, uint32_t a, uint32_t b)
{
    const shoal_i_dictionary *dictionary = payload;
    size_t a_length;
    size_t b_length;
    const char *a_text = shoal_i_dictionary_text(dictionary, a, &a_length);
    const char *b_text = shoal_i_dictionary_text(dictionary, b, &b_length);
    int order = memcmp(a_text, b_text, a_length < b_length ? a_length : b_length);

    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* Items from first on that have the same key. */
static size_t count_ties(const builder *b, size_t first)
{
    size_t last = first + 1;

    while (last < b->item_count && b->items[last].key == b->items[first].key) {
        last++;
    }
    return last - first;
}

#define KEY_BYTES 8 /* of a text, in the key of an item */

/* Sort texts that agree in their first bytes: by the next ones, and what agrees still as a
 * whole. */
static void sort_ties(builder *b, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        size_t length;
        const char *text = shoal_i_dictionary_text(b->dictionary, b->items[i].item, &length);
        size_t passed = length < KEY_BYTES ? length : KEY_BYTES;

        b->items[i].key = shoal_i_sort_key_of_text(text + passed, length - passed);
    }
    shoal_i_sort_items(b->items + first, b->scratch, end - first);
    for (size_t i = first, ties; i < end; i += ties) {
        for (ties = 1; i + ties < end && b->items[i + ties].key == b->items[i].key;) {
            ties++;
        }
        if (ties > 1) {
            shoal_i_sort_by_value(b->items + i, b->scratch, ties, compare_texts, b->dictionary);
        }
    }
}

static void sort_strings(builder *b)
{
    for (uint32_t index = 1; index <= b->dictionary->count; index++) {
        size_t length;
        const char *text = shoal_i_dictionary_text(b->dictionary, index, &length);

        if (!b->is_missing[index]) {
            add_item(b, index, shoal_i_sort_key_of_text(text, length));
        }
    }
    shoal_i_sort_items(b->items, b->scratch, b->item_count);
    for (size_t first = 0, ties; first < b->item_count; first += ties) {
        ties = count_ties(b, first);
        if (ties > 1) {
            sort_ties(b, first, first + ties);
        }
    }
}

static void sort_numbers(builder *b)
{
    for (uint32_t index = 1; index <= b->dictionary->count; index++) {
        if (!b->is_missing[index] && b->code_of[index] != SHOAL_I_CODE_BAD) {
            add_item(b, index, shoal_i_sort_key_of_number(b->number_of[index]));
        }
    }
    shoal_i_sort_items(b->items, b->scratch, b->item_count);
}

/* The numbers of all values; those that have none are marked. */
static shoal_status parse_numbers(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, b->number_of, (size_t)b->dictionary->count + 1);
    for (uint32_t index = 1; index <= b->dictionary->count; index++) {
        size_t length;
        const char *text = shoal_i_dictionary_text(b->dictionary, index, &length);

        if (!b->is_missing[index] &&
            !shoal_i_value_number(&b->number_of[index], b->column->type, text, length)) {
            b->code_of[index] = SHOAL_I_CODE_BAD;
            b->has_bad = true;
        }
    }
done:
    return st;
}

/* --- Codes. --- */

/* Whether a is the better text for a number that both stand for: shorter, then first by bytes.
 */
static bool is_better_text(const builder *b, uint32_t a, uint32_t than)
{
    size_t a_length;
    size_t length;

    shoal_i_dictionary_text(b->dictionary, a, &a_length);
    shoal_i_dictionary_text(b->dictionary, than, &length);
    if (a_length != length) {
        return a_length < length;
    }
    return compare_texts(b->dictionary, a, than) < 0;
}

/* Number the sorted values; texts of the same number share a code. */
static void assign_codes(builder *b)
{
    uint32_t code = 0;
    bool is_string = b->column->type == SHOAL_TYPE_STRING;

    for (size_t first = 0, ties; first < b->item_count; first += ties, code++) {
        uint32_t best = b->items[first].item;

        ties = is_string ? 1 : count_ties(b, first);
        b->code_of[best] = code;
        for (size_t i = first + 1; i < first + ties; i++) {
            uint32_t index = b->items[i].item;

            b->code_of[index] = code;
            if (is_better_text(b, index, best)) {
                best = index;
            }
        }
        b->chosen[code] = best;
    }
    b->column->value_count = code;
    b->code_of[0] = code;
    for (uint32_t index = 1; index <= b->dictionary->count; index++) {
        if (b->is_missing[index]) {
            b->code_of[index] = code;
        }
    }
}

/* Codes that lie so far ahead that memory can be fetched meanwhile: arrival is not sorted. */
#define AHEAD 16

static void announce_value(const builder *b, uint32_t code)
{
    if (code + AHEAD < b->column->value_count) {
        shoal_i_dictionary_announce(b->dictionary, b->chosen[code + AHEAD]);
    }
}

static shoal_status store_values(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;
    shoal_i_column *column = b->column;
    size_t size = strlen(b->missing_text) + 1;
    size_t length = 0;

    for (uint32_t code = 0; code < column->value_count; code++) {
        announce_value(b, code);
        shoal_i_dictionary_text(b->dictionary, b->chosen[code], &length);
        size += length + 1;
    }
    SHOAL_ALLOC(ctx, column->starts, (size_t)column->value_count + 2);
    SHOAL_ALLOC(ctx, column->texts, size);
    if (b->number_of) {
        SHOAL_ALLOC(ctx, column->numbers, column->value_count);
    }
    for (uint32_t code = 0; code < column->value_count; code++) {
        announce_value(b, code);
        const char *text = shoal_i_dictionary_text(b->dictionary, b->chosen[code], &length);

        memcpy(column->texts + column->starts[code], text, length);
        column->starts[code + 1] = column->starts[code] + length + 1;
        if (b->number_of) {
            column->numbers[code] = b->number_of[b->chosen[code]];
        }
    }
    memcpy(column->texts + column->starts[column->value_count], b->missing_text,
           strlen(b->missing_text));
    column->starts[column->value_count + 1] = size;
done:
    return st;
}

static shoal_status build_usual(shoal_ctx *ctx, shoal_i_column *column, uint32_t **code_of,
                                bool *has_bad, const shoal_i_dictionary *dictionary,
                                const shoal_i_column_rules *rules)
{
    shoal_status st = SHOAL_OK;
    builder b = {.column = column, .dictionary = dictionary, .rules = rules};

    *code_of = NULL;
    *has_bad = false;
    SHOAL_TRY(alloc_builder(ctx, &b));
    mark_missing(&b);
    column->type = rules->type == SHOAL_TYPE_AUTO ? shoal_i_value_type(dictionary, b.is_missing)
                                                  : rules->type;
    if (column->type == SHOAL_TYPE_STRING) {
        sort_strings(&b);
    } else {
        SHOAL_TRY(parse_numbers(ctx, &b));
        sort_numbers(&b);
    }
    assign_codes(&b);
    SHOAL_TRY(store_values(ctx, &b));
    *has_bad = b.has_bad;
    *code_of = b.code_of;
    b.code_of = NULL;
done:
    clear_builder(&b);
    return st;
}

/* What is no number by the format is none at all: 1.5 where the decimal mark is a comma. Dates
 * in the usual form have one reading only. */
static shoal_type find_untranslated_type(const shoal_i_dictionary *dictionary)
{
    for (uint32_t index = 1; index <= dictionary->count; index++) {
        size_t length;
        const char *text = shoal_i_dictionary_text(dictionary, index, &length);

        if (shoal_i_value_is(SHOAL_TYPE_DATE, text, length)) {
            return SHOAL_TYPE_AUTO;
        }
    }
    return SHOAL_TYPE_STRING;
}

shoal_status shoal_i_column_build(shoal_ctx *ctx, shoal_i_column *column, uint32_t **code_of,
                                  bool *has_bad, const shoal_i_dictionary *dictionary,
                                  const shoal_i_column_rules *rules)
{
    shoal_status st = SHOAL_OK;
    shoal_i_dictionary usual = {0};
    shoal_i_column_rules own = *rules;
    uint32_t *index_of = NULL;
    uint32_t *usual_codes = NULL;

    *code_of = NULL;
    *has_bad = false;
    if (shoal_i_value_format_is_usual(&rules->format)) {
        return build_usual(ctx, column, code_of, has_bad, dictionary, rules);
    }
    SHOAL_TRY(shoal_i_value_format_apply(ctx, &usual, &index_of, dictionary, &rules->format,
                                         rules->type, rules->missing_tokens,
                                         rules->missing_token_count));
    if (!index_of) {
        own.type =
            rules->type == SHOAL_TYPE_AUTO ? find_untranslated_type(dictionary) : rules->type;
        SHOAL_TRY(build_usual(ctx, column, code_of, has_bad, dictionary, &own));
        goto done;
    }
    SHOAL_TRY(build_usual(ctx, column, &usual_codes, has_bad, &usual, &own));
    for (uint32_t index = 1; index <= dictionary->count; index++) {
        index_of[index] = usual_codes[index_of[index]];
    }
    index_of[0] = usual_codes[0];
    *code_of = index_of;
    index_of = NULL;
done:
    shoal_i_dictionary_clear(&usual);
    free(index_of);
    free(usual_codes);
    return st;
}

/* --- From numbers. --- */

/* Append the text of a code behind those of the codes before it. */
static shoal_status store_number(shoal_ctx *ctx, builder *b, size_t *capacity, uint32_t code,
                                 const shoal_i_number_rules *rules)
{
    shoal_i_column *column = b->column;
    size_t start = column->starts[code];
    uint64_t number = shoal_i_dictionary_number(b->dictionary, b->chosen[code]);
    /* Room for the longest text, and for that of missing behind the last. */
    char *texts = shoal_i_grow(ctx, column->texts, capacity, start + SHOAL_I_NUMBER_MAX + 1, 1);

    if (!texts) {
        return SHOAL_ENOMEM;
    }
    column->texts = texts;
    column->starts[code + 1] =
        start + 1 + rules->write(texts + start, &column->numbers[code], rules->payload, number);
    return SHOAL_OK;
}

static shoal_status store_numbers(shoal_ctx *ctx, builder *b, const shoal_i_number_rules *rules)
{
    shoal_status st = SHOAL_OK;
    shoal_i_column *column = b->column;
    size_t capacity = 1;

    SHOAL_ALLOC(ctx, column->texts, capacity);
    SHOAL_ALLOC(ctx, column->starts, (size_t)column->value_count + 2);
    SHOAL_ALLOC(ctx, column->numbers, column->value_count);
    for (uint32_t code = 0; code < column->value_count; code++) {
        SHOAL_TRY(store_number(ctx, b, &capacity, code, rules));
    }
    size_t end = column->starts[column->value_count];

    column->texts[end] = '\0';
    column->starts[column->value_count + 1] = end + 1;
done:
    return st;
}

shoal_status shoal_i_column_build_numbers(shoal_ctx *ctx, shoal_i_column *column,
                                          uint32_t **code_of, const shoal_i_dictionary *numbers,
                                          const shoal_i_number_rules *rules)
{
    shoal_status st = SHOAL_OK;
    builder b = {.column = column, .dictionary = numbers};

    assert(rules->type != SHOAL_TYPE_STRING && rules->type != SHOAL_TYPE_AUTO);
    *code_of = NULL;
    column->type = rules->type;
    SHOAL_TRY(alloc_builder(ctx, &b));
    for (uint32_t index = 1; index <= numbers->count; index++) {
        double value = rules->value(rules->payload, shoal_i_dictionary_number(numbers, index));

        add_item(&b, index, shoal_i_sort_key_of_number(value));
    }
    shoal_i_sort_items(b.items, b.scratch, b.item_count);
    for (uint32_t code = 0; code < b.item_count; code++) {
        b.chosen[code] = b.items[code].item;
        b.code_of[b.chosen[code]] = code;
    }
    column->value_count = (uint32_t)b.item_count;
    b.code_of[0] = column->value_count;
    SHOAL_TRY(store_numbers(ctx, &b, rules));
    *code_of = b.code_of;
    b.code_of = NULL;
done:
    clear_builder(&b);
    return st;
}

/* --- Fewer values. --- */

static void copy_value(shoal_i_column *column, uint32_t to, const shoal_i_column *original,
                       uint32_t from)
{
    size_t size = original->starts[from + 1] - original->starts[from];

    memcpy(column->texts + column->starts[to], original->texts + original->starts[from], size);
    column->starts[to + 1] = column->starts[to] + size;
}

shoal_status shoal_i_column_restrict(shoal_ctx *ctx, shoal_i_column *column, uint32_t **code_of,
                                     const shoal_i_column *original, const bool *is_used)
{
    shoal_status st = SHOAL_OK;
    uint32_t *map = NULL;
    uint32_t count = 0;

    *code_of = NULL;
    column->type = original->type;
    SHOAL_ALLOC(ctx, map, (size_t)original->value_count + 1);
    SHOAL_ALLOC(ctx, column->texts, original->starts[original->value_count + 1]);
    SHOAL_ALLOC(ctx, column->starts, (size_t)original->value_count + 2);
    if (original->numbers) {
        SHOAL_ALLOC(ctx, column->numbers, original->value_count);
    }
    for (uint32_t code = 0; code < original->value_count; code++) {
        map[code] = count;
        if (is_used[code]) {
            copy_value(column, count, original, code);
            if (original->numbers) {
                column->numbers[count] = original->numbers[code];
            }
            count++;
        }
    }
    copy_value(column, count, original, original->value_count);
    map[original->value_count] = count;
    column->value_count = count;
    *code_of = map;
    map = NULL;
done:
    free(map);
    return st;
}
