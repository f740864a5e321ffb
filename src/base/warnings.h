/* warnings.h -- what a user should know of a result that is usable all the same.
 *
 * Warnings are part of what a run found, not words for a terminal alone. So there is one way to
 * give one: it is kept where the context says, for the report, and told to the log callback.
 * Nobody logs a warning by another way; shoal_i_log asserts it.
 *
 *     SHOAL_TRY(shoal_i_warn(ctx, SHOAL_I_WARN_STRAY, name, "The column \"%.200s\"", name));
 */
#ifndef SHOAL_I_WARNINGS_H
#define SHOAL_I_WARNINGS_H

#include "arena.h"

/* What kinds there are. Programs go by these words, which never change; docs/formats.md lists
 * them. A new one also goes to the end of the list in warnings.c. */
#define SHOAL_I_WARN_NEAR_UNIQUE "near-unique-column"
#define SHOAL_I_WARN_IDENTIFIER "identifier-name"
#define SHOAL_I_WARN_STRAY "stray-values"
#define SHOAL_I_WARN_READING "other-reading"
#define SHOAL_I_WARN_MISSING "missing-words"
#define SHOAL_I_WARN_BY_RECORD "box-per-record"
#define SHOAL_I_WARN_TEST_SEED "test-seed"
#define SHOAL_I_WARN_CODE "code-as-number" /* given by front ends that take data frames */
#define SHOAL_I_WARN_QUASI "quasi-like-column"
#define SHOAL_I_WARN_SINGLE "single-value"
#define SHOAL_I_WARN_ENDS "range-ends"
#define SHOAL_I_WARN_UNKNOWN "unknown-column"
#define SHOAL_I_WARN_FORMULA "spreadsheet-formula"
#define SHOAL_I_WARN_LINK "output-link"
#define SHOAL_I_WARN_REPEATED "repeated-person"
#define SHOAL_I_WARN_ALIKE "similar-persons"
#define SHOAL_I_WARN_SIMILAR "similar-values"
#define SHOAL_I_WARN_MATCHING "another-matching"

/* All of them, NULL-terminated, so that somebody can name those to live with. A set of codes is
 * a bit for each. */
extern const char *const shoal_i_warning_codes[];

typedef struct shoal_i_warning {
    const char *code;   /* a constant */
    const char *column; /* that it is about; "" when none is */
    const char *message;
    bool is_accepted; /* somebody decided to live with it */
    struct shoal_i_warning *next;
    struct shoal_i_warning *next_of_slot;
} shoal_i_warning;

#define SHOAL_I_WARNING_SLOTS                                                                  \
    1024 /* a table may have 65,536 columns, each with its warning                             \
          */

/* Those of a run, in the order they were given. Starts as {0}, and then the codes that are
 * accepted. */
typedef struct shoal_i_warnings {
    unsigned accepted; /* codes */
    size_t count;
    size_t open_count; /* that nobody accepted */
    shoal_i_warning *first;
    shoal_i_warning *last;
    shoal_i_warning *slots[SHOAL_I_WARNING_SLOTS]; /* the same, by a hash of the column */
    shoal_i_arena arena;
} shoal_i_warnings;

void shoal_i_warnings_clear(shoal_i_warnings *warnings);

/* Give a warning, once for a code and a column (NULL: none): parts of a run that come to the
 * same do not say it again. The message is a sentence or two without the content of a cell. Not
 * from parallel work, where the order would be that of the threads, unless the context keeps
 * none. The log callback hears the sentence with its code behind it, as a warning or, when it
 * is accepted, for debugging. SHOAL_ENOMEM */
shoal_status shoal_i_warn(shoal_ctx *ctx, const char *code, const char *column,
                          const char *format, ...) SHOAL_I_PRINTF(4, 5);

#endif /* SHOAL_I_WARNINGS_H */
