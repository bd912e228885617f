#include "arch/wse/router.h"

/* One look at one router. */
typedef struct {
    WseRegion *region;
    const WseFabric *fabric;
    WsePe *pe;
    const WseKind *kind;
    WseColor *colors;
    WseRing *rings;
    WseToken *slots;
    uint32_t number;
    uint32_t now;
    uint32_t again; /* when the color or queue looked at can go that cannot now */
    uint8_t taken;  /* outputs that got a token in this look */
    uint8_t winner; /* slot of the color that got the ramp; 0xff */
    uint8_t loser;  /* that would have gone, had others not taken its outputs */
} Look;

static bool is_free(Look *self, uint32_t when)
{
    if (when <= self->now) {
        return true;
    }
    self->again = MIN(self->again, when);
    return false;
}

/* The ring has a slot for one more token now. */
static bool has_space(Look *self, WseRing *ring, WseToken *slots)
{
    if (ring->count == ring->depth) {
        ring->is_waited_for = true;
        return false;
    }
    return is_free(self, wse_ring_back(ring, slots)->head);
}

static WsePe *neighbour(const Look *self, guint link, uint32_t *number)
{
    *number = wse_region_neighbour(self->region, self->pe, self->number, link);
    return wse_region_pe(self->region, *number);
}

/* There is space where the output leads. */
static bool has_room(Look *self, const WseColor *color, guint output)
{
    if (output == ARCH_WSE_RAMP) {
        return has_space(self, &self->rings[self->kind->input_rings[color->queue]],
                         self->slots);
    }
    uint32_t number = 0;
    WsePe *next = neighbour(self, output, &number);

    return has_space(self,
                     &wse_pe_rings(next, &self->fabric->block)[color->next[output]],
                     wse_pe_slots(next, &self->fabric->block));
}

/* No other token is on it. */
static bool is_open(Look *self, guint output)
{
    return is_free(self, output == ARCH_WSE_RAMP ? self->pe->ramp_in_free
                                                 : self->pe->link_free[output]);
}

static void put(WseRing *ring, WseToken *slots, WseToken token)
{
    *wse_ring_back(ring, slots) = token;
    ring->count++;
}

static void deliver(Look *self, const WseColor *color, WseToken token)
{
    const WseNumbers *numbers = &self->fabric->numbers;

    token.head = self->now + numbers->ramp_in;
    put(&self->rings[self->kind->input_rings[color->queue]], self->slots, token);
    self->pe->inputs |= (uint8_t) (1u << color->queue);
    self->pe->ramp_in_free = self->now + token.count * numbers->ramp_interval;
    wse_region_wake(self->region, self->number, self->now, token.head, WSE_DUE_CE);
}

static void forward(Look *self, const WseColor *color, guint link, WseToken token)
{
    const WseNumbers *numbers = &self->fabric->numbers;
    uint32_t number = 0;
    WsePe *next = neighbour(self, link, &number);
    uint8_t at = color->next[link];
    WseRing *ring = &wse_pe_rings(next, &self->fabric->block)[at];

    token.head = self->now + numbers->hop;
    put(ring, wse_pe_slots(next, &self->fabric->block), token);
    self->pe->link_free[link] = self->now + token.count * numbers->link_interval;
    self->region->link_wavelets += token.count;
    if (G_UNLIKELY(self->pe->borders & (1u << link))) {
        wse_region_post(self->region, self->number, link, self->now, WSE_LETTER_TOKEN,
                        at, &token);
    } else {
        next->pending |= 1u << ring->slot;
        wse_region_wake(self->region, number, self->now, token.head, 1u << ring->slot);
    }
}

/* Tells who fills the ring of tokens from `origin` that there is space. */
static void
make_space(Look *self, guint slot, guint origin, WseRing *ring, uint32_t when)
{
    bool was_waited_for = ring->is_waited_for;

    wse_ring_pop(ring, self->slots, when);
    ring->is_waited_for = false;
    if (origin == ARCH_WSE_RAMP) {
        if (was_waited_for) {
            wse_region_wake(self->region, self->number, self->now, when,
                            WSE_DUE_OUTPUTS);
        }
    } else if (G_UNLIKELY(self->pe->borders & (1u << origin))) {
        WseToken token = {.head = when};

        wse_region_post(self->region, self->number, origin, self->now, WSE_LETTER_SPACE,
                        (uint8_t) (ring - self->rings), &token);
    } else if (was_waited_for) {
        uint32_t before =
            wse_region_neighbour(self->region, self->pe, self->number, origin);

        const WseKind *kind =
            wse_region_kind(self->region, wse_region_pe(self->region, before));
        guint color = self->kind->router->routes[slot].color;

        wse_region_wake(self->region, before, self->now, when,
                        1u << kind->router->slots[color]);
    }
}

