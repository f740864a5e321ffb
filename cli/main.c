/* shoal -- the program: finds the command and runs it. */
#include "cli.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {
    &cli_anonymize, &cli_verify,  &cli_measure,   &cli_refine,   &cli_query,
    &cli_risk,      &cli_inspect, &cli_hierarchy, &cli_generate, &cli_methods,
    &cli_frontier,  &cli_attack,  &cli_serve,
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static void print_overview(void)
{
    puts("shoal: anonymize tables of records about people\n\n"
         "Usage: shoal COMMAND [arguments]\n\n"
         "Commands:");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-11s %s\n", commands[i]->name, commands[i]->summary);
    }
    puts("  help        show this, or the help of a command: shoal help COMMAND\n\n"
         "Examples:\n"
         "  shoal generate census --records 1000 -o people.csv\n"
         "  shoal inspect people.csv\n"
         "  shoal anonymize people.csv -o release.csv -k 10 --quasi age,zip,sex\n"
         "  shoal verify release.csv -k 10 --quasi age,zip,sex\n");
    cli_print_exit_codes();
}

static int fail_unknown(const char *name)
{
    const char *names[COMMAND_COUNT];
    cli c = {0};

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i]->name;
    }
    const char *near = shoal_nearest(name, names, COMMAND_COUNT);

    if (near) {
        return cli_fail_usage(&c, "Unknown command \"%.80s\"; did you mean \"%s\"?", name,
                              near);
    }
    return cli_fail_usage(&c, "Unknown command \"%.80s\".", name);
}

static int run_command(const cli_command *command, int count, char **arguments)
{
    cli c = {.command = command};
    int code = CLI_FAILED;

    if (!cli_open(&c)) {
        return cli_fail(&c, SHOAL_ENOMEM);
    }
    code = cli_read_arguments(&c, count, arguments);
    if (c.help || c.help_all) {
        cli_print_help(command, c.help_all);
        code = CLI_DONE;
    } else if (code == CLI_DONE) {
        cli_progress_begin(&c.progress, c.quiet);
        code = command->run(&c);
    }
    cli_close(&c);
    return code;
}

static bool asks_for_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* help, help COMMAND, help settings; the help of help is the first */
static int run_help(int count, char **arguments)
{
    if (count == 0 || asks_for_help(arguments[0]) || strcmp(arguments[0], "help") == 0) {
        print_overview();
        return CLI_DONE;
    }
    const cli_command *command = find_command(arguments[0]);

    if (strcmp(arguments[0], "settings") == 0) {
        cli_print_settings(commands, COMMAND_COUNT);
    } else if (command) {
        cli_print_help(command, false);
    } else {
        return fail_unknown(arguments[0]);
    }
    return CLI_DONE;
}

static int run(int count, char **arguments)
{
    const char *name = count > 1 ? arguments[1] : NULL;

    if (!name) {
        cli c = {0};

        return cli_fail_usage(&c, "Expected a command.");
    }
    if (strcmp(name, "--version") == 0) {
        printf("shoal %s\n", shoal_version());
        return CLI_DONE;
    }
    if (asks_for_help(name)) {
        return run_help(0, NULL);
    }
    if (strcmp(name, "help") == 0) {
        return run_help(count - 2, arguments + 2);
    }
    const cli_command *command = find_command(name);

    return command ? run_command(command, count - 2, arguments + 2) : fail_unknown(name);
}

/* A standard file that was closed by whoever started the program would give its number to the
 * next file opened: a message could end up in a release. Reading or writing what stands in
 * fails. */
static void occupy_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

/* Large blocks go back to the system when they are no longer needed. Left to itself the C
 * library takes the first of them for a sign that more will follow, and keeps them: a sixth
 * more memory for a search in a million records. Small ones stay: given back one by one, what a
 * task needs for a moment would be cleared by the system again and again, and every thread
 * stopped for each of them. */
static void give_large_blocks_back(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 4 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

int main(int count, char **arguments)
{
    give_large_blocks_back();
    occupy_standard_files();

    int code = run(count, arguments);

    /* What was printed counts only when it has arrived. */
    if (fclose(stdout) != 0 && code == CLI_DONE) {
        if (cli_has_lost_reader()) {
            return CLI_LOST_READER;
        }
        fputs("shoal: Cannot write to standard output.\n", stderr);
        code = CLI_FAILED;
    }
    return code;
}
