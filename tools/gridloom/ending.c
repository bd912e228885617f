/* Signals, failed allocations, and standard files that are not open. */
#include "tools/gridloom/ending.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib.h>

#include "sim/ending.h"
#include "tools/gridloom/complaint.h"
#include "traces/file/draft.h"

enum {
    SOME_BYTES = 1 << 20,
};

static const char out_of_memory[] = "gridloom: out of memory\n";

/* A stack that has overflowed holds no signal. */
static char signal_stack[1 << 16];

/* No function of this uses memory, or locks anything. */
static _Noreturn void end_process(const char *line, int status)
{
    trace_draft_abandon();
    if (write(STDERR_FILENO, line, strlen(line)) < 0) {
        _exit(status); /* nobody hears of it */
    }
    _exit(status);
}

/* Under a limit of memory, a library that gets none may abort. */
static bool is_memory_short(void)
{
    void *some = mmap(NULL, SOME_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (some == MAP_FAILED) {
        return true;
    }
    (void) munmap(some, SOME_BYTES);
    return false;
}

static void end_by_signal(int number)
{
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
        end_process("gridloom: interrupted\n", EXIT_INTERRUPTED);
    }
    if (number != SIGPIPE && is_memory_short()) {
        end_process(out_of_memory, EXIT_STOPPED);
    }
    trace_draft_abandon();
    (void) raise(number); /* which is no longer handled */
}

/* GLib says so of allocations and threads that fail, and would then abort. */
static void
hear(const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
    const bool is_error = (level & G_LOG_LEVEL_ERROR) != 0;

    if (is_error && strstr(message, "creating thread") != NULL) {
        end_process("gridloom: no thread can be had, too little memory or too many "
                    "processes\n",
                    EXIT_STOPPED);
    }
    if (is_error && (strstr(message, "failed to allocate") != NULL ||
                     strstr(message, "overflow allocating") != NULL)) {
        end_process(out_of_memory, EXIT_STOPPED);
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
    static const int ends[] = {SIGINT,  SIGTERM, SIGHUP, SIGPIPE, SIGABRT,
                               SIGSEGV, SIGBUS,  SIGFPE, SIGILL,  SIGTRAP};
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    const struct sigaction action = {.sa_handler = end_by_signal,
                                     .sa_flags = (int) (SA_RESETHAND | SA_ONSTACK)};

    fill_gaps();
    sim_ending_set(trace_draft_abandon);
    (void) g_log_set_default_handler(hear, NULL);
    (void) sigaltstack(&stack, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        struct sigaction before;

        /* Others have them ignored (nohup, shells for background jobs) or handle them
         * (sanitizers). */
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            (void) sigaction(ends[i], &action, NULL);
        }
    }
    /* A file that may not grow is an error of the file. */
    (void) signal(SIGXFSZ, SIG_IGN);
}

void ending_outlive_readers(bool is_table)
{
    if (is_table) {
        (void) signal(SIGPIPE, SIG_IGN);
    }
}

void ending_drop_unread(bool is_table)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};

    if (!is_table) {
        return;
    }
    (void) fflush(stdout);
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0 &&
        freopen("/dev/null", "w", stdout) == NULL) {
        return; /* then main says so */
    }
}
