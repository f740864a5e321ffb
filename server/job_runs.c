/* What the jobs do: calls of the library, one after the other. */
#include "jobs.h"
#include "rows.h"
#include "specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLE_RECORDS 1000
#define POINT_FIELDS 17 /* of a line that a frontier keeps of a point, docs/frontier.md */

static shoal_status without_memory(void)
{
    return SHOAL_ENOMEM;
}

/* --- Opening. ----------------------------------------------------------------------------- */

static shoal_status make_example(shoal_ctx *ctx, const server_job *job)
{
    shoal_generate_options options = SHOAL_GENERATE_OPTIONS_INIT;

    if (strcmp(job->source.origin, "example") != 0) {
        return SHOAL_OK;
    }
    options.kind = SHOAL_GENERATE_CENSUS;
    options.records = EXAMPLE_RECORDS;
    return shoal_generate(ctx, job->source.path, &options);
}

static shoal_status read_counted(shoal_ctx *ctx, server_table *out, const server_job *job,
                                 const json_t *tree)
{
    shoal_table *table = NULL;
    shoal_status st = server_table_read(ctx, &table, tree, job->source.path, false);

    return st == SHOAL_OK ? server_table_count(out, table, tree) : st;
}

/* Put what is open in place of what was. */
static shoal_status publish_table(shoal_ctx *ctx, server_job *job, server_table *table)
{
    server *s = job->server;
    server_source source = job->source;
    server_spec spec = {0};
    shoal_status st = server_spec_copy(ctx, &spec, &job->spec);

    source.name = strdup(job->source.name);
    source.path = strdup(job->source.path);
    if (st != SHOAL_OK || !source.name || !source.path) {
        free(source.name);
        free(source.path);
        server_spec_clear(&spec);
        server_table_clear(table);
        return without_memory();
    }
    pthread_mutex_lock(&s->mutex);
    free(s->source.name);
    free(s->source.path);
    server_table_clear(&s->table);
    server_spec_clear(&s->spec);
    s->source = source;
    s->table = *table;
    s->spec = spec;
    s->inspect = 0;
    s->revision++;
    job->has_table = true;
    job->changes++;
    pthread_mutex_unlock(&s->mutex);
    return SHOAL_OK;
}

/* The spec that inspect proposes, with its reasons. */
static shoal_status propose(shoal_ctx *ctx, server_job *job, server_spec *out)
{
    shoal_status st = shoal_inspect(ctx, &job->report, job->spec.spec, job->source.path);

    *out = (server_spec){0};
    if (st != SHOAL_OK) {
        return st;
    }
    char *yaml = server_without_work(shoal_report_spec(job->report), job->server->work);

    st = yaml ? server_spec_build(ctx, out, yaml, true) : without_memory();
    free(yaml);
    return st;
}

/* Take the proposal over, unless a page has changed the spec, or the file, meanwhile. */
static bool publish_spec(server_job *job, server_spec *spec)
{
    server *s = job->server;

    pthread_mutex_lock(&s->mutex);
    bool is_wanted =
        s->source.number == job->source.number && strcmp(s->spec.hash, job->spec.hash) == 0;

    if (is_wanted) {
        server_spec_clear(&s->spec);
        s->spec = *spec;
        s->inspect = job->number;
        s->revision++;
        memcpy(job->spec.hash, spec->hash, sizeof spec->hash);
        *spec = (server_spec){0};
    }
    bool is_stale = is_wanted && server_spec_is_stale(s);

    pthread_mutex_unlock(&s->mutex);
    server_spec_clear(spec);
    return is_stale;
}

/* Read the file again, now as the proposal says. */
static shoal_status read_again(shoal_ctx *ctx, server_job *job)
{
    server *s = job->server;
    server_table table = {0};
    server_table before = {0};

    pthread_mutex_lock(&s->mutex);
    json_t *tree = json_incref(s->spec.tree);

    pthread_mutex_unlock(&s->mutex);
    shoal_status st = read_counted(ctx, &table, job, tree);

    json_decref(tree);
    if (st != SHOAL_OK) {
        return st;
    }
    pthread_mutex_lock(&s->mutex);
    if (s->source.number == job->source.number) {
        before = s->table;
        s->table = table;
        s->revision++;
        job->changes++;
    } else {
        before = table;
    }
    pthread_mutex_unlock(&s->mutex);
    server_table_clear(&before);
    return SHOAL_OK;
}

