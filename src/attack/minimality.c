/* Minimality: whoever knows method and requirement asks in which worlds the release would have
 * come out as it did.
 *
 *   Wong, Fu, Wang, Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007
 *
 * A method joins two classes because one of them does not hold; so people of that one have the
 * frequent value. In general: among all worlds that lead to the release, each as likely as the
 * others beforehand, how often does somebody have a value? The counts of his class would be the
 * answer if the method had not looked at values.
 *
 * Exact where there are few worlds: the values of the table are dealt out to its records in
 * every way, the method is run on each, and worlds whose release is the same to the last class
 * are counted.
 *
 * Else drawn: values are shuffled within the classes, the method is run again, and a world
 * counts for a class when that class came out again, with its box and its values; that others
 * came out, too, is not asked, as no world would do. Somebody's figure is what the counts prove
 * of his likeliest value, by a bound that chance rarely passes (Wilson's, PROOF), and at least
 * the share in his class. Of classes that came out again too seldom nothing is told. */
#include "attack.h"

#include "../base/random.h"
#include "../base/sort.h"
#include "judge.h"
#include "promise.h"
#include "worlds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STREAM_WORLDS 310 /* below the seed of the scene */

#define WORLDS_MOST 20000 /* that are gone through one by one */
#define RECORDS_MOST 64   /* of a table of which this is tried */
#define RUNS 64           /* of the method, where worlds are drawn */
#define RUNS_LEAST 16     /* of slow ones: those that search, those that try sizes */
#define SEEN_LEAST 8      /* times that a class must come out again */
#define PROOF 4.5         /* standard deviations: one of 300,000 */

typedef struct telling {
    const shoal_i_attack_scene *scene;
    const shoal_i_attacked *attacked;
    const shoal_i_sensitive *truth; /* the column */
    size_t column;
    double *limits;  /* of each code; 1: none */
    uint64_t *looks; /* of each box of the release: what it shows, as one number */
    shoal_i_world world;
    uint64_t *counts; /* record by record, of each code: worlds that count */
    uint64_t *worlds; /* of each record: worlds that count for it */
    uint64_t runs;
    uint64_t matching; /* exact: worlds that lead to the release */
} telling;

static void telling_clear(telling *t)
{
    free(t->limits);
    free(t->looks);
    free(t->counts);
    free(t->worlds);
    shoal_i_world_clear(&t->world);
}

/* --- What a release shows. ---------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* All sensitive values of a record as one number; sums of such tell what a class has. */
static uint64_t mix_values(const shoal_i_sensitive *columns, size_t count, size_t record)
{
    uint64_t sum = 0;

    for (size_t s = 0; s < count; s++) {
        sum = mix(sum + columns[s].codes[record] + 1);
    }
    return mix(sum + 1);
}

static uint64_t mix_box(const shoal_i_release *release, size_t box)
{
    const shoal_i_interval *b = release->boxes + box * release->quasi->count;
    uint64_t sum = 0;

    for (size_t c = 0; c < release->quasi->count; c++) {
        sum = mix(sum + ((uint64_t)b[c].lo << 32 | b[c].hi) + 1);
    }
    return sum;
}

/* What each box shows: itself and its values, which stand in no order. value_of: of each row,
 * the record or row whose values it has; NULL: its own. */
static shoal_status find_looks(shoal_ctx *ctx, uint64_t **out, const shoal_i_release *release,
                               const shoal_i_sensitive *columns, size_t count,
                               const uint32_t *value_of)
{
    shoal_status st = SHOAL_OK;
    uint64_t *looks = NULL;

    SHOAL_ALLOC(ctx, looks, release->box_count);
    for (size_t box = 0; box < release->box_count; box++) {
        looks[box] = mix_box(release, box);
    }
    for (size_t row = 0; row < release->row_count; row++) {
        looks[release->box_of[row]] +=
            mix_values(columns, count, value_of ? value_of[row] : row);
    }
    *out = looks;
done:
    return st;
}

static int compare_looks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Run the method on a world; *looks (free) are those of its boxes, ascending, NULL: nothing is
 * published of it. */
static shoal_status run_world(shoal_ctx *ctx, uint64_t **looks, size_t *count, telling *t,
                              const uint32_t *value_of)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *release = NULL;

    *looks = NULL;
    *count = 0;
    shoal_i_world_set(&t->world, value_of);
    SHOAL_TRY(shoal_i_world_release(ctx, &release, &t->world));
    t->runs++;
    if (release) {
        SHOAL_TRY(find_looks(ctx, looks, release, t->scene->truth, t->scene->sensitive_count,
                             value_of));
        *count = release->box_count;
        qsort(*looks, *count, sizeof **looks, compare_looks);
    }
