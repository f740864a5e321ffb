/* The verdict on all that was published, and what it lost, from its classes. */
#include "classes.h"

#include "../../base/entry.h"
#include "../../base/sized.h"
#include "../../base/sort.h"
#include "../../measure/recount.h"
#include "../../table/column_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- The texts of classes, as a table of one row each. ---------------------------------- */

/* Cut the next text off a key; false: the key is none. */
static bool take_text(const char **text, size_t *length, const char **key, size_t *left)
{
    size_t count = 0;
    size_t at = 0;

    while (at < *left && (*key)[at] >= '0' && (*key)[at] <= '9' && count <= *left) {
        count = 10 * count + (size_t)((*key)[at++] - '0');
    }
    if (at == 0 || at >= *left || (*key)[at] != ':' || count > *left - at - 1) {
        return false;
    }
    *text = *key + at + 1;
    *length = count;
    *left -= at + 1 + count;
    *key = *text + count;
    return true;
}

/* The distinct texts of a column and the one of each class. */
static shoal_status read_texts(shoal_ctx *ctx, shoal_i_dictionary *texts, uint32_t *text_of,
                               const shoal_classes *classes, size_t column)
{
    shoal_status st = SHOAL_OK;

    for (uint32_t index = 1; index <= classes->keys.count; index++) {
        size_t left = 0;
        const char *key = shoal_i_dictionary_text(&classes->keys, index, &left);
        const char *text = NULL;
        size_t length = 0;
        bool is_key = true;

        for (size_t i = 0; i <= column && is_key; i++) {
            is_key = take_text(&text, &length, &key, &left);
        }
        if (!is_key || (column + 1 == classes->name_count && left > 0)) {
            return shoal_i_fail(ctx, SHOAL_EFORMAT, "The classes of a release make no sense.");
        }
        SHOAL_TRY(shoal_i_dictionary_add(ctx, texts, &text_of[index - 1], text, length));
    }
done:
    return st;
}

static shoal_status build_column(shoal_ctx *ctx, shoal_table *table, size_t column,
                                 const shoal_classes *classes)
{
    shoal_status st = SHOAL_OK;
    shoal_i_column *to = &table->columns[column];
    shoal_i_dictionary texts = {0};
    shoal_i_column_rules rules = {.type = SHOAL_TYPE_STRING};
    uint32_t *text_of = NULL;
    uint32_t *code_of = NULL;
    bool has_bad = false;
    const char *name = classes->names[column];

    SHOAL_ALLOC(ctx, text_of, table->row_count);
    SHOAL_TRY(shoal_i_table_set_name(ctx, table, column, name, strlen(name)));
    SHOAL_TRY(read_texts(ctx, &texts, text_of, classes, column));
    SHOAL_TRY(shoal_i_column_build(ctx, to, &code_of, &has_bad, &texts, &rules));
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, table->row_count));
    for (size_t row = 0; row < table->row_count; row++) {
        shoal_i_codes_narrow(to->codes, to->width, row, &code_of[text_of[row]], 1);
    }
done:
    free(text_of);
    free(code_of);
    shoal_i_dictionary_clear(&texts);
    return st;
}

static shoal_status build_texts(shoal_ctx *ctx, shoal_table **out, const shoal_classes *classes)
{
    shoal_status st = SHOAL_OK;
    shoal_table *table = NULL;

    SHOAL_TRY(shoal_i_table_new(ctx, &table, "", classes->name_count));
    table->row_count = classes->keys.count;
    for (size_t i = 0; i < classes->name_count; i++) {
        SHOAL_TRY(build_column(ctx, table, i, classes));
    }
    *out = table;
    table = NULL;
done:
    shoal_table_free(table);
    return st;
}

/* --- Loss. ------------------------------------------------------------------------------ */

/* Boxes are distinct and sorted, so the sum does not depend on the order of parts. */
static shoal_status measure_loss(shoal_ctx *ctx, shoal_division_outcome *out,
                                 const shoal_division *d, const shoal_classes *classes)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = d->prepared.quasi;
    shoal_table *texts = NULL;
    shoal_i_release *parsed = NULL;
    uint64_t *records = NULL;

    SHOAL_TRY(build_texts(ctx, &texts, classes));
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, quasi, texts));
    SHOAL_ALLOC(ctx, records, parsed->box_count);
    for (size_t row = 0; row < parsed->row_count; row++) {
        records[parsed->box_of[row]] += classes->sizes[row + 1];
    }
    for (size_t b = 0; b < parsed->box_count; b++) {
        const shoal_i_interval *box = parsed->boxes + b * quasi->count;
        double penalty = 0;

        for (size_t c = 0; c < quasi->count; c++) {
            penalty += quasi->columns[c].weight *
                       shoal_i_quasi_loss(&quasi->columns[c], box[c].lo, box[c].hi);
        }
        out->ncp += penalty * (double)records[b];
    }
    if (classes->record_count > 0) {
        out->gcp = out->ncp / quasi->weight_sum / (double)classes->record_count;
    }
