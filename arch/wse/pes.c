/* Creates the PEs of a wafer, and resets them to the start of their programs. */
#include "arch/wse/pes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/wse/data/backlog.h"
#include "arch/wse/kind.h"
#include "arch/wse/router/color.h"
#include "arch/wse/wheel.h"
#include "sim/narrow.h"
#include "sim/pages.h"

enum {
    HUGE_PAGE = 1 << 21,
    SHORT_WHEEL = 1024, /* cycles: where there are many */
};

/* On large pages where the host has some: PEs are visited in no order, and a page
 * table for each would cost more than they do. */
static char *blocks_new(gsize bytes)
{
    gsize rounded = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *blocks = aligned_alloc(HUGE_PAGE, rounded);

    if (blocks == NULL) {
        g_error("no memory for PEs: %" G_GSIZE_FORMAT " bytes", rounded);
    }
    if (bytes >= HUGE_PAGE) {
        madvise(blocks, rounded, MADV_HUGEPAGE);
    }
    return blocks;
}

static guint whole_count(const WseFabric *fabric)
{
    return fabric->layout->columns * fabric->layout->rows;
}

static gsize memory_bytes(const WseFabric *fabric)
{
    return (gsize) whole_count(fabric) * fabric->memory_stride;
}

/* In small pages if it is in memory: programs may leave much of it alone. */
static uint8_t *memory_new(gsize bytes)
{
    uint8_t *memory =
        sim_pages_is_filed(bytes) ? sim_pages_new(bytes) : g_malloc0(bytes);

    if (memory == NULL && bytes > 0) {
        g_error("no room for PEs' memories: %" G_GSIZE_FORMAT " bytes", bytes);
    }
    return memory;
}

void wse_pes_new(WseFabric *fabric)
{
    const guint strips = fabric->bands.strip_count;

    fabric->blocks = blocks_new((gsize) fabric->pe_count * fabric->block.bytes);
    fabric->wheels = g_new(WseWheel *, strips);
    for (guint i = 0; i < strips; i++) {
        fabric->wheels[i] = wse_wheel_new(strips == 1 ? WSE_WHEEL_CYCLES : SHORT_WHEEL);
    }
}

void wse_pes_new_memory(WseFabric *fabric)
{
    fabric->memory = memory_new(memory_bytes(fabric));
    if (fabric->is_stream) {
        fabric->backlogs = wse_backlogs_new(whole_count(fabric), fabric->memory_stride);
    }
}

void wse_pes_free(WseFabric *fabric)
{
    for (guint i = 0; fabric->wheels != NULL && i < fabric->bands.strip_count; i++) {
        wse_wheel_free(fabric->wheels[i]);
    }
    g_free(fabric->wheels);
    if (sim_pages_is_filed(memory_bytes(fabric))) {
        sim_pages_free(fabric->memory, memory_bytes(fabric));
    } else {
        g_free(fabric->memory);
    }
    wse_backlogs_free(fabric->backlogs);
    free(fabric->blocks);
}

static WsePe *pe_at(const WseFabric *self, guint pe)
{
    return (WsePe *) (self->blocks + (gsize) pe * self->block.bytes);
}

static const WseKind *kind_at(const WseFabric *self, guint pe)
{
    return &g_array_index(self->kinds, WseKind, self->kind_of[pe]);
}

/* The slot of the neighbour's color that takes tokens of a color from there. */
static guint taker_of(const WseRouter *router, guint color, guint origin)
{
    for (guint swapped = 0; swapped < 2; swapped++) {
        const guint slot = router->slots[color ^ swapped];

        if (slot != WSE_NO_RING && (router->routes[slot].sources & (1u << origin)) &&
            wse_route_arrival(&router->routes[slot], origin) == color) {
            return slot;
        }
    }
    return WSE_NO_RING;
}

