#include "bins.h"

#include "../base/figures/for_people.h"
#include "../base/text.h"

#include <math.h>

/* --- Numbers. --------------------------------------------------------------------------- */

static shoal_i_step take_next(shoal_i_step step)
{
    switch (step.digit) {
    case 1:
        return (shoal_i_step){2, step.power};
    case 2:
        return (shoal_i_step){5, step.power};
    default:
        return (shoal_i_step){1, step.power + 1};
    }
}

/* Lay steps from below the least value to above the greatest; false: there would be too many
 * of them, or no number to tell one from the next. */
static bool lay_steps(shoal_i_bins *bins, double least, double most)
{
    int64_t last = 0;

    if (!shoal_i_step_below(&bins->first, bins->step, least) ||
        !shoal_i_step_below(&last, bins->step, most)) {
        return false;
    }
    if (!bins->is_whole && shoal_i_step_times(bins->step, last) == most) {
        last--; /* a real at the last edge is in the bin below it */
    }
    if (last - bins->first >= SHOAL_I_BINS_MAX) {
        return false;
    }
    bins->count = (size_t)(last - bins->first) + 1;
    for (size_t i = 0; i <= bins->count; i++) {
        bins->edges[i] = shoal_i_step_times(bins->step, bins->first + (int64_t)i);
    }
    return true;
}

/* Where no round numbers are to be had: one bin, or twenty of the same length. */
static void lay_plain(shoal_i_bins *bins, double least, double most)
{
    bins->step = (shoal_i_step){0};
    bins->count = most > least ? SHOAL_I_BINS_MAX : 1;
    for (size_t i = 0; i <= bins->count; i++) {
        double share = (double)i / (double)bins->count;

        bins->edges[i] = least * (1 - share) + most * share;
    }
}

static void lay_numbers(shoal_i_bins *bins, double least, double most)
{
    double length = most - least + (bins->is_whole ? 1 : 0);

    if (!(length > 0) || !isfinite(length)) {
        lay_plain(bins, least, most);
        return;
    }
    bins->step = shoal_i_step_choose(length, SHOAL_I_BINS_MAX);
    if (bins->is_whole && bins->step.power < 0) {
        bins->step = (shoal_i_step){1, 0};
    }
    if (lay_steps(bins, least, most)) {
        return;
    }
    bins->step = take_next(bins->step); /* the last one did not begin with a step */
    if (!lay_steps(bins, least, most)) {
        lay_plain(bins, least, most);
    }
}

/* --- Dates. ----------------------------------------------------------------------------- */

/* Lay what the calendar is divided into; false: there would be too many. */
static bool lay_calendar(shoal_i_bins *bins, double least, double most)
{
    double edge = least;
    double ignored = 0;

    bins->count = 0;
    shoal_i_grid_cell(&bins->grid, true, least, &edge, &ignored);
    bins->edges[0] = edge;
    while (edge <= most) {
        if (bins->count == SHOAL_I_BINS_MAX) {
            return false;
        }
        double start = edge;

        shoal_i_grid_cell(&bins->grid, true, start + 1, &ignored, &edge);
        edge = edge > start && edge < SHOAL_I_DATE_LAST
                   ? edge
                   : fmax(most, SHOAL_I_DATE_LAST) + 1; /* the calendar ends there */
        bins->edges[++bins->count] = edge;
    }
    return true;
}

/* Months and years since year 0, in what the calendar is divided into. */
static int64_t number_edge(const shoal_i_bins *bins, double day)
{
    int year = 0;
    int month = 0;
    int ignored = 0;

    shoal_i_date_parts((int32_t)day, &year, &month, &ignored);
    switch (bins->grid.unit) {
    case SHOAL_I_GRID_MONTHS:
        return (year * 12 + month - 1) / bins->grid.count;
    case SHOAL_I_GRID_YEARS:
        return year / bins->grid.count;
    default:
        return 0;
    }
}

