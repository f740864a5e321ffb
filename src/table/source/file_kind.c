#include "file_kind.h"

#include <string.h>

typedef struct known {
    const char *bytes; /* that it begins with */
    size_t size;
    shoal_i_file_kind kind;
} known;

#define SAVE_SHEET "save the sheet as \"CSV UTF-8\" and give that file"
#define WRITE_CSV "write it as CSV with the program it came from"
#define UNPACK "unpack it first"
#define KNOWN(begins, is, what)                                                                \
    {                                                                                          \
        begins, sizeof(begins) - 1,                                                            \
        {                                                                                      \
            is, what                                                                           \
        }                                                                                      \
    }

static const known kinds[] = {
    KNOWN("PAR1", "a Parquet file",
          "write it as CSV, for instance with DuckDB: COPY (FROM 'FILE.parquet') TO "
          "'FILE.csv'"),
    KNOWN("$FL2", "an SPSS file (.sav)", "save it as CSV in SPSS, or by R's package haven"),
    KNOWN("$FL3", "an SPSS file (.zsav)", "save it as CSV in SPSS, or by R's package haven"),
    KNOWN("<stata_dta>", "a Stata file (.dta)", "write it as CSV with Stata: export delimited"),
    KNOWN("SQLite format 3", "an SQLite data base",
          "write a table as CSV: sqlite3 -header -csv FILE 'SELECT * FROM table'"),
    KNOWN("ORC", "an ORC file", WRITE_CSV),
    KNOWN("ARROW1", "an Arrow file (Feather)", WRITE_CSV),
    KNOWN("FEA1", "a Feather file", WRITE_CSV),
    KNOWN("Obj\x01", "an Avro file", WRITE_CSV),
    KNOWN("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old Excel workbook (.xls) or Office document",
          SAVE_SHEET),
    KNOWN("\x89HDF\r\n", "an HDF5 file", WRITE_CSV),
    KNOWN("RDX2\n", "an R workspace (.RData)", "write the table as CSV with R: write.csv"),
    KNOWN("RDX3\n", "an R workspace (.RData)", "write the table as CSV with R: write.csv"),
    KNOWN("X\n\0\0\0", "an R object (.rds)", "write the table as CSV with R: write.csv"),
    KNOWN("\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60", "a SAS table (.sas7bdat)",
          "write it as CSV with SAS: PROC EXPORT"),
    KNOWN("BZh", "packed by bzip2", UNPACK),
    KNOWN("\xFD"
          "7zXZ",
          "packed by xz", UNPACK),
    KNOWN("7z\xBC\xAF\x27\x1C", "an archive (.7z)", UNPACK),
    KNOWN("Rar!\x1A", "an archive (.rar)", UNPACK),
};

static bool holds(const char *bytes, size_t size, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(bytes + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether there is a byte that no text has: a column may be called ORCID. */
static bool is_binary(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];

        if (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f') {
            return true;
        }
    }
    return false;
}

/* Office documents are archives; the names of what is in them tell which. */
static shoal_i_file_kind read_archive(const char *bytes, size_t size)
{
    if (holds(bytes, size, "opendocument.spreadsheet")) {
        return (shoal_i_file_kind){"an OpenDocument sheet (.ods)", SAVE_SHEET};
    }
    if (holds(bytes, size, "word/")) {
        return (shoal_i_file_kind){"a Word document (.docx)",
                                   "copy its table into a sheet, and " SAVE_SHEET};
    }
    if (holds(bytes, size, "xl/") || holds(bytes, size, "[Content_Types].xml")) {
        return (shoal_i_file_kind){"an Excel workbook (.xlsx)", SAVE_SHEET};
    }
    return (shoal_i_file_kind){"an archive (.zip)", UNPACK};
}

/* Before version 117 a Stata file begins with its version, the order of bytes, 1 and 0. */
static bool is_old_stata(const char *bytes, size_t size)
{
    return size >= 4 && bytes[0] >= 0x69 && bytes[0] <= 0x73 &&
           (bytes[1] == 1 || bytes[1] == 2) && bytes[2] == 1 && bytes[3] == 0;
}

bool shoal_i_file_kind_find(shoal_i_file_kind *out, const char *bytes, size_t size)
{
    if (size > SHOAL_I_FILE_KIND_BYTES) {
        size = SHOAL_I_FILE_KIND_BYTES;
    }
    if (size >= 5 && memcmp(bytes, "%PDF-", 5) == 0) {
        *out =
            (shoal_i_file_kind){"a PDF document", "ask for the data it was made from, as CSV"};
        return true;
    }
    if (!is_binary(bytes, size)) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (size >= kinds[i].size && memcmp(bytes, kinds[i].bytes, kinds[i].size) == 0) {
            *out = kinds[i].kind;
            return true;
        }
    }
    if (size >= 4 && memcmp(bytes, "PK\x03\x04", 4) == 0) {
        *out = read_archive(bytes, size);
        return true;
    }
    if (is_old_stata(bytes, size)) {
        *out = (shoal_i_file_kind){"a Stata file (.dta)",
                                   "write it as CSV with Stata: export delimited"};
        return true;
    }
    return false;
}
