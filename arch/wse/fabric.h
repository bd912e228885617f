/* The running wafer: its PEs, and the regions that visit them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse.h"
#include "arch/wse/bands.h"
#include "arch/wse/block.h"
#include "arch/wse/factor.h"
#include "arch/wse/fold.h"
#include "arch/wse/kind.h"
#include "arch/wse/numbers.h"
#include "arch/wse/wheel.h"
#include "sim/engine.h"

typedef struct WseFabric WseFabric;
typedef struct WseRegion WseRegion;

struct WseFabric {
    const ArchParams *params;
    SimEngine *engine;
    WseNumbers numbers;
    ArchWseLayout *layout;
    bool is_functional;
    bool is_stream;
    bool has_lines; /* regions count what instructions spend */
    WseBlock block;
    gsize memory_stride;
    uint32_t *kind_of; /* of each PE, row by row */
    GArray *kinds;     /* of WseKind */
    GPtrArray *phases; /* of char *, interned; [0] is "" */
    GArray *factors;   /* of WseFactor, by phase */
    bool has_ranges;   /* factors keep theirs, as there is one thread */
    guint *first_code; /* by program: index of its first instruction counter */
    guint code_count;
    WseAxis columns; /* PEs that do the same have one state, see folding.h */
    WseAxis rows;
    struct WseFolding *folding;   /* NULL: every PE has a state of its own */
    guint pe_count;               /* that have a state */
    char *blocks;                 /* of PEs, row by row */
    uint8_t *memory;              /* of all PEs, row by row; NULL without data */
    struct WseBacklogs *backlogs; /* NULL: operations are computed at once */
    struct WseDiary *diary; /* of folded PEs with memories, see diary.h; or NULL */
    WseBands bands;
    WseBands whole_bands; /* of the wafer when nothing is folded */
    WseWheel **wheels;    /* by strip */
    guint region_count;
    WseRegion *regions;
    SimEvent event; /* for the next cycle in which there is something to do */
    SimTime event_at;
    uint32_t horizon; /* where the engine looks at PEs: no CE goes ahead to there */
    GHashTable *host; /* of WseHostStream, by PE and slot; NULL until there is one */
    struct WsePrints *prints; /* print.c */
    const char *lane_kind;    /* name of its PEs in traces */
    struct WseRaces *races;   /* borrowed; NULL: nobody asked for them */
    SimTime start;
    guint ranks;    /* WseFitWanted */
    bool may_nap;   /* CEs, see naps.h */
    bool is_driven; /* PEs may wait for the host where a run ends */
    bool is_fresh;  /* PEs are at the start of their programs */
};

/* Takes `layout`, which must be finished. Fails if the host has no memory for it. */
WseFabric *wse_fabric_new(SimEngine *engine,
                          ArchWseLayout *layout,
                          const ArchWseOptions *options,
                          GError **error);
void wse_fabric_free(WseFabric *self);

void wse_fabric_start(WseFabric *self);

/* See arch_wse_launch(). */
bool wse_fabric_launch(WseFabric *self, const ArchWseLaunch *launch, GError **error);

/* Sets the factors of phases from the next start on; other phases get 1. */
void wse_fabric_set_stretches(WseFabric *self,
                              const ArchWseStretch *stretches,
                              guint count);

/* A phase's factor, with the range that the last run left of it if there is one thread;
 * NULL if the layout has no such phase. */
const WseFactor *wse_fabric_factor(const WseFabric *self, const char *phase);

/* Sets the variable's initial value from the next start on. Returns false if no PE has
 * it. */
bool wse_fabric_set_variable(WseFabric *self, const char *name, int32_t value);

/* The fabric of a wafer, for reports after a run. */
const WseFabric *wse_fabric_of(const ArchWse *self);

/* Brings the PE's state to where it would be if it were visited in every cycle, for who
 * looks at it between runs. */
void wse_fabric_show(const WseFabric *self, uint32_t pe);

/* The number of a PE, which is shown, and a region that knows it. */
WseRegion *wse_fabric_find(const WseFabric *self, guint x, guint y, uint32_t *pe);

/* See ArchFamily. */
uint64_t wse_progress(const WseFabric *self);

/* Adds a line for each of the first PEs, row by row, that are not at rest, and then the
 * number of the others. */
void wse_audit(const WseFabric *fabric, GPtrArray *lines);

/* Adds a line if wavelets were lost or made. */
void wse_check(const WseFabric *fabric, GPtrArray *lines);
