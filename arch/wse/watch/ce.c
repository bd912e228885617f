/* What is seen of compute elements: who has the issue slot, tasks, operations. */
#include "arch/wse/program/operation.h"
#include "arch/wse/watch/span.h"
#include "arch/wse/watch/watch.h"

enum {
    NO_QUEUE = 0xff,
    NO_OPERATION = WSE_MAIN + 1,
};

/* What stalls are called in results. */
static const char memory_idle[] = "memory_idle";

static WseSeen *seen_of(const WseLook *look)
{
    return &look->region->watch->seen[look->number];
}

static guint unit_of(guint index)
{
    return index == WSE_MAIN ? WSE_UNIT_MAIN : WSE_UNIT_THREAD + index;
}

static const char *task_name(const WseLook *look)
{
    const char *name = wse_ce_task(look)->name;

    return name == NULL || *name == '\0' ? "task" : name;
}

static const char *operation_name(const WseLook *look, guint index)
{
    return wse_operation_at(wse_look_instruction(look, index)->operation)->name;
}

static uint32_t since(const WseSeen *seen, guint index)
{
    return index == WSE_MAIN ? seen->main_since : seen->thread_since[index];
}

/* The same wherever regions and threads are cut. */
static uint64_t flow_of(const WseLook *look, guint index)
{
    const WseSeen *seen = seen_of(look);

    return (uint64_t) (seen->lane + unit_of(index)) << WSE_FLOW_SHIFT |
           wse_watch_time(look->region, since(seen, index));
}

/* Streams of data are followed, not control wavelets, which no CE gets. */
static bool has_flow(const WseLook *look, const WseInstruction *instruction)
{
    return look->region->watch->flows != NULL && instruction->output != NO_QUEUE &&
           !look->kind->dsds[instruction->operands[0]].is_control;
}

static void add_argument(SimProbeDetail *detail, const char *name, int64_t value)
{
    detail->arguments[detail->argument_count++] =
        (SimProbeArgument){.name = name, .value = value};
}

/* The color that comes in, or else goes out; `to` where both do. */
static void add_colors(const WseLook *look,
                       const WseInstruction *instruction,
                       SimProbeDetail *detail)
{
    const char *name = "color";

    for (guint i = 1; i < instruction->operand_count; i++) {
        const WseDsd *dsd = &look->kind->dsds[instruction->operands[i]];

        if (dsd->kind == WSE_FABRIC_IN && detail->argument_count == 0) {
            add_argument(detail, name, dsd->color);
            name = "to";
        }
    }
    if (instruction->output != NO_QUEUE) {
        add_argument(detail, name, look->kind->dsds[instruction->operands[0]].color);
    }
}

static SimProbeDetail detail_of(const WseLook *look, guint index)
{
    const WseInstruction *instruction = wse_look_instruction(look, index);
    const guint phase = look->kind->phases[instruction->phase];
    SimProbeDetail detail = {
        .flow = has_flow(look, instruction) && look->threads[index].done > 0
                    ? flow_of(look, index)
                    : 0,
    };

    add_colors(look, instruction, &detail);
    add_argument(&detail, "length", instruction->length);
    if (instruction->phase != 0) {
        g_autofree char *name =
            g_strconcat("phase ", g_ptr_array_index(look->fabric->phases, phase), NULL);

        add_argument(&detail, g_intern_string(name), phase);
    }
    return detail;
}

/* What the main thread was at ends; something else may begin. */
static void turn_main(WseLook *look, uint32_t when)
{
    WseSeen *seen = seen_of(look);
    SimRegion *sim = look->region->sim;
    const SimLane lane = seen->lane + WSE_UNIT_MAIN;
    const SimTime begin = wse_watch_time(look->region, seen->main_since);
    const SimTime end = wse_watch_time(look->region, when);

    if (seen->main_since >= when) {
        return;
    }
    if (seen->spans != NULL && seen->is_vector) {
        const SimProbeDetail detail = detail_of(look, WSE_MAIN);

        sim_region_slice(sim, lane, operation_name(look, WSE_MAIN), begin, end,
                         &detail);
    } else {
        sim_region_slice(sim, lane, task_name(look), begin, end, NULL);
    }
    seen->main_since = when;
}

void wse_watch_task(WseLook *look)
{
    WseSeen *seen = seen_of(look);

    seen->main_since = look->now;
    seen->is_vector = false;
}

