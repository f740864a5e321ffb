/* De Finetti: the release itself tells how sensitive values go with quasi-identifiers.
 *
 * A class or bucket says which values its people have, not who has which. One of them alone
 * leaves everybody equally likely. All of them together show that, say, the old are in groups
 * with more cancer; so within a group the old one is the likelier patient. The attacker starts
 * with everybody of a group equally likely, learns a naive Bayes classifier from that, uses it
 * to weigh who of a group has which of its values, and goes round again:
 *
 *     learn      P(cell of column c | value) from the weights of all people
 *     weigh      w(person, value) = n(value in the group) * product of P(cells | value), scaled
 *                so that a person has one value and a value as many people as the group says
 *
 *   Kifer, "Attacks on privacy and de Finetti's theorem", SIGMOD 2009,
 *   doi:10.1145/1559845.1559861
 *
 * Where this differs: Kifer draws which person has which value, we keep weights, so nothing is
 * drawn; scaling (Sinkhorn) stands for his sum over all ways to deal the values of a group.
 * Columns of many values are cut into BINS_MOST runs of codes, since few people share a value
 * there.
 *
 * Of classes, the attacker knows who is in which and their quasi-identifiers, of which the
 * release shows ranges only: he knows more than of buckets, which publish them. Where records
 * cannot be told apart by the quasi-identifier, they share a guess; of several guesses that are
 * equally likely each has its share. */
#include "attack.h"

#include "../release/number.h"
#include "cover.h"
#include "judge.h"
#include "promise.h"

#include <math.h>

#define ROUNDS 30
#define SCALINGS 10
#define BINS_MOST 64
#define SETTLED 1e-4
#define WEIGHTS_MOST ((size_t)1 << 24) /* 128 MB */
#define TIE 1e-9

/* Members are the people of groups: records of classes, rows of buckets. */
typedef struct learning {
    const shoal_i_attack_scene *scene;
    const shoal_i_attacked *attacked;
    size_t column; /* the sensitive one */
    size_t value_count;
    size_t width;
    size_t member_count;
    const uint32_t *group_of; /* member -> group */
    size_t group_count;
    uint32_t *members;       /* group after group */
    uint32_t *member_starts; /* of each group, and the end */
    uint32_t *value_starts;  /* of the values of each group, and the end */
    uint32_t *values;        /* that occur, group after group, ascending */
    uint32_t *counts;        /* how often */
    uint32_t *cells;         /* member * width: bin of each column, counted through */
    size_t bin_count;        /* of all columns */
    size_t *column_bins;     /* of each column */
    size_t *weight_starts;   /* of each group: members * values, and the end */
    double *weights;
    double *learned; /* bin * value_count: log P(bin | value) */
    double *totals;  /* of each value */
} learning;

static void clear_learning(learning *l)
{
    free(l->members);
    free(l->member_starts);
    free(l->value_starts);
    free(l->values);
    free(l->counts);
    free(l->cells);
    free(l->column_bins);
    free(l->weight_starts);
    free(l->weights);
    free(l->learned);
    free(l->totals);
}

/* --- Groups. ------------------------------------------------------------------------------ */

static void list_members(learning *l)
{
    for (size_t i = 0; i < l->member_count; i++) {
        l->member_starts[l->group_of[i] + 2]++;
    }
    for (size_t g = 0; g < l->group_count; g++) {
        l->member_starts[g + 2] += l->member_starts[g + 1];
    }
    for (size_t i = 0; i < l->member_count; i++) {
        l->members[l->member_starts[l->group_of[i] + 1]++] = (uint32_t)i;
    }
}

