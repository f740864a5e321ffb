/* Reads lines of ways and a text in hexadecimal digits, and prints the form of each in the same
 * way; for fold_texts.py. */
#include "base/context.h"
#include "table/same/fold.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX 4096

int main(void)
{
    static char line[LINE_MAX];
    static char text[LINE_MAX];
    shoal_i_folder folder = {0};
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    while (fgets(line, sizeof line, stdin)) {
        size_t length = 0;
        unsigned byte = 0;
        const char *form = NULL;
        size_t size = 0;

        for (const char *at = line + 2; sscanf(at, "%2x", &byte) == 1; at += 2) {
            text[length++] = (char)byte;
        }
        if (shoal_i_fold(&ctx, &folder, &form, &size, text, length,
                         (unsigned)(line[0] - '0')) != SHOAL_OK) {
            return 1;
        }
        for (size_t i = 0; i < size; i++) {
            printf("%02x", (unsigned char)form[i]);
        }
        putchar('\n');
    }
    shoal_i_folder_clear(&folder);
    shoal_i_ctx_clear(&ctx);
    return 0;
}
