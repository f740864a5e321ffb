#include "portable.h"

#include "../../base/text.h"
#include "../input/method_check.h"

#include <inttypes.h>

#define MAGIC "SHOALDIV"
#define MAGIC_SIZE 8
#define HEX_SIZE (SHOAL_I_SHA256_HEX - 1)
#define FRAME_SIZE (MAGIC_SIZE + 4 + 4 + 8 + HEX_SIZE)

static const char *const kind_names[] = {
    [SHOAL_I_PORTABLE_VALUES] = "values of a part",
    [SHOAL_I_PORTABLE_DIVISION] = "a division",
    [SHOAL_I_PORTABLE_COUNTS] = "counts of a part",
    [SHOAL_I_PORTABLE_CLASSES] = "classes of a release",
};

#define KINDS (sizeof kind_names / sizeof *kind_names)

/* --- Packing. --------------------------------------------------------------------------- */

void shoal_i_pack_number(shoal_i_buffer *out, uint64_t number)
{
    while (number >= 128) {
        shoal_i_buffer_char(out, (char)(unsigned char)(number | 128));
        number >>= 7;
    }
    shoal_i_buffer_char(out, (char)(unsigned char)number);
}

static void put_little(unsigned char *to, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, number >>= 8) {
        to[i] = (unsigned char)number;
    }
}

static uint64_t get_little(const unsigned char *from, size_t bytes)
{
    uint64_t number = 0;

    for (size_t i = bytes; i-- > 0;) {
        number = number << 8 | from[i];
    }
    return number;
}

void shoal_i_pack_digest(shoal_i_buffer *out, uint64_t digest)
{
    unsigned char bytes[sizeof digest];

    put_little(bytes, digest, sizeof digest);
    shoal_i_buffer_put(out, bytes, sizeof bytes);
}

void shoal_i_pack_double(shoal_i_buffer *out, double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    shoal_i_pack_digest(out, bits);
}

void shoal_i_pack_text(shoal_i_buffer *out, const char *text, size_t length)
{
    shoal_i_pack_number(out, length);
    shoal_i_buffer_put(out, text, length);
}

shoal_status shoal_i_pack_end(shoal_ctx *ctx, char **bytes, size_t *size,
                              shoal_i_portable_kind kind, shoal_i_buffer *rest)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer framed;
    unsigned char numbers[16];
    char hex[SHOAL_I_SHA256_HEX];
    shoal_i_sha256 hash = shoal_i_sha256_start();

    shoal_i_buffer_init(&framed, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_buffer_status(rest));
    shoal_i_sha256_add(&hash, rest->data, rest->size);
    shoal_i_sha256_end(&hash, hex);
    put_little(numbers, SHOAL_I_PORTABLE_VERSION, 4);
    put_little(numbers + 4, (uint64_t)kind, 4);
    put_little(numbers + 8, rest->size, 8);
    shoal_i_buffer_put(&framed, MAGIC, MAGIC_SIZE);
    shoal_i_buffer_put(&framed, numbers, sizeof numbers);
    shoal_i_buffer_put(&framed, hex, HEX_SIZE);
    shoal_i_buffer_put(&framed, rest->data, rest->size);
    size_t whole = framed.size;

    SHOAL_TRY(shoal_i_buffer_take(bytes, &framed));
    *size = whole;
done:
    shoal_i_buffer_clear(&framed);
    shoal_i_buffer_clear(rest);
    return st;
}

/* --- Unpacking. ------------------------------------------------------------------------- */

static shoal_status check_version(shoal_ctx *ctx, const unsigned char *frame,
                                  shoal_i_portable_kind kind)
{
    uint64_t version = get_little(frame + MAGIC_SIZE, 4);
    uint64_t found = get_little(frame + MAGIC_SIZE + 4, 4);

    if (version != SHOAL_I_PORTABLE_VERSION) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "The bytes of %s are of version %" PRIu64 " of the format, and "
                            "this is Shoal for version %u; write them with the same Shoal on "
                            "every machine.",
                            kind_names[kind], version, SHOAL_I_PORTABLE_VERSION);
    }
    if (found != (uint64_t)kind) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "Expected the bytes of %s; got those of %s.",
                            kind_names[kind],
                            found < KINDS ? kind_names[found] : "something else");
    }
    return SHOAL_OK;
}

