/* anonymize.c -- the library in one page: from a CSV file to a verified release.
 *
 *     cc anonymize.c $(pkg-config --cflags --libs shoal) -o anonymize
 *     ./anonymize patients.csv release.csv
 *
 * The columns are described here, in code; patients.yaml says the same as a spec file, which
 * shoal_spec_read() would read instead.
 */
#include <shoal/shoal.h>

#include <stdio.h>

/* Positions are kept apart from the sentence: show them the way compilers do. */
static void print_error(const shoal_error *error)
{
    if (error->source[0] && error->line > 0) {
        fprintf(stderr, "%s:%lld:%lld: ", error->source, (long long)error->line,
                (long long)error->column);
    } else if (error->source[0]) {
        fprintf(stderr, "%s: ", error->source);
    }
    fprintf(stderr, "%s\n", error->message);
}

static shoal_status describe_columns(shoal_ctx *ctx, shoal_spec *spec)
{
    static const struct {
        const char *name;
        shoal_role role;
        const char *hierarchy; /* NULL: none */
    } columns[] = {
        {"name", SHOAL_ROLE_IDENTIFIER, NULL}, {"age", SHOAL_ROLE_QUASI, NULL},
        {"zip", SHOAL_ROLE_QUASI, "prefix:5"}, {"job", SHOAL_ROLE_QUASI, "flat"},
        {"sex", SHOAL_ROLE_QUASI, NULL},       {"diagnosis", SHOAL_ROLE_SENSITIVE, NULL},
    };
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < sizeof columns / sizeof *columns && st == SHOAL_OK; i++) {
        st = shoal_spec_set_role(ctx, spec, columns[i].name, columns[i].role);
        if (st == SHOAL_OK && columns[i].hierarchy) {
            st = shoal_spec_set_hierarchy(ctx, spec, columns[i].name, columns[i].hierarchy);
        }
    }
    return st;
}

/* Every record shall look like at least two others. Nothing is written unless that was
 * verified on the very bytes that are published. */
static shoal_status run(shoal_ctx *ctx, const char *input, const char *output)
{
    shoal_spec *spec = NULL;
    shoal_report *report = NULL;
    shoal_status st = shoal_spec_new(ctx, &spec);

    if (st == SHOAL_OK) {
        st = describe_columns(ctx, spec);
    }
    if (st == SHOAL_OK) {
        st = shoal_spec_set(ctx, spec, "privacy.k", "3");
    }
    if (st == SHOAL_OK) {
        st = shoal_anonymize(ctx, &report, spec, input, output);
    }
    if (st == SHOAL_OK) {
        printf("records %.0f\nclasses %.0f\nsmallest class %.0f\ninformation lost %.1f %%\n",
               shoal_report_figure(report, "records"), shoal_report_figure(report, "classes"),
               shoal_report_figure(report, "smallest_class"),
               100 * shoal_report_figure(report, "gcp"));
    }
    shoal_report_free(report);
    shoal_spec_free(spec);
    return st;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: anonymize INPUT.csv OUTPUT.csv\n");
        return 2;
    }
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_status st = run(ctx, argv[1], argv[2]);

    if (st != SHOAL_OK) {
        print_error(shoal_ctx_error(ctx));
    }
    shoal_ctx_free(ctx);
    return st == SHOAL_OK ? 0 : 1;
}
