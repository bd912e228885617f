/* Visits PEs when they have something to do. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/counts.h"
#include "arch/wse/data/payload.h"
#include "arch/wse/fabric.h"
#include "arch/wse/wheel.h"
#include "sim/engine.h"

enum {
    WSE_REGION_ALIGNMENT = 128,
};

/* What goes on with one band of the wafer, and what it counts while it visits PEs.
 * Bands that go on side by side have different regions and visit different strips. */
struct WseRegion {
    /* Regions share no cache line: threads update their own region all the time. */
    _Alignas(WSE_REGION_ALIGNMENT) WseFabric *fabric;
    SimRegion *sim;
    char *blocks; /* the fabric's, as the next three */
    gsize block_bytes;
    const WseKind *kinds;
    WseWheel **wheels;
    uint32_t steps[WSE_LINKS]; /* from a PE to its neighbour, modulo 2^32 */
    gssize strides[WSE_LINKS]; /* the same in bytes of blocks */
    guint width;               /* PEs of a row that have a state */
    guint router_lines;        /* of the host's cache that routers need of a PE, after
                                * the first */
    guint ce_lines;            /* that CEs need beside them */
    bool is_large;             /* its PEs do not fit into the host's cache */
    bool has_failed;           /* in this visit */
    bool has_naps;             /* CEs nap that have something to do, or did */
    uint32_t now;              /* cycle of the last visit */
    uint32_t left_out;         /* the last cycle of visits that were left out */
    uint32_t failed;           /* the PE whose failure this is */
    GError *failure;           /* in cycle `now`, or NULL */
    uint8_t *memory;           /* the fabric's */
    uint64_t *marks;           /* bit: PE that is to be visited in this cycle */
    uint32_t taken;            /* how many of them there are */
    uint32_t *order;           /* these, by number */
    WsePayloads *payloads;
    struct WseRanks *ranks; /* PEs in step, see rank/ranks.h; NULL: none can be */
    struct WseWatch *watch; /* the fabric's; NULL while nobody watches; see watch.h */
    uint64_t link_wavelets;
    WseLoss loss;       /* over the edge of the layout */
    uint64_t afloat;    /* wavelets put into rings less those taken out, modulo 2^64 */
    uint64_t polls;     /* visits of PEs */
    uint64_t scalars;   /* scalar operations executed */
    uint64_t *executed; /* elements, or cycles of a zone, by instruction */
    WseMoved *moved;    /* by instruction */
    WseSpent *spent;    /* by instruction; NULL if nobody asked */
    uint64_t *phase_cycles;
    guint *phase_streams;
    GArray *ends; /* of WseEnds, by iteration */
};

/* Initialises region `index` of a fabric whose PEs have their room. */
void wse_region_begin(WseRegion *self, WseFabric *fabric, guint index);
/* Finds the PEs of the fabric after they got another room. */
void wse_region_move(WseRegion *self);
/* Resets all counters. */
void wse_region_reset(WseRegion *self);
/* Adds the counters of the other as often as that, and resets those. */
void wse_region_absorb(WseRegion *self, WseRegion *other, guint times);
void wse_region_end(WseRegion *self);

/* Visits the PEs of a strip that have something to do in this cycle. */
void wse_region_visit(WseRegion *self, guint strip, uint32_t now);

/* Its parts, for who counts in several regions. Brings to the PEs of a strip what the
 * wheel alone knew to be due, and returns the wheel's bucket. */
const WseChunk *wse_region_gather(const WseRegion *self, guint strip, uint32_t now);
/* Takes these PEs from the wheel. */
void wse_region_take(WseRegion *self, guint strip, uint32_t now);
/* Visits number `index` of those taken; the counter counts. */
void wse_region_visit_taken(const WseRegion *self,
                            uint32_t index,
                            WseRegion *counter,
                            uint32_t now);

/* Schedules a visit to a part of a PE in this cycle, while the engine does not run. */
void wse_region_call(WseRegion *self, uint32_t pe, uint32_t cycle, uint32_t due);

/* Ends the run: "pe[3,4]: ..." */
void wse_region_fail(WseRegion *self, uint32_t pe, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static inline WsePe *wse_region_pe(const WseRegion *self, uint32_t pe)
{
    return (WsePe *) (gpointer) (self->blocks + (gsize) pe * self->block_bytes);
}
static inline const WseKind *wse_region_kind(const WseRegion *self, const WsePe *pe)
{
    return &self->kinds[pe->kind];
}
/* By number among all PEs. */
static inline uint8_t *wse_region_memory(const WseRegion *self, uint32_t pe)
{
    return self->memory + (gsize) pe * self->fabric->memory_stride;
}
/* Where it is in the layout; the first such place, if it stands for several PEs. */
static inline guint wse_region_x(const WseRegion *self, uint32_t pe)
{
    return wse_axis_whole(&self->fabric->columns, pe % self->width);
}
static inline guint wse_region_y(const WseRegion *self, uint32_t pe)
{
    return wse_axis_whole(&self->fabric->rows, pe / self->width);
}

static inline WsePayloads *wse_region_payloads(const WseRegion *self, uint32_t number)
{
    return self->fabric->regions[wse_payload_owner(number)].payloads;
}

/* The PE in this direction. */
static inline uint32_t
wse_region_neighbour(const WseRegion *self, uint32_t pe, guint link)
{
    return pe + self->steps[link];
}
