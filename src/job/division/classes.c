#include "classes.h"

#include "../../base/entry.h"
#include "../../base/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RECORDS_MAX (UINT32_MAX - 1)

static const shoal_i_portable_kind kind = SHOAL_I_PORTABLE_CLASSES;

void shoal_classes_free(shoal_classes *classes)
{
    if (!classes) {
        return;
    }
    for (size_t i = 0; i < classes->name_count; i++) {
        free(classes->names[i]);
    }
    free(classes->names);
    for (size_t i = 0; i < classes->value_count; i++) {
        shoal_i_class_values *values = &classes->values[i];

        shoal_i_value_column_clear(&values->texts);
        shoal_i_dictionary_clear(&values->pairs);
        free(values->counts);
    }
    free(classes->values);
    shoal_i_dictionary_clear(&classes->keys);
    free(classes->sizes);
    free(classes->largest_k);
    free(classes->parts);
    free(classes->rows.classes);
    free(classes->rows.persons);
    free(classes->rows.texts);
    free(classes);
}

/* --- Putting. --------------------------------------------------------------------------- */

/* Room for an index in an array of numbers; what is new is 0. */
static shoal_status make_room(shoal_ctx *ctx, uint64_t **numbers, size_t capacity,
                              size_t wanted)
{
    uint64_t *grown = shoal_i_realloc(ctx, *numbers, wanted, sizeof *grown);

    if (!grown) {
        return SHOAL_ENOMEM;
    }
    memset(grown + capacity, 0, (wanted - capacity) * sizeof *grown);
    *numbers = grown;
    return SHOAL_OK;
}

static size_t find_capacity(size_t capacity, size_t index)
{
    capacity = capacity ? capacity : 64;
    while (capacity <= index) {
        capacity *= 2;
    }
    return capacity;
}

/* `records` more of a class, of which the largest own k is given; *index is that of the
 * class. */
static shoal_status put_class(shoal_ctx *ctx, struct shoal_classes *classes, uint32_t *index,
                              const char *key, size_t length, uint64_t records,
                              uint64_t largest_k)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_dictionary_add(ctx, &classes->keys, index, key, length));
    if (*index >= classes->capacity) {
        size_t wanted = find_capacity(classes->capacity, *index);

        SHOAL_TRY(make_room(ctx, &classes->sizes, classes->capacity, wanted));
        SHOAL_TRY(make_room(ctx, &classes->largest_k, classes->capacity, wanted));
        SHOAL_TRY(make_room(ctx, &classes->parts, classes->capacity, wanted));
        classes->capacity = wanted;
    }
    classes->sizes[*index] += records;
    if (largest_k > classes->largest_k[*index]) {
        classes->largest_k[*index] = largest_k;
    }
    classes->record_count += records;
done:
    return st;
}

/* `times` more records of a class have a text, by indices. */
static shoal_status put_pair(shoal_ctx *ctx, shoal_i_class_values *values, uint32_t class,
                             uint32_t text, uint64_t times)
{
    shoal_status st = SHOAL_OK;
    uint32_t index = 0;

    SHOAL_TRY(shoal_i_dictionary_add_number(ctx, &values->pairs, &index,
                                            (uint64_t) class << 32 | text));
    if (index >= values->capacity) {
        size_t wanted = find_capacity(values->capacity, index);

        SHOAL_TRY(make_room(ctx, &values->counts, values->capacity, wanted));
        values->capacity = wanted;
    }
    values->counts[index] += times;
done:
    return st;
}