done:
    shoal_i_release_free(release);
    return st;
}

static bool is_among(uint64_t look, const uint64_t *looks, size_t count)
{
    return looks && bsearch(&look, looks, count, sizeof look, compare_looks) != NULL;
}

static void count_record(telling *t, size_t record, const uint32_t *value_of)
{
    t->counts[record * t->truth->value_count + t->truth->codes[value_of[record]]]++;
    t->worlds[record]++;
}

/* --- Every world. ------------------------------------------------------------------------- */

/* In how many ways values that occur so often can be dealt out; WORLDS_MOST + 1: too many. */
static size_t count_worlds(const uint32_t *times, size_t values, size_t records)
{
    double worlds = 1;
    size_t left = records;

    for (size_t v = 0; v < values; v++) {
        for (size_t i = 0; i < times[v] && worlds <= WORLDS_MOST; i++, left--) {
            worlds = worlds * (double)left / (double)(i + 1);
        }
    }
    return worlds <= WORLDS_MOST ? (size_t)llround(worlds) : WORLDS_MOST + 1;
}

/* Give each record the number of its sensitive values together; *times how often each occurs
 * and *example one record that has it. */
static shoal_status number_values(shoal_ctx *ctx, const shoal_i_attack_scene *scene,
                                  uint32_t *number_of, uint32_t *times, uint32_t *example,
                                  size_t *count)
{
    *count = 0;
    for (size_t r = 0; r < scene->record_count; r++) {
        size_t n = 0;

        for (; n < *count; n++) {
            size_t s = 0;

            while (s < scene->sensitive_count &&
                   scene->truth[s].codes[r] == scene->truth[s].codes[example[n]]) {
                s++;
            }
            if (s == scene->sensitive_count) {
                break;
            }
        }
        if (n == *count) {
            example[(*count)++] = (uint32_t)r;
        }
        number_of[r] = (uint32_t)n;
        times[n]++;
    }
    return shoal_i_check_cancelled(ctx);
}

/* The next arrangement in ascending order; false behind the last. */
static bool arrange_next(uint32_t *numbers, size_t count)
{
    size_t i = count - 1;

    while (i > 0 && numbers[i - 1] >= numbers[i]) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    size_t j = count - 1;

    while (numbers[j] <= numbers[i - 1]) {
        j--;
    }
    uint32_t held = numbers[i - 1];

    numbers[i - 1] = numbers[j];
    numbers[j] = held;
    for (size_t a = i, b = count - 1; a < b; a++, b--) {
        held = numbers[a];
        numbers[a] = numbers[b];
        numbers[b] = held;
    }
    return true;
}

static bool are_same(const uint64_t *looks, size_t count, const uint64_t *sorted, size_t others)
{
    return looks && count == others && memcmp(looks, sorted, count * sizeof *looks) == 0;
}

/* Run one world, and count it for everybody if it leads to the release. */
static shoal_status try_world(shoal_ctx *ctx, telling *t, const uint32_t *value_of,
                              const uint64_t *wanted)
{
    shoal_status st = SHOAL_OK;
    uint64_t *looks = NULL;
    size_t count = 0;

    SHOAL_TRY(run_world(ctx, &looks, &count, t, value_of));
    if (are_same(looks, count, wanted, t->attacked->release->box_count)) {
        t->matching++;
        for (size_t r = 0; r < t->scene->record_count; r++) {
            count_record(t, r, value_of);
        }
    }
done:
    free(looks);
    return st;
}

