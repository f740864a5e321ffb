#include "grid.h"

#include "../base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DIGITS_MAX 15
#define UNITS_MAX 1000000            /* days, weeks, months, years */
#define EXACT_MAX 9007199254740992.0 /* 2^53: up to there whole numbers are exact */

#define FIRST_MONDAY 4 /* 1970-01-05 */
#define MONTHS_PER_YEAR 12

/* --- Text. ------------------------------------------------------------------------------ */

/* Digits with at most one point, into a number without trailing zeros behind it. Returns what
 * follows, or NULL. */
static const char *read_digits(shoal_i_grid *out, const char *text)
{
    bool has_point = false;
    int digits = 0;
    int significant = 0;

    for (; shoal_i_text_is_digit(*text) || (*text == '.' && !has_point); text++) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        digits++;
        significant += significant > 0 || *text != '0';
        out->decimals += has_point;
        if (significant > DIGITS_MAX || out->decimals > DIGITS_MAX) {
            return NULL;
        }
        out->count = out->count * 10 + (*text - '0');
    }
    while (out->decimals > 0 && out->count % 10 == 0) {
        out->count /= 10;
        out->decimals--;
    }
    return digits > 0 && out->count > 0 ? text : NULL;
}

static const char *const unit_words[] = {
    [SHOAL_I_GRID_DAYS] = "day",
    [SHOAL_I_GRID_WEEKS] = "week",
    [SHOAL_I_GRID_MONTHS] = "month",
    [SHOAL_I_GRID_YEARS] = "year",
};

static shoal_i_grid_unit find_unit(const char *word)
{
    for (int unit = SHOAL_I_GRID_DAYS; unit <= SHOAL_I_GRID_YEARS; unit++) {
        size_t length = strlen(unit_words[unit]);

        if (strncmp(word, unit_words[unit], length) == 0 &&
            (word[length] == '\0' || strcmp(word + length, "s") == 0)) {
            return (shoal_i_grid_unit)unit;
        }
    }
    return SHOAL_I_GRID_UNSET;
}

bool shoal_i_grid_read(shoal_i_grid *out, const char *text)
{
    shoal_i_grid grid = {0};

    if (strcmp(text, "none") == 0) {
        *out = (shoal_i_grid){.unit = SHOAL_I_GRID_OFF};
        return true;
    }
    const char *rest = read_digits(&grid, text);

    if (!rest) {
        return false;
    }
    grid.unit = SHOAL_I_GRID_NUMBER;
    if (*rest != '\0') {
        rest += *rest == ' ';
        grid.unit = find_unit(rest);
        if (grid.unit == SHOAL_I_GRID_UNSET || grid.decimals > 0 || grid.count > UNITS_MAX) {
            return false;
        }
    }
    *out = grid;
    return true;
}

void shoal_i_grid_put(shoal_i_buffer *out, const shoal_i_grid *grid)
{
    char digits[SHOAL_I_NUMBER_MAX];
    size_t length = shoal_i_text_from_int64(digits, grid->count);
    size_t decimals = (size_t)grid->decimals;

    if (!shoal_i_grid_is_set(grid)) {
        shoal_i_buffer_text(out, grid->unit == SHOAL_I_GRID_OFF ? "none" : "");
        return;
    }
    shoal_i_buffer_put(out, digits, length > decimals ? length - decimals : 0);
    if (decimals > 0) {
        shoal_i_buffer_text(out, length > decimals ? "." : "0.");
        for (size_t i = length; i < decimals; i++) {
            shoal_i_buffer_char(out, '0');
        }
        size_t behind = length < decimals ? length : decimals;

        shoal_i_buffer_put(out, digits + length - behind, behind);
    }
    if (grid->unit != SHOAL_I_GRID_NUMBER) {
        shoal_i_buffer_printf(out, " %s%s", unit_words[grid->unit],
                              grid->count == 1 ? "" : "s");
    }
}

bool shoal_i_grid_fits(const shoal_i_grid *grid, bool is_date)
{
    return is_date ? grid->decimals == 0 && grid->count <= UNITS_MAX
                   : grid->unit == SHOAL_I_GRID_NUMBER;
}

