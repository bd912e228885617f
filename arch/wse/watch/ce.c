/* Records compute elements: the issue slot, tasks, operations. */
#include "arch/wse/program/operation.h"
#include "arch/wse/watch/watch.h"

enum {
    NO_QUEUE = 0xff,
    NO_OPERATION = WSE_MAIN + 1,
};

/* What stalls are called in results. */
static const char memory_idle[] = "memory_idle";

static WseSeen *seen_of(const WseVisit *visit)
{
    return &visit->region->watch->seen[visit->number];
}

static guint unit_of(guint index)
{
    return index == WSE_MAIN ? WSE_UNIT_MAIN : WSE_UNIT_THREAD + index;
}

static const char *task_name(const WseVisit *visit)
{
    const char *name = wse_ce_task(visit)->name;

    return name == NULL || *name == '\0' ? "task" : name;
}

static const char *operation_name(const WseVisit *visit, guint index)
{
    return wse_operation_at(wse_visit_instruction(visit, index)->operation)->name;
}

static uint32_t since(const WseSeen *seen, guint index)
{
    return index == WSE_MAIN ? seen->main_since : seen->thread_since[index];
}

/* The same wherever regions and threads are cut. */
static uint64_t flow_of(const WseVisit *visit, guint index)
{
    const WseSeen *seen = seen_of(visit);

    return (uint64_t) (seen->lane + unit_of(index)) << WSE_FLOW_SHIFT |
           wse_watch_time(visit->region, since(seen, index));
}

/* Streams of data are followed, not control wavelets, which no CE gets. */
static bool has_flow(const WseVisit *visit, const WseInstruction *instruction)
{
    return visit->region->watch->flows != NULL && instruction->output != NO_QUEUE &&
           !wse_visit_dsd(visit, instruction, 0)->is_control;
}

static void add_argument(SimProbeDetail *detail, const char *name, int64_t value)
{
    detail->arguments[detail->argument_count++] =
        (SimProbeArgument){.name = name, .value = value};
}

/* The color that comes in, or else goes out; `to` where both do. */
static void add_colors(const WseVisit *visit,
                       const WseInstruction *instruction,
                       SimProbeDetail *detail)
{
    const char *name = "color";

    for (guint i = 1; i < instruction->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(visit, instruction, i);

        if (dsd->kind == WSE_FABRIC_IN && detail->argument_count == 0) {
            add_argument(detail, name, dsd->color);
            name = "to";
        }
    }
    if (instruction->output != NO_QUEUE) {
        add_argument(detail, name, wse_visit_dsd(visit, instruction, 0)->color);
    }
}

static SimProbeDetail detail_of(const WseVisit *visit, guint index)
{
    const WseInstruction *instruction = wse_visit_instruction(visit, index);
    const guint phase = visit->kind->phases[instruction->phase];
    SimProbeDetail detail = {
        .flow = has_flow(visit, instruction) && visit->threads[index].done > 0
                    ? flow_of(visit, index)
                    : 0,
    };

    add_colors(visit, instruction, &detail);
    add_argument(&detail, "length", instruction->length);
    if (instruction->phase != 0) {
        g_autofree char *name = g_strconcat(
            "phase ", g_ptr_array_index(visit->fabric->phases, phase), NULL);

        add_argument(&detail, g_intern_string(name), phase);
    }
    return detail;
}

/* What the main thread was at ends; something else may begin. */
static void turn_main(WseVisit *visit, uint32_t when)
{
    WseSeen *seen = seen_of(visit);
    SimRegion *sim = visit->region->sim;
    const SimLane lane = seen->lane + WSE_UNIT_MAIN;
    const SimTime begin = wse_watch_time(visit->region, seen->main_since);
    const SimTime end = wse_watch_time(visit->region, when);

    if (seen->main_since >= when) {
        return;
    }
    if (seen->spans != NULL && seen->is_vector) {
        const SimProbeDetail detail = detail_of(visit, WSE_MAIN);

        sim_region_slice(sim, lane, operation_name(visit, WSE_MAIN), begin, end,
                         &detail);
    } else {
        sim_region_slice(sim, lane, task_name(visit), begin, end, NULL);
    }
    seen->main_since = when;
}

void wse_watch_task(WseVisit *visit)
{
    WseSeen *seen = seen_of(visit);

    seen->main_since = visit->now;
    seen->is_vector = false;
}

void wse_watch_rest(WseVisit *visit, uint32_t when)
{
    WseSeen *seen = seen_of(visit);

    if (seen->main_since != WSE_NEVER) {
        turn_main(visit, when);
        seen->main_since = WSE_NEVER;
    }
}

