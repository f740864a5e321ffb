/* gate.h -- who is let in: one check before all routes.
 *
 * A page of somebody else's, open in the same browser, can make requests to this machine, and
 * by rebinding a name even ones that the browser takes for its own. So the host must be exactly
 * ours, the origin too where there is one, and everything that is about data needs the token,
 * which no other page can know.
 */
#ifndef SHOAL_SERVER_GATE_H
#define SHOAL_SERVER_GATE_H

#include "server.h"

/* Whether a request passes; a refusal is in the reply otherwise. */
bool server_gate(const server *s, const server_request *request, server_reply *reply);

/* Whether two secrets of equal length are the same, in a time that does not tell where they
 * differ. */
bool server_is_same_secret(const char *a, const char *b);

#endif /* SHOAL_SERVER_GATE_H */
