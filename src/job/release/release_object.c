#include "release_object.h"

#include "../../base/entry.h"
#include "../../box/quasi.h"
#include "../../method/problem/people.h"
#include "../../release/looks.h"
#include "../../table/table_hold.h"

#include <math.h>
#include <string.h>

void shoal_release_free(shoal_release *release)
{
    if (!release) {
        return;
    }
    for (size_t c = 0; release->quasi_names && c < release->quasi_count; c++) {
        free(release->quasi_names[c]);
    }
    free(release->quasi_names);
    free(release->quasi_columns);
    free(release->ranges);
    free(release->record_of);
    free(release->class_of);
    free(release->alike);
    free(release->class_sizes);
    free(release->first_row);
    shoal_table_free(release->rows);
    shoal_table_free(release->sensitive);
    free(release);
}

/* --- Building. -------------------------------------------------------------------------- */

/* The record of the original behind a row of the table that was anonymized. */
static uint32_t find_record(const shoal_i_prepared *original, uint32_t row)
{
    return original->given_record ? original->given_record[row] : row;
}

static uint32_t find_class(const shoal_i_release *made, uint32_t row)
{
    return made->bucket_of ? made->bucket_of[row]
                           : shoal_i_release_look(made, made->box_of[row]);
}

/* How many records could be meant by who knows the quasi-identifier behind a box: those that
 * share it or, where every record has a box of its own making, all that lie in it. */
static shoal_status count_alike(shoal_ctx *ctx, uint32_t **out, const shoal_i_release *made)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = made->quasi;
    shoal_i_people *records = NULL;
    shoal_i_interval *scratch = NULL;
    uint32_t *alike = NULL;

    SHOAL_ALLOC(ctx, alike, made->box_count);
    SHOAL_ALLOC(ctx, scratch, quasi->count);
    if (made->shape == SHOAL_I_SHAPE_RECORDS) {
        SHOAL_TRY(shoal_i_people_build(ctx, &records, quasi, quasi, NULL));
    }
    for (size_t b = 0; b < made->box_count; b++) {
        alike[shoal_i_release_look(made, (uint32_t)b)] +=
            records ? (uint32_t)shoal_i_people_count(records, made->boxes + b * quasi->count,
                                                     scratch)
                    : made->box_sizes[b];
    }
    *out = alike;
    alike = NULL;
done:
    free(alike);
    free(scratch);
    shoal_i_people_free(records);
    return st;
}

static shoal_status note_records(shoal_ctx *ctx, shoal_release *r, const shoal_i_release *made,
                                 const shoal_i_prepared *original)
{
    shoal_status st = SHOAL_OK;
    uint32_t *alike = NULL; /* of each look */

    r->record_count = made->row_count + original->dropped;
    SHOAL_ALLOC(ctx, r->class_of, r->record_count);
    SHOAL_ALLOC(ctx, r->alike, r->record_count);
    SHOAL_TRY(count_alike(ctx, &alike, made));
    memset(r->class_of, 0xFF, r->record_count * sizeof *r->class_of);
    for (uint32_t row = 0; row < made->row_count; row++) {
        uint32_t record = find_record(original, row);

        r->class_of[record] = find_class(made, row);
        r->alike[record] = alike[shoal_i_release_look(made, made->box_of[row])];
    }
done:
    free(alike);
    return st;
}

/* Rows and classes; record_of holds rows of the anonymized table and becomes records. */
static shoal_status note_rows(shoal_ctx *ctx, shoal_release *r, const shoal_i_release *made,
                              const shoal_i_prepared *original)
{
    shoal_status st = SHOAL_OK;

    r->class_count = made->bucket_of ? made->bucket_count : shoal_i_release_look_count(made);
    SHOAL_ALLOC(ctx, r->class_sizes, r->class_count);
    SHOAL_ALLOC(ctx, r->first_row, r->class_count);
    for (size_t i = made->row_count; i-- > 0;) {
        uint32_t class = find_class(made, r->record_of[i]);

        r->class_sizes[class]++;
        r->first_row[class] = (uint32_t)i;
        r->record_of[i] = find_record(original, r->record_of[i]);
    }
done:
    return st;
}

static bool is_told(const shoal_i_quasi_column *column, shoal_i_interval interval)
{
    return !column->hierarchy &&
           !(column->has_missing && interval.hi == column->value_count - 1);
}

static shoal_status note_ranges(shoal_ctx *ctx, shoal_release *r, const shoal_i_release *made)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = made->quasi;
    size_t count = 0;

    if (made->bucket_of) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &count, made->box_count, quasi->count));
    SHOAL_ALLOC(ctx, r->ranges, count);
    for (size_t i = 0; i < count; i++) {
        r->ranges[i] = (shoal_i_shown_range){NAN, NAN};
    }
    for (size_t i = 0; i < count; i++) {
        const shoal_i_quasi_column *column = &quasi->columns[i % quasi->count];
        shoal_i_interval interval = made->boxes[i];
        size_t look = shoal_i_release_look(made, (uint32_t)(i / quasi->count));
        shoal_i_shown_range *range = &r->ranges[look * quasi->count + i % quasi->count];

        if (is_told(column, interval)) { /* fmin and fmax pass over what is not there yet */
            range->least = fmin(range->least, column->lower[interval.lo]);
            range->greatest = fmax(range->greatest, column->upper[interval.hi]);
        }
    }
done:
    return st;
}

