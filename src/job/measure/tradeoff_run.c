#include "tradeoff_run.h"

#include "../../release/formula.h"

#include <string.h>

/* --- Sensitive columns. ----------------------------------------------------------------- */

static shoal_status fail_unknown_value(shoal_ctx *ctx, const shoal_table *file, size_t column,
                                       uint32_t code)
{
    size_t row = 0;

    while (shoal_table_code(file, column, row) != code) {
        row++;
    }
    shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)row, (int64_t)column,
                    "Record %zu of the release has a value in column \"%.200s\" that no "
                    "record of the original has; this column is released as it is.",
                    row + 1, shoal_table_name(file, column));
    return shoal_i_fail_in(ctx, shoal_table_source(file), shoal_table_line(file, row), 0);
}

/* The original's code of each code of the release's column. */
static shoal_status match_codes(shoal_ctx *ctx, uint32_t *out, const shoal_i_sensitive *truth,
                                const shoal_table *file, size_t column)
{
    size_t values = shoal_table_value_count(file, column);
    size_t count = values + (shoal_table_missing_count(file, column) > 0);
    shoal_status st = SHOAL_OK;

    for (uint32_t code = 0; code < count; code++) {
        int64_t found = -1;

        if (code == values) {
            found = truth->has_missing ? (int64_t)truth->value_count - 1 : -1;
        } else {
            size_t length = 0;
            const char *text = shoal_table_text(file, column, code, &length);

            found = shoal_table_find_code(truth->table, truth->column, text, length);
            if (found < 0 && shoal_i_is_guarded(text, length)) {
                found =
                    shoal_table_find_code(truth->table, truth->column, text + 1, length - 1);
            }
            if (found < 0) {
                SHOAL_TRY(shoal_i_same_values_seek(ctx, &found, truth->table, truth->column,
                                                   &truth->same, text, length));
            }
            if (found >= 0) {
                found = (int64_t)shoal_i_sensitive_value(truth, (uint32_t)found);
            }
        }
        if (found < 0) {
            return fail_unknown_value(ctx, file, column, code);
        }
        out[code] = (uint32_t)found;
    }
done:
    return st;
}

/* The values that a file shows, by its rows. */
static shoal_status read_shown(shoal_ctx *ctx, uint32_t *codes, const shoal_i_sensitive *truth,
                               const shoal_table *file)
{
    shoal_status st = SHOAL_OK;
    ptrdiff_t column = shoal_table_find(file, truth->name);
    size_t rows = shoal_table_row_count(file);
    uint32_t *match = NULL;

    if (column < 0) {
        shoal_i_fail(ctx, SHOAL_ENOTFOUND, "The release has no column \"%.200s\".",
                     truth->name);
        return shoal_i_fail_in(ctx, shoal_table_source(file), 1, 0);
    }
    SHOAL_ALLOC(ctx, match, shoal_table_value_count(file, (size_t)column) + 1);
    SHOAL_TRY(match_codes(ctx, match, truth, file, (size_t)column));
    shoal_table_codes(file, (size_t)column, 0, rows, codes);
    for (size_t row = 0; row < rows; row++) {
        codes[row] = match[codes[row]];
    }
done:
    free(match);
    return st;
}

/* The values that a release made here shows: of each row its own, or those of another. */
static void copy_shown(uint32_t *codes, const shoal_i_sensitive *truth,
                       const shoal_i_release *release)
{
    for (size_t row = 0; row < release->row_count; row++) {
        codes[row] = truth->codes[release->linked ? release->linked[row] : row];
    }
}

shoal_status shoal_i_show_column(shoal_ctx *ctx, shoal_i_sensitive *out,
                                 const shoal_i_sensitive *truth, const shoal_i_release *release,
                                 const shoal_i_received *received)
{
    shoal_status st = SHOAL_OK;
    uint32_t *codes = NULL;
    uint32_t *totals = NULL;

    *out = *truth;
    out->reduced = NULL; /* is the truth's */
    out->arena = (shoal_i_arena){0};
    out->row_count = release->row_count;
    out->total = release->row_count;
    codes = shoal_i_arena_alloc(ctx, &out->arena, release->row_count, sizeof *codes);
    totals = shoal_i_arena_alloc(ctx, &out->arena, truth->value_count, sizeof *totals);
    if (!codes || !totals) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    if (received) {
        SHOAL_TRY(read_shown(ctx, codes, truth, received->table));
    } else {
        copy_shown(codes, truth, release);
    }
    for (size_t row = 0; row < release->row_count; row++) {
        totals[codes[row]]++;
    }
    out->codes = codes;
    out->totals = totals;
done:
    return st;
}

