/* Visits the PEs of a region, and exchanges messages with other regions. */
#include "arch/wse/region.h"

#include <stdarg.h>

#include "arch/error.h"
#include "arch/wse/ce/ce.h"
#include "arch/wse/router/router.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    LINE = 64,
    AHEAD = 6, /* PEs whose state is asked for before it is visited */
    FAR_AHEAD = 24,
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
    return sim_u32(now - self->fabric->start);
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

static void visit(WseRegion *self, uint32_t pe, uint32_t now, uint32_t due)
{
    if (due & ~WSE_DUE_CE) {
        wse_router_poll(self, pe, now, due);
    }
    if (due & WSE_DUE_CE) {
        wse_ce_poll(self, pe, now);
    }
}

static void ask_for_head(const WseRegion *self, const WseChunk *chunk, uint32_t index)
{
    if (index < chunk->count) {
        __builtin_prefetch(
            wse_region_pe(self, chunk->entries[index] & WSE_WHEEL_NUMBER), 1);
    }
}

/* A PE that is to be visited soon, and its due parts. */
static bool entry_at(const WseRegion *self,
                     const WseChunk *chunk,
                     uint32_t index,
                     uint32_t now,
                     uint32_t *number,
                     uint32_t *due)
{
    if (index >= chunk->count) {
        return false;
    }
    *number = chunk->entries[index] & WSE_WHEEL_NUMBER;
    *due = wse_region_pe(self, *number)->due[now % WSE_NEAR_CYCLES];
    return *due != 0;
}

/* Asks the host's memory for what the visits after this one will read: first the PE,
 * then the places at its neighbours that its tokens may go to. */
static void
ask_ahead(const WseRegion *self, const WseChunk *chunk, uint32_t index, uint32_t now)
{
    uint32_t number = 0;
    uint32_t due = 0;

    ask_for_head(self, chunk, index + FAR_AHEAD);
    if (entry_at(self, chunk, index + 2 * AHEAD, now, &number, &due)) {
        const char *block = (const char *) wse_region_pe(self, number);
        const WseBlock *parts = &self->fabric->block;

        if (wse_is_watched(self)) {
            __builtin_prefetch(&self->watch->seen[number], 1);
        }
        for (gsize i = LINE; i < ((due & WSE_DUE_CE) ? parts->bytes : parts->threads);
             i += LINE) {
            __builtin_prefetch(block + i, 1);
        }
    }
    if (entry_at(self, chunk, index + AHEAD, now, &number, &due)) {
        wse_router_prefetch(self, number, due);
    }
}

/* Collects all due parts of a PE for this cycle before the visit, so that the outcome
 * does not depend on the order of requests. */
static void gather(const WseRegion *self, const WseChunk *chunk, uint32_t now)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint32_t entry = chunk->entries[i];

        if (self->is_large) {
            ask_for_head(self, chunk, i + FAR_AHEAD);
        }
        if (entry & WSE_WHEEL_BIT) {
            WsePe *pe = wse_region_pe(self, entry & WSE_WHEEL_NUMBER);

            pe->due[now % WSE_NEAR_CYCLES] |= wse_wheel_due(entry);
        }
    }
}

static void visit_all(WseRegion *self, const WseChunk *chunk, uint32_t now)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint32_t number = chunk->entries[i] & WSE_WHEEL_NUMBER;
        uint32_t *due = &wse_region_pe(self, number)->due[now % WSE_NEAR_CYCLES];
        uint32_t what = *due;

        if (self->is_large) {
            ask_ahead(self, chunk, i, now);
        }
        if (what != 0) {
            *due = 0;
            self->polls++;
            visit(self, number, now, what);
        }
    }
}

