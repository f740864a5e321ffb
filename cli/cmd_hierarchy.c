#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool apply_plan(cli *c, const cli_option *option, const char *value)
{
    if (c->plan) {
        cli_fail_usage(c, "A hierarchy is made in one way; --%s is a second.", option->name);
        return false;
    }
    c->plan = option->name;
    c->plan_value = value;
    return true;
}

static bool apply_lines(cli *c, const cli_option *option, const char *value)
{
    uint64_t lines = 0;

    if (!cli_parse_count(c, &lines, option, value, 0, UINT64_MAX)) {
        return false;
    }
    c->tree_lines = lines < SIZE_MAX ? (size_t)lines : SIZE_MAX;
    return true;
}

static const cli_option column_options[] = {
    CLI_TEXT(0, "column", "NAME", "the column of FILE that the hierarchy is for (required)",
             column),
    {0},
};

static const cli_group column_group = {"Column", column_options};

static const cli_option plan_options[] = {
    CLI_OPTION(0, "flat", NULL, "one root * over all values", apply_plan, false),
    CLI_OPTION(0, "prefix", "N",
               "mask N characters one by one from the right, 53711 -> 5371* -> ... -> *; 0: as "
               "many as "
               "the longest value has",
               apply_plan, false),
    CLI_TEXT(
        0, "separators", "SIGNS",
        "of --prefix: cut values at these first, C50.9 -> C50 -> C5* with --prefix 3 and \".\"",
        separators),
    CLI_OPTION(0, "widths", "W,...",
               "intervals of these widths, each a multiple of the one before", apply_plan,
               false),
    CLI_TEXT(0, "origin", "X", "where the intervals of --widths start (0)", origin),
    CLI_OPTION(0, "breaks", "B,...;B,...",
               "intervals between these numbers, one list per level from fine to coarse",
               apply_plan, false),
    CLI_OPTION(0, "dates", NULL, "day, month, quarter, year, decade", apply_plan, false),
    CLI_OPTION(
        0, "codes", "SYSTEM[:OTHER]",
        "groups of known codes: icd10 (A15.0 -> A15 -> A15-A19 -> A00-B99), countries, nuts or "
        "isco; what is no such code is a mistake, or in the group OTHER",
        apply_plan, false),
    {0},
};

static const cli_group plan_group = {
    "How it is made (build, show; without any of these, a column of texts is flat)",
    plan_options};

static const cli_option output_options[] = {
    CLI_TEXT('o', "output", "FILE", "where to write it; - is standard output (-)", output),
    CLI_SWITCH(0, "outline",
               "build: write an indented outline, which is easier to edit by hand", outline),
    {0, "lines", "N", "show: at most N lines of the tree (0: all)", apply_lines, NULL, false,
     0},
    {0},
};

static const cli_group output_group = {"Result", output_options};

/* The hierarchy as a spec says it: a file when there is one, else the word with its value. */
static char *compose_plan(const cli *c, const char *file)
{
    /* A file that is called flat, or prefix:5, is a file all the same. */
    bool is_word = file && !strchr(file, '/') && (!strchr(file, '.') || strchr(file, ':'));
    bool is_all = c->plan_value && strcmp(c->plan_value, "0") == 0 && c->plan[0] == 'p';
    const char *value = c->plan_value && !is_all ? c->plan_value : NULL;
    bool is_codes = c->plan && strcmp(c->plan, "codes") == 0;
    size_t size = strlen(file ? file : c->plan) + (value ? strlen(value) : 0) +
                  (c->origin ? strlen(c->origin) : 0) +
                  (c->separators ? strlen(c->separators) : 0) + sizeof "./:@@";
    char *plan = malloc(size);

    if (plan && file) {
        snprintf(plan, size, "%s%s", is_word ? "./" : "", file);
    } else if (plan && is_codes) {
        snprintf(plan, size, "%s", value);
    } else if (plan) {
        const char *at = c->origin ? c->origin : c->separators;

        snprintf(plan, size, "%s%s%s%s%s", c->plan, value ? ":" : "", value ? value : "",
                 at ? "@" : "", at ? at : "");
    }
    return plan;
}