static shoal_status run_open(shoal_ctx *ctx, server_job *job)
{
    server_table table = {0};
    server_spec spec = {0};
    shoal_status st = make_example(ctx, job);

    if (st == SHOAL_OK) {
        st = read_counted(ctx, &table, job, job->spec.tree);
    }
    if (st == SHOAL_OK) {
        st = publish_table(ctx, job, &table);
    }
    if (st == SHOAL_OK) {
        st = propose(ctx, job, &spec);
    }
    return st == SHOAL_OK && publish_spec(job, &spec) ? read_again(ctx, job) : st;
}

/* --- Runs of the library. ----------------------------------------------------------------- */

/* The name of the method that a spec asks for. */
static void find_method(char *out, size_t size, const json_t *tree)
{
    const json_t *method = json_object_get(tree, "method");
    const char *text = json_string_value(method);

    text = text ? text : json_string_value(json_object_get(method, "name"));
    text = text ? text : "best";
    snprintf(out, size, "%.*s", (int)strcspn(text, ":"), text);
}

/* Whether the releases of a method have a box per record, which a file does not tell. */
static bool makes_boxes(const json_t *tree)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;
    char name[64];

    find_method(name, sizeof name, tree);
    for (size_t i = 0; shoal_method_describe(&facts, i); i++) {
        if (strcmp(facts.name, name) == 0) {
            return strcmp(facts.shape, "records") == 0;
        }
    }
    return false;
}

/* The spec of a run: all files go to the folder of the job, and the report is the long one. */
static shoal_status make_spec(shoal_ctx *ctx, shoal_spec **out, const server_job *job)
{
    char path[SERVER_PATH_MAX];
    const json_t *output = json_object_get(job->spec.tree, "output");
    shoal_status st = shoal_spec_copy(ctx, out, job->spec.spec);

    server_job_path(job, path, sizeof path, "");
    if (st == SHOAL_OK) {
        st = shoal_spec_set(ctx, *out, "temporary", path);
    }
    if (st == SHOAL_OK) {
        st = shoal_spec_set(ctx, *out, "report.detail", "full");
    }
    if (st == SHOAL_OK && json_object_get(output, "sensitive_table")) {
        snprintf(path, sizeof path, "%s/jobs/%u/release.sensitive.csv", job->server->work,
                 job->of > 0 ? job->of : job->number);
        st = shoal_spec_set(ctx, *out, "output.sensitive_table", path);
    }
    if (st == SHOAL_OK && job->of > 0 && makes_boxes(job->spec.tree)) {
        st = shoal_spec_set(ctx, *out, "measure.shape", "records");
    }
    return st;
}

/* Texts as they are, without any of them missing. */
static shoal_status configure_texts(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                    size_t count)
{
    (void)ctx;
    (void)payload;
    for (size_t i = 0; i < count; i++) {
        columns[i].type = SHOAL_TYPE_STRING;
        columns[i].detect_missing = false;
    }
    return SHOAL_OK;
}

/* A file of the release, to be shown. */
static shoal_status read_release(shoal_ctx *ctx, server_table *out, const server_job *job,
                                 const char *file)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    const json_t *output = json_object_get(job->spec.tree, "output");
    const char *delimiter = json_string_value(json_object_get(output, "delimiter"));
    shoal_table *table = NULL;
    char path[SERVER_PATH_MAX];

    server_job_path(job, path, sizeof path, file);
    options.delimiter = (char)(!delimiter                      ? ','
                               : strcmp(delimiter, "tab") == 0 ? '\t'
                                                               : delimiter[0]);
    options.configure = configure_texts;
    shoal_status st = shoal_csv_read(ctx, &table, path, &options);

    return st == SHOAL_OK ? server_table_count(out, table, job->spec.tree) : st;
}