shoal_status shoal_i_unpack_begin(shoal_ctx *ctx, shoal_i_unpacking *in,
                                  shoal_i_portable_kind kind, const void *bytes, size_t size)
{
    shoal_status st = SHOAL_OK;
    const unsigned char *frame = bytes;
    char hex[SHOAL_I_SHA256_HEX];
    shoal_i_sha256 hash = shoal_i_sha256_start();

    if (!bytes) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "Expected the bytes of %s; got none.",
                            kind_names[kind]);
    }
    if (size < FRAME_SIZE || memcmp(frame, MAGIC, MAGIC_SIZE) != 0) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT,
                            "Expected the bytes of %s; got %zu bytes that are none.",
                            kind_names[kind], size);
    }
    SHOAL_TRY(check_version(ctx, frame, kind));
    uint64_t rest = get_little(frame + MAGIC_SIZE + 8, 8);

    if (rest != size - FRAME_SIZE) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT,
                            "The bytes of %s are cut short, or more than one: %" PRIu64
                            " should follow their head, and %zu do.",
                            kind_names[kind], rest, size - FRAME_SIZE);
    }
    shoal_i_sha256_add(&hash, frame + FRAME_SIZE, size - FRAME_SIZE);
    shoal_i_sha256_end(&hash, hex);
    if (memcmp(hex, frame + FRAME_SIZE - HEX_SIZE, HEX_SIZE) != 0) {
        return shoal_i_fail(
            ctx, SHOAL_EFORMAT,
            "The bytes of %s are damaged: they are not those that were written.",
            kind_names[kind]);
    }
    *in = (shoal_i_unpacking){.at = frame + FRAME_SIZE, .end = frame + size};
done:
    return st;
}

uint64_t shoal_i_unpack_number(shoal_i_unpacking *in, uint64_t most)
{
    uint64_t number = 0;

    for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        unsigned char byte = *in->at++;
        uint64_t bits = byte & 127u;

        if (shift == 63 && bits > 1) {
            break;
        }
        number |= bits << shift;
        if (byte < 128) {
            in->is_broken = in->is_broken || number > most;
            return number > most ? 0 : number;
        }
    }
    in->is_broken = true;
    return 0;
}

size_t shoal_i_unpack_count(shoal_i_unpacking *in)
{
    uint64_t count = shoal_i_unpack_number(in, SIZE_MAX);

    if (count > (size_t)(in->end - in->at)) {
        in->is_broken = true;
        return 0;
    }
    return (size_t)count;
}

uint64_t shoal_i_unpack_digest(shoal_i_unpacking *in)
{
    uint64_t digest = 0;

    if ((size_t)(in->end - in->at) < sizeof digest) {
        in->is_broken = true;
    } else {
        digest = get_little(in->at, sizeof digest);
        in->at += sizeof digest;
    }
    return digest;
}

double shoal_i_unpack_double(shoal_i_unpacking *in)
{
    uint64_t bits = shoal_i_unpack_digest(in);
    double number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

const char *shoal_i_unpack_text(shoal_i_unpacking *in, size_t *length)
{
    *length = shoal_i_unpack_count(in);
    const char *text = (const char *)in->at;

    in->at += *length;
    if (memchr(text, '\0', *length) || !shoal_i_text_is_utf8(&(size_t){0}, text, *length)) {
        in->is_broken = true;
        *length = 0;
    }
    return text;
}

shoal_status shoal_i_unpack_end(shoal_ctx *ctx, const shoal_i_unpacking *in,
                                shoal_i_portable_kind kind)
{
    if (in->is_broken || in->at != in->end) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT, "The bytes of %s make no sense.",
                            kind_names[kind]);
    }
    return SHOAL_OK;
}

/* --- What a spec says. ------------------------------------------------------------------ */

static void pack_string(shoal_i_buffer *out, const char *text)
{
    shoal_i_pack_number(out, text != NULL);
    shoal_i_pack_text(out, text ? text : "", text ? strlen(text) : 0);
}

/* What a table of levels says; a file stands for itself by its name. */
static void pack_levels(shoal_i_buffer *out, const shoal_table *levels)
{
    size_t columns = shoal_table_column_count(levels);

    shoal_i_pack_number(out, shoal_table_row_count(levels));
    shoal_i_pack_number(out, columns);
    for (size_t i = 0; i < shoal_table_row_count(levels) * columns; i++) {
        size_t c = i % columns;
        uint32_t code =
            shoal_table_is_skipped(levels, c) ? 0 : shoal_table_code(levels, c, i / columns);
        bool is_missing =
            shoal_table_is_skipped(levels, c) || code == shoal_table_value_count(levels, c);

        pack_string(out, is_missing ? NULL : shoal_table_text(levels, c, code, NULL));
    }
}

