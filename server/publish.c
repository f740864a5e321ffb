/* Results into the folder that is served, and the command that makes them again. */
#include "results.h"

#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct target {
    const char *what;
    char path[SERVER_PATH_MAX + 32];
    const char *text; /* NULL: a file of the job */
    bool is_private;
} target;

#define TARGETS_MAX 8

typedef struct plan {
    target targets[TARGETS_MAX];
    size_t count;
} plan;

/* --- Names. ------------------------------------------------------------------------------- */

/* release.csv -> release, for the names beside it. */
static void cut_ending(char *out, size_t size, const char *file)
{
    static const char *const endings[] = {".csv", ".tsv", ".txt"};
    size_t length = strlen(file);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);

        if (length > ending && strcmp(file + length - ending, endings[i]) == 0) {
            length -= ending;
            break;
        }
    }
    snprintf(out, size, "%.*s", (int)length, file);
}

static target *add_target(plan *p, const char *what, const char *stem, const char *ending)
{
    target *t = &p->targets[p->count++];

    *t = (target){.what = what};
    snprintf(t->path, sizeof t->path, "%s%s", stem, ending);
    return t;
}

static bool add_named(server_reply *reply, plan *p, const server_job *job, const char *stem,
                      const char *what)
{
    static const char *const names[] = {"report.html", "external.html", "report.json", "spec"};
    static const char *const endings[] = {".html", ".external.html", ".json", ".yaml"};
    size_t i = 0;

    while (i < 4 && (!what || strcmp(names[i], what) != 0)) {
        i++;
    }
    if (i == 4) {
        return server_refuse(
            reply, 400, "request",
            "\"with\" lists report.html, external.html, report.json and spec.");
    }
    for (size_t j = 0; j < p->count; j++) {
        if (p->targets[j].what == names[i]) {
            return true;
        }
    }
    target *t = add_target(p, names[i], stem, endings[i]);

    t->text = i == 0   ? shoal_report_html(job->report)
              : i == 1 ? shoal_report_external(job->report)
              : i == 2 ? shoal_report_json(job->report)
                       : job->spec.yaml;
    t->is_private = i == 0 || i == 2;
    return true;
}

/* --- Writing. ----------------------------------------------------------------------------- */

static bool write_target(const server *s, server_reply *reply, const server_job *job,
                         const target *t)
{
    char from[SERVER_PATH_MAX];
    bool is_written = false;

    if (t->text) {
        char *text = server_without_work(t->text, s->work);

        errno = ENOMEM;
        is_written = text && server_write_file(t->path, text, strlen(text), t->is_private);
        free(text);
    } else {
        server_job_path(job, from, sizeof from,
                        strcmp(t->what, "sensitive") == 0 ? "release.sensitive.csv"
                                                          : "release.csv");
        is_written = server_copy_file(from, t->path);
    }
    return is_written || server_refuse_write(reply, t->path, errno);
}

/* The digest that the report has of a file of the release, or null. */
static json_t *find_digest(const json_t *report, const char *what)
{
    const char *digest =
        json_string_value(json_object_get(json_object_get(report, "sha256"), what));

    return server_body_text(digest);
}

static void send_written(server_reply *reply, const server_job *job, const plan *p)
{
    server_body b = server_body_begin();
    json_t *files = json_array();
    json_t *report = json_loads(shoal_report_json(job->report), 0, NULL);
    struct stat info;

    for (size_t i = 0; i < p->count; i++) {
        const target *t = &p->targets[i];
        json_t *file = json_object();
        bool is_there = stat(t->path, &info) == 0;

        server_body_put(&b, file, "what", json_string(t->what));
        server_body_put(&b, file, "file", server_body_text(t->path));
        server_body_put(&b, file, "bytes",
                        server_body_count(is_there ? (uint64_t)info.st_size : 0));
        server_body_put(&b, file, "sha256", find_digest(report, t->what));
        server_body_add(&b, files, file);
    }
    json_decref(report);
    server_body_put(&b, b.root, "files", files);
    server_body_send(&b, reply, 201);
}

