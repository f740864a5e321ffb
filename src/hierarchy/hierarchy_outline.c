#include "hierarchy_outline.h"

#include <string.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static const char *find_line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    return newline ? newline : end;
}

/* --- Is it one? --------------------------------------------------------------------------- */

/* The first label of the next line that says something, with its indentation; NULL: none. */
static const char *find_said(const char *at, const char *end, size_t *width)
{
    while (at < end) {
        const char *stop = find_line_end(at, end);
        const char *first = at;

        while (first < stop && is_blank(*first)) {
            first++;
        }
        if (first < stop && *first != '\r' && *first != '#') {
            *width = (size_t)(first - at);
            return first;
        }
        at = stop < end ? stop + 1 : end;
    }
    return NULL;
}

/* Where the line of a label ends, which may be quoted and then reach over lines; NULL when
 * there is a delimiter before. */
static const char *find_end_of_label(const char *at, const char *end)
{
    bool can_quote = *at == '"';
    bool is_quoted = false;

    for (; at < end; at++) {
        is_quoted = is_quoted != (can_quote && *at == '"');
        if (!is_quoted && *at == '\n') {
            return at + 1;
        }
        if (!is_quoted && (*at == ';' || *at == ',')) {
            return NULL;
        }
    }
    return end;
}

bool shoal_i_outline_detect(const char *bytes, size_t size)
{
    const char *end = bytes + size;
    size_t width = 0;
    const char *first = find_said(bytes, end, &width);
    const char *rest = first && width == 0 ? find_end_of_label(first, end) : NULL;

    return rest && find_said(rest, end, &width) != NULL && width > 0;
}

/* --- Lines. ------------------------------------------------------------------------------- */

static shoal_i_outline_mistake complain(const char *message, const shoal_i_line_label *where)
{
    return (shoal_i_outline_mistake){message, SHOAL_EFORMAT, *where};
}

/* A label in quotes, doubled quotes made single in place; it may reach over lines. */
static shoal_i_outline_mistake read_quoted(shoal_i_line_label *label,
                                           shoal_i_outline_text *text)
{
    char *to = ++text->at;

    label->text = to;
    for (; text->at < text->end; text->at++) {
        if (*text->at == '"') {
            if (text->at + 1 == text->end || text->at[1] != '"') {
                break;
            }
            text->at++;
        }
        text->line += *text->at == '\n';
        *to++ = *text->at;
    }
    if (text->at == text->end) {
        return complain("A quote is opened here and never closed.", label);
    }
    label->length = (size_t)(to - label->text);
    text->at++;
    while (text->at < text->end && (is_blank(*text->at) || *text->at == '\r')) {
        text->at++;
    }
    if (text->at < text->end && *text->at != '\n') {
        return complain("Text follows the closing quote of this label; quote all of the label "
                        "and double the quotes inside.",
                        label);
    }
    *to = '\0';
    return (shoal_i_outline_mistake){0};
}

static void read_plain(shoal_i_line_label *label, shoal_i_outline_text *text)
{
    char *stop = text->at + (find_line_end(text->at, text->end) - text->at);
    char *to = stop;

    while (is_blank(to[-1]) || to[-1] == '\r') {
        to--;
    }
    label->text = text->at;
    label->length = (size_t)(to - text->at);
    text->at = stop;
    if (to < stop) {
        *to = '\0';
    }
}

/* Step over the end of a line, which may end a label. */
static void end_line(shoal_i_outline_text *text)
{
    if (text->at < text->end) {
        *text->at++ = '\0';
        text->line++;
    } else {
        *text->at = '\0';
    }
}

/* The next label. */
static shoal_i_outline_mistake read_label(shoal_i_outline *outline, shoal_i_outline_text *text)
{
    shoal_i_outline_mistake mistake = {0};

    outline->has_next = false;
    while (text->at < text->end && !outline->has_next && !mistake.message) {
        shoal_i_outline_label *next = &outline->next;
        const char *start = text->at;

        while (text->at < text->end && is_blank(*text->at)) {
            text->at++;
        }
        *next = (shoal_i_outline_label){
            .indent = start,
            .width = (size_t)(text->at - start),
            .label = {.line = text->line, .column = text->at - start + 1}};
        bool is_empty = text->at == text->end || *text->at == '\n' || *text->at == '\r';

        if (!is_empty && *text->at == '"') {
            mistake = read_quoted(&next->label, text);
            outline->has_next = true;
        } else if (!is_empty && *text->at != '#') {
            read_plain(&next->label, text);
            outline->has_next = true;
        } else {
            text->at += find_line_end(text->at, text->end) - text->at;
        }
        end_line(text);
    }
    return mistake;
}

