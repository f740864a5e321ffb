/* generate_census_shares.h -- the shares the census is drawn from, in whole numbers of any
 * scale.
 *
 * Rounded by hand to resemble the United States: who is how old, what people of an age have
 * learnt, whom they live with, where they work and what for. No record of a real person or file
 * stands behind any number.
 *
 * Included by generate_census.c alone.
 */
#ifndef SHOAL_I_GENERATE_CENSUS_SHARES_H
#define SHOAL_I_GENERATE_CENSUS_SHARES_H

#include <stdint.h>

enum {
    AGE_MIN = 17,
    AGE_MAX = 90, /* 90 and above */
    AGES = AGE_MAX - AGE_MIN + 1,
    SEXES = 2,
    EDUCATIONS = 12,
    MARITALS = 7,
    RACES = 6,
    WORKCLASSES = 8,
    COUNTRIES = 42,
    OCCUPATIONS = 14,
    AREAS = 50,
    AREA_ZIPS = 20
};

/* A curve over age: straight between knots, which end with AGE_MAX. */
typedef struct knot {
    int age;
    int value;
} knot;

static const knot age_shares[] = {{17, 1000}, {25, 1080}, {35, 1080}, {45, 1020}, {55, 1060},
                                  {62, 960},  {70, 720},  {80, 380},  {89, 130},  {90, 250}};

/* Of 1000 people of an age, how many are women. */
static const knot female_shares[] = {{17, 488}, {50, 505}, {65, 525}, {80, 580}, {90, 660}};

static const char *const sex_labels[SEXES] = {"Male", "Female"};

static const char *const race_labels[RACES] = {"White", "Black",  "Hispanic",
                                               "Asian", "Native", "Mixed"};
static const uint16_t race_shares[RACES] = {600, 125, 165, 58, 12, 40};

/* --- Education, by age. ------------------------------------------------------------------- */

enum { SOME_HIGH_SCHOOL = 3, SOME_COLLEGE = 5, ASSOCIATE = 7 };

static const char *const education_labels[EDUCATIONS] = {
    "None",       "Elementary", "Middle",   "Some-HS", "HS",           "Some-college",
    "Vocational", "Associate",  "Bachelor", "Master",  "Professional", "Doctorate"};

/* Rows by age, each up to and including its age. */
enum { EDUCATION_BANDS = 9 };
static const int education_bands[EDUCATION_BANDS] = {17, 18, 20, 22, 24, 34, 49, 64, 90};
static const uint16_t education_shares[EDUCATION_BANDS][EDUCATIONS] = {
    {2, 6, 40, 900, 45, 7, 0, 0, 0, 0, 0, 0},
    {3, 8, 25, 480, 380, 100, 4, 0, 0, 0, 0, 0},
    {4, 8, 18, 130, 370, 440, 15, 15, 0, 0, 0, 0},
    {5, 9, 18, 95, 310, 430, 30, 50, 53, 0, 0, 0},
    {6, 10, 18, 85, 280, 270, 42, 70, 205, 13, 1, 0},
    {8, 14, 20, 65, 255, 180, 50, 95, 225, 68, 13, 7},
    {10, 20, 25, 65, 275, 165, 52, 100, 180, 78, 18, 12},
    {12, 28, 32, 75, 310, 165, 45, 80, 150, 75, 17, 11},
    {20, 60, 70, 110, 330, 140, 30, 45, 105, 60, 18, 12}};

/* How many of 1000 people of a race get the better (or, below 0, the worse) of two draws. */
static const int education_tilts[RACES] = {80, -250, -500, 400, -300, 0};

/* --- Marital status, by age and sex. ------------------------------------------------------ */

static const char *const marital_labels[MARITALS] = {
    "Single", "Partnered", "Married", "Spouse-absent", "Separated", "Divorced", "Widowed"};

enum { MARITAL_BANDS = 9 };
static const int marital_bands[MARITAL_BANDS] = {19, 24, 29, 34, 44, 54, 64, 74, 90};
static const uint16_t marital_shares[MARITAL_BANDS][SEXES][MARITALS] = {
    {{960, 25, 8, 4, 1, 2, 0}, {935, 42, 14, 4, 3, 2, 0}},
    {{800, 110, 70, 8, 5, 7, 0}, {700, 160, 105, 10, 12, 12, 1}},
    {{540, 150, 260, 12, 12, 25, 1}, {430, 160, 340, 14, 20, 34, 2}},
    {{330, 125, 460, 16, 18, 50, 1}, {250, 115, 510, 16, 28, 75, 6}},
    {{200, 80, 580, 18, 25, 95, 2}, {160, 70, 580, 16, 38, 128, 8}},
    {{140, 55, 600, 18, 28, 150, 9}, {120, 45, 575, 15, 38, 182, 25}},
    {{100, 40, 640, 16, 22, 160, 22}, {90, 30, 560, 14, 28, 200, 78}},
    {{60, 22, 710, 14, 14, 120, 60}, {55, 14, 510, 12, 15, 165, 229}},
    {{40, 10, 690, 15, 8, 60, 177}, {45, 5, 290, 14, 7, 80, 559}}};