done:
    free(records);
    shoal_i_release_free(parsed);
    shoal_table_free(texts);
    return st;
}

/* --- Persons. --------------------------------------------------------------------------- */

/* The rows of classes, class after class and in each of them person after person. */
typedef struct person_rows {
    uint32_t *order;
    uint64_t persons; /* in all */
} person_rows;

/* Sort the rows by person: the totals of sensitive columns are theirs, code_of[column][text]
 * leads to the place of each. Then by class. */
static shoal_status sort_rows(shoal_ctx *ctx, person_rows *out, shoal_i_totals *totals,
                              const shoal_table *table, const shoal_classes *classes,
                              uint32_t *const *code_of)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_class_rows *rows = &classes->rows;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    uint64_t **last = NULL; /* of each value: the person it was last seen with */

    SHOAL_ALLOC(ctx, items, rows->count);
    SHOAL_ALLOC(ctx, scratch, rows->count);
    SHOAL_ALLOC(ctx, out->order, rows->count);
    SHOAL_ALLOC(ctx, last, classes->value_count);
    for (size_t i = 0; i < classes->value_count; i++) {
        size_t values = shoal_table_value_count(table, i) + 1;

        if (!totals->counts[i]) {
            st = shoal_i_fail(
                ctx, SHOAL_EINVAL,
                "The classes have a column \"%s\" that no requirement reads; count "
                "them anew by the spec of the division.",
                shoal_table_name(table, i));
            goto done;
        }
        SHOAL_ALLOC(ctx, last[i], values);
        memset(totals->counts[i], 0, values * sizeof *totals->counts[i]);
    }
    for (uint32_t row = 0; row < rows->count; row++) {
        items[row] = (shoal_i_sort_item){.key = rows->persons[row], .item = row};
    }
    shoal_i_sort_items(items, scratch, rows->count);
    for (size_t at = 0; at < rows->count; at++) {
        bool is_same = at > 0 && items[at].key == items[at - 1].key && items[at].key != 0;
        uint32_t row = items[at].item;

        out->persons += !is_same;
        for (size_t i = 0; i < classes->value_count; i++) {
            uint32_t code = code_of[i][rows->texts[row * classes->value_count + i]];

            totals->counts[i][code] += last[i][code] != out->persons;
            last[i][code] = out->persons;
        }
    }
    for (size_t at = 0; at < rows->count; at++) {
        items[at].key = rows->classes[items[at].item];
    }
    shoal_i_sort_items(items, scratch, rows->count);
    for (size_t at = 0; at < rows->count; at++) {
        out->order[at] = items[at].item;
    }
done:
    for (size_t i = 0; last && i < classes->value_count; i++) {
        free(last[i]);
    }
    free(last);
    free(items);
    free(scratch);
    return st;
}

/* --- The verdict. ----------------------------------------------------------------------- */

/* Requirements by the shares of the published values, and the classes in an order of their
 * own. */
typedef struct judging {
    const shoal_classes *classes;
    shoal_table *table; /* of the sensitive columns, without codes */
    shoal_i_totals totals;
    shoal_i_bound_requirements requirements;
    uint32_t **code_of;        /* of each sensitive column, by index of a text */
    shoal_i_sort_item **pairs; /* of each of them, sorted: class, then text; and its index */
    person_rows rows;          /* where persons are counted, in place of pairs */
    shoal_i_recount recount;
} judging;

/* Texts that are one value by the spec get the code of the first of them. */
static shoal_status load_values(shoal_ctx *ctx, judging *j, size_t i, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sameness same = shoal_i_column_sameness(spec, shoal_table_name(j->table, i));
    shoal_i_same_values same_values = {0};
    shoal_i_arena arena = {0};
    const shoal_i_class_values *values = &j->classes->values[i];
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, j->pairs[i], values->pairs.count);
    SHOAL_ALLOC(ctx, scratch, values->pairs.count);
    for (uint32_t index = 1; index <= values->pairs.count; index++) {
        j->pairs[i][index - 1] = (shoal_i_sort_item){
            .key = shoal_i_dictionary_number(&values->pairs, index), .item = index};
    }
    shoal_i_sort_items(j->pairs[i], scratch, values->pairs.count);
    SHOAL_TRY(shoal_i_same_values_find(ctx, &same_values, &arena, j->table, i, &same));
    SHOAL_ALLOC(ctx, j->code_of[i], (size_t)values->texts.texts.count + 1);
    for (uint32_t index = 1; index <= values->texts.texts.count; index++) {
        size_t length = 0;
        const char *text = shoal_i_dictionary_text(&values->texts.texts, index, &length);
        int64_t code = shoal_table_find_code(j->table, i, text, length);

        j->code_of[i][index] = values->texts.is_missing[index] || code < 0
                                   ? (uint32_t)shoal_table_value_count(j->table, i)
                                   : shoal_i_same_values_first(&same_values, (uint32_t)code);
    }