void wse_router_advance(const WseRoute *route, WseColor *color)
{
    if (color->position + 1 < route->position_count) {
        color->position++;
    } else if (route->is_ring) {
        color->position = 0;
    }
}

/* What a control wavelet does to the switch of the color it goes through. */
static void obey(Look *self, const WseRoute *route, WseColor *color, uint32_t payload)
{
    switch (wse_control_at(payload, 0).command) {
    case ARCH_WSE_NOP:
        break;
    case ARCH_WSE_SWITCH_ADV:
        wse_router_advance(route, color);
        break;
    case ARCH_WSE_SWITCH_RST:
        color->position = 0;
        break;
    case ARCH_WSE_TEARDOWN:
        color->is_torn_down = true;
        self->pe->activated |= UINT64_C(1) << WSE_TEARDOWN_TASK;
        wse_region_wake(self->region, self->number, self->now, self->now + 1,
                        WSE_DUE_CE);
        break;
    }
}

static uint32_t popped(const WseRoute *route, uint32_t payload)
{
    ArchWseCommand command = wse_control_at(payload, 0).command;
    bool is_popped = false;

    switch ((ArchWsePopMode) route->pop_mode) {
    case ARCH_WSE_NO_POP:
        break;
    case ARCH_WSE_ALWAYS_POP:
        is_popped = true;
        break;
    case ARCH_WSE_POP_ON_ADVANCE:
        is_popped = command == ARCH_WSE_SWITCH_ADV;
        break;
    case ARCH_WSE_POP_ON_ADVANCE_NOP:
        is_popped = command == ARCH_WSE_SWITCH_ADV || command == ARCH_WSE_NOP;
        break;
    }
    return is_popped ? wse_control_pop(payload) : payload;
}

/* The CE gets the token, as far as the filter of the color is concerned. */
static bool passes(const ArchWseFilter *filter, uint16_t counter, const WseToken *token)
{
    bool is_control = (token->flags & WSE_TOKEN_CONTROL) != 0;

    if (is_control && !filter->is_control_filtered) {
        return true;
    }
    switch (filter->kind) {
    case ARCH_WSE_FILTER_NONE:
        return true;
    case ARCH_WSE_FILTER_COUNTER:
        return counter <= filter->limit1;
    case ARCH_WSE_FILTER_SPARSE:
        return counter >= filter->limit1 && counter <= filter->limit2;
    case ARCH_WSE_FILTER_RANGE:
        return token->data >> 16 >= filter->limit1 &&
               token->data >> 16 <= filter->limit2;
    }
    return true;
}

static void count(const ArchWseFilter *filter, WseColor *color, const WseToken *token)
{
    bool is_control = (token->flags & WSE_TOKEN_CONTROL) != 0;

    if (is_control ? filter->is_control_counted : filter->is_data_counted) {
        color->counter =
            (uint16_t) (color->counter >= filter->maximum ? 0 : color->counter + 1);
    }
}

/* Outputs for the token in front. */
static uint8_t
targets(const WseRoute *route, const WseColor *color, const WseToken *token)
{
    uint8_t tx =
        color->position == 0 && color->tx != 0 ? color->tx : route->tx[color->position];
    uint8_t ramp = 1u << ARCH_WSE_RAMP;

    if (!(tx & ramp)) {
        return tx;
    }
    if (token->flags & WSE_TOKEN_CONTROL &&
        wse_control_at(token->data, 0).is_ce_filtered) {
        return tx & (uint8_t) ~ramp;
    }
    if (route->filter.kind != ARCH_WSE_FILTER_NONE &&
        !passes(&route->filter, color->counter, token)) {
        return tx & (uint8_t) ~ramp;
    }
    return tx;
}

static void
send(Look *self, const WseColor *color, uint8_t outputs, const WseToken *token)
{
    WseToken copy = *token;
    uint32_t last = MAX(token->head + token->span, self->now + token->count - 1);

    copy.span = last - self->now;
    copy.flags &= (uint16_t) ~WSE_TOKEN_ADVANCE;
    if (G_UNLIKELY(copy.flags & WSE_TOKEN_PAYLOAD)) {
        wse_payloads_hold(wse_region_payloads(self->region, copy.data), copy.data,
                          (guint) __builtin_popcount(outputs));
    }
    for (guint left = outputs; left != 0; left &= left - 1) {
        guint output = (guint) __builtin_ctz(left);

        if (output == ARCH_WSE_RAMP) {
            deliver(self, color, copy);
        } else {
            forward(self, color, output, copy);
        }
    }
    self->taken |= outputs;
}

