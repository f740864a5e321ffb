/* arrow_type.h -- format strings of Arrow's C interface, taken apart.
 *
 *     "l"         integer, 8 bytes, signed        "u" "U" "vu"   texts
 *     "d:10,2"    decimal, 16 bytes, scale 2      "tsm:UTC"      instants: milliseconds
 *
 * Only what a column of a table can be made of; everything else is not found.
 */
#ifndef SHOAL_I_ARROW_TYPE_H
#define SHOAL_I_ARROW_TYPE_H

#include <shoal/arrow.h>

typedef enum shoal_i_arrow_kind {
    SHOAL_I_ARROW_NULL,
    SHOAL_I_ARROW_BOOL,
    SHOAL_I_ARROW_INTEGER,
    SHOAL_I_ARROW_FLOAT,
    SHOAL_I_ARROW_DECIMAL,
    SHOAL_I_ARROW_TEXT,   /* offsets and bytes */
    SHOAL_I_ARROW_VIEW,   /* texts of up to 12 bytes in place, of longer ones a reference */
    SHOAL_I_ARROW_DATE,   /* days */
    SHOAL_I_ARROW_INSTANT /* parts of a second since 1970; date64 is one, too */
} shoal_i_arrow_kind;

#define SHOAL_I_ARROW_WIDTH_MAX 32 /* bytes of the widest element, a decimal of 256 bits */
#define SHOAL_I_ARROW_SCALE_MAX                                                                \
    76 /* digits behind the point of a decimal, or zeros before it */
#define SHOAL_I_ARROW_VIEW_SHORT 12

typedef struct shoal_i_arrow_type {
    shoal_i_arrow_kind kind;
    unsigned width;  /* bytes of an element; of TEXT, of an offset; 0 of NULL and BOOL */
    bool is_signed;  /* INTEGER */
    int scale;       /* DECIMAL */
    int precision;   /* DECIMAL */
    int digits;      /* INSTANT: of a second, 0, 3, 6 or 9 */
    int64_t per_day; /* INSTANT */
    bool has_zone;   /* INSTANT */
} shoal_i_arrow_type;

/* Whether the format is one of the above; if so *out is it. */
bool shoal_i_arrow_type_find(shoal_i_arrow_type *out, const char *format);

/* A type for people: "list", "binary", ...; "unknown" for what has no name here. */
const char *shoal_i_arrow_format_name(const char *format);

/* How many buffers an array of this type has; of VIEW at least. */
int64_t shoal_i_arrow_buffer_count(const shoal_i_arrow_type *type);

#endif /* SHOAL_I_ARROW_TYPE_H */