/* Go through all worlds; *is_done stays false where they are too many. */
static shoal_status try_all(shoal_ctx *ctx, bool *is_done, telling *t)
{
    shoal_status st = SHOAL_OK;
    size_t records = t->scene->record_count;
    uint32_t *numbers = NULL;
    uint32_t *times = NULL;
    uint32_t *example = NULL;
    uint32_t *value_of = NULL;
    uint64_t *wanted = NULL;
    size_t count = 0;

    *is_done = false;
    if (records > RECORDS_MOST) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, numbers, records);
    SHOAL_ALLOC(ctx, times, records);
    SHOAL_ALLOC(ctx, example, records);
    SHOAL_ALLOC(ctx, value_of, records);
    SHOAL_ALLOC(ctx, wanted, t->attacked->release->box_count);
    memcpy(wanted, t->looks, t->attacked->release->box_count * sizeof *wanted);
    qsort(wanted, t->attacked->release->box_count, sizeof *wanted, compare_looks);
    SHOAL_TRY(number_values(ctx, t->scene, numbers, times, example, &count));
    shoal_i_meter meter = {.stage = "attack", .total = count_worlds(times, count, records)};

    if (meter.total > WORLDS_MOST) {
        goto done;
    }
    qsort(numbers, records, sizeof *numbers, shoal_i_compare_u32);
    do {
        for (size_t r = 0; r < records; r++) {
            value_of[r] = example[numbers[r]];
        }
        SHOAL_TRY(try_world(ctx, t, value_of, wanted));
        SHOAL_TRY(shoal_i_meter_add(ctx, &meter, 1));
    } while (arrange_next(numbers, records));
    *is_done = true;
done:
    free(numbers);
    free(times);
    free(example);
    free(value_of);
    free(wanted);
    return st;
}

/* --- Worlds drawn. ------------------------------------------------------------------------ */

/* Shuffle the values within each class; by_class: the records, class after class. */
static void draw_world(uint32_t *value_of, const uint32_t *by_class, const uint32_t *starts,
                       size_t classes, uint64_t key)
{
    shoal_i_random random = shoal_i_random_start(key);

    for (size_t c = 0; c < classes; c++) {
        size_t size = starts[c + 1] - starts[c];
        const uint32_t *records = by_class + starts[c];

        for (size_t i = 0; i < size; i++) {
            size_t j = (size_t)shoal_i_random_below(&random, i + 1);

            /* Inside out: what stood at j moves on to i. */
            value_of[records[i]] = j == i ? records[i] : value_of[records[j]];
            value_of[records[j]] = records[i];
        }
    }
}

/* How often the method is run. */
static size_t count_runs(const shoal_i_attack_scene *scene)
{
    return scene->method->is_anytime || scene->problem->is_blind ? RUNS_LEAST : RUNS;
}

static shoal_status draw_worlds(shoal_ctx *ctx, telling *t)
{
    shoal_status st = SHOAL_OK;
    size_t records = t->scene->record_count;
    size_t classes = t->attacked->release->box_count;
    const uint32_t *box_of = t->attacked->box_of;
    uint32_t *by_class = NULL;
    uint32_t *starts = NULL;
    uint32_t *value_of = NULL;
    uint64_t *looks = NULL;
    shoal_i_meter meter = {.stage = "attack", .total = count_runs(t->scene)};

    SHOAL_ALLOC(ctx, by_class, records);
    SHOAL_ALLOC(ctx, starts, classes + 1);
    SHOAL_ALLOC(ctx, value_of, records);
    shoal_i_sort_by_number(by_class, starts, box_of, records, classes);
    for (size_t run = 0; run < meter.total; run++) {
        uint64_t key = shoal_i_random_key(t->scene->seed, STREAM_WORLDS);
        size_t count = 0;

        draw_world(value_of, by_class, starts, classes, shoal_i_random_key(key, run));
        SHOAL_TRY(run_world(ctx, &looks, &count, t, value_of));
        for (size_t r = 0; r < records; r++) {
            if (is_among(t->looks[box_of[r]], looks, count)) {
                count_record(t, r, value_of);
            }
        }
        free(looks);
        looks = NULL;
        SHOAL_TRY(shoal_i_meter_add(ctx, &meter, 1));
    }
done:
    free(by_class);
    free(starts);
    free(value_of);
    free(looks);
    return st;
}

/* --- Figures. ----------------------------------------------------------------------------- */

/* The bounds of a share of `count` in `worlds`, so wide that chance rarely passes them. */
static void find_bounds(double *low, double *high, uint64_t count, uint64_t worlds)
{
    double n = (double)worlds;
    double share = (double)count / n;
    double z = PROOF * PROOF / n;
    double middle = share + z / 2;
    double reach = PROOF * sqrt(share * (1 - share) / n + z / (4 * n));

    *low = fmax(0, (middle - reach) / (1 + z));
    *high = fmin(1, (middle + reach) / (1 + z));
}

/* The shares of a record's class, from the release. */
static shoal_status count_class_values(shoal_ctx *ctx, uint32_t **out, const telling *t)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = t->attacked->release;
    size_t values = t->truth->value_count;
    uint32_t *counts = NULL;

    SHOAL_ALLOC(ctx, counts, release->box_count * values);
    for (size_t row = 0; row < release->row_count; row++) {
        counts[release->box_of[row] * values + t->attacked->shown[t->column].codes[row]]++;
    }
    *out = counts;
