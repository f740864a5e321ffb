/* slow_csv.h -- a CSV parser that is slow and obvious, to compare the real one with.
 *
 * Reads byte by byte, keeps every cell as a text of its own, knows nothing of blocks, masks,
 * threads or dictionaries. For valid texts only: tests of errors name what they expect. */
#ifndef SHOAL_TESTS_SLOW_CSV_H
#define SHOAL_TESTS_SLOW_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct slow_csv {
    char **cells; /* record after record, the header first */
    size_t cell_count;
    size_t column_count;
    int64_t *lines; /* of each record, the header included */
    size_t record_count;
} slow_csv;

static inline void slow_csv_add_cell(slow_csv *csv, const char *text, size_t length)
{
    csv->cells = realloc(csv->cells, (csv->cell_count + 1) * sizeof *csv->cells);
    csv->cells[csv->cell_count] = calloc(length + 1, 1);
    memcpy(csv->cells[csv->cell_count], text, length);
    csv->cell_count++;
}

/* Parse one field from text[*at] on; true when the record ends with it. */
static inline bool slow_csv_field(slow_csv *csv, const char *text, size_t size, size_t *at,
                                  char delimiter, int64_t *line)
{
    char *field = malloc(size + 1);
    size_t length = 0;
    bool is_end = false;

    if (*at < size && text[*at] == '"') {
        ++*at;
        for (; !(text[*at] == '"' && (*at + 1 == size || text[*at + 1] != '"')); ++*at) {
            *line += text[*at] == '\n';
            field[length++] = text[*at];
            *at += text[*at] == '"';
        }
        ++*at;
    }
    while (*at < size && text[*at] != delimiter && text[*at] != '\n') {
        bool is_line_end = text[*at] == '\r' && (*at + 1 == size || text[*at + 1] == '\n');

        if (!is_line_end) {
            field[length++] = text[*at];
        }
        ++*at;
    }
    is_end = *at == size || text[*at] == '\n';
    ++*at;
    slow_csv_add_cell(csv, field, length);
    free(field);
    return is_end;
}

static inline slow_csv slow_csv_parse(const char *text, size_t size, char delimiter)
{
    slow_csv csv = {0};
    int64_t line = 1;
    size_t at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    while (at < size) {
        size_t first = csv.cell_count;
        int64_t start = line;
        size_t start_at = at;

        while (!slow_csv_field(&csv, text, size, &at, delimiter, &line)) {
        }
        line++;
        size_t count = csv.cell_count - first;
        bool is_blank =
            text[start_at] == '\n' || (text[start_at] == '\r' && at == start_at + 2);

        if (csv.record_count == 0) {
            csv.column_count = count;
        } else if (csv.column_count > 1 && is_blank) {
            free(csv.cells[--csv.cell_count]);
            continue;
        }
        csv.lines = realloc(csv.lines, (csv.record_count + 1) * sizeof *csv.lines);
        csv.lines[csv.record_count++] = start;
    }
    return csv;
}

static inline void slow_csv_free(slow_csv *csv)
{
    for (size_t i = 0; i < csv->cell_count; i++) {
        free(csv->cells[i]);
    }
    free(csv->cells);
    free(csv->lines);
}

#endif /* SHOAL_TESTS_SLOW_CSV_H */
