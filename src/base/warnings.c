#include "warnings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void shoal_i_warnings_clear(shoal_i_warnings *warnings)
{
    shoal_i_arena_clear(&warnings->arena);
    *warnings = (shoal_i_warnings){0};
}

static bool is_given(const shoal_i_warnings *warnings, const char *code, const char *column)
{
    for (const shoal_i_warning *w = warnings->first; w; w = w->next) {
        if (strcmp(w->code, code) == 0 && strcmp(w->column, column) == 0) {
            return true;
        }
    }
    return false;
}

static shoal_status keep(shoal_ctx *ctx, shoal_i_warnings *warnings, const char *code,
                         const char *column, const char *message)
{
    shoal_i_arena *arena = &warnings->arena;
    shoal_i_warning *warning = shoal_i_arena_alloc(ctx, arena, 1, sizeof *warning);
    char *name = shoal_i_arena_text(ctx, arena, column, strlen(column));
    char *sentence = shoal_i_arena_text(ctx, arena, message, strlen(message));

    if (!warning || !name || !sentence) {
        return SHOAL_ENOMEM;
    }
    *warning = (shoal_i_warning){.code = code, .column = name, .message = sentence};
    if (warnings->last) {
        warnings->last->next = warning;
    } else {
        warnings->first = warning;
    }
    warnings->last = warning;
    warnings->count++;
    return SHOAL_OK;
}

shoal_status shoal_i_warn(shoal_ctx *ctx, const char *code, const char *column,
                          const char *format, ...)
{
    shoal_status st = SHOAL_OK;
    char message[SHOAL_MESSAGE_MAX];
    va_list arguments;

    assert(!ctx->warnings || !ctx->is_task);
    column = column ? column : "";
    if (ctx->warnings && is_given(ctx->warnings, code, column)) {
        return SHOAL_OK;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (ctx->warnings) {
        SHOAL_TRY(keep(ctx, ctx->warnings, code, column, message));
    }
    if (ctx->log) {
        ctx->log(ctx->log_payload, SHOAL_LOG_WARNING, message, NULL);
    }
done:
    return st;
}
