#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DELAY_SECONDS 0.5
#define BAR_WIDTH 40

static double read_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_begin(cli_progress *progress, bool is_quiet)
{
    progress->is_wanted = !is_quiet && isatty(STDERR_FILENO) == 1;
    progress->is_shown = false;
    progress->started = read_clock();
}

bool cli_progress_show(void *payload, const char *stage, double fraction)
{
    cli_progress *progress = payload;

    if (!progress->is_wanted || read_clock() - progress->started < DELAY_SECONDS) {
        return true;
    }
    int filled = (int)(fraction * BAR_WIDTH);
    char bar[BAR_WIDTH + 1];

    filled = filled < 0 ? 0 : filled > BAR_WIDTH ? BAR_WIDTH : filled;
    memset(bar, '#', (size_t)filled);
    memset(bar + filled, '.', (size_t)(BAR_WIDTH - filled));
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r%-10s [%s] %3d %%", stage, bar, (int)(100 * fraction));
    fflush(stderr);
    progress->is_shown = true;
    return true;
}

void cli_progress_clear(cli_progress *progress)
{
    if (progress->is_shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->is_shown = false;
    }
}
