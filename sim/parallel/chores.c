/* Chores: a count of pieces added, one of pieces done, and who may do the next. */
#include "sim/parallel/chores.h"

#include "sim/parallel/patience.h"

enum {
    PIECES = 4,       /* done before a look at what else there is */
    PAUSES = 64,      /* before the processor is given away */
    MANY_WAITING = 4, /* chores, for which a sleeping thread is woken */
};

void chores_init(Chores *self)
{
    (void) pthread_mutex_init(&self->mutex, NULL);
    g_queue_init(&self->waiting);
    atomic_init(&self->count, 0);
}

void chores_clear(Chores *self)
{
    (void) pthread_mutex_destroy(&self->mutex);
}

static bool claim(SimChore *self)
{
    return !atomic_exchange_explicit(&self->is_claimed, true, memory_order_acquire);
}

/* Pieces up to number `end`, as far as there are any. Claimed by the caller. */
static void do_pieces(SimChore *self, uint64_t end)
{
    const uint64_t added = atomic_load_explicit(&self->added, memory_order_acquire);
    uint64_t done = atomic_load_explicit(&self->done, memory_order_relaxed);

    while (done < MIN(added, end)) {
        self->func(self->data, done);
        done++;
        atomic_store_explicit(&self->done, done, memory_order_release);
    }
}

/* Puts it where others find it, unless it is there. */
static void list(SimChore *self)
{
    Chores *chores = crew_chores(self->crew);

    if (atomic_load_explicit(&self->is_listed, memory_order_relaxed) ||
        atomic_exchange(&self->is_listed, true)) {
        return;
    }
    (void) pthread_mutex_lock(&chores->mutex);
    g_queue_push_tail_link(&chores->waiting, &self->link);
    (void) pthread_mutex_unlock(&chores->mutex);
    if (atomic_fetch_add(&chores->count, 1) + 1 >= MANY_WAITING) {
        crew_wake_for_chores(self->crew);
    }
}

/* Leaves what there is still to do to others. */
static void leave(SimChore *self)
{
    if (atomic_load(&self->done) < atomic_load(&self->added) &&
        crew_puts_off(self->crew)) {
        list(self);
    }
    atomic_store_explicit(&self->is_claimed, false, memory_order_release);
}

/* Takes the first chore off the list, and claims it. NULL: there is none, or it is
 * claimed: whoever has it does what there is. */
static SimChore *take(Chores *self)
{
    SimChore *chore = NULL;

    (void) pthread_mutex_lock(&self->mutex);
    GList *link = g_queue_pop_head_link(&self->waiting);

    if (link != NULL) {
        atomic_fetch_sub(&self->count, 1);
        chore = link->data;
        atomic_store(&chore->is_listed, false);
        chore = claim(chore) ? chore : NULL;
    }
    (void) pthread_mutex_unlock(&self->mutex);
    return chore;
}

bool chores_do_some(Chores *self)
{
    SimChore *chore = chores_are_waiting(self) ? take(self) : NULL;

    if (chore == NULL) {
        return false;
    }
    do_pieces(chore, atomic_load_explicit(&chore->done, memory_order_relaxed) + PIECES);
    leave(chore);
    return true;
}

SimChore *sim_chore_new(SimCrew *crew, SimChoreFunc func, gpointer data)
{
    SimChore *self = g_new0(SimChore, 1);

    self->crew = crew;
    self->func = func;
    self->data = data;
    self->link.data = self;
    return self;
}

void sim_chore_free(SimChore *self)
{
    if (self == NULL) {
        return;
    }
    Chores *chores = crew_chores(self->crew);

    while (!claim(self)) {
        g_thread_yield();
    }
    /* Who has it claimed may list it: look only now. */
    (void) pthread_mutex_lock(&chores->mutex);
    if (atomic_load(&self->is_listed)) {
        g_queue_unlink(&chores->waiting, &self->link);
        atomic_fetch_sub(&chores->count, 1);
    }
    (void) pthread_mutex_unlock(&chores->mutex);
    g_free(self);
}

static bool has_waiting_pieces(const SimChore *self)
{
    return atomic_load_explicit(&self->done, memory_order_acquire) <
           sim_chore_pieces(self);
}

/* One that waits is enough for the threads that are awake: to hand over more of them
 * takes longer than to do them. Those that sleep are woken for many. */
bool sim_chore_is_put_off(const SimChore *self)
{
    return crew_puts_off(self->crew) &&
           (!chores_are_waiting(crew_chores(self->crew)) || has_waiting_pieces(self) ||
            crew_has_sleepers(self->crew));
}

uint64_t sim_chore_pieces(const SimChore *self)
{
    return atomic_load_explicit(&self->added, memory_order_relaxed);
}

void sim_chore_add(SimChore *self)
{
    atomic_fetch_add(&self->added, 1);
    if (crew_puts_off(self->crew)) {
        list(self);
    } else {
        sim_chore_finish(self, sim_chore_pieces(self));
    }
}

void sim_chore_finish(SimChore *self, uint64_t pieces)
{
    for (guint tries = 1;
         atomic_load_explicit(&self->done, memory_order_acquire) < pieces; tries++) {
        if (claim(self)) {
            do_pieces(self, pieces);
            leave(self);
        } else if (tries % PAUSES == 0) {
            g_thread_yield();
        } else {
            patience_pause();
        }
    }
}
