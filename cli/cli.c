#include "cli.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A table of many columns may have one for each; the report has all of them. */
#define WARNINGS_MOST 20

/* --- Signals. --------------------------------------------------------------------------- */

/* The number of the signal that asked to stop, 0 while none has: what cancels the run. */
static int stop_signal;

static void note_signal(int number)
{
    __atomic_store_n(&stop_signal, number, __ATOMIC_RELAXED);
}

/* Without SA_RESTART: a read that waits for input ends at once. A signal that whoever started
 * the program has it ignore, as nohup does, stays ignored. A reader that went away stops the
 * run like a signal to stop, so that no temporary file is left behind. A file beyond the limit
 * of the system is a failed write, told like any other, and no reason to leave half of it
 * behind. */
static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGPIPE};
    struct sigaction action = {.sa_handler = note_signal};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, NULL);
}

bool cli_is_stopped(void)
{
    return __atomic_load_n(&stop_signal, __ATOMIC_RELAXED) != 0;
}

bool cli_has_lost_reader(void)
{
    return __atomic_load_n(&stop_signal, __ATOMIC_RELAXED) == SIGPIPE;
}

/* --- Messages. -------------------------------------------------------------------------- */

/* Texts from files and command lines may hold anything; a terminal must not be driven by it.
 * Bytes go out together: the standard error is not buffered. */
static void put_visible_bytes(FILE *file, const char *text, size_t length)
{
    char bytes[512];
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        bytes[count++] = (char)((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F ? '?' : c);
        if (count == sizeof bytes || i + 1 == length) {
            fwrite(bytes, 1, count, file);
            count = 0;
        }
    }
}

static void put_visible(FILE *file, const char *text)
{
    put_visible_bytes(file, text, strlen(text));
}

/* What the library says of a column, as an option has it: "[blanks, case]" without brackets and
 * blanks, behind what stands for the name of the column. */
static void put_of_column(const char *text, size_t length)
{
    fputs(" COLUMN=", stderr);
    for (size_t i = 0; i < length; i++) {
        if (!strchr("[] ", text[i])) {
            put_visible_bytes(stderr, text + i, 1);
        }
    }
}

/* What the library quotes: the name of a setting or of an argument, maybe with a value. */
static void put_quoted(const cli *c, const char *text, size_t length)
{
    size_t name = strcspn(text, ":`");
    const cli_option *option = cli_find_setting(c->command, text, name);

    if (option && !option->is_of_spec) {
        fprintf(stderr, "--%s", option->name);
        return;
    }
    fputc('`', stderr);
    put_visible_bytes(stderr, text, length);
    fputc('`', stderr);
    const cli_option *of_column =
        option || name == length ? NULL : cli_find_of_column(c->command, text, name);

    if (of_column) {
        fprintf(stderr, " (--%s", of_column->name);
        put_of_column(text + name + 1, length - name - 1);
        fputc(')', stderr);
    }
    if (option) {
        fprintf(stderr, " (--%s", option->name);
        if (option->value) { /* a switch says it all */
            put_visible_bytes(stderr, text + name + (name < length),
                              length - name - (name < length));
        }
        fputc(')', stderr);
    }
}

/* The library names settings by their keys, as in `missing.action: drop`, and arguments by
 * their names, as in `original`. How to say it on the command line is added here: behind a
 * setting, which may stand in a spec file as well, and in place of an argument. */
static void put_message(const cli *c, const char *text)
{
    const char *open = strchr(text, '`');
    const char *close = open ? strchr(open + 1, '`') : NULL;

    for (; close; close = open ? strchr(open + 1, '`') : NULL) {
        put_visible_bytes(stderr, text, (size_t)(open - text));
        put_quoted(c, open + 1, (size_t)(close - open) - 1);
        text = close + 1;
        open = strchr(text, '`');
    }
    put_visible(stderr, text);
}

/* Where a mistake is: a file, or the option that made the setting the library names. */
static void put_source(const cli *c, const char *source)
{
    const cli_option *option = cli_find_setting(c->command, source, strlen(source));

    if (option && option->is_of_spec) {
        fprintf(stderr, "--%s", option->name);
    } else {
        put_visible(stderr, strcmp(source, "-") == 0 ? "standard output" : source);
    }
}

static void put_line(cli *c, const char *prefix, const shoal_error *where, const char *message)
{
    cli_progress_clear(&c->progress);
    fputs("shoal: ", stderr);
    if (where && where->source[0]) {
        put_source(c, where->source);
        if (where->line > 0) {
            fprintf(stderr, ":%lld", (long long)where->line);
        }
        if (where->line > 0 && where->column > 0) {
            fprintf(stderr, ":%lld", (long long)where->column);
        }
        fputs(": ", stderr);
    }
    fputs(prefix, stderr);
    put_message(c, message);
    fputc('\n', stderr);
}

