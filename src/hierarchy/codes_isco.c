/* codes_isco.c -- occupations by ISCO-08: unit, minor, sub-major and major group, by digits.
 *
 * Source: International Labour Office, International Standard Classification of Occupations,
 * ISCO-08 (2012), volume I: 10 major, 43 sub-major, 130 minor and 436 unit groups. Unit groups
 * are the last digits behind the number of their minor group.
 *
 * Codes of one to four digits are known. Longer ones, as national versions have, stand below
 * their first four. Surveys fill up short codes with zeros: 2200 is 22 where there is no such
 * unit group.
 */
#include "codes.h"

#include <string.h>

#define MINOR 3   /* digits */
#define UNIT 4    /* digits */
#define LONGEST 8 /* digits */

static const char *const major_groups[] = {
    "0 Armed forces occupations",
    "1 Managers",
    "2 Professionals",
    "3 Technicians and associate professionals",
    "4 Clerical support workers",
    "5 Service and sales workers",
    "6 Skilled agricultural, forestry and fishery workers",
    "7 Craft and related trades workers",
    "8 Plant and machine operators, and assemblers",
    "9 Elementary occupations",
};

static const char minor_groups[] =
    "011:0 021:0 031:0 "
    "111:1234 112:0 121:1239 122:123 131:12 132:1234 133:0 134:1234569 141:12 142:0 143:19 "
    "211:1234 212:0 213:123 214:1234569 215:123 216:123456 221:12 222:12 223:0 224:0 225:0 "
    "226:12345679 231:0 232:0 233:0 234:12 235:1234569 241:123 242:1234 243:1234 251:12349 "
    "252:1239 261:129 262:12 263:123456 264:123 265:1234569 "
    "311:123456789 312:123 313:123459 314:123 315:12345 321:1234 322:12 323:0 324:0 "
    "325:123456789 331:12345 332:1234 333:12349 334:1234 335:123459 341:123 342:123 343:12345 "
    "351:1234 352:12 "
    "411:0 412:0 413:12 421:1234 422:12345679 431:123 432:123 441:1234569 "
    "511:123 512:0 513:12 514:12 515:123 516:123459 521:12 522:123 523:0 524:1234569 531:12 "
    "532:129 541:12349 "
    "611:1234 612:1239 613:0 621:0 622:1234 631:0 632:0 633:0 634:0 "
    "711:123459 712:1234567 713:123 721:12345 722:1234 723:1234 731:123456789 732:123 741:123 "
    "742:12 751:123456 752:123 753:123456 754:12349 "
    "811:1234 812:12 813:12 814:123 815:12345679 816:0 817:12 818:1239 821:129 831:12 832:12 "
    "833:12 834:1234 835:0 "
    "911:12 912:1239 921:123456 931:123 932:19 933:1234 941:12 951:0 952:0 961:123 962:12349 ";

/* Whether there is a group of so many digits. */
static bool has_group(const char *digits, size_t count)
{
    size_t shared = count < MINOR ? count : MINOR;

    for (const char *p = minor_groups; *p; p = strchr(p, ' ') + 1) {
        if (memcmp(p, digits, shared) != 0) {
            continue;
        }
        if (count < UNIT || memchr(p + MINOR + 1, digits[MINOR], strcspn(p, " ") - MINOR - 1)) {
            return true;
        }
    }
    return false;
}

/* How many digits of a code name a group that there is; 0: none. */
static size_t find_group(const char *digits, size_t length)
{
    size_t count = length < UNIT ? length : UNIT;

    if (length == UNIT && !has_group(digits, count)) {
        while (count > 1 && digits[count - 1] == '0') { /* filled up */
            count--;
        }
        count = count < UNIT ? count : 0;
    }
    return count > 0 && has_group(digits, count) ? count : 0;
}

bool shoal_i_code_find_isco(shoal_i_code_groups *out, const char *text, size_t length)
{
    out->count = 0;
    text = shoal_i_code_trim(text, &length);
    if (length == 0 || length > LONGEST) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    size_t count = find_group(text, length);

    if (count == 0) {
        return false;
    }
    const char *major = major_groups[text[0] - '0'];

    shoal_i_code_groups_add(out, major, strlen(major));
    for (size_t digits = 2; digits <= count; digits++) {
        shoal_i_code_groups_add(out, text, digits);
    }
    return true;
}
