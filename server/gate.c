#include "gate.h"

#include <stdio.h>
#include <string.h>

static const char *const hosts[] = {"127.0.0.1", "localhost"};

/* Whether a text is PREFIX and one of our hosts with the port. */
static bool is_ours(const server *s, const char *text, const char *prefix)
{
    char expected[64];

    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        snprintf(expected, sizeof expected, "%s%s:%d", prefix, hosts[i], s->port);
        if (strcmp(text, expected) == 0) {
            return true;
        }
    }
    return false;
}

bool server_is_same_secret(const char *a, const char *b)
{
    size_t length = strlen(a);
    unsigned difference = 0;

    if (strlen(b) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        difference |= (unsigned)((unsigned char)a[i] ^ (unsigned char)b[i]);
    }
    return difference == 0;
}

/* The files of the page hold nothing of anybody's, and may be opened from anywhere. */
static bool is_about_data(const char *path)
{
    return strncmp(path, "/api/", 5) == 0 || strncmp(path, "/view/", 6) == 0;
}

bool server_gate(const server *s, const server_request *request, server_reply *reply)
{
    const char *site = request->site;

    if (request->has_twice || !request->host || !is_ours(s, request->host, "")) {
        return server_refuse(reply, 403, "forbidden",
                             "This address is not the one the server prints.");
    }
    if (request->origin && !is_ours(s, request->origin, "http://")) {
        return server_refuse(reply, 403, "forbidden", "Another page may not ask this.");
    }
    if (!is_about_data(request->path)) {
        return true;
    }
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0) {
        return server_refuse(reply, 403, "forbidden", "Another page may not ask this.");
    }
    if (strncmp(request->path, "/api/", 5) == 0 &&
        (!request->token || !server_is_same_secret(s->token, request->token))) {
        return server_refuse(reply, 401, "token",
                             "The token is missing or wrong: open the address that `shoal "
                             "serve` prints.");
    }
    return true;
}
