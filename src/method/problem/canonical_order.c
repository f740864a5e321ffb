/* Codes are packed into words of 64 bits, the first field most significant. The first word
 * tells most records apart; it is made for all of them at once. Its upper bits put the records
 * into buckets, and buckets are sorted in parallel, with further words only where records are
 * equal so far. Fields behind the quasi columns are sorted by, too: only from an order that
 * follows from the values does shuffling lead to one that does. */
#include "canonical_order.h"

#include "../../base/entropy.h"
#include "../../base/hash.h"
#include "../../base/pool.h"
#include "../../base/random.h"
#include "../../base/sort.h"
#include "../../table/table_part.h"

#include <string.h>

#define STREAM_SHUFFLE 77 /* below the seed of the problem */
#define WORD_BITS 64u
#define BUCKET_BITS 11u
#define CHUNK ((size_t)1 << 16)
#define STRETCH 256 /* records whose codes are read together */

/* One column of the key. */
typedef struct field {
    shoal_i_codes codes;
    const uint32_t *code_of; /* of each of them; NULL: itself */
    unsigned bits;
    size_t word;
} field;

typedef struct sorting {
    const shoal_i_problem *problem;
    size_t count;
    bool is_shuffled;
    field *fields;
    size_t field_count;
    size_t quasi_count; /* of these fields, the first */
    size_t word_count;
    unsigned first_bits; /* of word 0 that are used */
    unsigned other_bits; /* of these: of fields behind the quasi columns */
    unsigned last_bits;  /* of the last word */
    size_t *word_fields; /* the first field of each word, and the end */
    uint64_t *first;     /* word 0 of each record */
    uint32_t *order;
    uint32_t *starts; /* of each bucket, and the end */
    size_t bucket_count;
    uint32_t *places; /* per chunk and bucket: where the next record of the chunk goes */
    size_t chunk_count;
    uint8_t *continues;     /* per place: agrees with the record before */
    uint64_t (*digests)[2]; /* of chunks of records, whatever their order */
} sorting;

/* What a chunk of records is. */
typedef struct stretch {
    size_t begin;
    size_t end;
} stretch;

static stretch chunk_at(const sorting *s, size_t chunk)
{
    size_t begin = chunk * CHUNK;

    return (stretch){begin, begin + CHUNK < s->count ? begin + CHUNK : s->count};
}

/* --- The key. --------------------------------------------------------------------------- */

static unsigned count_bits(size_t values)
{
    unsigned bits = 0;

    while (bits < 32 && ((size_t)1 << bits) < values) {
        bits++;
    }
    return bits;
}

static void add_field(sorting *s, shoal_i_codes codes, const uint32_t *code_of, size_t values)
{
    field *f = &s->fields[s->field_count];
    *f = (field){.codes = codes, .code_of = code_of, .bits = count_bits(values)};
    if (f->bits == 0) {
        return;
    }
    if (s->word_count == 0 || s->last_bits + f->bits > WORD_BITS) {
        s->word_fields[s->word_count++] = s->field_count;
        s->last_bits = 0;
    }
    s->last_bits += f->bits;
    f->word = s->word_count - 1;
    s->first_bits += f->word == 0 ? f->bits : 0;
    s->word_fields[s->word_count] = ++s->field_count;
}

static shoal_i_codes codes_of(const struct shoal_i_tally_input *input)
{
    return (shoal_i_codes){.data = input->codes, .width = sizeof(uint32_t)};
}

static shoal_status list_fields(shoal_ctx *ctx, sorting *s)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = s->problem->quasi;
    const shoal_i_tally_source *source = s->problem->source;
    size_t columns = shoal_table_column_count(quasi->table);
    bool *is_quasi = NULL;
    unsigned quasi_bits = 0; /* of word 0 */

    SHOAL_ALLOC(ctx, is_quasi, columns);
    SHOAL_ALLOC(ctx, s->fields, quasi->count + source->active_count + columns + 1);
    SHOAL_ALLOC(ctx, s->word_fields, quasi->count + source->active_count + columns + 2);
    for (size_t c = 0; c < quasi->count; c++) {
        is_quasi[quasi->columns[c].column] = true;
        add_field(s, quasi->columns[c].entries, quasi->columns[c].code_of_entry,
                  quasi->columns[c].value_count);
    }
    s->quasi_count = s->field_count;
    quasi_bits = s->first_bits;
    if (s->problem->is_blind) { /* nothing else may be looked at */
        goto done;
    }
    for (size_t i = 0; i < source->active_count; i++) {
        const struct shoal_i_tally_input *input = &source->active[i];

        if (i != source->person_input) {
            add_field(s, codes_of(input), input->value_of,
                      input->value_of ? input->shown_count : input->value_count);
        }
    }
    for (size_t column = 0; column < columns; column++) {
        if (!shoal_table_is_skipped(quasi->table, column) && !is_quasi[column] &&
            !(source->persons && source->persons->column == column)) {
            add_field(s, shoal_i_table_codes(quasi->table, column), NULL,
                      shoal_table_value_count(quasi->table, column) + 1);
        }
    }
    /* Who it is only tells apart what nothing else does: other names hardly change a release.
     */
    if (source->persons && source->persons->column < columns &&
        !shoal_table_is_skipped(quasi->table, source->persons->column)) {
        size_t column = source->persons->column;

        add_field(s, shoal_i_table_codes(quasi->table, column), NULL,
                  shoal_table_value_count(quasi->table, column) + 1);
    } else if (source->persons) {
        add_field(s, codes_of(&source->active[source->person_input]), NULL,
                  source->persons->count);
    }
