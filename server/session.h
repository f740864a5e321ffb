/* session.h -- what is open. */
#ifndef SHOAL_SERVER_SESSION_H
#define SHOAL_SERVER_SESSION_H

#include "server.h"

/* GET /api/session, POST /api/upload, POST /api/open */
void server_get_session(server *s, server_request *request, server_reply *reply);
void server_post_upload(server *s, server_request *request, server_reply *reply);
void server_post_open(server *s, server_request *request, server_reply *reply);

/* Open a file of the folder at once, as the command line asks; false after a refusal. */
bool server_open_first(server *s, server_reply *reply, const char *path);

/* GET /api/choices (offers.c) */
void server_get_choices(server *s, server_request *request, server_reply *reply);

/* POST /api/hierarchy and /api/hierarchy/save (trees.c) */
void server_post_hierarchy(server *s, server_request *request, server_reply *reply);
void server_save_hierarchy(server *s, server_request *request, server_reply *reply);

#endif /* SHOAL_SERVER_SESSION_H */
