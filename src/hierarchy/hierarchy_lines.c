#include "hierarchy_lines.h"

#include "../base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef shoal_i_hierarchy_lines reader;

static shoal_status fail_at_byte(shoal_ctx *ctx, const reader *r, size_t offset,
                                 const char *message)
{
    int64_t line = 1;
    const char *start = r->at;

    for (const char *p = r->at; p < r->at + offset; p++) {
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    }
    shoal_i_fail(ctx, SHOAL_EFORMAT, "%s", message);
    return shoal_i_fail_in(ctx, r->source, line, r->at + offset - start + 1);
}

static shoal_status check_bytes(shoal_ctx *ctx, const reader *r)
{
    size_t size = (size_t)(r->end - r->at);
    const char *nul = memchr(r->at, '\0', size);
    size_t bad = 0;

    if (nul) {
        return fail_at_byte(
            ctx, r, (size_t)(nul - r->at),
            "A NUL byte, which text does not have; save the file as UTF-8 text.");
    }
    if (!shoal_i_text_is_utf8(&bad, r->at, size)) {
        return fail_at_byte(ctx, r, bad, "Not valid UTF-8; save the file as UTF-8 text.");
    }
    return SHOAL_OK;
}

/* From the first line that is not blank, outside quotes. */
static char detect_delimiter(const reader *r)
{
    bool is_quoted = false;
    bool is_blank = true;

    for (const char *p = r->at; p < r->end; p++) {
        if (*p == '"') {
            is_quoted = !is_quoted;
        } else if (*p == '\n' && !is_quoted && !is_blank) {
            break;
        } else if (*p == ';' && !is_quoted) {
            return ';';
        }
        is_blank = is_blank && (*p == '\n' || *p == '\r');
    }
    return ',';
}

shoal_status shoal_i_hierarchy_lines_start(shoal_ctx *ctx, shoal_i_hierarchy_lines *lines,
                                           char *bytes, size_t size, const char *source)
{
    static const char mark[] = "\xEF\xBB\xBF";

    *lines =
        (reader){.source = source, .unit = "line", .at = bytes, .end = bytes + size, .line = 1};
    if (size >= 3 && memcmp(bytes, mark, 3) == 0) {
        lines->at += 3;
    }
    lines->line_start = lines->at;
    lines->is_outline = shoal_i_outline_detect(lines->at, (size_t)(lines->end - lines->at));
    lines->delimiter = detect_delimiter(lines);
    return check_bytes(ctx, lines);
}

shoal_status shoal_i_hierarchy_lines_start_table(shoal_ctx *ctx, shoal_i_hierarchy_lines *lines,
                                                 const shoal_table *levels)
{
    *lines = (reader){
        .source = shoal_table_source(levels), .unit = "record", .levels = levels, .line = 1};
    if (shoal_table_is_skipped(levels, 0)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The first column of the table of levels was skipped when it was "
                            "read; it has the values.");
    }
    return SHOAL_OK;
}

shoal_status shoal_i_hierarchy_lines_fail(shoal_ctx *ctx, const shoal_i_hierarchy_lines *lines,
                                          shoal_status status, const shoal_i_line_label *where,
                                          const char *format, ...)
{
    char message[SHOAL_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (lines->levels) {
        shoal_i_fail_at(ctx, status, where->line - 1, where->column - 1, "%s", message);
        return shoal_i_fail_in(ctx, "table of levels", 0, 0);
    }
    shoal_i_fail(ctx, status, "%s", message);
    return shoal_i_fail_in(ctx, lines->source, where->line, where->column);
}

/* Fail at a place in the line being read. */
static shoal_status fail_here(shoal_ctx *ctx, const reader *r, shoal_status status,
                              const shoal_i_line_label *where, const char *message)
{
    return shoal_i_hierarchy_lines_fail(ctx, r, status, where, "%s", message);
}

static bool is_line_end(const reader *r, const char *p)
{
    return p == r->end || *p == '\n' || (*p == '\r' && (p + 1 == r->end || p[1] == '\n'));
}

/* Step over a line end. */
static void end_line(reader *r)
{
    if (r->at < r->end && *r->at == '\r') {
        r->at++;
    }
    if (r->at < r->end) {
        r->at++;
        r->line++;
    }
    r->line_start = r->at;
}

static void skip_blank_lines(reader *r)
{
    while (r->at < r->end && is_line_end(r, r->at)) {
        end_line(r);
    }
}

/* A quoted label, doubled quotes made single in place. Stops behind the closing quote. */
static shoal_status read_quoted(shoal_ctx *ctx, reader *r, shoal_i_line_label *label)
{
    char *to = ++r->at;

    label->text = to;
    for (; r->at < r->end; r->at++) {
        if (*r->at == '"') {
            if (r->at + 1 == r->end || r->at[1] != '"') {
                break;
            }
            r->at++;
        } else if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        }
        *to++ = *r->at;
    }
    if (r->at == r->end) {
        return fail_here(ctx, r, SHOAL_EFORMAT, label,
                         "A quote is opened here and never closed.");
    }
    r->at++;
    label->length = (size_t)(to - label->text);
    if (!is_line_end(r, r->at) && *r->at != r->delimiter) {
        return fail_here(ctx, r, SHOAL_EFORMAT, label,
                         "Text follows the closing quote of this label; quote all of the label "
                         "and double the quotes inside.");
    }
    return SHOAL_OK;
}

