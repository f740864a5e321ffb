#include "text.h"

#include <stdio.h>

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int count_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

/* Years counted from March put the leap day at the end of the year, so that days before a month
 * follow one formula (H. Hinnant, "chrono-compatible low-level date algorithms"). */
int32_t shoal_i_date_days(int year, int month, int day)
{
    int shifted = month <= 2 ? year - 1 : year;
    int era = shifted / 400;
    int year_of_era = shifted - era * 400;
    int day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    return era * 146097 + day_of_era - 719468;
}

static bool read_digits(int *out, const char *text, size_t count)
{
    *out = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *out = *out * 10 + (text[i] - '0');
    }
    return true;
}

bool shoal_i_text_to_date(int32_t *days, const char *text, size_t length)
{
    int year;
    int month;
    int day;

    if (length != 10 || text[4] != '-' || text[7] != '-' || !read_digits(&year, text, 4) ||
        !read_digits(&month, text + 5, 2) || !read_digits(&day, text + 8, 2)) {
        return false;
    }
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > count_days(year, month)) {
        return false;
    }
    *days = shoal_i_date_days(year, month, day);
    return true;
}

void shoal_i_date_parts(int32_t days, int *year, int *month, int *day)
{
    int64_t shifted = (int64_t)days + 719468;
    int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int day_of_era = (int)(shifted - era * 146097);
    int year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int shifted_month = (5 * day_of_year + 2) / 153;

    *day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    *month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
    *year = (int)(era * 400) + year_of_era + (*month <= 2 ? 1 : 0);
}

size_t shoal_i_text_from_date(char out[SHOAL_I_NUMBER_MAX], int32_t days)
{
    int year;
    int month;
    int day;

    shoal_i_date_parts(days, &year, &month, &day);
    return (size_t)snprintf(out, SHOAL_I_NUMBER_MAX, "%04d-%02d-%02d", year, month, day);
}
