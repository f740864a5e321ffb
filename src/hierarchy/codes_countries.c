/* codes_countries.c -- countries: their region, their continent.
 *
 * Sources: ISO 3166-1, all 249 codes of two and three letters; United Nations Statistics
 * Division, Standard country or area codes for statistical use (M49), which gives each its
 * region and its continent. Two are placed here though M49 does not: Taiwan, which it has no
 * entry for, in Eastern Asia; Antarctica is a continent of its own.
 *
 * A country is known by either code or by its name in English, in the short form that most
 * files have; other forms are listed below. Capitals do not matter. Two codes of the European
 * Union, UK and EL, are known too.
 */
#include "codes.h"

#include <string.h>

/* Countries stand as "AA AAA Name|". */
static const struct {
    const char *region; /* NULL: none */
    const char *continent;
    const char *countries;
} regions[] = {
    {"Northern Africa", "Africa",
     "DZ DZA Algeria|EG EGY Egypt|LY LBY Libya|MA MAR Morocco|SD SDN Sudan|TN TUN Tunisia|"
     "EH ESH Western Sahara|"},
    {"Eastern Africa", "Africa",
     "IO IOT British Indian Ocean Territory|BI BDI Burundi|KM COM Comoros|DJ DJI Djibouti|"
     "ER ERI Eritrea|ET ETH Ethiopia|TF ATF French Southern Territories|KE KEN Kenya|"
     "MG MDG Madagascar|MW MWI Malawi|MU MUS Mauritius|YT MYT Mayotte|MZ MOZ Mozambique|"
     "RE REU Réunion|RW RWA Rwanda|SC SYC Seychelles|SO SOM Somalia|SS SSD South Sudan|"
     "UG UGA Uganda|TZ TZA Tanzania|ZM ZMB Zambia|ZW ZWE Zimbabwe|"},
    {"Middle Africa", "Africa",
     "AO AGO Angola|CM CMR Cameroon|CF CAF Central African Republic|TD TCD Chad|CG COG Congo|"
     "CD COD Democratic Republic of the Congo|GQ GNQ Equatorial Guinea|GA GAB Gabon|"
     "ST STP Sao Tome and Principe|"},
    {"Southern Africa", "Africa",
     "BW BWA Botswana|SZ SWZ Eswatini|LS LSO Lesotho|NA NAM Namibia|ZA ZAF South Africa|"},
    {"Western Africa", "Africa",
     "BJ BEN Benin|BF BFA Burkina Faso|CV CPV Cabo Verde|CI CIV Côte d'Ivoire|GM GMB Gambia|"
     "GH GHA Ghana|GN GIN Guinea|GW GNB Guinea-Bissau|LR LBR Liberia|ML MLI Mali|"
     "MR MRT Mauritania|NE NER Niger|NG NGA Nigeria|SH SHN Saint Helena|SN SEN Senegal|"
     "SL SLE Sierra Leone|TG TGO Togo|"},
    {"Caribbean", "Americas",
     "AI AIA Anguilla|AG ATG Antigua and Barbuda|AW ABW Aruba|BS BHS Bahamas|BB BRB Barbados|"
     "BQ BES Bonaire, Sint Eustatius and Saba|VG VGB British Virgin Islands|"
     "KY CYM Cayman Islands|CU CUB Cuba|CW CUW Curaçao|DM DMA Dominica|"
     "DO DOM Dominican Republic|GD GRD Grenada|GP GLP Guadeloupe|HT HTI Haiti|JM JAM Jamaica|"
     "MQ MTQ Martinique|MS MSR Montserrat|PR PRI Puerto Rico|BL BLM Saint Barthélemy|"
     "KN KNA Saint Kitts and Nevis|LC LCA Saint Lucia|MF MAF Saint Martin|"
     "VC VCT Saint Vincent and the Grenadines|SX SXM Sint Maarten|TT TTO Trinidad and Tobago|"
     "TC TCA Turks and Caicos Islands|VI VIR United States Virgin Islands|"},
    {"Central America", "Americas",
     "BZ BLZ Belize|CR CRI Costa Rica|SV SLV El Salvador|GT GTM Guatemala|HN HND Honduras|"
     "MX MEX Mexico|NI NIC Nicaragua|PA PAN Panama|"},
    {"South America", "Americas",
     "AR ARG Argentina|BO BOL Bolivia|BV BVT Bouvet Island|BR BRA Brazil|CL CHL Chile|"
     "CO COL Colombia|EC ECU Ecuador|FK FLK Falkland Islands|GF GUF French Guiana|"
     "GY GUY Guyana|PY PRY Paraguay|PE PER Peru|"
     "GS SGS South Georgia and the South Sandwich Islands|SR SUR Suriname|UY URY Uruguay|"
     "VE VEN Venezuela|"},
    {"Northern America", "Americas",
     "BM BMU Bermuda|CA CAN Canada|GL GRL Greenland|PM SPM Saint Pierre and Miquelon|"
     "US USA United States|"},
    {"Central Asia", "Asia",
     "KZ KAZ Kazakhstan|KG KGZ Kyrgyzstan|TJ TJK Tajikistan|TM TKM Turkmenistan|"
     "UZ UZB Uzbekistan|"},
    {"Eastern Asia", "Asia",
     "CN CHN China|HK HKG Hong Kong|MO MAC Macao|KP PRK North Korea|JP JPN Japan|"
     "MN MNG Mongolia|KR KOR South Korea|TW TWN Taiwan|"},
    {"South-eastern Asia", "Asia",
     "BN BRN Brunei|KH KHM Cambodia|ID IDN Indonesia|LA LAO Laos|MY MYS Malaysia|"
     "MM MMR Myanmar|PH PHL Philippines|SG SGP Singapore|TH THA Thailand|TL TLS Timor-Leste|"
     "VN VNM Viet Nam|"},
    {"Southern Asia", "Asia",
     "AF AFG Afghanistan|BD BGD Bangladesh|BT BTN Bhutan|IN IND India|IR IRN Iran|"
     "MV MDV Maldives|NP NPL Nepal|PK PAK Pakistan|LK LKA Sri Lanka|"},
    {"Western Asia", "Asia",
     "AM ARM Armenia|AZ AZE Azerbaijan|BH BHR Bahrain|CY CYP Cyprus|GE GEO Georgia|IQ IRQ Iraq|"
     "IL ISR Israel|JO JOR Jordan|KW KWT Kuwait|LB LBN Lebanon|OM OMN Oman|QA QAT Qatar|"
     "SA SAU Saudi Arabia|PS PSE Palestine|SY SYR Syria|TR TUR Türkiye|"
     "AE ARE United Arab Emirates|YE YEM Yemen|"},
    {"Eastern Europe", "Europe",
     "BY BLR Belarus|BG BGR Bulgaria|CZ CZE Czechia|HU HUN Hungary|PL POL Poland|"
     "MD MDA Moldova|RO ROU Romania|RU RUS Russia|SK SVK Slovakia|UA UKR Ukraine|"},
    {"Northern Europe", "Europe",
     "AX ALA Åland Islands|DK DNK Denmark|EE EST Estonia|FO FRO Faroe Islands|FI FIN Finland|"
     "GG GGY Guernsey|IS ISL Iceland|IE IRL Ireland|IM IMN Isle of Man|JE JEY Jersey|"
     "LV LVA Latvia|LT LTU Lithuania|NO NOR Norway|SJ SJM Svalbard and Jan Mayen|SE SWE Sweden|"
     "GB GBR United Kingdom|"},
    {"Southern Europe", "Europe",
     "AL ALB Albania|AD AND Andorra|BA BIH Bosnia and Herzegovina|HR HRV Croatia|"
     "GI GIB Gibraltar|GR GRC Greece|VA VAT Holy See|IT ITA Italy|MT MLT Malta|"
     "ME MNE Montenegro|MK MKD North Macedonia|PT PRT Portugal|SM SMR San Marino|"
     "RS SRB Serbia|SI SVN Slovenia|ES ESP Spain|"},
    {"Western Europe", "Europe",
     "AT AUT Austria|BE BEL Belgium|FR FRA France|DE DEU Germany|LI LIE Liechtenstein|"
     "LU LUX Luxembourg|MC MCO Monaco|NL NLD Netherlands|CH CHE Switzerland|"},
    {"Australia and New Zealand", "Oceania",
     "AU AUS Australia|CX CXR Christmas Island|CC CCK Cocos Islands|"
     "HM HMD Heard Island and McDonald Islands|NZ NZL New Zealand|NF NFK Norfolk Island|"},
    {"Melanesia", "Oceania",
     "FJ FJI Fiji|NC NCL New Caledonia|PG PNG Papua New Guinea|SB SLB Solomon Islands|"
     "VU VUT Vanuatu|"},
    {"Micronesia", "Oceania",
     "GU GUM Guam|KI KIR Kiribati|MH MHL Marshall Islands|FM FSM Micronesia|NR NRU Nauru|"
     "MP MNP Northern Mariana Islands|PW PLW Palau|"
     "UM UMI United States Minor Outlying Islands|"},
    {"Polynesia", "Oceania",
     "AS ASM American Samoa|CK COK Cook Islands|PF PYF French Polynesia|NU NIU Niue|"
     "PN PCN Pitcairn|WS WSM Samoa|TK TKL Tokelau|TO TON Tonga|TV TUV Tuvalu|"
     "WF WLF Wallis and Futuna|"},
    {NULL, "Antarctica", "AQ ATA Antarctica|"},
};