void wse_watch_rest(WseLook *look, uint32_t when)
{
    WseSeen *seen = seen_of(look);

    if (seen->main_since != WSE_NEVER) {
        turn_main(look, when);
        seen->main_since = WSE_NEVER;
    }
}

void wse_watch_vector(WseLook *look, guint index, uint32_t at)
{
    WseSeen *seen = seen_of(look);

    if (index == WSE_MAIN) {
        turn_main(look, at);
        seen->is_vector = true;
    } else {
        seen->thread_since[index] = at;
    }
}

void wse_watch_vector_end(WseLook *look, guint index, uint32_t when)
{
    WseSeen *seen = seen_of(look);
    const SimTime begin = wse_watch_time(look->region, since(seen, index));
    const SimTime end = wse_watch_time(look->region, when);
    const SimLane lane = seen->lane + unit_of(index);

    if (index == WSE_MAIN) {
        turn_main(look, when);
        seen->is_vector = false;
    } else if (begin < end && seen->spans != NULL) {
        const SimProbeDetail detail = detail_of(look, index);

        sim_region_slice(look->region->sim, lane, operation_name(look, index), begin,
                         end, &detail);
    } else if (begin < end) {
        sim_region_slice(look->region->sim, lane, operation_name(look, index), begin,
                         end, NULL);
    }
}

void wse_watch_vector_work(WseLook *look)
{
    seen_of(look)->is_vector_work = true;
}

/* The issue slot is used for `cycles`, by the operation `index` or, NO_OPERATION, a
 * task; memory makes the CE wait from `stop` on. */
static void
issue(WseLook *look, guint index, uint32_t cycles, uint32_t stop, uint32_t stalls)
{
    WseSeen *seen = seen_of(look);
    SimRegion *sim = look->region->sim;
    const SimLane lane = seen->lane + WSE_UNIT_CE;

    if (seen->spans == NULL) {
        const SimTime begin = wse_watch_time(look->region, look->now);

        /* Nobody asks for names of what is added up. */
        sim_region_slice(sim, lane, NULL, begin, begin + cycles, NULL);
    } else {
        const WseSpan added = {.name = index == NO_OPERATION
                                           ? task_name(look)
                                           : operation_name(look, index),
                               .begin = look->now,
                               .end = look->now + cycles,
                               .color = WSE_COLORS};

        wse_span_add(look->region, lane, &seen->spans->issue, &added);
        stop = MAX(stop, seen->spans->issue.end);
    }
    if (stalls > 0) {
        const SimTime begin = wse_watch_time(look->region, stop);

        if (seen->spans != NULL) {
            wse_span_end(look->region, lane, &seen->spans->issue);
        }
        sim_region_stall(sim, lane, memory_idle, begin, begin + stalls);
    }
}

void wse_watch_work(WseLook *look, uint32_t cycles, uint32_t stalls)
{
    WseSeen *seen = seen_of(look);
    const WsePe *pe = look->pe;
    const uint32_t stop = look->now + cycles;

    issue(look, seen->is_vector_work ? WSE_MAIN : NO_OPERATION, cycles, stop, stalls);
    if (pe->work > 0) {
        return;
    }
    if (seen->is_vector_work) {
        seen->is_vector_work = false;
        wse_watch_vector_end(look, WSE_MAIN, stop + stalls);
    }
    if (pe->main == WSE_IDLE) {
        wse_watch_rest(look, stop + stalls);
    }
}

/* The slot of the token that went into the queue last. */
static const WseToken *last_output(const WseLook *look, guint queue)
{
    WseRing ring = look->rings[look->kind->output_rings[queue]];

    ring.count--;
    return wse_ring_back(&ring, look->slots);
}

void wse_watch_step(
    WseLook *look, guint index, uint32_t wavelets, uint32_t end, uint32_t stalls)
{
    const WseInstruction *instruction = wse_look_instruction(look, index);

    issue(look, index, wavelets, end, stalls);
    if (instruction->output != NO_QUEUE) {
        const bool is_first =
            look->threads[index].done == 0 && has_flow(look, instruction);

        wse_watch_set_flow(look->region, look->number,
                           last_output(look, instruction->output),
                           is_first ? flow_of(look, index) : 0);
    }
}
