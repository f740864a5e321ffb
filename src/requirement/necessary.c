#include "necessary.h"

#include "kind.h"

/* Checks round, and some forgive a little; what is asked for here is less by this part. */
#define SLACK 1e-6

/* Levels are raised so often at most until the parts of values sum up to a number. */
#define RAISES 24

/* Sizes of classes that are tried at most for one value. */
#define SIZES_MOST 1000000

uint64_t shoal_i_necessary_total(const shoal_i_requirement_set *set)
{
    uint64_t most = 1;

    if (!set->counts_persons) {
        return shoal_i_requirement_smallest_class(set);
    }
    /* Values of a class sum up to its persons at least, not to its records. */
    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement_kind *kind = set->items[i].kind;

        if (kind == &shoal_i_k_anonymity || kind == &shoal_i_alpha_general ||
            kind == &shoal_i_l_frequency) {
            uint64_t smallest = kind->smallest_class(&set->items[i]);

            most = smallest > most ? smallest : most;
        }
    }
    return most;
}

/* --- Shares with an upper limit. ---------------------------------------------------------- */

/* The records that are of use when no value may have more than `most`. */
static double sum_capped(const shoal_i_histogram *histogram, double most)
{
    double sum = 0;

    for (size_t i = 0; i < histogram->present_count; i++) {
        sum += fmin(histogram->counts[histogram->present[i]], most);
    }
    return sum;
}

/* Whether n >= total records can be had of which each value has at most a part alpha. With j
 * the largest count of a value, n is at least j / alpha, and what is of use for j less that is
 * concave in j and 0 for j = 0: if some j beyond that of n = total does, the next one does. */
static bool has_small_shares(const shoal_i_histogram *histogram, double alpha, uint64_t total)
{
    double most = floor(alpha * (1 + SLACK) * (double)total + SLACK);
    double next = most + 1;

    return sum_capped(histogram, most) >= (double)total ||
           sum_capped(histogram, next) >= next / alpha * (1 - SLACK);
}

/* Whether some of the records have an entropy of ln l. Parts that have at most a level of each
 * value are more even the lower the level is, and it is no lower than where they sum up to
 * total. */
static bool has_entropy(const shoal_i_histogram *histogram, double l, uint64_t total)
{
    double level = (double)total / (double)histogram->present_count;
    double sum = 0;
    double entropy = 0;

    for (int raise = 0; raise < RAISES; raise++) {
        double below = 0;
        size_t above = 0;

        for (size_t i = 0; i < histogram->present_count; i++) {
            double count = histogram->counts[histogram->present[i]];

            below += count < level ? count : 0;
            above += count >= level;
        }
        if (above == 0) {
            return false; /* they are fewer than total */
        }
        level = fmax(level, ((double)total - below) / (double)above);
    }
    sum = sum_capped(histogram, level);
    for (size_t i = 0; i < histogram->present_count; i++) {
        double share = fmin(histogram->counts[histogram->present[i]], level) / sum;

        entropy -= share * log(share);
    }
    return exp(entropy) >= l * (1 - SLACK);
}

/* The largest rest has a class that takes one record of each value. */
static bool has_rest(const shoal_i_histogram *histogram, double l, double c)
{
    double rest = (double)histogram->present_count - (l - 1);

    return rest >= 1 && rest * c * (1 + SLACK) > 1;
}

/* --- Shares near those of the table. ------------------------------------------------------ */

static double table_share(const shoal_i_sensitive *column, uint32_t code)
{
    return (double)column->totals[code] / (double)column->total;
}

/* The share of the values that fall short of that in the table, there and here at most. */
typedef struct shortfall {
    double table;
    double here;
} shortfall;

static shortfall find_shortfall(const shoal_i_sensitive *column,
                                const shoal_i_histogram *histogram, uint64_t total)
{
    shortfall s = {.table = 1};

    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        double share = table_share(column, code);
        double most = (double)histogram->counts[code] / (double)total;

        s.table -= most >= share ? share : 0;
        s.here += most >= share ? 0 : most;
    }
    s.table = fmax(s.table, s.here);
    return s;
}

/* Twice what one value, or some together, add to the Jensen-Shannon divergence. */
static double compare(double q, double p)
{
    double middle = (q + p) / 2;

    return (q > 0 ? q * log(q / middle) : 0) + (p > 0 ? p * log(p / middle) : 0);
}

/* By the values that fall short and the others; no finer way to tell values apart is nearer. */
static double compare_two(double q, double p)
{
    return (compare(q, p) + compare(1 - q, 1 - p)) / 2;
}

/* What moving a unit costs at least. */
static double find_step(const shoal_i_requirement *requirement)
{
    double steps = 1;

    if (requirement->kind == &shoal_i_t_ordered) {
        steps = (double)requirement->column->value_count - 1;
    } else if (requirement->kind == &shoal_i_t_hierarchical) {
        steps = shoal_hierarchy_height(requirement->column->hierarchy);
    }
    return steps >= 1 ? 1 / steps : 0;
}

static bool is_near(const shoal_i_requirement *requirement, const shoal_i_histogram *histogram,
                    uint64_t total)
{
    shortfall s = find_shortfall(requirement->column, histogram, total);
    double distance = requirement->kind == &shoal_i_t_js
                          ? compare_two(fmin(s.table, 1), fmin(s.here, 1))
                          : (s.table - s.here) * find_step(requirement);

    return distance <= requirement->value + SLACK;
}

