#include "page.h"

#include <string.h>

#define PAGE_POLICY                                                                            \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "          \
    "font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; "                 \
    "form-action 'none'; frame-ancestors 'none'"

static const char plain_page[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Shoal</title>\n"
    "<h1>Shoal</h1>\n<p>The server runs, and this program was built without its page. "
    "With Node 18 or later, <code>make page</code> builds one that has it.</p>\n"
    "<p>Every call that the page would make can be made by scripts: "
    "<a href=\"/docs/server.md\">server.md</a>.</p>\n</html>\n";

static const server_asset *find_asset(const char *path)
{
    const server_asset *asset = server_assets;

    while (asset->path && strcmp(asset->path, path) != 0) {
        asset++;
    }
    return asset->path ? asset : NULL;
}

bool server_page_is_there(void)
{
    return find_asset("/index.html") != NULL;
}

/* Constants are handed out as they are; nobody writes to them. */
static void send_constant(server_reply *reply, const char *type, const char *bytes, size_t size)
{
    reply->status = 200;
    reply->type = type;
    reply->bytes = (char *)(uintptr_t)bytes;
    reply->size = size;
    reply->is_borrowed = true;
    reply->policy = PAGE_POLICY;
}

void server_send_page(const server_request *request, server_reply *reply)
{
    bool is_first = strcmp(request->path, "/") == 0;
    const server_asset *asset = find_asset(is_first ? "/index.html" : request->path);

    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0) {
        server_refuse(reply, 405, "method", "Files of the page can be read only.");
    } else if (asset && asset->packed && request->takes_gzip) {
        send_constant(reply, asset->type, asset->packed,
                      (size_t)(asset->packed_end - asset->packed));
        reply->is_packed = true;
    } else if (asset) {
        send_constant(reply, asset->type, asset->bytes, (size_t)(asset->end - asset->bytes));
    } else if (is_first) {
        send_constant(reply, "text/html; charset=utf-8", plain_page, sizeof plain_page - 1);
    } else {
        server_refuse(reply, 404, "not_found", "There is no such file.");
    }
}
