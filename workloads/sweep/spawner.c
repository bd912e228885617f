/* A loop over the socket and the pipes of all runs. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/narrow.h"
#include "sim/system.h"
#include "workloads/sweep/run.h"

typedef struct {
    const SweepCommon *common;
    int socket;
    guint jobs;
    SweepRun *runs; /* `jobs` of them */
    GArray *queue;  /* of SweepTask */
} Spawner;

/* Descriptors of the parent are not for runs: a lock lives as long as one of them. */
static void close_others(int mine)
{
    g_autoptr(GDir) folder = g_dir_open("/proc/self/fd", 0, NULL);
    g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(int));
    const char *name;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        const int file = sim_i32(g_ascii_strtoll(name, NULL, 10));

        if (file > STDERR_FILENO && file != mine) {
            g_array_append_val(files, file);
        }
    }
    for (guint i = 0; i < files->len; i++) {
        (void) close(g_array_index(files, int, i)); /* one was the folder's */
    }
}

static void send_answer(const Spawner *self, WlSweepAnswer *answer, guint job)
{
    g_autoptr(GBytes) bytes = NULL;
    gconstpointer data;
    gsize count = 0;

    g_free(answer->worker);
    answer->worker = g_strdup_printf("%u", job);
    bytes = sweep_answer_pack(answer);
    data = g_bytes_get_data(bytes, &count);
    while (send(self->socket, data, count, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    sweep_answer_clear(answer);
}

/* Starts what idle ones can do. */
static void start_runs(const Spawner *self)
{
    for (guint i = 0; i < self->jobs && self->queue->len > 0; i++) {
        const SweepTask task = g_array_index(self->queue, SweepTask, 0);

        if (self->runs[i].pid != 0) {
            continue;
        }
        g_array_remove_index(self->queue, 0);
        if (!sweep_run_start(&self->runs[i], self->common, task)) {
            WlSweepAnswer answer =
                sweep_answer_lost(task.run, "no process could be started");

            send_answer(self, &answer, i);
        }
    }
}

/* Takes new tasks; false if the other end is closed. */
static bool take_tasks(const Spawner *self)
{
    SweepTask task;
    gssize count;

    while ((count = recv(self->socket, &task, sizeof task, MSG_DONTWAIT)) ==
           (gssize) sizeof task) {
        g_array_append_val(self->queue, task);
    }
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

/* Waits until something happens. False if the other end is closed. */
static bool look(const Spawner *self, struct pollfd *files)
{
    files[0] = (struct pollfd){.fd = self->socket, .events = POLLIN};
    for (guint i = 0; i < self->jobs; i++) {
        files[i + 1] = (struct pollfd){.fd = self->runs[i].pipe, .events = POLLIN};
    }
    if (poll(files, self->jobs + 1, -1) < 0) {
        return errno == EINTR;
    }
    for (guint i = 0; i < self->jobs; i++) {
        if (files[i + 1].revents != 0 && sweep_run_read(&self->runs[i])) {
            WlSweepAnswer answer = sweep_run_end(&self->runs[i]);

            send_answer(self, &answer, i);
        }
    }
    return files[0].revents == 0 || take_tasks(self);
}

_Noreturn void sweep_spawner_work(const SweepCommon *common, guint jobs, int socket)
{
    Spawner self = {.common = common,
                    .socket = socket,
                    .jobs = jobs,
                    .runs = g_new(SweepRun, jobs),
                    .queue = g_array_new(FALSE, FALSE, sizeof(SweepTask))};
    g_autofree struct pollfd *files = g_new(struct pollfd, jobs + 1);

    close_others(socket);
    /* Ctrl-C is for the parent, who then ends this. */
    (void) setpgid(0, 0);
    (void) signal(SIGINT, SIG_IGN);
    (void) prctl(PR_SET_NAME, "gridloom-spawn");
    /* Once for all runs; each of them says what is wrong, if something is. */
    (void) sim_system_load(NULL);
    for (guint i = 0; i < jobs; i++) {
        sweep_run_init(&self.runs[i]);
    }
    while (look(&self, files)) {
        start_runs(&self);
    }
    for (guint i = 0; i < jobs; i++) {
        sweep_run_clear(&self.runs[i]);
    }
    _exit(EXIT_SUCCESS);
}
