/* Deals tasks to all who are free. */
#include "tools/gridloom/sweep/cluster.h"

#include <poll.h>
#include <string.h>

enum {
    /* MPI has nothing to wait for together with a pipe: look again and again. */
    RANKS_MILLISECONDS = 1,
    ALONE_MILLISECONDS = 100,
};

/* Tasks on their way. */
typedef struct {
    const CmdSweepCluster *cluster;
    const CmdSweepClusterCalls *calls;
    const GArray *tasks;
    guint next; /* the first that nobody has */
    GPtrArray
        *held; /* for each rank an array of CmdSweepTask; that of 0 is the pool's */
} Deal;

static guint rank_count(const CmdSweepCluster *self)
{
    return self->ranks == NULL ? 1 : (guint) cmd_sweep_ranks_count(self->ranks);
}

static GArray *held_by(const Deal *self, guint rank)
{
    return g_ptr_array_index(self->held, rank);
}

static guint room_of(const Deal *self, guint rank)
{
    const guint held = held_by(self, rank)->len;

    if (rank == 0) {
        return cmd_sweep_pool_room(self->cluster->pool);
    }
    return cmd_sweep_ranks_has(self->cluster->ranks, (int) rank) &&
                   held <= self->cluster->jobs
               ? self->cluster->jobs + 1 - held
               : 0;
}

static void give(Deal *self, guint rank)
{
    const CmdSweepTask task = g_array_index(self->tasks, CmdSweepTask, self->next);

    self->next++;
    g_array_append_val(held_by(self, rank), task);
    if (rank == 0) {
        cmd_sweep_pool_send(self->cluster->pool, task);
    } else {
        cmd_sweep_ranks_send(self->cluster->ranks, (int) rank, CMD_SWEEP_TASK, &task,
                             sizeof task);
    }
}

/* One to each in turn: at the end, when few are left, none has two and another none. */
static void deal(Deal *self)
{
    bool is_given = true;

    while (is_given) {
        is_given = false;
        for (guint i = 0; i < self->held->len && self->next < self->tasks->len; i++) {
            if (room_of(self, i) > 0) {
                give(self, i);
                is_given = true;
            }
        }
    }
}

static bool is_over(const Deal *self)
{
    bool is_idle = self->next == self->tasks->len;

    for (guint i = 0; i < self->held->len; i++) {
        is_idle = is_idle && held_by(self, i)->len == 0;
    }
    return is_idle;
}

/* Passes an answer on, unless somebody else has given it before. */
static bool take(const Deal *self, guint rank, CmdSweepAnswer *answer, GError **error)
{
    GArray *held = held_by(self, rank);

    for (guint i = 0; i < held->len; i++) {
        if (g_array_index(held, CmdSweepTask, i).run == answer->run) {
            g_autofree char *job = g_steal_pointer(&answer->worker);

            g_array_remove_index(held, i);
            answer->worker = g_strdup_printf("%u.%s", rank, job != NULL ? job : "");
            return self->calls->answer(self->calls->data, answer, error);
        }
    }
    return true;
}

static bool hear_pool(const Deal *self, GError **error)
{
    GError *failure = NULL;

    for (;;) {
        g_auto(CmdSweepAnswer) answer = {0};

        if (!cmd_sweep_pool_receive(self->cluster->pool, &answer, &failure)) {
            break;
        }
        if (!take(self, 0, &answer, error)) {
            return false;
        }
    }
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return false;
    }
    return true;
}

/* All that a rank had is lost. */
static bool lose_rank(const Deal *self, guint rank, GError **error)
{
    GArray *held = held_by(self, rank);

    cmd_sweep_ranks_forget(self->cluster->ranks, (int) rank);
    self->calls->gone(self->calls->data, (int) rank);
    while (held->len > 0) {
        g_auto(CmdSweepAnswer) answer = cmd_sweep_answer_lost(
            g_array_index(held, CmdSweepTask, 0).run, "its process was killed");

        if (!take(self, rank, &answer, error)) {
            return false;
        }
    }
    return true;
}

