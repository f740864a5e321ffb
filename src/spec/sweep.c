#include "sweep.h"

#include "../base/text.h"
#include "mistakes.h"
#include "spec.h"

#include <string.h>

const char *const shoal_i_axis_words[] = {
    [SHOAL_I_BY_PRIVACY_LOSS] = "privacy_loss",
    [SHOAL_I_BY_UTILITY_LOSS] = "utility_loss",
    [SHOAL_I_BY_GCP] = "gcp",
    [SHOAL_I_BY_DISCERNIBILITY] = "discernibility",
    [SHOAL_I_BY_CLASS_SIZE] = "average_class_size",
    [SHOAL_I_BY_DISTORTION] = "distortion_ratio",
    [SHOAL_I_BY_RISK] = "highest_risk",
    [SHOAL_I_BY_QUERY_ERROR] = "query_error",
    [SHOAL_I_BY_LINKAGE] = "linkage",
    [SHOAL_I_BY_MATCHING] = "matching",
    [SHOAL_I_BY_DEFINETTI] = "definetti",
    [SHOAL_I_BY_COUNT] = NULL,
};

bool shoal_i_axis_is_privacy(shoal_i_axis_figure figure)
{
    return figure == SHOAL_I_BY_PRIVACY_LOSS || figure == SHOAL_I_BY_RISK ||
           figure == SHOAL_I_BY_LINKAGE || figure == SHOAL_I_BY_MATCHING ||
           figure == SHOAL_I_BY_DEFINETTI;
}

/* --- Requirements. ------------------------------------------------------------------------ */

static const char *const swept_keys[] = {"k",     "alpha", "l",     "t",
                                         "delta", "beta",  "k_map", "presence"};

#define SWEPT_COUNT (sizeof swept_keys / sizeof *swept_keys)

static shoal_status check_key(shoal_ctx *ctx, const char *key)
{
    for (size_t i = 0; i < SWEPT_COUNT; i++) {
        if (strcmp(swept_keys[i], key) == 0) {
            return SHOAL_OK;
        }
    }
    return shoal_i_fail_unknown(ctx, SHOAL_EINVAL, "requirement to sweep", key, swept_keys,
                                SWEPT_COUNT);
}

static shoal_status parse_item(shoal_ctx *ctx, shoal_i_requirement_request *out,
                               shoal_i_arena *arena, const char *key, const char *text)
{
    if (strcmp(key, "k") != 0) {
        return shoal_i_request_parse(ctx, out, arena, key, text);
    }
    *out = (shoal_i_requirement_request){.kind = &shoal_i_k_anonymity};
    return shoal_i_request_parse_value(ctx, &out->value, out->kind, text);
}

static shoal_status reserve_request(shoal_ctx *ctx, shoal_i_sweep *sweep, shoal_i_arena *arena)
{
    size_t capacity = sweep->request_capacity * 2 + 16;
    shoal_i_requirement_request *requests = NULL;

    if (sweep->request_count == SHOAL_I_SWEEP_REQUESTS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "A sweep has at most %d requirements.",
                            SHOAL_I_SWEEP_REQUESTS_MAX);
    }
    if (sweep->request_count < sweep->request_capacity) {
        return SHOAL_OK;
    }
    requests = shoal_i_arena_alloc(ctx, arena, capacity, sizeof *requests);
    if (!requests) {
        return SHOAL_ENOMEM;
    }
    if (sweep->request_count > 0) {
        memcpy(requests, sweep->requests, sweep->request_count * sizeof *requests);
    }
    sweep->requests = requests;
    sweep->request_capacity = capacity;
    return SHOAL_OK;
}

shoal_status shoal_i_sweep_add_request(shoal_ctx *ctx, shoal_i_sweep *sweep,
                                       shoal_i_arena *arena, const char *key, const char *text)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_request request = {0};

    SHOAL_TRY(check_key(ctx, key));
    SHOAL_TRY(parse_item(ctx, &request, arena, key, text));
    SHOAL_TRY(reserve_request(ctx, sweep, arena));
    sweep->requests[sweep->request_count++] = request;
done:
    return st;
}

shoal_status shoal_i_sweep_add_line(shoal_ctx *ctx, shoal_i_sweep *sweep, shoal_i_arena *arena,
                                    const char *line)
{
    shoal_status st = SHOAL_OK;
    char *copy = shoal_i_strdup(ctx, line);
    char *item = copy ? strchr(copy, '=') : NULL;

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    if (!item) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL,
                               "A sweep is written KEY=VALUE,VALUE,..., such as k=5,10,50; got "
                               "\"%.80s\".",
                               line));
    }
    *item++ = '\0';
    while (item) {
        char *rest = strchr(item, ',');

        if (rest) {
            *rest++ = '\0';
        }
        SHOAL_TRY(shoal_i_sweep_add_request(ctx, sweep, arena, copy, item));
        item = rest;
    }
done:
    free(copy);
    return st;
}

/* --- Methods. ----------------------------------------------------------------------------- */

shoal_status shoal_i_sweep_add_method(shoal_ctx *ctx, shoal_i_sweep *sweep,
                                      shoal_i_arena *arena, const char *text)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sweep_method added = {.text = shoal_i_arena_text(ctx, arena, text, strlen(text))};

    if (!added.text) {
        return SHOAL_ENOMEM;
    }
    if (sweep->method_count == SHOAL_I_SWEEP_METHODS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "A sweep has at most %d methods.",
                            SHOAL_I_SWEEP_METHODS_MAX);
    }
    SHOAL_TRY(shoal_i_method_parse(ctx, &added.method, &added.settings, text));
    sweep->methods[sweep->method_count++] = added;
done:
    return st;
}