static void say(cli *c, const char *format, va_list arguments)
{
    char message[SHOAL_MESSAGE_MAX];

    vsnprintf(message, sizeof message, format, arguments);
    put_line(c, "", NULL, message);
}

void cli_say(cli *c, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(c, format, arguments);
    va_end(arguments);
}

static void put_hint(const cli *c)
{
    fprintf(stderr, "Try 'shoal%s%s --help'.\n", c->command ? " " : "",
            c->command ? c->command->name : "");
}

int cli_fail_usage(cli *c, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(c, format, arguments);
    va_end(arguments);
    put_hint(c);
    return CLI_USAGE;
}

static void show_log(void *payload, shoal_log_level level, const char *message,
                     const shoal_error *where)
{
    cli *c = payload;

    if (level == SHOAL_LOG_ERROR) {
        c->mistakes++;
        put_line(c, "", where, message);
    } else if (level == SHOAL_LOG_WARNING) { /* a result: said to whoever wants quiet, too */
        if (c->warnings++ < WARNINGS_MOST) {
            put_line(c, "warning: ", where, message);
        }
    } else if (level == SHOAL_LOG_INFO && !c->quiet) {
        put_line(c, "", where, message);
    }
}

static int find_exit_code(shoal_status status)
{
    switch (status) {
    case SHOAL_OK:
        return CLI_DONE;
    case SHOAL_EINVAL:
    case SHOAL_EUNSUPPORTED:
        return CLI_USAGE;
    case SHOAL_EUNSATISFIABLE:
        return CLI_UNSATISFIABLE;
    case SHOAL_EWARNED:
        return CLI_NEGATIVE;
    case SHOAL_ECANCELLED:
        return CLI_SIGNAL + (stop_signal ? stop_signal : SIGINT);
    default:
        return CLI_FAILED;
    }
}

/* A text of a JSON object; what it cannot hold is made visible. */
static void put_json_text(const char *key, const char *text)
{
    printf(",\n    \"%s\": \"", key);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte == '"' || byte == '\\') {
            printf("\\%c", byte);
        } else if (byte < 0x20) {
            printf("\\u%04x", byte);
        } else {
            putchar(byte);
        }
    }
    putchar('"');
}

/* Whoever asked for JSON gets an object of a failure, too; docs/formats.md. */
static void print_failure(cli *c, shoal_status status)
{
    const shoal_error *error = shoal_ctx_error(c->ctx);

    if (!c->json || c->is_told) {
        return;
    }
    c->is_told = true;
    printf("{\n  \"schema\": 1,\n  \"command\": \"%s\",\n  \"passed\": false,\n  \"error\": {\n"
           "    \"exit_code\": %d",
           c->command->name, find_exit_code(status));
    put_json_text("status", shoal_status_name(status));
    put_json_text("message", error->message);
    put_json_text("source", error->source);
    printf(",\n    \"line\": %lld,\n    \"column\": %lld\n  }\n}\n", (long long)error->line,
           (long long)error->column);
}

int cli_fail(cli *c, shoal_status status)
{
    const shoal_error *error = shoal_ctx_error(c->ctx);

    if (cli_has_lost_reader()) {
        return CLI_LOST_READER; /* nobody is there to be told */
    }
    print_failure(c, status);
    if (status == SHOAL_ECANCELLED) {
        cli_say(c, "Stopped; no file was written.");
    } else if (status == SHOAL_ENOMEM && error->status != SHOAL_ENOMEM) {
        cli_say(c, "Out of memory."); /* of the program itself */
    } else if (c->mistakes == 0) {
        put_line(c, "", error, error->message);
    } else if (c->mistakes > 1) {
        cli_say(c, "%zu mistakes; nothing was done.", c->mistakes);
    }
    /* What no file is to blame for, an option can mend. */
    if (status == SHOAL_EINVAL && error->source[0] == '\0') {
        put_hint(c);
    }
    return find_exit_code(status);
}

/* --- Results. --------------------------------------------------------------------------- */

void cli_print(const char *text, bool to_stderr)
{
    put_visible(to_stderr ? stderr : stdout, text);
}

int cli_check_reports(cli *c, const char *input)
{
    int code = cli_check_distinct(c, input, c->external, "The report");

    for (size_t i = 0; i < c->report_count && code == CLI_DONE; i++) {
        code = cli_check_distinct(c, input, c->reports[i], "The report");
        if (code == CLI_DONE) {
            code = cli_check_distinct(c, c->reports[i], c->external,
                                      "The report for readers outside");
        }
        for (size_t j = 0; j < i && code == CLI_DONE; j++) {
            code = cli_check_distinct(c, c->reports[j], c->reports[i], "The report");
        }
    }
    return code;
}