done:
    s->other_bits = s->first_bits - quasi_bits;
    free(is_quasi);
    return st;
}

static uint64_t find_code(const field *f, size_t record)
{
    uint32_t code = shoal_i_codes_get(f->codes, record);

    return f->code_of ? f->code_of[code] : code;
}

/* The codes of some records in one field; at most STRETCH of them. */
static void read_codes(uint32_t *codes, const field *f, size_t first, size_t count)
{
    shoal_i_codes_widen(codes, f->codes, first, count);
    for (size_t i = 0; f->code_of && i < count; i++) {
        codes[i] = f->code_of[codes[i]];
    }
}

static void load_word(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const sorting *s = payload;

    for (size_t i = 0; i < count; i++) {
        items[i].key = word == 0 ? s->first[items[i].item] : 0;
    }
    for (size_t n = s->word_fields[word]; word > 0 && n < s->word_fields[word + 1]; n++) {
        const field *f = &s->fields[n];

        for (size_t i = 0; i < count; i++) {
            items[i].key = items[i].key << f->bits | find_code(f, items[i].item);
        }
    }
}

/* Word 0 of a chunk of records. */
static shoal_status make_first(shoal_ctx *ctx, void *payload, size_t chunk)
{
    sorting *s = payload;
    stretch c = chunk_at(s, chunk);
    uint32_t codes[STRETCH];

    (void)ctx;
    memset(s->first + c.begin, 0, (c.end - c.begin) * sizeof *s->first);
    for (size_t begin = c.begin; begin < c.end; begin += STRETCH) {
        size_t count = c.end - begin < STRETCH ? c.end - begin : STRETCH;

        for (size_t n = 0; n < s->field_count && s->fields[n].word == 0; n++) {
            read_codes(codes, &s->fields[n], begin, count);
            for (size_t i = 0; i < count; i++) {
                s->first[begin + i] = s->first[begin + i] << s->fields[n].bits | codes[i];
            }
        }
    }
    return SHOAL_OK;
}

/* --- The order. ------------------------------------------------------------------------- */

/* Whether a record may come before the one behind it. */
static bool is_in_order(const sorting *s, size_t record)
{
    if (s->first[record] != s->first[record + 1]) {
        return s->first[record] < s->first[record + 1];
    }
    for (size_t n = 0; n < s->field_count; n++) {
        uint64_t code = s->fields[n].word > 0 ? find_code(&s->fields[n], record) : 0;
        uint64_t next = s->fields[n].word > 0 ? find_code(&s->fields[n], record + 1) : 0;

        if (code != next) {
            return code < next;
        }
    }
    return true;
}

static bool are_in_order(const sorting *s)
{
    size_t record = 0;

    while (record + 1 < s->count && is_in_order(s, record)) {
        record++;
    }
    return record + 1 >= s->count;
}

static size_t find_bucket(const sorting *s, size_t record)
{
    return (size_t)(s->first_bits > BUCKET_BITS
                        ? s->first[record] >> (s->first_bits - BUCKET_BITS)
                        : s->first[record]);
}

/* How many records of a chunk fall into each bucket. */
static shoal_status count_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    sorting *s = payload;
    stretch c = chunk_at(s, chunk);
    uint32_t *places = s->places + chunk * s->bucket_count;

    (void)ctx;
    for (size_t i = c.begin; i < c.end; i++) {
        places[find_bucket(s, i)]++;
    }
    return SHOAL_OK;
}

