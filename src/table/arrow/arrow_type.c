#include "arrow_type.h"

#include <stdlib.h>
#include <string.h>

#define SECONDS_PER_DAY 86400

/* Formats of one letter, and "vu". */
static const struct {
    const char *format;
    shoal_i_arrow_type type;
} plain_types[] = {
    {"n", {.kind = SHOAL_I_ARROW_NULL}},
    {"b", {.kind = SHOAL_I_ARROW_BOOL}},
    {"c", {.kind = SHOAL_I_ARROW_INTEGER, .width = 1, .is_signed = true}},
    {"C", {.kind = SHOAL_I_ARROW_INTEGER, .width = 1}},
    {"s", {.kind = SHOAL_I_ARROW_INTEGER, .width = 2, .is_signed = true}},
    {"S", {.kind = SHOAL_I_ARROW_INTEGER, .width = 2}},
    {"i", {.kind = SHOAL_I_ARROW_INTEGER, .width = 4, .is_signed = true}},
    {"I", {.kind = SHOAL_I_ARROW_INTEGER, .width = 4}},
    {"l", {.kind = SHOAL_I_ARROW_INTEGER, .width = 8, .is_signed = true}},
    {"L", {.kind = SHOAL_I_ARROW_INTEGER, .width = 8}},
    {"f", {.kind = SHOAL_I_ARROW_FLOAT, .width = 4}},
    {"g", {.kind = SHOAL_I_ARROW_FLOAT, .width = 8}},
    {"u", {.kind = SHOAL_I_ARROW_TEXT, .width = 4}},
    {"U", {.kind = SHOAL_I_ARROW_TEXT, .width = 8}},
    {"vu", {.kind = SHOAL_I_ARROW_VIEW, .width = 16}},
    {"tdD", {.kind = SHOAL_I_ARROW_DATE, .width = 4}},
    {"tdm",
     {.kind = SHOAL_I_ARROW_INSTANT,
      .width = 8,
      .digits = 3,
      .per_day = (int64_t)1000 * SECONDS_PER_DAY}},
};

/* What is refused, by how its format starts; the first that fits. */
static const struct {
    const char *start;
    const char *name;
} refused_types[] = {
    {"+l", "list"},        {"+L", "large list"},
    {"+vl", "list view"},  {"+vL", "list view"},
    {"+w", "list"},        {"+s", "struct"},
    {"+m", "map"},         {"+ud", "union"},
    {"+us", "union"},      {"+r", "run-end encoded"},
    {"z", "binary"},       {"Z", "large binary"},
    {"vz", "binary view"}, {"w:", "fixed-size binary"},
    {"e", "half float"},   {"tt", "time of day"},
    {"tD", "duration"},    {"ti", "interval"},
    {"d:", "decimal"},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* A whole number in front of the text, which is moved behind it. */
static bool read_number(int *out, const char **text)
{
    char *end = NULL;
    long number = strtol(*text, &end, 10);

    if (end == *text || number < -1000 || number > 1000) {
        return false;
    }
    *out = (int)number;
    *text = end;
    return true;
}

/* "d:precision,scale" or "d:precision,scale,bits". */
static bool find_decimal(shoal_i_arrow_type *out, const char *format)
{
    const char *at = format + 2;
    int bits = 128;

    *out = (shoal_i_arrow_type){.kind = SHOAL_I_ARROW_DECIMAL};
    if (!read_number(&out->precision, &at) || *at++ != ',' || !read_number(&out->scale, &at)) {
        return false;
    }
    if (*at == ',') {
        at++;
        if (!read_number(&bits, &at)) {
            return false;
        }
    }
    out->width = (unsigned)bits / 8;
    return *at == '\0' && (bits == 32 || bits == 64 || bits == 128 || bits == 256) &&
           out->precision >= 1 && out->scale >= -SHOAL_I_ARROW_SCALE_MAX &&
           out->scale <= SHOAL_I_ARROW_SCALE_MAX;
}

/* "tsu:zone", with the unit in the place of u and a zone that may be empty. */
static bool find_timestamp(shoal_i_arrow_type *out, const char *format)
{
    static const char units[] = "smun";
    const char *unit = format[2] ? strchr(units, format[2]) : NULL;

    if (!unit || format[3] != ':') {
        return false;
    }
    *out = (shoal_i_arrow_type){.kind = SHOAL_I_ARROW_INSTANT, .width = 8};
    out->digits = 3 * (int)(unit - units);
    out->has_zone = format[4] != '\0';
    out->per_day = SECONDS_PER_DAY;
    for (int i = 0; i < out->digits; i++) {
        out->per_day *= 10;
    }
    return true;
}

bool shoal_i_arrow_type_find(shoal_i_arrow_type *out, const char *format)
{
    for (size_t i = 0; i < LENGTH(plain_types); i++) {
        if (strcmp(format, plain_types[i].format) == 0) {
            *out = plain_types[i].type;
            return true;
        }
    }
    if (strncmp(format, "d:", 2) == 0) {
        return find_decimal(out, format);
    }
    return strncmp(format, "ts", 2) == 0 && find_timestamp(out, format);
}

const char *shoal_i_arrow_format_name(const char *format)
{
    for (size_t i = 0; i < LENGTH(refused_types); i++) {
        if (strncmp(format, refused_types[i].start, strlen(refused_types[i].start)) == 0) {
            return refused_types[i].name;
        }
    }
    return "unknown";
}

int64_t shoal_i_arrow_buffer_count(const shoal_i_arrow_type *type)
{
    switch (type->kind) {
    case SHOAL_I_ARROW_NULL:
        return 0;
    case SHOAL_I_ARROW_TEXT:
    case SHOAL_I_ARROW_VIEW:
        return 3;
    default:
        return 2;
    }
}
