/* What an alarm must know of a Lua state: which coroutine runs, and in which thread. */
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
    pthread_t thread;            /* in which it runs */
    lua_State *volatile running; /* what runs there */
};

/* What was so before watch_enter(). */
typedef struct {
    Watch *watch;
    pthread_t thread;
    lua_State *running;
    int presence;
} WatchMark;

/* `hook` is called every so many `steps` while they are counted. */
void watch_init(Watch *self, WlAlarm *alarm, lua_Hook hook, int steps);
/* Without an alarm: steps count from now on. */
void watch_begin(Watch *self, lua_State *L);
void watch_clear(Watch *self);

/* Around everything that runs Lua code in `L`: a call, a resumed coroutine, one that is
 * closed. Nests. Between the two no error may pass. */
WatchMark watch_enter(Watch *self, lua_State *L);
void watch_leave(Watch *self, WatchMark mark);

/* Before something else may run in the same state, in this thread or another, and when
 * it has: the place of the coroutine that runs. */
WatchMark watch_pause(Watch *self);
void watch_go_on(Watch *self, WatchMark mark);

/* From inside the hook: false, and no further calls for L, when counting has ended. */
bool watch_is_counting(Watch *self, lua_State *L);

/* Counting ends until the alarm rings again. */
void watch_relax(Watch *self);

/* For the alarm: from any thread. */
void watch_alert(Watch *self);
/* In a handler of a signal: for what runs in this thread. */
void watch_answer(void);