static shoal_status deal_out_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    sorting *s = payload;
    stretch c = chunk_at(s, chunk);
    uint32_t *places = s->places + chunk * s->bucket_count;

    for (size_t i = c.begin; i < c.end; i++) {
        s->order[places[find_bucket(s, i)]++] = (uint32_t)i;
    }
    return shoal_i_check_cancelled(ctx);
}

/* Put the records into buckets, those of a bucket in ascending order. */
static shoal_status deal_out(shoal_ctx *ctx, sorting *s)
{
    shoal_status st = SHOAL_OK;

    s->bucket_count = (size_t)1 << (s->first_bits < BUCKET_BITS ? s->first_bits : BUCKET_BITS);
    SHOAL_ALLOC(ctx, s->order, s->count);
    SHOAL_ALLOC(ctx, s->starts, s->bucket_count + 1);
    SHOAL_ALLOC(ctx, s->places, s->bucket_count * s->chunk_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, s->chunk_count, count_chunk, s));
    shoal_i_sort_place(s->places, s->starts, s->chunk_count, s->bucket_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, s->chunk_count, deal_out_chunk, s));
done:
    free(s->places);
    s->places = NULL;
    return st;
}

/* The first bucket of a task: tasks have about as many records each. */
static size_t find_first(const sorting *s, size_t task)
{
    size_t record = s->count / s->chunk_count * task;
    size_t bucket = 0;

    if (task >= s->chunk_count) {
        return s->bucket_count;
    }
    while (bucket < s->bucket_count && s->starts[bucket] < record) {
        bucket++;
    }
    return bucket;
}

static shoal_status sort_buckets(shoal_ctx *ctx, void *payload, size_t task)
{
    sorting *s = payload;
    size_t first = find_first(s, task);
    size_t end = find_first(s, task + 1);

    return shoal_i_sort_runs(ctx, s->order, s->starts + first, end - first, s->word_count,
                             load_word, s);
}

static shoal_status find_order(shoal_ctx *ctx, sorting *s)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(list_fields(ctx, s));
    s->first = shoal_i_alloc_raw(ctx, s->count, sizeof *s->first);
    if (!s->first) {
        return SHOAL_ENOMEM;
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, s->chunk_count, make_first, s));
    if (!s->is_shuffled && are_in_order(s)) {
        goto done;
    }
    SHOAL_TRY(deal_out(ctx, s));
    SHOAL_TRY(shoal_i_parallel_for(ctx, s->chunk_count, sort_buckets, s));
done:
    return st;
}

/* --- Records that agree. ---------------------------------------------------------------- */

/* Whether two records agree in the quasi columns that are not in word 0. */
static bool agree_behind(const sorting *s, size_t a, size_t b)
{
    for (size_t n = 0; n < s->quasi_count; n++) {
        if (s->fields[n].word > 0 &&
            find_code(&s->fields[n], a) != find_code(&s->fields[n], b)) {
            return false;
        }
    }
    return true;
}

static bool has_quasi_behind(const sorting *s)
{
    for (size_t n = 0; n < s->quasi_count; n++) {
        if (s->fields[n].word > 0) {
            return true;
        }
    }
    return false;
}

static size_t record_at(const sorting *s, size_t place)
{
    return s->order ? s->order[place] : place;
}

/* What word 0 of a record tells about the quasi columns in it. */
static uint64_t first_quasi(const sorting *s, size_t record)
{
    return s->first_bits > s->other_bits ? s->first[record] >> s->other_bits : 0;
}

/* Which places of a chunk go on with the run of records that agree. By word 0 at first, without
 * a branch: who agrees is as good as random. */