/* Which of these outputs can take the token in front now. */
static uint8_t able_outputs(Look *self, guint slot, uint8_t outputs)
{
    uint8_t able = 0;
    bool is_roomy = true;

    for (guint left = outputs; left != 0 && is_roomy; left &= left - 1) {
        guint output = (guint) __builtin_ctz(left);

        if (has_room(self, &self->colors[slot], output)) {
            able |= (uint8_t) (1u << output);
        } else {
            is_roomy = !self->fabric->numbers.is_multicast_atomic;
        }
    }
    if (!is_roomy) {
        return 0;
    }
    for (guint left = able; left != 0; left &= left - 1) {
        guint output = (guint) __builtin_ctz(left);

        if (!is_open(self, output)) {
            able &= (uint8_t) ~(1u << output);
            if (self->taken & (1u << output) && self->loser == WSE_NO_RING) {
                self->loser = (uint8_t) slot;
            }
        }
    }
    return able;
}

/* The token in front of the ring goes wherever it has to, or waits. */
static void
route_token(Look *self, guint slot, guint origin, WseRing *ring, WseToken *token)
{
    const WseRoute *route = &self->kind->router->routes[slot];
    WseColor *color = &self->colors[slot];
    uint8_t outputs = targets(route, color, token) & (uint8_t) ~color->sent;
    uint8_t able = able_outputs(self, slot, outputs);

    if (able != outputs && (able == 0 || self->fabric->numbers.is_multicast_atomic)) {
        return;
    }
    WseToken copy = *token;
    bool is_control = (copy.flags & WSE_TOKEN_CONTROL) != 0;

    if (is_control) {
        copy.data = popped(route, copy.data);
    }
    if (able != 0) {
        send(self, color, able, &copy);
    }
    if (able & (1u << ARCH_WSE_RAMP)) {
        self->winner = (uint8_t) slot;
    }
    if (able != outputs) {
        color->sent |= able;
        return;
    }
    uint32_t last = MAX(token->head + token->span, self->now + token->count - 1);
    uint32_t payload = token->data;
    uint16_t flags = token->flags;

    color->sent = 0;
    if (route->filter.kind != ARCH_WSE_FILTER_NONE) {
        count(&route->filter, color, token);
    }
    if (flags & WSE_TOKEN_PAYLOAD) {
        wse_payloads_drop(wse_region_payloads(self->region, payload), payload);
    }
    make_space(self, slot, origin, ring, last + self->fabric->numbers.link_credit);
    if (is_control) {
        obey(self, route, color, payload);
    }
    if (flags & WSE_TOKEN_ADVANCE) {
        wse_router_advance(route, color);
    }
    if (is_control || flags & WSE_TOKEN_ADVANCE) {
        self->again = MIN(self->again, self->now + 1);
    } else if (ring->count > 0) {
        uint32_t head = wse_ring_front(ring, self->slots)->head;

        self->again = MIN(self->again, MAX(head, self->now + 1));
    }
}

/* Several origins at once: they may not collide. */
static guint choose_origin(Look *self, guint slot, uint8_t rx)
{
    guint chosen = ARCH_WSE_DIRECTIONS;
    uint32_t oldest = WSE_NEVER;

    for (guint left = rx; left != 0; left &= left - 1) {
        guint origin = (guint) __builtin_ctz(left);
        uint8_t at = self->colors[slot].rings[origin];

        if (at == WSE_NO_RING || self->rings[at].count == 0) {
            continue;
        }
        uint32_t head = wse_ring_front(&self->rings[at], self->slots)->head;

        if (head == oldest && head == self->now) {
            wse_region_fail(self->region, self->number,
                            "two wavelets of color %u arrived in cycle %u, from %s and "
                            "from %s, and the router takes both",
                            self->kind->router->routes[slot].color, self->now,
                            arch_wse_direction_name((ArchWseDirection) chosen),
                            arch_wse_direction_name((ArchWseDirection) origin));
        }
        if (head < oldest) {
            oldest = head;
            chosen = origin;
        }
    }
    return chosen;
}

static void forget_if_empty(Look *self, guint slot)
{
    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        uint8_t at = self->colors[slot].rings[i];

        if (at != WSE_NO_RING && self->rings[at].count > 0) {
            return;
        }
    }
    self->pe->pending &= ~(1u << slot);
}

static void poll_color(Look *self, guint slot)
{
    WseColor *color = &self->colors[slot];
    const WseRoute *route = &self->kind->router->routes[slot];
    uint8_t rx =
        color->position == 0 && color->rx != 0 ? color->rx : route->rx[color->position];
    guint origin = (guint) __builtin_ctz(rx);

    if (color->is_torn_down) {
        return;
    }
    if (G_UNLIKELY((rx & (rx - 1)) != 0)) {
        origin = choose_origin(self, slot, rx);
        if (origin == ARCH_WSE_DIRECTIONS) {
            forget_if_empty(self, slot);
            return;
        }
    }
    WseRing *ring = &self->rings[color->rings[origin]];

    if (ring->count == 0) {
        forget_if_empty(self, slot);
        return;
    }
    WseToken *token = wse_ring_front(ring, self->slots);

    if (is_free(self, token->head)) {
        route_token(self, slot, origin, ring, token);
    }
}

