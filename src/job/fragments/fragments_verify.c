/* What was written, read back as anybody would read it, and held against what was asked for. */
#include "fragments.h"

#include "../../measure/recount.h"
#include "../../table/csv/csv_spooled.h"
#include "../../table/table_part.h"
#include "../input/received.h"
#include "rows_sort.h"

#include <inttypes.h>
#include <string.h>

/* The text of the release, coded and on disk. A row has the quasi columns first. */
typedef struct read_back {
    const shoal_i_fragments *fragments;
    shoal_i_received received; /* without codes */
    shoal_i_totals totals;
    shoal_i_bound_requirements requirements; /* by the shares of this text */
    shoal_i_row_format format;
    size_t class_bytes; /* of a row: those that tell its class */
    size_t *fields;     /* of each column of the text */
    shoal_i_rows rows;
    unsigned char *row;
    /* Where persons are counted: a row has its number of class, person, own k, fragment, and
     * the columns beside the quasi-identifier. */
    shoal_i_row_format judged_format;
    size_t *judged_fields; /* of each column of the text */
    shoal_i_rows judged;
} read_back;

/* The first fields of a row that is judged. */
enum { CLASS, PERSON, OWN_K, FRAGMENT, OTHERS };

/* --- Reading. --------------------------------------------------------------------------- */

/* Whether a column of the text that is read is no part of the quasi-identifier. */
static bool is_beside(const shoal_spec *spec, const char *name)
{
    shoal_role role = shoal_i_column_role(spec, name);
    bool is_k = spec->k_column && strcmp(spec->k_column, name) == 0;

    return role == SHOAL_ROLE_SENSITIVE || (is_k && role != SHOAL_ROLE_QUASI);
}

static void add_fields(read_back *b, const shoal_table *table, bool beside)
{
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        const char *name = shoal_table_name(table, c);

        if (!shoal_table_is_skipped(table, c) &&
            is_beside(b->fragments->spec, name) == beside) {
            b->fields[c] = b->format.field_count;
            shoal_i_row_format_add(&b->format, (uint32_t)shoal_table_value_count(table, c));
        }
    }
}

static shoal_status begin(shoal_ctx *ctx, read_back *b, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(table);

    SHOAL_TRY(shoal_i_row_format_init(ctx, &b->format, columns));
    SHOAL_ALLOC(ctx, b->fields, columns);
    add_fields(b, table, false);
    b->class_bytes = b->format.size;
    add_fields(b, table, true);
    SHOAL_TRY(shoal_i_totals_init(ctx, &b->totals, b->fragments->spec, table, false));
    SHOAL_TRY(shoal_i_rows_open(ctx, &b->rows, &b->format, b->fragments->folder));
    SHOAL_ALLOC(ctx, b->row, b->format.size);
done:
    return st;
}

static shoal_status consume(shoal_ctx *ctx, void *payload, const shoal_table *table,
                            uint32_t *const *codes, size_t count)
{
    shoal_status st = SHOAL_OK;
    read_back *b = payload;

    if (!b->row) {
        SHOAL_TRY(begin(ctx, b, table));
    }
    shoal_i_totals_add(&b->totals, codes, count);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < shoal_table_column_count(table); c++) {
            if (codes[c]) {
                shoal_i_row_put(&b->format, b->row, b->fields[c], codes[c][i]);
            }
        }
        SHOAL_TRY(shoal_i_rows_add(ctx, &b->rows, b->row));
    }
done:
    return st;
}

/* --- Persons. --------------------------------------------------------------------------- */

static shoal_status init_judged(shoal_ctx *ctx, read_back *b)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = b->fragments;
    const shoal_table *table = b->received.table;
    size_t columns = shoal_table_column_count(table);
    shoal_i_row_format *format = &b->judged_format;

    SHOAL_TRY(shoal_i_row_format_init(ctx, format, OTHERS + columns));
    SHOAL_ALLOC(ctx, b->judged_fields, columns);
    shoal_i_row_format_add(format, (uint32_t)b->rows.count);
    shoal_i_row_format_add(format, shoal_i_fragments_nobody(f));
    shoal_i_row_format_add(format, (uint32_t)f->division->own_k.count);
    shoal_i_row_format_add(format, (uint32_t)f->count);
    for (size_t c = 0; c < columns; c++) {
        if (b->totals.counts[c]) {
            b->judged_fields[c] = format->field_count;
            shoal_i_row_format_add(format, (uint32_t)shoal_table_value_count(table, c));
        }
    }
    SHOAL_TRY(shoal_i_rows_open(ctx, &b->judged, format, f->folder));
