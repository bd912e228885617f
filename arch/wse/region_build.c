/* Creates the PEs of a region, and resets them to the start of their programs. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/wse/kind.h"
#include "arch/wse/print.h"
#include "arch/wse/region.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    HUGE_PAGE = 1 << 21,
    CACHE_BYTES = 1 << 22,
};

static bool is_border(const WseRegion *self, guint link)
{
    const ArchWseLayout *layout = self->fabric->layout;

    switch (link) {
    case ARCH_WSE_WEST:
        return self->x0 > 0;
    case ARCH_WSE_EAST:
        return self->x0 + self->width < layout->columns;
    case ARCH_WSE_NORTH:
        return self->y0 > 0;
    default:
        return self->y0 + self->height < layout->rows;
    }
}

static guint side(const WseRegion *self, guint link)
{
    return link == ARCH_WSE_WEST || link == ARCH_WSE_EAST ? self->height : self->width;
}

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

void wse_region_begin(WseRegion *self, WseFabric *fabric, guint index)
{
    guint phase_count = fabric->phases->len;

    self->fabric = fabric;
    self->index = index;
    self->sim = sim_engine_region(fabric->engine, index);
    self->pe_count = self->width * self->height;
    self->block_count = self->pe_count;
    self->steps[ARCH_WSE_WEST] = UINT32_MAX;
    self->steps[ARCH_WSE_EAST] = 1;
    self->steps[ARCH_WSE_NORTH] = -self->width;
    self->steps[ARCH_WSE_SOUTH] = self->width;
    for (guint i = 0; i < WSE_LINKS; i++) {
        self->shadows[i] = self->block_count;
        self->block_count += is_border(self, i) ? side(self, i) : 0;
    }
    self->blocks = blocks_new((gsize) self->block_count * fabric->block.bytes);
    self->is_large = (gsize) self->block_count * fabric->block.bytes > CACHE_BYTES;
    self->wheel = wse_wheel_new();
    self->executed = g_new0(uint64_t, fabric->code_count);
    self->moved = g_new0(WseMoved, fabric->code_count);
    self->spent = fabric->has_lines ? g_new0(WseSpent, fabric->code_count) : NULL;
    self->phase_cycles = g_new0(uint64_t, phase_count);
    self->phase_streams = g_new0(guint, phase_count);
    self->ends = g_array_new(FALSE, TRUE, sizeof(WseEnds));
    if (fabric->is_functional) {
        self->memory = g_malloc0((gsize) self->pe_count * fabric->memory_stride);
        self->payloads = wse_payloads_new(index);
    }
    for (guint i = 0; i < G_N_ELEMENTS(self->mail); i++) {
        self->mail[i] = g_new0(WseMail, fabric->region_count);
        for (guint j = 0; j < fabric->region_count; j++) {
            self->mail[i][j].to = &fabric->regions[j];
            self->mail[i][j].messages = g_array_new(FALSE, FALSE, sizeof(WseMessage));
        }
    }
}

void wse_region_end(WseRegion *self)
{
    wse_watch_free(self);
    for (guint i = 0; i < G_N_ELEMENTS(self->mail); i++) {
        for (guint j = 0; j < self->fabric->region_count; j++) {
            g_array_unref(self->mail[i][j].messages);
        }
        g_free(self->mail[i]);
    }
    wse_payloads_free(self->payloads);
    g_free(self->memory);
    g_array_unref(self->ends);
    wse_prints_free(self);
    g_clear_pointer(&self->host, g_hash_table_unref);
    g_free(self->phase_streams);
    g_free(self->phase_cycles);
    g_free(self->executed);
    g_free(self->moved);
    g_free(self->spent);
    wse_wheel_free(self->wheel);
    free(self->blocks);
}

static const WseKind *kind_at(const WseRegion *self, guint pe)
{
    return &g_array_index(self->fabric->kinds, WseKind, self->fabric->kind_of[pe]);
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

static void connect(WseRegion *self, guint x, guint y, WsePe *pe)
{
    const ArchWseLayout *layout = self->fabric->layout;
    const WseKind *kind = wse_region_kind(self, pe);
    WseColor *colors = wse_pe_colors(pe, &self->fabric->block);
    const bool exists[] = {
        [ARCH_WSE_WEST] = x > 0,
        [ARCH_WSE_EAST] = x + 1 < layout->columns,
        [ARCH_WSE_NORTH] = y > 0,
        [ARCH_WSE_SOUTH] = y + 1 < layout->rows,
    };
    const guint at = wse_layout_pe(layout, x, y);
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
}

/* Copies of the PEs beyond a border; only the rings that this side fills are used. What
 * stands for their iteration is the PE on this side. */
