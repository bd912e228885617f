/* Finds the program, starts it, looks at its progress, and reads what it leaves. */
#include "tools/library/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

enum {
    TICK_MILLISECONDS = 5,
    TICK_MICROSECONDS = 1000 * TICK_MILLISECONDS,
    LOOK_MICROSECONDS = 100000,
    LINE_BYTES = 4096, /* more than a line has */
};

static bool is_program(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_REGULAR) &&
           g_file_test(path, G_FILE_TEST_IS_EXECUTABLE);
}

char *library_program_find(void)
{
    static const char *const places[] = {"gridloom", GRIDLOOM_PROGRAM};
    const char *given = g_getenv("GRIDLOOM");
    Dl_info library = {0};

    if (given != NULL && *given != '\0') {
        return is_program(given) ? g_strdup(given) : NULL;
    }
    if (dladdr(places, &library) != 0 && library.dli_fname != NULL) {
        g_autofree char *folder = g_path_get_dirname(library.dli_fname);

        for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
            g_autofree char *path = g_build_filename(folder, places[i], NULL);

            if (is_program(path)) {
                return g_steal_pointer(&path);
            }
        }
    }
    return g_find_program_in_path("gridloom");
}

/* A process that has been started. */
typedef struct {
    const LibraryCall *call;
    GPid pid;
    int pipe;      /* its progress; -1: none */
    gint64 start;  /* when it was started */
    gint64 looked; /* when its progress was last shown */
    bool is_asked; /* to stop */
    GridloomProgress progress;
    char line[LINE_BYTES]; /* what is read of the pipe, up to `used` */
    gsize used;
} Run;

static int open_file(const LibraryCall *call, const char *name)
{
    g_autofree char *path = g_build_filename(call->folder, name, NULL);

    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static char *read_text(const LibraryCall *call, const char *name)
{
    g_autofree char *path = g_build_filename(call->folder, name, NULL);
    char *text = NULL;

    return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

static double member_of(JsonObject *object, const char *name, double otherwise)
{
    return json_object_has_member(object, name)
               ? json_object_get_double_member(object, name)
               : otherwise;
}

static void take_line(Run *self, const char *line)
{
    g_autoptr(JsonNode) node = json_from_string(line, NULL);

    if (node != NULL && JSON_NODE_HOLDS_OBJECT(node)) {
        JsonObject *object = json_node_get_object(node);

        self->progress.cycles = (uint64_t) member_of(object, "cycles", 0);
        self->progress.seconds = member_of(object, "seconds", 0);
        self->progress.fraction = member_of(object, "fraction", -1);
    }
}

/* Reads all lines that are there; false if nobody has the pipe open for writing. */
static bool read_pipe(Run *self)
{
    const gsize room = sizeof self->line - 1 - self->used;
    const ssize_t count = read(self->pipe, self->line + self->used, room);
    char *end;

    if (count <= 0) {
        return count < 0;
    }
    self->used += (gsize) count;
    self->line[self->used] = '\0';
    while ((end = strchr(self->line, '\n')) != NULL) {
        *end = '\0';
        take_line(self, self->line);
        self->used -= (gsize) (end + 1 - self->line);
        memmove(self->line, end + 1, self->used + 1);
    }
    if (self->used == sizeof self->line - 1) {
        self->used = 0; /* no line of ours */
    }
    return true;
}

static void look(Run *self)
{
    const gint64 now = g_get_monotonic_time();
    const LibraryCall *call = self->call;

    if (call->progress == NULL || self->is_asked ||
        now - self->looked < LOOK_MICROSECONDS) {
        return;
    }
    self->looked = now;
    self->progress.wall_seconds = (double) (now - self->start) / G_USEC_PER_SEC;
    if (call->progress(call->data, &self->progress) != 0) {
        self->is_asked = true;
        (void) kill(self->pid, SIGTERM);
    }
}

/* Waits for the end; false if somebody else has waited for it. */
static bool await(Run *self, int *status)
{
    for (;;) {
        struct pollfd source = {.fd = self->pipe, .events = POLLIN};
        const pid_t ended =
            waitpid(self->pid, status, self->call->pipe != NULL ? WNOHANG : 0);

        if (ended == self->pid || (ended < 0 && errno != EINTR)) {
            return ended == self->pid;
        }
        look(self);
        /* A pipe without writers has nothing to wait for. */
        if (poll(&source, 1, TICK_MILLISECONDS) > 0 && !read_pipe(self)) {
            g_usleep(TICK_MICROSECONDS);
        }
    }
}

static bool start(Run *self, GError **error)
{
    const LibraryCall *call = self->call;
    const int printed = open_file(call, "printed");
    const int complaints = open_file(call, "complaints");
    g_autofree char *result = g_build_filename(call->folder, "result", NULL);
    bool is_started = false;

    (void) g_unlink(result); /* of an earlier call */
    if (call->pipe != NULL && (mkfifo(call->pipe, 0600) == 0 || errno == EEXIST)) {
        self->pipe = open(call->pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }
    if (printed < 0 || complaints < 0 || (call->pipe != NULL && self->pipe < 0)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                    "%s: no file can be made there, %s", call->folder,
                    g_strerror(errno));
    } else {
        is_started = g_spawn_async_with_fds(NULL, (char **) call->words, NULL,
                                            G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                                            &self->pid, -1, printed, complaints, error);
    }
    (void) close(printed);
    (void) close(complaints);
    return is_started;
}

static void fail(LibraryAnswer *answer, const char *why)
{
    g_free(answer->process.why);
    answer->process.why = g_strdup(why);
    answer->process.code = GRIDLOOM_STOPPED;
}

/* What the process has left, by its status of wait(). */
static void read_answer(LibraryAnswer *answer, const Run *self, int status)
{
    g_autofree char *complaints = read_text(self->call, "complaints");
    g_autofree char *result = read_text(self->call, "result");

    answer->process =
        wl_process_read(self->call->has_no_result ? "{}" : result, complaints, status);
    answer->printed = read_text(self->call, "printed");
    if (answer->process.result != NULL && !self->call->has_no_result) {
        answer->result = g_steal_pointer(&result);
    }
    if (self->is_asked && answer->process.code == GRIDLOOM_STOPPED) {
        fail(answer, "interrupted");
        answer->process.code = GRIDLOOM_INTERRUPTED;
    }
}

LibraryAnswer library_program_call(const LibraryCall *call)
{
    LibraryAnswer answer = {0};
    g_autoptr(GError) error = NULL;
    int status = 0;
    Run run = {.call = call,
               .pipe = -1,
               .start = g_get_monotonic_time(),
               .progress = {.fraction = -1}};

    if (!start(&run, &error)) {
        fail(&answer, error->message);
        answer.process.code = GRIDLOOM_INPUT;
    } else if (!await(&run, &status)) {
        fail(&answer,
             "its end is not known: this program ignores SIGCHLD, or waits for "
             "children that it has not started");
    } else {
        read_answer(&answer, &run, status);
    }
    if (run.pipe >= 0) {
        (void) close(run.pipe);
    }
    return answer;
}

void library_answer_clear(LibraryAnswer *self)
{
    wl_process_clear(&self->process);
    g_clear_pointer(&self->result, g_free);
    g_clear_pointer(&self->printed, g_free);
}
