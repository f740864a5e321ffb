/* progress.h -- a bar on stderr while work goes on.
 *
 * Shown only on a terminal and only when the work lasts longer than half a second; gone without
 * a trace at the end.
 */
#ifndef SHOAL_CLI_PROGRESS_H
#define SHOAL_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cli_progress {
    bool is_wanted; /* stderr is a terminal and nobody asked for quiet */
    bool is_shown;
    double started; /* seconds of a steady clock */
} cli_progress;

void cli_progress_begin(cli_progress *progress, bool is_quiet);

/* A shoal_progress_fn; payload is the cli_progress. Never asks to stop. */
bool cli_progress_show(void *payload, const char *stage, double fraction);

/* Take the bar away, before anything else is printed and at the end. */
void cli_progress_clear(cli_progress *progress);

#endif /* SHOAL_CLI_PROGRESS_H */
