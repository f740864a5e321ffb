/* write_hierarchy.c -- a hierarchy as a file that reads back the same, and as a drawing for
 * people. */
#include "tree.h"

#include "hierarchy_outline.h"

#include "../base/entry.h"
#include "../base/buffer.h"
#include "../base/file.h"

#include <string.h>

/* Output goes out in pieces of about this size. */
#define PIECE ((size_t)1 << 20)

typedef struct writer {
    shoal_i_output *output;
    shoal_i_buffer buffer;
} writer;

static shoal_status open_writer(shoal_ctx *ctx, writer *w, const char *path)
{
    shoal_i_buffer_init(&w->buffer, ctx, SHOAL_I_BUFFER_MAX);
    return shoal_i_output_open(ctx, &w->output, path);
}

static void clear_writer(writer *w)
{
    shoal_i_buffer_clear(&w->buffer);
    shoal_i_output_free(w->output);
}

static shoal_status flush(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_buffer_status(&w->buffer));
    SHOAL_TRY(shoal_i_output_write(ctx, w->output, w->buffer.data, w->buffer.size));
    w->buffer.size = 0;
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

static shoal_status flush_when_full(shoal_ctx *ctx, writer *w)
{
    return w->buffer.size < PIECE ? shoal_i_buffer_status(&w->buffer) : flush(ctx, w);
}

static shoal_status publish(shoal_ctx *ctx, writer *w)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(flush(ctx, w));
    SHOAL_TRY(shoal_i_output_publish(ctx, w->output));
done:
    return st;
}

/* --- As a file. --------------------------------------------------------------------------- */

static bool needs_quotes(const char *text)
{
    /* A byte order mark in front would be taken for the file's. */
    return strpbrk(text, ";\"\r\n") != NULL || strncmp(text, "\xEF\xBB\xBF", 3) == 0;
}

static void put_label(shoal_i_buffer *out, const char *text)
{
    if (!needs_quotes(text)) {
        shoal_i_buffer_text(out, text);
        return;
    }
    shoal_i_buffer_char(out, '"');
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"') {
            shoal_i_buffer_char(out, '"');
        }
        shoal_i_buffer_char(out, *p);
    }
    shoal_i_buffer_char(out, '"');
}

static void put_path(shoal_i_buffer *out, const shoal_hierarchy *h, uint32_t leaf)
{
    uint32_t node = h->leaf_nodes[leaf];

    put_label(out, h->nodes[node].label);
    do { /* a root that is the only value is written twice: a line has two labels at least */
        node = h->nodes[node].parent;
        shoal_i_buffer_char(out, ';');
        put_label(out, h->nodes[node].label);
    } while (node != 0);
    shoal_i_buffer_char(out, '\n');
}

shoal_status shoal_hierarchy_write(shoal_ctx *ctx, const shoal_hierarchy *h, const char *path)
{
    SHOAL_ENTER(ctx, h, path);
    shoal_status st = SHOAL_OK;
    writer w = {0};

    SHOAL_TRY(open_writer(ctx, &w, path));
    for (uint32_t leaf = 0; leaf < h->leaf_count; leaf++) {
        put_path(&w.buffer, h, leaf);
        SHOAL_TRY(flush_when_full(ctx, &w));
    }
    SHOAL_TRY(publish(ctx, &w));
done:
    clear_writer(&w);
    return st;
}

/* --- As an outline. ----------------------------------------------------------------------- */

shoal_status shoal_hierarchy_write_outline(shoal_ctx *ctx, const shoal_hierarchy *h,
                                           const char *path)
{
    SHOAL_ENTER(ctx, h, path);
    shoal_status st = SHOAL_OK;
    writer w = {0};

    SHOAL_TRY(open_writer(ctx, &w, path));
    for (uint32_t node = 0; node < h->node_count; node++) {
        shoal_i_outline_put(&w.buffer, h->nodes[node].depth, h->nodes[node].label);
        SHOAL_TRY(flush_when_full(ctx, &w));
    }
    if (h->node_count == 1) { /* a value that is the root: it stands below itself */
        shoal_i_outline_put(&w.buffer, 1, h->nodes[0].label);
    }
    SHOAL_TRY(publish(ctx, &w));
done:
    clear_writer(&w);
    return st;
}

/* --- As a drawing. ------------------------------------------------------------------------ */

static void put_node(shoal_i_buffer *out, const shoal_hierarchy *h, uint32_t node)
{
    const shoal_i_node *n = &h->nodes[node];

    for (int i = 0; i < n->depth; i++) {
        shoal_i_buffer_text(out, "  ");
    }
    shoal_i_buffer_printable(out, n->label_length > 0 ? n->label : "(empty)");
    if (n->height > 0) {
        uint32_t count = n->last - n->first + 1;

        shoal_i_buffer_printf(out, "  (%u value%s)", count, count == 1 ? "" : "s");
    }
    shoal_i_buffer_char(out, '\n');
}

shoal_status shoal_hierarchy_print(shoal_ctx *ctx, const shoal_hierarchy *h, const char *path,
                                   size_t max_lines)
{
    SHOAL_ENTER(ctx, h, path);
    shoal_status st = SHOAL_OK;
    writer w = {0};
    size_t shown = h->node_count;

    if (max_lines > 0 && max_lines < shown) {
        shown = max_lines - 1; /* the last line tells what is left out */
    }
    SHOAL_TRY(open_writer(ctx, &w, path));
    for (uint32_t node = 0; node < shown; node++) {
        put_node(&w.buffer, h, node);
        SHOAL_TRY(flush_when_full(ctx, &w));
    }
    if (shown < h->node_count) {
        shoal_i_buffer_printf(&w.buffer, "... and %zu more\n", h->node_count - shown);
    }
    SHOAL_TRY(publish(ctx, &w));
done:
    clear_writer(&w);
    return st;
}
