/* Makes the classes of PEs from the layout. */
#include "arch/wse/kind.h"

#include <string.h>

#include "arch/wse/cover.h"
#include "arch/wse/program/live.h"
#include "sim/narrow.h"

enum {
    LINE = 64, /* bytes of a line of the host's cache */
};

static uint8_t add_ring(WseKind *self, guint depth, guint slot, bool is_single)
{
    const guint first = self->slot_count;
    const guint count = is_single ? depth : 1; /* at most 2048 by the keys */

    self->slot_count += count;
    if (self->slot_count <= WSE_MOST_SLOTS) { /* else nobody uses the kind */
        self->rings[self->ring_count] = (WseRing){
            .front = sim_u16(first),
            .back = sim_u16(first),
            .end = sim_u16(self->slot_count),
            .depth = sim_u16(count),
            .slot = sim_u8(slot),
        };
    }
    return sim_u8(self->ring_count++);
}

static bool has_bit(uint32_t set, guint bit)
{
    return (set >> bit & 1) != 0;
}

/* The queues all of whose streams are on these colors. */
static void set_single_queues(WseKind *self, uint32_t single)
{
    self->single_inputs = UINT8_MAX;
    self->single_outputs = UINT8_MAX;
    for (guint i = 0; i < WSE_COLORS; i++) {
        const uint8_t queue = self->program->color_inputs[i];

        if (queue != WSE_NO_RING && !has_bit(single, i)) {
            self->single_inputs &= sim_u8(UINT8_MAX & ~(1u << queue));
        }
    }
    for (guint i = 0; i < self->program->dsds->len; i++) {
        const WseDsd *dsd = &self->dsds[i];

        if (dsd->color >= WSE_COLORS || has_bit(single, dsd->color)) {
            continue;
        }
        if (dsd->kind == WSE_FABRIC_OUT) {
            self->single_outputs &= sim_u8(UINT8_MAX & ~(1u << dsd->queue));
        } else if (dsd->kind == WSE_FABRIC_IN) {
            self->single_inputs &= sim_u8(UINT8_MAX & ~(1u << dsd->queue));
        }
    }
}

/* Rings of routers come first, color by color, then those of queues. */
static void add_rings(WseKind *self, const WseNumbers *numbers, uint32_t single)
{
    set_single_queues(self, single);
    for (guint slot = 0; slot < self->router->route_count; slot++) {
        for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
            if (self->router->routes[slot].sources & (1u << i)) {
                add_ring(self,
                         i == ARCH_WSE_RAMP ? numbers->ramp_depth : numbers->link_depth,
                         slot, has_bit(single, self->router->routes[slot].color));
            }
        }
    }
    memset(self->input_rings, WSE_NO_RING, sizeof self->input_rings);
    memset(self->output_rings, WSE_NO_RING, sizeof self->output_rings);
    for (guint i = 0; i < WSE_INPUT_QUEUES; i++) {
        if (self->program->input_colors[i] != WSE_NO_RING ||
            (self->program->kept_inputs >> i & 1) != 0) {
            self->input_rings[i] = add_ring(self, numbers->input_depth[i], i,
                                            has_bit(self->single_inputs, i));
        }
    }
    for (guint i = 0; i < self->program->dsds->len; i++) {
        const WseDsd *dsd = &self->dsds[i];

        if (dsd->kind == WSE_FABRIC_OUT &&
            self->output_rings[dsd->queue] == WSE_NO_RING) {
            self->output_rings[dsd->queue] =
                add_ring(self, numbers->output_depth[dsd->queue], dsd->queue,
                         has_bit(self->single_outputs, dsd->queue));
        }
    }
}

static guint find_phase(GPtrArray *phases, const char *name)
{
    for (guint i = 0; i < phases->len; i++) {
        if (g_ptr_array_index(phases, i) == name) {
            return i;
        }
    }
    g_ptr_array_add(phases, (gpointer) name);
    return phases->len - 1;
}

static uint8_t bit_of(guint queue)
{
    return sim_u8(queue == WSE_NO_RING ? 0 : 1u << queue);
}

static WseKind kind_new(const ArchWseLayout *layout,
                        guint program,
                        guint router,
                        const WseNumbers *numbers,
                        uint32_t single,
                        GPtrArray *phases)
{
    const ArchWseProgram *of = g_ptr_array_index(layout->programs, program);
    WseKind self = {
        .program = of,
        .code = (const WseInstruction *) (gconstpointer) of->instructions->data,
        .dsds = (const WseDsd *) (gconstpointer) of->dsds->data,
        .router = &g_array_index(layout->routers, WseRouter, router),
        .variables = g_new(int32_t, of->variables->len),
        .program_index = program,
    };

    for (guint i = 0; i < of->variables->len; i++) {
        self.variables[i] = g_array_index(of->variables, int32_t, i);
    }
    add_rings(&self, numbers, single);
    for (guint i = 0; i < WSE_TASKS; i++) {
        self.has_called_tasks |= of->control_tasks[i].start != ARCH_WSE_NONE ||
                                 (of->tasks[i].start != ARCH_WSE_NONE &&
                                  of->tasks[i].kind == ARCH_WSE_TASK_DATA);
    }
    self.has_routed_tasks =
        self.has_called_tasks || of->tasks[WSE_TEARDOWN_TASK].start != ARCH_WSE_NONE;
    for (guint i = 0; i < of->instructions->len; i++) {
        const WseInstruction *instruction = &self.code[i];

        if (instruction->code == WSE_VECTOR &&
            (instruction->is_alone || instruction->is_wide)) {
            self.eager_inputs |= bit_of(instruction->input);
            self.eager_inputs |= bit_of(instruction->input2);
        }
    }
    if (self.has_called_tasks) {
        self.eager_inputs = UINT8_MAX;
    }
    for (guint i = 0; i < of->phases->len; i++) {
        self.phases[i] = sim_u8(
            find_phase(phases, g_intern_string(g_ptr_array_index(of->phases, i))));
    }
    return self;
}

