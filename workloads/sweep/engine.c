/* The engine of sweeps as one process of it sees the others. */
#include <poll.h>
#include <string.h>

#include "sim/narrow.h"
#include "workloads/sweep/cluster.h"

enum {
    WAIT_MILLISECONDS = 1, /* MPI has nothing to wait for: look again and again */
};

bool wl_sweep_is_rank(void)
{
    return sweep_ranks_own() != NULL;
}

int wl_sweep_own_rank(void)
{
    const char *text = sweep_ranks_own();

    return text != NULL ? sim_i32(g_ascii_strtoll(text, NULL, 10)) : 0;
}

WlSweepEngine *wl_sweep_engine_new(const WlSweepRunner *runner, guint jobs)
{
    WlSweepEngine *self = g_new0(WlSweepEngine, 1);

    self->common.runner = runner;
    self->jobs = jobs;
    return self;
}

void wl_sweep_engine_free(WlSweepEngine *self)
{
    if (self != NULL) {
        sweep_pool_free(self->pool);
        sweep_ranks_free(self->ranks);
        g_free(self);
    }
}

bool wl_sweep_engine_start(WlSweepEngine *self,
                           const WlSweep *sweep,
                           const char *limit_seconds,
                           GError **error)
{
    self->common.sweep = sweep;
    self->common.limit_seconds = limit_seconds;
    self->pool = sweep_pool_new(&self->common, self->jobs, error);
    return self->pool != NULL;
}

bool wl_sweep_engine_join(WlSweepEngine *self, GError **error)
{
    self->ranks = sweep_ranks_open(error);
    return self->ranks != NULL;
}

int wl_sweep_engine_rank(const WlSweepEngine *self)
{
    return self->ranks == NULL ? 0 : sweep_ranks_rank(self->ranks);
}

guint wl_sweep_engine_rank_count(const WlSweepEngine *self)
{
    return self->ranks == NULL ? 1 : sim_u32(sweep_ranks_count(self->ranks));
}

void wl_sweep_engine_dismiss(WlSweepEngine *self)
{
    for (guint i = 1; i < wl_sweep_engine_rank_count(self); i++) {
        if (sweep_ranks_has(self->ranks, sim_i32(i))) {
            sweep_ranks_send(self->ranks, sim_i32(i), SWEEP_END, NULL, 0);
        }
    }
}

void wl_sweep_engine_abandon(WlSweepEngine *self)
{
    if (self->ranks != NULL) {
        sweep_ranks_forget(self->ranks, 0);
    }
}

/* Waits for the next message; false, with the rank, where one is gone. */
static bool await(SweepRanks *ranks, SweepMessage *message, int *gone)
{
    while (!sweep_ranks_receive(ranks, message)) {
        *gone = sweep_ranks_watch(ranks);
        if (*gone >= 0) {
            return false;
        }
        (void) poll(NULL, 0, WAIT_MILLISECONDS);
    }
    return true;
}

bool wl_sweep_engine_meet(WlSweepEngine *self, const char *digest, GError **error)
{
    const int count = sim_i32(wl_sweep_engine_rank_count(self));
    int gone = 0;

    for (int heard = 1; heard < count;) {
        SweepMessage message;

        if (!await(self->ranks, &message, &gone)) {
            sweep_ranks_forget(self->ranks, gone);
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "rank %d has not begun", gone);
            return false;
        }
        heard += message.kind == SWEEP_HELLO || message.kind == SWEEP_SORRY ? 1 : 0;
        g_autofree char *text = g_strndup(message.bytes, message.count);

        if (message.kind == SWEEP_SORRY) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "rank %d: %s",
                        message.from, text);
            return false;
        }
        if (message.kind == SWEEP_HELLO && !g_str_equal(text, digest)) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "rank %d: its files make another sweep than those of rank 0",
                        message.from);
            return false;
        }
    }
    return true;
}

/* Passes on what the pool has done. */
static bool tell_answers(const WlSweepEngine *self, GError **error)
{
    GError *failure = NULL;

    for (;;) {
        g_auto(WlSweepAnswer) answer = {0};

        if (!sweep_pool_receive(self->pool, &answer, &failure)) {
            break;
        }
        g_autoptr(GBytes) packed = sweep_answer_pack(&answer);
        gsize count = 0;
        gconstpointer bytes = g_bytes_get_data(packed, &count);

        sweep_ranks_send(self->ranks, 0, SWEEP_ANSWER, bytes, count);
    }
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return false;
    }
    return true;
}

/* Until rank 0 has no more to do. */
static bool do_tasks(const WlSweepEngine *self, GError **error)
{
    for (;;) {
        SweepMessage message;

        while (sweep_ranks_receive(self->ranks, &message)) {
            SweepTask task;

            if (message.kind == SWEEP_END) {
                return true;
            }
            if (message.kind == SWEEP_TASK && message.count == sizeof task) {
                memcpy(&task, message.bytes, sizeof task);
                sweep_pool_send(self->pool, task);
            }
        }
        if (sweep_ranks_watch(self->ranks) >= 0) {
            sweep_ranks_forget(self->ranks, 0);
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "rank 0 is gone");
            return false;
        }
        sweep_cluster_wait(self);
        if (!tell_answers(self, error)) {
            return false;
        }
    }
}

bool wl_sweep_engine_serve(WlSweepEngine *self,
                           const char *digest,
                           const char *failure,
                           GError **error)
{
    const char *text = failure != NULL ? failure : digest;

    sweep_ranks_send(self->ranks, 0, failure != NULL ? SWEEP_SORRY : SWEEP_HELLO, text,
                     strlen(text));
    return failure != NULL || do_tasks(self, error);
}