/* Room for rows of persons. */
static shoal_status reserve_rows(shoal_ctx *ctx, struct shoal_classes *classes, size_t more)
{
    shoal_status st = SHOAL_OK;
    shoal_i_class_rows *rows = &classes->rows;
    size_t texts = 0;

    if (rows->count + more <= rows->capacity) {
        return SHOAL_OK;
    }
    size_t wanted = rows->count + more + rows->capacity / 2;

    SHOAL_TRY(shoal_i_size_mul(ctx, &texts, wanted, classes->value_count));
    uint32_t *grown = shoal_i_realloc(ctx, rows->classes, wanted, sizeof *grown);

    rows->classes = grown ? grown : rows->classes;
    uint64_t *persons =
        grown ? shoal_i_realloc(ctx, rows->persons, wanted, sizeof *persons) : NULL;

    rows->persons = persons ? persons : rows->persons;
    grown = persons ? shoal_i_realloc(ctx, rows->texts, texts > 0 ? texts : 1, sizeof *grown)
                    : NULL;
    if (!grown) {
        return SHOAL_ENOMEM;
    }
    rows->texts = grown;
    rows->capacity = wanted;
done:
    return st;
}

/* --- Counting a table. ------------------------------------------------------------------ */

/* A published table on its way to classes. */
typedef struct counting {
    const shoal_spec *spec;
    const shoal_table *table;
    size_t *columns; /* that tell classes apart */
    size_t column_count;
    size_t *sensitive; /* where requirements read them */
    size_t sensitive_count;
    uint32_t *class_of; /* of each row, numbered by first row */
    size_t class_count;
    uint32_t *index_of; /* of each such class: its index */
} counting;

static shoal_status fail_absent(shoal_ctx *ctx, const char *name)
{
    return shoal_i_fail(ctx, SHOAL_ENOTFOUND, "What is published has no column \"%.200s\".",
                        name);
}

static ptrdiff_t find_ending(const shoal_table *table, const char *name, const char *ending)
{
    char whole[SHOAL_MESSAGE_MAX];
    int length = snprintf(whole, sizeof whole, "%s%s", name, ending);

    return length < (int)sizeof whole ? shoal_table_find(table, whole) : -1;
}

/* A quasi column as it is published: NAME, or NAME_min and NAME_max. */
static shoal_status add_quasi(shoal_ctx *ctx, counting *c, const char *name)
{
    ptrdiff_t whole = shoal_table_find(c->table, name);
    ptrdiff_t least = find_ending(c->table, name, "_min");
    ptrdiff_t most = find_ending(c->table, name, "_max");

    if (whole >= 0) {
        c->columns[c->column_count++] = (size_t)whole;
    } else if (least >= 0 && most >= 0) {
        c->columns[c->column_count++] = (size_t)least;
        c->columns[c->column_count++] = (size_t)most;
    } else {
        return fail_absent(ctx, name);
    }
    return SHOAL_OK;
}

static shoal_status list_columns(shoal_ctx *ctx, counting *c)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = c->spec;
    bool reads_sensitive = shoal_i_spec_reads_sensitive(spec);

    SHOAL_ALLOC(ctx, c->columns, 2 * spec->column_count);
    SHOAL_ALLOC(ctx, c->sensitive, spec->column_count);
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        if (column->has_role && column->role == SHOAL_ROLE_QUASI) {
            SHOAL_TRY(add_quasi(ctx, c, column->name));
        } else if (column->has_role && column->role == SHOAL_ROLE_SENSITIVE &&
                   reads_sensitive) {
            ptrdiff_t found = shoal_table_find(c->table, column->name);

            if (found < 0) {
                SHOAL_TRY(fail_absent(ctx, column->name));
            }
            c->sensitive[c->sensitive_count++] = (size_t)found;
        }
    }
    for (size_t i = 0; i < c->column_count + c->sensitive_count; i++) {
        size_t column = i < c->column_count ? c->columns[i] : c->sensitive[i - c->column_count];

        if (shoal_table_is_skipped(c->table, column)) {
            SHOAL_TRY(fail_absent(ctx, shoal_table_name(c->table, column)));
        }
    }
done:
    return st;
}

/* The texts of a row that tell its class. */
static void write_key(shoal_i_buffer *key, const counting *c, size_t row)
{
    key->size = 0;
    for (size_t i = 0; i < c->column_count; i++) {
        size_t length = 0;
        const char *text = shoal_table_text(
            c->table, c->columns[i], shoal_table_code(c->table, c->columns[i], row), &length);

        shoal_i_buffer_printf(key, "%zu:", length);
        shoal_i_buffer_put(key, text, length);
    }
}

