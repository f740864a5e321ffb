/* generate_census.c -- records that resemble those of a census.
 *
 * Each attribute is drawn given those before it:
 *
 *     age ──► sex ──► marital                 race ──► country
 *      └────► education ◄──────────────────────┘└────► zip ◄── country, education
 *               └──► workclass ◄── age
 *                      └──► occupation ◄── education, sex
 *                             └──► income ◄── education, age, sex, workclass, zip
 *
 * All arithmetic is in whole numbers, so the bytes are the same on every machine.
 */
#include "generate_record.h"

#include "generate_census_shares.h"

#include "../../base/fail.h"

#include <assert.h>
#include <string.h>

/* A label as it is written, its comma included: copied as a whole, advanced by its length. */
enum { LABEL_BYTES = 24 };
typedef struct label {
    char text[LABEL_BYTES];
    uint8_t length;
} label;

enum { NATIVE, FOREIGN, ORIGINS };

/* Distributions as running sums: an outcome is the first whose sum exceeds the draw. */
struct shoal_i_census {
    uint32_t ages[AGES];
    uint32_t races[RACES];
    uint32_t countries[RACES][COUNTRIES];
    uint32_t educations[EDUCATION_BANDS][EDUCATIONS];
    uint32_t maritals[MARITAL_BANDS][SEXES][MARITALS];
    uint32_t workclasses[WORKCLASS_BANDS][SCHOOLINGS][WORKCLASSES];
    uint32_t occupations[TRAININGS][SEXES][OCCUPATIONS];
    uint32_t typical[WORKCLASSES][OCCUPATIONS];
    uint32_t areas[RACES][ORIGINS][AREAS];
    uint32_t zips[SCHOOLINGS][AREA_ZIPS];

    /* By age - AGE_MIN. */
    uint16_t female[AGES];
    uint16_t part_time[AGES];
    uint16_t age_factors[AGES];
    uint8_t education_band[AGES];
    uint8_t marital_band[AGES];
    uint8_t workclass_band[AGES];

    label age_labels[AGES];
    label sex_labels[SEXES];
    label education_labels[EDUCATIONS];
    label marital_labels[MARITALS];
    label race_labels[RACES];
    label workclass_labels[WORKCLASSES];
    label country_labels[COUNTRIES];
    label occupation_labels[OCCUPATIONS];
    label zip_labels[AREAS][AREA_ZIPS];
};

/* One person; the fields are indices into the tables of shares. */
typedef struct person {
    uint32_t age; /* from AGE_MIN */
    uint32_t sex;
    uint32_t education;
    uint32_t marital;
    uint32_t race;
    uint32_t workclass;
    uint32_t country;
    uint32_t occupation;
    uint32_t area;
    uint32_t zip;
} person;

const char shoal_i_census_header[] =
    "age,sex,education,marital,race,workclass,country,occupation,zip,income\n";

/* --- The tables. -------------------------------------------------------------------------- */

static void sum_up(uint32_t *sums, const uint16_t *shares, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += shares[i];
        sums[i] = sum;
    }
}

static int read_curve(const knot *knots, int age)
{
    while (age > knots[1].age) {
        knots++;
    }
    int rise = knots[1].value - knots[0].value;

    return knots[0].value + rise * (age - knots[0].age) / (knots[1].age - knots[0].age);
}

static uint8_t find_band(const int *bands, int age)
{
    uint8_t band = 0;

    while (age > bands[band]) {
        band++;
    }
    return band;
}

static void fill_ages(shoal_i_census *c)
{
    uint32_t sum = 0;

    for (int i = 0; i < AGES; i++) {
        int age = AGE_MIN + i;

        sum += (uint32_t)read_curve(age_shares, age);
        c->ages[i] = sum;
        c->female[i] = (uint16_t)read_curve(female_shares, age);
        c->part_time[i] = (uint16_t)read_curve(part_time_shares, age);
        c->age_factors[i] = (uint16_t)read_curve(age_factors, age);
        c->education_band[i] = find_band(education_bands, age);
        c->marital_band[i] = find_band(marital_bands, age);
        c->workclass_band[i] = find_band(workclass_bands, age);
    }
}

static void fill_people(shoal_i_census *c)
{
    sum_up(c->races, race_shares, RACES);
    for (size_t band = 0; band < EDUCATION_BANDS; band++) {
        sum_up(c->educations[band], education_shares[band], EDUCATIONS);
    }
    for (size_t race = 0; race < RACES; race++) {
        uint32_t sum = 0;

        for (size_t i = 0; i < COUNTRIES; i++) {
            sum += countries[i].shares[race];
            c->countries[race][i] = sum;
        }
    }
    for (size_t sex = 0; sex < SEXES; sex++) {
        for (size_t band = 0; band < MARITAL_BANDS; band++) {
            sum_up(c->maritals[band][sex], marital_shares[band][sex], MARITALS);
        }
    }
}

