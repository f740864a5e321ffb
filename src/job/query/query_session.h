/* query_session.h -- a release, and its original where it is given, made ready for queries. */
#ifndef SHOAL_I_QUERY_SESSION_H
#define SHOAL_I_QUERY_SESSION_H

#include "../../measure/query/answer.h"
#include "../input/domain.h"
#include "../input/run.h"
#include "../measure/tradeoff_run.h"

typedef enum shoal_i_estimator {
    SHOAL_I_ESTIMATOR_UNIFORM,
    SHOAL_I_ESTIMATOR_MARGINAL
} shoal_i_estimator;

extern const char *const shoal_i_estimator_words[];

/* Starts as {0} but for what the caller sets. */
typedef struct shoal_i_query_session {
    /* Set by the caller; borrowed. */
    const shoal_spec *spec;
    shoal_i_given_release release;
    shoal_i_given original; /* may give nothing */
    shoal_i_estimator estimator;
    /* Columns beside the quasi-identifier; a file may lack them. */
    const char *const *asked;
    size_t asked_count;
    bool asks_all; /* all that the release shows and the original, if given, has */

    const char **listed;       /* with asks_all: what is asked */
    shoal_i_prepared prepared; /* of the original, or of the domain that stands in for it */
    shoal_i_received received;
    shoal_i_release *parsed;
    size_t other_count;       /* of the asked columns those that are there */
    shoal_i_sensitive *truth; /* with the original only */
    shoal_i_sensitive *shown;
    shoal_hierarchy **hierarchies; /* of the others; NULL for those without */
    bool *is_sensitive;
    shoal_i_published published;
    shoal_i_spread *spread;
    shoal_i_answerer *answerer;
    shoal_i_truth *exact; /* NULL without the original */
} shoal_i_query_session;

/* SHOAL_ENOTFOUND: a column that the release shows and the original lacks. */
shoal_status shoal_i_query_session_check(shoal_ctx *ctx, const shoal_i_query_session *session,
                                         const char *name);

/* Read everything. Stages go to run. Fails as shoal_query does. */
shoal_status shoal_i_query_session_open(shoal_ctx *ctx, shoal_i_query_session *session,
                                        shoal_i_run *run);
void shoal_i_query_session_clear(shoal_i_query_session *session);

#endif /* SHOAL_I_QUERY_SESSION_H */