static shoal_status mark_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    sorting *s = payload;
    stretch c = chunk_at(s, chunk);
    uint8_t *restrict continues = s->continues;
    uint64_t last = c.begin > 0 ? first_quasi(s, record_at(s, c.begin - 1)) : 0;

    for (size_t i = c.begin; i < c.end; i++) {
        uint64_t word = first_quasi(s, record_at(s, i));

        continues[i] = (i > 0) & (word == last);
        last = word;
    }
    for (size_t i = c.begin; has_quasi_behind(s) && i < c.end; i++) {
        if (continues[i]) {
            continues[i] = agree_behind(s, record_at(s, i - 1), record_at(s, i));
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* The sum of the digests of a chunk of records. */
static shoal_status digest_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_status st = SHOAL_OK;
    sorting *s = payload;
    stretch c = chunk_at(s, chunk);
    uint32_t column[STRETCH];
    uint32_t *codes = NULL; /* record after record */

    SHOAL_ALLOC(ctx, codes, s->field_count * STRETCH);
    for (size_t begin = c.begin; begin < c.end; begin += STRETCH) {
        size_t count = c.end - begin < STRETCH ? c.end - begin : STRETCH;

        for (size_t n = 0; n < s->field_count; n++) {
            read_codes(column, &s->fields[n], begin, count);
            for (size_t i = 0; i < count; i++) {
                codes[i * s->field_count + n] = column[i];
            }
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t digest[2];

            shoal_i_digest_wide(digest, codes + i * s->field_count,
                                s->field_count * sizeof *codes);
            s->digests[chunk][0] += digest[0];
            s->digests[chunk][1] += digest[1];
        }
    }
done:
    free(codes);
    return st;
}

static shoal_status start_source(shoal_ctx *ctx, shoal_i_entropy *entropy, sorting *s)
{
    shoal_status st = SHOAL_OK;
    uint64_t key[4] = {0, 0, s->problem->seed, s->count};

    SHOAL_ALLOC(ctx, s->digests, s->chunk_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, s->chunk_count, digest_chunk, s));
    for (size_t i = 0; i < s->chunk_count; i++) {
        key[0] += s->digests[i][0];
        key[1] += s->digests[i][1];
    }
    shoal_i_entropy_init_key(entropy, key);
done:
    return st;
}

/* Find the next records that agree from `from` on, where no run goes on: *first is the first of
 * them. False: there are none. */
static bool has_agreeing(const sorting *s, size_t *first, size_t from)
{
    const uint8_t *mark =
        from < s->count ? memchr(s->continues + from, 1, s->count - from) : NULL;

    *first = mark ? (size_t)(mark - s->continues) - 1 : s->count;
    return mark != NULL;
}

/* The end of the records from `first` on that agree. */
static size_t find_agreeing(const sorting *s, size_t first)
{
    size_t end = first + 1;

    while (end < s->count && s->continues[end]) {
        end++;
    }
    return end;
}

static shoal_status start_order(shoal_ctx *ctx, sorting *s)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, s->order, s->count);
    for (size_t i = 0; i < s->count; i++) {
        s->order[i] = (uint32_t)i;
    }
done:
    return st;
}

static void shuffle_run(uint32_t *records, size_t count, shoal_i_entropy *entropy)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = shoal_i_entropy_below(entropy, (uint32_t)i);
        uint32_t record = records[i - 1];

        records[i - 1] = records[j];
        records[j] = record;
    }
}

static shoal_status shuffle_agreeing(shoal_ctx *ctx, sorting *s)
{
    shoal_status st = SHOAL_OK;
    shoal_i_entropy entropy = {0};
    bool is_started = false;
    size_t first = 0;

    SHOAL_ALLOC(ctx, s->continues, s->count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, s->chunk_count, mark_chunk, s));
    for (size_t end = 0; has_agreeing(s, &first, end);) {
        end = find_agreeing(s, first);
        if (!is_started) {
            SHOAL_TRY(start_source(ctx, &entropy, s));
            is_started = true;
        }
        if (!s->order) {
            SHOAL_TRY(start_order(ctx, s));
        }
        shuffle_run(s->order + first, end - first, &entropy);
    }
done:
    shoal_i_entropy_clear(&entropy);
    return st;
}

/* Anew by the seed: of an order that is known, this gives one that is known. */
static void shuffle(uint32_t *order, size_t count, uint64_t seed)
{
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(seed, STREAM_SHUFFLE));

    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)shoal_i_random_below(&random, i);
        uint32_t record = order[i - 1];

        order[i - 1] = order[j];
        order[j] = record;
    }
}

/* --- The problem. ----------------------------------------------------------------------- */

static shoal_status reorder_source(shoal_ctx *ctx, shoal_i_canonical *c)
{
    shoal_status st = SHOAL_OK;

    c->source = *c->given->source;
    SHOAL_ALLOC(ctx, c->codes, c->source.active_count);
    for (size_t i = 0; i < c->source.active_count; i++) {
        const uint32_t *codes = c->source.active[i].codes;

        SHOAL_ALLOC(ctx, c->codes[i], c->given->row_count);
        for (size_t place = 0; place < c->given->row_count; place++) {
            c->codes[i][place] = codes[c->order[place]];
        }
        c->source.active[i].codes = c->codes[i];
    }
    if (c->source.persons) {
        c->persons = *c->source.persons;
        c->persons.of = c->codes[c->source.person_input];
        c->source.persons = &c->persons;
    }
done:
    return st;
}