/* One class after the other; they are numbered by their first rows. */
static shoal_status put_classes(shoal_ctx *ctx, struct shoal_classes *to, counting *c,
                                const uint32_t *ks)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer key;
    uint64_t *sizes = NULL;
    uint64_t *largest = NULL;
    size_t next = 0;

    shoal_i_buffer_init(&key, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_ALLOC(ctx, sizes, c->class_count);
    SHOAL_ALLOC(ctx, largest, c->class_count);
    SHOAL_ALLOC(ctx, c->index_of, c->class_count);
    for (size_t row = 0; row < shoal_table_row_count(c->table); row++) {
        uint32_t class = c->class_of[row];

        sizes[class]++;
        if (ks && ks[row] > largest[class]) {
            largest[class] = ks[row];
        }
    }
    for (size_t row = 0; row < shoal_table_row_count(c->table); row++) {
        if (c->class_of[row] == next) {
            write_key(&key, c, row);
            SHOAL_TRY(shoal_i_buffer_status(&key));
            SHOAL_TRY(put_class(ctx, to, &c->index_of[next], key.data, key.size, sizes[next],
                                largest[next]));
            to->parts[c->index_of[next]] = 1;
            next++;
        }
    }
done:
    free(sizes);
    free(largest);
    shoal_i_buffer_clear(&key);
    return st;
}

/* The index of each text of a column, and how many rows have it. */
static shoal_status put_texts(shoal_ctx *ctx, shoal_i_class_values *to, uint32_t **text_of,
                              const counting *c, size_t column)
{
    shoal_status st = SHOAL_OK;
    const char *name = shoal_table_name(c->table, column);
    size_t values = shoal_table_value_count(c->table, column);
    shoal_i_codes codes = shoal_i_table_codes(c->table, column);
    shoal_type type = shoal_i_column_type(shoal_i_spec_find_column(c->spec, name));

    to->texts.type = type == SHOAL_TYPE_AUTO ? SHOAL_TYPE_STRING : type;
    to->texts.name = shoal_i_strdup(ctx, name);
    if (!to->texts.name) {
        return SHOAL_ENOMEM;
    }
    SHOAL_ALLOC(ctx, *text_of, values + 1);
    for (size_t row = 0; row < shoal_table_row_count(c->table); row++) {
        uint32_t code = shoal_i_codes_get(codes, row);
        size_t length = 0;

        if ((*text_of)[code] == 0) {
            const char *text = shoal_table_text(c->table, column, code, &length);

            SHOAL_TRY(
                shoal_i_value_column_add(ctx, &to->texts, text, length, 0, code == values));
            (*text_of)[code] = shoal_i_dictionary_find(&to->texts.texts, text, length);
        }
        to->texts.counts[(*text_of)[code]]++;
    }
done:
    return st;
}

/* How often each class has each text: class after class, so that few numbers are looked up. */
static shoal_status put_pairs(shoal_ctx *ctx, shoal_i_class_values *to, const counting *c,
                              const uint32_t *text_of, shoal_i_codes codes)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(c->table);
    uint32_t *sorted = NULL;
    uint32_t *starts = NULL;
    uint64_t *times = NULL; /* of each text, in the class at hand */

    SHOAL_ALLOC(ctx, sorted, rows);
    SHOAL_ALLOC(ctx, starts, c->class_count + 1);
    SHOAL_ALLOC(ctx, times, (size_t)to->texts.texts.count + 1);
    shoal_i_sort_by_number(sorted, starts, c->class_of, rows, c->class_count);
    for (size_t class = 0; class < c->class_count; class ++) {
        for (size_t i = starts[class]; i < starts[class + 1]; i++) {
            times[text_of[shoal_i_codes_get(codes, sorted[i])]]++;
        }
        for (size_t i = starts[class]; i < starts[class + 1]; i++) {
            uint32_t text = text_of[shoal_i_codes_get(codes, sorted[i])];

            if (times[text] > 0) {
                SHOAL_TRY(put_pair(ctx, to, c->index_of[class], text, times[text]));
                times[text] = 0;
            }
        }
    }
