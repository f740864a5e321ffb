#include "cli.h"

#include <serve.h>

#include <string.h>

static bool apply_port(cli *c, const cli_option *option, const char *value)
{
    uint64_t port = 0;

    if (!cli_parse_count(c, &port, option, value, 0, 65535)) {
        return false;
    }
    c->port = (int)port;
    return true;
}

static const cli_option serve_options[] = {
    CLI_OPTION(0, "port", "N",
               "where to listen, on this machine alone (0: any port that is free)", apply_port,
               false),
    CLI_SWITCH(0, "no-browser", "print the address, and open no browser", no_browser),
    {0},
};

static const cli_group serve_group = {"Server", serve_options};

static int run(cli *c)
{
    char message[SHOAL_MESSAGE_MAX] = "";
    const server_options options = {
        .operand = c->operands[0],
        .port = c->port,
        .threads = shoal_ctx_threads(c->ctx),
        .with_browser = !c->no_browser,
        .is_stopped = cli_is_stopped,
    };

    if (c->operands[0] && strcmp(c->operands[0], "-") == 0) {
        return cli_fail_usage(c, "serve expects a file or a folder; - is neither.");
    }
    if (!server_run(&options, message, sizeof message)) {
        cli_say(c, "%s", message);
        return CLI_FAILED;
    }
    return CLI_DONE;
}

const cli_command cli_serve = {
    .name = "serve",
    .summary = "open the workbench, a page on this machine, from file to release",
    .usage = "[FILE|FOLDER] [--port N] [--no-browser]",
    .description =
        "Serves a page to this machine and to nobody else, and opens it in the browser: look "
        "at a file,\ndecide what its columns are, choose among releases, write one with its "
        "report. Files are read\nfrom and written to one folder: the given one, that of the "
        "given file, or the current one. The\naddress, with the token that lets in, is printed "
        "as one line. docs/server.md has every call.",
    .examples = "  shoal generate census --records 1000 -o people.csv\n"
                "  shoal serve people.csv --no-browser\n",
    .groups = (const cli_group *const[]){&serve_group, &cli_lasting_group, NULL},
    .operands_min = 0,
    .operands_max = 1,
    .operands_expected = "at most one file or folder",
    .run = run,
};
