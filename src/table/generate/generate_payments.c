/* generate_payments.c -- wide tables: what customers of a bank owed and paid, month by month.
 *
 *     limit ──► bill1 ──► bill2 ──► bill3 …
 *     age        └─► paid1  └─► paid2        paid: nothing, all of it, a part, a round sum
 *                 └─► late1 ──► late2 …      late: months without a payment
 *
 * A customer has a limit with a long tail, a habit (which part of it is used) and a state that
 * wanders from month to month, so that amounts of near months resemble each other and all of
 * one customer's follow the limit. Amounts are powers of two with an exponent that is drawn,
 * hence tails over several orders of magnitude. All arithmetic is in whole numbers, so the
 * bytes are the same on every machine.
 */
#include "generate_record.h"

/* The columns of a month. */
enum { BILL, PAID, LATE, MONTH_COLUMNS };

/* Columns before the first month. */
enum { LIMIT, AGE, CUSTOMER_COLUMNS };

static const char *const month_names[] = {[BILL] = "bill", [PAID] = "paid", [LATE] = "late"};

/* Exponents have sixteen bits behind the point. */
#define ONE 65536
#define LIMIT_EXPONENT (16 * ONE) /* of the typical limit, some 65,000 */
#define AMOUNT_MOST 99999999

/* In 65536: customers who hardly use their limit, and months without a bill. */
#define IDLE_CUSTOMERS 13000
#define EMPTY_MONTHS 4000

typedef struct customer {
    int32_t limit; /* exponent */
    int32_t habit; /* exponent of the part of the limit that is used */
    int32_t state; /* what the exponent is above or below the habit this month */
    bool is_idle;
    uint32_t age;
    uint32_t months; /* without a payment */
} customer;

/* A whole number of at most 1024 × ONE bits, close to normal with mean 0: the sum of four
 * uniform ones, standard deviation 0.577 × width. */
static int32_t draw_around_zero(shoal_i_random *random, int32_t width)
{
    uint64_t a = shoal_i_random_u64(random);
    int64_t sum = (int64_t)(a & 0xFFFF) + (int64_t)(a >> 16 & 0xFFFF) +
                  (int64_t)(a >> 32 & 0xFFFF) + (int64_t)(a >> 48) - 2 * INT64_C(65535);

    return (int32_t)(sum * width / ONE);
}

static bool happens(shoal_i_random *random, uint32_t share)
{
    return (shoal_i_random_u32(random) & 0xFFFF) < share;
}

/* Two to the exponent, linear between powers. */
static uint32_t raise_two(int32_t exponent)
{
    if (exponent < 0) {
        return 0;
    }
    int32_t whole = exponent / ONE;
    uint64_t value =
        whole > 27 ? AMOUNT_MOST : ((uint64_t)ONE + (uint64_t)(exponent % ONE)) << whole >> 16;

    return value < AMOUNT_MOST ? (uint32_t)value : AMOUNT_MOST;
}

static customer draw_customer(shoal_i_random *random)
{
    customer c = {
        .limit = LIMIT_EXPONENT + draw_around_zero(random, 2 * ONE),
        .is_idle = happens(random, IDLE_CUSTOMERS),
        .habit = -ONE + draw_around_zero(random, 2 * ONE),
        .age = 21 + (uint32_t)shoal_i_random_below(random, 30) +
               (uint32_t)shoal_i_random_below(random, 30),
    };

    if (c.habit > 0) {
        c.habit = 0;
    }
    if (c.is_idle) {
        c.habit -= 5 * ONE;
    }
    return c;
}

/* What is owed this month. The state forgets an eighth of itself and is pushed anew. */
static uint32_t draw_bill(shoal_i_random *random, customer *c)
{
    uint32_t empty = c->is_idle ? 6 * EMPTY_MONTHS : EMPTY_MONTHS;

    c->state = c->state * 7 / 8 + draw_around_zero(random, ONE / 2);
    return happens(random, empty) ? 0 : raise_two(c->limit + c->habit + c->state);
}

/* What is paid of it, and what that does to the months in which nothing was. */
static uint32_t draw_paid(shoal_i_random *random, customer *c, uint32_t bill)
{
    uint32_t way = shoal_i_random_u32(random) % 16;
    uint32_t part = raise_two(16 * ONE - (int32_t)shoal_i_random_below(random, 6 * ONE));
    uint32_t paid = (uint32_t)((uint64_t)bill * part >> 16);

    c->months = bill > 0 && way < 2 ? c->months + 1 : 0;
    if (way < 2) {
        return 0;
    }
    if (way < 7) {
        return bill;
    }
    if (way < 11 && paid > 1000) { /* people like round sums */
        return paid > 20000 ? paid / 5000 * 5000 : paid / 500 * 500;
    }
    return paid;
}

char *shoal_i_payments_write(unsigned columns, shoal_i_random *random, char *out)
{
    customer c = draw_customer(random);
    uint32_t values[MONTH_COLUMNS];

    for (unsigned i = 0; i < columns; i++) {
        uint32_t value = c.age;

        if (i == LIMIT) {
            value = (raise_two(c.limit) + 9999) / 10000 * 10000;
        } else if (i >= CUSTOMER_COLUMNS) {
            unsigned place = (i - CUSTOMER_COLUMNS) % MONTH_COLUMNS;

            if (place == BILL) {
                values[BILL] = draw_bill(random, &c);
                values[PAID] = draw_paid(random, &c, values[BILL]);
                values[LATE] = c.months;
            }
            value = values[place];
        }
        out = shoal_i_generate_put_number(out, value);
        *out++ = ',';
    }
    out[-1] = '\n';
    return out;
}

/* --- Names and hierarchies. --------------------------------------------------------------- */

char *shoal_i_payments_name(unsigned column, char *out)
{
    const char *name = column == LIMIT ? "limit"
                       : column == AGE
                           ? "age"
                           : month_names[(column - CUSTOMER_COLUMNS) % MONTH_COLUMNS];

    while (*name) {
        *out++ = *name++;
    }
    if (column >= CUSTOMER_COLUMNS) {
        out = shoal_i_generate_put_number(out, 1 + (column - CUSTOMER_COLUMNS) / MONTH_COLUMNS);
    }
    return out;
}

const char *shoal_i_payments_hierarchy(unsigned column)
{
    unsigned place =
        column < CUSTOMER_COLUMNS ? MONTH_COLUMNS : (column - CUSTOMER_COLUMNS) % MONTH_COLUMNS;

    if (column == AGE) {
        return "{widths: [5, 10, 20]}";
    }
    if (place == LATE) {
        return "{breaks: [[1, 2, 4], [1]]}";
    }
    return "{breaks: [[1, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, "
           "10000, 15000, 20000, 30000, 50000, 70000, 100000, 150000, 200000, 300000, 500000, "
           "700000, 1000000], [1, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, "
           "200000, 500000], [1, 1000, 10000, 100000], [10000]]}";
}
