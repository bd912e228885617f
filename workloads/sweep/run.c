/* Forks runs and reads what they say. */
#include "workloads/sweep/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/narrow.h"
#include "workloads/process.h"

enum {
    PIECE_BYTES = 4096,
    TEXT_BYTES_MAXIMUM = 1 << 16, /* of complaints that are looked at */
};

void sweep_run_init(SweepRun *self)
{
    *self = (SweepRun){.pipe = -1, .complaints = -1, .bytes = g_byte_array_new()};
}

static void close_files(SweepRun *self)
{
    if (self->pipe >= 0) {
        (void) close(self->pipe);
        self->pipe = -1;
    }
    if (self->complaints >= 0) {
        (void) close(self->complaints);
        self->complaints = -1;
    }
}

void sweep_run_clear(SweepRun *self)
{
    if (self->pid > 0) {
        (void) kill(self->pid, SIGKILL);
        (void) waitpid(self->pid, NULL, 0);
    }
    close_files(self);
    g_clear_pointer(&self->bytes, g_byte_array_unref);
}

/* A file in memory as text; the caller frees it. */
static char *read_all(int file, gsize most)
{
    struct stat status = {0};
    gsize count = 0;
    char *text;

    if (fstat(file, &status) != 0) {
        return g_strdup("");
    }
    text = g_malloc0(MIN((gsize) status.st_size, most) + 1);
    while (count < MIN((gsize) status.st_size, most)) {
        const gssize got =
            pread(file, text + count, MIN((gsize) status.st_size, most) - count,
                  (off_t) count);

        if (got <= 0) {
            break;
        }
        count += (gsize) got;
    }
    return text;
}

static void write_all(int file, GBytes *bytes)
{
    gsize count = 0;
    const char *data = g_bytes_get_data(bytes, &count);

    while (count > 0) {
        const gssize put = write(file, data, count);

        if (put < 0 && errno != EINTR) {
            return;
        }
        data += MAX(put, 0);
        count -= (gsize) MAX(put, 0);
    }
}

/* Signals are as they are for a program that has just started. */
static void reset_signals(void)
{
    static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD};
    sigset_t none;

    for (gsize i = 0; i < G_N_ELEMENTS(handled); i++) {
        (void) signal(handled[i], SIG_DFL);
    }
    (void) sigemptyset(&none);
    (void) sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The process of a run, from its beginning to its end. */
static _Noreturn void
be_run(const SweepCommon *common, SweepTask task, int pipe, int complaints)
{
    const int output = memfd_create("result", 0);
    const int nothing = open("/dev/null", O_RDONLY);
    WlSweepAnswer answer = {
        .run = task.run, .status = WL_SWEEP_LOST, .worker = (char *) ""};
    g_auto(GStrv) arguments = NULL;
    int code;

    reset_signals();
    if (output < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(complaints, STDERR_FILENO) < 0) {
        _exit(WL_SWEEP_INTERRUPTED);
    }
    arguments = sweep_words_of_task(common, task);
    code = common->runner->run(sim_i32(g_strv_length(arguments)), arguments);
    if (fflush(stdout) != 0) {
        _exit(WL_SWEEP_INTERRUPTED);
    }
    if (code == EXIT_SUCCESS && task.is_check == 0) {
        g_autofree char *json = read_all(output, G_MAXSSIZE);

        answer.metrics = common->runner->metrics(common->sweep, json);
        code = answer.metrics != NULL ? code : EXIT_FAILURE;
    }
    if (code == EXIT_SUCCESS) {
        answer.status = WL_SWEEP_DONE;
    } else if (code != WL_SWEEP_INTERRUPTED) {
        answer.status = WL_SWEEP_FAILED;
    }
    g_autoptr(GBytes) bytes = sweep_answer_pack(&answer);

    write_all(pipe, bytes);
    /* Skips the exit handlers of the parent process. */
    _exit(code);
}

bool sweep_run_start(SweepRun *self, const SweepCommon *common, SweepTask task)
{
    const pid_t parent = getpid();
    int ends[2];

    g_byte_array_set_size(self->bytes, 0);
    self->task = task;
    self->runner = common->runner;
    self->complaints = memfd_create("complaints", MFD_CLOEXEC);
    if (self->complaints < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        close_files(self);
        return false;
    }
    self->start = g_get_monotonic_time();
    self->pid = fork();
    if (self->pid == 0) {
        /* Nobody is left to hear of it where the parent is killed. */
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void) prctl(PR_SET_NAME, "gridloom-run");
        if (getppid() != parent) {
            _exit(WL_SWEEP_INTERRUPTED);
        }
        be_run(common, task, ends[1], self->complaints);
    }
    (void) close(ends[1]);
    self->pipe = ends[0];
    if (self->pid < 0) {
        self->pid = 0;
        close_files(self);
        return false;
    }
    return true;
}

bool sweep_run_read(SweepRun *self)
{
    guint8 piece[PIECE_BYTES];
    const gssize got = read(self->pipe, piece, sizeof piece);

    if (got > 0) {
        g_byte_array_append(self->bytes, piece, sim_u32(got));
    }
    return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

/* Was the process killed from outside? Then the same run may well succeed. */
static bool is_killed(int status)
{
    if (WIFSIGNALED(status)) {
        const int with = WTERMSIG(status);

        return with == SIGKILL || with == SIGTERM || with == SIGINT || with == SIGHUP;
    }
    return WEXITSTATUS(status) == WL_SWEEP_INTERRUPTED;
}

WlSweepAnswer sweep_run_end(SweepRun *self)
{
    WlSweepAnswer answer = {.run = self->task.run};
    WlSweepAnswer said = {0};
    int status = 0;

    while (waitpid(self->pid, &status, 0) < 0 && errno == EINTR) {
    }
    answer.wall_seconds =
        (double) (g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
    if (is_killed(status)) {
        answer.status = WL_SWEEP_LOST;
        answer.error = g_strdup("its process was killed");
    } else if (sweep_answer_unpack(&said, self->bytes->data, self->bytes->len) &&
               said.status == WL_SWEEP_DONE && status == 0) {
        answer.status = WL_SWEEP_DONE;
        answer.metrics = g_steal_pointer(&said.metrics);
    } else {
        g_autofree char *complaints = read_all(self->complaints, TEXT_BYTES_MAXIMUM);

        answer.status = WL_SWEEP_FAILED;
        answer.error = wl_process_complaint(complaints, status);
    }
    sweep_answer_clear(&said);
    close_files(self);
    self->pid = 0;
    return answer;
}
