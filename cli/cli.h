/* cli.h -- what all commands of the program share.
 *
 * A command is a const table entry: its help texts, the groups of options it takes, and a
 * function. main.c finds the command, options.c reads its arguments by the same tables that
 * print its help, and the function runs with a cli that holds everything they said. Commands do
 * no more than call the library and print.
 */
#ifndef SHOAL_CLI_H
#define SHOAL_CLI_H

#include <shoal/shoal.h>

#include "progress.h"

#include <signal.h>
#include <stddef.h>

/* The exit codes, as documented in every --help. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_UNSATISFIABLE = 3,
    CLI_NEGATIVE = 4,
    CLI_SIGNAL = 128, /* plus the number of the signal */
    CLI_LOST_READER = CLI_SIGNAL + SIGPIPE
};

#define CLI_OPERANDS_MAX 3
#define CLI_REPORTS_MAX 8
#define CLI_RELEASES_MAX 15

struct cli_command;

typedef struct cli {
    const struct cli_command *command;
    shoal_ctx *ctx;
    shoal_spec *spec;
    cli_progress progress;
    size_t mistakes; /* errors that the log has already shown */
    size_t warnings; /* that it was told */

    const char *operands[CLI_OPERANDS_MAX];
    size_t operand_count;

    const char *spec_path;
    const char *output;
    const char *report; /* the first of */
    const char *reports[CLI_REPORTS_MAX];
    size_t report_count;
    const char *external; /* report */
    bool json;
    bool is_told; /* the JSON was printed */
    bool quiet;
    bool help;
    bool help_all;

    /* serve */
    int port;
    bool no_browser;

    /* frontier */
    const char *plot;
    bool resume;

    /* attack: further ones */
    const char *releases[CLI_RELEASES_MAX];
    size_t release_count;

    /* hierarchy */
    const char *column;
    const char *plan;       /* how it is made: flat, prefix, ... */
    const char *plan_value; /* behind the word; NULL for none */
    const char *origin;     /* of widths */
    const char *separators; /* of prefix */
    bool outline;           /* build: write an outline */
    size_t tree_lines;

    /* query; verify: of a release with a box per record */
    const char *original;
    shoal_workload workload;

    shoal_generate_options generate;
    const char *generate_spec; /* where to write one */
} cli;

/* One option. `apply` is called for each time it is given; false when the value makes no sense,
 * after saying so. */
typedef struct cli_option {
    char letter; /* 0: none */
    const char *name;
    const char *value; /* what stands for its value in the help; NULL: it takes none */
    const char *help;  /* NULL: that of the library's table of settings */
    bool (*apply)(cli *c, const struct cli_option *option, const char *value);
    const char *setting; /* what the library calls it: the key of a setting of the spec, or the
                            name of an argument; NULL: its messages never name it */
    bool is_of_spec;     /* applied after the spec file is read, which it overrides */
    size_t field;        /* of the cli, where a text or a switch is kept */
} cli_option;

/* A value that is one of the words of its setting: shown as "a|b|c". */
#define CLI_WORDS ""

/* An option that makes a setting of the spec. */
#define CLI_SETTING(letter, name, value, help, key)                                            \
    {                                                                                          \
        letter, name, value, help, cli_apply_setting, key, true, 0                             \
    }

/* An option with a function of its own. */
#define CLI_OPTION(letter, name, value, help, apply, is_of_spec)                               \
    {                                                                                          \
        letter, name, value, help, apply, NULL, is_of_spec, 0                                  \
    }

/* An option whose text, or that it was given, a field of the cli keeps. */
#define CLI_TEXT(letter, name, value, help, field)                                             \
    {                                                                                          \
        letter, name, value, help, cli_apply_text, #field, false, offsetof(cli, field)         \
    }
#define CLI_SWITCH(letter, name, help, field)                                                  \
    {                                                                                          \
        letter, name, NULL, help, cli_apply_switch, #field, false, offsetof(cli, field)        \
    }

/* Options under one heading, ended by an entry without a name. */
typedef struct cli_group {
    const char *title;
    const cli_option *options;
} cli_group;

typedef struct cli_command {
    const char *name;
    const char *summary; /* one line */
    const char *usage;   /* the arguments */
    const char *description;
    const char *examples;           /* lines that work as written, in an empty folder */
    const cli_group *const *groups; /* NULL-terminated */
    const char *const *basics; /* names of up to ten options that --help shows; NULL: all */
    size_t operands_min;
    size_t operands_max;
    const char *operands_expected; /* for the message when there are fewer or more */
    int (*run)(cli *c);
} cli_command;

extern const cli_command cli_anonymize;
extern const cli_command cli_verify;
extern const cli_command cli_measure;
extern const cli_command cli_query;
extern const cli_command cli_risk;
extern const cli_command cli_inspect;
extern const cli_command cli_hierarchy;
extern const cli_command cli_generate;
extern const cli_command cli_methods;
extern const cli_command cli_frontier;
extern const cli_command cli_refine;
extern const cli_command cli_attack;
extern const cli_command cli_serve;