static void poll(SimRegion *sim, gpointer data)
{
    WseRegion *self = data;
    uint32_t now = cycle_of(self, sim_region_now(sim));
    WseChunk *chunk = wse_wheel_take(self->wheel, now);

    self->event = 0;
    for (const WseChunk *each = chunk; each != NULL; each = each->next) {
        gather(self, each, now);
    }
    while (chunk != NULL) {
        WseChunk *next = chunk->next;

        visit_all(self, chunk, now);
        wse_wheel_give(self->wheel, chunk);
        chunk = next;
    }
    if (self->has_failed) {
        return;
    }
    uint32_t ahead = wse_wheel_next(self->wheel, now);

    if (ahead != 0) {
        call_for(self, now + ahead);
    }
    if (now > LAST_CYCLE) {
        self->has_failed = true;
        sim_region_fail(sim, g_error_new(ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                                         "a launch on a wafer may last %d cycles",
                                         (int) LAST_CYCLE));
    }
}

/* Of a shadow: the color, by slot, of the PE on this side that fills the ring. */
static guint slot_before(const WseRegion *self, WsePe *shadow, const WseRing *ring)
{
    const WseBlock *parts = &self->fabric->block;
    const WseRoute *route = &wse_region_kind(self, shadow)->router->routes[ring->slot];
    const WseColor *color = &wse_pe_colors(shadow, parts)[ring->slot];
    guint origin = 0;

    while (origin < ARCH_WSE_RAMP &&
           &wse_pe_rings(shadow, parts)[color->rings[origin]] != ring) {
        origin++;
    }
    return wse_region_kind(self, wse_region_pe(self, shadow->owner))
        ->router->slots[wse_route_arrival(route, origin)];
}

static void take_note(WseRegion *self, const WseMessage *message, uint32_t now)
{
    const WseBlock *parts = &self->fabric->block;
    WsePe *pe = wse_region_pe(self, message->pe);
    WseRing *ring = &wse_pe_rings(pe, parts)[message->ring];
    WseToken *slots = wse_pe_slots(pe, parts);
    uint32_t when = MAX(message->token.head, now);

    if (message->kind == WSE_MESSAGE_TOKEN) {
        WseToken *slot = wse_ring_back(ring, slots);

        *slot = message->token;
        if (wse_is_watched(self)) {
            wse_watch_set_trail(self, message->pe, slot, message->trail);
        }
        ring->count++;
        self->afloat += slot->count;
        self->sent_away -= slot->count;
        pe->pending |= 1u << ring->slot;
        wse_region_wake(self, message->pe, now - 1, when, 1u << ring->slot);
        return;
    }
    wse_ring_pop(ring, slots, message->token.head);
    if (ring->is_waited_for) {
        ring->is_waited_for = false;
        wse_region_wake(self, pe->iteration, now - 1, when,
                        1u << slot_before(self, pe, ring));
    }
}

static void read_mail(SimRegion *sim, gpointer data)
{
    WseMail *mail = data;
    WseRegion *self = mail->to;
    uint32_t now = cycle_of(self, sim_region_now(sim));

    for (guint i = 0; i < mail->messages->len; i++) {
        take_note(self, &g_array_index(mail->messages, WseMessage, i), now);
    }
    g_array_set_size(mail->messages, 0);
    if (wse_wheel_has(self->wheel, now)) {
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

void wse_region_post(
    WseRegion *self, uint32_t pe, guint link, uint32_t now, WseMessage message)
{
    uint32_t other = 0;
    WseRegion *to = beyond(self, pe, link, &other);
    WseMail *mail = &self->mail[now % 2][to->index];

    message.pe = other;
    if (message.kind == WSE_MESSAGE_SPACE) {
        message.pe =
            wse_region_neighbour(to, wse_region_pe(to, other), other, link ^ 1u);
    }
    if (mail->messages->len == 0) {
        sim_region_post(self->sim, to->sim, self->fabric->start + now + 1,
                        key_of(to, MAIL_PORT), read_mail, mail);
    }
    g_array_append_val(mail->messages, message);
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

void wse_region_call(WseRegion *self, uint32_t pe, uint32_t cycle, uint32_t due)
{
    wse_region_wake(self, pe, cycle - 1, cycle, due);
    call_for(self, cycle);
}

void wse_region_start(WseRegion *self)
{
    for (guint i = 0; i < self->pe_count; i++) {
        wse_wheel_add(self->wheel, UINT32_MAX, 0, wse_wheel_entry(i, WSE_DUE_CE));
    }
    call_for(self, 0);
}
