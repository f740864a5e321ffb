/* Non-homogeneous generalization: a box for each record instead of one for each class.
 *
 * W. K. Wong, N. Mamoulis, D. W. Cheung, "Non-homogeneous generalization in privacy preserving
 * data publishing", SIGMOD 2010; the comparator of CLUST.
 *
 * Records are partitioned into sets of at least k. Within a set they stand on a ring, in the
 * order of a Hilbert curve, and each is published with the box around itself and the k - 1 that
 * follow (ring.h). What is outside the quasi-identifier is dealt out anew among the rows, by a
 * random perfect matching of rows and records. So a record lies in k boxes, and each of these
 * rows is the one with its values with probability exactly 1/k.
 *
 *   partition=topdown, best, mondrian   the classes of that method
 *   partition=curve                     runs of size * k records along the curve
 *
 * Where this differs from the paper, or settles what it leaves open:
 *   - The paper's partitioning is a case of XU's top-down one. Sets of k to 2k - 1 records lose
 *     least: the longer the ring, the more boxes reach over the seam where its ends meet. So
 *     the classes of top-down are the default; those of best lose less.
 *   - The paper removes random matchings from the graph one by one; here it is halved
 *     (matching.h).
 *   - Randomness comes from the operating system: whoever knew the seed could undo it.
 *   - A record may ask for a k of its own: a ring is as wide as its most careful record asks.
 *   - A ring with more than AREA_MOST pairs of a row and a record becomes a class.
 */

#include "../hilbert/hilbert_order.h"
#include "../problem/method.h"
#include "ring.h"

#include "../../base/pool.h"
#include "../../base/relay.h"

#include <string.h>

enum { OPTION_PARTITION, OPTION_SIZE, OPTION_TEST_SEED };
enum { PARTITION_TOPDOWN, PARTITION_BEST, PARTITION_MONDRIAN, PARTITION_CURVE };

#define RINGS_PER_CHUNK 16

/* Sets of more records than this many times the width become several rings. */
#define RING_WIDTHS_MOST 8

/* Pairs of a row and a record in a ring: some 500 MB of memory. */
#define AREA_MOST ((size_t)1 << 24)

typedef struct rings {
    const shoal_i_problem *problem;
    double test_seed; /* below 0: none */
    uint32_t *places; /* records, ring after ring */
    size_t count;
    size_t *starts;   /* of the rings in places, one more than there are */
    uint32_t *widths; /* of the rings */
    shoal_i_interval *boxes;
    uint32_t *linked;
    shoal_i_meter meter;
} rings;

/* --- Partitions. */

/* How many candidates the records of a tally ask for. */
static uint32_t find_width(const rings *r, const shoal_i_tally *tally)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(r->problem->requirements);
    uint64_t largest = tally->stats.largest_k;

    return (uint32_t)(largest > smallest ? largest : smallest);
}

static void add_ring(rings *r, size_t end, uint32_t width)
{
    size_t size = end - r->starts[r->count];

    r->widths[r->count] = size > AREA_MOST / width ? (uint32_t)size : width;
    r->starts[++r->count] = end;
}

/* Make rings of the records behind the last ring up to `end`: one, or several of equal
 * length. */
static void add_set(rings *r, size_t end, uint32_t width)
{
    size_t first = r->starts[r->count];
    size_t size = end - first;
    size_t parts = size / width > RING_WIDTHS_MOST ? 2 * size / width / RING_WIDTHS_MOST : 1;

    for (size_t i = 1; i <= parts; i++) {
        add_ring(r, first + size * i / parts, width);
    }
}

/* Runs along the curve; what is left at the end joins the last one. */
static shoal_status cut_curve(shoal_ctx *ctx, rings *r, double size)
{
    shoal_status st = SHOAL_OK;
    size_t rows = r->problem->row_count;
    shoal_i_tally tally = {0};

    SHOAL_TRY(shoal_i_hilbert_order(ctx, r->places, r->problem->quasi));
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, r->problem->source));
    for (size_t i = 0; i < rows; i++) {
        shoal_i_tally_add(&tally, r->places[i]);
        if ((double)tally.stats.size >= size * find_width(r, &tally)) {
            add_ring(r, i + 1, find_width(r, &tally));
            shoal_i_tally_empty(&tally);
        }
    }
    if (tally.stats.size > 0) {
        uint32_t width = find_width(r, &tally);

        if (r->count > 0) {
            r->count--;
            width = r->widths[r->count] > width ? r->widths[r->count] : width;
        }
        add_ring(r, rows, width);
    }
