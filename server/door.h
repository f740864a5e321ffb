/* door.h -- between libmicrohttpd and the handlers.
 *
 *     head is there    the gate and the route are asked; who is refused sends no body
 *     body comes       into memory, or of an upload into a file
 *     all is there     a handler answers; events go on from there
 *
 * Beside that, connections are watched: one that takes too long to say what it wants is cut
 * off, sooner when many are open, so that slow ones cannot keep others out.
 */
#ifndef SHOAL_SERVER_DOOR_H
#define SHOAL_SERVER_DOOR_H

#include "server.h"

struct MHD_Daemon;
struct server_stream;

typedef struct server_visit {
    struct server_visit *next;
    int socket;
    double since;    /* it waits for a head, or the body of one */
    bool is_reading; /* it does */
    bool is_upload;  /* its body may take as long as bytes come */
} server_visit;

typedef struct server_door {
    server *server;
    struct MHD_Daemon *daemon;
    pthread_mutex_t mutex; /* of the visits */
    server_visit *visits;
    size_t visit_count;
    struct server_stream *resting; /* streams with nothing to tell; the server's lock */
} server_door;

/* Begin to listen on a socket, which the door takes over. */
bool server_door_open(server_door *door, server *s, int socket);
void server_door_close(server_door *door);

/* To be called ten times a second. */
void server_door_tick(server_door *door);

#endif /* SHOAL_SERVER_DOOR_H */
