/* The pool as the process sees it that keeps the results. */
#include "workloads/sweep/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/sweep/run.h"

enum {
    DEATHS_MAXIMUM = 5, /* of foremen, with no answer in between */
};

struct SweepPool {
    const SweepCommon *common;
    guint jobs;
    pid_t spawner;
    int socket;
    GArray *tasks; /* of SweepTask, without an answer */
    GArray *lost;  /* of SweepTask: those of a spawner who is gone */
    guint deaths;
};

static bool fail(GError **error, const char *what)
{
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s, %s", what,
                g_strerror(errno));
    return false;
}

static bool hire(SweepPool *self, GError **error)
{
    const pid_t parent = getpid();
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return fail(error, "no pipe for runs can be had");
    }
    (void) fflush(NULL); /* buffered text must not be written twice */
    self->spawner = fork();
    if (self->spawner == 0) {
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(0);
        }
        sweep_spawner_work(self->common, self->jobs, ends[1]);
    }
    (void) close(ends[1]);
    self->socket = ends[0];
    return self->spawner > 0 || fail(error, "no process for runs can be had");
}

static void dismiss(SweepPool *self)
{
    if (self->socket >= 0) {
        (void) close(self->socket);
        self->socket = -1;
    }
    if (self->spawner > 0) {
        (void) kill(self->spawner, SIGKILL);
        (void) waitpid(self->spawner, NULL, 0);
        self->spawner = 0;
    }
}

SweepPool *sweep_pool_new(const SweepCommon *common, guint jobs, GError **error)
{
    g_autoptr(SweepPool) self = g_new0(SweepPool, 1);

    self->common = common;
    self->jobs = jobs;
    self->socket = -1;
    self->tasks = g_array_new(FALSE, FALSE, sizeof(SweepTask));
    self->lost = g_array_new(FALSE, FALSE, sizeof(SweepTask));
    return hire(self, error) ? g_steal_pointer(&self) : NULL;
}

void sweep_pool_free(SweepPool *self)
{
    if (self != NULL) {
        dismiss(self);
        g_array_unref(self->tasks);
        g_array_unref(self->lost);
        g_free(self);
    }
}

guint sweep_pool_room(const SweepPool *self)
{
    return self->jobs + 1 > self->tasks->len ? self->jobs + 1 - self->tasks->len : 0;
}

void sweep_pool_send(SweepPool *self, SweepTask task)
{
    g_array_append_val(self->tasks, task);
    /* If he is gone, the next look for answers finds out. */
    (void) send(self->socket, &task, sizeof task, MSG_NOSIGNAL);
}

int sweep_pool_file(const SweepPool *self)
{
    return self->socket;
}

static bool is_readable(int file)
{
    struct pollfd look = {.fd = file, .events = POLLIN};

    return poll(&look, 1, 0) > 0;
}

/* The answer for a task whose spawner is gone; false: there is none. */
static bool take_lost(SweepPool *self, WlSweepAnswer *answer)
{
    if (self->lost->len == 0) {
        return false;
    }
    *answer = sweep_answer_lost(g_array_index(self->lost, SweepTask, 0).run,
                                "its process was killed");
    g_array_remove_index(self->lost, 0);
    return true;
}

static void forget(SweepPool *self, guint run)
{
    for (guint i = 0; i < self->tasks->len; i++) {
        if (g_array_index(self->tasks, SweepTask, i).run == run) {
            g_array_remove_index(self->tasks, i);
            return;
        }
    }
}

/* Reads one message; false where he is gone. */
static bool receive(SweepPool *self, WlSweepAnswer *answer)
{
    g_autofree guint8 *bytes = NULL;
    gssize count = recv(self->socket, NULL, 0, MSG_PEEK | MSG_TRUNC);

    if (count <= 0) {
        return false;
    }
    bytes = g_malloc((gsize) count);
    count = recv(self->socket, bytes, (gsize) count, 0);
    return count > 0 && sweep_answer_unpack(answer, bytes, (gsize) count);
}

/* Another spawner; what the last one had to do is lost. */
static bool replace(SweepPool *self, GError **error)
{
    dismiss(self);
    g_array_append_vals(self->lost, self->tasks->data, self->tasks->len);
    g_array_set_size(self->tasks, 0);
    self->deaths++;
    if (self->deaths > DEATHS_MAXIMUM) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                    "the process that starts runs was killed %u times", self->deaths);
        return false;
    }
    return hire(self, error);
}

bool sweep_pool_receive(SweepPool *self, WlSweepAnswer *answer, GError **error)
{
    if (take_lost(self, answer)) {
        return true;
    }
    if (!is_readable(self->socket)) {
        return false;
    }
    if (receive(self, answer)) {
        forget(self, answer->run);
        self->deaths = 0;
        return true;
    }
    return replace(self, error) && take_lost(self, answer);
}
