/* The sweep of a frontier in a spec file: a mapping of requirements to values, or a list of
 * such mappings, where a requirement comes again. */
#include "yaml_walk.h"

#include "sweep.h"

static shoal_status read_item(shoal_i_yaml *yaml, const char *key, const yaml_node_t *item)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sweep *sweep = &yaml->spec->sweep;
    size_t before = sweep->request_count;
    const char *text = shoal_i_yaml_text(item);

    if (!text) {
        return shoal_i_yaml_judge_kind(yaml, item, "a value or a list of values");
    }
    SHOAL_TRY(shoal_i_yaml_judge(
        yaml, item,
        shoal_i_sweep_add_request(yaml->ctx, sweep, &yaml->spec->arena, key, text)));
    if (sweep->request_count > before) {
        sweep->requests[before].place = shoal_i_yaml_place(yaml, item->start_mark);
    }
done:
    return st;
}

/* k: 10, or k: [10, 50] */
static shoal_status read_items(shoal_i_yaml *yaml, void *target, const shoal_i_yaml_key *self,
                               yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;

    (void)target;
    if (value->type != YAML_SEQUENCE_NODE) {
        return read_item(yaml, self->name, value);
    }
    for (size_t i = 0; i < shoal_i_yaml_item_count(value); i++) {
        SHOAL_TRY(read_item(yaml, self->name, shoal_i_yaml_item(yaml, value, i)));
    }
done:
    return st;
}

static shoal_status read_mapping(shoal_i_yaml *yaml, const yaml_node_t *mapping)
{
    static const shoal_i_yaml_key keys[] = {
        {"k", read_items, NULL},     {"alpha", read_items, NULL},    {"l", read_items, NULL},
        {"t", read_items, NULL},     {"delta", read_items, NULL},    {"beta", read_items, NULL},
        {"k_map", read_items, NULL}, {"presence", read_items, NULL},
    };

    return shoal_i_yaml_mapping(yaml, NULL, mapping, keys, sizeof keys / sizeof *keys);
}

shoal_status shoal_i_yaml_sweep(shoal_i_yaml *yaml, const yaml_node_t *value)
{
    shoal_status st = SHOAL_OK;

    if (value->type != YAML_SEQUENCE_NODE) {
        return read_mapping(yaml, value);
    }
    for (size_t i = 0; i < shoal_i_yaml_item_count(value); i++) {
        SHOAL_TRY(read_mapping(yaml, shoal_i_yaml_item(yaml, value, i)));
    }
done:
    return st;
}
