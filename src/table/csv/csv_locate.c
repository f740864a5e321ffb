#include "csv_locate.h"

#define BLOCK ((size_t)1 << 16)

typedef struct search {
    char delimiter;
    int64_t line; /* to be found */
    size_t field;
    int64_t at_line; /* where the next byte stands */
    size_t at_field;
    int64_t at_column;
    bool is_inside; /* quotes */
} search;

/* Go on with more of the text. True: the search is over, and at_column is the answer. */
static bool look_at(search *s, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (s->at_line == s->line) {
            if (s->at_field == s->field) {
                return true;
            }
            if (bytes[i] == '\n') {
                s->at_column = 0;
                return true;
            }
            s->is_inside ^= bytes[i] == '"';
            s->at_field += bytes[i] == s->delimiter && !s->is_inside;
            s->at_column++;
        } else {
            s->at_line += bytes[i] == '\n';
        }
    }
    return false;
}

/* What fails here is no failure: there is one already, which must stay as it is. */
static int64_t look_again(shoal_ctx *ctx, search *s, const shoal_i_text_origin *origin)
{
    shoal_error error = ctx->error;
    shoal_i_text_source *source = NULL;
    char *block = shoal_i_alloc(ctx, BLOCK, 1);
    bool is_found = false;
    size_t got = BLOCK;

    if (block && shoal_i_text_source_open(ctx, &source, origin) == SHOAL_OK) {
        while (!is_found && got == BLOCK &&
               shoal_i_text_source_read(ctx, &got, source, block, BLOCK) == SHOAL_OK) {
            is_found = look_at(s, block, got);
        }
    }
    shoal_i_text_source_free(source);
    free(block);
    ctx->error = error;
    return is_found ? s->at_column : 0;
}

int64_t shoal_i_csv_locate(shoal_ctx *ctx, const shoal_i_csv_reader *reader, int64_t line,
                           size_t field)
{
    const shoal_i_text_origin *origin = &reader->stream->origin;
    search s = {.delimiter = reader->delimiter,
                .line = line,
                .field = field,
                .at_line = 1,
                .at_column = 1};

    return origin->path && !shoal_i_is_regular_file(origin->path) ? 0
                                                                  : look_again(ctx, &s, origin);
}