done:
    shoal_i_tally_clear(&tally);
    return st;
}

/* Put the records of each class together, along the curve. Class b ends up before ends[b]. */
static shoal_status order_classes(shoal_ctx *ctx, rings *r, size_t *ends,
                                  const shoal_i_release *classes)
{
    shoal_status st = SHOAL_OK;
    size_t sum = 0;
    uint32_t *order = NULL;

    SHOAL_ALLOC(ctx, order, classes->row_count);
    SHOAL_TRY(shoal_i_hilbert_order(ctx, order, r->problem->quasi));
    for (size_t b = 0; b < classes->box_count; b++) {
        ends[b] = sum;
        sum += classes->box_sizes[b];
    }
    for (size_t i = 0; i < classes->row_count; i++) {
        r->places[ends[classes->box_of[order[i]]]++] = order[i];
    }
done:
    free(order);
    return st;
}

static shoal_status cut_classes(shoal_ctx *ctx, rings *r, const shoal_i_method *method)
{
    shoal_status st = SHOAL_OK;
    shoal_i_method_settings settings = {0};
    shoal_i_release *classes = NULL;
    size_t *ends = NULL;
    shoal_i_tally tally = {0};

    for (size_t i = 0; method->options[i].name; i++) {
        settings.values[i] = method->options[i].standard;
    }
    SHOAL_TRY(method->run(ctx, &classes, r->problem, &settings));
    SHOAL_ALLOC(ctx, ends, classes->box_count);
    SHOAL_TRY(order_classes(ctx, r, ends, classes));
    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, r->problem->source));
    for (size_t b = 0; b < classes->box_count; b++) {
        size_t size = classes->box_sizes[b];

        shoal_i_tally_empty(&tally);
        shoal_i_tally_add_list(&tally, r->places + ends[b] - size, size);
        add_set(r, ends[b], find_width(r, &tally));
    }
done:
    shoal_i_tally_clear(&tally);
    shoal_i_release_free(classes);
    free(ends);
    return st;
}

static const shoal_i_method *find_inner(const shoal_i_method_settings *settings)
{
    static const shoal_i_method *const inner[] = {
        [PARTITION_BEST] = &shoal_i_best,
        [PARTITION_TOPDOWN] = &shoal_i_topdown,
        [PARTITION_MONDRIAN] = &shoal_i_mondrian,
        [PARTITION_CURVE] = NULL,
    };

    return inner[(size_t)settings->values[OPTION_PARTITION]];
}

/* --- Rings. */

static shoal_i_ring find_ring(const rings *r, size_t i)
{
    return (shoal_i_ring){.records = r->places + r->starts[i],
                          .size = r->starts[i + 1] - r->starts[i],
                          .width = r->widths[i]};
}

static shoal_status link_ring(shoal_ctx *ctx, rings *r, size_t i, shoal_i_ring_scratch *scratch,
                              shoal_i_entropy *entropy)
{
    shoal_i_ring ring = find_ring(r, i);

    if (r->test_seed >= 0) {
        shoal_i_entropy_init_seeded(entropy, (uint64_t)r->test_seed, i);
    }
    return shoal_i_ring_link(ctx, r->linked, &ring, scratch, entropy);
}

static shoal_status start_scratch(shoal_ctx *ctx, shoal_i_ring_scratch *scratch, const rings *r,
                                  size_t first, size_t end)
{
    size_t size = 0;
    size_t area = 0;

    for (size_t i = first; i < end; i++) {
        shoal_i_ring ring = find_ring(r, i);

        size = ring.size > size ? ring.size : size;
        if (ring.width < ring.size && ring.size * ring.width > area) {
            area = ring.size * ring.width;
        }
    }
    return shoal_i_ring_scratch_init(ctx, scratch, r->problem->quasi, size, area);
}

static shoal_status make_rings(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_status st = SHOAL_OK;
    rings *r = payload;
    size_t first = chunk * RINGS_PER_CHUNK;
    size_t end = r->count - first < RINGS_PER_CHUNK ? r->count : first + RINGS_PER_CHUNK;
    shoal_i_ring_scratch scratch = {0};
    shoal_i_entropy entropy = {0};

    SHOAL_TRY(start_scratch(ctx, &scratch, r, first, end));
    SHOAL_TRY(shoal_i_entropy_init(ctx, &entropy));
    for (size_t i = first; i < end; i++) {
        shoal_i_ring ring = find_ring(r, i);

        shoal_i_ring_cover(r->boxes, r->problem->quasi, &ring, &scratch);
        SHOAL_TRY(link_ring(ctx, r, i, &scratch, &entropy));
        SHOAL_TRY(shoal_i_meter_add(ctx, &r->meter, ring.size));
    }
done:
    shoal_i_entropy_clear(&entropy);
    shoal_i_ring_scratch_clear(&scratch);
    return st;
}