done:
    return st;
}

/* The fragment of a record, by its own codes. */
static uint32_t find_fragment(const shoal_i_fragments *f, const unsigned char *merged)
{
    const shoal_i_quasi *quasi = f->prepared->quasi;
    const shoal_i_cut_node *node = f->division->nodes;
    size_t first = 2 * quasi->count + f->other_count;

    while (node->column != SHOAL_I_LEAF) {
        uint32_t entry = shoal_i_row_get(&f->released_format, merged, first + node->column);
        bool is_front = quasi->columns[node->column].code_of_entry[entry] < node->code;

        node = &f->division->nodes[is_front ? node->front : node->back];
    }
    return node->front;
}

/* What is judged of a row of the text, and of the record that it was made from. */
static void fill_judged(unsigned char *to, const read_back *b, uint32_t class,
                        const unsigned char *row, const unsigned char *merged)
{
    const shoal_i_fragments *f = b->fragments;
    const shoal_i_row_format *format = &b->judged_format;

    shoal_i_row_put(format, to, CLASS, class);
    shoal_i_row_put(format, to, PERSON,
                    shoal_i_row_get(&f->released_format, merged, f->person_field));
    if (f->division->own_k.is_asked) {
        shoal_i_row_put(format, to, OWN_K,
                        shoal_i_row_get(&f->released_format, merged, f->k_field));
    }
    shoal_i_row_put(format, to, FRAGMENT, find_fragment(f, merged));
    for (size_t c = 0; c < b->totals.column_count; c++) {
        if (b->totals.counts[c]) {
            shoal_i_row_put(format, to, b->judged_fields[c],
                            shoal_i_row_get(&b->format, row, b->fields[c]));
        }
    }
}

/* The rows of the text with their persons. Equal rows that follow each other are a class. */
static shoal_status list_persons(shoal_ctx *ctx, read_back *b)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows_reader text = {0};
    shoal_i_rows_reader merged = {0};
    const unsigned char *row = NULL;
    const unsigned char *merged_row = NULL;
    unsigned char *last = NULL;
    unsigned char *judged = NULL;
    uint32_t class = 0;

    SHOAL_TRY(init_judged(ctx, b));
    SHOAL_ALLOC(ctx, last, b->format.size);
    SHOAL_ALLOC(ctx, judged, b->judged_format.size);
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &text, &b->rows));
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &merged, &b->fragments->merged));
    SHOAL_TRY(shoal_i_rows_next(ctx, &text, &row));
    while (row) {
        SHOAL_TRY(shoal_i_rows_next(ctx, &merged, &merged_row));
        class += b->judged.count > 0 && memcmp(last, row, b->class_bytes) != 0;
        memcpy(last, row, b->class_bytes);
        fill_judged(judged, b, class, row, merged_row);
        SHOAL_TRY(shoal_i_rows_add(ctx, &b->judged, judged));
        SHOAL_TRY(shoal_i_rows_next(ctx, &text, &row));
    }
done:
    free(last);
    free(judged);
    shoal_i_rows_reader_clear(&text);
    shoal_i_rows_reader_clear(&merged);
    return st;
}

/* The shares of sensitive values are those of persons. */
static shoal_status count_persons(shoal_ctx *ctx, read_back *b)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = b->fragments;
    const size_t *offsets = b->judged_format.offsets;
    shoal_i_row_key by_person = {offsets[PERSON], offsets[OWN_K] - offsets[PERSON]};
    shoal_i_rows sorted = {0};
    shoal_i_person_rows rows = {&sorted, PERSON, shoal_i_fragments_nobody(f), b->judged_fields};
    uint64_t persons = 0;

    SHOAL_TRY(
        shoal_i_rows_sort(ctx, &sorted, &b->judged, by_person, f->most_records, f->folder));
    SHOAL_TRY(shoal_i_totals_of_persons(ctx, &b->totals, &persons, f->spec, b->received.table,
                                        &rows));
    if (persons != f->prepared->persons.count) {
        st = shoal_i_fail(ctx, SHOAL_EREJECTED,
                          "The release has records of %" PRIu64 " persons instead of %zu; "
                          "nothing was written.",
                          persons, f->prepared->persons.count);
    }
