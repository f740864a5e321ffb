/* Whether a release goes together with earlier ones: what was promised, held against every cell
 * (previous.h) by the classes that are handed out. Record by record, by the definition. */
#include "verify_previous.h"

#include "../../base/sort.h"
#include "../../release/number.h"

typedef struct checking {
    const shoal_i_previous *previous;
    const shoal_i_prepared *original;
    uint32_t *class_of; /* record -> class of the new release */
    uint32_t *starts;   /* of the records of each class, and the end */
    uint32_t *records;
    uint8_t **allowed; /* of each sensitive column: values of the covering classes */
    uint8_t *is_mine;  /* of each class of an earlier release: covers the record */
    bool *is_in;       /* of the records of a class: in the cell */
} checking;

static void checking_clear(checking *c)
{
    for (size_t s = 0; c->allowed && s < c->original->requirements.sensitive_count; s++) {
        free(c->allowed[s]);
    }
    free(c->allowed);
    free(c->class_of);
    free(c->starts);
    free(c->records);
    free(c->is_mine);
    free(c->is_in);
}

static shoal_status checking_init(shoal_ctx *ctx, checking *c, const shoal_i_received *received,
                                  const uint32_t *record_of)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(received->table);
    const shoal_i_bound_requirements *requirements = &c->original->requirements;
    uint32_t *class_of_row = NULL;
    size_t classes = 0;
    size_t most = 0;

    SHOAL_ALLOC(ctx, class_of_row, rows);
    SHOAL_ALLOC(ctx, c->class_of, rows);
    SHOAL_ALLOC(ctx, c->records, rows);
    SHOAL_TRY(shoal_i_number_rows(ctx, class_of_row, &classes, received->table,
                                  received->columns, received->column_count));
    for (size_t row = 0; row < rows; row++) {
        c->class_of[record_of[row]] = class_of_row[row];
    }
    SHOAL_ALLOC(ctx, c->starts, classes + 1);
    shoal_i_sort_by_number(c->records, c->starts, c->class_of, rows, classes);
    SHOAL_ALLOC(ctx, c->is_in, rows);
    SHOAL_ALLOC(ctx, c->allowed, requirements->sensitive_count);
    for (size_t s = 0; s < requirements->sensitive_count; s++) {
        SHOAL_ALLOC(ctx, c->allowed[s], requirements->sensitive[s].value_count);
    }
    for (size_t i = 0; i < c->previous->count; i++) {
        size_t count = c->previous->releases[i].release->box_count;

        most = count > most ? count : most;
    }
    SHOAL_ALLOC(ctx, c->is_mine, most);
done:
    free(class_of_row);
    return st;
}

static bool is_allowed(const checking *c, size_t record)
{
    const shoal_i_bound_requirements *requirements = &c->original->requirements;
    bool is = true;

    for (size_t s = 0; is && s < requirements->sensitive_count; s++) {
        is = c->allowed[s][requirements->sensitive[s].codes[record]] != 0;
    }
    return is;
}

/* Whether a class of the earlier release that covers the person covers this record, too. */
static bool is_beside(const checking *c, const shoal_i_previous_release *r, size_t record)
{
    bool is = false;

    for (size_t i = r->starts[record]; !is && i < r->starts[record + 1]; i++) {
        is = c->is_mine[r->covering[i]] != 0;
    }
    return is;
}

/* Take note of the covering classes of a record and of their values, or forget them. */
static void note_covering(checking *c, const shoal_i_previous_release *r, size_t record,
                          uint8_t mark)
{
    const shoal_i_bound_requirements *requirements = &c->original->requirements;

    for (size_t i = r->starts[record]; i < r->starts[record + 1]; i++) {
        uint32_t class = r->covering[i];

        c->is_mine[class] = mark;
        for (size_t s = 0; s < requirements->sensitive_count; s++) {
            size_t values = requirements->sensitive[s].value_count;

            for (size_t v = 0; v < values; v++) {
                if (r->has[s][class * values + v]) {
                    c->allowed[s][v] = mark;
                }
            }
        }
    }
}

/* Leave in the cell of a record, which starts as its class, those that one earlier release
 * leaves in; whether the record may be in that release. */
static bool narrow(checking *c, const shoal_i_previous_release *r, size_t record)
{
    uint32_t class = c->class_of[record];
    bool is_in_both = false;

    note_covering(c, r, record, 1);
    is_in_both = r->starts[record] < r->starts[record + 1] && is_allowed(c, record);
    for (size_t i = c->starts[class]; is_in_both && i < c->starts[class + 1]; i++) {
        uint32_t other = c->records[i];

        c->is_in[i] = c->is_in[i] && is_allowed(c, other) && is_beside(c, r, other);
    }
    note_covering(c, r, record, 0);
    return is_in_both;
}

/* Whether what was promised holds in the cell of a record; true where it is in no earlier
 * release. */
static bool holds(checking *c, shoal_i_tally *tally, size_t record, bool *is_in_both)
{
    uint32_t class = c->class_of[record];

    *is_in_both = false;
    for (size_t i = c->starts[class]; i < c->starts[class + 1]; i++) {
        c->is_in[i] = true;
    }
    for (size_t i = 0; i < c->previous->count; i++) {
        *is_in_both = narrow(c, &c->previous->releases[i], record) || *is_in_both;
    }
    if (!*is_in_both) {
        return true;
    }
    shoal_i_tally_empty(tally);
    for (size_t i = c->starts[class]; i < c->starts[class + 1]; i++) {
        if (c->is_in[i]) {
            shoal_i_tally_add(tally, c->records[i]);
        }
    }
    return shoal_i_requirement_holds(&c->original->requirements.set, &tally->stats);
}

shoal_status shoal_i_verify_previous(shoal_ctx *ctx, uint64_t *in_both,
                                     const shoal_i_received *received,
                                     const shoal_i_previous *previous,
                                     const uint32_t *record_of)
{
    shoal_status st = SHOAL_OK;
    checking c = {.previous = previous, .original = previous->original};
    const shoal_i_bound_requirements *requirements = &c.original->requirements;
    shoal_i_tally_source source = {0};
    shoal_i_tally tally = {0};
    size_t records = shoal_table_row_count(c.original->table);
    size_t failing = 0;

    *in_both = 0;
    SHOAL_TRY(checking_init(ctx, &c, received, record_of));
    SHOAL_TRY(shoal_i_tally_source_init(ctx, &source, &requirements->set,
                                        requirements->sensitive, requirements->sensitive_count,
                                        c.original->record_k, records));
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, &source));
    for (size_t record = 0; record < records; record++) {
        bool is_in_both = false;

        failing += !holds(&c, &tally, record, &is_in_both);
        *in_both += is_in_both;
        if (record % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    if (failing > 0) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EREJECTED,
                               "The verifier found %zu records that may be in a previous "
                               "release as well and hide among too few, or too few different "
                               "ones, in what the classes have in common; nothing was written. "
                               "This is a defect of the method, please report it.",
                               failing));
    }
done:
    checking_clear(&c);
    shoal_i_tally_clear(&tally);
    shoal_i_tally_source_clear(&source);
    return st;
}
