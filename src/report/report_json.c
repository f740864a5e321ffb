/* A report as JSON: everything, for machines and for the record. */
#include "report.h"

#include <math.h>
#include <string.h>

void shoal_i_report_put_head(shoal_i_json *json, const char *command, const char *input,
                             const char *release)
{
    shoal_i_json_count(json, "schema", SHOAL_I_SCHEMA);
    shoal_i_json_text(json, "command", command);
    shoal_i_json_text(json, "version", shoal_version());
    if (input) {
        shoal_i_json_text(json, "input", input);
    }
    if (release) {
        shoal_i_json_text(json, "release", release);
    }
}

static void put_warnings(shoal_i_json *json, const shoal_i_warnings *warnings)
{
    shoal_i_json_array(json, "warnings");
    for (const shoal_i_warning *w = warnings ? warnings->first : NULL; w; w = w->next) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "code", w->code);
        shoal_i_json_text(json, "column", w->column);
        shoal_i_json_text(json, "message", w->message);
        shoal_i_json_bool(json, "accepted", w->is_accepted);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

void shoal_i_report_put_end(shoal_i_json *json, const shoal_i_stages *stages)
{
    put_warnings(json, json->out->ctx->warnings);
    shoal_i_json_object(json, "seconds");
    for (size_t i = 0; i < stages->count; i++) {
        shoal_i_json_number(json, stages->items[i].name, stages->items[i].seconds);
    }
    shoal_i_json_number(json, "total", shoal_i_stages_total(stages));
    shoal_i_json_end(json);
}

static void put_loss(shoal_i_json *json, const shoal_i_loss *loss)
{
    shoal_i_json_count(json, "records", loss->records);
    shoal_i_json_count(json, "classes", loss->classes);
    shoal_i_json_count(json, "smallest_class", loss->smallest_class);
    shoal_i_json_count(json, "largest_class", loss->largest_class);
    shoal_i_json_number(json, "ncp", loss->ncp);
    shoal_i_json_number(json, "gcp", loss->gcp);
    shoal_i_json_number(json, "discernibility", loss->discernibility);
    shoal_i_json_number(json, "average_class_size", loss->average_class_size);
    shoal_i_json_number(json, "distortion_ratio", loss->distortion_ratio);
}

static void put_gap(shoal_i_json *json, const shoal_i_gap *gap)
{
    shoal_i_json_object(json, "bound");
    shoal_i_json_number(json, "ncp", gap->ncp);
    shoal_i_json_number(json, "gcp", gap->gcp);
    if (isfinite(gap->times)) {
        shoal_i_json_number(json, "gap", gap->times);
    }
    shoal_i_json_end(json);
}

static void put_suppression(shoal_i_json *json, const shoal_i_findings *findings)
{
    shoal_i_json_object(json, "suppression");
    shoal_i_json_count(json, "records", findings->loss->suppressed);
    shoal_i_json_count(json, "omitted", findings->loss->omitted);
    shoal_i_json_count(json, "dropped", findings->original.dropped);
    shoal_i_json_end(json);
}

