/* Looking at the PEs of a region, and letters to others. */
#include "arch/wse/region.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arch/error.h"
#include "arch/wse/ce.h"
#include "arch/wse/kind.h"
#include "arch/wse/router.h"

enum {
    LINE = 64,
    AHEAD = 4, /* PEs whose state is asked for before it is looked at */
    CACHE_BYTES = 1 << 22,
    /* Order inside one cycle: what others wrote comes first. */
    MAIL_PORT = 0,
    POLL_PORT = 1,
    LAST_CYCLE = INT32_MAX - 2 * WSE_WHEEL_CYCLES,
};

static void poll(SimRegion *sim, gpointer data);

static SimKey key_of(const WseRegion *self, uint16_t port)
{
    return sim_key(self->index, port);
}

static uint32_t cycle_of(const WseRegion *self, SimTime now)
{
    return (uint32_t) (now - self->fabric->start);
}

/* The region has something to do in this cycle. */
static void call_for(WseRegion *self, uint32_t cycle)
{
    SimTime when = self->fabric->start + cycle;

    if (self->event != 0 && self->event_at <= when) {
        return;
    }
    if (self->event != 0) {
        sim_region_cancel(self->sim, self->event);
    }
    self->event_at = when;
    self->event = sim_region_at(self->sim, when, key_of(self, POLL_PORT), poll, self);
}

static void look_at(WseRegion *self, uint32_t pe, uint32_t now, uint32_t due)
{
    if (due & ~WSE_DUE_CE) {
        wse_router_poll(self, pe, now, due);
    }
    if (due & WSE_DUE_CE) {
        uint32_t again = wse_ce_poll(self, pe, now);

        if (again != WSE_NEVER) {
            wse_region_wake(self, pe, now, again, WSE_DUE_CE);
        }
    }
}

static void ask_for(const WseRegion *self, const WseBucket *bucket, uint32_t index)
{
    if (index < bucket->count) {
        uint32_t pe = bucket->pes[index] & ~WSE_WHEEL_ALL;
        const char *block = (const char *) wse_region_pe(self, pe);

        for (gsize i = 0; i < self->fabric->block.bytes; i += LINE) {
            __builtin_prefetch(block + i, 1);
        }
    }
}

/* What there is to look at of the PE of an entry, and was not yet in this cycle. */
static uint32_t due_now(WsePe *pe, uint32_t entry, uint32_t now)
{
    uint32_t *near = &pe->due[now % WSE_NEAR_CYCLES];
    uint32_t due = entry & WSE_WHEEL_ALL ? WSE_DUE_ALL : *near;

    *near = 0;
    if (pe->polled == now) {
        due &= ~pe->seen;
        pe->seen |= due;
    } else {
        pe->polled = now;
        pe->seen = due;
    }
    return due;
}

static void poll(SimRegion *sim, gpointer data)
{
    WseRegion *self = data;
    SimTime time = sim_region_now(sim);
    uint32_t now = cycle_of(self, time);
    WseBucket *bucket = wse_wheel_at(self->wheel, now);

    self->event = 0;
    for (uint32_t i = 0; i < bucket->count; i++) {
        uint32_t entry = bucket->pes[i];
        uint32_t number = entry & ~WSE_WHEEL_ALL;
        uint32_t due = due_now(wse_region_pe(self, number), entry, now);

        if (self->is_large) {
            ask_for(self, bucket, i + AHEAD);
        }
        if (due != 0) {
            self->polls++;
            look_at(self, number, now, due);
        }
    }
    wse_wheel_clear(self->wheel, now);
    if (self->has_failed) {
        return;
    }
    uint32_t ahead = wse_wheel_next(self->wheel, now);

    if (ahead != 0) {
        call_for(self, now + ahead);
    }
    if (now > LAST_CYCLE) {
        self->has_failed = true;
        sim_region_fail(sim, g_error_new(ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                                         "a launch on a wafer may last %d cycles",
                                         (int) LAST_CYCLE));
    }
}

