/* In place of the server where its libraries are missing. */
#include "serve.h"

#include <stdio.h>

bool server_run(const server_options *options, char *message, size_t size)
{
    (void)options;
    snprintf(
        message, size,
        "This program was built without its server, which needs libmicrohttpd and jansson; "
        "`make` builds one that has it.");
    return false;
}
