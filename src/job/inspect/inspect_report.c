/* An inspection in words, in JSON and as a spec to start from. */
#include "inspect.h"

#include "../../requirement/figure.h"

#include <math.h>
#include <string.h>

static const char *const evidence_words[] = {"caution", "name", "values", "spec"};

#define NAME_WIDTH_MIN 6
#define NAME_WIDTH_MAX 32

static double share(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* Characters of a text, not bytes. */
static size_t count_characters(const char *text)
{
    size_t count = 0;

    for (; *text; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

static void put_padded(shoal_i_buffer *out, const char *text, size_t width)
{
    size_t length = count_characters(text);

    shoal_i_buffer_printable(out, text);
    for (; length < width; length++) {
        shoal_i_buffer_char(out, ' ');
    }
}

static size_t find_name_width(const shoal_i_inspection *inspection)
{
    size_t width = NAME_WIDTH_MIN;

    for (size_t i = 0; i < inspection->column_count; i++) {
        size_t length = count_characters(inspection->columns[i].name);

        width = length > width ? length : width;
    }
    return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

/* --- Words. ----------------------------------------------------------------------------- */

static void put_column(shoal_i_buffer *out, const shoal_i_column_facts *facts, size_t records,
                       size_t width)
{
    put_padded(out, facts->name, width);
    shoal_i_buffer_printf(out, "  %-7s %9zu %8zu %7.1f%%  ", shoal_type_name(facts->type),
                          facts->distinct, facts->missing, 100 * share(facts->once, records));
    if (facts->note[0]) {
        shoal_i_buffer_printf(out, "%-11s  %s\n", shoal_role_name(facts->role), facts->note);
    } else {
        shoal_i_buffer_printf(out, "%s\n", shoal_role_name(facts->role));
    }
}

static void put_risk(shoal_i_buffer *out, const shoal_i_inspection *inspection)
{
    const char *joint = "";

    if (inspection->quasi_count == 0) {
        shoal_i_buffer_text(out, "\nNo column looks like a quasi-identifier.\n");
        return;
    }
    shoal_i_buffer_text(out, "\nBy the quasi-identifier (");
    for (size_t i = 0; i < inspection->column_count; i++) {
        if (inspection->columns[i].role == SHOAL_ROLE_QUASI) {
            shoal_i_buffer_text(out, joint);
            shoal_i_buffer_printable(out, inspection->columns[i].name);
            joint = ", ";
        }
    }
    shoal_i_buffer_printf(out, "):\n  %zu of %zu records are unique (%.1f%%)\n",
                          inspection->unique_records, inspection->records,
                          100 * share(inspection->unique_records, inspection->records));
    shoal_i_buffer_printf(out, "  k of the file as it is: %zu\n", inspection->smallest_class);
    shoal_i_buffer_printf(out,
                          "  risk of being singled out (prosecutor): %.1f%% at most, %.1f%% on "
                          "average\n",
                          100 * share(1, inspection->smallest_class),
                          100 * share(inspection->classes, inspection->records));
}

/* "alpha from 0.416667 on; l up to 2.4 (frequency), ...": rounded so that what is shown can be
 * asked for. */
static void put_bounds(shoal_i_buffer *out, const shoal_i_bounds *bounds)
{
    const struct {
        const char *kind;
        double l;
    } kinds[] = {
        {"frequency", bounds->l_frequency},
        {"distinct", bounds->l_distinct},
        {"entropy", bounds->l_entropy},
        {"recursive, c = 3", bounds->l_recursive},
    };
    char number[SHOAL_I_NUMBER_MAX];
    const char *joint = "";

    shoal_i_bound_up(number, bounds->alpha);
    shoal_i_buffer_printf(out, "alpha from %s on; l up to ", number);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!isnan(kinds[i].l)) {
            shoal_i_bound_down(number, kinds[i].l);
            shoal_i_buffer_printf(out, "%s%s (%s)", joint, number, kinds[i].kind);
            joint = ", ";
        }
    }
}

static void put_all_bounds(shoal_i_buffer *out, const shoal_i_inspection *inspection)
{
    const char *heading =
        inspection->persons > 0
            ? "\nRequirements that releases of the sensitive columns can meet, in persons:\n"
            : "\nRequirements that releases of the sensitive columns can meet:\n";

    for (size_t i = 0; i < inspection->column_count; i++) {
        const shoal_i_column_facts *facts = &inspection->columns[i];

        if (facts->role == SHOAL_ROLE_SENSITIVE) {
            shoal_i_buffer_printf(out, "%s  %s: ", heading, facts->name);
            put_bounds(out, &facts->bounds);
            shoal_i_buffer_char(out, '\n');
            heading = "";
        }
    }
}

void shoal_i_inspect_put_text(shoal_i_buffer *out, const shoal_i_inspection *inspection)
{
    size_t width = find_name_width(inspection);

    shoal_i_buffer_printf(out, "%zu records, %zu columns\n\n", inspection->records,
                          inspection->column_count);
    put_padded(out, "Column", width);
    shoal_i_buffer_text(out, "  Type     Distinct  Missing   Unique  Role         Why\n");
    for (size_t i = 0; i < inspection->column_count; i++) {
        put_column(out, &inspection->columns[i], inspection->records, width);
    }
    put_risk(out, inspection);
    if (inspection->missing_records > 0) {
        shoal_i_buffer_printf(out, "  %zu records lack a value there\n",
                              inspection->missing_records);
    }
    put_all_bounds(out, inspection);
}

/* --- JSON. ------------------------------------------------------------------------------ */

static void put_json_bounds(shoal_i_json *json, const shoal_i_bounds *bounds)
{
    shoal_i_json_object(json, "satisfiable");
    shoal_i_json_number(json, "alpha", bounds->alpha);
    shoal_i_json_object(json, "l");
    shoal_i_json_number(json, "frequency", bounds->l_frequency);
    shoal_i_json_number(json, "distinct", bounds->l_distinct);
    shoal_i_json_number(json, "entropy", bounds->l_entropy);
    shoal_i_json_object(json, "recursive");
    shoal_i_json_number(json, "c", SHOAL_I_BOUNDS_C);
    shoal_i_json_number(json, "l", bounds->l_recursive);
    shoal_i_json_end(json);
    shoal_i_json_end(json);
    shoal_i_json_end(json);
}

/* What the spec says of the column beside its role and type. */
static void put_json_proposal(shoal_i_json *json, const shoal_i_column_facts *facts)
{
    const shoal_i_column_reading *r = &facts->reading;

    if (facts->hierarchy[0]) {
        shoal_i_json_text(json, "hierarchy", facts->hierarchy);
    }
    if (facts->grid[0]) {
        shoal_i_json_text(json, "grid", facts->grid);
    }
    if (facts->instead[0]) {
        shoal_i_json_text(json, "hierarchy_instead", facts->instead);
    }
    if (r->date_format) {
        shoal_i_json_text(json, "date_format", r->date_format);
    }
    if (r->decimal && strcmp(r->decimal, ".") != 0) {
        shoal_i_json_text(json, "decimal", r->decimal);
    }
    if (r->thousands) {
        shoal_i_json_text(json, "thousands", r->thousands);
    }
}

static void put_json_column(shoal_i_json *json, const shoal_i_column_facts *facts,
                            size_t records)
{
    shoal_i_json_object(json, NULL);
    shoal_i_json_text(json, "name", facts->name);
    shoal_i_json_text(json, "type", shoal_type_name(facts->type));
    shoal_i_json_count(json, "distinct", facts->distinct);
    shoal_i_json_count(json, "missing", facts->missing);
    shoal_i_json_number(json, "unique_share", share(facts->once, records));
    shoal_i_json_text(json, "role", shoal_role_name(facts->role));
    shoal_i_json_bool(json, "role_guessed", !facts->is_given);
    shoal_i_json_text(json, "guessed_by", evidence_words[facts->evidence]);
    shoal_i_json_text(json, "note", facts->note);
    put_json_proposal(json, facts);
    if (facts->role == SHOAL_ROLE_SENSITIVE) {
        put_json_bounds(json, &facts->bounds);
    }
    shoal_i_json_end(json);
}

static void put_json_risk(shoal_i_json *json, const shoal_i_inspection *inspection)
{
    shoal_i_json_count(json, "classes", inspection->classes);
    shoal_i_json_count(json, "smallest_class", inspection->smallest_class);
    shoal_i_json_count(json, "unique_records", inspection->unique_records);
    shoal_i_json_count(json, "missing_records", inspection->missing_records);
    shoal_i_json_object(json, "prosecutor_risk");
    shoal_i_json_number(json, "highest", share(1, inspection->smallest_class));
    shoal_i_json_number(json, "mean", share(inspection->classes, inspection->records));
    shoal_i_json_end(json);
}

void shoal_i_inspect_put_json(shoal_i_buffer *out, const shoal_i_inspection *inspection,
                              const shoal_i_stages *stages, const char *input)
{
    shoal_i_json json = shoal_i_json_start(out);

    shoal_i_json_object(&json, NULL);
    shoal_i_report_put_head(&json, "inspect", input, NULL);
    shoal_i_json_count(&json, "records", inspection->records);
    shoal_i_json_array(&json, "columns");
    for (size_t i = 0; i < inspection->column_count; i++) {
        put_json_column(&json, &inspection->columns[i], inspection->records);
    }
    shoal_i_json_end(&json);
    if (inspection->quasi_count > 0) {
        put_json_risk(&json, inspection);
    }
    shoal_i_report_put_end(&json, stages);
    shoal_i_json_end(&json);
}

/* --- A spec to start from. -------------------------------------------------------------- */

/* What else could be asked for. */
static void put_spec_bounds(shoal_i_buffer *out, const shoal_i_inspection *inspection)
{
    for (size_t i = 0; i < inspection->column_count; i++) {
        const shoal_i_column_facts *facts = &inspection->columns[i];

        if (facts->role == SHOAL_ROLE_SENSITIVE) {
            shoal_i_buffer_text(out, "# What releases of ");
            shoal_i_buffer_printable(out, facts->name);
            shoal_i_buffer_text(out, inspection->persons > 0 ? " can meet, in persons: "
                                                             : " can meet: ");
            put_bounds(out, &facts->bounds);
            shoal_i_buffer_char(out, '\n');
        }
    }
}

static void put_spec_head(shoal_i_buffer *out, const shoal_i_inspection *inspection,
                          const char *input)
{
    shoal_i_buffer_text(out, "# A start, guessed from ");
    shoal_i_buffer_printable(out, input ? input : "the table");
    shoal_i_buffer_text(out, ": check every role before use.\n");
    if (inspection->quasi_count == 0) {
        shoal_i_buffer_text(out, "# No column looks like a quasi-identifier; give one the role "
                                 "quasi, or there is nothing to hide.\n");
    }
    if (inspection->missing_records > 0) {
        shoal_i_buffer_printf(out,
                              "# %zu records lack a value in a quasi-identifier, which counts "
                              "as a value of its own; `missing: drop`\n# would leave them "
                              "out.\n",
                              inspection->missing_records);
    }
    if (inspection->missing_persons > 0) {
        shoal_i_buffer_printf(out,
                              "# %zu records do not tell whose they are, and count as persons "
                              "of their own.\n",
                              inspection->missing_persons);
    }
    put_spec_bounds(out, inspection);
}

shoal_status shoal_i_inspect_put_spec(shoal_ctx *ctx, char **out,
                                      const shoal_i_inspection *inspection,
                                      const shoal_spec *proposed, const char *input)
{
    shoal_status st = SHOAL_OK;
    const char **names = NULL;
    const char **reasons = NULL;
    char *text = NULL;
    shoal_i_buffer head;

    shoal_i_buffer_init(&head, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_ALLOC(ctx, names, inspection->column_count);
    SHOAL_ALLOC(ctx, reasons, inspection->column_count);
    for (size_t i = 0; i < inspection->column_count; i++) {
        names[i] = inspection->columns[i].name;
        reasons[i] = inspection->columns[i].note;
    }
    put_spec_head(&head, inspection, input);
    SHOAL_TRY(shoal_i_buffer_take(&text, &head));
    shoal_i_spec_notes notes = {text, names, reasons, inspection->column_count};

    SHOAL_TRY(shoal_i_spec_write_noted(ctx, out, proposed, &notes));
done:
    shoal_i_buffer_clear(&head);
    free(names);
    free(reasons);
    free(text);
    return st;
}
