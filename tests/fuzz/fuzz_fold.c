/* fuzz_fold.c -- any bytes as a text to be folded: a form that is folded no further, of valid
 * UTF-8 where the text is; and as a decimal, whose key is that of the same number written
 * otherwise. */
#include "fuzz.h"

#include "base/text.h"
#include "table/same/same_values.h"

#include <string.h>

#define TEXT_MAX 4096

static void check_form(shoal_ctx *ctx, const char *text, size_t size, unsigned ways)
{
    static char form[16 * TEXT_MAX];
    static shoal_i_folder folder;
    const char *found = NULL;
    size_t length = 0;
    size_t at = 0;

    MUST(shoal_i_fold(ctx, &folder, &found, &length, text, size, ways) == SHOAL_OK);
    MUST(length <= sizeof form);
    if (length > 0) {
        memcpy(form, found, length);
    }
    /* Bytes that are no text may become one when what stood between them is left out. */
    if (!shoal_i_text_is_utf8(&at, text, size)) {
        return;
    }
    MUST(shoal_i_text_is_utf8(&at, form, length));
    MUST(shoal_i_fold(ctx, &folder, &found, &at, form, length, ways) == SHOAL_OK);
    MUST(at == length && (length == 0 || memcmp(found, form, length) == 0));
}

/* A zero before the digits changes nothing. */
static void check_decimal(const char *text, size_t size)
{
    static char keys[2][TEXT_MAX + 32];
    static char longer[TEXT_MAX + 1];
    size_t sign = size > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t length = shoal_i_decimal_key(keys[0], text, size);

    memcpy(longer, text, sign);
    longer[sign] = '0';
    memcpy(longer + sign + 1, text + sign, size - sign);
    MUST(length == 0 || (shoal_i_decimal_key(keys[1], longer, size + 1) == length &&
                         memcmp(keys[0], keys[1], length) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;

    if (size > TEXT_MAX || size == 0) {
        return 0;
    }
    for (unsigned ways = 0; ways <= SHOAL_I_FOLD_ALL; ways++) {
        check_form(fuzz_ctx(1), text, size, ways);
    }
    check_decimal(text, size);
    return 0;
}
