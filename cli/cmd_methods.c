#include "cli.h"

#include <stdio.h>
#include <string.h>

#define LABEL_WIDTH 10
#define LINE_WIDTH 96
#define METHODS_MAX 64

/* --- Text. ------------------------------------------------------------------------------ */

/* "  label     text", the text wrapped under itself. */
static void print_fact(const char *label, const char *text)
{
    size_t indent = 2 + LABEL_WIDTH + 1;
    size_t at = indent;

    printf("  %-*s ", LABEL_WIDTH, label);
    if (strlen(label) > LABEL_WIDTH) {
        printf("\n%*s", (int)indent, "");
    }
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " ");

        if (at > indent && at + 1 + length > LINE_WIDTH) {
            printf("\n%*s", (int)indent, "");
            at = indent;
        }
        at += (size_t)printf("%s%.*s", at > indent ? " " : "", (int)length, word);
        word += length;
        word += *word == ' ';
    }
    putchar('\n');
}

/* Append to a line of text, as far as it has room. */
static void add_text(char *line, size_t capacity, const char *text)
{
    size_t length = strlen(line);

    snprintf(line + length, capacity - length, "%s", text);
}

/* "help (default 3; 1 to 6)", "help (default mondrian; or topdown, best)" */
static void print_option(const shoal_option_facts *option)
{
    char line[2048];
    char number[128];

    snprintf(line, sizeof line, "%s (default ", option->help);
    if (option->words) {
        const char *joint = "; or ";

        add_text(line, sizeof line, option->words[(size_t)option->standard]);
        for (size_t i = 0; option->words[i]; i++) {
            if (i != (size_t)option->standard) {
                add_text(line, sizeof line, joint);
                add_text(line, sizeof line, option->words[i]);
                joint = ", ";
            }
        }
    } else {
        snprintf(number, sizeof number, "%.15g; %.15g to %.15g", option->standard,
                 option->least, option->most);
        add_text(line, sizeof line, number);
    }
    add_text(line, sizeof line, ")");
    print_fact(option->name, line);
}

/* "all requirements", or those it cannot honour and why, a reason at a time. */
static void print_honours(size_t method)
{
    bool is_first = true;

    for (size_t i = 0; shoal_requirement_key(i); i++) {
        const char *reason = shoal_method_refusal(method, i);
        bool is_told = !reason;
        char line[2048] = "";

        for (size_t before = 0; before < i && !is_told; before++) {
            const char *other = shoal_method_refusal(method, before);

            is_told = other && strcmp(other, reason) == 0;
        }
        for (size_t j = i; !is_told && shoal_requirement_key(j); j++) {
            const char *other = shoal_method_refusal(method, j);

            if (other && strcmp(other, reason) == 0) {
                add_text(line, sizeof line, j > i ? ", " : is_first ? "all but " : "and but ");
                add_text(line, sizeof line, shoal_requirement_title(j));
            }
        }
        if (!is_told) {
            add_text(line, sizeof line, ": ");
            add_text(line, sizeof line, reason);
            print_fact(is_first ? "honours" : "", line);
            is_first = false;
        }
    }
    if (is_first) {
        print_fact("honours", "all requirements");
    }
}

static const char *describe_shape(const shoal_method_facts *facts)
{
    if (facts->publishes_in_two) {
        return "buckets: records as they are, sensitive values of each bucket in a second file";
    }
    return strcmp(facts->shape, "records") == 0 ? "records: a box of its own for each record"
                                                : "classes: records of a class look alike";
}

static void print_method(size_t method)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;
    shoal_option_facts option = SHOAL_OPTION_FACTS_INIT;

    shoal_method_describe(&facts, method);
    printf("%s\n  %s\n", facts.name, facts.summary);
    print_fact("release", describe_shape(&facts));
    print_fact("cost", facts.cost);
    print_honours(method);
    if (facts.needs_sensitive) {
        print_fact("needs", "a requirement about a sensitive column");
    } else if (facts.publishes_in_two) {
        print_fact("needs", "a sensitive column");
    }
    if (facts.publishes_in_two) {
        print_fact("note",
                   "identities are not hidden, only sensitive values are protected; k is "
                   "the size of a bucket");
    }
    for (size_t i = 0; shoal_method_option_describe(&option, method, i); i++) {
        print_option(&option);
    }
    print_fact("after", facts.citation);
}

