/* route.h -- the table of calls. */
#ifndef SHOAL_SERVER_ROUTE_H
#define SHOAL_SERVER_ROUTE_H

#include "server.h"

typedef void (*server_handler)(server *s, server_request *request, server_reply *reply);

typedef enum server_body_kind {
    SERVER_NO_BODY,
    SERVER_JSON,
    SERVER_OCTETS /* to a file */
} server_body_kind;

typedef struct server_route {
    const char *method;
    const char *pattern; /* a star stands for one part of the path */
    server_handler handle;
    server_body_kind body;
} server_route;

/* The route of a request, with what stood for its stars; NULL after a refusal. */
const server_route *server_route_find(server_request *request, server_reply *reply);

/* Route i, NULL behind the last: for tests that call all of them. */
const server_route *server_route_at(size_t i);

#endif /* SHOAL_SERVER_ROUTE_H */