static void clear_kind(gpointer data)
{
    WseKind *kind = data;

    g_free(kind->variables);
}

GArray *wse_kinds_new(const ArchWseLayout *layout,
                      const WseNumbers *numbers,
                      bool is_stream,
                      GPtrArray *phases,
                      uint32_t *kind_of)
{
    GArray *kinds = g_array_new(FALSE, TRUE, sizeof(WseKind));

    g_array_set_clear_func(kinds, clear_kind);
    g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);

    /* Colors whose wavelets go one by one. */
    const uint32_t single = is_stream ? ~wse_stream_colors(layout) : UINT32_MAX;

    g_ptr_array_add(phases, (gpointer) g_intern_string(""));
    for (guint i = 0; i < layout->columns * layout->rows; i++) {
        guint program = layout->program_of[i];
        guint router = layout->router_of[i];
        gpointer key = GUINT_TO_POINTER(program << 16 | router);
        gpointer value = NULL;

        if (!g_hash_table_lookup_extended(known, key, NULL, &value)) {
            WseKind kind = kind_new(layout, program, router, numbers, single, phases);

            value = GUINT_TO_POINTER(kinds->len);
            g_hash_table_insert(known, key, value);
            g_array_append_val(kinds, kind);
        }
        kind_of[i] = GPOINTER_TO_UINT(value);
    }
    return kinds;
}

static gsize place(gsize *at, gsize bytes)
{
    gsize here = *at;

    *at = (here + bytes + 7) / 8 * 8;
    return here;
}

WseBlock wse_kinds_block(const GArray *kinds, guint phase_count)
{
    guint colors = 0;
    guint rings = 0;
    guint slots = 0;
    guint variables = 0;
    guint fifos = 0;
    guint lives = 0;
    bool has_routes = false;
    WseBlock block = {0};
    gsize at = (sizeof(WsePe) + 7) / 8 * 8;

    for (guint i = 0; i < kinds->len; i++) {
        const WseKind *kind = &g_array_index(kinds, WseKind, i);

        colors = MAX(colors, kind->router->route_count);
        rings = MAX(rings, kind->ring_count);
        slots = MAX(slots, kind->slot_count);
        variables = MAX(variables, kind->program->variables->len);
        fifos = MAX(fifos, kind->program->fifo_count);
        has_routes = has_routes || kind->program->has_own_routes;
        lives = kind->program->is_dynamic ? WSE_MAIN + 1 : lives;
    }
    block.colors = place(&at, colors * sizeof(WseColor));
    block.rings = place(&at, rings * sizeof(WseRing));
    place(&at, slots * sizeof(uint32_t)); /* their times, see token.h */
    block.slots = place(&at, slots * sizeof(WseToken));
    block.threads = place(&at, (WSE_MAIN + 1) * sizeof(WseThread));
    block.variables = place(&at, variables * sizeof(int32_t));
    block.phases = place(&at, phase_count * sizeof(WsePhase));
    block.fifos = place(&at, fifos * sizeof(WseFifo));
    if (has_routes) {
        block.routes = place(&at, colors * sizeof(WseRoute));
    }
    block.lives = place(&at, lives * sizeof(WseLive));
    block.bytes = (at + LINE - 1) / LINE * LINE;
    return block;
}

void wse_kind_begin(const WseKind *self, guint number, const WseBlock *block, WsePe *pe)
{
    WseColor *colors = wse_pe_colors(pe, block);
    guint ring = 0;

    memset(pe, 0, block->bytes);
    pe->kind = number;
    pe->zone = ARCH_WSE_NONE;
    pe->task = UINT8_MAX; /* none yet: in turn, the first is the lowest */
    pe->activated = self->program->activated;
    pe->blocked = self->program->blocked;
    memcpy(wse_pe_rings(pe, block), self->rings, self->ring_count * sizeof(WseRing));
    if (self->program->variables->len > 0) {
        memcpy(wse_pe_variables(pe, block), self->variables,
               self->program->variables->len * sizeof(int32_t));
    }
    if (block->routes != 0 && self->router->route_count > 0) {
        memcpy(wse_pe_routes(pe, block), self->router->routes,
               self->router->route_count * sizeof(WseRoute));
    }
    memset(pe->bound, WSE_NO_RING, sizeof pe->bound);
    for (guint slot = 0; slot < self->router->route_count; slot++) {
        const WseRoute *route = &self->router->routes[slot];
        guint queue = self->program->color_inputs[route->color];

        if (queue != WSE_NO_RING && self->program->shared_inputs >> queue & 1) {
            queue = WSE_NO_RING;
        } else if (queue != WSE_NO_RING) {
            pe->bound[queue] = sim_u8(slot);
        }
        colors[slot] = (WseColor){
            .position = route->current,
            .is_torn_down = route->is_torn_down,
            .queue = sim_u8(queue),
            .counter = route->filter.initial,
        };
        memset(colors[slot].next, WSE_NO_RING, sizeof colors[slot].next);
        for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
            colors[slot].rings[i] =
                (route->sources & (1u << i)) ? sim_u8(ring++) : WSE_NO_RING;
        }
    }
}