/* The values of each group as the rows of the release have them. */
static shoal_status list_values(shoal_ctx *ctx, learning *l, const uint32_t *row_group)
{
    shoal_status st = SHOAL_OK;
    const uint32_t *codes = l->attacked->shown[l->column].codes;
    size_t rows = l->attacked->release->row_count;
    uint32_t *order = NULL;
    uint32_t *starts = NULL;

    /* Rows sorted by value, then dealt to groups: values ascend within a group. */
    SHOAL_ALLOC(ctx, order, rows);
    SHOAL_ALLOC(ctx, starts, l->value_count + 2);
    SHOAL_ALLOC(ctx, l->value_starts, l->group_count + 2);
    SHOAL_ALLOC(ctx, l->values, rows);
    SHOAL_ALLOC(ctx, l->counts, rows);
    for (size_t row = 0; row < rows; row++) {
        starts[codes[row] + 2]++;
        l->value_starts[row_group[row] + 2]++;
    }
    for (size_t v = 0; v < l->value_count; v++) {
        starts[v + 2] += starts[v + 1];
    }
    for (size_t g = 0; g < l->group_count; g++) {
        l->value_starts[g + 2] += l->value_starts[g + 1];
    }
    for (size_t row = 0; row < rows; row++) {
        order[starts[codes[row] + 1]++] = (uint32_t)row;
    }
    for (size_t i = 0; i < rows; i++) {
        l->values[l->value_starts[row_group[order[i]] + 1]++] = codes[order[i]];
    }
    /* Equal ones become one with a count, moved together to the front. */
    size_t end = 0;
    uint32_t from = 0;

    for (size_t g = 0; g < l->group_count; g++) {
        uint32_t to = l->value_starts[g + 1];
        size_t first = end;

        for (uint32_t i = from; i < to; i++) {
            if (end == first || l->values[end - 1] != l->values[i]) {
                l->values[end] = l->values[i];
                l->counts[end++] = 0;
            }
            l->counts[end - 1]++;
        }
        from = to;
        l->value_starts[g] = (uint32_t)first;
    }
    l->value_starts[l->group_count] = (uint32_t)end;
done:
    free(order);
    free(starts);
    return st;
}

/* --- Cells. ------------------------------------------------------------------------------- */

static uint32_t find_code(const learning *l, size_t member, size_t c)
{
    const shoal_i_release *release = l->attacked->release;

    return release->shape == SHOAL_I_SHAPE_BUCKETS
               ? release->boxes[(size_t)release->box_of[member] * l->width + c].lo
               : shoal_i_quasi_code(l->scene->quasi, c, member);
}

static shoal_status find_cells(shoal_ctx *ctx, learning *l)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, l->member_count, l->width));
    SHOAL_ALLOC(ctx, l->cells, cells);
    SHOAL_ALLOC(ctx, l->column_bins, l->width);
    for (size_t c = 0; c < l->width; c++) {
        size_t codes = l->scene->quasi->columns[c].value_count;
        size_t bins = codes < BINS_MOST ? codes : BINS_MOST;

        for (size_t i = 0; i < l->member_count; i++) {
            l->cells[i * l->width + c] =
                (uint32_t)(l->bin_count + (uint64_t)find_code(l, i, c) * bins / codes);
        }
        l->column_bins[c] = bins;
        l->bin_count += bins;
    }
done:
    return st;
}

/* Everybody of a group is equally likely to have each of its values. */
static shoal_status start_weights(shoal_ctx *ctx, learning *l, bool *is_too_large)
{
    shoal_status st = SHOAL_OK;
    size_t total = 0;

    SHOAL_ALLOC(ctx, l->weight_starts, l->group_count + 1);
    for (size_t g = 0; g < l->group_count; g++) {
        size_t members = l->member_starts[g + 1] - l->member_starts[g];
        size_t values = l->value_starts[g + 1] - l->value_starts[g];

        l->weight_starts[g] = total;
        total += members * values;
        if (total > WEIGHTS_MOST) {
            *is_too_large = true;
            return SHOAL_OK;
        }
    }
    l->weight_starts[l->group_count] = total;
    SHOAL_ALLOC(ctx, l->weights, total);
    for (size_t g = 0; g < l->group_count; g++) {
        size_t members = l->member_starts[g + 1] - l->member_starts[g];
        size_t values = l->value_starts[g + 1] - l->value_starts[g];

        for (size_t i = 0; i < members * values; i++) {
            l->weights[l->weight_starts[g] + i] =
                (double)l->counts[l->value_starts[g] + i % values] / (double)members;
        }
    }
    size_t table = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &table, l->bin_count, l->value_count));
    *is_too_large = table > WEIGHTS_MOST;
    if (!*is_too_large) {
        SHOAL_ALLOC(ctx, l->learned, table);
        SHOAL_ALLOC(ctx, l->totals, l->value_count);
    }
done:
    return st;
}

/* --- Going round. ------------------------------------------------------------------------- */

