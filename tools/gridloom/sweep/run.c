/* Forks runs and reads what they say. */
#include "tools/gridloom/sweep/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-glib/json-glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/result_member.h"
#include "tools/gridloom/run/process.h"
#include "tools/gridloom/sweep/words.h"

enum {
    PIECE_BYTES = 4096,
    TEXT_BYTES_MAXIMUM = 1 << 16, /* of complaints that are looked at */
};

void cmd_sweep_run_init(CmdSweepRun *self)
{
    *self = (CmdSweepRun){.pipe = -1, .complaints = -1, .bytes = g_byte_array_new()};
}

static void close_files(CmdSweepRun *self)
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

void cmd_sweep_run_clear(CmdSweepRun *self)
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

/* What is recorded of a result: a number, a text, or nothing. */
static char *metric_of(JsonObject *result, const char *formula)
{
    double number = 0;
    char *word;

    if (result_number(result, formula, &number, NULL)) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];

        return g_strdup(g_ascii_dtostr(text, sizeof text, number));
    }
    word = result_word(result, formula, NULL);
    return word != NULL ? word : g_strdup("");
}

static char **metrics_of(const WlSweep *sweep, const char *json)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    const guint count = wl_sweep_record_count(sweep);
    char **metrics;

    if (!json_parser_load_from_data(parser, json, -1, NULL) ||
        json_parser_get_root(parser) == NULL ||
        !JSON_NODE_HOLDS_OBJECT(json_parser_get_root(parser))) {
        return NULL;
    }
    metrics = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        metrics[i] = metric_of(json_node_get_object(json_parser_get_root(parser)),
                               wl_sweep_record(sweep, i)->formula);
    }
    return metrics;
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

/* The words of the program, as main() would have them; the caller frees them. */
static char **arguments_of(const CmdSweepCommon *common, CmdSweepTask task)
{
    g_autofree char **words =
        task.is_check != 0
            ? cmd_sweep_words_to_check(common->sweep, task.run)
            : cmd_sweep_words(common->sweep, task.run, common->limit_seconds);
    GPtrArray *arguments = g_ptr_array_new();

    g_ptr_array_add(arguments, g_strdup("run"));
    for (char **word = words; *word != NULL; word++) {
        g_ptr_array_add(arguments, *word);
    }
    if (task.is_check != 0) {
        g_ptr_array_add(arguments, g_strdup("--dry-run"));
    }
    g_ptr_array_add(arguments, g_strdup("--quiet"));
    g_ptr_array_add(arguments, g_strdup("--json=-"));
    g_ptr_array_add(arguments, NULL);
    return (char **) g_ptr_array_free(arguments, FALSE);
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
be_run(const CmdSweepCommon *common, CmdSweepTask task, int pipe, int complaints)
{
    const int output = memfd_create("result", 0);
    const int nothing = open("/dev/null", O_RDONLY);
    CmdSweepAnswer answer = {
        .run = task.run, .status = TRACE_RUN_LOST, .worker = (char *) ""};
    g_auto(GStrv) arguments = NULL;
    int code;

    reset_signals();
    if (output < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(complaints, STDERR_FILENO) < 0) {
        _exit(EXIT_INTERRUPTED);
    }
    arguments = arguments_of(common, task);
    code = command_run(&cmd_run, (int) g_strv_length(arguments), arguments);
    if (fflush(stdout) != 0) {
        _exit(EXIT_INTERRUPTED);
    }
    if (code == EXIT_DONE && task.is_check == 0) {
        g_autofree char *json = read_all(output, G_MAXSSIZE);

        answer.metrics = metrics_of(common->sweep, json);
        code = answer.metrics != NULL ? code : complain("the run gave no result");
    }
    if (code == EXIT_DONE) {
        answer.status = TRACE_RUN_DONE;
    } else if (code != EXIT_INTERRUPTED) {
        answer.status = TRACE_RUN_FAILED;
    }
    g_autoptr(GBytes) bytes = cmd_sweep_answer_pack(&answer);

    write_all(pipe, bytes);
    /* What the parent process has to do at its end is not done here. */
    _exit(code);
}

bool cmd_sweep_run_start(CmdSweepRun *self,
                         const CmdSweepCommon *common,
                         CmdSweepTask task)
{
    const pid_t parent = getpid();
    int ends[2];

    g_byte_array_set_size(self->bytes, 0);
    self->task = task;
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
            _exit(EXIT_INTERRUPTED);
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

bool cmd_sweep_run_read(CmdSweepRun *self)
{
    guint8 piece[PIECE_BYTES];
    const gssize got = read(self->pipe, piece, sizeof piece);

    if (got > 0) {
        g_byte_array_append(self->bytes, piece, (guint) got);
    }
    return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

/* Did somebody else end it? Then the same run may well succeed. */
static bool is_killed(int status)
{
    if (WIFSIGNALED(status)) {
        const int with = WTERMSIG(status);

        return with == SIGKILL || with == SIGTERM || with == SIGINT || with == SIGHUP;
    }
    return WEXITSTATUS(status) == EXIT_INTERRUPTED;
}

CmdSweepAnswer cmd_sweep_run_end(CmdSweepRun *self)
{
    CmdSweepAnswer answer = {.run = self->task.run};
    CmdSweepAnswer said = {0};
    int status = 0;

    while (waitpid(self->pid, &status, 0) < 0 && errno == EINTR) {
    }
    answer.wall_seconds =
        (double) (g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
    if (is_killed(status)) {
        answer.status = TRACE_RUN_LOST;
        answer.error = g_strdup("its process was killed");
    } else if (cmd_sweep_answer_unpack(&said, self->bytes->data, self->bytes->len) &&
               said.status == TRACE_RUN_DONE && status == 0) {
        answer.status = TRACE_RUN_DONE;
        answer.metrics = g_steal_pointer(&said.metrics);
    } else {
        g_autofree char *complaints = read_all(self->complaints, TEXT_BYTES_MAXIMUM);

        answer.status = TRACE_RUN_FAILED;
        answer.error = cmd_run_process_complaint(complaints, status);
    }
    cmd_sweep_answer_clear(&said);
    close_files(self);
    self->pid = 0;
    return answer;
}