done:
    free(sorted);
    free(starts);
    free(times);
    return st;
}

static shoal_status put_values(shoal_ctx *ctx, struct shoal_classes *classes, const counting *c,
                               size_t at)
{
    shoal_status st = SHOAL_OK;
    shoal_i_class_values *to = &classes->values[at];
    shoal_i_codes codes = shoal_i_table_codes(c->table, c->sensitive[at]);
    uint32_t *text_of = NULL;

    SHOAL_TRY(put_texts(ctx, to, &text_of, c, c->sensitive[at]));
    for (size_t row = 0; row < classes->rows.count; row++) {
        classes->rows.texts[row * c->sensitive_count + at] =
            text_of[shoal_i_codes_get(codes, row)];
    }
    if (!classes->counts_persons) {
        SHOAL_TRY(put_pairs(ctx, to, c, text_of, codes));
    }
done:
    free(text_of);
    return st;
}

static shoal_status put_persons(shoal_ctx *ctx, struct shoal_classes *classes,
                                const counting *c, const uint64_t *persons)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(c->table);

    classes->counts_persons = true;
    SHOAL_TRY(reserve_rows(ctx, classes, rows));
    for (size_t row = 0; row < rows; row++) {
        classes->rows.classes[row] = c->index_of[c->class_of[row]];
        classes->rows.persons[row] = persons[row];
    }
    classes->rows.count = rows;
done:
    return st;
}

static shoal_status keep_names(shoal_ctx *ctx, struct shoal_classes *to, const counting *c)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, to->names, c->column_count);
    for (size_t i = 0; i < c->column_count; i++) {
        to->names[i] = shoal_i_strdup(ctx, shoal_table_name(c->table, c->columns[i]));
        if (!to->names[i]) {
            return SHOAL_ENOMEM;
        }
        to->name_count++;
    }
done:
    return st;
}

shoal_status shoal_i_classes_count(shoal_ctx *ctx, struct shoal_classes **out,
                                   const shoal_spec *spec, const shoal_table *published,
                                   const uint32_t *ks, const uint64_t *persons)
{
    shoal_status st = SHOAL_OK;
    counting c = {.spec = spec, .table = published};
    struct shoal_classes *classes = NULL;

    SHOAL_ALLOC(ctx, classes, 1);
    SHOAL_TRY(shoal_i_spec_digest(ctx, classes->spec_digest, spec));
    SHOAL_TRY(list_columns(ctx, &c));
    SHOAL_TRY(keep_names(ctx, classes, &c));
    SHOAL_TRY(shoal_i_group_rows(ctx, &c.class_of, &c.class_count, published, c.columns,
                                 c.column_count));
    SHOAL_TRY(put_classes(ctx, classes, &c, ks));
    SHOAL_ALLOC(ctx, classes->values, c.sensitive_count);
    classes->value_count = c.sensitive_count;
    if (persons) {
        SHOAL_TRY(put_persons(ctx, classes, &c, persons));
    }
    for (size_t at = 0; at < c.sensitive_count; at++) {
        SHOAL_TRY(put_values(ctx, classes, &c, at));
    }
    *out = classes;
    classes = NULL;
done:
    shoal_classes_free(classes);
    free(c.columns);
    free(c.sensitive);
    free(c.class_of);
    free(c.index_of);
    return st;
}

/* Whose the rows are, where somebody kept that beside them. */
static shoal_status list_persons(shoal_ctx *ctx, uint64_t **out, const shoal_spec *spec,
                                 const shoal_table *published)
{
    shoal_status st = SHOAL_OK;
    const char *name = shoal_i_spec_person(spec)->name;
    ptrdiff_t column = shoal_table_find(published, name);
    uint64_t *digests = NULL;

    if (column < 0 || shoal_table_is_skipped(published, (size_t)column)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "To count classes, the person of each row is needed, and what is "
                            "published does not have it in column \"%.200s\"; count what "
                            "shoal_division_solve counts, or keep that column beside the rows "
                            "until they are verified.",
                            name);
    }
    size_t values = shoal_table_value_count(published, (size_t)column);
    shoal_i_codes codes = shoal_i_table_codes(published, (size_t)column);

    SHOAL_ALLOC(ctx, digests, values + 1);
    SHOAL_TRY(shoal_i_person_digests(ctx, digests, spec, published, (size_t)column));
    SHOAL_ALLOC(ctx, *out, shoal_table_row_count(published));
    for (size_t row = 0; row < shoal_table_row_count(published); row++) {
        (*out)[row] = digests[shoal_i_codes_get(codes, row)];
    }