static void add_shadows(WseRegion *self, guint link)
{
    const ArchWseLayout *layout = self->fabric->layout;
    bool is_horizontal = link == ARCH_WSE_WEST || link == ARCH_WSE_EAST;
    /* The first PE along the side, and from a PE to the one beyond, modulo 2^32. */
    const uint32_t firsts[] = {
        [ARCH_WSE_WEST] = 0,
        [ARCH_WSE_EAST] = self->width - 1,
        [ARCH_WSE_NORTH] = 0,
        [ARCH_WSE_SOUTH] = (self->height - 1) * self->width,
    };
    const uint32_t steps[] = {
        [ARCH_WSE_WEST] = UINT32_MAX,
        [ARCH_WSE_EAST] = 1,
        [ARCH_WSE_NORTH] = -layout->columns,
        [ARCH_WSE_SOUTH] = layout->columns,
    };
    uint32_t first = firsts[link];
    uint32_t step = steps[link];

    for (guint i = 0; i < side(self, link); i++) {
        uint32_t own = is_horizontal ? first + i * self->width : first + i;
        guint beyond =
            wse_layout_pe(layout, wse_region_x(self, own), wse_region_y(self, own)) +
            step;
        guint kind = self->fabric->kind_of[beyond];
        WsePe *shadow = wse_region_pe(self, self->shadows[link] + i);

        wse_kind_begin(&g_array_index(self->fabric->kinds, WseKind, kind), kind,
                       &self->fabric->block, shadow);
        shadow->owner = own;
    }
}

void wse_region_load(WseRegion *self)
{
    if (self->memory == NULL) {
        return;
    }
    for (guint i = 0; i < self->pe_count; i++) {
        const ArchWseProgram *program =
            wse_region_kind(self, wse_region_pe(self, i))->program;

        if (program->image != NULL) {
            memcpy(wse_region_memory(self, i), program->image, program->memory_bytes);
        }
    }
}

static void forget_counts(WseRegion *self)
{
    guint phase_count = self->fabric->phases->len;

    self->link_wavelets = 0;
    self->afloat = 0;
    self->sent_away = 0;
    self->polls = 0;
    self->scalars = 0;
    for (guint i = 0; i < self->fabric->code_count; i++) {
        self->executed[i] = 0;
        self->moved[i] = (WseMoved){0};
        if (self->spent != NULL) {
            self->spent[i] = (WseSpent){0};
        }
    }
    for (guint i = 0; i < phase_count; i++) {
        self->phase_cycles[i] = 0;
        self->phase_streams[i] = 0;
    }
    g_array_set_size(self->ends, 0);
}

void wse_region_reset(WseRegion *self)
{
    const ArchWseLayout *layout = self->fabric->layout;

    forget_counts(self);
    wse_prints_reset(self);
    g_clear_pointer(&self->host, g_hash_table_unref);
    for (guint i = 0; i < self->pe_count; i++) {
        guint x = wse_region_x(self, i);
        guint y = wse_region_y(self, i);
        guint number = self->fabric->kind_of[wse_layout_pe(layout, x, y)];
        const WseKind *kind = &g_array_index(self->fabric->kinds, WseKind, number);
        WsePe *pe = wse_region_pe(self, i);

        wse_kind_begin(kind, number, &self->fabric->block, pe);
        pe->borders =
            sim_u8((x == self->x0 && x > 0) << ARCH_WSE_WEST |
                   (x + 1 == self->x0 + self->width && x + 1 < layout->columns)
                       << ARCH_WSE_EAST |
                   (y == self->y0 && y > 0) << ARCH_WSE_NORTH |
                   (y + 1 == self->y0 + self->height && y + 1 < layout->rows)
                       << ARCH_WSE_SOUTH);
        connect(self, x, y, pe);
    }
    for (guint i = 0; i < WSE_LINKS; i++) {
        if (is_border(self, i)) {
            add_shadows(self, i);
        }
    }
}
