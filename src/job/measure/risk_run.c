#include "risk_run.h"

#include "../../release/looks.h"
#include "../../release/number.h"
#include "../input/population_run.h"

#include <string.h>

/* --- Settings. -------------------------------------------------------------------------- */

static void add_threshold(shoal_i_risk_settings *settings, double threshold)
{
    size_t at = settings->threshold_count;

    for (size_t i = 0; i < settings->threshold_count; i++) {
        if (settings->thresholds[i] == threshold) {
            return;
        }
    }
    for (; at > 0 && settings->thresholds[at - 1] > threshold; at--) {
        settings->thresholds[at] = settings->thresholds[at - 1];
    }
    settings->thresholds[at] = threshold;
    settings->threshold_count++;
}

static shoal_i_risk_settings choose_settings(const shoal_spec *spec)
{
    shoal_i_risk_settings settings = {.sampling_fraction = spec->sampling_fraction};

    for (size_t i = 0; i < spec->threshold_count; i++) {
        add_threshold(&settings, spec->thresholds[i]);
    }
    if (spec->threshold_count == 0) {
        add_threshold(&settings, 0.09); /* the European Medicines Agency's */
        add_threshold(&settings, 0.2);  /* a class of five */
        if (spec->k > 1) {
            add_threshold(&settings, 1 / (double)spec->k);
        }
    }
    return settings;
}

/* --- Crowds. ---------------------------------------------------------------------------- */

/* The raw classes: the records of each, or persons, and the people who share its values. */
static shoal_status measure_original(shoal_ctx *ctx, shoal_i_risk *risk,
                                     const shoal_i_quasi *quasi, const shoal_i_persons *persons,
                                     const uint32_t *class_of, size_t class_count,
                                     const shoal_i_population *s)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(quasi->table);
    shoal_i_crowd *crowds = NULL;
    shoal_i_interval *boxes = NULL;
    uint64_t *sizes = NULL;

    SHOAL_ALLOC(ctx, crowds, class_count);
    SHOAL_ALLOC(ctx, boxes, 2 * quasi->count);
    for (size_t row = 0; row < rows; row++) {
        shoal_i_crowd *crowd = &crowds[class_of[row]];

        crowd->records++;
        if (s->people && crowd->records == 1) {
            for (size_t c = 0; c < quasi->count; c++) {
                uint32_t code = shoal_i_quasi_code(quasi, c, row);

                boxes[c] = (shoal_i_interval){code, code};
            }
            crowd->population = shoal_i_people_count(s->people, boxes, boxes + quasi->count);
        }
    }
    SHOAL_TRY(shoal_i_persons_count_groups(ctx, &sizes, persons, class_of, rows, class_count));
    for (size_t class = 0; class < class_count; class ++) {
        crowds[class].size = sizes[class];
    }
    SHOAL_TRY(
        shoal_i_identity_measure(ctx, &risk->original, crowds, class_count, &risk->settings));
done:
    free(crowds);
    free(boxes);
    free(sizes);
    return st;
}

/* What each row looks like; NULL where every box looks different. */
static shoal_status find_looks(shoal_ctx *ctx, uint32_t **out, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    uint32_t *look_of = NULL;

    if (release->look_of) {
        SHOAL_ALLOC(ctx, look_of, release->row_count);
        for (size_t row = 0; row < release->row_count; row++) {
            look_of[row] = release->look_of[release->box_of[row]];
        }
    }
    *out = look_of;
done:
    return st;
}

/* The boxes of a release. Where every record has a box of its own making, those who fit a row
 * are all records of the original inside its box. */
static shoal_status measure_release(shoal_ctx *ctx, shoal_i_risk *risk,
                                    const shoal_i_release *release,
                                    const shoal_i_persons *persons, const shoal_i_population *s)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = release->quasi;
    bool has_records = release->shape == SHOAL_I_SHAPE_RECORDS;
    shoal_i_people *originals = NULL;
    shoal_i_crowd *crowds = NULL;
    uint32_t *looks = NULL;
    shoal_i_interval *scratch = NULL;
    uint64_t *sizes = NULL;

    SHOAL_ALLOC(ctx, crowds, release->box_count);
    SHOAL_ALLOC(ctx, scratch, quasi->count);
    if (has_records) {
        SHOAL_TRY(shoal_i_people_build(ctx, &originals, quasi, quasi, NULL));
    }
    SHOAL_TRY(find_looks(ctx, &looks, release));
    SHOAL_TRY(shoal_i_persons_count_groups(ctx, &sizes, persons,
                                           looks ? looks : release->box_of, release->row_count,
                                           shoal_i_release_look_count(release)));
    for (size_t b = 0; b < release->box_count; b++) {
        const shoal_i_interval *box = release->boxes + b * quasi->count;
        uint32_t look = shoal_i_release_look(release, (uint32_t)b);
        shoal_i_crowd *crowd = &crowds[look];

        crowd->records += release->box_sizes[b];
        crowd->size = has_records ? shoal_i_people_count(originals, box, scratch) : sizes[look];
        crowd->size = crowd->size > 0 ? crowd->size : 1;
        /* Boxes of one look may share people; the larger number is safe. */
        uint64_t people = s->people ? shoal_i_people_count(s->people, box, scratch) : 0;

        crowd->population = people > crowd->population ? people : crowd->population;
    }
    SHOAL_TRY(shoal_i_identity_measure(ctx, &risk->release, crowds,
                                       shoal_i_release_look_count(release), &risk->settings));
    risk->has_release = true;
    risk->shape = release->shape;
