#include "cli.h"

#include <stdio.h>

static void print_text(void)
{
    for (size_t m = 0; shoal_method_name(m); m++) {
        printf("%s\n  %s\n", shoal_method_name(m), shoal_method_summary(m));
        for (size_t i = 0; shoal_method_option_name(m, i); i++) {
            printf("  %-10s %s\n", shoal_method_option_name(m, i),
                   shoal_method_option_help(m, i));
        }
    }
}

/* Names and texts of the tables need no escaping. */
static void print_json(void)
{
    puts("[");
    for (size_t m = 0; shoal_method_name(m); m++) {
        printf("%s  {\"name\": \"%s\", \"summary\": \"%s\", \"options\": [", m > 0 ? ",\n" : "",
               shoal_method_name(m), shoal_method_summary(m));
        for (size_t i = 0; shoal_method_option_name(m, i); i++) {
            printf("%s\"%s\"", i > 0 ? ", " : "", shoal_method_option_name(m, i));
        }
        printf("]}");
    }
    puts("\n]");
}

static int run(cli *c)
{
    if (c->json) {
        print_json();
    } else {
        print_text();
    }
    return CLI_DONE;
}

const cli_command cli_methods = {
    .name = "methods",
    .summary = "list the methods of anonymization and their options",
    .usage = "[options]",
    .description =
        "Methods and options are named in --method NAME[:key=value,...] and in a spec.",
    .examples = "  shoal methods\n",
    .groups = (const cli_group *const[]){&cli_common_group, NULL},
    .operands_min = 0,
    .operands_max = 0,
    .operands_expected = "no file",
    .run = run,
};
