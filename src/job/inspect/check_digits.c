#include "check_digits.h"

#include "../../base/text.h"

#include <string.h>

#define IBAN_LEAST 15
#define IBAN_MOST 34
#define CARD_LEAST 13
#define CARD_MOST 19

static bool is_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

static unsigned digit(char c)
{
    return (unsigned)(c - '0');
}

static bool all_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!shoal_i_text_is_digit(text[i])) {
            return false;
        }
    }
    return true;
}

/* The sum of digits times their weights. */
static unsigned weigh(const char *text, const unsigned char *weights, size_t count)
{
    unsigned sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += digit(text[i]) * weights[i];
    }
    return sum;
}

/* What a number of digits leaves when it is divided. */
static unsigned remainder_of(const char *text, size_t length, unsigned divisor, unsigned start)
{
    for (size_t i = 0; i < length; i++) {
        start = (start * 10 + digit(text[i])) % divisor;
    }
    return start;
}

/* Every second digit from the right but one is doubled, and the digits are added up. */
static bool has_luhn(const char *text, size_t length)
{
    unsigned sum = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned value = digit(text[length - 1 - i]) * (1 + (unsigned)(i % 2));

        sum += value / 10 + value % 10;
    }
    return sum % 10 == 0;
}

bool shoal_i_is_iban(const char *text, size_t length)
{
    unsigned rest = 0;

    if (length < IBAN_LEAST || length > IBAN_MOST || !is_letter(text[0]) ||
        !is_letter(text[1]) || !all_digits(text + 2, 2)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[(i + 4) % length];
        unsigned value = is_letter(c) ? (unsigned)(c - 'A') + 10 : digit(c);

        rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
    }
    return rest == 1;
}

bool shoal_i_is_payment_card(const char *text, size_t length)
{
    return length >= CARD_LEAST && length <= CARD_MOST && all_digits(text, length) &&
           text[0] >= '2' && text[0] <= '6' && has_luhn(text, length);
}

/* Three digits, the check digit, the day of birth DDMMYY; months beyond 12 are made use of. */
bool shoal_i_is_at_svnr(const char *text, size_t length)
{
    static const unsigned char weights[] = {3, 7, 9, 0, 5, 8, 4, 2, 1, 6};

    if (length != 10 || !all_digits(text, length) || text[0] == '0') {
        return false;
    }
    unsigned day = remainder_of(text + 4, 2, 100, 0);

    return day >= 1 && day <= 31 && weigh(text, weights, 10) % 11 == digit(text[3]);
}

/* 97 less the remainder of the first nine digits; of those born from 2000 on behind a 2. */
bool shoal_i_is_be_national(const char *text, size_t length)
{
    if (length != 11 || !all_digits(text, length)) {
        return false;
    }
    unsigned check = remainder_of(text + 9, 2, 100, 0);

    return check == 97 - remainder_of(text, 9, 97, 0) ||
           check == 97 - remainder_of(text, 9, 97, 2);
}

bool shoal_i_is_ca_sin(const char *text, size_t length)
{
    return length == 9 && all_digits(text, length) && has_luhn(text, length);
}

/* As an EAN of 13 digits that begins with 756. */
bool shoal_i_is_ch_ahv(const char *text, size_t length)
{
    static const unsigned char weights[] = {1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1};

    return length == 13 && all_digits(text, length) && memcmp(text, "756", 3) == 0 &&
           weigh(text, weights, 13) % 10 == 0;
}

/* A letter as two digits, eight digits and the check digit: every second is doubled. */
bool shoal_i_is_de_kvnr(const char *text, size_t length)
{
    char digits[10];
    unsigned sum = 0;

    if (length != 10 || !is_letter(text[0]) || !all_digits(text + 1, 9)) {
        return false;
    }
    digits[0] = (char)('0' + (text[0] - 'A' + 1) / 10);
    digits[1] = (char)('0' + (text[0] - 'A' + 1) % 10);
    memcpy(digits + 2, text + 1, 8);
    for (size_t i = 0; i < 10; i++) {
        unsigned value = digit(digits[i]) * (1 + (unsigned)(i % 2));

        sum += value / 10 + value % 10;
    }
    return sum % 10 == digit(text[9]);
}

/* ISO/IEC 7064, modulo 11, 10; of the first ten digits one comes twice or three times. */
bool shoal_i_is_de_tax(const char *text, size_t length)
{
    unsigned product = 10;
    unsigned seen = 0;

    if (length != 11 || !all_digits(text, length) || text[0] == '0') {
        return false;
    }
    for (size_t i = 0; i < 10; i++) {
        unsigned sum = (digit(text[i]) + product) % 10;

        product = (sum == 0 ? 10 : sum) * 2 % 11;
        seen |= 1U << digit(text[i]);
    }
    unsigned distinct = 0;

    for (; seen > 0; seen >>= 1) {
        distinct += seen & 1;
    }
    return (distinct == 9 || distinct == 8) && (11 - product) % 10 == digit(text[10]);
}

