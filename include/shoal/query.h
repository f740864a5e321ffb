/* query.h -- many questions to one release.
 *
 * shoal_query and shoal_query_workload (job.h) read a release for one question. A session reads
 * and indexes it once, and answers from memory:
 *
 *     shoal_query_session *session = NULL;
 *
 *     shoal_query_session_open(ctx, &session, spec, "release.csv", "patients.csv", NULL);
 *     shoal_query_session_ask(ctx, &report, session, "COUNT WHERE age BETWEEN 30 AND 40");
 *     ...
 *     shoal_query_session_ask(ctx, &report, session, "AVG(cost) WHERE diagnosis = flu");
 *     ...
 *     shoal_query_session_free(session);
 *
 * Answers are those that shoal_query gives. A session knows all columns that the release shows;
 * with an original, those that both have. It never changes once it is open, so any number of
 * threads may ask it, each with a context of its own; it keeps what it needs, so spec, release
 * and original may be freed or change meanwhile.
 */
#ifndef SHOAL_QUERY_H
#define SHOAL_QUERY_H

#include "job.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shoal_query_session shoal_query_session;

/* Open a session on a release in a file, or in memory. original: NULL, or what the release was
 * made from; then answers come with the exact ones and their errors. estimator: as of
 * shoal_query. Fails as shoal_query does; a value of any column of the release that its
 * original lacks is SHOAL_EFORMAT here, where shoal_query looks at those only that it is asked
 * about. */
SHOAL_API shoal_status shoal_query_session_open(shoal_ctx *ctx, shoal_query_session **out,
                                                const shoal_spec *spec, const char *release,
                                                const char *original, const char *estimator);
SHOAL_API shoal_status shoal_query_session_open_release(
    shoal_ctx *ctx, shoal_query_session **out, const shoal_spec *spec,
    const shoal_release *release, const shoal_table *original, const char *estimator);

/* NULL is allowed. */
SHOAL_API void shoal_query_session_free(shoal_query_session *session);

/* One question, and what shoal_query reports of it; its seconds are those of the answer
 * alone. */
SHOAL_API shoal_status shoal_query_session_ask(shoal_ctx *ctx, shoal_report **out,
                                               const shoal_query_session *session,
                                               const char *query);

/* Many random ones, as shoal_query_workload. SHOAL_EINVAL also: the session has no original, or
 * the workload names another estimator than the session's. */
SHOAL_API shoal_status shoal_query_session_workload(shoal_ctx *ctx, shoal_report **out,
                                                    const shoal_query_session *session,
                                                    const shoal_workload *workload);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_QUERY_H */