static void put_columns(shoal_i_json *json, const shoal_i_loss *loss)
{
    shoal_i_json_array(json, "columns");
    for (size_t i = 0; i < loss->column_count; i++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name", loss->columns[i].name);
        shoal_i_json_number(json, "weight", loss->columns[i].weight);
        shoal_i_json_number(json, "loss", loss->columns[i].loss);
        shoal_i_json_count(json, "suppressed", loss->columns[i].suppressed);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

static void put_class_sizes(shoal_i_json *json, const shoal_i_loss *loss)
{
    shoal_i_json_array(json, "class_sizes");
    for (size_t i = 0; i < loss->bin_count; i++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_count(json, "size", loss->bins[i].size);
        shoal_i_json_count(json, "classes", loss->bins[i].classes);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

static void put_privacy(shoal_i_json *json, const shoal_i_privacy_loss *loss)
{
    shoal_i_json_number(json, "privacy_loss", loss->highest);
    shoal_i_json_number(json, "privacy_loss_mean", loss->mean);
    shoal_i_json_array(json, "privacy_losses");
    for (size_t i = 0; i < SHOAL_I_PRIVACY_BINS; i++) {
        if (loss->bins[i] > 0) {
            shoal_i_json_object(json, NULL);
            shoal_i_json_number(json, "from", (double)i / (int)(1 / SHOAL_I_PRIVACY_BIN_WIDTH));
            shoal_i_json_count(json, "records", loss->bins[i]);
            shoal_i_json_end(json);
        }
    }
    shoal_i_json_end(json);
}

/* The figures of the worst column, then those of each. */
static void put_tradeoff(shoal_i_json *json, const shoal_i_tradeoff *tradeoff)
{
    if (tradeoff->privacy) {
        shoal_i_json_number(json, "privacy_loss", shoal_i_tradeoff_privacy(tradeoff));
    }
    if (tradeoff->utility) {
        shoal_i_json_number(json, "utility_loss", shoal_i_tradeoff_utility(tradeoff));
        shoal_i_json_object(json, "populations");
        shoal_i_json_number(json, "min_support", tradeoff->min_support);
        shoal_i_json_count(json, "support", tradeoff->populations.support);
        shoal_i_json_count(json, "count", tradeoff->populations.count);
        shoal_i_json_end(json);
    }
    shoal_i_json_array(json, "sensitive");
    for (size_t j = 0; j < tradeoff->count; j++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name",
                          tradeoff->privacy ? tradeoff->privacy[j].name
                                            : tradeoff->utility[j].name);
        if (tradeoff->privacy) {
            put_privacy(json, &tradeoff->privacy[j]);
        }
        if (tradeoff->utility) {
            shoal_i_json_number(json, "utility_loss", tradeoff->utility[j].mean);
            shoal_i_json_number(json, "utility_loss_highest", tradeoff->utility[j].highest);
        }
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

/* What was described into a buffer, as a text of the report. The buffer is used up. */
static void put_words(shoal_i_json *json, const char *key, shoal_i_buffer *words)
{
    if (words->status == SHOAL_OK) {
        shoal_i_json_text_n(json, key, words->size > 0 ? words->data : "", words->size);
    } else {
        json->out->status = words->status;
    }
    shoal_i_buffer_clear(words);
}

/* What was asked for in numbers and columns; named values are told by the words alone, which
 * hide them. */
static void put_parameters(shoal_i_json *json, const shoal_i_requirement *requirement,
                           const shoal_spec *spec)
{
    if (requirement->kind->needs_record_k) {
        shoal_i_json_text(json, "column", spec->k_column);
    }
    if (requirement->column) {
        shoal_i_json_text(json, "column", requirement->column->name);
    }
    if (requirement->kind->check_value) {
        shoal_i_json_number(json, "value", requirement->value);
    }
    if (requirement->kind == &shoal_i_l_recursive) {
        shoal_i_json_number(json, "c", requirement->c);
    }
    if (requirement->kind == &shoal_i_presence_between) {
        shoal_i_json_number(json, "least", requirement->least);
    }
}

static void put_requirement(shoal_i_json *json, const shoal_i_requirement *requirement,
                            const shoal_i_findings *findings)
{
    shoal_i_buffer words;

    shoal_i_json_text(json, "key", requirement->kind->key);
    if (requirement->kind->variant) {
        shoal_i_json_text(json, "kind", requirement->kind->variant);
    }
    shoal_i_json_text(json, "title", requirement->kind->title);
    put_parameters(json, requirement, findings->spec);
    shoal_i_buffer_init(&words, json->out->ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_report_put_asked(&words, requirement, findings->shape);
    put_words(json, "asked", &words);
}

static void put_verdict(shoal_i_json *json, const shoal_i_findings *findings)
{
    const shoal_i_verdict *verdict = findings->verdict;

    shoal_i_json_bool(json, "holds", verdict->holds);
    shoal_i_json_bool(json, "passed", shoal_i_report_passes(findings));
    if (!findings->loss) {
        shoal_i_json_array(json, "must_not_be_released");
        for (size_t i = 0; i < findings->withheld_count; i++) {
            shoal_i_json_text(json, NULL, findings->withheld[i]);
        }
        shoal_i_json_end(json);
    }
    shoal_i_json_array(json, "requirements");
    for (size_t i = 0; i < verdict->count; i++) {
        const shoal_i_verdict_item *item = &verdict->items[i];

        shoal_i_json_object(json, NULL);
        put_requirement(json, &item->requirement, findings);
        shoal_i_json_bool(json, "holds", item->holds);
        shoal_i_json_number(json, "worst_figure", item->worst_figure);
        shoal_i_json_count(json, "worst_class", item->worst_class + 1);
        shoal_i_json_count(json, "worst_class_size", item->worst_class_size);
        shoal_i_json_count(json, "failing_classes", item->failing_classes);
        shoal_i_json_count(json, "failing_records", item->failing_records);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

/* --- Details. --------------------------------------------------------------------------- */

static void put_digests(shoal_i_json *json, const shoal_i_details *details)
{
    shoal_i_json_object(json, "sha256");
    if (details->input_digest[0]) {
        shoal_i_json_text(json, "input", details->input_digest);
    }
    if (details->release_digest[0]) {
        shoal_i_json_text(json, "release", details->release_digest);
    }
    if (details->table_digest[0]) {
        shoal_i_json_text(json, "sensitive_table", details->table_digest);
    }
    shoal_i_json_end(json);
}

static void put_distributions(shoal_i_json *json, const shoal_i_details *details)
{
    shoal_i_json_array(json, "distributions");
    for (size_t i = 0; i < details->distribution_count; i++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name", details->distributions[i].name);
        shoal_i_json_text(json, "role",
                          details->distributions[i].quasi ? "quasi" : "sensitive");
        shoal_i_json_number(json, "distance", details->distributions[i].distance);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

static void put_queries(shoal_i_json *json, const shoal_i_samples *samples)
{
    shoal_i_json_array(json, "queries");
    for (size_t i = 0; i < samples->count; i++) {
        const shoal_i_errors *errors = &samples->items[i].errors;

        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "workload", samples->items[i].workload);
        shoal_i_json_count(json, "queries", errors->query_count);
        shoal_i_json_count(json, "dropped", errors->dropped);
        shoal_i_json_number(json, "query_error", errors->mean);
        shoal_i_json_number(json, "query_error_median", errors->median);
        shoal_i_json_number(json, "query_error_95", errors->quantiles[3]);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

/* --- Configuration. --------------------------------------------------------------------- */

static void put_method_options(shoal_i_json *json, const shoal_i_method *method,
                               const double *values)
{
    for (size_t i = 0; method->options && method->options[i].name; i++) {
        const shoal_i_method_option *option = &method->options[i];

        if (option->words) {
            shoal_i_json_text(json, option->name, option->words[(size_t)values[i]]);
        } else {
            shoal_i_json_number(json, option->name, values[i]);
        }
    }
}

static void put_method(shoal_i_json *json, const shoal_spec *spec)
{
    const shoal_i_chosen chosen = shoal_i_spec_method(spec);
    const shoal_i_method *method = chosen.method;
    const shoal_i_method *inner = shoal_i_method_inner(method, &chosen.settings);

    shoal_i_json_object(json, "method");
    shoal_i_json_text(json, "name", method->name);
    put_method_options(json, method, chosen.settings.values);
    if (inner) {
        put_method_options(json, inner, chosen.settings.inner);
    }
    shoal_i_json_end(json);
}

static void put_quasi_column(shoal_i_json *json, const shoal_i_findings *findings,
                             size_t column)
{
    const char *name = shoal_table_name(findings->original.table, column);
    const shoal_i_spec_column *asked = shoal_i_spec_find_column(findings->spec, name);
    const shoal_hierarchy *hierarchy = findings->original.hierarchies[column];
    shoal_i_buffer words;

    shoal_i_json_number(json, "weight", asked->weight);
    shoal_type type = shoal_table_type(findings->original.table, column);
    shoal_i_grid grid = shoal_i_spec_grid(findings->spec, asked, type);

    if (shoal_i_grid_is_set(&grid)) {
        shoal_i_buffer_init(&words, json->out->ctx, SHOAL_I_BUFFER_MAX);
        shoal_i_grid_put(&words, &grid);
        put_words(json, "grid", &words);
    }
    if (hierarchy && asked->plan.kind == SHOAL_I_PLAN_NONE) {
        shoal_i_json_text(json, "hierarchy", "flat");
    } else if (hierarchy) {
        shoal_i_buffer_init(&words, json->out->ctx, SHOAL_I_BUFFER_MAX);
        shoal_i_hierarchy_plan_describe(&asked->plan, &words);
        put_words(json, "hierarchy", &words);
    }
}

static void put_configured_columns(shoal_i_json *json, const shoal_i_findings *findings)
{
    const shoal_i_original *original = &findings->original;

    shoal_i_json_array(json, "columns");
    for (size_t i = 0; i < shoal_table_column_count(original->table); i++) {
        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name", shoal_table_name(original->table, i));
        const shoal_i_spec_column *asked =
            shoal_i_spec_find_column(findings->spec, shoal_table_name(original->table, i));

        if (asked && asked->original) {
            shoal_i_json_text(json, "original_name", asked->original);
        }
        shoal_i_json_text(json, "role", shoal_i_report_role(findings, i));
        if (!shoal_table_is_skipped(original->table, i)) {
            shoal_i_json_text(json, "type",
                              shoal_type_name(shoal_table_type(original->table, i)));
        }
        if (original->roles[i] == SHOAL_ROLE_QUASI) {
            put_quasi_column(json, findings, i);
        }
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

static void put_output(shoal_i_json *json, const shoal_spec *spec)
{
    shoal_i_json_object(json, "output");
    shoal_i_json_text(json, "numeric", shoal_i_numeric_words[spec->numeric]);
    shoal_i_json_text(json, "categorical", shoal_i_categorical_words[spec->categorical]);
    shoal_i_json_text(json, "order", shoal_i_order_words[spec->keep_order]);
    shoal_i_json_text_n(json, "delimiter", &spec->output_delimiter, 1);
    shoal_i_json_end(json);
}

/* How long a release was refined. */
static void put_search(shoal_i_json *json, const shoal_i_findings *findings)
{
    const shoal_spec *spec = findings->spec;

    shoal_i_json_count(json, "seed", findings->seed);
    if (spec->seconds > 0) {
        shoal_i_json_number(json, "time", spec->seconds);
    } else {
        shoal_i_json_text(json, "effort",
                          shoal_i_effort_words[spec->has_effort ? spec->effort : 1]);
    }
}

static void put_configuration(shoal_i_json *json, const shoal_i_findings *findings)
{
    shoal_i_json_object(json, "configuration");
    if (strcmp(findings->command, "refine") == 0) {
        put_search(json, findings);
        put_output(json, findings->spec);
    }
    if (strcmp(findings->command, "anonymize") == 0) {
        shoal_i_json_count(json, "seed", findings->seed);
        put_method(json, findings->spec);
        if (findings->spec->seconds > 0) {
            shoal_i_json_number(json, "time", findings->spec->seconds);
        }
        shoal_i_json_number(json, "suppress", findings->spec->suppress);
        if (findings->previous_count > 0) {
            shoal_i_json_object(json, "previous");
            shoal_i_json_count(json, "releases", findings->previous_count);
            shoal_i_json_count(json, "in_both", findings->in_previous);
            shoal_i_json_end(json);
        }
        if (shoal_i_report_is_blind(findings)) {
            shoal_i_json_array(json, "attacks");
            shoal_i_json_text(json, NULL, shoal_i_defended_words[0]);
            shoal_i_json_end(json);
        }
        put_output(json, findings->spec);
    }
    shoal_i_json_count(json, "threads", (uint64_t)findings->threads);
    shoal_i_json_text(json, "missing", shoal_i_missing_words[findings->spec->missing]);
    put_configured_columns(json, findings);
    shoal_i_json_end(json);
}

/* Columns that were made ready before the method. */
static void put_ready(shoal_i_json *json, const shoal_i_findings *findings)
{
    const shoal_i_original *original = &findings->original;

    shoal_i_json_array(json, "made_ready");
    for (size_t i = 0; i < original->ready_count; i++) {
        const shoal_i_made_ready *made = &original->ready[i];

        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "column", shoal_table_name(original->table, made->column));
        shoal_i_json_text(json, "steps", made->steps);
        shoal_i_json_count(json, "changed", made->changed);
        shoal_i_json_number(json, "loss", made->loss);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
}

/* The names of the columns that something holds of. */
static void put_names(shoal_i_json *json, const shoal_i_findings *findings, const char *key,
                      bool (*holds)(const shoal_i_findings *findings, size_t column))
{
    const shoal_table *table = findings->original.table;

    shoal_i_json_array(json, key);
    for (size_t i = 0; i < shoal_table_column_count(table); i++) {
        if (holds(findings, i)) {
            shoal_i_json_text(json, NULL, shoal_table_name(table, i));
        }
    }
    shoal_i_json_end(json);
}

/* What is released as it is, and what that adds. */
static void put_as_is(shoal_i_json *json, const shoal_i_findings *findings)
{
    const shoal_i_as_is *as_is = &findings->details->as_is;

    shoal_i_json_object(json, "as_is");
    shoal_i_json_array(json, "columns");
    for (size_t i = 0; i < as_is->count; i++) {
        const shoal_i_as_is_column *column = &as_is->columns[i];

        shoal_i_json_object(json, NULL);
        shoal_i_json_text(json, "name",
                          shoal_table_name(findings->original.table, column->column));
        shoal_i_json_count(json, "distinct", column->distinct);
        shoal_i_json_count(json, "unique", column->unique);
        shoal_i_json_end(json);
    }
    shoal_i_json_end(json);
    shoal_i_json_count(json, "unique_by_quasi", as_is->unique_before);
    shoal_i_json_count(json, "unique_records", as_is->unique_records);
    shoal_i_json_end(json);
}

/* What kind of release it is, and what whoever reads it must know. */
static void put_shape(shoal_i_json *json, const shoal_i_findings *findings)
{
    const char *note = shoal_i_report_note(findings->shape);

    if (findings->sensitive_table) {
        shoal_i_json_text(json, "sensitive_table", findings->sensitive_table);
    }
    shoal_i_json_text(json, "shape", shoal_i_shape_name(findings->shape));
    if (note) {
        shoal_i_json_text(json, "note", note);
    }
    if (findings->shape == SHOAL_I_SHAPE_RECORDS && findings->loss && findings->verdict) {
        shoal_i_json_text(json, "links",
                          findings->is_test_seeded
                              ? "drawn by a test's seed: not for publication"
                              : "drawn by the operating system's randomness");
    }
    if (findings->is_test_seeded) {
        shoal_i_json_bool(json, "not_for_publication", true);
    }
}

/* What requirements counted, and how many persons there are. */
static void put_persons(shoal_i_json *json, const shoal_i_findings *findings)
{
    const shoal_i_verdict *verdict = findings->verdict;

    if (shoal_i_report_counts_rows(findings)) {
        shoal_i_json_text(json, "counted", "rows");
    } else if (verdict && verdict->persons > 0) {
        shoal_i_json_text(json, "counted", "persons");
        shoal_i_json_count(json, "persons", verdict->persons);
        shoal_i_json_count(json, "fewest_persons", verdict->fewest_persons);
    }
}

/* What the report says of itself, where the spec says it. */
static void put_about(shoal_i_json *json, const shoal_spec *spec)
{
    const struct {
        const char *key;
        const char *text;
    } lines[] = {{"title", spec->report_title},
                 {"author", spec->report_author},
                 {"purpose", spec->report_purpose},
                 {"date", spec->report_date}};
    bool has_any = spec->sign_off_count > 0;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        has_any = has_any || lines[i].text;
    }
    if (!has_any) {
        return;
    }
    shoal_i_json_object(json, "about");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (lines[i].text) {
            shoal_i_json_text(json, lines[i].key, lines[i].text);
        }
    }
    shoal_i_json_array(json, "sign_off");
    for (size_t i = 0; i < spec->sign_off_count; i++) {
        shoal_i_json_text(json, NULL, spec->sign_off[i]);
    }
    shoal_i_json_end(json);
    shoal_i_json_end(json);
}

void shoal_i_report_put_json(shoal_i_buffer *out, const shoal_i_findings *findings)
{
    shoal_i_json json = shoal_i_json_start(out);

    shoal_i_json_object(&json, NULL);
    shoal_i_report_put_head(&json, findings->command, findings->input, findings->release);
    put_about(&json, findings->spec);
    put_shape(&json, findings);
    if (findings->details) {
        put_digests(&json, findings->details);
    }
    if (findings->loss) {
        put_loss(&json, findings->loss);
        put_suppression(&json, findings);
        put_columns(&json, findings->loss);
        put_class_sizes(&json, findings->loss);
    } else if (findings->verdict) {
        shoal_i_json_count(&json, "records", findings->verdict->records);
        shoal_i_json_count(&json, "classes", findings->verdict->classes);
        shoal_i_json_count(&json, "smallest_class", findings->verdict->smallest_class);
    }
    if (findings->original.ready_count > 0) {
        put_ready(&json, findings);
    }
    if (findings->loss && findings->verdict) {
        put_names(&json, findings, "released_as_is", shoal_i_report_is_as_is);
        put_names(&json, findings, "left_out", shoal_i_report_is_left_out);
    }
    if (findings->details && findings->details->has_as_is) {
        put_as_is(&json, findings);
    }
    put_persons(&json, findings);
    bool needs_population = findings->verdict && shoal_i_spec_reads_population(findings->spec);

    if (shoal_i_spec_has_population(findings->spec) &&
        (needs_population || findings->details)) {
        shoal_i_json_text(&json, "population", shoal_i_spec_population_name(findings->spec));
    }
    if (findings->gap && findings->gap->is_known) {
        put_gap(&json, findings->gap);
    }
    if (findings->tradeoff && findings->tradeoff->count > 0) {
        put_tradeoff(&json, findings->tradeoff);
    }
    if (findings->verdict) {
        if (findings->shape == SHOAL_I_SHAPE_RECORDS) {
            shoal_i_json_count(&json, "fewest_candidates", findings->verdict->smallest_class);
            shoal_i_json_count(&json, "unmatched", findings->verdict->unmatched);
        }
        put_verdict(&json, findings);
        if (findings->loss) {
            shoal_i_json_bool(&json, "cover_checked", findings->checked_cover);
            shoal_i_json_bool(&json, "published", !findings->is_held_back);
        }
    }
    if (findings->attacks) {
        shoal_i_report_put_attacks(&json, findings);
    }
    if (findings->details && findings->details->risk.original.crowds > 0) {
        shoal_i_report_put_risk(&json, &findings->details->risk);
    }
    if (findings->details && findings->details->distributions) {
        put_distributions(&json, findings->details);
        put_queries(&json, &findings->details->queries);
    }
    if (findings->original.table) {
        put_configuration(&json, findings);
    }
    shoal_i_report_put_end(&json, findings->stages);
    shoal_i_json_end(&json);
}