/* Build it from the file of a hierarchy, or by the options when file is NULL. */
static shoal_status build(cli *c, shoal_hierarchy **out, const char *file)
{
    shoal_status st = SHOAL_OK;
    char *plan = NULL;

    if (file || c->plan) {
        plan = compose_plan(c, file);
        if (!plan) {
            return SHOAL_ENOMEM;
        }
        st = shoal_spec_set_hierarchy(c->ctx, c->spec, c->column, plan);
        free(plan);
    } else {
        st = shoal_spec_set_type(c->ctx, c->spec, c->column, "auto");
    }
    return st == SHOAL_OK
               ? shoal_hierarchy_build_spec(c->ctx, out, c->spec, c->operands[1], c->column)
               : st;
}

static void print_json(const shoal_hierarchy *hierarchy)
{
    printf("{\n  \"command\": \"hierarchy\",\n  \"leaves\": %zu,\n  \"nodes\": %zu,\n  "
           "\"height\": %d\n}\n",
           shoal_hierarchy_leaf_count(hierarchy), shoal_hierarchy_node_count(hierarchy),
           shoal_hierarchy_height(hierarchy));
}

/* --- Subcommands. ----------------------------------------------------------------------- */

static int run_build(cli *c)
{
    shoal_hierarchy *hierarchy = NULL;
    const char *output = c->output ? c->output : "-";
    shoal_status st = SHOAL_OK;

    if (c->operand_count > 2) {
        return cli_fail_usage(c,
                              "build expects one file; the hierarchy comes from its column.");
    }
    if (c->json && strcmp(output, "-") == 0) {
        return cli_fail_usage(c,
                              "The hierarchy and --json both want the standard output; give -o "
                              "FILE.");
    }
    int code = cli_check_distinct(c, c->operands[1], c->output, "The hierarchy");

    if (code != CLI_DONE) {
        return code;
    }
    st = build(c, &hierarchy, NULL);
    if (st == SHOAL_OK) {
        st = c->outline ? shoal_hierarchy_write_outline(c->ctx, hierarchy, output)
                        : shoal_hierarchy_write(c->ctx, hierarchy, output);
    }
    if (st == SHOAL_OK && c->json) {
        print_json(hierarchy);
    }
    shoal_hierarchy_free(hierarchy);
    return st == SHOAL_OK ? CLI_DONE : cli_fail(c, st);
}

static int run_check(cli *c)
{
    shoal_hierarchy *hierarchy = NULL;

    if (c->operand_count != 3 || c->plan) {
        return cli_fail_usage(c, "check expects two files, the table and the hierarchy.");
    }
    shoal_status st = build(c, &hierarchy, c->operands[2]);

    if (st == SHOAL_OK && c->json) {
        print_json(hierarchy);
    } else if (st == SHOAL_OK && !c->quiet) {
        printf("%s fits column %s: %zu values, %zu nodes, height %d\n", c->operands[2],
               c->column, shoal_hierarchy_leaf_count(hierarchy),
               shoal_hierarchy_node_count(hierarchy), shoal_hierarchy_height(hierarchy));
    }
    shoal_hierarchy_free(hierarchy);
    if (st == SHOAL_OK) {
        return CLI_DONE;
    }
    int code = cli_fail(c, st);
    bool is_of_content = st == SHOAL_EFORMAT || st == SHOAL_ELIMIT;
    bool is_negative =
        is_of_content && strcmp(shoal_ctx_error(c->ctx)->source, c->operands[1]) != 0;

    return is_negative ? CLI_NEGATIVE : code;
}

/* Paths become an outline, an outline paths. */
static int run_convert(cli *c)
{
    if (c->operand_count > 2 || c->column || c->plan) {
        return cli_fail_usage(c, "convert expects one hierarchy file, and no column.");
    }
    int code = cli_check_distinct(c, c->operands[1], c->output, "The hierarchy");

    if (code != CLI_DONE) {
        return code;
    }
    shoal_status st =
        shoal_hierarchy_convert(c->ctx, c->operands[1], c->output ? c->output : "-");

    return st == SHOAL_OK ? CLI_DONE : cli_fail(c, st);
}

static int run_show(cli *c)
{
    shoal_hierarchy *hierarchy = NULL;
    const char *file = c->operand_count > 2 ? c->operands[2] : NULL;

    if (file && c->plan) {
        return cli_fail_usage(c, "A hierarchy is made in one way; --%s is a second.", c->plan);
    }
    shoal_status st = build(c, &hierarchy, file);

    if (st == SHOAL_OK && c->json) {
        print_json(hierarchy);
    } else if (st == SHOAL_OK) {
        st = shoal_hierarchy_print(c->ctx, hierarchy, c->output ? c->output : "-",
                                   c->tree_lines);
    }
    shoal_hierarchy_free(hierarchy);
    return st == SHOAL_OK ? CLI_DONE : cli_fail(c, st);
}

