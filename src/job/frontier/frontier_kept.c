/* Points that an interrupted run leaves for the next one: one line each, added as they are
 * done.
 *
 *     shoal frontier 1 6d0f...
 *     t js 0.2;mondrian;done;classes;12;40;0.25;...
 *
 * Fields are separated by tabs and hold figures and names of settings, nothing of the table. A
 * last line that was cut short by the interruption is not a point.
 */
#include "frontier.h"

#include "../../base/file.h"
#include "../../base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".part"
#define SIZE_MOST ((size_t)1 << 24)
#define FIELDS_BEFORE_FIGURES 6

struct shoal_i_kept {
    char *path;
    int file;
    pthread_mutex_t mutex;
};

/* --- Lines. ------------------------------------------------------------------------------- */

/* A request with named values is not told apart from another by its text. */
static bool can_be_kept(const shoal_i_point *point)
{
    return point->state == SHOAL_I_POINT_DONE && point->request->value_count == 0;
}

static void put_point(shoal_i_buffer *out, const shoal_i_point *point)
{
    char number[SHOAL_I_NUMBER_MAX];

    shoal_i_buffer_printf(out, "%s\t%s\t%d\t%" PRIu64 "\t%" PRIu64 "\t%.6f", point->requirement,
                          point->method->text, (int)point->shape, point->classes,
                          point->smallest_class, point->seconds);
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        number[0] = '\0';
        if (point->figures[i] == point->figures[i]) {
            shoal_i_text_from_double(number, point->figures[i]);
        }
        shoal_i_buffer_printf(out, "\t%s", number);
    }
    shoal_i_buffer_char(out, '\n');
}

static void put_head(shoal_i_buffer *out, const shoal_i_frontier *f)
{
    shoal_i_buffer_printf(out, "shoal frontier 1 %016" PRIx64 "\n", f->fingerprint);
}

/* Cut a line at its tabs; false unless it has as many fields as a point. */
static bool cut_fields(char *line, char *fields[FIELDS_BEFORE_FIGURES + SHOAL_I_BY_COUNT])
{
    size_t count = 0;

    while (line && count < FIELDS_BEFORE_FIGURES + SHOAL_I_BY_COUNT) {
        fields[count++] = line;
        line = strchr(line, '\t');
        if (line) {
            *line++ = '\0';
        }
    }
    return !line && count == FIELDS_BEFORE_FIGURES + SHOAL_I_BY_COUNT;
}

static bool read_number(double *out, const char *text)
{
    return shoal_i_text_to_double(out, text, strlen(text));
}

/* Fill a point from the fields behind its name; false when they are not numbers. */
static bool read_point(shoal_i_point *point, char *const *fields)
{
    double numbers[FIELDS_BEFORE_FIGURES];
    double figures[SHOAL_I_BY_COUNT];

    for (size_t i = 2; i < FIELDS_BEFORE_FIGURES; i++) {
        if (!read_number(&numbers[i], fields[i]) || !(numbers[i] >= 0 && numbers[i] <= 1e15)) {
            return false;
        }
    }
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        const char *text = fields[FIELDS_BEFORE_FIGURES + i];

        figures[i] = point->figures[i];
        if (text[0] && !read_number(&figures[i], text)) {
            return false;
        }
    }
    if (numbers[2] > SHOAL_I_SHAPE_BUCKETS) {
        return false;
    }
    point->state = SHOAL_I_POINT_DONE;
    point->is_kept = true;
    point->shape = (shoal_i_shape)numbers[2];
    point->classes = (uint64_t)numbers[3];
    point->smallest_class = (uint64_t)numbers[4];
    point->seconds = numbers[5];
    memcpy(point->figures, figures, sizeof figures);
    return true;
}

/* Whether all figures that this run wants were measured. */
static bool is_enough(const shoal_i_frontier *f, char *const *fields)
{
    bool is = true;

    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        bool is_wanted = shoal_i_frontier_wants(f, (shoal_i_axis_figure)i);

        is = is && (!is_wanted || fields[FIELDS_BEFORE_FIGURES + i][0]);
    }
    return is;
}

static void take_line(shoal_i_frontier *f, char *line)
{
    char *fields[FIELDS_BEFORE_FIGURES + SHOAL_I_BY_COUNT];

    if (!cut_fields(line, fields) || !is_enough(f, fields)) {
        return;
    }
    for (size_t i = 0; i < f->count; i++) {
        shoal_i_point *point = &f->points[i];

        if (strcmp(point->requirement, fields[0]) == 0 &&
            strcmp(point->method->text, fields[1]) == 0 && point->request->value_count == 0 &&
            !read_point(point, fields)) {
            return;
        }
    }
}