done:
    shoal_i_rows_clear(&sorted);
    return st;
}

/* --- The text. -------------------------------------------------------------------------- */

static shoal_status read_text(shoal_ctx *ctx, read_back *b, const char *path)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = b->fragments;
    shoal_i_reading reading = {.spec = f->spec,
                               .given = shoal_i_given_file(path),
                               .with_sensitive = shoal_i_spec_reads_sensitive(f->spec)};
    shoal_csv_options options = shoal_i_release_options(&reading, f->spec->output_delimiter);
    shoal_i_csv_spooling spooling = {.folder = f->folder,
                                     .values_max = (size_t)(f->spec->memory / 2),
                                     .consume = consume,
                                     .payload = b};

    SHOAL_TRY(shoal_i_csv_read_spooled(ctx, &b->received.table, path, &options, &spooling));
    SHOAL_TRY(shoal_i_received_list(ctx, &b->received, f->spec));
    if (b->rows.count != f->merged.count) {
        st = shoal_i_fail(ctx, SHOAL_EREJECTED,
                          "The release reads back with %" PRIu64 " records instead of %" PRIu64
                          "; nothing was written.",
                          b->rows.count, f->merged.count);
        goto done;
    }
    if (shoal_i_division_counts_persons(f->division)) {
        SHOAL_TRY(list_persons(ctx, b));
        SHOAL_TRY(count_persons(ctx, b));
    }
    SHOAL_TRY(shoal_i_bound_requirements_build_given(
        ctx, &b->requirements, f->spec, b->received.table, b->totals.counts, NULL,
        shoal_i_division_counts_persons(f->division) ? &f->prepared->persons : NULL));
done:
    return st;
}

/* --- Classes. --------------------------------------------------------------------------- */

/* The class that rows are being added to. */
typedef struct open_class {
    shoal_i_recount recount;
    shoal_i_class_stats stats;
    size_t first_row;
    unsigned char *row; /* the first of it */
    /* Where persons are counted. */
    uint32_t fragment; /* of its first row */
    bool is_joined;    /* others are of other fragments */
    uint64_t failing;  /* classes so far that do not hold and are of one fragment */
} open_class;

static void add_row(open_class *class, const read_back *b, const unsigned char *row,
                    const unsigned char *merged)
{
    const shoal_i_own_k *own = &b->fragments->division->own_k;
    shoal_i_recount *r = &class->recount;

    class->stats.size++;
    class->stats.persons++;
    for (size_t i = 0; i < r->column_count; i++) {
        if (r->columns[i]) {
            size_t field = b->fields[r->columns[i]->column];

            shoal_i_recount_add(r, i,
                                shoal_i_sensitive_value(
                                    r->columns[i], shoal_i_row_get(&b->format, row, field)));
        }
    }
    if (own->is_asked) {
        uint64_t k = own->ks[shoal_i_row_get(&b->fragments->released_format, merged,
                                             b->fragments->k_field)];

        class->stats.largest_k = k > class->stats.largest_k ? k : class->stats.largest_k;
    }
}

static void end_class(shoal_i_verdict *verdict, open_class *class)
{
    if (class->stats.size > 0) {
        class->stats.histograms = class->recount.histograms;
        class->stats.joined = class->recount.joined;
        shoal_i_verdict_take(verdict, &class->stats, class->first_row);
        class->failing +=
            !class->is_joined && !shoal_i_requirement_holds(class->recount.set, &class->stats);
    }
    class->is_joined = false;
    class->first_row += (size_t) class->stats.size;
    class->stats = (shoal_i_class_stats){0};
    shoal_i_recount_empty(&class->recount);
}

