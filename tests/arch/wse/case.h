/* Random programs on random fabrics for tests: streams along rows and columns, chains
 * of sums, and operations on memory. */
#pragma once

#include "arch/wse/rank/fit.h"
#include "tests/arch/wse/run.h"

enum {
    WSE_CASE_COUNT = 60, /* numbers of a stream at most */
};

/* How a program is run. */
typedef struct {
    guint thread_count;
    guint band_count; /* at most */
    bool is_functional;
    ArchWseGrain grain;
    WseFitWanted ranks;
} WseWay;

/* What else there is to it. */
typedef struct {
    bool has_computing; /* PEs work on their memories before and after streams */
    const char *const *overrides; /* of the chip, up to NULL; or NULL */
} WseSpice;

typedef struct {
    GRand *random;
    guint columns;
    guint rows;
    GArray **steps; /* of WseRunStep, by PE */
    WseRun run;     /* ready for wse_run() */
} WseCase;

/* Up to three colors cross at each PE, each with queues of its own. `spice`
 * may be NULL. */
void wse_case_open(WseCase *self,
                   guint32 seed,
                   const WseWay *way,
                   const WseSpice *spice);
void wse_case_close(WseCase *self);
