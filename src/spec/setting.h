/* setting.h -- every setting of a spec as one row of one table.
 *
 * A row says what a setting is called, what values it takes, where they are kept in the spec,
 * and what it is for. All that knows settings reads the table: spec files and shoal_spec_set
 * (both by shoal_i_setting_assign, which never sees the difference), shoal_spec_get, what
 * writes a spec as YAML, and, through shoal_setting_describe, front ends:
 *
 *     key                type       kept in       values
 *     privacy.k          whole      spec->k       1 to 2^53
 *     output.numeric     word       spec->numeric range, minmax, mean, median
 *     risk.thresholds    numbers    ...           up to 8, above 0 and up to 1
 *
 * A dot in a key is a level of the file: output: {numeric: range}. A new setting is a field of
 * struct shoal_spec and a row in settings.c; a new type is a few functions in setting_types.c.
 */
#ifndef SHOAL_I_SETTING_H
#define SHOAL_I_SETTING_H

#include "spec.h"

/* What is given for a setting: one item, or those of a list. */
typedef struct shoal_i_setting_given {
    const char *const *items;
    size_t count;
    const char *quoted; /* in messages; NULL: the item that is wrong */
    const char *folder; /* that paths start from; NULL: as they are */
    bool is_of_file;
    size_t at; /* out: the item that is wrong */
} shoal_i_setting_given;

/* How many items a value has. */
typedef enum shoal_i_setting_form {
    SHOAL_I_FORM_SINGLE,
    SHOAL_I_FORM_LIST,  /* of any length, separated by commas where it is one text */
    SHOAL_I_FORM_ADDING /* one, and each time it is given it adds to those before */
} shoal_i_setting_form;

struct shoal_i_setting;

typedef struct shoal_i_setting_type {
    const char *name; /* for front ends */
    shoal_i_setting_form form;
    const char *in_files;  /* what a file has for it; NULL: a single value */
    const char *item;      /* the same of the items of a list */
    bool is_list_in_files; /* and no single text, which would be split at commas */
    size_t least_items;    /* of a list */
    /* Check and keep; on failure the spec stays as it was. */
    shoal_status (*assign)(shoal_ctx *ctx, shoal_spec *spec, const struct shoal_i_setting *s,
                           shoal_i_setting_given *given);
    /* How many items the spec has. NULL: always one, which may be the default. */
    size_t (*count)(const shoal_spec *spec, const struct shoal_i_setting *s);
    /* Item i as `assign` takes it. */
    void (*put)(shoal_i_buffer *out, const shoal_spec *spec, const struct shoal_i_setting *s,
                size_t i);
} shoal_i_setting_type;

extern const shoal_i_setting_type shoal_i_type_whole;   /* unsigned integers of any size */
extern const shoal_i_setting_type shoal_i_type_number;  /* double */
extern const shoal_i_setting_type shoal_i_type_time;    /* double, seconds: "30s", "5m" */
extern const shoal_i_setting_type shoal_i_type_bytes;   /* uint64_t: "512M" */
extern const shoal_i_setting_type shoal_i_type_word;    /* integer, place in words */
extern const shoal_i_setting_type shoal_i_type_words;   /* unsigned, a bit for each of words */
extern const shoal_i_setting_type shoal_i_type_axes;    /* two different ones of words */
extern const shoal_i_setting_type shoal_i_type_numbers; /* double[], and how many */
extern const shoal_i_setting_type shoal_i_type_texts;   /* const char **, and how many */
extern const shoal_i_setting_type shoal_i_type_text;    /* const char * */
extern const shoal_i_setting_type shoal_i_type_path;    /* const char *, relative to the file */
extern const shoal_i_setting_type shoal_i_type_previous;    /* paths of releases */
extern const shoal_i_setting_type shoal_i_type_date_format; /* const char * */
extern const shoal_i_setting_type shoal_i_type_delimiter;   /* char */
extern const shoal_i_setting_type shoal_i_type_grid;        /* shoal_i_grid */
extern const shoal_i_setting_type shoal_i_type_method;
extern const shoal_i_setting_type shoal_i_type_methods; /* of a sweep */
extern const shoal_i_setting_type shoal_i_type_requirement;
extern const shoal_i_setting_type shoal_i_type_sweep;