static shoal_status read_plain(shoal_ctx *ctx, reader *r, shoal_i_line_label *label)
{
    label->text = r->at;
    while (!is_line_end(r, r->at) && *r->at != r->delimiter) {
        if (*r->at == '"') {
            return fail_here(ctx, r, SHOAL_EFORMAT, label,
                             "A quote stands inside this label, which is not quoted; quote the "
                             "label and double the quotes inside.");
        }
        r->at++;
    }
    label->length = (size_t)(r->at - label->text);
    return SHOAL_OK;
}

/* Empty labels above the value are dropped: spreadsheets fill up short lines with them. */
static shoal_status keep_label(shoal_ctx *ctx, reader *r, const shoal_i_line_label *label)
{
    if (label->length == 0 && r->count > 0) {
        return SHOAL_OK;
    }
    if (r->count == SHOAL_LEVELS_MAX) {
        return shoal_i_hierarchy_lines_fail(ctx, r, SHOAL_ELIMIT, label,
                                            "A %s has at most %d labels; this one has more.",
                                            r->unit, SHOAL_LEVELS_MAX);
    }
    r->labels[r->count++] = *label;
    return SHOAL_OK;
}

/* Read the labels up to the line end; *r->at is there afterwards. */
static shoal_status read_labels(shoal_ctx *ctx, reader *r)
{
    shoal_status st = SHOAL_OK;

    for (;;) {
        shoal_i_line_label label = {.line = r->line, .column = r->at - r->line_start + 1};

        if (r->at < r->end && *r->at == '"') {
            SHOAL_TRY(read_quoted(ctx, r, &label));
        } else {
            SHOAL_TRY(read_plain(ctx, r, &label));
        }
        SHOAL_TRY(keep_label(ctx, r, &label));
        if (is_line_end(r, r->at)) {
            break;
        }
        r->at++;
    }
done:
    return st;
}

/* Only once the line has been read may its delimiters give way to NULs. */
static void terminate_labels(reader *r)
{
    for (size_t i = 0; i < r->count; i++) {
        r->line_start[r->labels[i].text - r->line_start + (ptrdiff_t)r->labels[i].length] =
            '\0';
    }
}

/* The labels of a line that stands in bytes. */
static shoal_status read_line(shoal_ctx *ctx, bool *found, reader *r)
{
    skip_blank_lines(r);
    *found = r->at < r->end;
    return *found ? read_labels(ctx, r) : SHOAL_OK;
}

/* The labels of a record of a table. */
static shoal_status read_record(shoal_ctx *ctx, bool *found, reader *r)
{
    shoal_status st = SHOAL_OK;

    *found = r->row < shoal_table_row_count(r->levels);
    for (size_t c = 0; *found && c < shoal_table_column_count(r->levels); c++) {
        if (shoal_table_is_skipped(r->levels, c)) {
            continue;
        }
        uint32_t code = shoal_table_code(r->levels, c, r->row);
        shoal_i_line_label label = {.line = (int64_t)r->row + 1, .column = (int64_t)c + 1};

        label.text = shoal_table_text(r->levels, c, code, &label.length);
        label.is_missing = code == shoal_table_value_count(r->levels, c);
        if (!label.is_missing || c == 0) {
            SHOAL_TRY(keep_label(ctx, r, &label));
        }
    }
    r->row += *found;
done:
    return st;
}

/* The next value of an outline, with what it stands below. */
static shoal_status read_outline(shoal_ctx *ctx, bool *found, reader *r)
{
    shoal_i_outline_text text = {r->at, r->end, r->line};
    shoal_i_outline_mistake mistake =
        shoal_i_outline_next(r->labels, &r->count, &r->outline, &text);

    r->at = text.at;
    r->line = text.line;
    *found = r->count > 0;
    return mistake.message ? fail_here(ctx, r, mistake.status, &mistake.where, mistake.message)
                           : SHOAL_OK;
}

shoal_status shoal_i_hierarchy_lines_next(shoal_ctx *ctx, bool *found,
                                          shoal_i_hierarchy_lines *lines)
{
    shoal_status st = SHOAL_OK;

    lines->count = 0;
    if (lines->is_outline) {
        return read_outline(ctx, found, lines);
    }
    SHOAL_TRY(lines->levels ? read_record(ctx, found, lines) : read_line(ctx, found, lines));
    if (!*found) {
        return SHOAL_OK;
    }
    if (lines->count < 2) {
        return fail_here(
            ctx, lines, SHOAL_EFORMAT, &lines->labels[0],
            lines->levels ? "Expected a value and at least one coarser label, but found one "
                            "label only."
                          : "Expected a value and at least one coarser label, as in value;*, "
                            "but found one label only.");
    }
    if (!lines->levels) {
        end_line(lines);
        terminate_labels(lines);
    }
done:
    return st;
}
