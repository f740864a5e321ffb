/* generate_spec.c -- the spec that goes with a synthetic table. */
#include "generate_record.h"

#include "../../base/buffer.h"
#include "../../base/entry.h"
#include "../../base/fail.h"
#include "../../base/file.h"

#include <string.h>

#define SPEC_MAX ((size_t)1 << 21)

static void put_census(shoal_i_buffer *out)
{
    const char *name = shoal_i_census_header;

    for (;;) {
        size_t length = strcspn(name, ",\n");
        bool is_last = name[length] == '\n';
        bool is_number = strncmp(name, "age", length) == 0 || is_last;

        shoal_i_buffer_printf(out, "  %.*s: {role: %s%s}\n", (int)length, name,
                              is_last ? "sensitive" : "quasi",
                              is_number ? ", type: integer" : "");
        if (is_last) {
            return;
        }
        name += length + 1;
    }
}

static void put_numbers(shoal_i_buffer *out, const shoal_generate_options *options)
{
    for (unsigned i = 0; i < options->dimensions; i++) {
        char name[SHOAL_I_GENERATE_NAME_MAX];
        char *end = shoal_i_generate_put_name(options, i, name);

        shoal_i_buffer_printf(out, "  %.*s: {role: quasi, type: integer", (int)(end - name),
                              name);
        if (options->kind == SHOAL_GENERATE_PAYMENTS) {
            shoal_i_buffer_printf(out, ", hierarchy: %s", shoal_i_payments_hierarchy(i));
        }
        shoal_i_buffer_printf(out, "}\n");
    }
}

shoal_status shoal_generate_spec(shoal_ctx *ctx, const char *path,
                                 const shoal_generate_options *options)
{
    SHOAL_ENTER(ctx, path, options);
    shoal_status st = SHOAL_OK;
    shoal_generate_options taken;
    shoal_i_output *output = NULL;
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SPEC_MAX);
    SHOAL_TRY(shoal_i_generate_take_options(ctx, &taken, options));
    shoal_i_buffer_printf(&text, "# Goes with a synthetic table; these people do not exist.\n"
                                 "columns:\n");
    if (taken.kind == SHOAL_GENERATE_CENSUS) {
        put_census(&text);
    } else {
        put_numbers(&text, &taken);
    }
    shoal_i_buffer_printf(&text, "privacy:\n  k: 5\n");
    SHOAL_TRY(shoal_i_buffer_status(&text));
    SHOAL_TRY(shoal_i_output_open(ctx, &output, path));
    SHOAL_TRY(shoal_i_output_write(ctx, output, text.data, text.size));
    SHOAL_TRY(shoal_i_output_publish(ctx, output));
done:
    shoal_i_output_free(output);
    shoal_i_buffer_clear(&text);
    return st;
}
