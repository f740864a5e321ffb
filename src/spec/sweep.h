/* sweep.h -- what a frontier tries, and by which figures it judges: the part `frontier` of a
 * spec.
 *
 *     frontier:
 *       sweep:                          every one of these requirements in turn ...
 *         k: [10, 50, 100]
 *         t: [0.1, 0.2, "equal:0.3"]    each item in the form of one line
 *                                       (requirement_request.h)
 *       methods: [mondrian, "best:effort=fast", bucketize]       ... by every one of these
 *       axes: [privacy_loss, utility_loss]
 *       max: {privacy_loss: 0.2}
 *       time: 60s
 *
 * What the spec asks for under `privacy` is asked for at every point, but for the requirement
 * that is swept.
 */
#ifndef SHOAL_I_SWEEP_H
#define SHOAL_I_SWEEP_H

#include "../method/problem/method.h"
#include "requirement_request.h"

/* What a release is judged by; of every figure less is better. */
typedef enum shoal_i_axis_figure {
    SHOAL_I_BY_PRIVACY_LOSS,
    SHOAL_I_BY_UTILITY_LOSS,
    SHOAL_I_BY_GCP,
    SHOAL_I_BY_DISCERNIBILITY,
    SHOAL_I_BY_CLASS_SIZE,
    SHOAL_I_BY_DISTORTION,
    SHOAL_I_BY_RISK,
    SHOAL_I_BY_QUERY_ERROR,
    SHOAL_I_BY_LINKAGE, /* what attacks reach on average, as the next two */
    SHOAL_I_BY_MATCHING,
    SHOAL_I_BY_DEFINETTI,
    SHOAL_I_BY_COUNT
} shoal_i_axis_figure;

/* Their names, NULL-terminated. */
extern const char *const shoal_i_axis_words[];

/* Whether a figure tells what is revealed (the others tell what is lost). */
bool shoal_i_axis_is_privacy(shoal_i_axis_figure figure);

typedef struct shoal_i_sweep_method {
    const char *text; /* NAME[:key=value,...] */
    const shoal_i_method *method;
    shoal_i_method_settings settings;
} shoal_i_sweep_method;

#define SHOAL_I_SWEEP_REQUESTS_MAX 1024
#define SHOAL_I_SWEEP_METHODS_MAX 64

/* Texts and requests live in the spec's arena. */
typedef struct shoal_i_sweep {
    size_t request_count; /* 0: the default grid */
    size_t request_capacity;
    shoal_i_requirement_request *requests; /* of k too, by its kind */
    size_t method_count;                   /* 0: the default methods */
    shoal_i_sweep_method methods[SHOAL_I_SWEEP_METHODS_MAX];
    bool has_axes;
    shoal_i_axis_figure axes[2];
    bool has_limit[SHOAL_I_BY_COUNT];
    double limits[SHOAL_I_BY_COUNT];
    double seconds; /* no point is begun later than that; 0: no limit */
} shoal_i_sweep;

/* Add a requirement to try: the text of one item of a key. SHOAL_EINVAL as for a request;
 * SHOAL_ELIMIT: too many. */
shoal_status shoal_i_sweep_add_request(shoal_ctx *ctx, shoal_i_sweep *sweep,
                                       shoal_i_arena *arena, const char *key, const char *text);

/* "KEY=ITEM,ITEM,..." */
shoal_status shoal_i_sweep_add_line(shoal_ctx *ctx, shoal_i_sweep *sweep, shoal_i_arena *arena,
                                    const char *line);

shoal_status shoal_i_sweep_add_method(shoal_ctx *ctx, shoal_i_sweep *sweep,
                                      shoal_i_arena *arena, const char *text);

#endif /* SHOAL_I_SWEEP_H */
