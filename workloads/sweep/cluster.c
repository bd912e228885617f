/* Deals tasks to all who are free, and passes on what they say. */
#include "workloads/sweep/cluster.h"

#include <poll.h>

#include "sim/narrow.h"

enum {
    /* MPI has nothing to wait for together with a pipe: look again and again. */
    RANKS_MILLISECONDS = 1,
    ALONE_MILLISECONDS = 100,
};

/* Tasks on their way. */
typedef struct {
    const WlSweepEngine *engine;
    const SweepTaker *taker;
    const GArray *tasks;
    guint next;      /* the first task that is not assigned */
    GPtrArray *held; /* for each rank an array of SweepTask; that of 0 is the pool's */
} Deal;

static GArray *held_by(const Deal *self, guint rank)
{
    return g_ptr_array_index(self->held, rank);
}

static guint room_of(const Deal *self, guint rank)
{
    const guint held = held_by(self, rank)->len;

    if (rank == 0) {
        return sweep_pool_room(self->engine->pool);
    }
    return sweep_ranks_has(self->engine->ranks, sim_i32(rank)) &&
                   held <= self->engine->jobs
               ? self->engine->jobs + 1 - held
               : 0;
}

static void give(Deal *self, guint rank)
{
    const SweepTask task = g_array_index(self->tasks, SweepTask, self->next);

    self->next++;
    g_array_append_val(held_by(self, rank), task);
    if (rank == 0) {
        sweep_pool_send(self->engine->pool, task);
    } else {
        sweep_ranks_send(self->engine->ranks, sim_i32(rank), SWEEP_TASK, &task,
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

/* Passes an answer on, unless another rank has given it before. */
static bool take(const Deal *self, guint rank, WlSweepAnswer *answer, GError **error)
{
    GArray *held = held_by(self, rank);

    for (guint i = 0; i < held->len; i++) {
        if (g_array_index(held, SweepTask, i).run == answer->run) {
            g_autofree char *job = g_steal_pointer(&answer->worker);

            g_array_remove_index(held, i);
            answer->worker = g_strdup_printf("%u.%s", rank, job != NULL ? job : "");
            return self->taker->answer(self->taker->data, answer, error);
        }
    }
    return true;
}

static bool hear_pool(const Deal *self, GError **error)
{
    GError *failure = NULL;

    for (;;) {
        g_auto(WlSweepAnswer) answer = {0};

        if (!sweep_pool_receive(self->engine->pool, &answer, &failure)) {
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
    const WlSweepKeeper *keeper = self->taker->keeper;
    GArray *held = held_by(self, rank);

    sweep_ranks_forget(self->engine->ranks, sim_i32(rank));
    keeper->gone(keeper->data, sim_i32(rank));
    while (held->len > 0) {
        g_auto(WlSweepAnswer) answer = sweep_answer_lost(
            g_array_index(held, SweepTask, 0).run, "its process was killed");

        if (!take(self, rank, &answer, error)) {
            return false;
        }
    }
    return true;
}

static bool hear_ranks(const Deal *self, GError **error)
{
    SweepMessage message;
    int gone;

    while (self->engine->ranks != NULL &&
           sweep_ranks_receive(self->engine->ranks, &message)) {
        g_auto(WlSweepAnswer) answer = {0};

        if (message.kind == SWEEP_ANSWER &&
            sweep_answer_unpack(&answer, message.bytes, message.count) &&
            !take(self, sim_u32(message.from), &answer, error)) {
            return false;
        }
    }
    gone = self->engine->ranks != NULL ? sweep_ranks_watch(self->engine->ranks) : -1;
    return gone < 0 || lose_rank(self, sim_u32(gone), error);
}

void sweep_cluster_wait(const WlSweepEngine *self)
{
    struct pollfd file = {.fd = sweep_pool_file(self->pool), .events = POLLIN};

    (void) poll(&file, 1,
                self->ranks != NULL ? RANKS_MILLISECONDS : ALONE_MILLISECONDS);
}

bool sweep_cluster_do(const WlSweepEngine *self,
                      const GArray *tasks,
                      const SweepTaker *taker,
                      GError **error)
{
    g_autoptr(GPtrArray) held =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    Deal work = {.engine = self, .taker = taker, .tasks = tasks, .held = held};

    for (guint i = 0; i < wl_sweep_engine_rank_count(self); i++) {
        g_ptr_array_add(held, g_array_new(FALSE, FALSE, sizeof(SweepTask)));
    }
    for (;;) {
        deal(&work);
        if (is_over(&work) || taker->is_stopping(taker->data)) {
            return true;
        }
        sweep_cluster_wait(self);
        if (!hear_pool(&work, error) || !hear_ranks(&work, error)) {
            return false;
        }
    }
}
