/* Starts the vector operations of a compute element. */
#include "arch/wse/ce/race.h"
#include "arch/wse/ce/single.h"
#include "arch/wse/ce/visit.h"
#include "arch/wse/program/cost.h"
#include "arch/wse/program/live.h"
#include "arch/wse/program/operation.h"
#include "arch/wse/router/color.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    NO_QUEUE = 0xff,
};

static void
count_phase(WseVisit *self, const WseInstruction *instruction, uint32_t when)
{
    guint phase = self->kind->phases[instruction->phase];
    WsePhase *state = &wse_pe_phases(self->pe, &self->fabric->block)[phase];

    if (state->alive++ == 0) {
        state->since = when;
    }
    self->region->phase_streams[phase] =
        MAX(self->region->phase_streams[phase], state->alive);
}

/* The input queue that both take from, or NO_QUEUE. */
static guint shared_input(const WseInstruction *one, const WseInstruction *other)
{
    const uint8_t inputs[] = {one->input, one->input2};

    for (guint i = 0; i < G_N_ELEMENTS(inputs); i++) {
        if (inputs[i] != NO_QUEUE &&
            (inputs[i] == other->input || inputs[i] == other->input2)) {
            return inputs[i];
        }
    }
    return NO_QUEUE;
}

/* Nobody else may be at work on what the operation needs. */
static bool
is_vacant(WseVisit *self, guint index, const WseInstruction *starting, guint number)
{
    const GArray *places = self->kind->program->places;

    for (uint32_t left = self->pe->threads; left != 0; left &= left - 1) {
        guint thread = (guint) __builtin_ctz(left);
        const WseInstruction *other = wse_visit_instruction(self, thread);
        guint input = shared_input(starting, other);
        bool is_output =
            starting->output != NO_QUEUE && starting->output == other->output;

        if (thread != index && !is_output && input == NO_QUEUE) {
            continue;
        }
        g_autofree char *where =
            arch_place_text(g_array_index(places, ArchPlace, number));
        g_autofree char *before = arch_place_text(
            g_array_index(places, ArchPlace, self->threads[thread].instruction));

        wse_region_fail(
            self->region, self->number,
            "%s: %s%s starts while %s%s still uses %s %u, which has one user at a time",
            self->kind->program->name, wse_operation_at(starting->operation)->name,
            where, wse_operation_at(other->operation)->name, before,
            thread == index ? "microthread"
            : is_output     ? "output queue"
                            : "input queue",
            thread == index ? thread
            : is_output     ? starting->output
                            : input);
        return false;
    }
    return true;
}

/* A color that only registers name may have had another queue, which is then empty. */
static bool leave_input(WseVisit *self, const WseDsd *dsd, guint queue)
{
    if (queue == WSE_NO_RING || queue == dsd->queue) {
        return true;
    }
    if (self->rings[self->kind->input_rings[queue]].count > 0) {
        wse_region_fail(self->region, self->number,
                        "%s: color %u is to go to input queue %u, wavelets of it are "
                        "still in queue %u",
                        self->kind->program->name, dsd->color, dsd->queue, queue);
        return false;
    }
    self->pe->bound[queue] = WSE_NO_RING;
    return true;
}

/* The operation that starts takes its color from the queue, which has to be empty if it
 * had another. */
static bool bind_input(WseVisit *self, const WseDsd *dsd)
{
    uint8_t slot = self->kind->router->slots[dsd->color];
    uint8_t *bound = &self->pe->bound[dsd->queue];
    WseColor *colors = wse_pe_colors(self->pe, &self->fabric->block);
    const WseRoute *routes =
        wse_kind_routes(self->kind, self->pe, &self->fabric->block);
    const WseRing *ring = &self->rings[self->kind->input_rings[dsd->queue]];

    if (*bound == slot || slot == WSE_NO_RING) {
        return true;
    }
    if (!leave_input(self, dsd, colors[slot].queue)) {
        return false;
    }
    if (*bound != WSE_NO_RING) {
        guint before = self->kind->router->routes[*bound].color;

        if (ring->count > 0) {
            wse_region_fail(self->region, self->number,
                            "%s: input queue %u is to take color %u, wavelets of color "
                            "%u are still in it",
                            self->kind->program->name, dsd->queue, dsd->color, before);
            return false;
        }
        colors[*bound].queue = WSE_NO_RING;
        wse_color_settle(&colors[*bound], &routes[*bound], self->kind);
    }
    *bound = slot;
    colors[slot].queue = dsd->queue;
    wse_color_settle(&colors[slot], &routes[slot], self->kind);
    wse_region_wake(self->region, self->number, self->now, self->now + 1, 1u << slot);
    return true;
}