void wse_watch_vector(WseVisit *visit, guint index, uint32_t at)
{
    WseSeen *seen = seen_of(visit);

    if (index == WSE_MAIN) {
        turn_main(visit, at);
        seen->is_vector = true;
    } else {
        seen->thread_since[index] = at;
    }
}

void wse_watch_vector_end(WseVisit *visit, guint index, uint32_t when)
{
    WseSeen *seen = seen_of(visit);
    const SimTime begin = wse_watch_time(visit->region, since(seen, index));
    const SimTime end = wse_watch_time(visit->region, when);
    const SimLane lane = seen->lane + unit_of(index);

    if (index == WSE_MAIN) {
        turn_main(visit, when);
        seen->is_vector = false;
    } else if (begin < end && seen->spans != NULL) {
        const SimProbeDetail detail = detail_of(visit, index);

        sim_region_slice(visit->region->sim, lane, operation_name(visit, index), begin,
                         end, &detail);
    } else if (begin < end) {
        sim_region_slice(visit->region->sim, lane, operation_name(visit, index), begin,
                         end, NULL);
    }
}

void wse_watch_vector_work(WseVisit *visit)
{
    seen_of(visit)->is_vector_work = true;
}

/* The issue slot is used for `cycles`, by the operation `index` or, NO_OPERATION, a
 * task; memory makes the CE wait from `stop` on. */
static void
issue(WseVisit *visit, guint index, uint32_t cycles, uint32_t stop, uint32_t stalls)
{
    WseSeen *seen = seen_of(visit);
    SimRegion *sim = visit->region->sim;
    const SimLane lane = seen->lane + WSE_UNIT_CE;

    if (seen->spans == NULL) {
        const SimTime begin = wse_watch_time(visit->region, visit->now);

        /* Nobody asks for names of what is added up. */
        sim_region_slice(sim, lane, NULL, begin, begin + cycles, NULL);
    } else {
        const WseSpan added = {.name = index == NO_OPERATION
                                           ? task_name(visit)
                                           : operation_name(visit, index),
                               .begin = visit->now,
                               .end = visit->now + cycles,
                               .color = WSE_COLORS};

        wse_span_add(visit->region, lane, &seen->spans->issue, &added);
        stop = MAX(stop, seen->spans->issue.end);
    }
    if (stalls > 0) {
        const SimTime begin = wse_watch_time(visit->region, stop);

        if (seen->spans != NULL) {
            wse_span_end(visit->region, lane, &seen->spans->issue);
        }
        sim_region_stall(sim, lane, memory_idle, begin, begin + stalls);
    }
}

void wse_watch_work(WseVisit *visit, uint32_t cycles, uint32_t stalls)
{
    WseSeen *seen = seen_of(visit);
    const WsePe *pe = visit->pe;
    const uint32_t stop = visit->now + cycles;

    issue(visit, seen->is_vector_work ? WSE_MAIN : NO_OPERATION, cycles, stop, stalls);
    if (pe->work > 0) {
        return;
    }
    if (seen->is_vector_work) {
        seen->is_vector_work = false;
        wse_watch_vector_end(visit, WSE_MAIN, stop + stalls);
    }
    if (pe->main == WSE_IDLE) {
        wse_watch_rest(visit, stop + stalls);
    }
}

/* The slot of the token that went into the queue last. */
static const WseToken *last_output(const WseVisit *visit, guint queue)
{
    WseRing ring = visit->rings[visit->kind->output_rings[queue]];

    ring.count--;
    return wse_ring_back(&ring, visit->slots);
}

void wse_watch_step(
    WseVisit *visit, guint index, uint32_t wavelets, uint32_t end, uint32_t stalls)
{
    const WseInstruction *instruction = wse_visit_instruction(visit, index);

    issue(visit, index, wavelets, end, stalls);
    if (instruction->output != NO_QUEUE) {
        const bool is_first =
            visit->threads[index].done == 0 && has_flow(visit, instruction);

        wse_watch_set_flow(visit->region, visit->number,
                           last_output(visit, instruction->output),
                           is_first ? flow_of(visit, index) : 0);
    }
}

void wse_watch_print(WseRegion *region, uint32_t pe, const ArchWsePrint *print)
{
    g_autofree char *text = arch_wse_print_text(print);

    sim_region_mark(region->sim, region->watch->seen[pe].lane + WSE_UNIT_MAIN,
                    g_intern_string(text), print->when, NULL);
}