static shoal_status note_quasi(shoal_ctx *ctx, shoal_release *r, const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, r->quasi_names, quasi->count);
    r->quasi_count = quasi->count;
    SHOAL_ALLOC(ctx, r->quasi_columns, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        r->quasi_names[c] = shoal_i_strdup(ctx, quasi->columns[c].name);
        if (!r->quasi_names[c]) {
            st = SHOAL_ENOMEM;
            goto done;
        }
        r->quasi_columns[c] =
            r->shape == SHOAL_SHAPE_BUCKETS ? -1 : shoal_table_find(r->rows, r->quasi_names[c]);
    }
done:
    return st;
}

shoal_status shoal_i_release_object_build(shoal_ctx *ctx, shoal_release **out,
                                          const shoal_i_release *made,
                                          shoal_i_release_tables *tables,
                                          const shoal_i_prepared *original)
{
    shoal_status st = SHOAL_OK;
    shoal_release *r = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, r, 1);
    r->shape = (shoal_shape)made->shape;
    r->rows = tables->rows;
    r->sensitive = tables->sensitive;
    r->record_of = tables->record_of;
    *tables = (shoal_i_release_tables){0};
    SHOAL_TRY(note_records(ctx, r, made, original));
    SHOAL_TRY(note_rows(ctx, r, made, original));
    SHOAL_TRY(note_ranges(ctx, r, made));
    SHOAL_TRY(note_quasi(ctx, r, made->quasi));
    *out = r;
    r = NULL;
done:
    shoal_release_free(r);
    return st;
}

shoal_status shoal_release_from_tables(shoal_ctx *ctx, shoal_release **out,
                                       const shoal_table *rows, const shoal_table *sensitive)
{
    SHOAL_ENTER_FOR(ctx, out, rows);
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, *out, 1);
    (*out)->shape = sensitive ? SHOAL_SHAPE_BUCKETS : SHOAL_SHAPE_CLASSES;
    shoal_i_table_hold(rows);
    (*out)->rows = (shoal_table *)rows; /* held, and freed once for that */
    if (sensitive) {
        shoal_i_table_hold(sensitive);
        (*out)->sensitive = (shoal_table *)sensitive;
    }
done:
    return st;
}

shoal_i_given_release shoal_i_release_object_given(const shoal_release *release)
{
    return (shoal_i_given_release){.rows = shoal_i_given_table(release->rows),
                                   .sensitive = release->sensitive};
}

/* --- Reading. --------------------------------------------------------------------------- */

const char *shoal_shape_name(shoal_shape shape)
{
    return (unsigned)shape <= SHOAL_SHAPE_BUCKETS ? shoal_i_shape_name((shoal_i_shape)shape)
                                                  : "unknown";
}

shoal_shape shoal_release_shape(const shoal_release *release)
{
    return release->shape;
}

const shoal_table *shoal_release_table(const shoal_release *release)
{
    return release->rows;
}

const shoal_table *shoal_release_sensitive(const shoal_release *release)
{
    return release->sensitive;
}

shoal_status shoal_release_export(shoal_ctx *ctx, struct ArrowArrayStream *out,
                                  const shoal_release *release)
{
    SHOAL_ENTER(ctx, out, release);

    return shoal_table_export(ctx, out, release->rows);
}

shoal_status shoal_release_export_sensitive(shoal_ctx *ctx, struct ArrowArrayStream *out,
                                            const shoal_release *release)
{
    SHOAL_ENTER(ctx, out, release);

    if (!release->sensitive) {
        *out = (struct ArrowArrayStream){0};
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Only a release by buckets has a second table, of its sensitive "
                            "values.");
    }
    return shoal_table_export(ctx, out, release->sensitive);
}

size_t shoal_release_row_count(const shoal_release *release)
{
    return shoal_table_row_count(release->rows);
}

size_t shoal_release_record_count(const shoal_release *release)
{
    return release->record_count;
}

int64_t shoal_release_record(const shoal_release *release, size_t row)
{
    return release->record_of && row < shoal_release_row_count(release)
               ? (int64_t)release->record_of[row]
               : -1;
}

size_t shoal_release_class_count(const shoal_release *release)
{
    return release->class_count;
}

size_t shoal_release_class_size(const shoal_release *release, size_t class_number)
{
    return class_number < release->class_count ? release->class_sizes[class_number] : 0;
}

int64_t shoal_release_class_of(const shoal_release *release, size_t record)
{
    return record < release->record_count && release->class_of[record] != SHOAL_I_NO_CLASS
               ? (int64_t)release->class_of[record]
               : -1;
}

double shoal_release_risk(const shoal_release *release, size_t record)
{
    return shoal_release_class_of(release, record) >= 0 ? 1 / (double)release->alike[record]
                                                        : 0;
}

size_t shoal_release_quasi_count(const shoal_release *release)
{
    return release->quasi_count;
}

const char *shoal_release_quasi_name(const shoal_release *release, size_t quasi)
{
    return quasi < release->quasi_count ? release->quasi_names[quasi] : NULL;
}

const char *shoal_release_text(const shoal_release *release, size_t class_number, size_t quasi)
{
    if (class_number >= release->class_count || quasi >= release->quasi_count ||
        release->quasi_columns[quasi] < 0) {
        return NULL;
    }
    size_t column = (size_t)release->quasi_columns[quasi];
    uint32_t code = shoal_table_code(release->rows, column, release->first_row[class_number]);

    return shoal_table_text(release->rows, column, code, NULL);
}

bool shoal_release_interval(const shoal_release *release, size_t class_number, size_t quasi,
                            double *least, double *greatest)
{
    if (!release->ranges || class_number >= release->class_count ||
        quasi >= release->quasi_count) {
        return false;
    }
    const shoal_i_shown_range *range =
        &release->ranges[class_number * release->quasi_count + quasi];

    *least = range->least;
    *greatest = range->greatest;
    return !isnan(range->least);
}