static shoal_status judge_rows(shoal_ctx *ctx, shoal_i_verdict *verdict, open_class *class,
                               const read_back *b, shoal_i_rows_reader *text,
                               shoal_i_rows_reader *merged)
{
    shoal_status st = SHOAL_OK;
    const unsigned char *row = NULL;
    const unsigned char *merged_row = NULL;

    SHOAL_TRY(shoal_i_rows_next(ctx, text, &row));
    while (row) {
        SHOAL_TRY(shoal_i_rows_next(ctx, merged, &merged_row));
        if (memcmp(class->row, row, b->class_bytes) != 0) {
            end_class(verdict, class);
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        if (class->stats.size == 0) {
            memcpy(class->row, row, b->class_bytes);
        }
        add_row(class, b, row, merged_row);
        SHOAL_TRY(shoal_i_rows_next(ctx, text, &row));
    }
    end_class(verdict, class);
done:
    return st;
}

/* Where a person may have several records, most requirements may hold for two classes and not
 * for both together. Methods see to that in what they solve; where classes of several fragments
 * came to look alike, nobody did. joined: no other class fails. */
static shoal_status reject(shoal_ctx *ctx, const shoal_i_verdict *verdict, bool joined)
{
    const shoal_i_verdict_item *item = verdict->items;

    while (item->holds) {
        item++;
    }
    if (joined) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "Classes of several parts of the table came to look alike "
                            "(%" PRIu64 "), and together they do not meet %s of persons; "
                            "nothing was written. Allow more memory, so that there are fewer "
                            "parts, or suppress no records.",
                            item->failing_classes, item->requirement.kind->title);
    }
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The verifier found %" PRIu64 " classes that do not meet %s; nothing "
                        "was written. This is a defect of the method, please report it.",
                        item->failing_classes, item->requirement.kind->title);
}

/* Count a row in that was written with its person, whose turn it is. */
static void add_judged(open_class *class, const read_back *b, const unsigned char *row,
                       uint64_t turn)
{
    const shoal_i_own_k *own = &b->fragments->division->own_k;
    const shoal_i_row_format *format = &b->judged_format;
    shoal_i_recount *r = &class->recount;

    class->stats.size++;
    for (size_t i = 0; i < r->column_count; i++) {
        if (r->columns[i]) {
            size_t field = b->judged_fields[r->columns[i]->column];

            shoal_i_recount_add_once(
                r, i,
                shoal_i_sensitive_value(r->columns[i], shoal_i_row_get(format, row, field)),
                turn);
        }
    }
    for (size_t i = 0; i < r->set->count; i++) {
        const shoal_i_requirement *item = &r->set->items[i];

        if (item->joined > 0) {
            size_t field = b->judged_fields[item->column->column];

            shoal_i_recount_add_joined(
                r, i,
                shoal_i_sensitive_value(item->column, shoal_i_row_get(format, row, field)),
                turn);
        }
    }
    if (own->is_asked) {
        uint64_t k = own->ks[shoal_i_row_get(format, row, OWN_K)];

        class->stats.largest_k = k > class->stats.largest_k ? k : class->stats.largest_k;
    }
}

/* The same where persons are counted: class after class, and in it person after person. */
static shoal_status judge_persons(shoal_ctx *ctx, shoal_i_verdict *verdict, open_class *class,
                                  const read_back *b)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = b->fragments;
    shoal_i_row_key by_class = {0, b->judged_format.offsets[OWN_K]};
    shoal_i_rows sorted = {0};
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;
    shoal_i_turn turn = {0};
    uint32_t number = 0;

    SHOAL_TRY(
        shoal_i_rows_sort(ctx, &sorted, &b->judged, by_class, f->most_records, f->folder));
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, &sorted));
    SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    while (row) {
        bool is_next =
            shoal_i_next_person(&turn, shoal_i_row_get(&b->judged_format, row, PERSON),
                                shoal_i_fragments_nobody(f));

        if (shoal_i_row_get(&b->judged_format, row, CLASS) != number) {
            number = shoal_i_row_get(&b->judged_format, row, CLASS);
            end_class(verdict, class);
            turn.number += !is_next;
            is_next = true;
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
        uint32_t fragment = shoal_i_row_get(&b->judged_format, row, FRAGMENT);

        class->fragment = class->stats.size == 0 ? fragment : class->fragment;
        class->is_joined = class->is_joined || fragment != class->fragment;
        class->stats.persons += is_next;
        add_judged(class, b, row, turn.number);
        SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
    }
    end_class(verdict, class);
done:
    shoal_i_rows_reader_clear(&reader);
    shoal_i_rows_clear(&sorted);
    return st;
}