/* A line of the summary for each report that was written. */
static void tell_reports(const cli *c, bool text_to_stderr)
{
    char line[PATH_MAX + 64];

    for (size_t i = 0; i < c->report_count && !c->json && !c->quiet; i++) {
        snprintf(line, sizeof line, "Report    %s\n", c->reports[i]);
        cli_print(line, text_to_stderr);
    }
    if (c->external && !c->json && !c->quiet) {
        snprintf(line, sizeof line, "Report    %s, for readers outside\n", c->external);
        cli_print(line, text_to_stderr);
    }
}

shoal_status cli_write_reports(cli *c, const shoal_report *report, bool text_to_stderr)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < c->report_count && st == SHOAL_OK; i++) {
        st = shoal_report_write(c->ctx, report, c->reports[i]);
    }
    if (st == SHOAL_OK && c->external) {
        st = shoal_report_write_external(c->ctx, report, c->external);
    }
    if (st == SHOAL_OK) {
        tell_reports(c, text_to_stderr);
    }
    return st;
}

void cli_print_report(cli *c, const shoal_report *report, bool text_to_stderr)
{
    if (c->warnings > WARNINGS_MOST) {
        cli_say(c, "warning: %zu more; --json and --report list all.",
                c->warnings - WARNINGS_MOST);
    }
    cli_progress_clear(&c->progress);
    if (c->json) {
        c->is_told = true;
        fputs(shoal_report_json(report), stdout);
    } else if (!c->quiet) {
        cli_print(shoal_report_text(report), text_to_stderr);
    }
}

int cli_finish(cli *c, shoal_status status, shoal_report *report)
{
    if (status == SHOAL_OK) {
        cli_print_report(c, report, false);
        status = cli_write_reports(c, report, false);
    }
    shoal_report_free(report);
    return status == SHOAL_OK ? CLI_DONE : cli_fail(c, status);
}

/* Cut the last part off a path: what is left is its folder. */
static const char *cut_name(char *folder, size_t capacity, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    snprintf(folder, capacity, "%.*s.", (int)(name - path), path);
    return name;
}

/* Whether two names, spelled as they may be, are of one file, be it there or not. */
static bool are_same_file(const char *a, const char *b)
{
    char a_folder[PATH_MAX];
    char b_folder[PATH_MAX];
    struct stat a_info;
    struct stat b_info;
    bool is_there = stat(a, &a_info) == 0 && stat(b, &b_info) == 0;

    if (is_there && !S_ISREG(a_info.st_mode)) {
        return false;
    }
    if (!is_there) {
        const char *a_name = cut_name(a_folder, sizeof a_folder, a);
        const char *b_name = cut_name(b_folder, sizeof b_folder, b);

        is_there = strcmp(a_name, b_name) == 0 && stat(a_folder, &a_info) == 0 &&
                   stat(b_folder, &b_info) == 0;
    }
    return is_there && a_info.st_dev == b_info.st_dev && a_info.st_ino == b_info.st_ino;
}

int cli_check_distinct(cli *c, const char *input, const char *output, const char *what)
{
    if (!input || !output || strcmp(input, "-") == 0 || strcmp(output, "-") == 0) {
        return CLI_DONE;
    }
    if (strcmp(input, output) == 0 || are_same_file(input, output)) {
        return cli_fail_usage(c, "%s would overwrite %s; choose another name.", what, input);
    }
    return CLI_DONE;
}

int cli_check_operands(cli *c)
{
    size_t streams = 0;
    int code = CLI_DONE;

    for (size_t i = 0; i < c->operand_count && code == CLI_DONE; i++) {
        streams += strcmp(c->operands[i], "-") == 0;
        code = cli_check_reports(c, c->operands[i]);
    }
    return code == CLI_DONE && streams > 1
               ? cli_fail_usage(c, "Only one of the two files can be standard input.")
               : code;
}

/* --- Start and end. --------------------------------------------------------------------- */

bool cli_open(cli *c)
{
    c->ctx = shoal_ctx_new();
    shoal_ctx_set_log(c->ctx, show_log, c);
    shoal_ctx_set_cancel(c->ctx, &stop_signal);
    shoal_ctx_set_progress(c->ctx, cli_progress_show, &c->progress);
    c->generate = (shoal_generate_options)SHOAL_GENERATE_OPTIONS_INIT;
    c->workload = (shoal_workload)SHOAL_WORKLOAD_INIT;
    catch_signals();
    return shoal_spec_new(c->ctx, &c->spec) == SHOAL_OK;
}

void cli_close(cli *c)
{
    cli_progress_clear(&c->progress);
    shoal_spec_free(c->spec);
    shoal_ctx_free(c->ctx);
}
