/* risk_identity.c -- the chance that a record is found, from the sizes of the crowds.
 *
 *   attackers            El Emam, Dankar, "Protecting privacy using k-anonymity", JAMIA 2008,
 *                        doi:10.1197/jamia.M2716
 *   expected population  Benedetti, Franconi, "Statistical and technological solutions for
 *                        controlled data dissemination", NTTS 1998
 */
#include "risk.h"

#include <assert.h>
#include <math.h>

/* Beyond this size the expectation is its limit, fraction / f, to six digits. */
#define EXACT_MAX ((size_t)1 << 20)
#define FAR_STEPS 4096

void shoal_i_expected_inverse(double *out, size_t largest, double fraction)
{
    double rest = 1 - fraction;

    if (largest == 0) {
        return;
    }
    if (fraction >= 0.5) {
        /* E(f) = 1/f - rest/fraction E(f + 1), down from where the first two terms of its
         * expansion say enough; errors do not grow on the way. */
        double far = (double)(largest + FAR_STEPS);
        double next = fraction / far * (1 + rest / far);

        for (size_t f = largest + FAR_STEPS - 1; f > 0; f--) {
            next = 1 / (double)f - rest / fraction * next;
            if (f <= largest) {
                out[f] = next;
            }
        }
        return;
    }
    out[1] = fraction / rest * -log(fraction);
    for (size_t f = 2; f <= largest; f++) {
        out[f] = fraction / rest * (1 / (double)(f - 1) - out[f - 1]);
    }
}

/* --- Sums. ------------------------------------------------------------------------------ */

/* What is found about crowds as they pass. */
typedef struct attack_sums {
    shoal_i_attack attack;
    double hits; /* expected records found */
} attack_sums;

static void add_chance(attack_sums *sums, const shoal_i_risk_settings *settings,
                       uint64_t records, double chance)
{
    sums->attack.highest = chance > sums->attack.highest ? chance : sums->attack.highest;
    sums->hits += (double)records * chance;
    for (size_t i = 0; i < settings->threshold_count; i++) {
        sums->attack.above[i] += chance > settings->thresholds[i] ? records : 0;
    }
}

static shoal_i_attack end_sums(const attack_sums *sums, uint64_t records)
{
    shoal_i_attack attack = sums->attack;

    attack.mean = records > 0 ? sums->hits / (double)records : 0;
    return attack;
}

static void start_bands(shoal_i_band bands[SHOAL_I_BANDS])
{
    static const uint64_t from[SHOAL_I_BANDS + 1] = {1, 2, 3, 5, 10, 20, 50, 100, 1};

    for (size_t i = 0; i < SHOAL_I_BANDS; i++) {
        bands[i] = (shoal_i_band){.from = from[i], .to = from[i + 1] - 1};
    }
}

static void add_size(shoal_i_identity_risk *risk, const shoal_i_crowd *crowd)
{
    size_t band = SHOAL_I_BANDS - 1;

    while (risk->bands[band].from > crowd->size) {
        band--;
    }
    risk->bands[band].crowds++;
    risk->bands[band].records += crowd->records;
    risk->records += crowd->records;
    risk->crowds++;
    risk->uniques += crowd->size == 1 ? crowd->records : 0;
    risk->largest = crowd->size > risk->largest ? crowd->size : risk->largest;
    if (risk->crowds == 1 || crowd->size < risk->smallest) {
        risk->smallest = crowd->size;
    }
}

/* --- The journalist. -------------------------------------------------------------------- */

static double find_expected(const double *expected, uint64_t size, double fraction)
{
    return size <= EXACT_MAX ? expected[size] : fraction / (double)size;
}

static shoal_status add_journalist(shoal_ctx *ctx, shoal_i_identity_risk *risk,
                                   const shoal_i_crowd *crowds, size_t count,
                                   const shoal_i_risk_settings *settings)
{
    shoal_status st = SHOAL_OK;
    size_t largest = risk->largest < EXACT_MAX ? (size_t)risk->largest : EXACT_MAX;
    attack_sums sums = {0};
    double *expected = NULL;

    if (risk->source == SHOAL_I_JOURNALIST_FRACTION) {
        SHOAL_ALLOC(ctx, expected, largest + 1);
        shoal_i_expected_inverse(expected, largest, settings->sampling_fraction);
    }
    for (size_t i = 0; i < count; i++) {
        double chance =
            expected ? find_expected(expected, crowds[i].size, settings->sampling_fraction)
                     : 1 / (double)crowds[i].population;

        add_chance(&sums, settings, crowds[i].records, chance);
    }
    risk->journalist = end_sums(&sums, risk->records);
    risk->marketer = risk->journalist.mean;
done:
    free(expected);
    return st;
}

shoal_status shoal_i_identity_measure(shoal_ctx *ctx, shoal_i_identity_risk *out,
                                      const shoal_i_crowd *crowds, size_t count,
                                      const shoal_i_risk_settings *settings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_identity_risk risk = {0};
    attack_sums sums = {0};

    *out = risk;
    start_bands(risk.bands);
    for (size_t i = 0; i < count; i++) {
        assert(crowds[i].size > 0);
        add_size(&risk, &crowds[i]);
        add_chance(&sums, settings, crowds[i].records, 1 / (double)crowds[i].size);
    }
    risk.prosecutor = end_sums(&sums, risk.records);
    risk.marketer = risk.prosecutor.mean;
    if (count > 0 && crowds[0].population > 0) {
        risk.source = SHOAL_I_JOURNALIST_POPULATION;
    } else if (settings->sampling_fraction > 0) {
        risk.source = SHOAL_I_JOURNALIST_FRACTION;
    }
    if (risk.source != SHOAL_I_JOURNALIST_NONE) {
        SHOAL_TRY(add_journalist(ctx, &risk, crowds, count, settings));
    }
    *out = risk;
done:
    return st;
}