/* --- The method. */

/* The first half of the work, as far as progress is concerned. */
static shoal_status cut(shoal_ctx *ctx, rings *r, const shoal_i_method_settings *settings)
{
    const shoal_i_method *inner = find_inner(settings);
    shoal_i_relay relay;

    shoal_i_relay_begin(&relay, ctx, r->meter.stage);
    relay.share = 0.5;
    return shoal_i_ctx_join(ctx, &relay.own,
                            inner ? cut_classes(&relay.own, r, inner)
                                  : cut_curve(&relay.own, r, settings->values[OPTION_SIZE]));
}

static shoal_status run_nonhomogeneous(shoal_ctx *ctx, shoal_i_release **out,
                                       const shoal_i_problem *problem,
                                       const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    size_t rows = problem->row_count;
    size_t cells = 0;
    rings r = {
        .problem = problem,
        .test_seed = settings->values[OPTION_TEST_SEED],
        .meter = {.stage = "anonymize", .total = 2 * rows, .done = rows, .shown = rows},
    };

    *out = NULL;
    if (r.test_seed >= 0) {
        SHOAL_TRY(shoal_i_method_warn_seeded(ctx, &shoal_i_nonhomogeneous));
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, rows, problem->quasi->count));
    SHOAL_ALLOC(ctx, r.places, rows);
    SHOAL_ALLOC(ctx, r.starts, rows + 1);
    SHOAL_ALLOC(ctx, r.widths, rows);
    SHOAL_TRY(cut(ctx, &r, settings));
    SHOAL_ALLOC(ctx, r.boxes, cells);
    SHOAL_ALLOC(ctx, r.linked, rows);
    SHOAL_TRY(shoal_i_parallel_for(
        ctx, r.count / RINGS_PER_CHUNK + (r.count % RINGS_PER_CHUNK != 0), make_rings, &r));
    SHOAL_TRY(shoal_i_release_from_boxes(ctx, out, problem->quasi, r.boxes, rows));
    (*out)->shape = SHOAL_I_SHAPE_RECORDS;
    (*out)->linked = r.linked;
    (*out)->is_test_seeded = r.test_seed >= 0;
    r.linked = NULL;
done:
    free(r.places);
    free(r.starts);
    free(r.widths);
    free(r.boxes);
    free(r.linked);
    return st;
}

static const char *refuse(const shoal_i_requirement_kind *kind, bool in_persons)
{
    if (in_persons) {
        return "it hides a record among the records near it, and several of those may be one "
               "person's";
    }
    if (kind == &shoal_i_k_anonymity || kind == &shoal_i_personal_k) {
        return NULL;
    }
    return kind->needs_population
               ? "it makes no classes into which people of a population could fall"
               : "it makes no classes, and which values the candidates of a record carry is "
                 "drawn only at the end";
}

static const char *const partitions[] = {[PARTITION_TOPDOWN] = "topdown",
                                         [PARTITION_BEST] = "best",
                                         [PARTITION_MONDRIAN] = "mondrian",
                                         [PARTITION_CURVE] = "curve",
                                         NULL};

static const shoal_i_method_option options[] = {
    [OPTION_PARTITION] = {.name = "partition",
                          .help = "sets that become rings: the classes of topdown, best or "
                                  "mondrian; curve: runs along a Hilbert curve",
                          .words = partitions},
    [OPTION_SIZE] = {.name = "size",
                     .help = "records of a run along the curve, in multiples of k",
                     .standard = 2,
                     .least = 1,
                     .most = RING_WIDTHS_MOST},
    [OPTION_TEST_SEED] = SHOAL_I_TEST_SEED_OPTION,
    {.name = NULL},
};

const shoal_i_method shoal_i_nonhomogeneous = {
    .name = "nonhomogeneous",
    .summary = "a box per record, around it and its followers on a ring; values dealt out anew",
    .citation = "Wong, Mamoulis and Cheung, SIGMOD 2010",
    .cost = "that of the partition, and O(n k)",
    .shape = SHOAL_I_SHAPE_RECORDS,
    .options = options,
    .refuse = refuse,
    .find_inner = find_inner,
    .run = run_nonhomogeneous,
};