static void learn(learning *l)
{
    memset(l->learned, 0, l->bin_count * l->value_count * sizeof *l->learned);
    memset(l->totals, 0, l->value_count * sizeof *l->totals);
    for (size_t g = 0; g < l->group_count; g++) {
        size_t values = l->value_starts[g + 1] - l->value_starts[g];
        const uint32_t *codes = l->values + l->value_starts[g];
        const double *weights = l->weights + l->weight_starts[g];

        for (size_t m = l->member_starts[g]; m < l->member_starts[g + 1]; m++) {
            const uint32_t *cells = l->cells + (size_t)l->members[m] * l->width;

            for (size_t v = 0; v < values; v++) {
                l->totals[codes[v]] += weights[v];
                for (size_t c = 0; c < l->width; c++) {
                    l->learned[(size_t)cells[c] * l->value_count + codes[v]] += weights[v];
                }
            }
            weights += values;
        }
    }
    /* Laplace: one more person for each bin of the column. */
    for (size_t c = 0, bin = 0; c < l->width; c++) {
        for (size_t end = bin + l->column_bins[c]; bin < end; bin++) {
            for (size_t v = 0; v < l->value_count; v++) {
                double *at = &l->learned[bin * l->value_count + v];

                *at = log((*at + 1) / (l->totals[v] + (double)l->column_bins[c]));
            }
        }
    }
}

/* Scale the weights of a group: by value to its count, by person to 1. */
static void scale(double *weights, size_t members, size_t values, const uint32_t *counts)
{
    for (size_t round = 0; round < SCALINGS; round++) {
        for (size_t v = 0; v < values; v++) {
            double sum = 0;

            for (size_t m = 0; m < members; m++) {
                sum += weights[m * values + v];
            }
            for (size_t m = 0; m < members && sum > 0; m++) {
                weights[m * values + v] *= counts[v] / sum;
            }
        }
        for (size_t m = 0; m < members; m++) {
            double sum = 0;

            for (size_t v = 0; v < values; v++) {
                sum += weights[m * values + v];
            }
            for (size_t v = 0; v < values && sum > 0; v++) {
                weights[m * values + v] /= sum;
            }
        }
    }
}

/* Weigh a group anew; the largest change of a weight. scratch: as many as it has weights. */
static double weigh(learning *l, size_t g, double *scratch)
{
    size_t values = l->value_starts[g + 1] - l->value_starts[g];
    size_t members = l->member_starts[g + 1] - l->member_starts[g];
    const uint32_t *codes = l->values + l->value_starts[g];
    const uint32_t *counts = l->counts + l->value_starts[g];
    double *weights = l->weights + l->weight_starts[g];
    double change = 0;

    for (size_t m = 0; m < members; m++) {
        const uint32_t *cells =
            l->cells + (size_t)l->members[l->member_starts[g] + m] * l->width;
        double most = -HUGE_VAL;

        for (size_t v = 0; v < values; v++) {
            double sum = log(counts[v]);

            for (size_t c = 0; c < l->width; c++) {
                sum += l->learned[(size_t)cells[c] * l->value_count + codes[v]];
            }
            scratch[m * values + v] = sum;
            most = fmax(most, sum);
        }
        for (size_t v = 0; v < values; v++) {
            scratch[m * values + v] = exp(scratch[m * values + v] - most);
        }
    }
    scale(scratch, members, values, counts);
    for (size_t i = 0; i < members * values; i++) {
        change = fmax(change, fabs(scratch[i] - weights[i]));
        weights[i] = scratch[i];
    }
    return change;
}

