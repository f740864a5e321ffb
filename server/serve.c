/* The life of the server: a folder, a port, a line with the address, and the end. */
#include "serve.h"

#include "door.h"
#include "folder.h"
#include "jobs.h"
#include "page.h"
#include "session.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* --- Where. ------------------------------------------------------------------------------- */

/* Enter the folder that is served. *file: what to open first, within the operand; NULL: nothing
 * is. */
static bool enter_folder(const char *operand, const char **file, char *message, size_t size)
{
    char folder[SERVER_PATH_MAX];
    const char *slash = operand ? strrchr(operand, '/') : NULL;
    struct stat info;

    *file = NULL;
    if (!operand) {
        return true;
    }
    if (strlen(operand) >= sizeof folder || stat(operand, &info) != 0) {
        snprintf(message, size, "%.200s: %s.", operand,
                 strlen(operand) < sizeof folder ? strerror(errno) : "The name is too long");
        return false;
    }
    snprintf(folder, sizeof folder, "%s", operand);
    if (!S_ISDIR(info.st_mode)) {
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - operand) + 1 : 1,
                 slash ? operand : ".");
        *file = slash ? slash + 1 : operand;
    }
    if (chdir(folder) != 0 || access(".", R_OK | X_OK) != 0) {
        snprintf(message, size, "The folder %.200s cannot be read: %s.", folder,
                 strerror(errno));
        return false;
    }
    return true;
}

/* A socket that listens on this machine alone; -1 after a message. */
static int listen_here(int *port, char *message, size_t size)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)*port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        listen(fd, SOMAXCONN) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
        *port = ntohs(address.sin_port);
        return fd;
    }
    if (errno == EADDRINUSE) {
        snprintf(message, size,
                 "Port %d is taken by another program; choose another one, or none to have any "
                 "that is free.",
                 *port);
    } else {
        snprintf(message, size, "Port %d cannot be used: %s.", *port, strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

/* --- The browser. ------------------------------------------------------------------------- */

/* The address has the token in it, and a command line can be read by everybody on the machine:
 * the browser is given a private file that leads there. */
static bool write_way(const server *s, char *path, size_t size)
{
    char text[512];

    snprintf(path, size, "%s/open.html", s->work);
    snprintf(text, sizeof text,
             "<!DOCTYPE html><meta charset=\"utf-8\"><title>Shoal</title>"
             "<meta http-equiv=\"refresh\" content=\"0;url=http://127.0.0.1:%d/#token=%s\">"
             "<a href=\"http://127.0.0.1:%d/#token=%s\">Shoal</a>\n",
             s->port, s->token, s->port, s->token);
    return server_write_file(path, text, strlen(text), true);
}

/* The process that opens the browser; -1: there is none. */
static pid_t open_browser(const server *s)
{
    char path[SERVER_PATH_MAX];
    char *const words[] = {"xdg-open", path, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child = -1;

    if (!write_way(s, path, sizeof path)) {
        return -1;
    }
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    if (posix_spawnp(&child, words[0], &files, &attributes, words, environ) != 0) {
        child = -1;
    }
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return child;
}

/* --- Life. -------------------------------------------------------------------------------- */

static void wait_for_end(server_door *door, const server_options *options, pid_t browser)
{
    const struct timespec tick = {.tv_nsec = 100000000};

    while (!options->is_stopped()) {
        (void)nanosleep(&tick, NULL);
        server_door_tick(door);
        if (browser > 0 && waitpid(browser, NULL, WNOHANG) == browser) {
            browser = -1;
        }
    }
}

static bool serve(server *s, const server_options *options, int socket, char *message,
                  size_t size)
{
    server_door door;
    sigset_t all;
    sigset_t before;
    pid_t browser = -1;

    /* Signals are for this thread, which waits for them. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool has_worker = server_jobs_start(s);
    bool is_open = has_worker && server_door_open(&door, s, socket);

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!has_worker) {
        close(socket);
    }
    if (is_open) {
        printf("Shoal is at http://127.0.0.1:%d/#token=%s  (Ctrl-C ends it)\n", s->port,
               s->token);
        fflush(stdout);
        browser = options->with_browser ? open_browser(s) : -1;
        wait_for_end(&door, options, browser);
        server_door_close(&door);
    } else {
        snprintf(message, size, "The server cannot be started: there are too few resources.");
    }
    if (has_worker) {
        server_jobs_stop(s);
    }
    return is_open;
}

/* What the command line names is opened at once; a file that cannot be is a reason not to
 * begin. */
static bool open_first(server *s, const char *file, char *message, size_t size)
{
    server_reply reply = {.file = -1};
    bool is_good = !file || server_open_first(s, &reply, file);

    if (!is_good) {
        json_t *answer = json_loadb(reply.bytes, reply.size, 0, NULL);
        const char *why =
            json_string_value(json_object_get(json_object_get(answer, "error"), "message"));

        snprintf(message, size, "%s", why ? why : "Out of memory.");
        json_decref(answer);
    }
    server_reply_clear(&reply);
    return is_good;
}

bool server_run(const server_options *options, char *message, size_t size)
{
    server s = {.port = options->port, .threads = options->threads};
    const char *file = NULL;
    int lock = -1;
    bool is_good = enter_folder(options->operand, &file, message, size) &&
                   server_work_open(&s.work, &lock, message, size);

    if (!is_good) {
        return false;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* a page that goes away ends nothing */
    int socket = listen_here(&s.port, message, size);

    s.folder = realpath(".", NULL);
    is_good = socket >= 0;
    if (!server_open(&s) || !s.folder) {
        snprintf(message, size, "Out of memory, or of random numbers.");
        is_good = false;
    }
    is_good = is_good && open_first(&s, file, message, size);
    if (is_good) {
        is_good = serve(&s, options, socket, message, size);
    } else if (socket >= 0) {
        close(socket);
    }
    server_close(&s);
    server_work_close(s.work, lock);
    free(s.folder);
    return is_good;
}