shoal_status shoal_i_shown_build(shoal_ctx *ctx, shoal_i_shown *out, const shoal_spec *spec,
                                 const shoal_i_prepared *prepared,
                                 const shoal_i_release *release,
                                 const shoal_i_received *received)
{
    shoal_status st = SHOAL_OK;
    shoal_i_shown shown = {0};
    size_t count = 0;

    *out = shown;
    for (size_t i = 0; i < prepared->column_count; i++) {
        count += prepared->roles[i] == SHOAL_ROLE_SENSITIVE;
    }
    SHOAL_ALLOC(ctx, shown.truth, count);
    SHOAL_ALLOC(ctx, shown.shown, count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        if (prepared->roles[i] == SHOAL_ROLE_SENSITIVE) {
            size_t j = shown.count++;
            shoal_i_sameness same = {0};

            if (spec) {
                same = shoal_i_column_sameness(spec, shoal_table_name(prepared->table, i));
            }
            SHOAL_TRY(
                shoal_i_sensitive_init(ctx, &shown.truth[j], prepared->table, i, NULL, &same));
            SHOAL_TRY(
                shoal_i_show_column(ctx, &shown.shown[j], &shown.truth[j], release, received));
        }
    }
    *out = shown;
    out->published = (shoal_i_published){
        .release = release, .sensitive = out->shown, .sensitive_count = count};
    shown = (shoal_i_shown){0};
done:
    shoal_i_shown_clear(&shown);
    return st;
}

/* --- Figures. --------------------------------------------------------------------------- */

/* The trees that the spec gives to quasi columns of numbers. */
static shoal_status build_trees(shoal_ctx *ctx, shoal_hierarchy **trees, const shoal_spec *spec,
                                const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;

    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_spec_column *asked =
            shoal_i_spec_find_column(spec, quasi->columns[c].name);

        if (!asked || asked->populations.kind == SHOAL_I_PLAN_NONE) {
            continue;
        }
        if (quasi->columns[c].hierarchy) {
            shoal_i_fail(ctx, SHOAL_EINVAL,
                         "The column \"%.200s\" has a hierarchy, and its populations are those "
                         "of the hierarchy; give either.",
                         asked->name);
            return shoal_i_fail_in(ctx, asked->place.source, asked->place.line,
                                   asked->place.column);
        }
        SHOAL_TRY(shoal_i_hierarchy_plan_build(ctx, &trees[c], &asked->populations,
                                               quasi->table, quasi->columns[c].column));
    }
done:
    return st;
}

static shoal_status measure_utility(shoal_ctx *ctx, shoal_i_tradeoff *found,
                                    const shoal_spec *spec, const shoal_i_shown *shown,
                                    const shoal_i_spread *spread)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = shown->published.release->quasi;
    shoal_hierarchy **trees = NULL;

    SHOAL_ALLOC(ctx, trees, quasi->count);
    SHOAL_TRY(build_trees(ctx, trees, spec, quasi));
    shoal_i_population_options options = {
        .min_support = spec->min_support,
        .trees = (const shoal_hierarchy *const *)trees,
    };

    SHOAL_TRY(shoal_i_utility_loss_measure(ctx, found->utility, &found->populations, spread,
                                           shown->truth, &options));
done:
    for (size_t c = 0; trees && c < quasi->count; c++) {
        shoal_hierarchy_free(trees[c]);
    }
    free((void *)trees);
    return st;
}

shoal_status shoal_i_tradeoff_measure(shoal_ctx *ctx, shoal_i_tradeoff *out,
                                      const shoal_spec *spec, const shoal_i_shown *shown,
                                      unsigned figures)
{
    shoal_status st = SHOAL_OK;
    shoal_i_tradeoff found = {.count = shown->count, .min_support = spec->min_support};
    shoal_i_spread *spread = NULL;

    *out = (shoal_i_tradeoff){0};
    if (shown->count == 0 || (figures & SHOAL_I_FIGURES_SENSITIVE) == 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_spread_build(ctx, &spread, &shown->published));
    if (figures & SHOAL_I_FIGURE_PRIVACY_LOSS) {
        SHOAL_ALLOC(ctx, found.privacy, found.count);
        SHOAL_TRY(shoal_i_privacy_loss_measure(ctx, found.privacy, spread));
    }
    if (figures & SHOAL_I_FIGURE_UTILITY_LOSS) {
        SHOAL_ALLOC(ctx, found.utility, found.count);
        SHOAL_TRY(measure_utility(ctx, &found, spec, shown, spread));
    }
    *out = found;
    found = (shoal_i_tradeoff){0};
done:
    shoal_i_spread_free(spread);
    shoal_i_tradeoff_clear(&found);
    return st;
}