static shoal_status go_round(shoal_ctx *ctx, learning *l)
{
    shoal_status st = SHOAL_OK;
    double *scratch = NULL;
    size_t most = 0;

    for (size_t g = 0; g < l->group_count; g++) {
        size_t size = l->weight_starts[g + 1] - l->weight_starts[g];

        most = size > most ? size : most;
    }
    SHOAL_ALLOC(ctx, scratch, most);
    for (size_t round = 0; round < ROUNDS; round++) {
        double change = 0;

        learn(l);
        for (size_t g = 0; g < l->group_count; g++) {
            change = fmax(change, weigh(l, g, scratch));
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        if (change < SETTLED) {
            break;
        }
    }
done:
    free(scratch);
    return st;
}

/* --- Guessing. ---------------------------------------------------------------------------- */

/* What is guessed of whom: members that look the same share a guess. */
typedef struct guessing {
    size_t look_count;
    uint32_t *look_of;     /* of each member */
    uint32_t *record_look; /* of each record */
    double *sums;          /* look after look: by value; NULL where members are records */
    double *rights;        /* of each record: chance that its guess is right */
    double *beliefs;       /* of each record: how sure the attacker is */
} guessing;

/* The guess from the weights of values: how likely it is right, and how sure. */
static void guess(double *right, double *belief, const double *weights, const uint32_t *codes,
                  size_t values, uint32_t truth)
{
    double most = 0;
    double sum = 0;
    size_t ties = 0;
    bool is_among = false;

    for (size_t v = 0; v < values; v++) {
        most = fmax(most, weights[v]);
        sum += weights[v];
    }
    for (size_t v = 0; v < values; v++) {
        if (weights[v] >= most - TIE * sum) {
            ties++;
            is_among = is_among || (codes ? codes[v] : v) == truth;
        }
    }
    *right = is_among ? 1 / (double)ties : 0;
    *belief = sum > 0 ? most / sum : 0;
}

/* Classes: a member is a record. */
static void guess_records(guessing *q, const learning *l)
{
    const uint32_t *truth = l->scene->truth[l->column].codes;

    for (size_t g = 0; g < l->group_count; g++) {
        size_t values = l->value_starts[g + 1] - l->value_starts[g];
        const double *weights = l->weights + l->weight_starts[g];

        for (size_t m = l->member_starts[g]; m < l->member_starts[g + 1]; m++) {
            uint32_t record = l->members[m];

            guess(&q->rights[record], &q->beliefs[record], weights,
                  l->values + l->value_starts[g], values, truth[record]);
            weights += values;
        }
    }
}

/* Buckets: whoever is at a point may be any of its rows, so their weights add up. */
static void guess_rows(guessing *q, const learning *l)
{
    const uint32_t *truth = l->scene->truth[l->column].codes;

    memset(q->sums, 0, q->look_count * l->value_count * sizeof *q->sums);
    for (size_t g = 0; g < l->group_count; g++) {
        size_t values = l->value_starts[g + 1] - l->value_starts[g];
        const double *weights = l->weights + l->weight_starts[g];

        for (size_t m = l->member_starts[g]; m < l->member_starts[g + 1]; m++) {
            double *sums = q->sums + (size_t)q->look_of[l->members[m]] * l->value_count;

            for (size_t v = 0; v < values; v++) {
                sums[l->values[l->value_starts[g] + v]] += weights[v];
            }
            weights += values;
        }
    }
    for (size_t i = 0; i < l->scene->record_count; i++) {
        q->rights[i] = NAN;
        q->beliefs[i] = NAN;
        if (q->record_look[i] != SHOAL_I_NO_ITEM) {
            guess(&q->rights[i], &q->beliefs[i],
                  q->sums + (size_t)q->record_look[i] * l->value_count, NULL, l->value_count,
                  truth[i]);
        }
    }
}

static void guess_all(guessing *q, const learning *l)
{
    if (q->sums) {
        guess_rows(q, l);
    } else {
        guess_records(q, l);
    }
}

static bool take_box(void *payload, size_t box)
{
    *(uint32_t *)payload = (uint32_t)box;
    return true;
}

/* Which box of a release by buckets, a point, is that of each record. */
static shoal_status find_looks(shoal_ctx *ctx, guessing *q, const learning *l,
                               bool *is_too_large)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cover cover = {0};
    shoal_i_interval *point = NULL;
    const shoal_i_release *release = l->attacked->release;
    size_t sums = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &sums, release->box_count, l->value_count));
    if (sums > WEIGHTS_MOST) {
        *is_too_large = true;
        goto done;
    }
    SHOAL_ALLOC(ctx, q->sums, sums);
    SHOAL_ALLOC(ctx, q->record_look, l->scene->record_count);
    SHOAL_ALLOC(ctx, point, l->width);
    SHOAL_TRY(shoal_i_cover_build(ctx, &cover, l->scene, release));
    q->look_count = release->box_count;
    q->look_of = release->box_of;
    for (size_t i = 0; i < l->scene->record_count; i++) {
        uint32_t first = cover.first[cover.point_of[i]];

        q->record_look[i] = SHOAL_I_NO_ITEM;
        if (first < i) {
            q->record_look[i] = q->record_look[first];
            continue;
        }
        shoal_i_cover_point(&cover, point, i);
        shoal_i_cover_find(&cover, point, take_box, &q->record_look[i]);
    }
done:
    free(point);
    shoal_i_cover_clear(&cover);
    return st;
}

/* --- The attack. -------------------------------------------------------------------------- */

/* The share guessed right, and beliefs as what is worst. */
static shoal_status judge(shoal_ctx *ctx, shoal_i_attack_finding *out, const guessing *q,
                          const shoal_i_attack_scene *scene)
{
    shoal_status st = SHOAL_OK;
    shoal_i_attack_finding sure = {.kind = out->kind, .promise = NAN, .worst = NAN};
    double *none = NULL;
    double *surely = NULL;

    SHOAL_ALLOC(ctx, none, scene->record_count);
    SHOAL_ALLOC(ctx, surely, scene->record_count);
    for (size_t i = 0; i < scene->record_count; i++) {
        none[i] = NAN; /* a single guess is right or wrong: the promise is about many */
        surely[i] = q->rights[i] > 0 ? q->beliefs[i] : 0;
    }
    SHOAL_TRY(
        shoal_i_attack_judge(ctx, out, scene, q->rights, none, SHOAL_I_ATTACK_MEAN_RECORD));
    SHOAL_TRY(
        shoal_i_attack_judge(ctx, &sure, scene, surely, none, SHOAL_I_ATTACK_WORST_RECORD));
    out->worst = sure.worst;
    out->certain = sure.certain;
    out->worst_count = sure.worst_count;
    memcpy(out->worst_people, sure.worst_people, sizeof out->worst_people);
    shoal_i_attack_sampled(out, out->people);
done:
    free(none);
    free(surely);
    return st;
}