done:
    shoal_i_arena_clear(&arena);
    free(scratch);
    return st;
}

/* Persons are those of the division: what is published does not tell them. */
static shoal_status begin_judging(shoal_ctx *ctx, judging *j, const shoal_division *d)
{
    shoal_status st = SHOAL_OK;
    size_t count = j->classes->value_count;
    struct shoal_values values = {.record_count = j->classes->record_count,
                                  .column_count = count};

    SHOAL_ALLOC(ctx, values.columns, count);
    for (size_t i = 0; i < count; i++) {
        values.columns[i] = j->classes->values[i].texts; /* borrowed */
    }
    SHOAL_ALLOC(ctx, j->code_of, count);
    SHOAL_ALLOC(ctx, j->pairs, count);
    SHOAL_TRY(shoal_i_values_table(ctx, &j->table, &j->totals, &values, d->spec));
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(load_values(ctx, j, i, d->spec));
    }
    if (d->counts_persons) {
        SHOAL_TRY(sort_rows(ctx, &j->rows, &j->totals, j->table, j->classes, j->code_of));
    }
    SHOAL_TRY(shoal_i_bound_requirements_build_given(
        ctx, &j->requirements, d->spec, j->table, j->totals.counts, NULL,
        d->counts_persons ? &d->prepared.persons : NULL));
    SHOAL_TRY(shoal_i_recount_init(ctx, &j->recount, &j->requirements.set));
done:
    free(values.columns);
    return st;
}

static void clear_judging(judging *j)
{
    for (size_t i = 0; i < j->classes->value_count; i++) {
        if (j->code_of) {
            free(j->code_of[i]);
        }
        if (j->pairs) {
            free(j->pairs[i]);
        }
    }
    free(j->code_of);
    free(j->pairs);
    free(j->rows.order);
    shoal_i_recount_clear(&j->recount);
    shoal_i_bound_requirements_clear(&j->requirements);
    shoal_i_totals_clear(&j->totals);
    shoal_table_free(j->table);
}

/* The histogram that sensitive column i is counted in; column_count when none reads it. */
static size_t find_histogram(const judging *j, size_t i)
{
    size_t column = 0;

    while (column < j->recount.column_count &&
           (!j->recount.columns[column] || j->recount.columns[column]->column != i)) {
        column++;
    }
    return column;
}

/* Count the values of a class; at[i] is where its pairs begin, and then where they end. */
static void recount_class(judging *j, size_t *at, uint32_t class)
{
    for (size_t i = 0; i < j->classes->value_count; i++) {
        const shoal_i_class_values *values = &j->classes->values[i];
        const shoal_i_sort_item *pairs = j->pairs[i];
        size_t column = find_histogram(j, i);

        for (; at[i] < values->pairs.count && pairs[at[i]].key >> 32 == class; at[i]++) {
            uint64_t times = values->counts[pairs[at[i]].item];
            uint32_t code = j->code_of[i][(uint32_t)pairs[at[i]].key];

            for (uint64_t n = 0; column < j->recount.column_count && n < times; n++) {
                shoal_i_recount_add(&j->recount, column,
                                    shoal_i_sensitive_value(j->recount.columns[column], code));
            }
        }
    }
}

/* Count a row of a person, whose turn it is. */
static void recount_row(judging *j, uint32_t row, uint64_t turn)
{
    const shoal_classes *classes = j->classes;
    const uint32_t *texts = classes->rows.texts + row * classes->value_count;
    shoal_i_recount *r = &j->recount;

    for (size_t i = 0; i < r->column_count; i++) {
        if (r->columns[i]) {
            size_t column = r->columns[i]->column;

            shoal_i_recount_add_once(
                r, i, shoal_i_sensitive_value(r->columns[i], j->code_of[column][texts[column]]),
                turn);
        }
    }
    for (size_t i = 0; i < r->set->count; i++) {
        if (r->set->items[i].joined > 0) {
            const shoal_i_sensitive *sensitive = r->set->items[i].column;
            size_t column = sensitive->column;
            uint32_t code = j->code_of[column][texts[column]];

            shoal_i_recount_add_joined(r, i, shoal_i_sensitive_value(sensitive, code), turn);
        }
    }
}

