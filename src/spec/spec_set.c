#include "spec.h"

#include "../base/pool.h"
#include "../base/text.h"
#include "mistakes.h"

#include <stdio.h>
#include <string.h>

#define LARGEST_K ((int64_t)1 << 53)
#define TOKENS_MAX 256

const char *const shoal_i_missing_words[] = {"error", "drop", "keep", NULL};
const char *const shoal_i_numeric_words[] = {"range", "minmax", "mean", "median", NULL};
const char *const shoal_i_categorical_words[] = {"label", "set", NULL};
const char *const shoal_i_order_words[] = {"canonical", "keep", NULL};
const char *const shoal_i_measured_words[] = {"classes", "records", NULL};
const char *const shoal_i_figure_words[] = {"privacy_loss", "utility_loss", "bound", NULL};
const char *const shoal_i_detail_words[] = {"short", "full", NULL};

shoal_status shoal_i_parse_word(shoal_ctx *ctx, size_t *out, const char *what,
                                const char *value, const char *const *words)
{
    size_t count = 0;

    for (; words[count]; count++) {
        if (strcmp(words[count], value) == 0) {
            *out = count;
            return SHOAL_OK;
        }
    }
    return shoal_i_fail_unknown(ctx, SHOAL_EINVAL, what, value, words, count);
}

/* Seconds that a search may be given. */

static shoal_status parse_count(shoal_ctx *ctx, int64_t *out, const char *what,
                                const char *value, int64_t least, int64_t most)
{
    if (!shoal_i_text_to_int64(out, value, strlen(value)) || *out < least || *out > most) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "%s is a whole number from %lld to %lld; got \"%.40s\".", what,
                            (long long)least, (long long)most, value);
    }
    return SHOAL_OK;
}

static shoal_status set_k(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    int64_t k = 0;
    shoal_status st = parse_count(ctx, &k, "k", value, 1, LARGEST_K);

    if (st == SHOAL_OK) {
        spec->k = (uint64_t)k;
    }
    return st;
}

static shoal_status set_k_column(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    if (value[0] == '\0') {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The column of each record's own k has no name.");
    }
    char *copy = shoal_i_arena_text(ctx, &spec->arena, value, strlen(value));

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    spec->k_column = copy;
    return SHOAL_OK;
}

static shoal_status set_method(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings = {0};
    shoal_status st = shoal_i_method_parse(ctx, &method, &settings, value);

    if (st == SHOAL_OK) {
        spec->method = method;
        spec->method_settings = settings;
    }
    return st;
}

static shoal_status set_effort(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t effort = 0;
    shoal_status st = shoal_i_parse_word(ctx, &effort, "effort", value, shoal_i_effort_words);

    if (st == SHOAL_OK) {
        spec->effort = effort;
        spec->has_effort = true;
    }
    return st;
}

static shoal_status set_time(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_parse_seconds(ctx, &spec->seconds, value);
}

/* A whole number of bytes, or of kibibytes, mebibytes or gibibytes: 512M. */
static shoal_status set_memory(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    static const char units[] = "kMGT";
    size_t length = strlen(value);
    const char *unit = length > 0 ? strchr(units, value[length - 1]) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    int64_t count = 0;

    if (!shoal_i_text_to_int64(&count, value, length - (unit != NULL)) || count < 1 ||
        count > (INT64_MAX >> shift)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A limit of memory is a number of bytes, such as 512M or 2G; got "
                            "\"%.40s\".",
                            value);
    }
    spec->memory = (uint64_t)count << shift;
    return SHOAL_OK;
}

/* The name of a file or folder; `what` says of which. */
static shoal_status set_path(shoal_ctx *ctx, shoal_spec *spec, const char **path,
                             const char *what, const char *value)
{
    if (value[0] == '\0') {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "The %s has no name.", what);
    }
    char *copy = shoal_i_arena_text(ctx, &spec->arena, value, strlen(value));

    if (!copy) {
        return SHOAL_ENOMEM;
    }
    *path = copy;
    return SHOAL_OK;
}

static shoal_status set_temporary(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return set_path(ctx, spec, &spec->temporary, "folder of temporary files", value);
}

static shoal_status set_population(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return set_path(ctx, spec, &spec->population, "file of the population", value);
}

