/* The wafer while it runs: PEs in regions, and what they share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse.h"
#include "arch/wse/numbers.h"
#include "arch/wse/payload.h"
#include "arch/wse/pe.h"
#include "arch/wse/wheel.h"
#include "sim/engine.h"

typedef struct WseFabric WseFabric;
typedef struct WseRegion WseRegion;

/* What one region tells another, to be taken note of in the next cycle. */
typedef enum {
    WSE_LETTER_TOKEN, /* a token has been put into `ring` */
    WSE_LETTER_SPACE, /* one has left it; token.head says from when on there is space */
} WseLetterKind;

typedef struct {
    uint32_t pe; /* of the receiving region */
    uint8_t ring;
    uint8_t kind;
    WseToken token;
} WseLetter;

typedef struct {
    WseRegion *to;
    GArray *letters; /* of WseLetter */
} WseMail;

typedef struct {
    uint64_t count;
    uint64_t sum;
    uint32_t last;
} WseEnds;

struct WseRegion {
    WseFabric *fabric;
    SimRegion *sim;
    guint index;
    guint x0;
    guint y0;
    guint width;
    guint height;
    guint pe_count;
    guint shadows[WSE_LINKS]; /* blocks beyond its sides, of PEs of other regions */
    guint block_count;
    char *blocks;
    bool is_large; /* its PEs do not fit into the host's cache */
    WseWheel *wheel;
    SimEvent event; /* for the next cycle in which it has something to do */
    SimTime event_at;
    bool has_failed;
    uint8_t *memory;
    WsePayloads *payloads;
    WseMail *mail[2]; /* to every region; by parity of the cycle */
    uint64_t link_wavelets;
    uint64_t polls;
    uint64_t *executed; /* elements, by instruction of all programs */
    uint64_t *phase_cycles;
    guint *phase_streams;
    GArray *ends; /* of WseEnds, by iteration */
};

struct WseFabric {
    const ArchParams *params;
    SimEngine *engine;
    WseNumbers numbers;
    ArchWseLayout *layout;
    bool is_functional;
    bool is_stream;
    WseBlock block;
    gsize memory_stride;
    GArray *kinds;     /* of WseKind */
    GPtrArray *phases; /* of char *, interned; [0] is "" */
    GArray *factors;   /* of uint32_t, by phase */
    guint *first_code; /* by program: where its instructions are counted */
    guint code_count;
    guint region_columns;
    guint region_rows;
    guint region_count;
    WseRegion *regions;
    SimTime start;
};

/* Takes `layout`, which is finished. */
WseFabric *
wse_fabric_new(SimEngine *engine, ArchWseLayout *layout, const ArchWseOptions *options);
void wse_fabric_free(WseFabric *self);

void wse_fabric_start(WseFabric *self);

/* What runs on the wafer, for those who ask what became of it. */
const WseFabric *wse_fabric_of(const ArchWse *self);

/* The PE's region and its number there. */
WseRegion *wse_fabric_find(const WseFabric *self, guint x, guint y, uint32_t *pe);

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

/* Looks at this part of the PE at `when`, which is after `now`. Where that is far, all
 * of it is looked at. */
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
    wse_wheel_add(self->wheel, now, when, pe | WSE_WHEEL_ALL);
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
    switch (link) {
    case ARCH_WSE_WEST:
        return pe - 1;
    case ARCH_WSE_EAST:
        return pe + 1;
    case ARCH_WSE_NORTH:
        return pe - self->width;
    default:
        return pe + self->width;
    }
}

/* To the region beyond the side `link` of `pe`: its PE there has a new token in `ring`,
 * or the shadow of `pe` that it keeps has space there. */
void wse_region_post(WseRegion *self,
                     uint32_t pe,
                     guint link,
                     uint32_t now,
                     WseLetterKind kind,
                     uint8_t ring,
                     const WseToken *token);

/* Ends the run: "pe[3,4]: ..." */
void wse_region_fail(WseRegion *self, uint32_t pe, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
