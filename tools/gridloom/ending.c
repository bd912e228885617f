/* Signals, failed allocations, and standard files that are not open. */
#include "tools/gridloom/ending.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "traces/file/draft.h"

/* No function of this uses memory, or locks anything. */
static _Noreturn void end_process(const char *line, int status)
{
    trace_draft_abandon();
    if (write(STDERR_FILENO, line, strlen(line)) < 0) {
        _exit(status); /* nobody hears of it */
    }
    _exit(status);
}

/* Of a pipe that nobody reads, the system says no more than its signal does. */
static void end_by_signal(int number)
{
    if (number != SIGPIPE) {
        end_process("gridloom: interrupted\n", EXIT_INTERRUPTED);
    }
    trace_draft_abandon();
    (void) raise(number);
}

/* GLib says so of allocations that fail, and would then abort. It has no message if
 * there is no memory for one. */
static void
hear(const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
    if ((level & G_LOG_LEVEL_ERROR) != 0 &&
        (message == NULL || strstr(message, "failed to allocate") != NULL ||
         strstr(message, "overflow allocating") != NULL)) {
        end_process("gridloom: out of memory\n", EXIT_STOPPED);
    }
    g_log_default_handler(domain, level, message, data);
}

/* The next file that is opened would become standard output, and what is printed would
 * be written into it. */
static void fill_gaps(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (fcntl(file, F_GETFD) < 0) {
            /* The wrong way round: whoever uses it is told. */
            (void) open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

void ending_prepare(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

    fill_gaps();
    (void) g_log_set_default_handler(hear, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        const struct sigaction action = {.sa_handler = end_by_signal,
                                         .sa_flags = (int) SA_RESETHAND};
        struct sigaction before;

        /* nohup, and shells for background jobs, have them ignored. */
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void) sigaction(ends[i], &action, NULL);
        }
    }
    /* A file that may not grow is an error of the file. */
    (void) signal(SIGXFSZ, SIG_IGN);
}