/* What guessing the commonest value of a group gets right. */
static shoal_status judge_start(shoal_ctx *ctx, shoal_i_attack_finding *out, guessing *q,
                                const learning *l)
{
    shoal_status st = SHOAL_OK;
    shoal_i_attack_finding start = {.kind = out->kind, .promise = NAN, .worst = NAN};

    guess_all(q, l);
    SHOAL_TRY(shoal_i_attack_judge(ctx, &start, l->scene, q->rights, NULL,
                                   SHOAL_I_ATTACK_MEAN_RECORD));
    out->without = start.reached;
done:
    return st;
}

static shoal_status set_up(shoal_ctx *ctx, learning *l, guessing *q, bool *is_too_large)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = l->attacked->release;
    bool by_bucket = release->shape == SHOAL_I_SHAPE_BUCKETS;

    l->width = l->scene->quasi->count;
    l->value_count = l->scene->truth[l->column].value_count;
    l->member_count = by_bucket ? release->row_count : l->scene->record_count;
    l->group_of = by_bucket ? release->bucket_of : l->attacked->box_of;
    l->group_count = by_bucket ? release->bucket_count : release->box_count;
    SHOAL_ALLOC(ctx, l->members, l->member_count);
    SHOAL_ALLOC(ctx, l->member_starts, l->group_count + 2);
    list_members(l);
    SHOAL_TRY(list_values(ctx, l, by_bucket ? release->bucket_of : release->box_of));
    SHOAL_TRY(find_cells(ctx, l));
    SHOAL_ALLOC(ctx, q->rights, l->scene->record_count);
    SHOAL_ALLOC(ctx, q->beliefs, l->scene->record_count);
    SHOAL_TRY(start_weights(ctx, l, is_too_large));
    if (by_bucket && !*is_too_large) {
        SHOAL_TRY(find_looks(ctx, q, l, is_too_large));
    }
done:
    return st;
}

static shoal_status run(shoal_ctx *ctx, shoal_i_attack_finding *out,
                        const shoal_i_attack_scene *scene, size_t column)
{
    shoal_status st = SHOAL_OK;
    learning l = {.scene = scene, .attacked = &scene->releases[0], .column = column};
    guessing q = {0};
    double *limits = NULL;
    bool is_too_large = false;

    if (l.attacked->release->shape != SHOAL_I_SHAPE_BUCKETS && !l.attacked->box_of) {
        shoal_i_attack_not_done(
            out, "%s",
            l.attacked->release->shape == SHOAL_I_SHAPE_RECORDS
                ? "a release with a box per record has no classes to learn from"
                : "the release leaves records out, so that who is in which class is not known");
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, limits, scene->truth[column].value_count);
    shoal_i_bound_promise promise = shoal_i_promise_share(limits, scene, column);

    out->promise = promise.bound;
    out->promised_by = promise.by;
    SHOAL_TRY(set_up(ctx, &l, &q, &is_too_large));
    if (is_too_large) {
        shoal_i_attack_not_done(out,
                                "groups have too many people and values to weigh them all");
        goto done;
    }
    SHOAL_TRY(judge_start(ctx, out, &q, &l));
    SHOAL_TRY(go_round(ctx, &l));
    guess_all(&q, &l);
    SHOAL_TRY(judge(ctx, out, &q, scene));
done:
    free(limits);
    free(q.record_look);
    free(q.sums);
    free(q.rights);
    free(q.beliefs);
    clear_learning(&l);
    return st;
}

const shoal_i_attack_kind shoal_i_attack_definetti = {
    .name = "definetti",
    .title = "De Finetti",
    .attacker =
        "Knows who is in which class or bucket with their quasi-identifiers, and learns "
        "from the release itself which sensitive values go with which.",
    .figure = "guessed right",
    .helps = "t-closeness, larger groups; coarser classes, when groups resemble each other",
    .citation = "Kifer 2009, doi:10.1145/1559845.1559861",
    .needs_sensitive = true,
    .run = run,
};
