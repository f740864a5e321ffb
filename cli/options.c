/* One table per command reads its arguments and prints its help. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#define NAMES_MAX 64
#define HELP_COLUMN 30
#define LINE_WIDTH 92
#define VALUE_MOST 256

/* --- Finding options. ------------------------------------------------------------------- */

/* The option of a command that matches; NULL: none does. */
typedef bool (*match_fn)(const cli_option *option, const char *name, size_t length);

static const cli_option *find_option(const cli_command *command, match_fn matches,
                                     const char *name, size_t length)
{
    for (size_t g = 0; command && command->groups[g]; g++) {
        for (const cli_option *o = command->groups[g]->options; o->name; o++) {
            if (matches(o, name, length)) {
                return o;
            }
        }
    }
    return NULL;
}

static bool is_same(const char *text, const char *name, size_t length)
{
    return text && strlen(text) == length && memcmp(text, name, length) == 0;
}

static bool has_letter(const cli_option *option, const char *name, size_t length)
{
    (void)length;
    return option->letter == name[0];
}

static bool has_name(const cli_option *option, const char *name, size_t length)
{
    return is_same(option->name, name, length);
}

static bool has_setting(const cli_option *option, const char *name, size_t length)
{
    return is_same(option->setting, name, length);
}

static bool is_of_column(const cli_option *option, const char *name, size_t length)
{
    return is_same(option->name, name, length) && option->is_of_spec && option->value &&
           strncmp(option->value, "COLUMN=", strlen("COLUMN=")) == 0;
}

const cli_option *cli_find_of_column(const cli_command *command, const char *name,
                                     size_t length)
{
    return find_option(command, is_of_column, name, length);
}

const cli_option *cli_find_setting(const cli_command *command, const char *name, size_t length)
{
    return find_option(command, has_setting, name, length);
}

static int fail_unknown(cli *c, const char *name)
{
    const char *names[NAMES_MAX];
    size_t count = 0;

    for (size_t g = 0; c->command->groups[g]; g++) {
        for (const cli_option *o = c->command->groups[g]->options; o->name; o++) {
            if (count < NAMES_MAX) {
                names[count++] = o->name;
            }
        }
    }
    const char *near = shoal_nearest(name, names, count);

    if (near) {
        return cli_fail_usage(c, "Unknown option --%.80s; did you mean --%s?", name, near);
    }
    return cli_fail_usage(c, "Unknown option --%.80s.", name);
}

/* What the library knows of a setting. */
static shoal_setting_facts find_facts(const char *key)
{
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    size_t i = 0;

    while (shoal_setting_describe(&facts, i) && strcmp(facts.key, key) != 0) {
        i++;
    }
    return facts;
}

static void join_words(char out[VALUE_MOST], const char *const *words)
{
    size_t length = 0;

    out[0] = '\0';
    for (size_t i = 0; words[i] && length < VALUE_MOST; i++) {
        length += (size_t)snprintf(out + length, VALUE_MOST - length, "%s%s", i > 0 ? "|" : "",
                                   words[i]);
    }
}

/* What stands for the value of an option. */
static const char *name_value(char out[VALUE_MOST], const cli_option *option)
{
    if (option->value[0]) {
        return option->value;
    }
    join_words(out, find_facts(option->setting).words);
    return out;
}

/* --- Reading. --------------------------------------------------------------------------- */

#define GIVEN_MAX 256

/* An option as it was given. */
typedef struct given {
    const cli_option *option;
    const char *value;
    int at; /* the argument, from 1 */
} given;

/* The arguments are walked twice, before and after the spec file is read. */
typedef struct walk {
    char **arguments;
    int count;
    int at;
    bool is_second;
    given given[GIVEN_MAX]; /* in this walk */
    size_t given_count;
} walk;

/* Options that may be given again with another value, which is one more. */
static bool adds_up(const cli_option *option)
{
    return !option->value || strcmp(option->value, "COLUMN,...") == 0 ||
           strcmp(option->value, "FILE.html|FILE.json") == 0 ||
           (option->setting && option->is_of_spec && find_facts(option->setting).adds_up);
}

/* Whether two values are about the same: those of COLUMN=VALUE, if the column is; those of
 * [COLUMN=]VALUE also when both are about all. */
static bool is_about_same(const cli_option *option, const char *a, const char *b)
{
    size_t length = strcspn(a, "=");
    bool may_be_all = strncmp(option->value, "[COLUMN=]", strlen("[COLUMN=]")) == 0;

    if (may_be_all && a[length] == '\0') {
        return !strchr(b, '=');
    }
    return (!may_be_all && strncmp(option->value, "COLUMN=", strlen("COLUMN=")) != 0) ||
           (strncmp(a, b, length) == 0 && b[length] == '=');
}

