/* The options of the program: each makes its setting just as shoal_spec_set does, and each
 * command has those of the settings that it uses. */
#include "cli.h"

#include "setting_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ARGUMENT_MOST 512

static const cli_command *const commands[] = {
    &cli_anonymize, &cli_verify,    &cli_measure,  &cli_refine,  &cli_query,    &cli_risk,
    &cli_inspect,   &cli_hierarchy, &cli_generate, &cli_methods, &cli_frontier, &cli_attack,
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static shoal_setting_facts find_facts(const char *key)
{
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;

    for (size_t i = 0; shoal_setting_describe(&facts, i); i++) {
        if (strcmp(facts.key, key) == 0) {
            return facts;
        }
    }
    fail_msg("there is no setting %s", key);
    return facts;
}

/* Whether a word is one of a list that spaces separate. */
static bool is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word)) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static char *write_yaml(shoal_ctx *ctx, const shoal_spec *spec)
{
    char *text = NULL;

    assert_int_equal(shoal_spec_write_yaml(ctx, &text, spec), SHOAL_OK);
    return text;
}

/* What a command makes of --NAME=VALUE, or of --NAME. */
static void assert_same(const cli_command *command, const cli_option *option, const char *value)
{
    cli c = {.command = command};
    char argument[ARGUMENT_MOST];
    char operand[] = "x";
    char *arguments[CLI_OPERANDS_MAX + 1];
    int count = 0;
    shoal_spec *expected = NULL;

    snprintf(argument, sizeof argument, option->value ? "--%s=%s" : "--%s", option->name,
             value);
    for (; count < (int)command->operands_min; count++) {
        arguments[count] = operand;
    }
    arguments[count++] = argument;
    assert_true(cli_open(&c));
    assert_int_equal(cli_read_arguments(&c, count, arguments), CLI_DONE);
    assert_int_equal(shoal_spec_new(c.ctx, &expected), SHOAL_OK);
    assert_int_equal(shoal_spec_set(c.ctx, expected, option->setting,
                                    option->value                         ? value
                                    : strcmp(option->name, "strict") == 0 ? "true"
                                    : strcmp(option->name, "spreadsheet-safe") == 0
                                        ? "spreadsheet"
                                        : "keep"),
                     SHOAL_OK);

    char *by_flag = write_yaml(c.ctx, c.spec);
    char *by_key = write_yaml(c.ctx, expected);

    assert_string_equal(by_flag, by_key);
    free(by_flag);
    free(by_key);
    shoal_spec_free(expected);
    cli_close(&c);
}

static void test_options_make_their_settings(void **state)
{
    size_t tried = 0;

    (void)state;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        for (size_t g = 0; commands[i]->groups[g]; g++) {
            for (const cli_option *o = commands[i]->groups[g]->options; o->name; o++) {
                if (!o->setting || !o->is_of_spec) {
                    continue;
                }
                shoal_setting_facts facts = find_facts(o->setting);

                for (size_t v = 0; find_good(&facts, v); v++, tried++) {
                    assert_same(commands[i], o, find_good(&facts, v));
                }
            }
        }
    }
    assert_true(tried > 300);
}

/* What has no option of its own: made by --report, by the environment, or in files only. */
static bool is_without_option(const char *key)
{
    static const char *const keys[] = {
        "report.detail", "temporary", "frontier.max.discernibility",
        "frontier.max.average_class_size", "frontier.max.distortion_ratio"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* inspect takes requirements and the like for the spec that it writes, without using them. */
static bool is_handed_on(const cli_command *command, const char *key)
{
    return command == &cli_inspect &&
           (strncmp(key, "privacy.", 8) == 0 || strncmp(key, "missing.", 8) == 0 ||
            strcmp(key, "strict") == 0 || strcmp(key, "accept") == 0);
}

static void test_commands_have_the_options_of_their_settings(void **state)
{
    shoal_setting_facts facts = SHOAL_SETTING_FACTS_INIT;

    (void)state;
    for (size_t i = 0; shoal_setting_describe(&facts, i); i++) {
        for (size_t n = 0; n < COMMAND_COUNT; n++) {
            bool is_used = is_listed(facts.runs, commands[n]->name);
            bool has_option = cli_find_setting(commands[n], facts.key, strlen(facts.key));

            if (is_used != has_option && !is_without_option(facts.key) &&
                !is_handed_on(commands[n], facts.key)) {
                fail_msg("%s %s %s", commands[n]->name,
                         is_used ? "has no option for"
                                 : "has an option for what it does not use,",
                         facts.key);
            }
        }
        assert_true(strlen(facts.runs) > 0);
    }
}

static void test_every_option_has_help(void **state)
{
    (void)state;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        for (size_t g = 0; commands[i]->groups[g]; g++) {
            for (const cli_option *o = commands[i]->groups[g]->options; o->name; o++) {
                assert_true(o->help || find_facts(o->setting).help);
                assert_true(!o->value || o->value[0] || find_facts(o->setting).words);
            }
        }
    }
}

/* Help leads with at most ten options, which there are. */
static void test_basics(void **state)
{
    (void)state;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        size_t count = 0;

        for (; commands[i]->basics && commands[i]->basics[count]; count++) {
            bool is_there = false;

            for (size_t g = 0; commands[i]->groups[g]; g++) {
                for (const cli_option *o = commands[i]->groups[g]->options; o->name; o++) {
                    is_there = is_there || strcmp(o->name, commands[i]->basics[count]) == 0;
                }
            }
            if (!is_there) {
                fail_msg("%s has no --%s", commands[i]->name, commands[i]->basics[count]);
            }
        }
        assert_true(count <= 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_make_their_settings),
        cmocka_unit_test(test_commands_have_the_options_of_their_settings),
        cmocka_unit_test(test_every_option_has_help),
        cmocka_unit_test(test_basics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