/* The largest share that a value may have. */
static double find_limit(const shoal_i_requirement *requirement, uint32_t code)
{
    const double *weights = requirement->prepared;
    double beta = requirement->value;

    if (requirement->kind == &shoal_i_beta_enhanced) {
        beta /= weights[code];
    }
    return (1 + beta) * table_share(requirement->column, code);
}

/* Whether shares within their limits can sum up to 1. A value whose limit is less than one
 * record of all is left out. */
static bool has_likeness(const shoal_i_requirement *requirement,
                         const shoal_i_histogram *histogram, uint64_t total)
{
    double sum = 0;

    for (size_t i = 0; i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        double limit = find_limit(requirement, code);

        if (limit * (double)histogram->total >= 1 - SLACK) {
            sum += fmin(limit, (double)histogram->counts[code] / (double)total);
        }
    }
    return sum >= 1 - SLACK;
}

static bool has_all_values(const shoal_i_requirement *requirement,
                           const shoal_i_histogram *histogram, uint64_t total)
{
    const shoal_i_sensitive *column = requirement->column;
    bool has = histogram->present_count == column->value_count;

    for (size_t i = 0; has && i < histogram->present_count; i++) {
        uint32_t code = histogram->present[i];
        double least = table_share(column, code) * exp(-requirement->value) * (double)total;

        has = histogram->counts[code] >= least * (1 - SLACK);
    }
    return has;
}

/* --- All of them. ------------------------------------------------------------------------- */

static bool may_hold(const shoal_i_requirement *requirement, const shoal_i_class_stats *stats,
                     uint64_t total)
{
    const shoal_i_requirement_kind *kind = requirement->kind;

    if (kind == &shoal_i_k_anonymity) {
        return (double)stats->persons >= requirement->value;
    }
    if (!kind->needs_sensitive) {
        return true;
    }
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);

    if (histogram->present_count == 0) {
        return false;
    }
    if (kind == &shoal_i_alpha_general) {
        return has_small_shares(histogram, requirement->value, total);
    }
    if (kind == &shoal_i_l_frequency) {
        return has_small_shares(histogram, 1 / requirement->value, total);
    }
    if (kind == &shoal_i_l_distinct) {
        return (double)histogram->present_count >= requirement->value;
    }
    if (kind == &shoal_i_l_entropy) {
        return has_entropy(histogram, requirement->value, total);
    }
    if (kind == &shoal_i_l_recursive) {
        return has_rest(histogram, requirement->value, requirement->c);
    }
    if (kind == &shoal_i_delta_disclosure) {
        return has_all_values(requirement, histogram, total);
    }
    if (kind == &shoal_i_beta_basic || kind == &shoal_i_beta_enhanced) {
        return has_likeness(requirement, histogram, total);
    }
    if (kind == &shoal_i_t_equal || kind == &shoal_i_t_js || kind == &shoal_i_t_ordered ||
        kind == &shoal_i_t_hierarchical) {
        return is_near(requirement, histogram, total);
    }
    return true; /* a class without the named values always holds */
}

bool shoal_i_necessary_within(const shoal_i_requirement_set *set,
                              const shoal_i_class_stats *stats, uint64_t total)
{
    bool may = true;

    for (size_t i = 0; may && i < set->count; i++) {
        may = may_hold(&set->items[i], stats, total);
    }
    return may;
}

/* 1 over a share, as a number of records. */
static uint64_t divide_one(double share)
{
    double size = share > 0 ? ceil(1 / share * (1 - SLACK)) : 1;

    return size < SIZES_MOST ? (uint64_t)fmax(1, size) : SIZES_MOST;
}

/* The named values of alpha: the limit of a code; 1: none. */
static double find_named_limit(const shoal_i_requirement *requirement, uint32_t code)
{
    double limit = 1;

    for (size_t i = 0; i < requirement->code_count; i++) {
        if (requirement->codes[i] == code) {
            limit = requirement->kind == &shoal_i_alpha_limits ? requirement->limits[i]
                                                               : requirement->value;
        }
    }
    return limit;
}

/* One record is a share of 1/n, and if that is above the table's it is so far away from it. */
static uint64_t find_js_size(const shoal_i_requirement *requirement, uint32_t code)
{
    double share = table_share(requirement->column, code);
    uint64_t size = 1;

    while (size < SIZES_MOST && (double)size * share < 1 &&
           compare_two(share, 1 / (double)size) > requirement->value + SLACK) {
        size++;
    }
    return size;
}

uint64_t shoal_i_necessary_size(const shoal_i_requirement *requirement, uint32_t code)
{
    const shoal_i_requirement_kind *kind = requirement->kind;

    if (kind == &shoal_i_alpha_values || kind == &shoal_i_alpha_limits) {
        return divide_one(find_named_limit(requirement, code));
    }
    if (kind == &shoal_i_beta_basic || kind == &shoal_i_beta_enhanced) {
        return divide_one(find_limit(requirement, code));
    }
    if (kind == &shoal_i_t_equal) {
        return divide_one(requirement->value + table_share(requirement->column, code));
    }
    if (kind == &shoal_i_t_js) {
        return find_js_size(requirement, code);
    }
    return 1;
}

uint64_t shoal_i_necessary_people(const shoal_i_requirement_set *set, uint64_t persons)
{
    double most = 1;

    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *asked = &set->items[i];

        if (asked->kind == &shoal_i_k_map) {
            most = fmax(most, asked->value);
        } else if (asked->kind->needs_population) { /* presence: persons / people <= value */
            most = fmax(most, ceil((double)persons / asked->value * (1 - SLACK)));
        }
    }
    return most < (double)UINT32_MAX ? (uint64_t)most : UINT32_MAX;
}