/* Count the persons of a class; at is where its rows begin, and then where they end. */
static uint64_t recount_persons(judging *j, size_t *at, uint32_t class, uint64_t *turn)
{
    const shoal_i_class_rows *rows = &j->classes->rows;
    const uint32_t *order = j->rows.order;
    uint64_t persons = 0;

    for (size_t first = *at; *at < rows->count && rows->classes[order[*at]] == class; ++*at) {
        uint64_t person = rows->persons[order[*at]];
        bool is_next = *at == first || person == 0 || person != rows->persons[order[*at - 1]];

        persons += is_next;
        *turn += is_next;
        recount_row(j, order[*at], *turn);
    }
    return persons;
}

/* *others: classes that do not hold and are of one fragment. */
static shoal_status judge(shoal_ctx *ctx, shoal_i_verdict *verdict, uint64_t *others,
                          judging *j)
{
    shoal_status st = SHOAL_OK;
    const shoal_classes *classes = j->classes;
    size_t *at = NULL;
    size_t row = 0;
    uint64_t turn = 0;

    SHOAL_ALLOC(ctx, at, classes->value_count + 1);
    shoal_i_verdict_begin(verdict, &j->requirements.set);
    verdict->persons = j->rows.persons;
    for (uint32_t class = 1; class <= classes->keys.count; class ++) {
        shoal_i_class_stats stats = {.size = classes->sizes[class],
                                     .persons = classes->sizes[class],
                                     .largest_k = classes->largest_k[class],
                                     .histograms = j->recount.histograms,
                                     .joined = j->recount.joined};

        shoal_i_recount_empty(&j->recount);
        if (classes->counts_persons) {
            stats.persons = recount_persons(j, &row, class, &turn);
        } else {
            recount_class(j, at, class);
        }
        shoal_i_verdict_take(verdict, &stats, class);
        *others += classes->parts[class] == 1 &&
                   !shoal_i_requirement_holds(&j->requirements.set, &stats);
    }
    shoal_i_verdict_end(verdict);
done:
    free(at);
    return st;
}

static void tell(shoal_ctx *ctx, shoal_division_outcome *out, const shoal_i_verdict *verdict,
                 const shoal_division *d)
{
    uint64_t expected = shoal_table_row_count(d->prepared.table);
    uint64_t persons = d->counts_persons ? d->prepared.persons.count : 0;

    out->persons = verdict->persons;
    out->fewest_persons = verdict->fewest_persons;
    out->records = verdict->records;
    out->classes = verdict->classes;
    out->smallest_class = verdict->smallest_class;
    out->holds = verdict->holds && verdict->records == expected && verdict->persons == persons;
    for (size_t i = 0; i < verdict->count && out->failing[0] == '\0'; i++) {
        if (!verdict->items[i].holds) {
            shoal_i_buffer words;

            shoal_i_buffer_init(&words, ctx, sizeof out->failing - 1);
            verdict->items[i].requirement.kind->describe(&verdict->items[i].requirement,
                                                         "class", &words);
            snprintf(out->failing, sizeof out->failing, "%.*s", (int)words.size,
                     words.data ? words.data : "");
            shoal_i_buffer_clear(&words);
            out->failing_classes = verdict->items[i].failing_classes;
        }
    }
    if (out->failing[0] == '\0' && verdict->records != expected) {
        snprintf(out->failing, sizeof out->failing,
                 "%" PRIu64 " records are published of %" PRIu64, verdict->records, expected);
    }
    if (out->failing[0] == '\0' && verdict->persons != persons) {
        snprintf(out->failing, sizeof out->failing,
                 "records of %" PRIu64 " persons are published, and parts of %" PRIu64
                 " were counted: some have records in several",
                 verdict->persons, persons);
    }
}

shoal_status shoal_division_verify(shoal_ctx *ctx, shoal_division_outcome *out,
                                   const shoal_division *division, const shoal_classes *classes)
{
    SHOAL_ENTER(ctx, out, division, classes);
    shoal_status st = SHOAL_OK;
    shoal_division_outcome outcome = SHOAL_DIVISION_OUTCOME_INIT;
    shoal_i_verdict verdict = {0};
    judging j = {.classes = classes};
    uint64_t others = 0;

    SHOAL_TRY(shoal_i_sized_take(ctx, &outcome, sizeof outcome, out, "shoal_division_outcome"));
    outcome = (shoal_division_outcome)SHOAL_DIVISION_OUTCOME_INIT;
    if (strcmp(classes->spec_digest, division->spec_digest) != 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The classes were counted by another spec than the division's.");
    }
    SHOAL_TRY(begin_judging(ctx, &j, division));
    SHOAL_TRY(judge(ctx, &verdict, &others, &j));
    tell(ctx, &outcome, &verdict, division);
    outcome.only_joined_fail = !verdict.holds && others == 0;
    SHOAL_TRY(measure_loss(ctx, &outcome, division, classes));
    shoal_i_sized_fill(out, &outcome, sizeof outcome);
done:
    clear_judging(&j);
    return st;
}
