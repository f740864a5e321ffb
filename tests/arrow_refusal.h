/* arrow_refusal.h -- a stream that must be refused, and a small one to spoil. */
#ifndef SHOAL_TESTS_ARROW_REFUSAL_H
#define SHOAL_TESTS_ARROW_REFUSAL_H

#include "arrow_case.h"
#include "failing.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#define MISSING                                                                                \
    {                                                                                          \
        .is_missing = true                                                                     \
    }
#define NUMBER(n)                                                                              \
    {                                                                                          \
        .number = (n)                                                                          \
    }
#define REAL(r)                                                                                \
    {                                                                                          \
        .real = (r)                                                                            \
    }
#define TEXT(t)                                                                                \
    {                                                                                          \
        .text = (t), .length = sizeof(t) - 1                                                   \
    }

static inline void assert_refused(shoal_ctx *ctx, arrow_script *script, shoal_status status,
                                  int64_t record, int64_t field, const char *message)
{
    struct ArrowArrayStream stream = arrow_open(script);
    shoal_table *table = (shoal_table *)&stream;
    shoal_status st = shoal_table_import(ctx, &table, &stream);

    if (st != status || !strstr(ctx->error.message, message)) {
        print_error("\"%s\" is not about \"%s\"\n", ctx->error.message, message);
    }
    assert_int_equal(st, status);
    assert_non_null(strstr(ctx->error.message, message));
    assert_int_equal(ctx->error.record, record);
    assert_int_equal(ctx->error.field, field);
    assert_null(table);
    assert_null(stream.release);
    assert_int_equal(script->releases, 1);
    assert_int_equal(script->live, 0);
}

static const arrow_value few_numbers[] = {NUMBER(1), NUMBER(0), NUMBER(1), MISSING, NUMBER(0)};
static const arrow_value few_texts[] = {TEXT("one"), TEXT("a text of many bytes"), TEXT("one"),
                                        MISSING, TEXT("two")};

/* A number, texts of three kinds and a dictionary. */
static const arrow_field few_fields[] = {
    {.name = "n", .format = "i", .cells = few_numbers},
    {.name = "t", .format = "u", .cells = few_texts},
    {.name = "v", .format = "vu", .cells = few_texts},
    {.name = "d", .format = "c", .values = "u", .cells = few_texts},
    {.name = "z", .format = "n", .cells = few_texts},
};

static inline arrow_script few_script(void)
{
    return (arrow_script){.fields = few_fields, .field_count = 5, .row_count = 5, .chunk = 2};
}

#endif /* SHOAL_TESTS_ARROW_REFUSAL_H */
