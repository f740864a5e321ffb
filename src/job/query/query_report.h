/* query_report.h -- the answer to a query, or the errors of a workload, as a report. */
#ifndef SHOAL_I_QUERY_REPORT_H
#define SHOAL_I_QUERY_REPORT_H

#include "../../measure/query/workload.h"
#include "query_session.h"
#include "../../report/report.h"

typedef struct shoal_i_query_findings {
    const shoal_i_query_session *session;
    const shoal_i_stages *stages;

    const char *query; /* NULL: a workload */
    double estimate;   /* NaN: an average of nobody */
    double exact;      /* with the original only, as the error */
    double error;      /* NaN or infinite where the exact answer is 0 */

    const char *kind;
    const shoal_i_workload *workload;
    const shoal_i_errors *errors;
} shoal_i_query_findings;

shoal_status shoal_i_query_report(shoal_ctx *ctx, shoal_report **out,
                                  const shoal_i_query_findings *found);

#endif /* SHOAL_I_QUERY_REPORT_H */