typedef struct shoal_i_setting {
    const char *key;
    const shoal_i_setting_type *type;
    const char *subject; /* of messages: "k is"; of words, what one of them is */
    const char *range;   /* what it takes, for messages and people; NULL: its words, or text */
    double least;        /* of numbers */
    double most;
    bool is_least_out; /* only what is above least */
    bool is_most_out;
    const char *const *words;
    /* Where it is kept: offsets into shoal_spec, and the size of the field. */
    size_t offset;
    size_t size;
    size_t count;    /* of lists: the field with their length */
    size_t capacity; /* of lists */
    size_t given;    /* the bool that tells that there is a value; 0: the field tells it */
    /* The default, as `assign` takes it; NULL: there is none, or it depends on the rest. */
    const char *standard;
    bool is_short;    /* stands for its group in files: missing: drop */
    const char *runs; /* that use it, separated by spaces: "anonymize refine" */
    const char *help; /* one line */
} shoal_i_setting;

/* The table. */
extern const shoal_i_setting shoal_i_settings[];
extern const size_t shoal_i_setting_count;

/* What is said of a column: role, type, weight, grid, hierarchy, populations. offset is that in
 * shoal_i_spec_column. */
extern const shoal_i_setting shoal_i_column_settings[];
#define SHOAL_I_COLUMN_FACTS 6 /* the first ones; behind them those that are kept as texts */
#define SHOAL_I_COLUMN_SETTINGS (SHOAL_I_COLUMN_FACTS + SHOAL_I_COLUMN_TEXTS)

/* Check what is said of a column as a text, and keep it. SHOAL_EINVAL, SHOAL_ENOMEM. */
shoal_status shoal_i_column_text_assign(shoal_ctx *ctx, shoal_spec *spec,
                                        shoal_i_spec_column *column,
                                        const struct shoal_i_setting *s, const char *text);

/* SHOAL_EINVAL: the text is no format of dates. */
shoal_status shoal_i_date_format_check(shoal_ctx *ctx, const char *text);

/* The row of a key, or NULL. */
const shoal_i_setting *shoal_i_setting_find(const char *key);
const shoal_i_setting *shoal_i_column_setting_find(const char *key);

/* Say that there is no such setting of a column. SHOAL_EINVAL */
shoal_status shoal_i_fail_column_setting(shoal_ctx *ctx, const char *key);

/* Give a setting a value. SHOAL_EINVAL, SHOAL_ELIMIT, SHOAL_ENOMEM; what is wrong is told
 * without a place. */
shoal_status shoal_i_setting_assign(shoal_ctx *ctx, shoal_spec *spec, const shoal_i_setting *s,
                                    shoal_i_setting_given *given);

/* The same of one text, which is split at commas where a list is wanted. */
shoal_status shoal_i_setting_assign_text(shoal_ctx *ctx, shoal_spec *spec,
                                         const shoal_i_setting *s, shoal_i_setting_given *given,
                                         const char *text);

/* How many items of it the spec has. */
size_t shoal_i_setting_item_count(const shoal_spec *spec, const shoal_i_setting *s);

/* Whether the spec has a value other than the default. */
bool shoal_i_setting_is_set(const shoal_spec *spec, const shoal_i_setting *s);

/* Read a number by the range of a row. SHOAL_EINVAL. */
shoal_status shoal_i_setting_parse_number(shoal_ctx *ctx, double *out, const shoal_i_setting *s,
                                          const char *text, const char *quoted);

#endif /* SHOAL_I_SETTING_H */