done:
    free(digests);
    return st;
}

shoal_status shoal_classes_count(shoal_ctx *ctx, shoal_classes **out, const shoal_spec *spec,
                                 const shoal_table *published)
{
    SHOAL_ENTER_FOR(ctx, out, spec, published);
    shoal_status st = SHOAL_OK;
    uint32_t *ks = NULL;
    uint64_t *persons = NULL;

    if (spec->k_column) {
        ptrdiff_t column = shoal_table_find(published, spec->k_column);
        shoal_role role = shoal_i_column_role(spec, spec->k_column);

        if (column < 0 || role == SHOAL_ROLE_QUASI ||
            shoal_table_type(published, (size_t)column) != SHOAL_TYPE_INTEGER) {
            SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL,
                                   "To count classes, the k of each record is needed, and what "
                                   "is published does not have it in column \"%.200s\".",
                                   spec->k_column));
        }
        SHOAL_TRY(shoal_i_column_record_k(ctx, &ks, published, spec->k_column));
    }
    if (shoal_i_spec_person(spec)) {
        SHOAL_TRY(list_persons(ctx, &persons, spec, published));
    }
    SHOAL_TRY(shoal_i_classes_count(ctx, out, spec, published, ks, persons));
done:
    free(ks);
    free(persons);
    return st;
}

/* --- Adding up. ------------------------------------------------------------------------- */

static bool are_alike(const shoal_classes *a, const shoal_classes *b)
{
    bool alike = strcmp(a->spec_digest, b->spec_digest) == 0 &&
                 a->name_count == b->name_count && a->value_count == b->value_count;

    for (size_t i = 0; alike && i < a->name_count; i++) {
        alike = strcmp(a->names[i], b->names[i]) == 0;
    }
    return alike;
}

/* *text_of: of each index of the other's texts, the one here; free. */
static shoal_status add_texts(shoal_ctx *ctx, shoal_i_class_values *to, uint32_t **text_of,
                              const shoal_i_class_values *more)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, *text_of, (size_t)more->texts.texts.count + 1);
    for (uint32_t index = 1; index <= more->texts.texts.count; index++) {
        size_t length = 0;
        const char *text = shoal_i_dictionary_text(&more->texts.texts, index, &length);

        SHOAL_TRY(shoal_i_value_column_add(ctx, &to->texts, text, length,
                                           more->texts.counts[index],
                                           more->texts.is_missing[index]));
        (*text_of)[index] = shoal_i_dictionary_find(&to->texts.texts, text, length);
    }
done:
    return st;
}

/* Of sensitive column `at`; the rows of persons have room, and follow those that there are. */
static shoal_status add_values(shoal_ctx *ctx, shoal_classes *classes,
                               const shoal_classes *more, size_t at, const uint32_t *class_of)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_class_values *from = &more->values[at];
    size_t width = classes->value_count;
    uint32_t *texts =
        classes->rows.texts ? classes->rows.texts + classes->rows.count * width : NULL;
    uint32_t *text_of = NULL;

    SHOAL_TRY(add_texts(ctx, &classes->values[at], &text_of, from));
    for (uint32_t index = 1; index <= from->pairs.count; index++) {
        uint64_t pair = shoal_i_dictionary_number(&from->pairs, index);

        SHOAL_TRY(put_pair(ctx, &classes->values[at], class_of[pair >> 32],
                           text_of[(uint32_t)pair], from->counts[index]));
    }
    for (size_t row = 0; row < more->rows.count; row++) {
        texts[row * width + at] = text_of[more->rows.texts[row * width + at]];
    }
