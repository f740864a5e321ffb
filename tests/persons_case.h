/* persons_case.h -- random tables in which persons have several records, and their classes by
 * definition. */
#ifndef SHOAL_TESTS_PERSONS_CASE_H
#define SHOAL_TESTS_PERSONS_CASE_H

#include "illness_case.h"

#define PERSONS_MAX 2000
#define TEXT_MAX 64

/* --- Tables. ---------------------------------------------------------------------------- */

/* Whose each record is, by the number that is released with it; -1: nobody's. */
static int person_of[PERSONS_MAX];

/* Persons with one to `repeats` records, in any order; about the same place and age. */
static inline void write_persons(fixture *f, shoal_i_random *random, size_t rows,
                                 unsigned repeats, bool with_nobody)
{
    FILE *file = fopen(f->input, "wb");
    unsigned ages = 4 + (unsigned)shoal_i_random_below(random, 60);
    unsigned towns = 2 + (unsigned)shoal_i_random_below(random, 7);
    size_t persons = 1 + 2 * rows / (repeats + 1);

    assert_non_null(file);
    assert_true(rows <= PERSONS_MAX);
    fprintf(file, "who,age,town,zip,ill,own,number\n");
    for (size_t i = 0; i < rows; i++) {
        unsigned who = (unsigned)shoal_i_random_below(random, persons);
        unsigned age = who * 7 % ages + (unsigned)shoal_i_random_below(random, 5);
        unsigned town = (who + (unsigned)shoal_i_random_below(random, 2)) % towns;
        bool is_nobody = with_nobody && shoal_i_random_below(random, 6) == 0;
        char name[16] = "";

        if (!is_nobody) {
            snprintf(name, sizeof name, "w%u", who);
        }
        person_of[i] = is_nobody ? -1 : (int)who;
        /* One after the other: compilers take arguments in different orders. */
        unsigned zip = (unsigned)shoal_i_random_below(random, 60);
        unsigned ill = (unsigned)shoal_i_random_below(random, 6);
        unsigned own = 1 + (unsigned)shoal_i_random_below(random, 5);

        fprintf(file, "%s,%u,t%u,%02u,d%u,%u,%zu\n", name, age, town, zip, ill, own, i);
    }
    fclose(file);
}

static inline void ask_persons(fixture *f, const char *const demand[2], const char *k)
{
    ask_ill(f, demand, k);
    set_role(f, "who", SHOAL_ROLE_PERSON);
    set_role(f, "number", SHOAL_ROLE_INSENSITIVE);
    set(f, "missing.person", "own");
}

/* --- Classes by definition. ------------------------------------------------------------- */

typedef struct line {
    char class[TEXT_MAX]; /* what tells its class */
    char ill[TEXT_MAX];
    int person;
} line;

static inline void cut_cells(char cells[][TEXT_MAX], size_t count, char *text)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(text, ",\n");

        snprintf(cells[i], TEXT_MAX, "%.*s", (int)length, text);
        text += length + (text[length] != '\0');
    }
}

/* age, town, zip, ill, own, number */
static inline size_t read_release(line *lines, const char *path)
{
    FILE *file = fopen(path, "rb");
    char text[4 * TEXT_MAX];
    char cells[6][TEXT_MAX];
    size_t count = 0;

    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "age,town,zip,ill,number\n");
    while (fgets(text, sizeof text, file)) {
        cut_cells(cells, 5, text);
        size_t number = strtoul(cells[4], NULL, 10);
        int length = snprintf(lines[count].class, TEXT_MAX, "%.18s|%.18s|%.18s", cells[0],
                              cells[1], cells[2]);

        assert_true(length < TEXT_MAX);
        memcpy(lines[count].ill, cells[3], TEXT_MAX);
        /* Nobody is a person of its own. */
        lines[count].person = person_of[number] >= 0 ? person_of[number] : -1 - (int)number;
        count++;
    }
    fclose(file);
    return count;
}

/* The persons and the values of the class of a line, as often as they are first seen. */
static inline void count_class(const line *lines, size_t count, size_t at, size_t *persons,
                               size_t *values)
{
    *persons = *values = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_new_person = true;
        bool is_new_value = true;

        if (strcmp(lines[i].class, lines[at].class) != 0) {
            continue;
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(lines[j].class, lines[at].class) == 0) {
                is_new_person = is_new_person && lines[j].person != lines[i].person;
                is_new_value = is_new_value && strcmp(lines[j].ill, lines[i].ill) != 0;
            }
        }
        *persons += is_new_person;
        *values += is_new_value;
    }
}

/* The fewest persons that a class has. */
static inline size_t assert_lines(const line *lines, size_t count, size_t k, size_t l)
{
    size_t fewest = SIZE_MAX;

    for (size_t i = 0; i < count; i++) {
        size_t persons = 0;
        size_t values = 0;

        if (i > 0 && strcmp(lines[i].class, lines[i - 1].class) == 0) {
            continue;
        }
        count_class(lines, count, i, &persons, &values);
        if (persons < k || values < l) {
            fail_msg("%s: %zu persons, %zu values", lines[i].class, persons, values);
        }
        fewest = persons < fewest ? persons : fewest;
    }
    return fewest;
}

static inline void assert_classes(fixture *f, size_t rows, size_t k, size_t l)
{
    line *lines = calloc(rows + 1, sizeof *lines);

    assert_int_equal(read_release(lines, f->output), rows);
    assert_lines(lines, rows, k, l);
    free(lines);
}

#endif /* SHOAL_TESTS_PERSONS_CASE_H */
