/* page.h -- the files of the page and of the manual, which are part of the program.
 *
 * The page is built from web/ (`make page`) and packed into the program by
 * tools/embed_page.py; without Node there is none, and a plain one says how to get it.
 */
#ifndef SHOAL_SERVER_PAGE_H
#define SHOAL_SERVER_PAGE_H

#include "server.h"

typedef struct server_asset {
    const char *path; /* "/page.js" */
    const char *type;
    const char *bytes;
    const char *end;
    const char *packed; /* by gzip; NULL: it is not */
    const char *packed_end;
} server_asset;

/* Generated; ended by an entry without a path. */
extern const server_asset server_assets[];

bool server_page_is_there(void);

/* Answer with a file of the page. */
void server_send_page(const server_request *request, server_reply *reply);

#endif /* SHOAL_SERVER_PAGE_H */
