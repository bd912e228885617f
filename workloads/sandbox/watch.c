/* Watches: lua_sethook() may be called in a handler of a signal, but only in the thread
 * that runs the state, and only for the coroutine that runs. */
#include "workloads/sandbox/watch.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

#include "workloads/alarm.h"

#define ALARM_SIGNAL SIGUSR1

struct WlAlarm {
    GMutex mutex;
    GPtrArray *watches; /* of Watch, borrowed */
};

static void on_signal(int number)
{
    int saved = errno;

    (void) number;
    watch_answer();
    errno = saved;
}

WlAlarm *wl_alarm_new(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    WlAlarm *self = g_new0(WlAlarm, 1);

    g_mutex_init(&self->mutex);
    self->watches = g_ptr_array_new();
    (void) sigemptyset(&action.sa_mask);
    (void) sigaction(ALARM_SIGNAL, &action, NULL);
    return self;
}

void wl_alarm_free(WlAlarm *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->watches);
        g_mutex_clear(&self->mutex);
        g_free(self);
    }
}

static void alarm_add(WlAlarm *self, Watch *watch)
{
    g_mutex_lock(&self->mutex);
    g_ptr_array_add(self->watches, watch);
    g_mutex_unlock(&self->mutex);
}

static void alarm_remove(WlAlarm *self, Watch *watch)
{
    g_mutex_lock(&self->mutex);
    (void) g_ptr_array_remove(self->watches, watch);
    g_mutex_unlock(&self->mutex);
}

void wl_alarm_ring(WlAlarm *self)
{
    g_mutex_lock(&self->mutex);
    for (guint i = 0; i < self->watches->len; i++) {
        watch_alert(g_ptr_array_index(self->watches, i));
    }
    g_mutex_unlock(&self->mutex);
}

/* A thread that is about to leave waits while it is being alerted, so that no signal
 * goes to a thread that has ended. */
enum {
    ABSENT,
    PRESENT,
    ALERTED,
};

/* The watch of the code that runs in this thread. */
static _Thread_local Watch *volatile present;

void watch_init(Watch *self, WlAlarm *alarm, lua_Hook hook, int steps)
{
    self->alarm = alarm;
    self->hook = hook;
    self->steps = steps;
    atomic_init(&self->is_counting, false);
    atomic_init(&self->presence, ABSENT);
    self->running = NULL;
    if (alarm != NULL) {
        alarm_add(alarm, self);
    }
}

void watch_clear(Watch *self)
{
    if (self->alarm != NULL) {
        alarm_remove(self->alarm, self);
    }
}

static void count(Watch *self, lua_State *L)
{
    if (lua_gethook(L) != self->hook) {
        lua_sethook(L, self->hook, LUA_MASKCOUNT, self->steps);
    }
}

void watch_begin(Watch *self, lua_State *L)
{
    atomic_store(&self->is_counting, true);
    count(self, L);
}

int watch_start(Watch *self, lua_State *thread)
{
    enum {
        PORTION = 64, /* of steps */
    };
    const int steps = MIN(self->steps, PORTION);

    if (atomic_load(&self->is_counting)) {
        lua_sethook(thread, self->hook, LUA_MASKCOUNT, steps);
    }
    return steps;
}

/* Moves to another thread, or to none. */
static void set_thread(Watch *self, pthread_t thread, int presence)
{
    int expected = PRESENT;

    while (!atomic_compare_exchange_weak(&self->presence, &expected, ABSENT) &&
           expected != ABSENT) {
        expected = PRESENT;
        (void) sched_yield();
    }
    self->thread = thread;
    atomic_store(&self->presence, presence);
}

WatchMark watch_enter(Watch *self, lua_State *L)
{
    WatchMark mark = {.watch = present, .running = self->running};
    pthread_t thread = pthread_self();

    mark.presence = atomic_load_explicit(&self->presence, memory_order_relaxed);
    mark.presence = mark.presence == ABSENT ? ABSENT : PRESENT;
    if (mark.presence == PRESENT) {
        mark.thread = self->thread;
    }
    self->running = L;
    if (mark.presence == ABSENT || pthread_equal(mark.thread, thread) == 0) {
        set_thread(self, thread, PRESENT);
    }
    present = self;
    /* After it can be reached: an alarm before was for somebody else. */
    if (atomic_load(&self->is_counting)) {
        count(self, L);
    }
    return mark;
}

void watch_leave(Watch *self, WatchMark mark)
{
    present = mark.watch;
    self->running = mark.running;
    if (mark.presence == ABSENT || pthread_equal(mark.thread, self->thread) == 0) {
        set_thread(self, mark.thread, mark.presence);
    }
    if (mark.running != NULL && atomic_load(&self->is_counting) &&
        pthread_equal(self->thread, pthread_self()) != 0) {
        count(self, mark.running);
    }
}

WatchMark watch_pause(Watch *self)
{
    WatchMark mark = {.watch = present, .running = self->running};

    present = NULL;
    self->running = NULL;
    set_thread(self, self->thread, ABSENT);
    return mark;
}

void watch_go_on(Watch *self, WatchMark mark)
{
    self->running = mark.running;
    set_thread(self, pthread_self(), PRESENT);
    present = mark.watch;
    if (mark.running != NULL && atomic_load(&self->is_counting)) {
        count(self, mark.running);
    }
}

bool watch_is_counting(Watch *self, lua_State *L)
{
    if (!atomic_load_explicit(&self->is_counting, memory_order_relaxed)) {
        lua_sethook(L, NULL, 0, 0);
        return false;
    }
    return true;
}

void watch_relax(Watch *self)
{
    if (self->alarm != NULL &&
        atomic_load_explicit(&self->is_counting, memory_order_relaxed)) {
        atomic_store(&self->is_counting, false);
    }
}

void watch_alert(Watch *self)
{
    int expected = PRESENT;

    atomic_store(&self->is_counting, true);
    if (atomic_compare_exchange_strong(&self->presence, &expected, ALERTED)) {
        (void) pthread_kill(self->thread, ALARM_SIGNAL);
        atomic_store(&self->presence, PRESENT);
    }
}

void watch_answer(void)
{
    Watch *self = present;

    /* Its state may run in another thread by now. */
    if (self != NULL && self->running != NULL &&
        pthread_equal(self->thread, pthread_self()) != 0 &&
        atomic_load(&self->is_counting)) {
        count(self, self->running);
    }
}