/* --- Workclass, by age and schooling. ----------------------------------------------------- */

static const char *const workclass_labels[WORKCLASSES] = {
    "Private", "Self-employed", "Incorporated", "Federal",
    "State",   "Local",         "Unpaid",       "Retired"};

/* Schooling: up to some high school, up to an associate degree, above. */
enum { WORKCLASS_BANDS = 4, SCHOOLINGS = 3 };
static const int workclass_bands[WORKCLASS_BANDS] = {24, 54, 64, 90};
static const uint16_t workclass_shares[WORKCLASS_BANDS][SCHOOLINGS][WORKCLASSES] = {
    {{930, 25, 3, 3, 8, 20, 11, 0},
     {880, 25, 5, 12, 40, 32, 6, 0},
     {790, 30, 12, 30, 70, 66, 2, 0}},
    {{820, 110, 18, 8, 10, 28, 6, 0},
     {740, 85, 35, 32, 38, 66, 2, 2},
     {600, 75, 55, 45, 80, 142, 1, 2}},
    {{620, 120, 20, 12, 12, 36, 6, 174},
     {560, 100, 40, 32, 36, 72, 3, 157},
     {450, 100, 70, 42, 70, 118, 2, 148}},
    {{110, 40, 8, 3, 3, 10, 4, 822},
     {110, 45, 14, 5, 7, 14, 3, 802},
     {110, 65, 30, 8, 14, 18, 2, 753}}};

/* --- Occupation, by schooling and sex, and by workclass. ---------------------------------- */

static const char *const occupation_labels[OCCUPATIONS] = {
    "Managerial", "Professional", "Technical", "Sales",   "Clerical",
    "Protective", "Service",      "Household", "Craft",   "Operator",
    "Transport",  "Laborer",      "Farming",   "Military"};

/* Training: up to some high school, up to some college, up to an associate degree, above. */
enum { TRAININGS = 4 };
static const uint16_t occupation_shares[TRAININGS][SEXES][OCCUPATIONS] = {
    {{35, 10, 8, 65, 35, 20, 170, 6, 215, 150, 115, 115, 55, 1},
     {40, 15, 12, 130, 140, 5, 345, 60, 30, 160, 8, 45, 10, 0}},
    {{105, 35, 32, 125, 75, 35, 90, 2, 215, 110, 95, 55, 24, 2},
     {100, 60, 45, 140, 330, 10, 200, 10, 22, 50, 10, 17, 6, 0}},
    {{130, 90, 90, 110, 60, 40, 60, 1, 240, 70, 55, 25, 27, 2},
     {120, 190, 130, 95, 280, 8, 120, 3, 15, 20, 5, 8, 6, 0}},
    {{270, 360, 55, 155, 50, 18, 28, 1, 30, 9, 9, 6, 7, 2},
     {215, 500, 60, 100, 80, 4, 25, 2, 4, 4, 1, 2, 3, 0}}};

/* Of 1000 people of a workclass, how many have an occupation typical of it, and which. */
static const uint16_t typical_shares[WORKCLASSES] = {0, 450, 450, 450, 450, 500, 500, 0};
static const uint16_t typical_occupations[WORKCLASSES][OCCUPATIONS] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {90, 120, 8, 150, 10, 1, 120, 10, 270, 15, 60, 20, 126, 0},
    {430, 170, 20, 220, 20, 1, 40, 0, 60, 6, 15, 3, 15, 0},
    {170, 200, 80, 5, 300, 60, 25, 0, 70, 10, 15, 15, 5, 45},
    {150, 420, 60, 5, 170, 110, 50, 0, 15, 3, 8, 4, 5, 0},
    {90, 420, 20, 3, 120, 170, 90, 0, 30, 4, 40, 8, 5, 0},
    {20, 20, 5, 180, 200, 0, 120, 30, 20, 10, 5, 20, 370, 0},
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

/* --- Country of birth, by race. ----------------------------------------------------------- */

typedef struct country {
    const char *label;
    uint16_t shares[RACES];
} country;

