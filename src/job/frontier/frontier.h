/* frontier.h -- many releases of one table, none of them published: what each would reveal and
 * what it would lose, and which are not beaten on both counts.
 *
 * A point is one requirement met by one method. Points are independent and run in parallel over
 * one table that was read and coded once. One that fails (a requirement that cannot be met, a
 * method that cannot honour it) is kept with the reason, and the sweep goes on.
 *
 *     frontier_points.c   which points there are
 *     frontier_try.c      one of them: run, check, measure
 *     frontier_query.c    how far answers to queries would be off
 *     frontier_choose.c   which are dominated, which one to recommend
 *     frontier_kept.c     points of an interrupted run
 *     frontier_text.c     as text, CSV and JSON
 *     frontier_plot.c     as a picture
 *     frontier_page.c     as a page, with what makes the recommended release
 */
#ifndef SHOAL_I_FRONTIER_H
#define SHOAL_I_FRONTIER_H

#include "../../base/buffer.h"
#include "../../measure/query/workload.h"
#include "../input/population_run.h"
#include "../input/prepare.h"
#include "../input/run.h"

typedef enum shoal_i_point_state {
    SHOAL_I_POINT_OPEN, /* not run: the time was over */
    SHOAL_I_POINT_DONE,
    SHOAL_I_POINT_IMPOSSIBLE, /* the requirement cannot be met */
    SHOAL_I_POINT_REFUSED     /* the method cannot honour it, or failed */
} shoal_i_point_state;

/* Their names, as files have them. */
extern const char *const shoal_i_point_words[];

#define SHOAL_I_REQUIREMENT_TEXT_MAX 160
#define SHOAL_I_REASON_MAX 320

typedef struct shoal_i_point {
    const shoal_i_requirement_request *request;
    const shoal_i_sweep_method *method;
    char requirement[SHOAL_I_REQUIREMENT_TEXT_MAX]; /* "t js 0.2" */
    const char *asks; /* all that it asks for, in the frontier's arena: "t js 0.2 and k 5" */
    shoal_i_point_state state;
    char reason[SHOAL_I_REASON_MAX]; /* unless it is done */
    shoal_i_shape shape;
    uint64_t classes;
    uint64_t smallest_class;
    double figures[SHOAL_I_BY_COUNT]; /* NaN: not measured */
    double seconds;
    bool is_kept; /* it was read from an earlier run */
    bool is_dominated;
    const char *spec; /* YAML that makes it, in the frontier's arena; "": no file can say it */
} shoal_i_point;

typedef struct shoal_i_frontier {
    const shoal_spec *spec;
    const shoal_i_prepared *prepared;
    const shoal_i_population *population; /* the spec's; without people where it has none */
    shoal_i_sweep sweep;                  /* with the defaults filled in */
    shoal_i_arena arena;
    size_t count;
    shoal_i_point *points;
    ptrdiff_t recommended; /* -1: none is */
    bool has_limits;
    /* For query errors, where they are asked for: the sensitive columns and the true
     * answers. */
    size_t other_count;
    shoal_i_sensitive *others;
    shoal_i_truth *truth;
    uint64_t fingerprint; /* of the table and the settings: kept points must be of the same */
    double deadline;      /* of the clock; 0: none */
} shoal_i_frontier;

void shoal_i_frontier_clear(shoal_i_frontier *frontier);

/* List the points of spec and prepared, which are set. SHOAL_EINVAL: a figure that is about
 * sensitive values, and there are none; nothing to sweep. */
shoal_status shoal_i_frontier_list(shoal_ctx *ctx, shoal_i_frontier *frontier);

/* The spec of a point: what is swept takes the place of what the spec asks for by that key. The
 * copy borrows everything. SHOAL_ELIMIT: too many requirements. */
shoal_status shoal_i_frontier_derive(shoal_ctx *ctx, shoal_spec *out,
                                     const shoal_i_frontier *frontier,
                                     const shoal_i_point *point);

/* Write the spec of every point, with the seed of the run and without the sweep. */
shoal_status shoal_i_frontier_write_specs(shoal_ctx *ctx, shoal_i_frontier *frontier);

/* Whether the spec of a point names values of cells: then it is not for everybody's eyes. */
bool shoal_i_frontier_names_values(const shoal_i_frontier *frontier,
                                   const shoal_i_point *point);

/* Run a point. Only what must end the whole run is returned; other failures are the point's. */
shoal_status shoal_i_frontier_try(shoal_ctx *ctx, const shoal_i_frontier *frontier,
                                  shoal_i_point *point);

/* Whether a figure is an axis or has a limit. */
bool shoal_i_frontier_wants(const shoal_i_frontier *frontier, shoal_i_axis_figure figure);

/* Make ready what query errors are measured by: random COUNT queries on the quasi columns and,
 * where there are any, the sensitive ones. Nothing when they are not asked for. */
shoal_status shoal_i_frontier_ready_queries(shoal_ctx *ctx, shoal_i_frontier *frontier);
void shoal_i_frontier_clear_queries(shoal_i_frontier *frontier);

/* The mean error of the queries on what is published; NaN when the truth of all is 0. */
shoal_status shoal_i_frontier_query_error(shoal_ctx *ctx, double *out,
                                          const shoal_i_frontier *frontier,
                                          const shoal_i_published *published);

/* Mark dominated points; choose the one to recommend. */
void shoal_i_frontier_choose(shoal_i_frontier *frontier);

/* --- Points that survive an interruption. ----------------------------------------------- */

/* One line per point that is done, behind a line with the fingerprint, in PATH.part, which only
 * the owner may read. */
typedef struct shoal_i_kept shoal_i_kept;

/* Open it for the table at path. resume: mark what it holds of the frontier's points as done;
 * without, an existing one is replaced. path NULL: nothing is kept. SHOAL_EINVAL: it is of
 * another table or other settings. */
shoal_status shoal_i_kept_open(shoal_ctx *ctx, shoal_i_kept **out, shoal_i_frontier *frontier,
                               const char *path, bool resume);

/* Add a point; from any thread. */
shoal_status shoal_i_kept_add(shoal_ctx *ctx, shoal_i_kept *kept, const shoal_i_point *point);

/* Close it; with remove, its file goes. NULL is allowed. */
void shoal_i_kept_close(shoal_i_kept *kept, bool remove);

/* --- As text. ---------------------------------------------------------------------------- */

void shoal_i_frontier_put_text(shoal_i_buffer *out, const shoal_i_frontier *frontier);
void shoal_i_frontier_put_csv(shoal_i_buffer *out, const shoal_i_frontier *frontier);
void shoal_i_frontier_put_json(shoal_i_buffer *out, const shoal_i_frontier *frontier,
                               const shoal_i_stages *stages, const char *input);

/* A figure in words, with its unit: "Information lost (GCP), in %". Whether it is a share, and
 * shown in per cent. */
const char *shoal_i_frontier_axis_title(shoal_i_axis_figure figure);
bool shoal_i_frontier_is_share(shoal_i_axis_figure figure);

/* A picture of the two axes, to stand by itself or within a page. */
void shoal_i_frontier_put_svg(shoal_i_buffer *out, const shoal_i_frontier *frontier);

/* A page with the picture, what is recommended, and how to make it of the table at input; NULL:
 * it is in memory. */
void shoal_i_frontier_put_html(shoal_i_buffer *out, const shoal_i_frontier *frontier,
                               const char *input);

#endif /* SHOAL_I_FRONTIER_H */