/* --- From lines to values. ---------------------------------------------------------------- */

static bool is_below(const shoal_i_outline_label *label, const shoal_i_outline_label *above)
{
    return label->width > above->width &&
           memcmp(label->indent, above->indent, above->width) == 0;
}

static bool is_beside(const shoal_i_outline_label *a, const shoal_i_outline_label *b)
{
    return a->width == b->width && memcmp(a->indent, b->indent, a->width) == 0;
}

/* Close what the next label does not stand below: those that it stands beside, and what is
 * below them. */
static shoal_i_outline_mistake close_labels(shoal_i_outline *outline)
{
    size_t depth = outline->depth;

    while (depth > 0 && !is_beside(&outline->next, &outline->open[depth - 1])) {
        depth--;
    }
    if (depth == 0) {
        return complain("The indentation of this label is that of none above it; give it as "
                        "many spaces or tabs as the labels that it stands beside.",
                        &outline->next.label);
    }
    if (depth == 1) {
        return complain("An outline has one root, the first line; all other labels are "
                        "indented below it.",
                        &outline->next.label);
    }
    outline->depth = depth - 1;
    return (shoal_i_outline_mistake){0};
}

/* The labels from the one opened last to the root. */
static void list_open(shoal_i_line_label labels[SHOAL_LEVELS_MAX], size_t *count,
                      const shoal_i_outline *outline)
{
    for (size_t i = outline->depth; i-- > 0;) {
        labels[(*count)++] = outline->open[i].label;
    }
}

shoal_i_outline_mistake shoal_i_outline_next(shoal_i_line_label labels[SHOAL_LEVELS_MAX],
                                             size_t *count, shoal_i_outline *outline,
                                             shoal_i_outline_text *text)
{
    shoal_i_outline_mistake mistake = {0};

    *count = 0;
    if (!outline->has_started) {
        outline->has_started = true;
        mistake = read_label(outline, text);
    }
    while (!mistake.message && outline->has_next) {
        if (outline->depth == SHOAL_LEVELS_MAX) {
            return (shoal_i_outline_mistake){"An outline has at most 64 levels; this label is "
                                             "on one more.",
                                             SHOAL_ELIMIT, outline->next.label};
        }
        outline->open[outline->depth++] = outline->next;
        mistake = read_label(outline, text);
        if (mistake.message || (outline->has_next &&
                                is_below(&outline->next, &outline->open[outline->depth - 1]))) {
            continue;
        }
        list_open(labels, count, outline); /* a value: nothing stands below it */
        if (outline->has_next) {
            mistake = close_labels(outline);
        }
        if (mistake.message) {
            *count = 0;
        }
        break;
    }
    return mistake;
}

/* --- Writing. ----------------------------------------------------------------------------- */

static bool needs_quotes(const char *label, bool is_root)
{
    size_t length = strlen(label);

    return length == 0 || is_blank(label[0]) || is_blank(label[length - 1]) ||
           label[0] == '"' || label[0] == '#' || strpbrk(label, "\r\n") != NULL ||
           strncmp(label, "\xEF\xBB\xBF", 3) == 0 || (is_root && strpbrk(label, ";,\""));
}

void shoal_i_outline_put(shoal_i_buffer *out, int depth, const char *label)
{
    for (int i = 0; i < depth; i++) {
        shoal_i_buffer_text(out, "  ");
    }
    if (!needs_quotes(label, depth == 0)) {
        shoal_i_buffer_text(out, label);
    } else {
        shoal_i_buffer_char(out, '"');
        for (; *label; label++) {
            if (*label == '"') {
                shoal_i_buffer_char(out, '"');
            }
            shoal_i_buffer_char(out, *label);
        }
        shoal_i_buffer_char(out, '"');
    }
    shoal_i_buffer_char(out, '\n');
}