done:
    free(text_of);
    return st;
}

static void add_persons(shoal_classes *classes, const shoal_classes *more,
                        const uint32_t *class_of)
{
    for (size_t row = 0; row < more->rows.count; row++) {
        classes->rows.classes[classes->rows.count] = class_of[more->rows.classes[row]];
        classes->rows.persons[classes->rows.count++] = more->rows.persons[row];
    }
}

shoal_status shoal_classes_add(shoal_ctx *ctx, shoal_classes *classes,
                               const shoal_classes *more)
{
    SHOAL_ENTER(ctx, classes, more);
    shoal_status st = SHOAL_OK;
    uint32_t *class_of = NULL;

    if (!are_alike(classes, more)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The classes of two parts were counted by different specs, or of "
                            "different columns.");
    }
    if (more->record_count > RECORDS_MAX - classes->record_count) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "A table has at most %" PRIu32 " records.",
                            RECORDS_MAX);
    }
    SHOAL_ALLOC(ctx, class_of, (size_t)more->keys.count + 1);
    for (uint32_t index = 1; index <= more->keys.count; index++) {
        size_t length = 0;
        const char *key = shoal_i_dictionary_text(&more->keys, index, &length);

        SHOAL_TRY(put_class(ctx, classes, &class_of[index], key, length, more->sizes[index],
                            more->largest_k[index]));
        classes->parts[class_of[index]] += more->parts[index];
    }
    SHOAL_TRY(reserve_rows(ctx, classes, more->rows.count));
    for (size_t i = 0; i < classes->value_count; i++) {
        SHOAL_TRY(add_values(ctx, classes, more, i, class_of));
    }
    add_persons(classes, more, class_of);
done:
    free(class_of);
    return st;
}

/* --- Bytes. ----------------------------------------------------------------------------- */

/* Row after row: its class, whose it is, its texts. */
static void pack_rows(shoal_i_buffer *out, const shoal_classes *classes)
{
    const shoal_i_class_rows *rows = &classes->rows;

    for (size_t row = 0; row < rows->count; row++) {
        shoal_i_pack_number(out, rows->classes[row]);
        shoal_i_pack_digest(out, rows->persons[row]);
        for (size_t i = 0; i < classes->value_count; i++) {
            shoal_i_pack_number(out, rows->texts[row * classes->value_count + i]);
        }
    }
}

static void pack_values(shoal_i_buffer *out, const shoal_i_class_values *values,
                        bool in_persons)
{
    const shoal_i_value_column *texts = &values->texts;

    shoal_i_pack_text(out, texts->name, strlen(texts->name));
    shoal_i_pack_number(out, (uint64_t)texts->type);
    shoal_i_pack_number(out, texts->texts.count);
    for (uint32_t index = 1; index <= texts->texts.count; index++) {
        size_t length = 0;
        const char *text = shoal_i_dictionary_text(&texts->texts, index, &length);

        shoal_i_pack_text(out, text, length);
        shoal_i_pack_number(out, texts->is_missing[index]);
    }
    if (in_persons) {
        return;
    }
    shoal_i_pack_number(out, values->pairs.count);
    for (uint32_t index = 1; index <= values->pairs.count; index++) {
        uint64_t pair = shoal_i_dictionary_number(&values->pairs, index);

        shoal_i_pack_number(out, pair >> 32);
        shoal_i_pack_number(out, (uint32_t)pair);
        shoal_i_pack_number(out, values->counts[index]);
    }
}