/* Whether "SYSTEM[:OTHER]" names a system of codes. */
static bool is_system(const char *text)
{
    size_t length = strcspn(text, ":");
    const char *name = NULL;

    for (size_t i = 0; (name = shoal_hierarchy_codes_name(i)) != NULL; i++) {
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            return true;
        }
    }
    return false;
}

static int fail_system(cli *c)
{
    char list[256] = "";
    const char *name = NULL;

    for (size_t i = 0; (name = shoal_hierarchy_codes_name(i)) != NULL; i++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", name);
    }
    return cli_fail_usage(c, "--codes expects one of %s; got \"%.40s\".", list, c->plan_value);
}

static int run(cli *c)
{
    static const char *const names[] = {"build", "check", "show", "convert"};
    static int (*const functions[])(cli *) = {run_build, run_check, run_show, run_convert};
    const size_t count = sizeof names / sizeof *names;

    size_t i = 0;

    while (i < count && strcmp(c->operands[0], names[i]) != 0) {
        i++;
    }
    if (i == count) {
        const char *near = shoal_nearest(c->operands[0], names, count);

        return cli_fail_usage(c, "Expected build, check, show or convert; got \"%.80s\"%s%s%s",
                              c->operands[0], near ? "; did you mean \"" : "", near ? near : "",
                              near ? "\"?" : ".");
    }
    if (c->outline && functions[i] != run_build) {
        return cli_fail_usage(c, "--outline goes with build; %s has no use for it.", names[i]);
    }
    if (functions[i] == run_convert) {
        return run_convert(c);
    }
    if (!c->column) {
        return cli_fail_usage(c, "Say which column the hierarchy is for: --column NAME.");
    }
    if (c->origin && !(c->plan && strcmp(c->plan, "widths") == 0)) {
        return cli_fail_usage(c, "--origin goes with --widths.");
    }
    if (c->separators && !(c->plan && strcmp(c->plan, "prefix") == 0)) {
        return cli_fail_usage(c, "--separators goes with --prefix.");
    }
    if (c->plan && strcmp(c->plan, "codes") == 0 && !is_system(c->plan_value)) {
        return fail_system(c);
    }
    if (c->tree_lines > 0 && functions[i] != run_show) {
        return cli_fail_usage(c, "--lines goes with show; %s has no use for it.", names[i]);
    }
    if (c->output && functions[i] == run_check) {
        return cli_fail_usage(c, "check writes no file; -o goes with build and show.");
    }
    return functions[i](c);
}

const cli_command cli_hierarchy = {
    .name = "hierarchy",
    .summary =
        "build a generalization hierarchy, check one against a column, show or convert it",
    .usage = "build FILE --column NAME [HOW] [-o HIERARCHY]\n"
             "       shoal hierarchy check FILE --column NAME HIERARCHY\n"
             "       shoal hierarchy show FILE --column NAME [HOW | HIERARCHY]\n"
             "       shoal hierarchy convert HIERARCHY [-o HIERARCHY]",
    .description =
        "A hierarchy file has one line per value, value;coarser;...;* , without a header. "
        "build\n"
        "makes one for the values of a column, to be edited or used as it is. check tells "
        "whether\n"
        "a file covers every value of a column and hangs together; the exit code is 4 when it\n"
        "does not. show prints the tree. A file may be an indented outline instead, one label "
        "per\n"
        "line below its group; build --outline writes one, convert makes one from the other.",
    .examples = "  shoal generate census --records 1000 -o people.csv\n"
                "  shoal hierarchy build people.csv --column zip --prefix 5 -o zip.csv\n"
                "  shoal hierarchy check people.csv --column zip zip.csv\n"
                "  shoal hierarchy show people.csv --column age --widths 5,10,20 --lines 12\n",
    .groups =
        (const cli_group *const[]){&column_group, &plan_group, &output_group, &cli_input_group,
                                   &cli_tokens_group, &cli_common_group, NULL},
    .operands_min = 2,
    .operands_max = 3,
    .operands_expected = "build, check, show or convert, a file, and for check a hierarchy",
    .run = run,
};