static void take_note(WseRegion *self, const WseLetter *letter, uint32_t now)
{
    const WseBlock *parts = &self->fabric->block;
    WsePe *pe = wse_region_pe(self, letter->pe);
    WseRing *ring = &wse_pe_rings(pe, parts)[letter->ring];
    WseToken *slots = wse_pe_slots(pe, parts);
    uint32_t when = MAX(letter->token.head, now);

    if (letter->kind == WSE_LETTER_TOKEN) {
        *wse_ring_back(ring, slots) = letter->token;
        ring->count++;
        pe->pending |= 1u << ring->slot;
        wse_region_wake(self, letter->pe, now - 1, when, 1u << ring->slot);
        return;
    }
    wse_ring_pop(ring, slots, letter->token.head);
    if (ring->is_waited_for) {
        ring->is_waited_for = false;
        /* Of a shadow: who fills it is the PE on this side of the border. */
        wse_region_wake(self, pe->iteration, now - 1, when, WSE_DUE_ALL);
    }
}

static void read_mail(SimRegion *sim, gpointer data)
{
    WseMail *mail = data;
    WseRegion *self = mail->to;
    uint32_t now = cycle_of(self, sim_region_now(sim));

    for (guint i = 0; i < mail->letters->len; i++) {
        take_note(self, &g_array_index(mail->letters, WseLetter, i), now);
    }
    g_array_set_size(mail->letters, 0);
    if (wse_wheel_at(self->wheel, now)->count > 0) {
        call_for(self, now);
    } else {
        uint32_t ahead = wse_wheel_next(self->wheel, now);

        if (ahead != 0) {
            call_for(self, now + ahead);
        }
    }
}

/* The region on the other side of a border, and the number there of the PE with the
 * same coordinate along it. */
static WseRegion *
beyond(const WseRegion *self, uint32_t pe, guint link, uint32_t *other)
{
    guint x = wse_region_x(self, pe);
    guint y = wse_region_y(self, pe);

    x += link == ARCH_WSE_EAST ? 1 : 0;
    x -= link == ARCH_WSE_WEST ? 1 : 0;
    y += link == ARCH_WSE_SOUTH ? 1 : 0;
    y -= link == ARCH_WSE_NORTH ? 1 : 0;
    return wse_fabric_find(self->fabric, x, y, other);
}

void wse_region_post(WseRegion *self,
                     uint32_t pe,
                     guint link,
                     uint32_t now,
                     WseLetterKind kind,
                     uint8_t ring,
                     const WseToken *token)
{
    uint32_t other = 0;
    WseRegion *to = beyond(self, pe, link, &other);
    WseMail *mail = &self->mail[now % 2][to->index];
    WseLetter letter = {.pe = other, .ring = ring, .kind = kind, .token = *token};

    if (kind == WSE_LETTER_SPACE) {
        letter.pe =
            wse_region_neighbour(to, wse_region_pe(to, other), other, link ^ 1u);
    }
    if (mail->letters->len == 0) {
        sim_region_post(self->sim, to->sim, self->fabric->start + now + 1,
                        key_of(to, MAIL_PORT), read_mail, mail);
    }
    g_array_append_val(mail->letters, letter);
}

void wse_region_fail(WseRegion *self, uint32_t pe, const char *format, ...)
{
    if (self->has_failed) {
        return;
    }
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    self->has_failed = true;
    sim_region_fail(self->sim,
                    g_error_new(ARCH_ERROR, ARCH_ERROR_INVALID, "pe[%u,%u]: %s",
                                wse_region_x(self, pe), wse_region_y(self, pe), what));
}

/* --- making --------------------------------------------------------------------- */

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
    self->blocks = aligned_alloc(LINE, (gsize) self->block_count * fabric->block.bytes);
    if (self->blocks == NULL) {
        g_error("no memory for %u PEs", self->block_count);
    }
    self->is_large = (gsize) self->block_count * fabric->block.bytes > CACHE_BYTES;
    self->wheel = wse_wheel_new();
    self->executed = g_new0(uint64_t, fabric->code_count);
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
            self->mail[i][j].letters = g_array_new(FALSE, FALSE, sizeof(WseLetter));
        }
    }
}

void wse_region_end(WseRegion *self)
{
    for (guint i = 0; i < G_N_ELEMENTS(self->mail); i++) {
        for (guint j = 0; j < self->fabric->region_count; j++) {
            g_array_unref(self->mail[i][j].letters);
        }
        g_free(self->mail[i]);
    }
    wse_payloads_free(self->payloads);
    g_free(self->memory);
    g_array_unref(self->ends);
    g_free(self->phase_streams);
    g_free(self->phase_cycles);
    g_free(self->executed);
    wse_wheel_free(self->wheel);
    free(self->blocks);
}