static bool hear_ranks(const Deal *self, GError **error)
{
    CmdSweepMessage message;
    int gone;

    while (self->cluster->ranks != NULL &&
           cmd_sweep_ranks_receive(self->cluster->ranks, &message)) {
        g_auto(CmdSweepAnswer) answer = {0};

        if (message.kind == CMD_SWEEP_ANSWER &&
            cmd_sweep_answer_unpack(&answer, message.bytes, message.count) &&
            !take(self, (guint) message.from, &answer, error)) {
            return false;
        }
    }
    gone =
        self->cluster->ranks != NULL ? cmd_sweep_ranks_watch(self->cluster->ranks) : -1;
    return gone < 0 || lose_rank(self, (guint) gone, error);
}

static void wait_for_pool(const CmdSweepCluster *self)
{
    struct pollfd file = {.fd = cmd_sweep_pool_file(self->pool), .events = POLLIN};

    (void) poll(&file, 1,
                self->ranks != NULL ? RANKS_MILLISECONDS : ALONE_MILLISECONDS);
}

bool cmd_sweep_cluster_do(const CmdSweepCluster *self,
                          const GArray *tasks,
                          const CmdSweepClusterCalls *calls,
                          GError **error)
{
    g_autoptr(GPtrArray) held =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    Deal work = {.cluster = self, .calls = calls, .tasks = tasks, .held = held};

    for (guint i = 0; i < rank_count(self); i++) {
        g_ptr_array_add(held, g_array_new(FALSE, FALSE, sizeof(CmdSweepTask)));
    }
    for (;;) {
        deal(&work);
        if (is_over(&work) || calls->is_stopping(calls->data)) {
            return true;
        }
        wait_for_pool(self);
        if (!hear_pool(&work, error) || !hear_ranks(&work, error)) {
            return false;
        }
    }
}

/* Waits for the next message of rank `from`. */
static bool await(CmdSweepRanks *ranks, CmdSweepMessage *message, int *gone)
{
    while (!cmd_sweep_ranks_receive(ranks, message)) {
        *gone = cmd_sweep_ranks_watch(ranks);
        if (*gone >= 0) {
            return false;
        }
        (void) poll(NULL, 0, RANKS_MILLISECONDS);
    }
    return true;
}

bool cmd_sweep_cluster_meet(const CmdSweepCluster *self,
                            const char *digest,
                            GError **error)
{
    const int count = (int) rank_count(self);
    int gone = 0;

    for (int heard = 1; heard < count;) {
        CmdSweepMessage message;

        if (!await(self->ranks, &message, &gone)) {
            cmd_sweep_ranks_forget(self->ranks, gone);
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "rank %d has not begun", gone);
            return false;
        }
        heard +=
            message.kind == CMD_SWEEP_HELLO || message.kind == CMD_SWEEP_SORRY ? 1 : 0;
        g_autofree char *text = g_strndup(message.bytes, message.count);

        if (message.kind == CMD_SWEEP_SORRY) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "rank %d: %s",
                        message.from, text);
            return false;
        }
        if (message.kind == CMD_SWEEP_HELLO && !g_str_equal(text, digest)) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "rank %d: its files make another sweep than those of rank 0",
                        message.from);
            return false;
        }
    }
    return true;
}

/* Passes on what the pool has done. */
static bool tell_answers(const CmdSweepCluster *self, GError **error)
{
    GError *failure = NULL;

    for (;;) {
        g_auto(CmdSweepAnswer) answer = {0};

        if (!cmd_sweep_pool_receive(self->pool, &answer, &failure)) {
            break;
        }
        g_autoptr(GBytes) packed = cmd_sweep_answer_pack(&answer);
        gsize count = 0;
        gconstpointer bytes = g_bytes_get_data(packed, &count);

        cmd_sweep_ranks_send(self->ranks, 0, CMD_SWEEP_ANSWER, bytes, count);
    }
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return false;
    }
    return true;
}

bool cmd_sweep_cluster_serve(const CmdSweepCluster *self, GError **error)
{
    for (;;) {
        CmdSweepMessage message;

        while (cmd_sweep_ranks_receive(self->ranks, &message)) {
            CmdSweepTask task;

            if (message.kind == CMD_SWEEP_END) {
                return true;
            }
            if (message.kind == CMD_SWEEP_TASK && message.count == sizeof task) {
                memcpy(&task, message.bytes, sizeof task);
                cmd_sweep_pool_send(self->pool, task);
            }
        }
        if (cmd_sweep_ranks_watch(self->ranks) >= 0) {
            cmd_sweep_ranks_forget(self->ranks, 0);
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "rank 0 is gone");
            return false;
        }
        wait_for_pool(self);
        if (!tell_answers(self, error)) {
            return false;
        }
    }
}