static bool has_file(const server_job *job, const char *file)
{
    char path[SERVER_PATH_MAX];

    server_job_path(job, path, sizeof path, file);
    FILE *stream = fopen(path, "rb");

    if (stream) {
        fclose(stream);
    }
    return stream != NULL;
}

static shoal_status run_anonymize(shoal_ctx *ctx, server_job *job, const shoal_spec *spec)
{
    char path[SERVER_PATH_MAX];

    server_job_path(job, path, sizeof path, "release.csv");
    shoal_status st = shoal_anonymize(ctx, &job->report, spec, job->source.path, path);

    if (st == SHOAL_OK) {
        st = read_release(ctx, &job->rows, job, "release.csv");
    }
    if (st == SHOAL_OK && has_file(job, "release.sensitive.csv")) {
        st = read_release(ctx, &job->second, job, "release.sensitive.csv");
    }
    return st;
}

static shoal_status run_frontier(shoal_ctx *ctx, server_job *job, const shoal_spec *spec)
{
    char path[SERVER_PATH_MAX];

    server_job_path(job, path, sizeof path, "points");
    return shoal_frontier(ctx, &job->report, spec, job->source.path, path, false);
}

static shoal_status run_attack(shoal_ctx *ctx, server_job *job, const shoal_spec *spec)
{
    const char *const releases[] = {job->release};

    return shoal_attack(ctx, &job->report, spec, job->source.path, releases, 1);
}

/* Pairs are in the order of the original, whatever the release is in: so those of two releases
 * stand beside each other record by record. */
static shoal_status run_pairs(shoal_ctx *ctx, server_job *job)
{
    shoal_status st =
        server_table_read(ctx, &job->original, job->spec.tree, job->source.path, true);

    st = st == SHOAL_OK ? shoal_spec_set(ctx, job->spec.spec, "output.order", "keep") : st;
    return st == SHOAL_OK
               ? shoal_anonymize_table(ctx, &job->pairs, NULL, job->spec.spec, job->original)
               : st;
}

shoal_status server_job_run(shoal_ctx *ctx, server_job *job)
{
    const char *release = job->of > 0 ? job->release : NULL;
    shoal_spec *spec = NULL;
    shoal_status st = SHOAL_OK;

    if (job->kind == SERVER_OPEN) {
        return run_open(ctx, job);
    }
    if (job->kind == SERVER_PAIRS) {
        return run_pairs(ctx, job);
    }
    st = make_spec(ctx, &spec, job);
    if (st == SHOAL_OK) {
        st = job->kind == SERVER_ANONYMIZE  ? run_anonymize(ctx, job, spec)
             : job->kind == SERVER_FRONTIER ? run_frontier(ctx, job, spec)
             : job->kind == SERVER_ATTACK   ? run_attack(ctx, job, spec)
             : job->kind == SERVER_RISK
                 ? shoal_risk(ctx, &job->report, spec, job->source.path, release)
             : job->kind == SERVER_QUERY
                 ? shoal_query(ctx, &job->report, spec, release, job->source.path, job->query,
                               job->estimator)
                 : shoal_inspect(ctx, &job->report, spec, job->source.path);
    }
    shoal_spec_free(spec);
    return st;
}

/* --- Points of a frontier, as they are found. --------------------------------------------- */

static const char *const figures[] = {
    "privacy_loss",     "utility_loss", "gcp",         "discernibility", "average_class_size",
    "distortion_ratio", "highest_risk", "query_error", "linkage",        "matching",
    "definetti"};

#define FIGURE_COUNT (sizeof figures / sizeof *figures)

static json_t *new_point(server_body *b, const char *requirement, const char *method)
{
    json_t *point = json_object();

    server_body_put(b, point, "event", json_string("point"));
    server_body_put(b, point, "requirement", server_body_text(requirement));
    server_body_put(b, point, "method", server_body_text(method));
    return point;
}