static const WseKind *kind_at(const WseRegion *self, const uint16_t *kind_of, guint pe)
{
    return &g_array_index(self->fabric->kinds, WseKind, kind_of[pe]);
}

/* Where tokens of a color go that leave by a link: the neighbour's ring for them. */
static uint8_t ring_of(const WseKind *kind, guint color, guint origin)
{
    guint slot = kind->router->slots[color];
    guint ring = 0;

    if (slot == WSE_NO_RING || !(kind->router->routes[slot].sources & (1u << origin))) {
        return WSE_NO_RING;
    }
    for (guint i = 0; i <= slot; i++) {
        guint sources = kind->router->routes[i].sources;

        if (i == slot) {
            sources &= (1u << origin) - 1;
        }
        ring += (guint) __builtin_popcount(sources);
    }
    return (uint8_t) ring;
}

static void
connect(WseRegion *self, const uint16_t *kind_of, guint x, guint y, WsePe *pe)
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
        const WseKind *next = kind_at(self, kind_of, neighbours[link]);

        for (guint slot = 0; slot < kind->router->route_count; slot++) {
            colors[slot].next[link] =
                ring_of(next, kind->router->routes[slot].color, link ^ 1u);
        }
    }
}

/* Copies of the PEs beyond a border; only the rings that this side fills are used. What
 * stands for their iteration is the PE on this side. */
static void add_shadows(WseRegion *self, const uint16_t *kind_of, guint link)
{
    const ArchWseLayout *layout = self->fabric->layout;
    bool is_horizontal = link == ARCH_WSE_WEST || link == ARCH_WSE_EAST;

    for (guint i = 0; i < side(self, link); i++) {
        guint along = is_horizontal ? self->y0 + i : self->x0 + i;
        guint x = link == ARCH_WSE_WEST   ? self->x0 - 1
                  : link == ARCH_WSE_EAST ? self->x0 + self->width
                                          : along;
        guint y = link == ARCH_WSE_NORTH   ? self->y0 - 1
                  : link == ARCH_WSE_SOUTH ? self->y0 + self->height
                                           : along;
        guint kind = kind_of[wse_layout_pe(layout, x, y)];
        WsePe *shadow = wse_region_pe(self, self->shadows[link] + i);
        guint own_x = is_horizontal ? (link == ARCH_WSE_WEST ? 0 : self->width - 1) : i;
        guint own_y =
            is_horizontal ? i : (link == ARCH_WSE_NORTH ? 0 : self->height - 1);

        wse_kind_begin(&g_array_index(self->fabric->kinds, WseKind, kind), kind,
                       &self->fabric->block, shadow);
        shadow->iteration = own_y * self->width + own_x;
    }
}

void wse_region_fill(WseRegion *self, const uint16_t *kind_of)
{
    const ArchWseLayout *layout = self->fabric->layout;

    for (guint i = 0; i < self->pe_count; i++) {
        guint x = wse_region_x(self, i);
        guint y = wse_region_y(self, i);
        guint number = kind_of[wse_layout_pe(layout, x, y)];
        const WseKind *kind = &g_array_index(self->fabric->kinds, WseKind, number);
        WsePe *pe = wse_region_pe(self, i);

        wse_kind_begin(kind, number, &self->fabric->block, pe);
        pe->borders =
            (uint8_t) ((x == self->x0 && x > 0) << ARCH_WSE_WEST |
                       (x + 1 == self->x0 + self->width && x + 1 < layout->columns)
                           << ARCH_WSE_EAST |
                       (y == self->y0 && y > 0) << ARCH_WSE_NORTH |
                       (y + 1 == self->y0 + self->height && y + 1 < layout->rows)
                           << ARCH_WSE_SOUTH);
        connect(self, kind_of, x, y, pe);
        if (self->memory != NULL && kind->program->image != NULL) {
            memcpy(wse_region_memory(self, i), kind->program->image,
                   kind->program->memory_bytes);
        }
    }
    for (guint i = 0; i < WSE_LINKS; i++) {
        if (is_border(self, i)) {
            add_shadows(self, kind_of, i);
        }
    }
}

void wse_region_start(WseRegion *self)
{
    for (guint i = 0; i < self->pe_count; i++) {
        wse_wheel_add(self->wheel, UINT32_MAX, 0, i | WSE_WHEEL_ALL);
    }
    call_for(self, 0);
}