/* Groups that several commands take (shared_options.c). */
extern const cli_group cli_common_group;
extern const cli_group cli_lasting_group; /* of a command that has no result to print */
extern const cli_group cli_output_group;  /* of a release (making_release.c) */
extern const cli_group cli_spec_group;
extern const cli_group cli_columns_group;
extern const cli_group cli_release_columns_group; /* of a file that is only checked */
extern const cli_group cli_size_group;            /* k */
extern const cli_group cli_privacy_group;         /* all other requirements */
extern const cli_group cli_population_group;
extern const cli_group cli_against_group;         /* attacks to withstand */
extern const cli_group cli_defence_group;         /* the same, with earlier releases */
extern const cli_group cli_figures_group;         /* measured beside the loss */
extern const cli_group cli_warnings_group;        /* what becomes of them */
extern const cli_group cli_report_group;          /* files of a report */
extern const cli_group cli_risk_group;            /* what an attacker may know */
extern const cli_group cli_risk_population_group; /* the same, with a population */
extern const cli_group cli_attack_group;          /* who attacks, and what he knows */
extern const cli_group cli_shape_group;           /* of a release that is read */
extern const cli_group cli_buckets_group;         /* the same, of its second file */
extern const cli_group cli_input_group;
extern const cli_group cli_missing_group;
extern const cli_group cli_tokens_group; /* where missing values are only seen */
bool cli_apply_text(cli *c, const cli_option *option, const char *value);
bool cli_apply_switch(cli *c, const cli_option *option, const char *value);
bool cli_apply_report(cli *c, const cli_option *option, const char *value);
bool cli_apply_setting(cli *c, const cli_option *option, const char *value);

/* The value of an option as a whole number from least to most; UINT64_MAX: as large as it may
 * be. False after a message. */
bool cli_parse_count(cli *c, uint64_t *out, const cli_option *option, const char *value,
                     uint64_t least, uint64_t most);

/* --- Messages and ends of commands (cli.c). --------------------------------------------- */

#if defined(__GNUC__)
#define CLI_PRINTF(format_at, rest_at) __attribute__((format(printf, format_at, rest_at)))
#else
#define CLI_PRINTF(format_at, rest_at)
#endif

/* Start and end: signals, callbacks, the spec. */
bool cli_open(cli *c);
void cli_close(cli *c);

/* Whether a signal asked to stop. */
bool cli_is_stopped(void);

/* Whether whoever read the standard output or the messages has gone away. */
bool cli_has_lost_reader(void);

/* "shoal: ..." on stderr; control characters of names and values are made visible. */
void cli_say(cli *c, const char *format, ...) CLI_PRINTF(2, 3);

/* Say what is wrong with the command line, and where to find help. */
int cli_fail_usage(cli *c, const char *format, ...) CLI_PRINTF(2, 3);

/* Say what the context holds of a call that failed, and give the exit code of its status. */
int cli_fail(cli *c, shoal_status status);

/* Put a text of the library on stdout or stderr. */
void cli_print(const char *text, bool to_stderr);

/* Usage error unless the two paths, either of which may be NULL, name different files. `what`
 * names the second. */
int cli_check_distinct(cli *c, const char *input, const char *output, const char *what);

/* The same of the two files of a report. */
int cli_check_reports(cli *c, const char *input);

/* Write the files of a report that were asked for, and tell where they are, as the text of the
 * report was told. */
shoal_status cli_write_reports(cli *c, const shoal_report *report, bool text_to_stderr);

/* The result of a command: JSON on stdout with --json, otherwise, unless --quiet, the text on
 * stdout or stderr. */
void cli_print_report(cli *c, const shoal_report *report, bool text_to_stderr);

/* Usage error when several operands, which are files, are standard input, or when a report
 * would overwrite one. */
int cli_check_operands(cli *c);

/* The end of a command whose call came to this: a report that is printed, written where it was
 * asked for and released, or a failure, which is told. */
int cli_finish(cli *c, shoal_status status, shoal_report *report);

/* --- Commands that make a release (making_release.c). ----------------------------------- */

/* Usage error unless -o is given and names a file, or a stream, of its own. */
int cli_check_release(cli *c);

/* As cli_finish, behind a call that published a release. */
int cli_finish_release(cli *c, shoal_status status, shoal_report *report);

/* --- Options (options.c). --------------------------------------------------------------- */

/* Read the arguments: operands and the options that are not of the spec, then the spec file,
 * then those of the spec. 0, or an exit code after a message. */
int cli_read_arguments(cli *c, int count, char **arguments);

/* The option of a command (NULL: none) for what the library calls by this name, or NULL. */
const cli_option *cli_find_setting(const cli_command *command, const char *name, size_t length);

/* The option of a command that says this of a column, COLUMN=VALUE, or NULL. */
const cli_option *cli_find_of_column(const cli_command *command, const char *name,
                                     size_t length);

/* The help of a command, on stdout, with the options that everybody needs or with all. */
void cli_print_help(const cli_command *command, bool with_all);

/* Every setting, with the option that makes it, on stdout. */
void cli_print_settings(const cli_command *const *commands, size_t count);

/* The exit codes, as every help shows them. */
void cli_print_exit_codes(void);

#endif /* SHOAL_CLI_H */
