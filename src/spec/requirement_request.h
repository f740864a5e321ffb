/* requirement_request.h -- a privacy requirement as a spec asks for it: by names, before any
 * table is known.
 *
 * The forms of one line, for options and for single values of a spec file:
 *
 *     alpha      0.5                 every value      0.5:HIV,TB     these together
 *                limits:"HIV"=0.2,"TB"=0.3            each by itself
 *     l          3   distinct:3   entropy:2.5   recursive:C:L
 *     t          0.2   equal:0.2   ordered:0.2   hierarchical:0.2
 *     delta      1.5
 *     beta       1   enhanced:1
 *     k_map      5
 *     presence   0.1   0.01:0.1 (the least share first)
 *
 * with COLUMN= before any of those about sensitive values, where only one of several columns is
 * meant; a column or value that holds one of = " , stands in quotes, in which a quote is
 * doubled. What a request means for the columns of a table: bound_requirements.h.
 */
#ifndef SHOAL_I_REQUIREMENT_REQUEST_H
#define SHOAL_I_REQUIREMENT_REQUEST_H

#include "../requirement/requirement.h"

/* Limit of the values that one request may name. */
#define SHOAL_I_REQUEST_VALUES_MAX 4096

/* Where a spec file said something; source NULL for what flags said. */
typedef struct shoal_i_place {
    const char *source;
    int64_t line;
    int64_t column;
} shoal_i_place;

typedef struct shoal_i_requirement_request {
    const shoal_i_requirement_kind *kind;
    double value;
    double c;                  /* of recursive l-diversity */
    double least;              /* share, of presence */
    const char *column;        /* NULL: every sensitive column */
    const char *const *values; /* named ones, of alpha */
    const double *limits;      /* of each of them, for the variant "limits" */
    size_t value_count;
    shoal_i_place place;
} shoal_i_requirement_request;

/* Read the form of one line. Memory comes from the arena. SHOAL_EINVAL: an unknown variant, a
 * number that is none or out of its range. */
shoal_status shoal_i_request_parse(shoal_ctx *ctx, shoal_i_requirement_request *out,
                                   shoal_i_arena *arena, const char *key, const char *text);

/* The form of one line that shoal_i_request_parse reads as this. */
void shoal_i_request_put(shoal_i_buffer *out, const shoal_i_requirement_request *request);

/* The kind of a key and a word; SHOAL_EINVAL naming `what` and the words there are. */
shoal_status shoal_i_request_find_kind(shoal_ctx *ctx, const shoal_i_requirement_kind **out,
                                       const char *key, const char *what, const char *word);

/* Read the parameter of a kind, and the other two numbers. */
shoal_status shoal_i_request_parse_value(shoal_ctx *ctx, double *out,
                                         const shoal_i_requirement_kind *kind,
                                         const char *text);
shoal_status shoal_i_request_parse_c(shoal_ctx *ctx, double *out, const char *text);
shoal_status shoal_i_request_parse_least(shoal_ctx *ctx, double *out, const char *text);

/* Place a failure, if status is one, at the request it is about: in its file, or at the setting
 * that made it, such as "privacy.alpha". Returns the status. */
shoal_status shoal_i_fail_of_request(shoal_ctx *ctx, const shoal_i_requirement_request *request,
                                     shoal_status status);

#endif /* SHOAL_I_REQUIREMENT_REQUEST_H */