static const country countries[COUNTRIES] = {
    {"United-States", {9550, 9050, 6400, 3600, 9900, 9000}},
    {"Mexico", {5, 2, 2000, 0, 30, 60}},
    {"India", {4, 3, 0, 1350, 0, 20}},
    {"China", {1, 0, 1, 1250, 0, 10}},
    {"Philippines", {3, 0, 2, 1150, 0, 90}},
    {"Vietnam", {1, 0, 0, 800, 0, 20}},
    {"El-Salvador", {1, 1, 330, 0, 5, 10}},
    {"Cuba", {25, 15, 270, 0, 0, 20}},
    {"Korea", {1, 0, 0, 620, 0, 25}},
    {"Dominican-Republic", {2, 40, 220, 0, 0, 35}},
    {"Guatemala", {1, 1, 220, 0, 10, 8}},
    {"Canada", {85, 10, 4, 15, 10, 25}},
    {"Jamaica", {2, 230, 3, 2, 0, 40}},
    {"Colombia", {6, 3, 160, 0, 0, 10}},
    {"Germany", {70, 12, 6, 3, 2, 45}},
    {"Haiti", {0, 200, 0, 0, 0, 10}},
    {"United-Kingdom", {60, 18, 1, 12, 1, 25}},
    {"Honduras", {1, 4, 125, 0, 2, 8}},
    {"Poland", {42, 0, 0, 0, 0, 3}},
    {"Russia", {36, 0, 0, 1, 0, 4}},
    {"Italy", {34, 0, 1, 0, 0, 3}},
    {"Iran", {28, 0, 0, 8, 0, 8}},
    {"Ukraine", {28, 0, 0, 0, 0, 2}},
    {"Ecuador", {1, 1, 95, 0, 0, 4}},
    {"Peru", {2, 0, 90, 2, 2, 6}},
    {"Japan", {2, 0, 1, 260, 0, 40}},
    {"Taiwan", {0, 0, 0, 250, 0, 3}},
    {"Brazil", {20, 6, 25, 1, 0, 25}},
    {"Nigeria", {0, 90, 0, 0, 0, 5}},
    {"Pakistan", {2, 1, 0, 190, 0, 5}},
    {"Ireland", {17, 1, 0, 0, 0, 2}},
    {"Portugal", {16, 1, 3, 0, 0, 5}},
    {"Ethiopia", {0, 75, 0, 0, 0, 3}},
    {"Ghana", {0, 60, 0, 0, 0, 3}},
    {"Thailand", {1, 0, 0, 120, 0, 10}},
    {"Laos", {0, 0, 0, 100, 0, 2}},
    {"Cambodia", {0, 0, 0, 95, 0, 2}},
    {"Greece", {13, 0, 0, 0, 0, 1}},
    {"France", {12, 5, 1, 2, 0, 6}},
    {"Nicaragua", {1, 1, 55, 0, 0, 3}},
    {"Trinidad", {0, 55, 2, 4, 0, 25}},
    {"Hungary", {7, 0, 0, 0, 0, 0}}};

/* --- Places. ------------------------------------------------------------------------------ */

/* How many times more likely people of a race live in an area where it is at home. */
static const uint8_t home_factors[RACES] = {2, 8, 7, 8, 9, 3};

/* --- Income. ------------------------------------------------------------------------------ */

/* Dollars a year in the middle of a full-time working life; then factors in thousandths. */
static const uint32_t education_incomes[EDUCATIONS] = {
    21000, 23000, 25000, 27000, 34000, 38000, 41000, 44000, 60000, 72000, 105000, 98000};
static const uint16_t occupation_factors[OCCUPATIONS] = {
    1350, 1180, 1120, 1000, 830, 1050, 620, 450, 980, 880, 900, 720, 680, 950};
static const uint16_t workclass_factors[WORKCLASSES] = {1000, 900, 1450, 1150,
                                                        950,  970, 250,  620};
static const uint16_t sex_factors[SEXES] = {1000, 850};
static const knot age_factors[] = {{17, 300},  {22, 560},  {30, 850}, {40, 1050},
                                   {50, 1120}, {60, 1080}, {70, 900}, {90, 750}};

/* Of 1000 people of an age, how many work part time; women more often by this many. */
static const knot part_time_shares[] = {{17, 750}, {20, 550}, {24, 280}, {30, 140},
                                        {55, 130}, {62, 220}, {70, 500}, {90, 600}};
enum { PART_TIME_WOMEN = 100, PART_TIME_FACTOR = 450 };
/* Of 1000 who work full time, how many work longer. */
enum { OVERTIME_SHARE = 150, OVERTIME_FACTOR = 1250 };

/* exp(z / 2) in thousandths at the normal quantiles z of 1/64, 2/64, ..., the ends those of
 * 1/2000 and 1999/2000. */
enum { SPREADS = 64 };
static const uint16_t spread_factors[SPREADS + 1] = {
    193,  341,  394,  433,  464,  492,  517,  541,  563,  583,  604,  623,  642,
    660,  678,  696,  714,  731,  749,  766,  783,  800,  818,  835,  853,  870,
    888,  906,  924,  943,  962,  981,  1000, 1020, 1040, 1061, 1082, 1104, 1126,
    1149, 1173, 1197, 1223, 1249, 1277, 1306, 1336, 1368, 1401, 1437, 1474, 1515,
    1558, 1605, 1657, 1714, 1777, 1850, 1933, 2032, 2153, 2312, 2538, 2936, 5182};

#endif /* SHOAL_I_GENERATE_CENSUS_SHARES_H */
