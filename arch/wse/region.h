/* A part of the wafer that advances on its own: it visits its PEs when they have
 * something to do, and sends messages to its neighbours. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/counts.h"
#include "arch/wse/fabric.h"
#include "arch/wse/payload.h"
#include "arch/wse/wheel.h"
#include "sim/engine.h"

enum {
    WSE_REGION_ALIGNMENT = 128,
};

struct WseRegion {
    /* Regions share no cache line: threads update their own region all the time. */
    _Alignas(WSE_REGION_ALIGNMENT) WseFabric *fabric;
    SimRegion *sim;
    guint index;
    guint x0;
    guint y0;
    guint width;
    guint height;
    guint pe_count;
    uint32_t steps[WSE_LINKS]; /* from a PE to its neighbour, modulo 2^32 */
    guint shadows[WSE_LINKS];  /* blocks that mirror the PEs beyond its sides */
    guint block_count;
    bool is_large; /* its PEs do not fit into the host's cache */
    bool has_failed;
    char *blocks;
    WseWheel *wheel;
    SimEvent event; /* for the next cycle in which it has something to do */
    SimTime event_at;
    uint8_t *memory;
    WsePayloads *payloads;
    struct WseWatch *watch; /* NULL while nobody watches; see watch.h */
    WseMail *mail[2];       /* to every region; by parity of the cycle */
    uint64_t link_wavelets;
    WseLoss loss;      /* over the edge of the layout */
    uint64_t afloat;   /* wavelets in the rings of its PEs */
    int64_t sent_away; /* wavelets to other regions, less those from them */
    uint64_t polls;
    uint64_t scalars;   /* scalar operations executed */
    uint64_t *executed; /* elements, or cycles of a zone, by instruction */
    WseMoved *moved;    /* by instruction */
    WseSpent *spent;    /* by instruction; NULL if nobody asked */
    uint64_t *phase_cycles;
    guint *phase_streams;
    GHashTable *host; /* of WseHostStream, by PE and slot; NULL until there is one */
    GArray *ends;     /* of WseEnds, by iteration */
    struct WsePrints *prints; /* NULL until there is one: print.c */
};

/* Initialises a region whose place is set, except for the state of PEs. */
void wse_region_begin(WseRegion *self, WseFabric *fabric, guint index);
/* Resets PEs to the start of their programs, and all counters; memories stay. */
void wse_region_reset(WseRegion *self);
/* Loads the programs' initial memory. */
void wse_region_load(WseRegion *self);
void wse_region_end(WseRegion *self);

/* Schedules a visit to every PE in cycle 0. */
void wse_region_start(WseRegion *self);

/* Schedules a visit to a part of a PE in this cycle, while the engine does not run. */
void wse_region_call(WseRegion *self, uint32_t pe, uint32_t cycle, uint32_t due);

/* Tells the region beyond side `link` of `pe` that its PE there has a new token in
 * `ring`, or that its shadow of `pe` has space there. */
void wse_region_post(
    WseRegion *self, uint32_t pe, guint link, uint32_t now, WseMessage message);

/* Ends the run: "pe[3,4]: ..." */
void wse_region_fail(WseRegion *self, uint32_t pe, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static inline WsePe *wse_region_pe(const WseRegion *self, uint32_t pe)
{
    return (WsePe *) (self->blocks + (gsize) pe * self->fabric->block.bytes);
}
static inline const WseKind *wse_region_kind(const WseRegion *self, const WsePe *pe)
{
    return &((const WseKind *) (gconstpointer) self->fabric->kinds->data)[pe->kind];
}
static inline uint8_t *wse_region_memory(const WseRegion *self, uint32_t pe)
{
    return self->memory + (gsize) pe * self->fabric->memory_stride;
}
static inline guint wse_region_x(const WseRegion *self, uint32_t pe)
{
    return self->x0 + pe % self->width;
}
static inline guint wse_region_y(const WseRegion *self, uint32_t pe)
{
    return self->y0 + pe / self->width;
}

static inline WsePayloads *wse_region_payloads(const WseRegion *self, uint32_t number)
{
    return self->fabric->regions[wse_payload_owner(number)].payloads;
}

/* Schedules a visit to these parts of the PE at `when`, which is after `now`. If `when`
 * is far ahead there must be exactly one part. */
static inline void
wse_region_wake(WseRegion *self, uint32_t pe, uint32_t now, uint32_t when, uint32_t due)
{
    if (when - now < WSE_NEAR_CYCLES) {
        uint32_t *near = &wse_region_pe(self, pe)->due[when % WSE_NEAR_CYCLES];
        uint32_t before = *near;

        *near = before | due;
        if (before == 0) {
            wse_wheel_add(self->wheel, now, when, pe);
        }
        return;
    }
    wse_wheel_add(self->wheel, now, when, wse_wheel_entry(pe, due));
}

/* Visits the CE at `when`, unless it will be, or is busy then: its end is visited. */
static inline void
wse_region_wake_ce(WseRegion *self, uint32_t pe, uint32_t now, uint32_t when)
{
    WsePe *block = wse_region_pe(self, pe);

    if (block->issue_free < when && block->ce_wake != when) {
        block->ce_wake = when;
        wse_region_wake(self, pe, now, when, WSE_DUE_CE);
    }
}

/* The PE in this direction: of this region, or the shadow of another's. */
static inline uint32_t
wse_region_neighbour(const WseRegion *self, const WsePe *block, uint32_t pe, guint link)
{
    if (G_UNLIKELY(block->borders & (1u << link))) {
        bool is_horizontal = link == ARCH_WSE_WEST || link == ARCH_WSE_EAST;

        return self->shadows[link] +
               (is_horizontal ? pe / self->width : pe % self->width);
    }
    return pe + self->steps[link];
}
