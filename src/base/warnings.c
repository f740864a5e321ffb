#include "warnings.h"

#include "hash.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
const char *const shoal_i_warning_codes[] = {
    SHOAL_I_WARN_NEAR_UNIQUE,
    SHOAL_I_WARN_IDENTIFIER,
    SHOAL_I_WARN_STRAY,
    SHOAL_I_WARN_BY_RECORD,
    SHOAL_I_WARN_QUASI,
    SHOAL_I_WARN_SINGLE,
    SHOAL_I_WARN_ENDS,
    SHOAL_I_WARN_UNKNOWN,
    SHOAL_I_WARN_TEST_SEED,
    SHOAL_I_WARN_FORMULA,
    SHOAL_I_WARN_LINK,
    SHOAL_I_WARN_CODE,
    SHOAL_I_WARN_READING,
    SHOAL_I_WARN_MISSING,
    SHOAL_I_WARN_REPEATED,
    SHOAL_I_WARN_MATCHING,
    SHOAL_I_WARN_ALIKE,
    SHOAL_I_WARN_SIMILAR,
    NULL,
};
/* clang-format on */

static unsigned find_bit(const char *code)
{
    size_t i = 0;

    while (shoal_i_warning_codes[i] && strcmp(shoal_i_warning_codes[i], code) != 0) {
        i++;
    }
    assert(shoal_i_warning_codes[i]);
    return 1U << i;
}

void shoal_i_warnings_clear(shoal_i_warnings *warnings)
{
    shoal_i_arena_clear(&warnings->arena);
    *warnings = (shoal_i_warnings){0};
}

static shoal_i_warning **find_slot(const shoal_ctx *ctx, shoal_i_warnings *warnings,
                                   const char *column)
{
    uint64_t hash = shoal_i_hash_bytes(&ctx->hash_key, column, strlen(column));

    return &warnings->slots[hash % SHOAL_I_WARNING_SLOTS];
}

static bool is_given(const shoal_i_warning *slot, const char *code, const char *column)
{
    for (const shoal_i_warning *w = slot; w; w = w->next_of_slot) {
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
    shoal_i_warning **slot = find_slot(ctx, warnings, column);
    shoal_i_warning *warning = shoal_i_arena_alloc(ctx, arena, 1, sizeof *warning);
    char *name = shoal_i_arena_text(ctx, arena, column, strlen(column));
    char *sentence = shoal_i_arena_text(ctx, arena, message, strlen(message));

    if (!warning || !name || !sentence) {
        return SHOAL_ENOMEM;
    }
    *warning = (shoal_i_warning){.code = code,
                                 .column = name,
                                 .message = sentence,
                                 .is_accepted = (warnings->accepted & find_bit(code)) != 0,
                                 .next_of_slot = *slot};
    *slot = warning;
    if (warnings->last) {
        warnings->last->next = warning;
    } else {
        warnings->first = warning;
    }
    warnings->last = warning;
    warnings->count++;
    warnings->open_count += !warning->is_accepted;
    return SHOAL_OK;
}

/* The sentence, and its code for whoever wants to accept it. */
static void tell(shoal_ctx *ctx, const char *code, const char *message)
{
    char told[SHOAL_MESSAGE_MAX + 64];
    bool is_accepted = ctx->warnings && (ctx->warnings->accepted & find_bit(code)) != 0;

    if (ctx->log) {
        snprintf(told, sizeof told, "%s [%s]", message, code);
        ctx->log(ctx->log_payload, is_accepted ? SHOAL_LOG_DEBUG : SHOAL_LOG_WARNING, told,
                 NULL);
    }
}

shoal_status shoal_i_warn(shoal_ctx *ctx, const char *code, const char *column,
                          const char *format, ...)
{
    shoal_status st = SHOAL_OK;
    char message[SHOAL_MESSAGE_MAX];
    va_list arguments;

    assert(!ctx->warnings || !ctx->is_task);
    column = column ? column : "";
    if (ctx->warnings && is_given(*find_slot(ctx, ctx->warnings, column), code, column)) {
        return SHOAL_OK;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (ctx->warnings) {
        SHOAL_TRY(keep(ctx, ctx->warnings, code, column, message));
    }
    tell(ctx, code, message);
done:
    return st;
}
