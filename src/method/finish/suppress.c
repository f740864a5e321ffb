#include "suppress.h"

#include "../../base/fail.h"
#include "../../release/row_order.h"

#include <string.h>

/* Classes larger than this are left as they are: trying every member of them again and again
 * would be quadratic, and one record hardly matters to them. */
#define CLASS_MOST 4096

/* A record that could be left out, and what that gains: in weighted columns, a suppressed
 * record loses the sum of the weights. */
typedef struct option {
    double gain;
    uint32_t record;
    uint32_t sequence; /* of a class, those listed later go later */
} option;

typedef struct suppression {
    const shoal_i_problem *problem;
    const shoal_i_quasi *quasi;
    shoal_i_tally tally;
    uint32_t *members; /* records, class after class */
    uint32_t *starts;  /* of the classes, one more than there are */
    /* boxes of the first members, one more than the largest class has */
    shoal_i_interval *ahead;
    shoal_i_interval *behind; /* boxes of the last ones */
    size_t option_count;
    option *options;
    bool *is_suppressed; /* per record */
} suppression;

/* An interval of no codes: joining it changes nothing. */
static const shoal_i_interval nothing = {.lo = UINT32_MAX, .hi = 0};

static shoal_i_interval join(shoal_i_interval a, shoal_i_interval b)
{
    return (shoal_i_interval){.lo = a.lo < b.lo ? a.lo : b.lo, .hi = a.hi > b.hi ? a.hi : b.hi};
}

/* Weighted loss of the box that is the union of two. */
static double union_loss(const suppression *s, const shoal_i_interval *a,
                         const shoal_i_interval *b)
{
    double loss = 0;

    for (size_t c = 0; c < s->quasi->count; c++) {
        const shoal_i_quasi_column *column = &s->quasi->columns[c];
        shoal_i_interval all = join(a[c], b[c]);

        loss += column->weight * shoal_i_quasi_loss(column, all.lo, all.hi);
    }
    return loss;
}

static void extend(const suppression *s, shoal_i_interval *out, const shoal_i_interval *from,
                   uint32_t record)
{
    for (size_t c = 0; c < s->quasi->count; c++) {
        uint32_t code = shoal_i_quasi_code(s->quasi, c, record);

        out[c] = join(from[c], (shoal_i_interval){.lo = code, .hi = code});
    }
}

/* The boxes of all first and of all last members of a class, so that the box without one of
 * them is the union of two. */
static void survey_class(suppression *s, const uint32_t *members, size_t size)
{
    size_t d = s->quasi->count;

    for (size_t c = 0; c < d; c++) {
        s->ahead[c] = nothing;
        s->behind[size * d + c] = nothing;
    }
    for (size_t i = 0; i < size; i++) {
        extend(s, s->ahead + (i + 1) * d, s->ahead + i * d, members[i]);
    }
    for (size_t i = size; i-- > 0;) {
        extend(s, s->behind + i * d, s->behind + (i + 1) * d, members[i]);
    }
}

static bool holds_without(suppression *s, uint32_t record)
{
    shoal_i_tally_remove(&s->tally, record);
    bool holds = shoal_i_requirement_holds(s->problem->requirements, &s->tally.stats);

    shoal_i_tally_add(&s->tally, record);
    return holds;
}

/* The member whose leaving gains most, if any gains at all. */
static bool find_option(suppression *s, const uint32_t *members, size_t size, option *best,
                        size_t *place)
{
    size_t d = s->quasi->count;

    survey_class(s, members, size);
    double whole = union_loss(s, s->ahead, s->behind) * (double)size;

    best->gain = 0;
    for (size_t i = 0; i < size && whole > s->quasi->weight_sum; i++) {
        double rest =
            union_loss(s, s->ahead + i * d, s->behind + (i + 1) * d) * (double)(size - 1);
        double gain = whole - rest - s->quasi->weight_sum;

        if (gain > best->gain && holds_without(s, members[i])) {
            *best = (option){.gain = gain, .record = members[i]};
            *place = i;
        }
    }
    return best->gain > 0;
}

/* List what a class can do without, best first: each on the condition that those before it
 * go. */
static void list_options(suppression *s, size_t class)
{
    uint32_t *members = s->members + s->starts[class];
    size_t size = s->starts[class + 1] - s->starts[class];
    option best = {0};
    size_t place = 0;

    shoal_i_tally_empty(&s->tally);
    shoal_i_tally_add_list(&s->tally, members, size);
    while (size > 1 && find_option(s, members, size, &best, &place)) {
        shoal_i_tally_remove(&s->tally, best.record);
        members[place] = members[--size];
        /* Those that go later must not come first when all are sorted. */
        if (s->option_count > 0 && size + 1 < s->starts[class + 1] - s->starts[class] &&
            best.gain > s->options[s->option_count - 1].gain) {
            best.gain = s->options[s->option_count - 1].gain;
        }
        best.sequence = (uint32_t)s->option_count;
        s->options[s->option_count++] = best;
    }
}

