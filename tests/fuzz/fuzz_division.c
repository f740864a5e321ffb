/* fuzz_division.c -- any bytes as the inside of a division, values, counts or classes, behind
 * a frame and a digest that are right: read or refused, and what was read can be used.
 *
 * The first byte tells what the others are to be, the method of the spec, and whether persons
 * are counted. */
#include "fuzz.h"

#include <shoal/csv.h>
#include <shoal/division.h>

#include "job/division/division.h"

#include <string.h>

static const char people[] = "age,town,ill,note\n30,a,x,1\n31,a,y,2\n40,b,x,3\n41,b,y,4\n"
                             "50,b,x,5\n51,a,y,6\n60,c,x,7\n61,c,y,8\n";

/* The note is whose record it is; two have several. */
static const char visits[] = "age,town,ill,note\n30,a,x,1\n31,a,y,2\n40,b,x,3\n41,b,y,4\n"
                             "50,b,z,1\n51,a,y,6\n60,c,x,3\n61,c,z,8\n";

static shoal_spec *make_spec(shoal_ctx *ctx, bool searches, bool has_persons)
{
    shoal_spec *spec = NULL;

    MUST(shoal_spec_new(ctx, &spec) == SHOAL_OK);
    MUST(shoal_spec_set_role(ctx, spec, "age", SHOAL_ROLE_QUASI) == SHOAL_OK);
    MUST(shoal_spec_set_role(ctx, spec, "town", SHOAL_ROLE_QUASI) == SHOAL_OK);
    MUST(shoal_spec_set_role(ctx, spec, "ill", SHOAL_ROLE_SENSITIVE) == SHOAL_OK);
    MUST(shoal_spec_set(ctx, spec, "privacy.k", "2") == SHOAL_OK);
    if (has_persons) {
        MUST(shoal_spec_set_role(ctx, spec, "note", SHOAL_ROLE_PERSON) == SHOAL_OK);
        MUST(shoal_spec_set(ctx, spec, "privacy.alpha", "0.9:x,y") == SHOAL_OK);
    }
    MUST(shoal_spec_set(ctx, spec, "privacy.l", "distinct:2") == SHOAL_OK);
    MUST(shoal_spec_set(ctx, spec, "method", searches ? "topdown" : "mondrian") == SHOAL_OK);
    return spec;
}

/* What was read is as good as what was built: it is written, cut, and asked about records. */
static void use_division(shoal_ctx *ctx, shoal_division *division, const shoal_spec *spec,
                         const shoal_table *table)
{
    char *bytes = NULL;
    size_t size = 0;
    size_t open = 0;
    shoal_division *again = NULL;
    shoal_counts *counts = NULL;
    uint32_t fragments[8];

    MUST(shoal_division_write_memory(ctx, &bytes, &size, division) == SHOAL_OK);
    MUST(shoal_division_read_memory(ctx, &again, spec, bytes, size) == SHOAL_OK);
    shoal_bytes_free(bytes);
    shoal_division_free(again);
    if (shoal_division_route(ctx, fragments, division, table) == SHOAL_OK) {
        for (size_t i = 0; i < 8; i++) {
            MUST(fragments[i] < shoal_division_fragment_count(division));
        }
    }
    MUST(shoal_division_cut(ctx, &open, division, NULL, 3) == SHOAL_OK);
    shoal_status st = shoal_division_count(ctx, &counts, division, table);

    if (st == SHOAL_OK) {
        st = shoal_division_cut(ctx, &open, division, counts, 3);
        if (st != SHOAL_OK) {
            check_failure(ctx, st);
        }
    }
    shoal_counts_free(counts);
}

static shoal_division *build(shoal_ctx *ctx, const shoal_spec *spec, const shoal_table *table)
{
    shoal_values *values = NULL;
    shoal_division *division = NULL;
    size_t open = 0;

    MUST(shoal_values_count(ctx, &values, spec, table) == SHOAL_OK);
    MUST(shoal_division_build(ctx, &division, spec, values) == SHOAL_OK);
    MUST(shoal_division_cut(ctx, &open, division, NULL, 3) == SHOAL_OK);
    shoal_values_free(values);
    return division;
}

static shoal_status read_kind(shoal_ctx *ctx, shoal_i_portable_kind kind,
                              const shoal_spec *spec, const shoal_table *table,
                              shoal_division *division, const char *bytes, size_t size)
{
    shoal_status st = SHOAL_OK;
    shoal_values *values = NULL;
    shoal_division *read = NULL;
    shoal_counts *counts = NULL;
    shoal_classes *classes = NULL;
    shoal_division_outcome outcome = SHOAL_DIVISION_OUTCOME_INIT;
    size_t open = 0;

    switch (kind) {
    case SHOAL_I_PORTABLE_VALUES:
        st = shoal_values_read_memory(ctx, &values, spec, bytes, size);
        if (st == SHOAL_OK) {
            st = shoal_division_build(ctx, &read, spec, values);
        }
        break;
    case SHOAL_I_PORTABLE_DIVISION:
        st = shoal_division_read_memory(ctx, &read, spec, bytes, size);
        break;
    case SHOAL_I_PORTABLE_COUNTS:
        st = shoal_counts_read_memory(ctx, &counts, division, bytes, size);
        if (st == SHOAL_OK) {
            st = shoal_division_cut(ctx, &open, division, counts, 3);
        }
        break;
    case SHOAL_I_PORTABLE_CLASSES:
        st = shoal_classes_read_memory(ctx, &classes, spec, bytes, size);
        if (st == SHOAL_OK) {
            st = shoal_division_verify(ctx, &outcome, division, classes);
        }
        break;
    }
    if (read) {
        use_division(ctx, read, spec, table);
    }
    shoal_values_free(values);
    shoal_division_free(read);
    shoal_counts_free(counts);
    shoal_classes_free(classes);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_ctx *ctx = fuzz_ctx(1);
    shoal_table *table = NULL;
    shoal_i_buffer rest;
    char *bytes = NULL;
    size_t framed = 0;
    char digest[SHOAL_I_SHA256_HEX];

    if (size == 0) {
        return 0;
    }
    shoal_i_portable_kind kind = (shoal_i_portable_kind)(data[0] % 4);
    bool has_persons = data[0] / 8 % 2 == 1;
    shoal_spec *spec = make_spec(ctx, data[0] / 4 % 2 == 1, has_persons);
    const char *text = has_persons ? visits : people;

    MUST(shoal_csv_read_memory(ctx, &table, text, strlen(text), "people", NULL) == SHOAL_OK);
    shoal_division *division = build(ctx, spec, table);
    shoal_counts *counts = NULL;

    MUST(shoal_i_spec_digest(ctx, digest, spec) == SHOAL_OK);
    MUST(shoal_division_count(ctx, &counts, division, table) == SHOAL_OK);
    shoal_i_buffer_init(&rest, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_pack_text(&rest, kind == SHOAL_I_PORTABLE_COUNTS ? counts->digest : digest,
                      strlen(digest));
    shoal_i_buffer_put(&rest, data + 1, size - 1);
    MUST(shoal_i_pack_end(ctx, &bytes, &framed, kind, &rest) == SHOAL_OK);
    shoal_status st = read_kind(ctx, kind, spec, table, division, bytes, framed);

    if (st != SHOAL_OK) {
        check_failure(ctx, st);
        MUST(st != SHOAL_ENOMEM);
    }
    shoal_bytes_free(bytes);
    shoal_counts_free(counts);
    shoal_division_free(division);
    shoal_table_free(table);
    shoal_spec_free(spec);
    return 0;
}