static void fill_work(shoal_i_census *c)
{
    for (size_t band = 0; band < WORKCLASS_BANDS; band++) {
        for (size_t s = 0; s < SCHOOLINGS; s++) {
            sum_up(c->workclasses[band][s], workclass_shares[band][s], WORKCLASSES);
        }
    }
    for (size_t t = 0; t < TRAININGS; t++) {
        for (size_t sex = 0; sex < SEXES; sex++) {
            sum_up(c->occupations[t][sex], occupation_shares[t][sex], OCCUPATIONS);
        }
    }
    for (size_t w = 0; w < WORKCLASSES; w++) {
        sum_up(c->typical[w], typical_occupations[w], OCCUPATIONS);
    }
}

/* Areas have Zipf-like sizes; every sixth is the one where a race is at home, every fifth takes
 * in those born abroad. Zips of an area have Zipf-like sizes in an order of their own, and the
 * first are the wealthy ones. */
static void fill_places(shoal_i_census *c)
{
    for (size_t race = 0; race < RACES; race++) {
        for (size_t origin = 0; origin < ORIGINS; origin++) {
            uint32_t sum = 0;

            for (size_t area = 0; area < AREAS; area++) {
                uint32_t home = area % RACES == race ? home_factors[race] : 1;
                uint32_t gate = origin == FOREIGN && area % 5 == 0 ? 4 : 1;

                sum += 10000 / ((uint32_t)area + 5) * home * gate;
                c->areas[race][origin][area] = sum;
            }
        }
    }
    for (size_t schooling = 0; schooling < SCHOOLINGS; schooling++) {
        uint32_t sum = 0;

        for (uint32_t zip = 0; zip < AREA_ZIPS; zip++) {
            const uint32_t appeal[SCHOOLINGS] = {zip + 4, 12, 24 - zip};
            uint32_t rank = (zip * 7 + 3) % AREA_ZIPS;

            sum += 10000 / (rank + 2) * appeal[schooling];
            c->zips[schooling][zip] = sum;
        }
    }
}

static void set_label(label *out, const char *text, size_t length)
{
    assert(length + 1 < LABEL_BYTES);
    memcpy(out->text, text, length);
    out->text[length] = ',';
    out->length = (uint8_t)(length + 1);
}

static void set_labels(label *out, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set_label(&out[i], texts[i], strlen(texts[i]));
    }
}

static void set_number_label(label *out, uint32_t number)
{
    char digits[10];

    set_label(out, digits, (size_t)(shoal_i_generate_put_number(digits, number) - digits));
}

static void fill_labels(shoal_i_census *c)
{
    for (uint32_t i = 0; i < AGES; i++) {
        set_number_label(&c->age_labels[i], AGE_MIN + i);
    }
    set_labels(c->sex_labels, sex_labels, SEXES);
    set_labels(c->education_labels, education_labels, EDUCATIONS);
    set_labels(c->marital_labels, marital_labels, MARITALS);
    set_labels(c->race_labels, race_labels, RACES);
    set_labels(c->workclass_labels, workclass_labels, WORKCLASSES);
    set_labels(c->occupation_labels, occupation_labels, OCCUPATIONS);
    for (size_t i = 0; i < COUNTRIES; i++) {
        set_label(&c->country_labels[i], countries[i].label, strlen(countries[i].label));
    }
    /* Both multipliers are prime to their modulus, so no two areas or zips coincide. */
    for (uint32_t area = 0; area < AREAS; area++) {
        for (uint32_t zip = 0; zip < AREA_ZIPS; zip++) {
            uint32_t prefix = 100 + area * 37 % 900;

            set_number_label(&c->zip_labels[area][zip],
                             prefix * 100 + (zip * 7 + area * 13) % 100);
        }
    }
}

shoal_status shoal_i_census_new(shoal_ctx *ctx, shoal_i_census **out)
{
    shoal_i_census *c = shoal_i_alloc(ctx, 1, sizeof *c);

    *out = c;
    if (!c) {
        return SHOAL_ENOMEM;
    }
    fill_ages(c);
    fill_people(c);
    fill_work(c);
    fill_places(c);
    fill_labels(c);
    return SHOAL_OK;
}

void shoal_i_census_free(shoal_i_census *census)
{
    free(census);
}

/* --- One person. -------------------------------------------------------------------------- */

/* Uniform in 0..bound-1; the bias of bound / 2^32 is far below what a table could show. */
static uint32_t draw_below(shoal_i_random *random, uint32_t bound)
{
    return (uint32_t)((uint64_t)shoal_i_random_u32(random) * bound >> 32);
}

static bool draw_chance(shoal_i_random *random, uint32_t thousandths)
{
    return draw_below(random, 1000) < thousandths;
}

static uint32_t draw_outcome(shoal_i_random *random, const uint32_t *sums, uint32_t count)
{
    uint32_t draw = draw_below(random, sums[count - 1]);
    uint32_t outcome = 0;

    while (sums[outcome] <= draw) {
        outcome++;
    }
    return outcome;
}

/* The same by halving, for many outcomes of similar size. */
static uint32_t search_outcome(shoal_i_random *random, const uint32_t *sums, uint32_t count)
{
    uint32_t draw = draw_below(random, sums[count - 1]);
    uint32_t low = 0;

    for (uint32_t span = count; span > 0;) {
        uint32_t half = span / 2;

        if (sums[low + half] <= draw) {
            low += half + 1;
            span -= half + 1;
        } else {
            span = half;
        }
    }
    return low;
}