/* Where tokens of a color go that leave by a link: the neighbour's ring for them. */
static uint8_t ring_of(const WseKind *kind, guint color, guint origin)
{
    const guint slot = taker_of(kind->router, color, origin);
    guint ring = 0;

    if (slot == WSE_NO_RING) {
        return WSE_NO_RING;
    }
    for (guint i = 0; i <= slot; i++) {
        guint sources = kind->router->routes[i].sources;

        if (i == slot) {
            sources &= (1u << origin) - 1;
        }
        ring += (guint) __builtin_popcount(sources);
    }
    return sim_u8(ring);
}

static void connect(const WseFabric *self, guint x, guint y, WsePe *pe)
{
    const ArchWseLayout *layout = self->layout;
    const guint at = wse_layout_pe(layout, x, y);
    const WseKind *kind = kind_at(self, at);
    WseColor *colors = wse_pe_colors(pe, &self->block);
    const bool exists[] = {
        [ARCH_WSE_WEST] = x > 0,
        [ARCH_WSE_EAST] = x + 1 < layout->columns,
        [ARCH_WSE_NORTH] = y > 0,
        [ARCH_WSE_SOUTH] = y + 1 < layout->rows,
    };
    const guint neighbours[] = {
        [ARCH_WSE_WEST] = at - 1,
        [ARCH_WSE_EAST] = at + 1,
        [ARCH_WSE_NORTH] = at - layout->columns,
        [ARCH_WSE_SOUTH] = at + layout->columns,
    };

    for (guint link = 0; link < WSE_LINKS; link++) {
        if (!exists[link]) {
            continue;
        }
        const WseKind *next = kind_at(self, neighbours[link]);

        for (guint slot = 0; slot < kind->router->route_count; slot++) {
            colors[slot].next[link] =
                ring_of(next, kind->router->routes[slot].color, link ^ 1u);
        }
    }
    for (guint slot = 0; slot < kind->router->route_count; slot++) {
        wse_color_settle(&colors[slot], &kind->router->routes[slot], kind);
    }
}

void wse_pes_load(WseFabric *fabric)
{
    g_autofree WseBytes *filled = g_new0(WseBytes, fabric->kinds->len);

    for (guint i = 0; fabric->memory != NULL && i < fabric->kinds->len; i++) {
        const ArchWseProgram *program =
            g_array_index(fabric->kinds, WseKind, i).program;

        filled[i] = wse_bytes_filled(program->image, program->memory_bytes);
    }
    for (guint i = 0; fabric->memory != NULL && i < whole_count(fabric); i++) {
        const WseBytes part = filled[fabric->kind_of[i]];
        const uint8_t *from = kind_at(fabric, i)->program->image + part.low;

        if (fabric->backlogs != NULL) {
            (void) wse_givens_add(wse_backlogs_givens(fabric->backlogs), i, part, from);
        } else {
            memcpy(fabric->memory + i * fabric->memory_stride + part.low, from,
                   (gsize) (part.high - part.low));
        }
    }
}

void wse_pes_reset(WseFabric *fabric)
{
    const guint columns = wse_axis_kept(&fabric->columns);

    for (guint i = 0; i < fabric->pe_count; i++) {
        WsePe *pe = pe_at(fabric, i);
        const guint x = wse_axis_whole(&fabric->columns, i % columns);
        const guint y = wse_axis_whole(&fabric->rows, i / columns);
        const guint at = wse_layout_pe(fabric->layout, x, y);

        wse_kind_begin(kind_at(fabric, at), fabric->kind_of[at], &fabric->block, pe);
        pe->strip = sim_u16(wse_bands_strip(&fabric->bands, i / columns));
        connect(fabric, x, y, pe);
    }
}

void wse_pes_start(WseFabric *fabric)
{
    for (guint i = 0; i < fabric->pe_count; i++) {
        wse_wheel_add(fabric->wheels[pe_at(fabric, i)->strip], UINT32_MAX, 0,
                      wse_wheel_entry(i, WSE_DUE_CE));
    }
}