/* Two values of which only one can hold are a mistake, whichever was meant. */
static int check_contradiction(cli *c, walk *w, const cli_option *option, const char *value)
{
    for (size_t i = 0; i < w->given_count; i++) {
        const given *before = &w->given[i];

        if (before->option == option && is_about_same(option, before->value, value) &&
            strcmp(before->value, value) != 0) {
            return cli_fail_usage(c,
                                  "--%s %.200s (argument %d) and --%s %.200s (argument %d) "
                                  "contradict each other; give one of them.",
                                  option->name, before->value, before->at, option->name, value,
                                  w->at + 1);
        }
    }
    if (w->given_count < GIVEN_MAX) {
        w->given[w->given_count++] = (given){option, value, w->at + 1};
    }
    return CLI_DONE;
}

static int apply(cli *c, walk *w, const cli_option *option, const char *value)
{
    int code = CLI_DONE;

    if (option->is_of_spec != w->is_second) {
        return CLI_DONE;
    }
    if (!adds_up(option)) {
        code = check_contradiction(c, w, option, value);
    }
    if (code != CLI_DONE) {
        return code;
    }
    return option->apply(c, option, value) ? CLI_DONE : CLI_USAGE;
}

/* The argument behind the current one as the value of an option. */
static int apply_next(cli *c, walk *w, const cli_option *option)
{
    if (w->at + 1 >= w->count) {
        char value[VALUE_MOST];

        return cli_fail_usage(c, "--%s expects %s behind it.", option->name,
                              name_value(value, option));
    }
    return apply(c, w, option, w->arguments[++w->at]);
}

/* --name, --name=value or --name value */
static int read_long(cli *c, walk *w, const char *text)
{
    size_t length = strcspn(text, "=");
    const cli_option *option = find_option(c->command, has_name, text, length);

    if (!option) {
        char name[SHOAL_SOURCE_MAX];

        snprintf(name, sizeof name, "%.*s", (int)(length < 80 ? length : 80), text);
        return fail_unknown(c, name);
    }
    if (!option->value && text[length] == '=') {
        return cli_fail_usage(c, "--%s takes no value.", option->name);
    }
    if (!option->value) {
        return apply(c, w, option, NULL);
    }
    return text[length] == '=' ? apply(c, w, option, text + length + 1)
                               : apply_next(c, w, option);
}

/* -q, -k10, -k 10; letters without a value may be put together */
static int read_letters(cli *c, walk *w, const char *letters)
{
    for (; *letters; letters++) {
        const cli_option *option = find_option(c->command, has_letter, letters, 1);
        int code = CLI_DONE;

        if (!option) {
            return cli_fail_usage(c, "Unknown option -%c.", *letters);
        }
        if (option->value) {
            return letters[1] ? apply(c, w, option, letters + 1) : apply_next(c, w, option);
        }
        code = apply(c, w, option, NULL);
        if (code != CLI_DONE) {
            return code;
        }
    }
    return CLI_DONE;
}

static int read_operand(cli *c, const walk *w, const char *text)
{
    if (w->is_second) {
        return CLI_DONE;
    }
    if (c->operand_count == c->command->operands_max) {
        return cli_fail_usage(c, "Expected %s; got one more: \"%.200s\".",
                              c->command->operands_expected, text);
    }
    c->operands[c->operand_count++] = text;
    return CLI_DONE;
}

static int read_all(cli *c, walk *w)
{
    bool are_options_over = false;
    int code = CLI_DONE;

    for (w->at = 0; w->at < w->count && code == CLI_DONE; w->at++) {
        const char *text = w->arguments[w->at];

        if (are_options_over || text[0] != '-' || text[1] == '\0') {
            code = read_operand(c, w, text);
        } else if (strcmp(text, "--") == 0) {
            are_options_over = true;
        } else if (text[1] == '-') {
            code = read_long(c, w, text + 2);
        } else {
            code = read_letters(c, w, text + 1);
        }
        if (c->help || c->help_all) {
            break;
        }
    }
    return code;
}

/* A spec that cannot be understood is a mistake of usage, whatever the kind of its mistakes. */
static int read_spec(cli *c)
{
    bool is_stdin = strcmp(c->spec_path, "-") == 0;

    for (size_t i = 0; i < c->operand_count; i++) {
        if (is_stdin && strcmp(c->operands[i], "-") == 0) {
            return cli_fail_usage(c,
                                  "Only one of the input and the spec can be standard input.");
        }
    }
    shoal_status st = shoal_spec_read(c->ctx, c->spec, c->spec_path);
    int code = st == SHOAL_OK ? CLI_DONE : cli_fail(c, st);

    return st == SHOAL_EFORMAT || st == SHOAL_ELIMIT ? CLI_USAGE : code;
}

