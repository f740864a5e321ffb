/* A program outside the tree that uses the installed library: reads a table and counts. */
#include <shoal/shoal.h>

#include <stdio.h>

int main(void)
{
    static const char text[] = "age,sex\n24,F\n30,M\n30,F\n";
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_table *table = NULL;
    shoal_spec *spec = NULL;

    if (shoal_csv_read_memory(ctx, &table, text, sizeof text - 1, "memory", NULL) != SHOAL_OK ||
        shoal_spec_new(ctx, &spec) != SHOAL_OK ||
        shoal_spec_set(ctx, spec, "privacy.k", "2") != SHOAL_OK) {
        fprintf(stderr, "%s\n", shoal_ctx_error(ctx)->message);
        return 1;
    }
    printf("%s: %zu records\n", shoal_version(), shoal_table_row_count(table));
    shoal_spec_free(spec);
    shoal_table_free(table);
    shoal_ctx_free(ctx);
    return 0;
}
