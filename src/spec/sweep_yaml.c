/* The part `frontier` of a spec file. */
#include "yaml_walk.h"

#include "sweep.h"

static shoal_status read_text(shoal_i_yaml *yaml, const char **out, const yaml_node_t *node,
                              const char *expected)
{
    *out = shoal_i_yaml_text(node);
    return *out ? SHOAL_OK : shoal_i_yaml_judge_kind(yaml, node, expected);
}

/* k: 10, or k: [10, 50] */
static shoal_status read_items(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                               yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    shoal_spec *spec = yaml->spec;
    bool is_list = value->type == YAML_SEQUENCE_NODE;
    size_t count = is_list ? shoal_i_yaml_item_count(value) : 1;

    (void)target;
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = is_list ? shoal_i_yaml_item(yaml, value, i) : value;
        const char *text = NULL;

        SHOAL_TRY(read_text(yaml, &text, item, "a value or a list of values"));
        if (text) {
            size_t before = spec->sweep.request_count;

            SHOAL_TRY(
                shoal_i_yaml_judge(yaml, item,
                                   shoal_i_sweep_add_request(yaml->ctx, &spec->sweep,
                                                             &spec->arena, self->name, text)));
            if (spec->sweep.request_count > before) {
                spec->sweep.requests[before].place = shoal_i_yaml_place(yaml, item->start_mark);
            }
        }
    }
done:
    return st;
}

static shoal_status read_sweep(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                               yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"k", read_items, NULL},     {"alpha", read_items, NULL},    {"l", read_items, NULL},
        {"t", read_items, NULL},     {"delta", read_items, NULL},    {"beta", read_items, NULL},
        {"k_map", read_items, NULL}, {"presence", read_items, NULL},
    };

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}

static shoal_status read_methods(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                 yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;
    bool is_list = value->type == YAML_SEQUENCE_NODE;
    size_t count = is_list ? shoal_i_yaml_item_count(value) : 1;

    (void)target;
    (void)self;
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = is_list ? shoal_i_yaml_item(yaml, value, i) : value;
        const char *text = NULL;

        SHOAL_TRY(read_text(yaml, &text, item, "a method, NAME[:option=value,...]"));
        if (text) {
            SHOAL_TRY(shoal_i_yaml_judge(yaml, item,
                                         shoal_i_sweep_add_method(yaml->ctx, &yaml->spec->sweep,
                                                                  &yaml->spec->arena, text)));
        }
    }
done:
    return st;
}

/* axes: [privacy_loss, utility_loss] */
static shoal_status read_axes(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                              yaml_node_t *value)
{
    char text[128];
    const char *x = NULL;
    const char *y = NULL;

    (void)target;
    (void)self;
    if (value->type == YAML_SEQUENCE_NODE && shoal_i_yaml_item_count(value) == 2) {
        x = shoal_i_yaml_text(shoal_i_yaml_item(yaml, value, 0));
        y = shoal_i_yaml_text(shoal_i_yaml_item(yaml, value, 1));
    }
    if (!x || !y) {
        return shoal_i_yaml_judge_kind(yaml, value, "a list of two figures");
    }
    snprintf(text, sizeof text, "%.60s,%.60s", x, y);
    return shoal_i_yaml_judge(yaml, value,
                              shoal_i_sweep_set_axes(yaml->ctx, &yaml->spec->sweep, text));
}

/* max: {gcp: 0.1} */
static shoal_status read_limits(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;

    (void)target;
    (void)self;
    if (value->type != YAML_MAPPING_NODE) {
        return shoal_i_yaml_judge_kind(yaml, value, "figures and the most that each may be");
    }
    for (size_t i = 0; i < shoal_i_yaml_pair_count(value); i++) {
        shoal_i_yaml_pair pair;
        const char *text = NULL;

        SHOAL_TRY(shoal_i_yaml_pair_read(yaml, &pair, value, i));
        if (pair.name) {
            SHOAL_TRY(read_text(yaml, &text, pair.value, "a number"));
        }
        if (text) {
            SHOAL_TRY(shoal_i_yaml_judge(
                yaml, pair.key,
                shoal_i_sweep_set_limit(yaml->ctx, &yaml->spec->sweep, pair.name, text)));
        }
    }
done:
    return st;
}

static shoal_status read_time(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                              yaml_node_t *value)
{
    const char *text = shoal_i_yaml_text(value);

    (void)target;
    (void)self;
    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, value, "a time such as 60s");
    }
    return shoal_i_yaml_judge(
        yaml, value, shoal_i_parse_seconds(yaml->ctx, &yaml->spec->sweep.seconds, text));
}

shoal_status shoal_i_yaml_sweep(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                                yaml_node_t *value)
{
    static const shoal_i_yaml_key keys[] = {
        {"sweep", read_sweep, NULL}, {"methods", read_methods, NULL}, {"axes", read_axes, NULL},
        {"max", read_limits, NULL},  {"time", read_time, NULL},
    };

    (void)self;
    return shoal_i_yaml_mapping(yaml, target, value, keys, sizeof keys / sizeof *keys);
}
