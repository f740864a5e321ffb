/* check_digits.h -- numbers that offices and banks give to people, known by their check digits.
 *
 * Each function takes a number without blanks, points and dashes, in capitals. All but the
 * American one have a digit (or letter) that follows from the others, so that of other numbers
 * of that form one in ten or fewer pass by chance.
 */
#ifndef SHOAL_I_CHECK_DIGITS_H
#define SHOAL_I_CHECK_DIGITS_H

#include <stdbool.h>
#include <stddef.h>

/* International: ISO 13616 (modulo 97), ISO/IEC 7812 (Luhn), 13 to 19 digits. */
bool shoal_i_is_iban(const char *text, size_t length);
bool shoal_i_is_payment_card(const char *text, size_t length);

bool shoal_i_is_at_svnr(const char *text, size_t length);     /* Austria: Sozialversicherung */
bool shoal_i_is_be_national(const char *text, size_t length); /* Belgium: numéro national */
bool shoal_i_is_ca_sin(const char *text, size_t length);      /* Canada: social insurance */
bool shoal_i_is_ch_ahv(const char *text, size_t length);      /* Switzerland: AHV, AVS */
bool shoal_i_is_de_kvnr(const char *text, size_t length);     /* Germany: health insurance */
bool shoal_i_is_de_tax(const char *text, size_t length);      /* Germany: Steuer-ID */
bool shoal_i_is_es_dni(const char *text, size_t length);      /* Spain: DNI and NIE */
bool shoal_i_is_fr_nir(const char *text, size_t length);      /* France: sécurité sociale */
bool shoal_i_is_gb_nhs(const char *text, size_t length);      /* United Kingdom: NHS number */
bool shoal_i_is_ie_pps(const char *text, size_t length);      /* Ireland: PPS number */
bool shoal_i_is_it_fiscal(const char *text, size_t length);   /* Italy: codice fiscale */
bool shoal_i_is_nl_bsn(const char *text, size_t length);      /* Netherlands: BSN */
bool shoal_i_is_pl_pesel(const char *text, size_t length);    /* Poland: PESEL */

/* No check digit: areas 000, 666 and 9xx, group 00 and serial 0000 were never given. */
bool shoal_i_is_us_ssn(const char *text, size_t length);

#endif /* SHOAL_I_CHECK_DIGITS_H */