static uint32_t draw_education(shoal_i_random *random, const shoal_i_census *c, const person *p)
{
    const uint32_t *sums = c->educations[c->education_band[p->age]];
    int tilt = education_tilts[p->race];
    uint32_t first = draw_outcome(random, sums, EDUCATIONS);

    if (!draw_chance(random, (uint32_t)(tilt < 0 ? -tilt : tilt))) {
        return first;
    }
    uint32_t second = draw_outcome(random, sums, EDUCATIONS);

    return (tilt > 0) == (second > first) ? second : first;
}

static uint32_t find_schooling(uint32_t education)
{
    return education <= SOME_HIGH_SCHOOL ? 0 : education <= ASSOCIATE ? 1 : 2;
}

static uint32_t find_training(uint32_t education)
{
    return education <= SOME_HIGH_SCHOOL ? 0
           : education <= SOME_COLLEGE   ? 1
           : education <= ASSOCIATE      ? 2
                                         : 3;
}

static uint32_t draw_occupation(shoal_i_random *random, const shoal_i_census *c,
                                const person *p)
{
    if (draw_chance(random, typical_shares[p->workclass])) {
        return draw_outcome(random, c->typical[p->workclass], OCCUPATIONS);
    }
    return draw_outcome(random, c->occupations[find_training(p->education)][p->sex],
                        OCCUPATIONS);
}

static person draw_person(shoal_i_random *random, const shoal_i_census *c)
{
    person p = {0};

    p.age = search_outcome(random, c->ages, AGES);
    p.sex = draw_chance(random, c->female[p.age]);
    p.race = draw_outcome(random, c->races, RACES);
    p.country = draw_outcome(random, c->countries[p.race], COUNTRIES);
    p.education = draw_education(random, c, &p);
    p.marital = draw_outcome(random, c->maritals[c->marital_band[p.age]][p.sex], MARITALS);
    uint32_t schooling = find_schooling(p.education);

    p.workclass =
        draw_outcome(random, c->workclasses[c->workclass_band[p.age]][schooling], WORKCLASSES);
    p.occupation = draw_occupation(random, c, &p);
    p.area = search_outcome(random, c->areas[p.race][p.country > 0 ? FOREIGN : NATIVE], AREAS);
    p.zip = search_outcome(random, c->zips[schooling], AREA_ZIPS);
    return p;
}

static uint32_t draw_hours_factor(shoal_i_random *random, const shoal_i_census *c,
                                  const person *p)
{
    uint32_t part_time = c->part_time[p->age] + (p->sex ? (uint32_t)PART_TIME_WOMEN : 0);

    if (draw_chance(random, part_time)) {
        return PART_TIME_FACTOR;
    }
    return draw_chance(random, OVERTIME_SHARE) ? (uint32_t)OVERTIME_FACTOR : 1000;
}

/* Log-normal around what the person's circumstances earn. */
static uint32_t draw_spread_factor(shoal_i_random *random)
{
    uint32_t draw = shoal_i_random_u32(random);
    uint32_t step = draw >> 26;
    uint32_t part = draw >> 10 & 0xFFFF;
    uint32_t low = spread_factors[step];

    return low + ((spread_factors[step + 1] - low) * part >> 16);
}

/* Dollars a year, in whole hundreds. */
static uint32_t draw_income(shoal_i_random *random, const shoal_i_census *c, const person *p)
{
    uint32_t hours = draw_hours_factor(random, c, p);
    uint32_t spread = draw_spread_factor(random);
    const uint32_t factors[] = {occupation_factors[p->occupation],
                                workclass_factors[p->workclass],
                                sex_factors[p->sex],
                                c->age_factors[p->age],
                                1250 - 25 * p->zip, /* the first zips are the wealthy ones */
                                hours,
                                spread};
    uint64_t cents = education_incomes[p->education] * UINT64_C(100);

    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        cents = cents * factors[i] / 1000;
    }
    return (uint32_t)((cents + 5000) / 10000 * 100);
}

static char *put_label(char *out, const label *text)
{
    memcpy(out, text->text, LABEL_BYTES);
    return out + text->length;
}

char *shoal_i_census_write(const shoal_i_census *census, shoal_i_random *random, char *out)
{
    person p = draw_person(random, census);

    out = put_label(out, &census->age_labels[p.age]);
    out = put_label(out, &census->sex_labels[p.sex]);
    out = put_label(out, &census->education_labels[p.education]);
    out = put_label(out, &census->marital_labels[p.marital]);
    out = put_label(out, &census->race_labels[p.race]);
    out = put_label(out, &census->workclass_labels[p.workclass]);
    out = put_label(out, &census->country_labels[p.country]);
    out = put_label(out, &census->occupation_labels[p.occupation]);
    out = put_label(out, &census->zip_labels[p.area][p.zip]);
    out = shoal_i_generate_put_number(out, draw_income(random, census, &p));
    *out++ = '\n';
    return out;
}