static void lay_dates(shoal_i_bins *bins, double least, double most)
{
    static const shoal_i_grid grids[] = {
        {SHOAL_I_GRID_DAYS, 0, 1},    {SHOAL_I_GRID_WEEKS, 0, 1},
        {SHOAL_I_GRID_MONTHS, 0, 1},  {SHOAL_I_GRID_MONTHS, 0, 3},
        {SHOAL_I_GRID_YEARS, 0, 1},   {SHOAL_I_GRID_YEARS, 0, 2},
        {SHOAL_I_GRID_YEARS, 0, 5},   {SHOAL_I_GRID_YEARS, 0, 10},
        {SHOAL_I_GRID_YEARS, 0, 20},  {SHOAL_I_GRID_YEARS, 0, 50},
        {SHOAL_I_GRID_YEARS, 0, 100}, {SHOAL_I_GRID_YEARS, 0, 200},
        {SHOAL_I_GRID_YEARS, 0, 500}, {SHOAL_I_GRID_YEARS, 0, 1000}};

    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        bins->grid = grids[i];
        if (lay_calendar(bins, least, most)) {
            break;
        }
    }
    bins->first = number_edge(bins, bins->edges[0]);
}

/* --- Both. ------------------------------------------------------------------------------ */

shoal_i_bins shoal_i_bins_choose(shoal_type type, double least, double most)
{
    shoal_i_bins bins = {.is_whole = type == SHOAL_TYPE_INTEGER || type == SHOAL_TYPE_DATE};

    if (type == SHOAL_TYPE_DATE) {
        lay_dates(&bins, least, most);
    } else {
        lay_numbers(&bins, least, most);
    }
    return bins;
}

static bool are_multiples(shoal_i_step step, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t times = 0;

        if (!shoal_i_step_below(&times, step, values[i]) ||
            shoal_i_step_times(step, times) != values[i]) {
            return false;
        }
    }
    return true;
}

void shoal_i_bins_widen(shoal_i_bins *bins, const double *values, size_t count)
{
    shoal_i_bins wide = *bins;
    double least = INFINITY;
    double most = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    if (bins->step.digit == 0 || !(most > least)) {
        return;
    }
    wide.is_whole = true; /* the last of them has a bin of its own, reals as well */
    do {
        wide.step = take_next(wide.step);
        if (are_multiples(wide.step, values, count) && lay_steps(&wide, least, most)) {
            wide.is_whole = bins->is_whole;
            *bins = wide;
            wide.is_whole = true;
        }
    } while (shoal_i_step_times(wide.step, 1) < most - least);
}

size_t shoal_i_bins_find(const shoal_i_bins *bins, double value)
{
    size_t bin = 0;

    while (bin + 1 < bins->count && value >= bins->edges[bin + 1]) {
        bin++;
    }
    return bin;
}

void shoal_i_bins_spread(const shoal_i_bins *bins, double *masses, double from, double to,
                         double records)
{
    double end = bins->is_whole ? to + 1 : to;
    size_t first = shoal_i_bins_find(bins, from);
    size_t last = shoal_i_bins_find(bins, to);

    if (first == last) {
        masses[first] += records;
        return;
    }
    for (size_t i = first; i <= last; i++) {
        double low = i == first ? from : bins->edges[i];
        double high = i == last ? end : bins->edges[i + 1];

        masses[i] += records * (high - low) / (end - from);
    }
}

const size_t *shoal_i_bins_spacings(const shoal_i_bins *bins)
{
    static const size_t decimal[SHOAL_I_SPACINGS] = {1, 2, 5, 10};
    static const size_t months[SHOAL_I_SPACINGS] = {1, 3, 6, 12};
    static const size_t quarters[SHOAL_I_SPACINGS] = {1, 2, 4, 8};

    if (bins->grid.unit != SHOAL_I_GRID_MONTHS) {
        return decimal;
    }
    return bins->grid.count == 1 ? months : quarters;
}

static void put_date(shoal_i_buffer *out, const shoal_i_bins *bins, double day)
{
    char text[SHOAL_I_NUMBER_MAX];
    size_t length = 0;

    day = fmin(day, SHOAL_I_DATE_LAST);
    length = shoal_i_text_from_date(text, (int32_t)day);
    if (bins->grid.unit == SHOAL_I_GRID_YEARS) {
        length -= strlen("-01-01");
    } else if (bins->grid.unit == SHOAL_I_GRID_MONTHS) {
        length -= strlen("-01");
    }
    shoal_i_buffer_put(out, text, length);
}

void shoal_i_bins_put_edge(shoal_i_buffer *out, const shoal_i_bins *bins, size_t edge)
{
    if (shoal_i_grid_is_set(&bins->grid)) {
        put_date(out, bins, bins->edges[edge]);
    } else if (bins->step.digit > 0) {
        shoal_i_step_put(out, bins->step, bins->first + (int64_t)edge);
    } else {
        shoal_i_put_number(out, bins->edges[edge]);
    }
}