/* A letter by the remainder of the number; X, Y and Z before a NIE are 0, 1 and 2. */
bool shoal_i_is_es_dni(const char *text, size_t length)
{
    static const char letters[] = "TRWAGMYFPDXBNJZSQVHLCKE";
    unsigned start = 0;
    bool is_nie = length == 9 && text[0] >= 'X' && text[0] <= 'Z';

    if (length != 9 || (!is_nie && !shoal_i_text_is_digit(text[0])) ||
        !all_digits(text + 1, 7)) {
        return false;
    }
    start = is_nie ? (unsigned)(text[0] - 'X') : digit(text[0]);
    return letters[remainder_of(text + 1, 7, 23, start)] == text[8];
}

/* Thirteen digits and 97 less their remainder; 2A and 2B, of Corsica, count as 19 and 18. */
bool shoal_i_is_fr_nir(const char *text, size_t length)
{
    char digits[16];

    if (length != 15 || text[0] < '1' || text[0] > '8') {
        return false;
    }
    memcpy(digits, text, 15);
    if (text[5] == '2' && (text[6] == 'A' || text[6] == 'B')) {
        digits[5] = '1';
        digits[6] = text[6] == 'A' ? '9' : '8';
    }
    return all_digits(digits, 15) &&
           remainder_of(digits + 13, 2, 100, 0) == 97 - remainder_of(digits, 13, 97, 0);
}

bool shoal_i_is_gb_nhs(const char *text, size_t length)
{
    static const unsigned char weights[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};

    return length == 10 && all_digits(text, length) && weigh(text, weights, 10) % 11 == 0;
}

/* Seven digits and a letter, W for none left; a second letter counts nine times. */
bool shoal_i_is_ie_pps(const char *text, size_t length)
{
    static const unsigned char weights[] = {8, 7, 6, 5, 4, 3, 2};
    static const char letters[] = "WABCDEFGHIJKLMNOPQRSTUV";

    if ((length != 8 && length != 9) || !all_digits(text, 7) ||
        (length == 9 && !is_letter(text[8]))) {
        return false;
    }
    unsigned second = length == 9 && text[8] != 'W' ? (unsigned)(text[8] - 'A') + 1 : 0;

    return letters[(weigh(text, weights, 7) + 9 * second) % 23] == text[7];
}

/* Letters of names, of year, month and day, of the place, and one that checks: characters at
 * odd places count by a table of their own. Where two people would have the same, letters stand
 * for digits. */
bool shoal_i_is_it_fiscal(const char *text, size_t length)
{
    static const unsigned char odd[] = {1,  0,  5, 7, 9, 13, 15, 17, 19, 21, 2,  4,  18,
                                        20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23};
    unsigned sum = 0;

    if (length != 16 || !is_letter(text[15])) {
        return false;
    }
    for (size_t i = 0; i < 6; i++) {
        if (!is_letter(text[i])) {
            return false;
        }
    }
    if (!is_letter(text[8]) || !is_letter(text[11])) {
        return false;
    }
    for (size_t i = 0; i < 15; i++) {
        unsigned value = is_letter(text[i]) ? (unsigned)(text[i] - 'A') : digit(text[i]);

        sum += i % 2 == 0 ? odd[value] : value;
    }
    return (unsigned)(text[15] - 'A') == sum % 26;
}

bool shoal_i_is_nl_bsn(const char *text, size_t length)
{
    static const unsigned char weights[] = {9, 8, 7, 6, 5, 4, 3, 2};

    return length == 9 && all_digits(text, length) &&
           (weigh(text, weights, 8) + 11 - digit(text[8])) % 11 == 0 &&
           strspn(text, "0") < length;
}

bool shoal_i_is_pl_pesel(const char *text, size_t length)
{
    static const unsigned char weights[] = {1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1};

    if (length != 11 || !all_digits(text, length)) {
        return false;
    }
    unsigned month = remainder_of(text + 2, 2, 100, 0) % 20;
    unsigned day = remainder_of(text + 4, 2, 100, 0);

    return month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
           weigh(text, weights, 11) % 10 == 0;
}

bool shoal_i_is_us_ssn(const char *text, size_t length)
{
    return length == 9 && all_digits(text, length) && text[0] != '9' &&
           memcmp(text, "000", 3) != 0 && memcmp(text, "666", 3) != 0 &&
           memcmp(text + 3, "00", 2) != 0 && memcmp(text + 5, "0000", 4) != 0;
}