done:
    return st;
}

/* What is told of each record: the value whose chance passes its limit most. */
typedef struct told {
    double *figures;
    double *promises;
    double without; /* sums over the records that are told of */
    double high;
    uint64_t records;
} told;

/* The value of a record that passes its limit most, by how often it was counted. */
static void tell_record(told *out, const telling *t, size_t record, const uint32_t *in_class,
                        uint32_t class_size, bool is_drawn)
{
    size_t values = t->truth->value_count;
    const uint64_t *counts = t->counts + record * values;
    double worst = -1;
    double without = 0;
    double high = 0;

    for (size_t v = 0; v < values; v++) {
        double share = in_class ? (double)in_class[v] / class_size : 0;
        double low = (double)counts[v] / (double)t->worlds[record];
        double most = low;

        if (t->limits[v] >= 1) {
            continue;
        }
        if (is_drawn) {
            find_bounds(&low, &most, counts[v], t->worlds[record]);
            low = fmax(low, share);
            most = fmax(most, share);
        }
        without = fmax(without, share);
        high = fmax(high, most);
        if (low / t->limits[v] > worst) {
            worst = low / t->limits[v];
            out->figures[record] = low;
            out->promises[record] = t->limits[v];
        }
    }
    out->without += without;
    out->high += high;
    out->records++;
}

static shoal_status tell(shoal_ctx *ctx, shoal_i_attack_finding *out, telling *t, bool is_drawn)
{
    shoal_status st = SHOAL_OK;
    size_t records = t->scene->record_count;
    const uint32_t *box_of = t->attacked->box_of;
    uint32_t *in_class = NULL;
    told all = {0};
    uint64_t least = is_drawn ? SEEN_LEAST : 1;

    SHOAL_ALLOC(ctx, all.figures, records);
    SHOAL_ALLOC(ctx, all.promises, records);
    SHOAL_TRY(count_class_values(ctx, &in_class, t));
    for (size_t r = 0; r < records; r++) {
        all.figures[r] = NAN;
        if (t->worlds[r] >= least) {
            tell_record(&all, t, r,
                        box_of ? in_class + box_of[r] * t->truth->value_count : NULL,
                        box_of ? t->attacked->release->box_sizes[box_of[r]] : 1, is_drawn);
        }
    }
    SHOAL_TRY(shoal_i_attack_judge(ctx, out, t->scene, all.figures, all.promises,
                                   SHOAL_I_ATTACK_WORST_RECORD));
    if (box_of && all.records > 0) {
        out->without = all.without / (double)all.records;
    }
    if (is_drawn && all.records > 0) {
        out->is_sampled = true;
        out->low = out->reached;
        out->high = all.high / (double)all.records;
    }
done:
    free(all.figures);
    free(all.promises);
    free(in_class);
    return st;
}

/* --- The attack. -------------------------------------------------------------------------- */

/* Why the attack says nothing here; NULL: it can be run. */
static const char *find_obstacle(const telling *t)
{
    if (t->attacked->release->shape != SHOAL_I_SHAPE_CLASSES ||
        t->scene->method->shape != SHOAL_I_SHAPE_CLASSES) {
        return "it runs methods again that make classes; what others publish is drawn by "
               "chance, or is not classes";
    }
    if (t->scene->persons) {
        return "values are exchanged between records, which cannot be where persons have "
               "several";
    }
    if (t->attacked->release->omitted > 0) {
        return "the release leaves records out, and what the method made of those is not "
               "known";
    }
    return NULL;
}

/* The promise to whoever asks for the values that have one: the largest of them. */
static void find_promise(shoal_i_attack_finding *out, telling *t)
{
    shoal_i_bound_promise promise = shoal_i_promise_share(t->limits, t->scene, t->column);

    out->promise = promise.bound;
    out->promised_by = promise.by;
    if (!isnan(promise.bound)) {
        return;
    }
    for (size_t v = 0; v < t->truth->value_count; v++) {
        if (t->limits[v] < 1) {
            out->promise = fmax(isnan(out->promise) ? 0 : out->promise, t->limits[v]);
        }
    }
    for (size_t i = 0; !isnan(out->promise) && i < t->scene->requirements->count; i++) {
        const shoal_i_requirement *r = &t->scene->requirements->items[i];

        if (r->column && strcmp(r->column->name, t->truth->name) == 0) {
            out->promised_by = r->kind->title;
        }
    }
}