/* The router takes what the operation sends. */
static bool check_output(WseVisit *self, const WseInstruction *starting)
{
    if (starting->output == NO_QUEUE) {
        return true;
    }
    const uint8_t color = wse_visit_dsd(self, starting, 0)->color;
    const guint slot = self->kind->router->sends[color];
    const WseColor *colors = wse_pe_colors(self->pe, &self->fabric->block);

    if (slot == WSE_NO_RING || colors[slot].rings[ARCH_WSE_RAMP] == WSE_NO_RING) {
        wse_region_fail(self->region, self->number,
                        "%s: %s sends color %u in cycle %u, which no route takes from "
                        "RAMP",
                        self->kind->program->name,
                        wse_operation_at(starting->operation)->name, color, self->now);
        return false;
    }
    return true;
}

static bool bind_inputs(WseVisit *self, const WseInstruction *starting)
{
    for (guint i = 1; i < starting->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, starting, i);

        if (dsd->kind == WSE_FABRIC_IN && !bind_input(self, dsd)) {
            return false;
        }
    }
    return true;
}

/* One that is live may end without a wavelet. */
static uint8_t wants_of(const WseInstruction *starting)
{
    const uint8_t inputs[] = {starting->input, starting->input2};
    guint wants = 0;

    for (guint i = 0; !starting->is_live && i < G_N_ELEMENTS(inputs); i++) {
        wants |= inputs[i] == NO_QUEUE ? 0 : 1u << inputs[i];
    }
    return sim_u8(wants);
}

static uint8_t gives_of(const WseInstruction *starting)
{
    return sim_u8(
        starting->is_live || starting->output == NO_QUEUE ? 0 : 1u << starting->output);
}

/* Puts it under way as operation `index`. */
static void
set_under_way(WseVisit *self, guint index, const WseInstruction *starting, uint32_t at)
{
    if (starting->has_fabric && starting->phase != 0) {
        count_phase(self, starting, at);
    }
    if (wse_is_watched(self->region)) {
        wse_watch_vector(self, index, at);
    }
    if (self->fabric->races != NULL && !wse_races_is_receiving(starting)) {
        wse_races_look(self->fabric->races, self, index);
    }
    if (starting->is_async) {
        self->pe->wants[index] = wants_of(starting);
        self->pe->gives[index] = gives_of(starting);
        self->pe->age++;
        self->pe->threads |= sim_u8(1u << index);
        if (starting->priority != ARCH_WSE_PRIORITY_LOW) {
            self->pe->raised |= sim_u8(1u << index);
        }
    }
}

static void take_offsets(WseVisit *self, const WseInstruction *starting, guint index)
{
    const int32_t *variables = wse_pe_variables(self->pe, &self->fabric->block);
    WseThread *thread = &self->threads[index];
    int32_t offsets[WSE_OPERANDS];

    for (guint i = 0; i < starting->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, starting, i);

        if (dsd->variable != ARCH_WSE_NONE) {
            const int32_t offset = variables[dsd->variable];

            /* Addresses have 16 bits: a saturated offset lies outside the memory, too.
             */
            thread->offsets[i] = sim_i16(CLAMP(offset, INT16_MIN, INT16_MAX));
        }
    }
    for (guint i = 0; i < WSE_OPERANDS; i++) {
        offsets[i] = thread->offsets[i];
    }
    if (starting->has_fabric) {
        thread->stall =
            sim_u8(wse_program_step_stall(self->kind->program, starting, offsets));
    }
}

static void
begin(WseVisit *self, const WseInstruction *starting, guint number, uint32_t at)
{
    const guint index = starting->is_async ? starting->thread : WSE_MAIN;
    WsePe *pe = self->pe;

    if (starting->has_fabric &&
        (!is_vacant(self, index, starting, number) || !bind_inputs(self, starting) ||
         !check_output(self, starting))) {
        return;
    }
    if (starting->is_live) {
        WseLive *live = &wse_pe_lives(pe, &self->fabric->block)[index];

        *live = *(const WseLive *) (gconstpointer) starting;
        starting = &live->instruction;
    }
    self->threads[index] = (WseThread){
        .at = at,
        .instruction = sim_u16(number),
        .length = sim_u16(starting->length),
        .age = pe->age,
        .is_single = wse_kind_is_single(self->kind, starting),
    };
    take_offsets(self, starting, index);
    wse_single_begin(self, starting, index);
    set_under_way(self, index, starting, at);
    pe->main = starting->is_async     ? WSE_RUNNING
               : starting->has_fabric ? WSE_WAITING
                                      : WSE_STARTING;
}

void wse_vector_start(WseVisit *self, guint number, uint32_t at)
{
    const WseInstruction *starting = &self->kind->code[number];
    WseLive live;

    self->pe->main = WSE_RUNNING;
    if (!starting->is_dynamic) {
        begin(self, starting, number, at);
        return;
    }
    if (!wse_live_make(self, number, &live)) {
        return;
    }
    if (live.instruction.length == 0) {
        live.instruction.phase = 0;
        wse_vector_finish(self, &live.instruction, number, at);
        return;
    }
    begin(self, &live.instruction, number, at);
}