static shoal_status set_sensitive_table(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return set_path(ctx, spec, &spec->sensitive_table, "file of the sensitive table", value);
}

static shoal_status set_frontier_plot(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return set_path(ctx, spec, &spec->frontier_plot, "picture of the frontier", value);
}

static shoal_status set_suppress(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    double share = 0;

    if (!shoal_i_text_to_double(&share, value, strlen(value)) || !(share >= 0 && share < 1)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The share of records that may be suppressed is a number from 0 to "
                            "below 1; got \"%.40s\".",
                            value);
    }
    spec->suppress = share;
    return SHOAL_OK;
}

/* A comma list of figures. */
static shoal_status set_figures(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    unsigned figures = 0;

    for (const char *at = value; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        size_t length = strcspn(at, ",");
        size_t word = 0;

        snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), at);
        shoal_status st = shoal_i_parse_word(ctx, &word, "figure", name, shoal_i_figure_words);

        if (st != SHOAL_OK) {
            return st;
        }
        figures |= 1u << word;
    }
    spec->figures = figures;
    return SHOAL_OK;
}

static shoal_status set_shape(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t word = 0;
    shoal_status st =
        shoal_i_parse_word(ctx, &word, "shape of a release", value, shoal_i_measured_words);

    if (st == SHOAL_OK) {
        spec->is_by_record = word == 1;
    }
    return st;
}

static shoal_status set_min_support(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    double share = 0;

    if (!shoal_i_text_to_double(&share, value, strlen(value)) || !(share > 0 && share <= 1)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The minimum support of a population is a share of the records, a "
                            "number above 0 and at most 1; got \"%.40s\".",
                            value);
    }
    spec->min_support = share;
    return SHOAL_OK;
}

static shoal_status add_sweep(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    if (!spec->sweep_by_flag) {
        spec->sweep.request_count = 0;
    }
    spec->sweep_by_flag = true;
    return shoal_i_sweep_add_line(ctx, &spec->sweep, &spec->arena, value);
}

static shoal_status add_sweep_method(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    if (!spec->methods_by_flag) {
        spec->sweep.method_count = 0;
    }
    spec->methods_by_flag = true;
    return shoal_i_sweep_add_method(ctx, &spec->sweep, &spec->arena, value);
}

static shoal_status set_axes(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_sweep_set_axes(ctx, &spec->sweep, value);
}

static shoal_status set_sweep_time(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_parse_seconds(ctx, &spec->sweep.seconds, value);
}

static shoal_status set_most_privacy_loss(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_sweep_set_limit(ctx, &spec->sweep, "privacy_loss", value);
}

static shoal_status set_most_utility_loss(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_sweep_set_limit(ctx, &spec->sweep, "utility_loss", value);
}

static shoal_status set_most_gcp(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_sweep_set_limit(ctx, &spec->sweep, "gcp", value);
}

static shoal_status set_most_risk(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_sweep_set_limit(ctx, &spec->sweep, "highest_risk", value);
}

static shoal_status set_most_query_error(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return shoal_i_sweep_set_limit(ctx, &spec->sweep, "query_error", value);
}

static shoal_status set_seed(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    int64_t seed = 0;
    shoal_status st = parse_count(ctx, &seed, "The seed", value, 0, INT64_MAX);

    if (st == SHOAL_OK) {
        spec->seed = (uint64_t)seed;
        spec->has_seed = true;
    }
    return st;
}

static shoal_status set_threads(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    int64_t threads = 0;
    shoal_status st =
        parse_count(ctx, &threads, "The number of threads", value, 0, SHOAL_I_THREADS_MAX);

    if (st == SHOAL_OK) {
        spec->threads = (int)threads;
        spec->has_threads = true;
    }
    return st;
}

static shoal_status set_missing_action(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t word = 0;
    shoal_status st = shoal_i_parse_word(ctx, &word, "action for missing values", value,
                                         shoal_i_missing_words);

    if (st == SHOAL_OK) {
        spec->missing = (shoal_i_missing_action)word;
    }
    return st;
}

