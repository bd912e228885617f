/* Runs small layouts on a wafer for tests: programs made of streams, the run, what it
 * came to. Everything fails the test where it does not work. */
#pragma once

#include "arch/wse_profile.h"
#include "sim/engine.h"
#include "sim/probe.h"
#include "tests/arch/wse/parts.h"
#include "tests/arch/wse/rig.h"

enum {
    WSE_RUN_DISPATCH = 10,
    WSE_RUN_SETUP = 28 + 6,
    /* When the first operation of a program issues its first element. */
    WSE_RUN_FIRST = WSE_RUN_DISPATCH + WSE_RUN_SETUP,
    WSE_RUN_STAGE = 5, /* from the issue of a wavelet to its being taken, and a hop */
};

typedef struct {
    ArchParams *params;
    ArchWseLayout *layout; /* before it runs */
    SimEngine *engine;     /* since it does */
    ArchWse *wse;
    ArchWseOptions options; /* functional, grain of wavelets */
    guint thread_count;     /* 1 */
    SimWatch watch;         /* without a function: nobody does */
} WseRun;

/* The WSE-2 with known numbers, and `overrides` (up to NULL; NULL for none) after. */
void wse_run_open(WseRun *self,
                  guint columns,
                  guint rows,
                  const char *const *overrides);
void wse_run_close(WseRun *self);

typedef enum {
    WSE_RUN_SEND,    /* numbers value, value + 1, ... */
    WSE_RUN_RECEIVE, /* into the array "r" and the number of the step */
    WSE_RUN_CONTROL, /* `count` times the payload `bits` */
    WSE_RUN_HOLD,    /* binds the input queue, and never reads */
    WSE_RUN_RELAY,   /* adds such numbers to those of a stream, and sends them on */
    WSE_RUN_COMPUTE, /* adds two rows of such numbers that collide in the banks */
} WseRunKind;

typedef struct {
    WseRunKind kind;
    guint color;
    guint queue;
    guint count;
    guint delay; /* cycles before it is set up */
    float value;
    uint32_t bits;
    guint
        onward; /* of a relay: the color it sends, by the output queue of its number */
    bool is_sync;            /* in the main thread; the next step comes after it */
    bool is_switch_advanced; /* by its last wavelet */
    bool is_twice;           /* what it sends is the sum of a row and itself, which
                              * collide in the banks */
    bool is_marked;          /* an iteration ends a dispatch after it */
} WseRunStep;

/* A program whose task starts these steps, one after the other. */
Parts wse_run_program(const WseRun *self,
                      const char *name,
                      const WseRunStep *steps,
                      guint count);
/* The PEs run it. */
void wse_run_place(const WseRun *self, ArchWseTiles tiles, const Parts *parts);
void wse_run_steps(const WseRun *self,
                   ArchWseTiles tiles,
                   const char *name,
                   const WseRunStep *steps,
                   guint count);

/* Loads the layout, for tests that write to memories before they run it. */
bool wse_run_load(WseRun *self, GError **error);
/* To the end of the program. */
bool wse_run_try(WseRun *self, GError **error);
void wse_run(WseRun *self);
/* Nothing moves any more and PEs wait: what is said about them. The caller frees it. */
char *wse_run_into_deadlock(WseRun *self);

SimTime wse_run_end(const WseRun *self, guint x, guint y);
/* When the last PE came to the end of the iteration. */
SimTime wse_run_mark(const WseRun *self, guint iteration);
/* The array holds value, value + 1, ... from number `first` on. */
void wse_run_assert(const WseRun *self,
                    guint x,
                    guint y,
                    const char *array,
                    guint first,
                    guint count,
                    float value);