static shoal_status reorder_quasi(shoal_ctx *ctx, shoal_i_canonical *c)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *given = c->given->quasi;
    bool *is_wanted = NULL;

    SHOAL_ALLOC(ctx, is_wanted, shoal_table_column_count(given->table));
    for (size_t i = 0; i < given->count; i++) {
        is_wanted[given->columns[i].column] = true;
    }
    SHOAL_TRY(shoal_i_table_reorder(ctx, &c->table, given->table, c->order, is_wanted));
    c->quasi = *given;
    c->quasi.table = c->table;
    c->quasi.columns = NULL;
    SHOAL_ALLOC(ctx, c->quasi.columns, given->count);
    for (size_t i = 0; i < given->count; i++) {
        c->quasi.columns[i] = given->columns[i];
        c->quasi.columns[i].entries = shoal_i_table_codes(c->table, given->columns[i].column);
    }
done:
    free(is_wanted);
    return st;
}

shoal_status shoal_i_canonical_init(shoal_ctx *ctx, shoal_i_canonical *out,
                                    const shoal_i_problem *problem, bool is_shuffled)
{
    shoal_status st = SHOAL_OK;
    sorting s = {
        .problem = problem,
        .count = problem->row_count,
        .is_shuffled = is_shuffled,
        .chunk_count = (problem->row_count + CHUNK - 1) / CHUNK,
    };

    *out = (shoal_i_canonical){.problem = *problem, .given = problem};
    SHOAL_TRY(find_order(ctx, &s));
    SHOAL_TRY(shuffle_agreeing(ctx, &s));
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    if (!s.order) {
        goto done;
    }
    out->order = s.order;
    s.order = NULL;
    if (is_shuffled) {
        shuffle(out->order, s.count, problem->seed);
    }
    free(s.first); /* before the codes are copied */
    free(s.continues);
    s.first = NULL;
    s.continues = NULL;
    SHOAL_TRY(reorder_quasi(ctx, out));
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(reorder_source(ctx, out));
    out->problem.quasi = &out->quasi;
    out->problem.source = &out->source;
done:
    free(s.fields);
    free(s.word_fields);
    free(s.first);
    free(s.order);
    free(s.starts);
    free(s.places);
    free(s.continues);
    free(s.digests);
    return st;
}

void shoal_i_canonical_clear(shoal_i_canonical *canonical)
{
    for (size_t i = 0; canonical->codes && i < canonical->source.active_count; i++) {
        free(canonical->codes[i]);
    }
    free(canonical->codes);
    free(canonical->quasi.columns);
    free(canonical->order);
    shoal_table_free(canonical->table);
    *canonical = (shoal_i_canonical){0};
}

/* numbers[order[i]] = what was numbers[i]; names of records become those of the given table. */
typedef struct returning {
    uint32_t *to;
    const uint32_t *from;
    const uint32_t *order;
    size_t count;
    bool are_records;
} returning;

static shoal_status return_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    const returning *r = payload;
    size_t begin = chunk * CHUNK;
    size_t end = r->count - begin < CHUNK ? r->count : begin + CHUNK;

    for (size_t i = begin; i < end; i++) {
        r->to[r->order[i]] = r->are_records ? r->order[r->from[i]] : r->from[i];
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status return_numbers(shoal_ctx *ctx, uint32_t **numbers, const uint32_t *order,
                                   size_t count, bool are_records)
{
    shoal_status st = SHOAL_OK;
    uint32_t *to = shoal_i_alloc_raw(ctx, count, sizeof *to);
    returning r = {to, *numbers, order, count, are_records};

    if (!to) {
        return SHOAL_ENOMEM;
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, (count + CHUNK - 1) / CHUNK, return_chunk, &r));
    free(*numbers);
    *numbers = to;
    to = NULL;
done:
    free(to);
    return st;
}

shoal_status shoal_i_canonical_return(shoal_ctx *ctx, const shoal_i_canonical *canonical,
                                      shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    const uint32_t *order = canonical->order;
    size_t count = release->row_count;

    if (!order) {
        return SHOAL_OK;
    }
    release->quasi = canonical->given->quasi;
    SHOAL_TRY(return_numbers(ctx, &release->box_of, order, count, false));
    if (release->linked) {
        SHOAL_TRY(return_numbers(ctx, &release->linked, order, count, true));
    }
    if (release->bucket_of) {
        SHOAL_TRY(return_numbers(ctx, &release->bucket_of, order, count, false));
    }
done:
    return st;
}
