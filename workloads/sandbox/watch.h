/* The state of Lua that an alarm needs: which coroutine runs, and in which thread. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <lua.h>

#include "workloads/alarm.h"

typedef struct Watch Watch;
struct Watch {
    WlAlarm *alarm; /* or NULL */
    lua_Hook hook;
    int steps; /* between two calls of the hook */
    atomic_bool is_counting;
    atomic_int presence;         /* of `thread`: see watch.c */
    pthread_t thread;            /* the thread it runs in */
    lua_State *volatile running; /* the coroutine that runs there */
};

/* The state before watch_enter(). */
typedef struct {
    Watch *watch;
    pthread_t thread;
    lua_State *running;
    int presence;
} WatchMark;

/* `hook` is called every so many `steps` while they are counted. */
void watch_init(Watch *self, WlAlarm *alarm, lua_Hook hook, int steps);
/* Starts counting steps if there is no alarm. */
void watch_begin(Watch *self, lua_State *L);
void watch_clear(Watch *self);

/* Prepares a coroutine that is about to run for the first time: its steps are counted
 * in small portions. Returns the size of one, which may stay uncounted. */
int watch_start(Watch *self, lua_State *thread);

/* Call these around everything that runs Lua code in `L`: calling, resuming or closing
 * a coroutine. They nest. No error may pass between them. */
WatchMark watch_enter(Watch *self, lua_State *L);
void watch_leave(Watch *self, WatchMark mark);

/* Call these before and after other code may run in the same state, in this thread or
 * another: they save and restore the running coroutine. */
WatchMark watch_pause(Watch *self);
void watch_go_on(Watch *self, WatchMark mark);

/* From inside the hook: returns false, and the hook is off for L, once counting has
 * ended. */
bool watch_is_counting(Watch *self, lua_State *L);

/* Stops counting until the alarm rings again. */
void watch_relax(Watch *self);

/* For the alarm; may be called from any thread. */
void watch_alert(Watch *self);
/* For a signal handler: alerts the code that runs in this thread. */
void watch_answer(void);