/* A comma list; "" is the list of one empty token. */
static shoal_status set_missing_tokens(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t count = 1;

    for (const char *c = value; *c; c++) {
        count += *c == ',';
    }
    if (count > TOKENS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "At most %d tokens can stand for a missing value; got %zu.",
                            TOKENS_MAX, count);
    }
    const char **tokens = shoal_i_arena_alloc(ctx, &spec->arena, count, sizeof *tokens);

    for (size_t i = 0; tokens && i < count; i++) {
        size_t length = strcspn(value, ",");

        tokens[i] = shoal_i_arena_text(ctx, &spec->arena, value, length);
        if (!tokens[i]) {
            return SHOAL_ENOMEM;
        }
        value += length + (value[length] == ',');
    }
    if (!tokens) {
        return SHOAL_ENOMEM;
    }
    spec->missing_tokens = tokens;
    spec->missing_token_count = count;
    return SHOAL_OK;
}

static shoal_status parse_delimiter(shoal_ctx *ctx, char *out, const char *value)
{
    if (strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0) {
        *out = '\t';
        return SHOAL_OK;
    }
    if (value[0] == '\0' || value[1] != '\0' || !strchr(",;|\t", value[0])) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "A delimiter is a comma, a semicolon, a vertical bar or \"tab\"; got \"%.40s\".",
            value);
    }
    *out = value[0];
    return SHOAL_OK;
}

static shoal_status set_input_delimiter(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return parse_delimiter(ctx, &spec->input_delimiter, value);
}

static shoal_status set_output_delimiter(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    return parse_delimiter(ctx, &spec->output_delimiter, value);
}

static shoal_status set_numeric(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t word = 0;
    shoal_status st =
        shoal_i_parse_word(ctx, &word, "form of numbers", value, shoal_i_numeric_words);

    if (st == SHOAL_OK) {
        spec->numeric = (shoal_i_numeric_form)word;
    }
    return st;
}

static shoal_status set_categorical(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t word = 0;
    shoal_status st =
        shoal_i_parse_word(ctx, &word, "form of categories", value, shoal_i_categorical_words);

    if (st == SHOAL_OK) {
        spec->categorical = (shoal_i_categorical_form)word;
    }
    return st;
}

static shoal_status set_order(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t word = 0;
    shoal_status st = shoal_i_parse_word(ctx, &word, "order", value, shoal_i_order_words);

    if (st == SHOAL_OK) {
        spec->keep_order = word == 1;
    }
    return st;
}

/* A comma list of chances. */
static shoal_status set_thresholds(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    double thresholds[SHOAL_I_THRESHOLDS_MAX];
    size_t count = 0;

    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        double threshold = 0;

        if (count == SHOAL_I_THRESHOLDS_MAX ||
            !shoal_i_text_to_double(&threshold, at, length) ||
            !(threshold > 0 && threshold <= 1)) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "Thresholds of risk are up to %d chances above 0 and up to 1; "
                                "got \"%.80s\".",
                                SHOAL_I_THRESHOLDS_MAX, value);
        }
        thresholds[count++] = threshold;
        at += length;
        if (*at == '\0') {
            break;
        }
    }
    memcpy(spec->thresholds, thresholds, sizeof thresholds);
    spec->threshold_count = count;
    return SHOAL_OK;
}

static shoal_status set_sampling_fraction(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    double fraction = 0;

    if (!shoal_i_text_to_double(&fraction, value, strlen(value)) ||
        !(fraction > 0 && fraction <= 1)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The share of the population that the table holds is a number "
                            "above 0 and up to 1; got \"%.40s\".",
                            value);
    }
    spec->sampling_fraction = fraction;
    return SHOAL_OK;
}

static shoal_status set_report_detail(shoal_ctx *ctx, shoal_spec *spec, const char *value)
{
    size_t word = 0;
    shoal_status st =
        shoal_i_parse_word(ctx, &word, "detail of a report", value, shoal_i_detail_words);

    if (st == SHOAL_OK) {
        spec->is_full_report = word == 1;
    }
    return st;
}

/* Another requirement; the first of its key replaces those of a spec file. */
static shoal_status set_request(shoal_ctx *ctx, shoal_spec *spec, const char *key,
                                const char *value)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_request request = {0};

    SHOAL_TRY(shoal_i_request_parse(ctx, &request, &spec->arena, key, value));
    shoal_i_spec_forget_requests(spec, key, true);
    SHOAL_TRY(shoal_i_spec_add_request(ctx, spec, &request));
done:
    return st;
}