/* --- The file. ---------------------------------------------------------------------------- */

static shoal_status read_kept(shoal_ctx *ctx, shoal_i_frontier *f, const char *path)
{
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;
    shoal_i_buffer head;

    shoal_i_buffer_init(&head, ctx, SHOAL_I_BUFFER_MAX);
    put_head(&head, f);
    SHOAL_TRY(shoal_i_buffer_status(&head));
    SHOAL_TRY(shoal_i_input_read_all(ctx, &bytes, &size, path, SIZE_MOST));
    if (size < head.size || memcmp(bytes, head.data, head.size) != 0) {
        shoal_i_fail(ctx, SHOAL_EINVAL,
                     "The points that were kept are of another table or of other settings; run "
                     "without `resume` to begin anew.");
        st = shoal_i_fail_in(ctx, path, 0, 0);
        goto done;
    }
    char *line = bytes + head.size;
    char *end = strchr(line, '\n');

    for (; end; end = strchr(line, '\n')) {
        *end = '\0';
        take_line(f, line);
        line = end + 1;
    }
done:
    shoal_i_buffer_clear(&head);
    free(bytes);
    return st;
}

static shoal_status fail_write(shoal_ctx *ctx, const shoal_i_kept *kept)
{
    shoal_i_fail(ctx, SHOAL_EIO, "Points cannot be kept: %s.", strerror(errno));
    return shoal_i_fail_in(ctx, kept->path, 0, 0);
}

static shoal_status write_all(shoal_ctx *ctx, shoal_i_kept *kept, const char *bytes,
                              size_t size)
{
    while (size > 0) {
        ssize_t written = write(kept->file, bytes, size);

        if (written < 0 && errno != EINTR) {
            return fail_write(ctx, kept);
        }
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return SHOAL_OK;
}

/* Begin the file anew with what the points hold: that drops a line that was cut short. */
static shoal_status begin_file(shoal_ctx *ctx, shoal_i_kept *kept, const shoal_i_frontier *f)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    put_head(&text, f);
    for (size_t i = 0; i < f->count; i++) {
        if (can_be_kept(&f->points[i])) {
            put_point(&text, &f->points[i]);
        }
    }
    SHOAL_TRY(shoal_i_buffer_status(&text));
    (void)unlink(kept->path);
    kept->file = open(kept->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (kept->file < 0) {
        SHOAL_TRY(fail_write(ctx, kept));
    }
    SHOAL_TRY(write_all(ctx, kept, text.data, text.size));
done:
    shoal_i_buffer_clear(&text);
    return st;
}

shoal_status shoal_i_kept_open(shoal_ctx *ctx, shoal_i_kept **out, shoal_i_frontier *frontier,
                               const char *path, bool resume)
{
    shoal_status st = SHOAL_OK;
    shoal_i_kept *kept = NULL;
    size_t length = path ? strlen(path) : 0;

    *out = NULL;
    if (!path) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, kept, 1);
    kept->file = -1;
    pthread_mutex_init(&kept->mutex, NULL);
    SHOAL_ALLOC(ctx, kept->path, length + sizeof ENDING);
    memcpy(kept->path, path, length);
    memcpy(kept->path + length, ENDING, sizeof ENDING);
    if (resume && access(kept->path, F_OK) == 0) {
        SHOAL_TRY(read_kept(ctx, frontier, kept->path));
    }
    SHOAL_TRY(begin_file(ctx, kept, frontier));
    *out = kept;
    kept = NULL;
done:
    shoal_i_kept_close(kept, false);
    return st;
}

shoal_status shoal_i_kept_add(shoal_ctx *ctx, shoal_i_kept *kept, const shoal_i_point *point)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer line;

    if (!kept || !can_be_kept(point)) {
        return SHOAL_OK;
    }
    shoal_i_buffer_init(&line, ctx, SHOAL_I_BUFFER_MAX);
    put_point(&line, point);
    SHOAL_TRY(shoal_i_buffer_status(&line));
    pthread_mutex_lock(&kept->mutex);
    st = write_all(ctx, kept, line.data, line.size);
    pthread_mutex_unlock(&kept->mutex);
done:
    shoal_i_buffer_clear(&line);
    return st;
}

void shoal_i_kept_close(shoal_i_kept *kept, bool remove)
{
    if (!kept) {
        return;
    }
    if (kept->file >= 0) {
        close(kept->file);
    }
    if (remove) {
        (void)unlink(kept->path);
    }
    pthread_mutex_destroy(&kept->mutex);
    free(kept->path);
    free(kept);
}
