/* query_text.h -- the text of a query, cut into its parts.
 *
 *     query      = aggregate [ WHERE condition { AND condition } ]
 *     aggregate  = COUNT | COUNT ( * ) | SUM ( column ) | AVG ( column )
 *     condition  = column = value | column IN ( value { , value } )
 *                | column BETWEEN value AND value | column < value    also <= > >=
 *     column, value = word | "text" | 'text'
 *
 * A word ends at a space or one of ( ) , = < > " '. Inside quotes a doubled quote stands for
 * one. Keywords are read in any case; a column or value that looks like one is put in quotes.
 *
 * Only names and texts here: what they mean, columns and values tell (query_bind.h).
 */
#ifndef SHOAL_I_QUERY_TEXT_H
#define SHOAL_I_QUERY_TEXT_H

#include "../../base/arena.h"
#include "answer.h"

#define SHOAL_I_QUERY_MAX 65536 /* bytes */
#define SHOAL_I_CONDITIONS_MAX 256

/* The source that errors of a query name; column is the 1-based byte within its text. */
#define SHOAL_I_QUERY_SOURCE "query"

typedef enum shoal_i_operator {
    SHOAL_I_EQUAL,   /* one value */
    SHOAL_I_IN,      /* one or more */
    SHOAL_I_BETWEEN, /* two, both included */
    SHOAL_I_LESS,
    SHOAL_I_LESS_EQUAL,
    SHOAL_I_GREATER,
    SHOAL_I_GREATER_EQUAL
} shoal_i_operator;

/* A name or value, its quotes taken off. NUL-terminated. */
typedef struct shoal_i_query_word {
    const char *text;
    size_t length;
    size_t at; /* first byte within the query */
} shoal_i_query_word;

typedef struct shoal_i_condition {
    shoal_i_query_word column;
    shoal_i_operator sign;
    shoal_i_query_word *values;
    size_t value_count;
} shoal_i_condition;

typedef struct shoal_i_query {
    shoal_i_aggregate aggregate;
    shoal_i_query_word target; /* of SUM and AVG */
    shoal_i_condition conditions[SHOAL_I_CONDITIONS_MAX];
    size_t condition_count;
    shoal_i_arena arena; /* holds the texts */
} shoal_i_query;

/* SHOAL_EINVAL with the place: what was expected there. SHOAL_ELIMIT: too long. After a failure
 * there is nothing to clear. */
shoal_status shoal_i_query_parse(shoal_ctx *ctx, shoal_i_query *out, const char *text);
void shoal_i_query_clear(shoal_i_query *query);

/* Place the failure just recorded at a byte of the query; returns its status. */
shoal_status shoal_i_query_fail_in(shoal_ctx *ctx, size_t at);

#endif /* SHOAL_I_QUERY_TEXT_H */