/* --- Numbers. --------------------------------------------------------------------------- */

static double find_multiple(const shoal_i_grid *grid, double scale, int64_t steps)
{
    /* Both are exact, so this is the double nearest to the decimal fraction. */
    return (double)(steps * grid->count) / scale;
}

static bool find_number_cell(const shoal_i_grid *grid, double value, double *lower,
                             double *upper)
{
    double scale = 1;

    for (int i = 0; i < grid->decimals; i++) {
        scale *= 10;
    }
    if (!(fabs(value * scale) <= EXACT_MAX)) {
        return false;
    }
    int64_t steps = (int64_t)floor(value * scale / (double)grid->count);

    while (find_multiple(grid, scale, steps) > value) {
        steps--;
    }
    while (find_multiple(grid, scale, steps + 1) <= value) {
        steps++;
    }
    *lower = find_multiple(grid, scale, steps);
    steps += *lower < value;
    *upper = find_multiple(grid, scale, steps);
    return fabs(*lower * scale) <= EXACT_MAX && fabs(*upper * scale) <= EXACT_MAX;
}

/* --- Dates. ----------------------------------------------------------------------------- */

static int64_t floor_to(int64_t value, int64_t step)
{
    int64_t rest = value % step;

    return value - (rest < 0 ? rest + step : rest);
}

/* The first day of a month counted from year 0, or the first or last date. */
static int32_t find_month_start(int64_t month)
{
    if (month < MONTHS_PER_YEAR) {
        return SHOAL_I_DATE_FIRST;
    }
    if (month >= (int64_t)MONTHS_PER_YEAR * 10000) {
        return SHOAL_I_DATE_LAST;
    }
    return shoal_i_date_days((int)(month / MONTHS_PER_YEAR), (int)(month % MONTHS_PER_YEAR) + 1,
                             1);
}

static void find_month_cell(int64_t step, int32_t date, int32_t *lower, int32_t *upper)
{
    int year;
    int month;
    int day;

    shoal_i_date_parts(date, &year, &month, &day);
    int64_t start = floor_to((int64_t)year * MONTHS_PER_YEAR + month - 1, step);

    *lower = find_month_start(start);
    *upper = *lower < date ? find_month_start(start + step) : date;
}

static int32_t keep_date(int64_t date)
{
    return date < SHOAL_I_DATE_FIRST  ? SHOAL_I_DATE_FIRST
           : date > SHOAL_I_DATE_LAST ? SHOAL_I_DATE_LAST
                                      : (int32_t)date;
}

static void find_day_cell(int64_t step, int64_t origin, int32_t date, int32_t *lower,
                          int32_t *upper)
{
    int64_t start = floor_to(date - origin, step) + origin;

    *lower = keep_date(start);
    *upper = start < date ? keep_date(start + step) : date;
}

static void find_date_cell(const shoal_i_grid *grid, int32_t date, double *lower, double *upper)
{
    int32_t from = date;
    int32_t to = date;

    if (grid->unit == SHOAL_I_GRID_MONTHS || grid->unit == SHOAL_I_GRID_YEARS) {
        find_month_cell(grid->unit == SHOAL_I_GRID_YEARS ? grid->count * MONTHS_PER_YEAR
                                                         : grid->count,
                        date, &from, &to);
    } else if (grid->unit == SHOAL_I_GRID_WEEKS) {
        find_day_cell(7 * grid->count, FIRST_MONDAY, date, &from, &to);
    } else {
        find_day_cell(grid->count, 0, date, &from, &to);
    }
    *lower = from;
    *upper = to;
}

/* --- Both. ------------------------------------------------------------------------------ */

bool shoal_i_grid_cell(const shoal_i_grid *grid, bool is_date, double value, double *lower,
                       double *upper)
{
    if (!is_date) {
        return find_number_cell(grid, value, lower, upper);
    }
    find_date_cell(grid, (int32_t)value, lower, upper);
    return true;
}

bool shoal_i_grid_is_end(const shoal_i_grid *grid, bool is_date, double value)
{
    double lower = 0;
    double upper = 0;

    return shoal_i_grid_cell(grid, is_date, value, &lower, &upper) &&
           (lower == value || upper == value);
}