static int compare_options(const void *a, const void *b)
{
    const option *x = a;
    const option *y = b;

    if (x->gain != y->gain) {
        return x->gain > y->gain ? -1 : 1;
    }
    return x->sequence < y->sequence ? -1 : 1;
}

/* Choose the best options within the limit; false when together they do not meet the
 * requirement. */
static bool choose(suppression *s, size_t limit)
{
    size_t count = s->option_count < limit ? s->option_count : limit;

    qsort(s->options, s->option_count, sizeof *s->options, compare_options);
    shoal_i_tally_empty(&s->tally);
    for (size_t i = 0; i < count; i++) {
        s->is_suppressed[s->options[i].record] = true;
        shoal_i_tally_add(&s->tally, s->options[i].record);
    }
    return count > 0 && shoal_i_requirement_holds(s->problem->requirements, &s->tally.stats);
}

/* The release without the suppressed records in their classes, and with a class of them. */
static shoal_status rebuild(shoal_ctx *ctx, shoal_i_release **out, const suppression *s,
                            const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    size_t d = s->quasi->count;
    size_t last = release->box_count;
    shoal_i_interval *boxes = NULL;
    uint32_t *box_of = NULL;

    SHOAL_ALLOC(ctx, boxes, (release->box_count + 1) * d);
    SHOAL_ALLOC(ctx, box_of, release->row_count);
    for (size_t i = 0; i < last * d; i++) {
        boxes[i] = nothing;
    }
    for (size_t row = 0; row < release->row_count; row++) {
        size_t box = s->is_suppressed[row] ? last : release->box_of[row];

        box_of[row] = (uint32_t)box;
        if (box != last) {
            extend(s, boxes + box * d, boxes + box * d, (uint32_t)row);
        }
    }
    for (size_t i = 0; i < last * d; i++) {
        boxes[i] = shoal_i_quasi_close(&s->quasi->columns[i % d], boxes[i].lo, boxes[i].hi);
    }
    for (size_t c = 0; c < d; c++) {
        boxes[last * d + c] = shoal_i_quasi_all(&s->quasi->columns[c]);
    }
    SHOAL_TRY(shoal_i_release_from_numbered(ctx, out, s->quasi, boxes, last + 1, box_of,
                                            release->row_count));
done:
    free(boxes);
    free(box_of);
    return st;
}

static shoal_status collect_members(shoal_ctx *ctx, suppression *s,
                                    const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    size_t largest = 0;

    SHOAL_ALLOC(ctx, s->members, release->row_count);
    SHOAL_ALLOC(ctx, s->starts, release->box_count + 1);
    for (size_t b = 0; b < release->box_count; b++) {
        largest = release->box_sizes[b] > largest ? release->box_sizes[b] : largest;
    }
    shoal_i_row_order_group(s->members, s->starts, release);
    SHOAL_ALLOC(ctx, s->ahead, (largest + 1) * s->quasi->count);
    SHOAL_ALLOC(ctx, s->behind, (largest + 1) * s->quasi->count);
    SHOAL_ALLOC(ctx, s->options, release->row_count);
    SHOAL_ALLOC(ctx, s->is_suppressed, release->row_count);
done:
    return st;
}

static void suppression_clear(suppression *s)
{
    shoal_i_tally_clear(&s->tally);
    free(s->members);
    free(s->starts);
    free(s->ahead);
    free(s->behind);
    free(s->options);
    free(s->is_suppressed);
}

shoal_status shoal_i_suppress(shoal_ctx *ctx, shoal_i_release **release,
                              const shoal_i_problem *problem, size_t limit)
{
    shoal_status st = SHOAL_OK;
    suppression s = {.problem = problem, .quasi = problem->quasi};
    shoal_i_release *better = NULL;

    SHOAL_TRY(shoal_i_tally_init(ctx, &s.tally, problem->source));
    SHOAL_TRY(collect_members(ctx, &s, *release));
    for (size_t class = 0; class < (*release)->box_count; class ++) {
        if (s.starts[class + 1] - s.starts[class] <= CLASS_MOST) {
            list_options(&s, class);
        }
        if (class % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    if (choose(&s, limit)) {
        SHOAL_TRY(rebuild(ctx, &better, &s, *release));
        shoal_i_release_free(*release);
        *release = better;
    }
done:
    suppression_clear(&s);
    return st;
}