shoal_status shoal_classes_write_memory(shoal_ctx *ctx, char **bytes, size_t *size,
                                        const shoal_classes *classes)
{
    SHOAL_ENTER_FOR(ctx, bytes, size, classes);
    shoal_i_buffer out;

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_pack_text(&out, classes->spec_digest, strlen(classes->spec_digest));
    shoal_i_pack_number(&out, classes->name_count);
    for (size_t i = 0; i < classes->name_count; i++) {
        shoal_i_pack_text(&out, classes->names[i], strlen(classes->names[i]));
    }
    shoal_i_pack_number(&out, classes->keys.count);
    for (uint32_t index = 1; index <= classes->keys.count; index++) {
        size_t length = 0;
        const char *key = shoal_i_dictionary_text(&classes->keys, index, &length);

        shoal_i_pack_text(&out, key, length);
        shoal_i_pack_number(&out, classes->sizes[index]);
        shoal_i_pack_number(&out, classes->largest_k[index]);
        shoal_i_pack_number(&out, classes->parts[index]);
    }
    shoal_i_pack_number(&out, classes->value_count);
    for (size_t i = 0; i < classes->value_count; i++) {
        pack_values(&out, &classes->values[i], classes->counts_persons);
    }
    pack_rows(&out, classes);
    return shoal_i_pack_end(ctx, bytes, size, kind, &out);
}

static shoal_status unpack_names(shoal_ctx *ctx, shoal_classes *classes, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_i_unpack_count(in);

    SHOAL_ALLOC(ctx, classes->names, count);
    for (; classes->name_count < count; classes->name_count++) {
        size_t length = 0;
        const char *name = shoal_i_unpack_text(in, &length);

        classes->names[classes->name_count] = shoal_i_strndup(ctx, name, length);
        if (!classes->names[classes->name_count]) {
            return SHOAL_ENOMEM;
        }
    }
done:
    return st;
}

static shoal_status unpack_classes(shoal_ctx *ctx, shoal_classes *classes,
                                   shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_i_unpack_count(in);

    for (size_t i = 0; i < count && !in->is_broken; i++) {
        size_t length = 0;
        const char *key = shoal_i_unpack_text(in, &length);
        uint64_t records = shoal_i_unpack_number(in, RECORDS_MAX - classes->record_count);
        uint64_t largest_k = shoal_i_unpack_number(in, UINT32_MAX);
        uint64_t parts = shoal_i_unpack_number(in, records);
        uint32_t index = 0;

        SHOAL_TRY(put_class(ctx, classes, &index, key, length, records, largest_k));
        classes->parts[index] = parts;
        in->is_broken = in->is_broken || records == 0 || parts == 0 || index != i + 1;
    }
done:
    return st;
}

static shoal_status unpack_pairs(shoal_ctx *ctx, const shoal_classes *classes,
                                 shoal_i_class_values *values, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_i_unpack_count(in);
    uint64_t *left = NULL; /* records of each class that have no value yet */

    SHOAL_ALLOC(ctx, left, (size_t)classes->keys.count + 1);
    for (uint32_t i = 1; i <= classes->keys.count; i++) {
        left[i] = classes->sizes[i];
    }
    for (size_t i = 0; i < count && !in->is_broken; i++) {
        uint32_t class = (uint32_t)shoal_i_unpack_number(in, classes->keys.count);
        uint32_t text = (uint32_t)shoal_i_unpack_number(in, values->texts.texts.count);
        uint64_t times = shoal_i_unpack_number(in, left[class]);

        in->is_broken = in->is_broken || class == 0 || text == 0 || times == 0;
        if (in->is_broken) {
            break;
        }
        left[class] -= times;
        values->texts.counts[text] += times;
        SHOAL_TRY(put_pair(ctx, values, class, text, times));
    }
    for (uint32_t i = 1; i <= classes->keys.count; i++) {
        in->is_broken = in->is_broken || left[i] > 0;
    }
done:
    free(left);
    return st;
}

static shoal_status unpack_values(shoal_ctx *ctx, const shoal_classes *classes,
                                  shoal_i_class_values *values, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    size_t length = 0;
    const char *name = shoal_i_unpack_text(in, &length);

    values->texts.name = shoal_i_strndup(ctx, name, length);
    if (!values->texts.name) {
        return SHOAL_ENOMEM;
    }
    values->texts.type = (shoal_type)shoal_i_unpack_number(in, SHOAL_TYPE_DATE);
    size_t count = shoal_i_unpack_count(in);

    for (size_t i = 0; i < count && !in->is_broken; i++) {
        const char *text = shoal_i_unpack_text(in, &length);
        bool is_missing = shoal_i_unpack_number(in, 1) != 0;

        SHOAL_TRY(shoal_i_value_column_add(ctx, &values->texts, text, length, 0, is_missing));
        in->is_broken = in->is_broken || values->texts.texts.count != i + 1;
    }
    if (!classes->counts_persons) {
        SHOAL_TRY(unpack_pairs(ctx, classes, values, in));
    }
done:
    return st;
}

