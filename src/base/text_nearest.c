#include "text.h"

#include <stdio.h>
#include <string.h>

#define NAME_MAX_LENGTH 63

static char fold(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == '_' ? '-' : c);
}

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance with neighbours swapped as one step; case and - against _ do not count. Both
 * texts are at most NAME_MAX_LENGTH long. */
static size_t measure_edits(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NAME_MAX_LENGTH + 1];

    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t change = above[j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));

            row[j] = min_of(change, 1 + min_of(above[j], row[j - 1]));
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1])) {
                row[j] = min_of(row[j], 1 + rows[(i - 2) % 3][j - 2]);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

const char *shoal_i_text_nearest(const char *name, const char *const *candidates, size_t count)
{
    size_t length = strlen(name);
    const char *nearest = NULL;
    size_t least = (length + 2) / 3 + 1; /* more than a third changed is another word */

    if (length > NAME_MAX_LENGTH) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        size_t candidate_length = strlen(candidates[i]);

        if (candidate_length > NAME_MAX_LENGTH) {
            continue;
        }
        size_t edits = measure_edits(name, length, candidates[i], candidate_length);

        if (edits < least && edits < length) {
            nearest = candidates[i];
            least = edits;
        }
    }
    return nearest;
}

void shoal_i_text_list(char *out, size_t capacity, const char *const *names, size_t count)
{
    size_t length = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count && length < capacity; i++) {
        const char *joint = i == 0 ? "" : i + 1 < count ? ", " : " and ";

        length += (size_t)snprintf(out + length, capacity - length, "%s%s", joint, names[i]);
    }
}