static void put_sizes(server_body *b, json_t *point, const char *shape, double classes,
                      double smallest, double seconds)
{
    server_body_put(b, point, "shape", server_body_text(shape));
    server_body_put(b, point, "classes", json_integer((json_int_t)classes));
    server_body_put(b, point, "smallest_class", json_integer((json_int_t)smallest));
    server_body_put(b, point, "seconds", server_body_number(seconds));
}

/* Keep a point unless something of it could not be made. */
static void add_point(server_job *job, server_body *b, json_t *point)
{
    if (b->has_failed || json_array_append(job->points, point) != 0) {
        json_decref(point);
        return;
    }
    json_decref(point);
    job->changes++;
}

/* A line of points.part; false when it is not one of a point. */
static bool take_line(server_job *job, char *line)
{
    static const char *const shapes[] = {"classes", "records", "buckets"};
    char *fields[POINT_FIELDS];
    size_t count = 0;
    server_body b = {0};

    for (char *at = line; at && count < POINT_FIELDS; count++) {
        fields[count] = at;
        at = strchr(at, '\t');
        if (at) {
            *at++ = '\0';
        }
    }
    if (count != POINT_FIELDS) {
        return false;
    }
    json_t *point = new_point(&b, fields[0], fields[1]);
    json_t *shown = json_object();
    unsigned long shape = strtoul(fields[2], NULL, 10);

    put_sizes(&b, point, shape < 3 ? shapes[shape] : "", strtod(fields[3], NULL),
              strtod(fields[4], NULL), strtod(fields[5], NULL));
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        if (fields[6 + i][0]) {
            server_body_put(&b, shown, figures[i],
                            server_body_number(strtod(fields[6 + i], NULL)));
        }
    }
    server_body_put(&b, point, "figures", shown);
    add_point(job, &b, point);
    return true;
}

/* What the file of points has behind what was read of it; only whole lines. */
static void take_file(server_job *job)
{
    char path[SERVER_PATH_MAX];
    char line[4096];

    server_job_path(job, path, sizeof path, "points.part");
    FILE *file = fopen(path, "rb");

    if (!file || fseek(file, job->points_read, SEEK_SET) != 0) {
        if (file) {
            fclose(file);
        }
        return;
    }
    while (fgets(line, sizeof line, file)) {
        size_t length = strlen(line);

        if (length == 0 || line[length - 1] != '\n') {
            break;
        }
        line[length - 1] = '\0';
        take_line(job, line);
        job->points_read += (long)length;
    }
    fclose(file);
}

static bool is_told(const server_job *job, const shoal_point_facts *facts)
{
    for (size_t i = 0; i < json_array_size(job->points); i++) {
        const json_t *point = json_array_get(job->points, i);
        const char *requirement = json_string_value(json_object_get(point, "requirement"));
        const char *method = json_string_value(json_object_get(point, "method"));

        if (strcmp(requirement, facts->requirement) == 0 &&
            strcmp(method, facts->method) == 0) {
            return true;
        }
    }
    return false;
}

/* Points that were found since the file was looked at last, and those that are not kept in
 * it. */
static void take_rest(server_job *job)
{
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    for (size_t i = 0; shoal_report_point(job->report, i, &facts); i++) {
        if (strcmp(facts.state, "done") != 0 || is_told(job, &facts)) {
            continue;
        }
        server_body b = {0};
        json_t *point = new_point(&b, facts.requirement, facts.method);
        json_t *shown = json_object();

        put_sizes(&b, point, facts.shape, (double)facts.classes, (double)facts.smallest_class,
                  facts.seconds);
        for (size_t f = 0; f < FIGURE_COUNT; f++) {
            double figure = shoal_report_point_figure(job->report, i, figures[f]);

            if (figure == figure) {
                server_body_put(&b, shown, figures[f], server_body_number(figure));
            }
        }
        server_body_put(&b, point, "figures", shown);
        add_point(job, &b, point);
    }
}

void server_job_poll(server_job *job, bool is_last)
{
    if (job->kind != SERVER_FRONTIER) {
        return;
    }
    take_file(job);
    if (is_last && job->report) {
        take_rest(job);
    }
}