/* Whether a target would be the file that the release was made from. */
static bool is_source(const server_job *job, const char *path)
{
    struct stat a;
    struct stat b;

    return stat(job->source.path, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static void write_all(server *s, server_reply *reply, const server_job *job, const plan *p,
                      bool may_replace)
{
    for (size_t i = 0; i < p->count; i++) {
        const char *path = p->targets[i].path;

        if (!server_check_output(s, reply, path, may_replace)) {
            return;
        }
        if (is_source(job, path)) {
            server_refuse(reply, 409, "conflict",
                          "\"%.200s\" is the file that the release was made from.", path);
            return;
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        if (!write_target(s, reply, job, &p->targets[i])) {
            return;
        }
    }
    send_written(reply, job, p);
}

static void release(server *s, server_reply *reply, const server_job *job, const json_t *body)
{
    const char *file = NULL;
    const json_t *with = json_object_get(body, "with");
    char stem[SERVER_PATH_MAX];
    bool may_replace = false;
    plan p = {0};

    if (!server_body_want_text(reply, body, "file", &file) ||
        !server_body_want_truth(reply, body, "replace", &may_replace)) {
        return;
    }
    if (!file || server_path_fault(file)) {
        server_refuse(reply, file ? 403 : 400, file ? "forbidden" : "request",
                      "\"file\" must be a name in the folder that is served.");
        return;
    }
    cut_ending(stem, sizeof stem, file);
    add_target(&p, "release", file, "");
    if (job->second.table) {
        add_target(&p, "sensitive", stem, ".sensitive.csv");
    }
    for (size_t i = 0; i < json_array_size(with); i++) {
        if (!add_named(reply, &p, job, stem, json_string_value(json_array_get(with, i)))) {
            return;
        }
    }
    write_all(s, reply, job, &p, may_replace);
}

void server_post_release(server *s, server_request *request, server_reply *reply)
{
    static const char *const known[] = {"job", "file", "with", "replace", NULL};
    json_t *body = server_body_parse(request, reply, known);
    const char *name = NULL;

    if (body && server_body_want_text(reply, body, "job", &name)) {
        const server_job *job = server_job_named(s, reply, name ? name : "");

        if (job && (job->kind != SERVER_ANONYMIZE || job->state != SERVER_DONE)) {
            server_refuse(reply, 409, "conflict", "The job has no verified release.");
        } else if (job) {
            release(s, reply, job, body);
        }
    }
    json_decref(body);
}

/* --- The command. ------------------------------------------------------------------------- */

static void put_plain(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);

    snprintf(out + used, size - used, "%s", text);
}

/* A word of a shell, in quotes where it needs them. */
static void put_word(char *out, size_t size, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=@%+-";
    size_t used = strlen(out);
    bool is_plain = word[0] && word[0] != '-' && word[strspn(word, plain)] == '\0';

    if (is_plain) {
        snprintf(out + used, size - used, " %s", word);
        return;
    }
    used += (size_t)snprintf(out + used, size - used, " '%s", word[0] == '-' ? "./" : "");
    for (; *word && used + 8 < size; word++) {
        used +=
            (size_t)snprintf(out + used, size - used, *word == '\'' ? "'\\''" : "%c", *word);
    }
    snprintf(out + used, size - used, "'");
}

static void compose(char *out, size_t size, const server_job *job, const char *stem)
{
    char name[SERVER_PATH_MAX + 32];

    snprintf(out, size, "shoal %s", server_kind_name(job->kind));
    put_word(out, size,
             strcmp(job->source.origin, "folder") == 0 ? job->source.path : job->source.name);
    if (job->kind == SERVER_ANONYMIZE) {
        snprintf(name, sizeof name, "%s.release.csv", stem);
        put_plain(out, size, " -o");
        put_word(out, size, name);
    }
    snprintf(name, sizeof name, "%s.release.yaml", stem);
    put_plain(out, size, " --spec");
    put_word(out, size, name);
    if (job->kind == SERVER_ANONYMIZE) {
        snprintf(name, sizeof name, "%s.release.html", stem);
        put_plain(out, size, " --report");
        put_word(out, size, name);
    }
}

void server_get_command(server *s, server_request *request, server_reply *reply)
{
    const server_job *job = server_job_named(s, reply, request->parts[0]);
    char command[4 * SERVER_PATH_MAX] = "";
    char stem[SERVER_PATH_MAX];

    if (!job) {
        return;
    }
    if (job->kind != SERVER_ANONYMIZE && job->kind != SERVER_FRONTIER &&
        job->kind != SERVER_RISK && job->kind != SERVER_INSPECT) {
        server_refuse(reply, 409, "conflict", "There is no one command for this kind of job.");
        return;
    }
    cut_ending(stem, sizeof stem, job->source.name);
    compose(command, sizeof command, job, stem);
    server_body b = server_body_begin();

    server_body_put(&b, b.root, "folder", server_body_text(s->folder));
    server_body_put(&b, b.root, "command", server_body_text(command));
    server_body_put(&b, b.root, "spec", server_body_text(job->spec.yaml));
    server_body_send(&b, reply, 200);
}