/* The color after the one that got the ramp is asked first in the next cycle; where
 * none did, one that lost a link to another. */
static void poll_colors(Look *self, uint32_t due)
{
    uint32_t above = UINT32_MAX << self->pe->first_color;
    uint32_t parts[] = {due & above, due & ~above};

    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        for (uint32_t left = parts[i]; left != 0; left &= left - 1) {
            guint slot = (guint) __builtin_ctz(left);

            self->again = WSE_NEVER;
            poll_color(self, slot);
            if (self->again != WSE_NEVER) {
                wse_region_wake(self->region, self->number, self->now, self->again,
                                1u << slot);
            }
        }
    }
    if (self->fabric->numbers.is_lowest_color_first) {
        return;
    }
    if (self->winner != WSE_NO_RING) {
        guint next = self->winner + 1u;

        self->pe->first_color =
            (uint8_t) (next == self->kind->router->route_count ? 0 : next);
    } else if (self->loser != WSE_NO_RING) {
        self->pe->first_color = self->loser;
    }
}

/* From an output queue into the router. */
static bool inject(Look *self, guint queue)
{
    const WseNumbers *numbers = &self->fabric->numbers;
    WseRing *from = &self->rings[self->kind->output_rings[queue]];
    WseToken *token = wse_ring_front(from, self->slots);

    if (!is_free(self, token->head)) {
        return false;
    }
    guint slot = token->flags >> WSE_TOKEN_SLOT;
    WseRing *to = &self->rings[self->colors[slot].rings[ARCH_WSE_RAMP]];

    if (!has_space(self, to, self->slots)) {
        return false;
    }
    WseToken copy = *token;
    uint32_t last = MAX(token->head + token->span, self->now + token->count - 1);

    copy.flags &= (1u << WSE_TOKEN_SLOT) - 1;
    copy.head = self->now + numbers->ramp_out;
    copy.span = last - self->now;
    put(to, self->slots, copy);
    self->pe->pending |= 1u << slot;
    self->pe->ramp_out_free = self->now + copy.count * numbers->ramp_interval;
    wse_ring_pop(from, self->slots, last + 1);
    if (from->count == 0) {
        self->pe->outputs &= (uint8_t) ~(1u << queue);
    }
    wse_region_wake(self->region, self->number, self->now, copy.head, 1u << slot);
    wse_region_wake(self->region, self->number, self->now, last + 1, WSE_DUE_CE);
    return true;
}

static void try_outputs(Look *self)
{
    uint32_t above = UINT32_MAX << self->pe->first_queue;
    uint32_t parts[] = {self->pe->outputs & above, self->pe->outputs & ~above};

    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        for (uint32_t left = parts[i]; left != 0; left &= left - 1) {
            guint queue = (guint) __builtin_ctz(left);

            if (inject(self, queue)) {
                self->pe->first_queue = (uint8_t) ((queue + 1) % WSE_OUTPUT_QUEUES);
                if (self->pe->outputs != 0) {
                    self->again = MIN(self->again, self->pe->ramp_out_free);
                }
                return;
            }
        }
    }
}

static void poll_outputs(Look *self)
{
    self->again = WSE_NEVER;
    if (is_free(self, self->pe->ramp_out_free)) {
        try_outputs(self);
    }
    if (self->again != WSE_NEVER) {
        wse_region_wake(self->region, self->number, self->now, self->again,
                        WSE_DUE_OUTPUTS);
    }
}

void wse_router_poll(WseRegion *region, uint32_t pe, uint32_t now, uint32_t due)
{
    WsePe *block = wse_region_pe(region, pe);
    uint32_t colors = due & block->pending;
    bool has_outputs = (due & WSE_DUE_OUTPUTS) != 0 && block->outputs != 0;

    if (colors == 0 && !has_outputs) {
        return;
    }
    const WseBlock *parts = &region->fabric->block;
    Look look = {
        .region = region,
        .fabric = region->fabric,
        .pe = block,
        .kind = wse_region_kind(region, block),
        .colors = wse_pe_colors(block, parts),
        .rings = wse_pe_rings(block, parts),
        .slots = wse_pe_slots(block, parts),
        .number = pe,
        .now = now,
        .loser = WSE_NO_RING,
        .winner = WSE_NO_RING,
    };

    if (colors != 0) {
        poll_colors(&look, colors);
    }
    if (has_outputs) {
        poll_outputs(&look);
    }
}