/* One in full: every requirement by itself. */
static void print_requirements(size_t method)
{
    puts("requirements");
    for (size_t i = 0; shoal_requirement_key(i); i++) {
        const char *reason = shoal_method_refusal(method, i);
        char line[1024] = "";

        add_text(line, sizeof line, shoal_requirement_title(i));
        add_text(line, sizeof line, reason ? ": no, " : ": yes");
        add_text(line, sizeof line, reason ? reason : "");
        print_fact(shoal_requirement_key(i), line);
    }
}

/* --- JSON. ------------------------------------------------------------------------------ */

static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putchar('\\');
        }
        putchar(*text);
    }
    putchar('"');
}

static void print_member(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    print_string(text);
}

static void print_json_option(const shoal_option_facts *option)
{
    printf("{\"name\": ");
    print_string(option->name);
    print_member("help", option->help);
    if (!option->words) {
        printf(", \"default\": %.15g, \"least\": %.15g, \"most\": %.15g}", option->standard,
               option->least, option->most);
        return;
    }
    print_member("default", option->words[(size_t)option->standard]);
    printf(", \"values\": [");
    for (size_t i = 0; option->words[i]; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_string(option->words[i]);
    }
    printf("]}");
}

static void print_json_requirements(size_t method)
{
    printf("\n   \"requirements\": [");
    for (size_t i = 0; shoal_requirement_key(i); i++) {
        const char *reason = shoal_method_refusal(method, i);

        printf("%s\n    {\"key\": ", i > 0 ? "," : "");
        print_string(shoal_requirement_key(i));
        if (shoal_requirement_kind(i)[0]) {
            print_member("kind", shoal_requirement_kind(i));
        }
        print_member("title", shoal_requirement_title(i));
        printf(", \"honoured\": %s", reason ? "false" : "true");
        if (reason) {
            print_member("reason", reason);
        }
        putchar('}');
    }
    printf("]");
}

static void print_json_method(size_t method)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;
    shoal_option_facts option = SHOAL_OPTION_FACTS_INIT;

    shoal_method_describe(&facts, method);
    printf("  {\"name\": ");
    print_string(facts.name);
    print_member("summary", facts.summary);
    print_member("shape", facts.shape);
    print_member("cost", facts.cost);
    print_member("citation", facts.citation);
    printf(", \"needs_sensitive_column\": %s, \"needs_sensitive_requirement\": %s,\n"
           "   \"options\": [",
           facts.publishes_in_two || facts.needs_sensitive ? "true" : "false",
           facts.needs_sensitive ? "true" : "false");
    for (size_t i = 0; shoal_method_option_describe(&option, method, i); i++) {
        printf("%s", i > 0 ? ",\n    " : "");
        print_json_option(&option);
    }
    printf("],");
    print_json_requirements(method);
    printf("}");
}

/* --- The command. ----------------------------------------------------------------------- */

static int fail_unknown(cli *c, const char *name)
{
    const char *names[METHODS_MAX];
    size_t count = 0;

    for (; count < METHODS_MAX && shoal_method_name(count); count++) {
        names[count] = shoal_method_name(count);
    }
    const char *nearest = shoal_nearest(name, names, count);

    return nearest
               ? cli_fail_usage(c, "There is no method '%s'; did you mean '%s'?", name, nearest)
               : cli_fail_usage(c, "There is no method '%s'; 'shoal methods' lists them.",
                                name);
}

static int run(cli *c)
{
    size_t first = 0;
    size_t end = 0;

    while (shoal_method_name(end)) {
        end++;
    }
    if (c->operand_count > 0) {
        while (first < end && strcmp(shoal_method_name(first), c->operands[0]) != 0) {
            first++;
        }
        if (first == end) {
            return fail_unknown(c, c->operands[0]);
        }
        end = first + 1;
    }
    if (c->json) {
        puts("[");
    }
    for (size_t method = first; method < end; method++) {
        if (c->json) {
            print_json_method(method);
            puts(method + 1 < end ? "," : "\n]");
        } else {
            print_method(method);
        }
    }
    if (c->operand_count > 0 && !c->json) {
        print_requirements(first);
    }
    return CLI_DONE;
}

const cli_command cli_methods = {
    .name = "methods",
    .summary = "list the methods of anonymization: what they make, cost, honour and take",
    .usage = "[METHOD] [options]",
    .description =
        "Of each method: the shape of its release, its cost, the requirements it honours, its "
        "options with\ntheir defaults and ranges, and where it is from. With a name, that one "
        "in full. Methods and options\nare named in --method NAME[:key=value,...] and in a "
        "spec.",
    .examples = "  shoal methods\n"
                "  shoal methods anatomy\n",
    .groups = (const cli_group *const[]){&cli_common_group, NULL},
    .operands_min = 0,
    .operands_max = 1,
    .operands_expected = "at most one method",
    .run = run,
};
