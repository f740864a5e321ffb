/* results.h -- what jobs made: reports, rows, files. */
#ifndef SHOAL_SERVER_RESULTS_H
#define SHOAL_SERVER_RESULTS_H

#include "jobs.h"

/* GET /api/jobs/ID/... */
void server_get_report(server *s, server_request *request, server_reply *reply);
void server_get_text(server *s, server_request *request, server_reply *reply);
void server_get_points(server *s, server_request *request, server_reply *reply);
void server_get_job_rows(server *s, server_request *request, server_reply *reply);
void server_get_job_columns(server *s, server_request *request, server_reply *reply);
void server_get_command(server *s, server_request *request, server_reply *reply);
void server_get_file(server *s, server_request *request, server_reply *reply);

/* POST /api/jobs/ID/ticket, GET /view/KEY */
void server_post_ticket(server *s, server_request *request, server_reply *reply);
void server_view(server *s, server_request *request, server_reply *reply);

/* POST /api/release */
void server_post_release(server *s, server_request *request, server_reply *reply);

#endif /* SHOAL_SERVER_RESULTS_H */