/* Other forms of names, and the code they stand for: "AA Name|". */
static const char other_names[] =
    "GB UK|GR EL|US United States of America|GB Great Britain|"
    "GB United Kingdom of Great Britain and Northern Ireland|KR Republic of Korea|"
    "KR Korea, Republic of|KP Democratic People's Republic of Korea|RU Russian Federation|"
    "IR Iran (Islamic Republic of)|IR Iran, Islamic Republic of|"
    "BO Bolivia (Plurinational State of)|VE Venezuela (Bolivarian Republic of)|"
    "SY Syrian Arab Republic|TZ United Republic of Tanzania|MD Republic of Moldova|"
    "LA Lao People's Democratic Republic|BN Brunei Darussalam|TR Turkey|TR Turkiye|VN Vietnam|"
    "CZ Czech Republic|MK Macedonia|SZ Swaziland|CV Cape Verde|CI Ivory Coast|"
    "CI Cote d'Ivoire|PS State of Palestine|VA Vatican City|MM Burma|TL East Timor|MO Macau|"
    "CC Cocos (Keeling) Islands|FM Micronesia (Federated States of)|"
    "FK Falkland Islands (Malvinas)|MF Saint Martin (French Part)|"
    "SX Sint Maarten (Dutch part)|VI Virgin Islands (U.S.)|VG Virgin Islands (British)|"
    "WF Wallis and Futuna Islands|RE Reunion|CW Curacao|AX Aland Islands|BL Saint Barthelemy|"
    "NL Netherlands (Kingdom of the)|TW Taiwan, Province of China|CG Republic of the Congo|";

