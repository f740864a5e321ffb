#include "judge.h"

#include "../base/random.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define QUANTILE_95 1.959963984540054
#define KNOWN_STREAM 0x6b6e6f776e /* below the seed of the scene */

/* Figures that differ by rounding alone are equal. */
#define TOLERANCE 1e-9

void shoal_i_attack_not_done(shoal_i_attack_finding *finding, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(finding->reason, sizeof finding->reason, format, arguments);
    va_end(arguments);
}

/* --- Who is known. ---------------------------------------------------------------------- */

static size_t find_person(const shoal_i_attack_scene *scene, size_t record)
{
    return scene->persons ? scene->persons->of[record] : record;
}

shoal_status shoal_i_attack_draw_known(shoal_ctx *ctx, bool **out,
                                       const shoal_i_attack_scene *scene)
{
    shoal_status st = SHOAL_OK;
    bool *known = NULL;
    uint64_t key = shoal_i_random_key(scene->seed, KNOWN_STREAM);
    size_t count = 0;

    *out = NULL;
    SHOAL_ALLOC(ctx, known, scene->record_count);
    for (size_t i = 0; i < scene->record_count; i++) {
        shoal_i_random random =
            shoal_i_random_start(shoal_i_random_key(key, find_person(scene, i)));

        known[i] = scene->known >= 1 || shoal_i_random_unit(&random) < scene->known;
        count += known[i];
    }
    if (count == 0 && scene->record_count > 0) {
        for (size_t i = 0; i < scene->record_count; i++) {
            known[i] = find_person(scene, i) == find_person(scene, 0);
        }
    }
    *out = known;
    known = NULL;
done:
    free(known);
    return st;
}

/* --- Intervals. ------------------------------------------------------------------------- */

void shoal_i_wilson(double *low, double *high, double share, uint64_t draws)
{
    double n = (double)draws;
    double z = QUANTILE_95;

    if (draws == 0) {
        *low = 0;
        *high = 1;
        return;
    }
    double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));

    *low = fmax(0, fmin(middle - half, share));
    *high = fmin(1, fmax(middle + half, share));
}

void shoal_i_attack_sampled(shoal_i_attack_finding *finding, uint64_t draws)
{
    finding->is_sampled = true;
    shoal_i_wilson(&finding->low, &finding->high, fmin(1, fmax(0, finding->reached)), draws);
}

/* --- People. ---------------------------------------------------------------------------- */

/* What is known of a person's records. */
typedef struct person {
    double figure;   /* the worst, or the sum */
    uint32_t record; /* of the worst figure, the first of them */
    uint32_t count;
    bool is_beyond;
} person;

typedef struct judging {
    shoal_i_attack_finding *finding;
    person *people;
    size_t count;
    bool larger_is_safer;
} judging;

static bool is_worse(const judging *j, double figure, double than)
{
    return j->larger_is_safer ? figure < than : figure > than;
}

static bool is_beyond(const judging *j, double figure, double promise)
{
    double slack = TOLERANCE * fmax(1, fabs(promise));

    return j->larger_is_safer ? figure < promise - slack : figure > promise + slack;
}

static void add_records(judging *j, const shoal_i_attack_scene *scene, const double *figures,
                        const double *promises, shoal_i_attack_join join)
{
    double *worst = &j->finding->worst;

    for (size_t i = 0; i < scene->record_count; i++) {
        person *p = &j->people[find_person(scene, i)];
        double promise = promises ? promises[i] : j->finding->promise;

        if (isnan(figures[i])) {
            continue;
        }
        if (p->count == 0 ||
            (join == SHOAL_I_ATTACK_WORST_RECORD && is_worse(j, figures[i], p->figure))) {
            p->record = (uint32_t)i;
            p->figure = join == SHOAL_I_ATTACK_WORST_RECORD ? figures[i] : p->figure;
        }
        p->figure += join == SHOAL_I_ATTACK_MEAN_RECORD ? figures[i] : 0;
        p->count++;
        p->is_beyond = p->is_beyond || (!isnan(promise) && is_beyond(j, figures[i], promise));
        *worst = isnan(*worst) || is_worse(j, figures[i], *worst) ? figures[i] : *worst;
    }
    for (size_t i = 0; join == SHOAL_I_ATTACK_MEAN_RECORD && i < j->count; i++) {
        j->people[i].figure /= j->people[i].count > 0 ? j->people[i].count : 1;
    }
}

/* The first of those that are worst off come first. */
static void add_worst(judging *j, const person *p)
{
    shoal_i_attack_finding *f = j->finding;
    size_t at = f->worst_count;

    while (at > 0 && (is_worse(j, p->figure, f->worst_people[at - 1].figure) ||
                      (p->figure == f->worst_people[at - 1].figure &&
                       p->record < f->worst_people[at - 1].record))) {
        at--;
    }
    if (at == SHOAL_I_ATTACK_WORST) {
        return;
    }
    f->worst_count += f->worst_count < SHOAL_I_ATTACK_WORST;
    for (size_t i = f->worst_count - 1; i > at; i--) {
        f->worst_people[i] = f->worst_people[i - 1];
    }
    f->worst_people[at] = (shoal_i_attack_person){p->record, p->figure};
}

static void add_bin(shoal_i_attack_finding *f, double figure)
{
    size_t bin = figure < SHOAL_I_ATTACK_BINS - 1 ? (size_t)figure : SHOAL_I_ATTACK_BINS - 1;

    f->bins[bin]++;
    f->bin_count = SHOAL_I_ATTACK_BINS;
}

static void sum_up(judging *j)
{
    shoal_i_attack_finding *f = j->finding;
    double sum = 0;

    for (size_t i = 0; i < j->count; i++) {
        const person *p = &j->people[i];

        if (p->count == 0) {
            continue;
        }
        sum += p->figure;
        f->people++;
        f->beyond += p->is_beyond;
        f->certain += j->larger_is_safer ? p->figure <= 0 : p->figure >= 1 - TOLERANCE;
        add_worst(j, p);
        if (j->larger_is_safer) {
            add_bin(f, p->figure);
        }
    }
    f->reached = f->people > 0 ? sum / (double)f->people : NAN;
}

shoal_status shoal_i_attack_judge(shoal_ctx *ctx, shoal_i_attack_finding *finding,
                                  const shoal_i_attack_scene *scene, const double *figures,
                                  const double *promises, shoal_i_attack_join join)
{
    shoal_status st = SHOAL_OK;
    judging j = {.finding = finding,
                 .count = scene->persons ? scene->persons->count : scene->record_count,
                 .larger_is_safer = finding->kind->larger_is_safer};

    SHOAL_ALLOC(ctx, j.people, j.count);
    add_records(&j, scene, figures, promises, join);
    sum_up(&j);
done:
    free(j.people);
    return st;
}