/* Each class has as many rows as it has records. */
static shoal_status unpack_rows(shoal_ctx *ctx, shoal_classes *classes, shoal_i_unpacking *in)
{
    shoal_status st = SHOAL_OK;
    shoal_i_class_rows *rows = &classes->rows;
    size_t width = classes->value_count;
    uint64_t *left = NULL;

    /* A row takes nine bytes at least. */
    if (classes->record_count > (size_t)(in->end - in->at) / 9) {
        in->is_broken = true;
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, left, (size_t)classes->keys.count + 1);
    for (uint32_t i = 1; i <= classes->keys.count; i++) {
        left[i] = classes->sizes[i];
    }
    SHOAL_TRY(reserve_rows(ctx, classes, (size_t)classes->record_count));
    for (size_t row = 0; row < classes->record_count && !in->is_broken; row++) {
        uint32_t class = (uint32_t)shoal_i_unpack_number(in, classes->keys.count);

        rows->classes[row] = class;
        rows->persons[row] = shoal_i_unpack_digest(in);
        in->is_broken = in->is_broken || left[class] == 0;
        left[class]--;
        for (size_t i = 0; i < width && !in->is_broken; i++) {
            shoal_i_value_column *texts = &classes->values[i].texts;
            uint32_t text = (uint32_t)shoal_i_unpack_number(in, texts->texts.count);

            in->is_broken = in->is_broken || text == 0;
            if (!in->is_broken) {
                rows->texts[row * width + i] = text;
                texts->counts[text]++;
            }
        }
        rows->count++;
    }
done:
    free(left);
    return st;
}

static bool does_every_text_occur(const shoal_classes *classes)
{
    for (size_t i = 0; i < classes->value_count; i++) {
        const shoal_i_value_column *texts = &classes->values[i].texts;

        for (uint32_t text = 1; text <= texts->texts.count; text++) {
            if (texts->counts[text] == 0) {
                return false;
            }
        }
    }
    return true;
}

shoal_status shoal_classes_read_memory(shoal_ctx *ctx, shoal_classes **out,
                                       const shoal_spec *spec, const void *bytes, size_t size)
{
    SHOAL_ENTER_FOR(ctx, out, spec);
    shoal_status st = SHOAL_OK;
    shoal_i_unpacking in = {0};
    shoal_classes *classes = NULL;

    SHOAL_TRY(shoal_i_unpack_begin(ctx, &in, kind, bytes, size));
    SHOAL_ALLOC(ctx, classes, 1);
    SHOAL_TRY(shoal_i_spec_digest(ctx, classes->spec_digest, spec));
    SHOAL_TRY(shoal_i_unpack_spec(ctx, &in, kind, classes->spec_digest));
    classes->counts_persons = shoal_i_spec_person(spec) != NULL;
    SHOAL_TRY(unpack_names(ctx, classes, &in));
    SHOAL_TRY(unpack_classes(ctx, classes, &in));
    size_t count = shoal_i_unpack_count(&in);

    SHOAL_ALLOC(ctx, classes->values, count);
    for (; classes->value_count < count;) {
        size_t at = classes->value_count++;

        SHOAL_TRY(unpack_values(ctx, classes, &classes->values[at], &in));
    }
    if (classes->counts_persons) {
        SHOAL_TRY(unpack_rows(ctx, classes, &in));
    }
    in.is_broken = in.is_broken || !does_every_text_occur(classes);
    SHOAL_TRY(shoal_i_unpack_end(ctx, &in, kind));
    *out = classes;
    classes = NULL;
done:
    shoal_classes_free(classes);
    return st;
}