done:
    shoal_i_people_free(originals);
    free(crowds);
    free(looks);
    free(scratch);
    free(sizes);
    return st;
}

/* --- Sensitive columns. ----------------------------------------------------------------- */

static shoal_status measure_truth(shoal_ctx *ctx, shoal_i_attribute_risk *out,
                                  const shoal_i_risk_parts *parts, size_t column,
                                  const uint32_t *group_of, size_t group_count)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = parts->prepared->table;
    shoal_i_sameness same =
        shoal_i_column_sameness(parts->spec, shoal_table_name(table, column));
    shoal_i_sensitive values = {0};

    SHOAL_TRY(shoal_i_sensitive_init(ctx, &values, table, column, NULL, &same));
    SHOAL_TRY(shoal_i_attribute_measure(ctx, out, group_of, group_count, &values));
done:
    shoal_i_sensitive_clear(&values);
    return st;
}

/* Of boxes of single records' making a reader learns no class: there is nothing to count. */
static shoal_status measure_shown(shoal_ctx *ctx, shoal_i_attribute_pair *pair,
                                  const shoal_i_risk_parts *parts)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = parts->release;
    bool has_buckets = release && release->shape == SHOAL_I_SHAPE_BUCKETS;
    uint32_t *look_of = NULL; /* of each row, where classes look alike */

    if (!release || release->shape == SHOAL_I_SHAPE_RECORDS) {
        return SHOAL_OK;
    }
    SHOAL_TRY(find_looks(ctx, &look_of, release));
    const uint32_t *group_of = has_buckets ? release->bucket_of
                               : look_of   ? look_of
                                           : release->box_of;
    size_t group_count =
        has_buckets ? release->bucket_count : shoal_i_release_look_count(release);

    for (size_t j = 0; j < parts->shown->count; j++) {
        if (strcmp(parts->shown->shown[j].name, pair->name) == 0) {
            SHOAL_TRY(shoal_i_attribute_measure(ctx, &pair->release, group_of, group_count,
                                                &parts->shown->shown[j]));
            pair->has_release = true;
        }
    }
done:
    free(look_of);
    return st;
}

static shoal_status add_attributes(shoal_ctx *ctx, shoal_i_risk *risk,
                                   const shoal_i_risk_parts *parts, const uint32_t *class_of,
                                   size_t class_count)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_prepared *prepared = parts->prepared;

    SHOAL_ALLOC(ctx, risk->attributes, prepared->column_count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        if (prepared->roles[i] == SHOAL_ROLE_SENSITIVE) {
            shoal_i_attribute_pair *pair = &risk->attributes[risk->attribute_count++];

            pair->name = shoal_table_name(prepared->table, i);
            SHOAL_TRY(measure_truth(ctx, &pair->original, parts, i, class_of, class_count));
            SHOAL_TRY(measure_shown(ctx, pair, parts));
        }
    }
done:
    return st;
}

/* --- All of it. ------------------------------------------------------------------------- */

shoal_status shoal_i_risk_build(shoal_ctx *ctx, shoal_i_risk *out,
                                const shoal_i_risk_parts *parts)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = parts->prepared->quasi;
    shoal_i_risk risk = {.settings = choose_settings(parts->spec)};
    shoal_i_population s = {0};
    uint32_t *class_of = NULL;
    size_t class_count = 0;

    *out = (shoal_i_risk){0};
    if (shoal_i_spec_has_population(parts->spec)) {
        SHOAL_TRY(shoal_i_population_open(ctx, &s, parts->spec, parts->prepared));
    }
    SHOAL_TRY(shoal_i_number_records(ctx, &class_of, &class_count, quasi));
    SHOAL_TRY(measure_original(ctx, &risk, quasi, shoal_i_prepared_persons(parts->prepared),
                               class_of, class_count, &s));
    SHOAL_TRY(add_attributes(ctx, &risk, parts, class_of, class_count));
    SHOAL_TRY(shoal_i_combinations_find(ctx, &risk.combinations, quasi, class_of, class_count,
                                        SHOAL_I_TOGETHER_MAX, 0));
    if (parts->release) {
        SHOAL_TRY(measure_release(ctx, &risk, parts->release, parts->row_persons, &s));
    }
    *out = risk;
    risk = (shoal_i_risk){0};
done:
    free(class_of);
    shoal_i_population_clear(&s);
    shoal_i_risk_clear(&risk);
    return st;
}