/* Whether two texts are the same but for capitals from A to Z. */
static bool is_same(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (shoal_i_code_upper(a[i]) != shoal_i_code_upper(b[i])) {
            return false;
        }
    }
    return true;
}

/* The code of two letters that another form of a name stands for; NULL: it is none. */
static const char *find_other_name(const char *text, size_t length)
{
    for (const char *p = other_names; *p; p = strchr(p, '|') + 1) {
        if (strcspn(p + 3, "|") == length && is_same(p + 3, text, length)) {
            return p;
        }
    }
    return NULL;
}

/* Whether a text is one of the three forms of the country at p, "AA AAA Name|". */
static bool is_country(const char *p, const char *text, size_t length)
{
    return (length == 2 && is_same(p, text, 2)) || (length == 3 && is_same(p + 3, text, 3)) ||
           (strcspn(p + 7, "|") == length && is_same(p + 7, text, length));
}

bool shoal_i_code_find_country(shoal_i_code_groups *out, const char *text, size_t length)
{
    out->count = 0;
    text = shoal_i_code_trim(text, &length);
    const char *other = find_other_name(text, length);

    if (other) {
        text = other;
        length = 2;
    }
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
        for (const char *p = regions[i].countries; *p; p = strchr(p, '|') + 1) {
            if (!is_country(p, text, length)) {
                continue;
            }
            shoal_i_code_groups_add(out, regions[i].continent, strlen(regions[i].continent));
            if (regions[i].region) {
                shoal_i_code_groups_add(out, regions[i].region, strlen(regions[i].region));
            }
            return true;
        }
    }
    return false;
}