typedef struct setting {
    const char *key;
    shoal_status (*set)(shoal_ctx *ctx, shoal_spec *spec, const char *value);
    const char *request; /* the key of a requirement, which is set by set_request */
} setting;

static const setting settings[] = {
    {"privacy.k", set_k, NULL},
    {"privacy.k.column", set_k_column, NULL},
    {"privacy.alpha", NULL, "alpha"},
    {"privacy.l", NULL, "l"},
    {"privacy.t", NULL, "t"},
    {"privacy.delta", NULL, "delta"},
    {"privacy.beta", NULL, "beta"},
    {"privacy.k_map", NULL, "k_map"},
    {"privacy.presence", NULL, "presence"},
    {"privacy.population", set_population, NULL},
    {"method", set_method, NULL},
    {"effort", set_effort, NULL},
    {"time", set_time, NULL},
    {"suppress", set_suppress, NULL},
    {"memory", set_memory, NULL},
    {"temporary", set_temporary, NULL},
    {"measure.figures", set_figures, NULL},
    {"measure.min_support", set_min_support, NULL},
    {"measure.shape", set_shape, NULL},
    {"report.frontier", set_frontier_plot, NULL},
    {"frontier.sweep", add_sweep, NULL},
    {"frontier.methods", add_sweep_method, NULL},
    {"frontier.axes", set_axes, NULL},
    {"frontier.time", set_sweep_time, NULL},
    {"frontier.max.privacy_loss", set_most_privacy_loss, NULL},
    {"frontier.max.utility_loss", set_most_utility_loss, NULL},
    {"frontier.max.gcp", set_most_gcp, NULL},
    {"frontier.max.highest_risk", set_most_risk, NULL},
    {"frontier.max.query_error", set_most_query_error, NULL},
    {"seed", set_seed, NULL},
    {"threads", set_threads, NULL},
    {"missing.action", set_missing_action, NULL},
    {"missing.tokens", set_missing_tokens, NULL},
    {"input.delimiter", set_input_delimiter, NULL},
    {"output.numeric", set_numeric, NULL},
    {"output.categorical", set_categorical, NULL},
    {"output.order", set_order, NULL},
    {"output.delimiter", set_output_delimiter, NULL},
    {"output.sensitive_table", set_sensitive_table, NULL},
    {"risk.thresholds", set_thresholds, NULL},
    {"risk.sampling_fraction", set_sampling_fraction, NULL},
    {"report.detail", set_report_detail, NULL},
};

#define SETTING_COUNT (sizeof settings / sizeof *settings)

_Static_assert(SETTING_COUNT <= SHOAL_I_SETTINGS_MAX, "every setting has a place");

/* The place of a key in the table; SETTING_COUNT when it is not there. */
static size_t find_setting(const char *key)
{
    size_t i = 0;

    while (i < SETTING_COUNT && strcmp(settings[i].key, key) != 0) {
        i++;
    }
    return i;
}

shoal_status shoal_spec_set(shoal_ctx *ctx, shoal_spec *spec, const char *key,
                            const char *value)
{
    const char *keys[SETTING_COUNT];
    size_t i = find_setting(key);

    if (i < SETTING_COUNT) {
        shoal_status st = settings[i].set ? settings[i].set(ctx, spec, value)
                                          : set_request(ctx, spec, settings[i].request, value);

        if (st == SHOAL_OK) {
            spec->places[i] = (shoal_i_place){0};
        }
        return st;
    }
    for (i = 0; i < SETTING_COUNT; i++) {
        keys[i] = settings[i].key;
    }
    return shoal_i_fail_unknown(ctx, SHOAL_EINVAL, "setting", key, keys, SETTING_COUNT);
}

const shoal_i_place *shoal_i_spec_place(const shoal_spec *spec, const char *key)
{
    return &spec->places[find_setting(key)];
}

void shoal_i_spec_set_place(shoal_spec *spec, const char *key, shoal_i_place place)
{
    spec->places[find_setting(key)] = place;
}

shoal_status shoal_i_fail_of_setting(shoal_ctx *ctx, const shoal_spec *spec, const char *key,
                                     shoal_status status)
{
    if (status != SHOAL_OK && status != SHOAL_ENOMEM) {
        const shoal_i_place *place = shoal_i_spec_place(spec, key);

        shoal_i_fail_in(ctx, place->source ? place->source : key, place->line, place->column);
    }
    return status;
}