/* Say what the figures rest on. */
static void put_note(shoal_i_attack_finding *out, const telling *t, bool is_drawn)
{
    if (!is_drawn) {
        snprintf(out->note, sizeof out->note,
                 "every world was tried, %" PRIu64 "; %" PRIu64 " of them lead to this release",
                 t->runs, t->matching);
        return;
    }
    uint64_t untold = 0;

    for (size_t r = 0; r < t->scene->record_count; r++) {
        untold += t->worlds[r] < SEEN_LEAST;
    }
    snprintf(out->note, sizeof out->note,
             "%" PRIu64 " worlds were drawn and the method run on each; what is told is what "
             "they prove; of %" PRIu64
             " people nothing is, as their classes came out again fewer than %d times",
             t->runs - 1, untold, SEEN_LEAST);
}

/* Whether the method makes this release of the true table: else the attacker is misled. */
static shoal_status check_truth(shoal_ctx *ctx, bool *is_made, telling *t)
{
    shoal_status st = SHOAL_OK;
    uint32_t *value_of = NULL;
    uint64_t *looks = NULL;
    size_t count = 0;
    size_t found = 0;

    SHOAL_ALLOC(ctx, value_of, t->scene->record_count);
    for (size_t r = 0; r < t->scene->record_count; r++) {
        value_of[r] = (uint32_t)r;
    }
    SHOAL_TRY(run_world(ctx, &looks, &count, t, value_of));
    for (size_t box = 0; box < t->attacked->release->box_count; box++) {
        found += is_among(t->looks[box], looks, count);
    }
    *is_made = found == count && found == t->attacked->release->box_count;
done:
    free(value_of);
    free(looks);
    return st;
}

static shoal_status attack(shoal_ctx *ctx, shoal_i_attack_finding *out, telling *t)
{
    shoal_status st = SHOAL_OK;
    bool is_made = false;
    bool is_exact = false;

    SHOAL_TRY(find_looks(ctx, &t->looks, t->attacked->release, t->attacked->shown,
                         t->scene->sensitive_count, NULL));
    SHOAL_TRY(shoal_i_world_init(ctx, &t->world, t->scene));
    SHOAL_ALLOC(ctx, t->counts, t->scene->record_count * t->truth->value_count);
    SHOAL_ALLOC(ctx, t->worlds, t->scene->record_count);
    SHOAL_TRY(check_truth(ctx, &is_made, t));
    if (!is_made) {
        shoal_i_attack_not_done(out, "the method, with the options, the requirements and the "
                                     "seed that are given, makes another release of the "
                                     "original");
        goto done;
    }
    t->runs = 0;
    SHOAL_TRY(try_all(ctx, &is_exact, t));
    if (!is_exact && !t->attacked->box_of) {
        shoal_i_attack_not_done(out, "who is in which class is not known");
        goto done;
    }
    if (!is_exact) {
        t->runs = 1;
        SHOAL_TRY(draw_worlds(ctx, t));
    }
    SHOAL_TRY(tell(ctx, out, t, !is_exact));
    put_note(out, t, !is_exact);
done:
    return st;
}

static shoal_status run(shoal_ctx *ctx, shoal_i_attack_finding *out,
                        const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    telling t = {.scene = scene,
                 .attacked = &scene->releases[0],
                 .truth = &scene->truth[column],
                 .column = column};
    const char *obstacle = find_obstacle(&t);

    SHOAL_ALLOC(ctx, t.limits, t.truth->value_count);
    find_promise(out, &t);
    if (obstacle) {
        shoal_i_attack_not_done(out, "%s", obstacle);
    } else if (isnan(out->promise)) {
        shoal_i_attack_not_done(out, "no requirement limits how likely values of this column "
                                     "may be, so that no class is as it is because of them");
    } else {
        SHOAL_TRY(attack(ctx, out, &t));
    }
done:
    telling_clear(&t);
    return st;
}

const shoal_i_attack_kind shoal_i_attack_minimality = {
    .name = "minimality",
    .title = "Minimality",
    .attacker = "Knows everybody's quasi-identifier, the method with its options and seed, and "
                "the requirements, and asks in which worlds the release comes out as it did.",
    .figure = "chance of the value that passes its limit most",
    .helps = "classes found without sensitive values (`privacy.attacks: [minimality]`)",
    .citation = "Wong, Fu, Wang and Pei 2007; 2009, doi:10.1145/1538909.1538910",
    .needs_sensitive = true,
    .needs_method = true,
    .run = run,
};