static shoal_status judge_classes(shoal_ctx *ctx, shoal_i_verdict *verdict, const read_back *b)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows_reader text = {0};
    shoal_i_rows_reader merged = {0};
    open_class class = {0};

    SHOAL_TRY(shoal_i_recount_init(ctx, &class.recount, &b->requirements.set));
    SHOAL_ALLOC(ctx, class.row, b->format.size);
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &text, &b->rows));
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &merged, &b->fragments->merged));
    shoal_i_verdict_begin(verdict, &b->requirements.set);
    if (shoal_i_division_counts_persons(b->fragments->division)) {
        verdict->persons = b->fragments->prepared->persons.count;
        SHOAL_TRY(judge_persons(ctx, verdict, &class, b));
    } else {
        SHOAL_TRY(judge_rows(ctx, verdict, &class, b, &text, &merged));
    }
    shoal_i_verdict_end(verdict);
    /* It speaks of the requirements as the original has them, which outlive this text. */
    shoal_i_verdict_speak_of(verdict, &b->fragments->prepared->requirements.set);
    if (!verdict->holds) {
        SHOAL_TRY(reject(ctx, verdict, class.failing == 0));
    }
done:
    shoal_i_recount_clear(&class.recount);
    free(class.row);
    shoal_i_rows_reader_clear(&text);
    shoal_i_rows_reader_clear(&merged);
    return st;
}

/* --- Cover. ----------------------------------------------------------------------------- */

/* Some rows of the text, as a table. */
static shoal_status load_text(shoal_ctx *ctx, shoal_table **out, const read_back *b,
                              uint64_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *whole = b->received.table;
    size_t size = b->format.size;
    unsigned char *bytes = NULL;

    SHOAL_ALLOC(ctx, bytes, count * size);
    SHOAL_TRY(shoal_i_rows_read(ctx, &b->rows, first, count, bytes));
    SHOAL_TRY(shoal_i_table_part(ctx, out, whole, count));
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < shoal_table_column_count(whole); c++) {
            if (!shoal_table_is_skipped(whole, c)) {
                shoal_i_table_part_set(
                    *out, c, i, shoal_i_row_get(&b->format, bytes + i * size, b->fields[c]));
            }
        }
    }
done:
    free(bytes);
    return st;
}

/* Some of the records that were released, in the order of the text. */
static shoal_status load_records(shoal_ctx *ctx, shoal_table **out, const shoal_i_fragments *f,
                                 uint64_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    unsigned char *bytes = NULL;

    SHOAL_ALLOC(ctx, bytes, count * f->released_format.size);
    SHOAL_TRY(shoal_i_rows_read(ctx, &f->merged, first, count, bytes));
    SHOAL_TRY(shoal_i_fragments_table_of(ctx, out, f, bytes, count));
done:
    free(bytes);
    return st;
}

/* Whether some records lie in what was written for them. */
static shoal_status check_cover(shoal_ctx *ctx, const read_back *b, uint64_t first,
                                size_t count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_fragments *f = b->fragments;
    shoal_table *text = NULL;
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *parsed = NULL;
    uint32_t *row_order = NULL;

    SHOAL_TRY(load_text(ctx, &text, b, first, count));
    SHOAL_TRY(load_records(ctx, &table, f, first, count));
    SHOAL_TRY(shoal_i_prepare_quasi_of(ctx, &quasi, f->prepared, f->spec, table));
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, quasi, text));
    SHOAL_ALLOC(ctx, row_order, count);
    for (size_t i = 0; i < count; i++) {
        row_order[i] = (uint32_t)i;
    }
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, row_order));
done:
    free(row_order);
    shoal_i_release_free(parsed);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    shoal_table_free(text);
    return st;
}

/* --- All of it. ------------------------------------------------------------------------- */

static void clear_read_back(read_back *b)
{
    shoal_i_bound_requirements_clear(&b->requirements);
    shoal_i_totals_clear(&b->totals);
    shoal_i_received_clear(&b->received);
    shoal_i_rows_clear(&b->rows);
    shoal_i_row_format_clear(&b->format);
    shoal_i_rows_clear(&b->judged);
    shoal_i_row_format_clear(&b->judged_format);
    free(b->judged_fields);
    free(b->fields);
    free(b->row);
}

shoal_status shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                      const shoal_i_fragments *fragments, const char *path)
{
    shoal_status st = SHOAL_OK;
    read_back b = {.fragments = fragments};

    *verdict = (shoal_i_verdict){0};
    SHOAL_TRY(read_text(ctx, &b, path));
    SHOAL_TRY(judge_classes(ctx, verdict, &b));
    for (uint64_t first = 0; first < b.rows.count; first += fragments->largest) {
        uint64_t left = b.rows.count - first;

        SHOAL_TRY(check_cover(ctx, &b, first,
                              left < fragments->largest ? (size_t)left : fragments->largest));
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    clear_read_back(&b);
    return st;
}