int cli_read_arguments(cli *c, int count, char **arguments)
{
    walk w = {.arguments = arguments, .count = count};
    int code = read_all(c, &w);

    if (code != CLI_DONE || c->help || c->help_all) {
        return code;
    }
    if (c->operand_count < c->command->operands_min) {
        return cli_fail_usage(c, "Expected %s; got %zu.", c->command->operands_expected,
                              c->operand_count);
    }
    if (c->spec_path) {
        code = read_spec(c);
    }
    w.is_second = true;
    w.given_count = 0;
    return code == CLI_DONE ? read_all(c, &w) : code;
}

/* --- Help. ------------------------------------------------------------------------------ */

/* Words, broken into lines that start at the column of the help. */
static void print_wrapped(const char *text)
{
    int width = HELP_COLUMN;

    while (*text) {
        int length = (int)strcspn(text, " ");

        if (width + 1 + length > LINE_WIDTH) {
            printf("\n%*s", HELP_COLUMN, "");
            width = HELP_COLUMN;
        }
        width += printf("%s%.*s", width > HELP_COLUMN ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(const cli_option *option)
{
    int width = option->letter ? printf("  -%c, --%s", option->letter, option->name)
                               : printf("      --%s", option->name);

    char value[VALUE_MOST];

    if (option->value) {
        width += printf(" %s", name_value(value, option));
    }
    if (width + 2 > HELP_COLUMN) {
        printf("\n%*s", HELP_COLUMN, "");
    } else {
        printf("%*s", HELP_COLUMN - width, "");
    }
    print_wrapped(option->help ? option->help : find_facts(option->setting).help);
}

void cli_print_exit_codes(void)
{
    puts("Exit codes:\n"
         "  0  done\n"
         "  1  failed: a file could not be read or written, or its content is wrong\n"
         "  2  the command line or the spec makes no sense\n"
         "  3  the requirement cannot be met, for instance k is larger than the table\n"
         "  4  a check came out negative (verify, hierarchy check, limits of frontier), or "
         "there\n"
         "     are warnings under --strict\n"
         "  130  stopped by Ctrl-C; no file was written");
}

static void print_groups(const cli_command *command)
{
    for (size_t g = 0; command->groups[g]; g++) {
        printf("\n%s:\n", command->groups[g]->title);
        for (const cli_option *o = command->groups[g]->options; o->name; o++) {
            print_option(o);
        }
    }
}

/* Those of the list, in its order, and how to see the rest. */
static void print_basics(const cli_command *command)
{
    puts("\nOptions that everybody needs:");
    for (size_t i = 0; command->basics[i]; i++) {
        const char *name = command->basics[i];

        print_option(find_option(command, has_name, name, strlen(name)));
    }
    puts("");
    print_option(find_option(command, has_name, "help-all", strlen("help-all")));
}

void cli_print_help(const cli_command *command, bool with_all)
{
    printf("shoal %s: %s\n\nUsage: shoal %s %s\n\n%s\n", command->name, command->summary,
           command->name, command->usage, command->description);
    if (command->basics && !with_all) {
        print_basics(command);
    } else {
        print_groups(command);
    }
    printf("\nExamples:\n%s\n", command->examples);
    cli_print_exit_codes();
}

/* The option, of any command, that makes a setting. */
static const cli_option *find_flag(const cli_command *const *commands, size_t count,
                                   const char *key)
{
    const cli_option *found = NULL;

    for (size_t i = 0; i < count && !found; i++) {
        found = cli_find_setting(commands[i], key, strlen(key));
    }
    return found;
}

void cli_print_settings(const cli_command *const *commands, size_t count)
{
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;
    char values[VALUE_MOST];

    puts("The settings of a spec, their values, defaults and options. A dot is a level of the\n"
         "file; docs/formats.md tells more.\n");
    for (size_t i = 0; shoal_setting_describe(&facts, i); i++) {
        const cli_option *option = find_flag(commands, count, facts.key);

        snprintf(values, sizeof values, "%s", facts.range ? facts.range : "");
        if (!facts.range) {
            join_words(values, facts.words);
        }
        printf("%s: %s", facts.key, values);
        if (facts.standard) {
            printf(" (%s)", facts.standard);
        }
        if (option) {
            printf("; --%s", option->name);
        }
        printf("\n%*s", HELP_COLUMN, "");
        print_wrapped(facts.help);
    }
}
