/* What a watcher sees of PEs: their lanes, the work under way on them, and the origins
 * of streams. Call these functions only for regions for which wse_is_watched() is true.
 * Times are cycles after the start of the program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/ce/visit.h"
#include "arch/wse/router/visit.h"
#include "arch/wse/watch/span.h"
#include "arch/wse_profile.h"
#include "sim/probe.h"

enum {
    WSE_FLOW_SHIFT = 40, /* bits of a flow for its start; its first lane is above */
    /* Units of a PE. */
    WSE_UNIT_CE = 0,
    WSE_UNIT_MAIN,
    WSE_UNIT_THREAD,
    WSE_UNIT_ROUTER = WSE_UNIT_THREAD + WSE_THREADS,
    WSE_UNIT_SWITCH,
    WSE_UNIT_RAMP = WSE_UNIT_SWITCH + WSE_SWITCHES,
    WSE_UNIT_ZONES,
    WSE_UNIT_LINK, /* by direction */
    WSE_UNITS = WSE_UNIT_LINK + WSE_LINKS,
};

/* Of every PE. */
typedef struct {
    WseSpans *spans;     /* NULL: it is not watched in full */
    SimLane lane;        /* its first */
    uint32_t main_since; /* when the main thread's work began; WSE_NEVER: none */
    uint32_t thread_since[WSE_THREADS];
    bool is_vector;      /* the main thread is in a vector operation */
    bool is_vector_work; /* the cycles it still has to issue belong to one */
} WseSeen;

typedef struct WseWatch {
    SimLane first;    /* of the whole layout */
    WseSeen *seen;    /* by PE */
    WseTrail *trails; /* by block and slot; NULL: not all PEs are watched in full */
    guint slot_count; /* of a block */
    uint8_t switches[WSE_COLORS]; /* lane of the color's switch, or WSE_SWITCHES */
} WseWatch;

/* Sets up all regions of a starting fabric, if somebody watches. */
void wse_watch_start(WseFabric *fabric);
/* The same in cycle `now` of a fabric whose watch is finished. */
void wse_watch_go_on(WseFabric *fabric, uint32_t now);
/* Hands unfinished slices to the watcher after a run, successful or not. */
void wse_watch_finish(WseFabric *fabric);
void wse_watch_free(WseFabric *fabric);

/* Whether PEs may stand for others, or nobody watches. */
bool wse_watch_can_fold(WseFabric *fabric);
/* PEs stand for others than before: PE `i` goes on from what PE `from[i]` was seen to
 * do. None is watched in full. */
void wse_watch_move(WseFabric *fabric, const uint32_t *from);

static inline bool wse_is_watched(const WseRegion *region)
{
    return SIM_PROBES && G_UNLIKELY(region->watch != NULL);
}

/* --- the compute element: ce.c -------------------------------------------- */

/* A task has been chosen. */
void wse_watch_task(WseVisit *visit);
/* The task is over, and all its work was issued. */
void wse_watch_rest(WseVisit *visit, uint32_t when);
/* Operation `index` may issue from `at` on; it has ended. */
void wse_watch_vector(WseVisit *visit, guint index, uint32_t at);
void wse_watch_vector_end(WseVisit *visit, guint index, uint32_t when);
/* The cycles that the main thread has to issue belong to the operation. */
void wse_watch_vector_work(WseVisit *visit);
/* The main thread has issued for so many cycles. */
void wse_watch_work(WseVisit *visit, uint32_t cycles, uint32_t stalls);
/* Operation `index` is about to make a step, which lasts until `end` if its data have
 * come by then, `last` being when the last of them does. */
void wse_watch_ready(WseVisit *visit, guint index, uint32_t last, uint32_t end);
/* The wavelet in front of the queue is about to begin a task. */
void wse_watch_wavelet(WseVisit *visit, guint queue);
/* A step of operation `index`, whose wavelets, if any, are the last of their queue;
 * from `end` on, banks collide. */
void wse_watch_step(
    WseVisit *visit, guint index, uint32_t wavelets, uint32_t end, uint32_t stalls);
/* The PE's zone ends; an iteration has ended. */
void wse_watch_zone(WseVisit *visit, uint32_t when);
void wse_watch_iteration(WseVisit *visit, uint32_t when);

/* --- the router: router.c -------------------------------------------------- */

/* Where the token in this slot of `pe` comes from; zeros where nobody knows. */
WseTrail wse_watch_trail(const WseRegion *region, uint32_t pe, const WseToken *slot);
void wse_watch_set_trail(const WseRegion *region,
                         uint32_t pe,
                         const WseToken *slot,
                         WseTrail trail);

/* A token on its way through a router. */
typedef struct {
    guint slot;      /* its color */
    guint origin;    /* where it came from */
    uint8_t targets; /* where it goes, sooner or later */
    uint32_t count;  /* wavelets */
    WseTrail trail;
} WseRouted;

/* The token is dropped. */
void wse_watch_drop(const WseRouterVisit *visit, const WseRouted *routed);
/* The token goes to one of its targets, into slot `to` of `pe`. */
void wse_watch_send(const WseRouterVisit *visit,
                    const WseRouted *routed,
                    guint output,
                    uint32_t pe,
                    const WseToken *to);

/* The switch of a color has left the position `before`. */
void wse_watch_switch(
    WseRegion *region, uint32_t pe, guint slot, guint before, uint32_t now);
/* Something else happened to a color. */
void wse_watch_mark(
    WseRegion *region, uint32_t pe, guint slot, const char *name, uint32_t now);
/* The PE prints. */
void wse_watch_print(WseRegion *region, uint32_t pe, const ArchWsePrint *print);
/* The run has ended. */
void wse_watch_end_router(WseRegion *region, uint32_t pe, uint32_t when);

static inline SimTime wse_watch_time(const WseRegion *region, uint32_t when)
{
    return region->fabric->start + when;
}

/* The same where somebody may watch. */
static inline void
wse_see_ready(WseVisit *visit, guint index, uint32_t last, uint32_t end)
{
    if (wse_is_watched(visit->region)) {
        wse_watch_ready(visit, index, last, end);
    }
}

static inline void wse_see_step(
    WseVisit *visit, guint index, uint32_t wavelets, uint32_t end, uint32_t stalls)
{
    if (wse_is_watched(visit->region)) {
        wse_watch_step(visit, index, wavelets, end, stalls);
    }
}