static void pack_plan(shoal_i_buffer *out, const shoal_i_hierarchy_plan *plan)
{
    const char *name = plan->path ? strrchr(plan->path, '/') : NULL;

    shoal_i_pack_number(out, (uint64_t)plan->kind);
    pack_string(out, name ? name + 1 : plan->path);
    if (plan->levels) {
        pack_levels(out, plan->levels);
    }
    shoal_i_pack_number(out, plan->length);
    shoal_i_pack_double(out, plan->origin);
    shoal_i_pack_number(out, plan->number_count);
    for (size_t i = 0; i < plan->number_count; i++) {
        shoal_i_pack_double(out, plan->numbers[i]);
    }
    shoal_i_pack_number(out, plan->level_count);
    for (size_t i = 0; plan->starts && i <= plan->level_count; i++) {
        shoal_i_pack_number(out, plan->starts[i]);
    }
    if (plan->kind == SHOAL_I_PLAN_CODES) {
        pack_string(out, plan->codes);
        pack_string(out, plan->other);
    }
    if (plan->separators) {
        pack_string(out, plan->separators);
    }
    for (size_t i = 0; i < plan->weight_count; i++) {
        pack_string(out, plan->weights[i].label);
        shoal_i_pack_double(out, plan->weights[i].weight);
    }
}

static void pack_grid(shoal_i_buffer *out, const shoal_i_grid *grid)
{
    shoal_i_pack_number(out, (uint64_t)grid->unit);
    shoal_i_pack_number(out, (uint64_t)grid->count);
    shoal_i_pack_number(out, (uint64_t)grid->decimals);
}

static void pack_columns(shoal_i_buffer *out, const shoal_spec *spec)
{
    pack_grid(out, &spec->grid);
    shoal_i_pack_number(out, spec->column_count);
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        pack_string(out, column->name);
        shoal_i_pack_number(out, column->has_role ? 1 + (uint64_t)column->role : 0);
        shoal_i_pack_number(out, (uint64_t)column->type);
        shoal_i_pack_double(out, column->weight);
        pack_grid(out, &column->grid);
        pack_plan(out, &column->plan);
        for (size_t t = SHOAL_I_COLUMN_TOP; t < SHOAL_I_COLUMN_TEXTS; t++) {
            if (column->texts[t]) {
                shoal_i_pack_number(out, t);
                pack_string(out, column->texts[t]);
            }
        }
    }
}

static void pack_requests(shoal_i_buffer *out, const shoal_spec *spec)
{
    shoal_i_pack_number(out, spec->k);
    pack_string(out, spec->k_column);
    shoal_i_pack_number(out, spec->request_count);
    for (size_t i = 0; i < spec->request_count; i++) {
        const shoal_i_requirement_request *request = &spec->requests[i];

        pack_string(out, request->kind->key);
        pack_string(out, request->kind->variant);
        shoal_i_pack_double(out, request->value);
        shoal_i_pack_double(out, request->c);
        shoal_i_pack_double(out, request->least);
        pack_string(out, request->column);
        shoal_i_pack_number(out, request->value_count);
        for (size_t v = 0; v < request->value_count; v++) {
            pack_string(out, request->values[v]);
            shoal_i_pack_double(out, request->limits ? request->limits[v] : 0);
        }
    }
}

static void pack_method(shoal_i_buffer *out, const shoal_spec *spec)
{
    shoal_i_chosen chosen = shoal_i_spec_method(spec);

    pack_string(out, chosen.method->name);
    for (size_t i = 0; i < SHOAL_I_METHOD_OPTIONS_MAX; i++) {
        shoal_i_pack_double(out, chosen.settings.values[i]);
        shoal_i_pack_double(out, chosen.settings.inner[i]);
    }
    shoal_i_pack_double(out, spec->seconds);
    shoal_i_pack_double(out, spec->suppress);
    shoal_i_pack_number(out, spec->has_seed ? 1 + spec->seed : 0);
    shoal_i_pack_number(out, (uint64_t)spec->missing);
    shoal_i_pack_number(out, spec->owns_missing_person);
    shoal_i_pack_number(out, (uint64_t)spec->numeric);
    shoal_i_pack_number(out, (uint64_t)spec->categorical);
}

shoal_status shoal_i_spec_digest(shoal_ctx *ctx, char hex[SHOAL_I_SHA256_HEX],
                                 const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer out;
    shoal_i_sha256 hash = shoal_i_sha256_start();

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    pack_columns(&out, spec);
    pack_requests(&out, spec);
    pack_method(&out, spec);
    SHOAL_TRY(shoal_i_buffer_status(&out));
    shoal_i_sha256_add(&hash, out.data, out.size);
    shoal_i_sha256_end(&hash, hex);
done:
    shoal_i_buffer_clear(&out);
    return st;
}

shoal_status shoal_i_unpack_spec(shoal_ctx *ctx, shoal_i_unpacking *in,
                                 shoal_i_portable_kind kind,
                                 const char digest[SHOAL_I_SHA256_HEX])
{
    size_t length = 0;
    const char *found = shoal_i_unpack_text(in, &length);

    if (length != HEX_SIZE || memcmp(found, digest, HEX_SIZE) != 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The bytes of %s were made by another spec: columns, missing "
                            "values, requirements, method or forms of output differ.",
                            kind_names[kind]);
    }
    return SHOAL_OK;
}
