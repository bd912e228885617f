/* Records compute elements: the issue slot, tasks, operations. */
#include "arch/wse/program/operation.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    NO_QUEUE = 0xff,
    NO_OPERATION = WSE_MAIN + 1,
    HALF_WORD_BYTES = 2,
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
    return visit->region->watch->trails != NULL && instruction->output != NO_QUEUE &&
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

/* Lanes begin at `first`, and 0 is no origin. */
static uint64_t origin_of(const WseVisit *visit, guint index)
{
    return (uint64_t) (seen_of(visit)->lane + unit_of(index)) << WSE_FLOW_SHIFT |
           wse_watch_time(visit->region, visit->now);
}

/* What it waited for last, and how long in all. */
static void add_wait(const WseVisit *visit, const WseWait *wait, SimProbeDetail *detail)
{
    if (wait->origin != 0) {
        detail->has_cause = true;
        detail->cause = sim_u32(wait->origin >> WSE_FLOW_SHIFT);
        detail->cause_at = wait->origin & ((UINT64_C(1) << WSE_FLOW_SHIFT) - 1);
        add_argument(detail, "fed", (int64_t) wse_watch_time(visit->region, wait->fed));
    }
    if (wait->data > 0) {
        add_argument(detail, "data", wait->data);
    }
    if (wait->credits > 0) {
        add_argument(detail, "credits", wait->credits);
    }
}

/* "line stencil25.lua": the number is the argument's value. */
static void add_place(const WseVisit *visit, guint number, SimProbeDetail *detail)
{
    const ArchPlace place =
        g_array_index(visit->kind->program->places, ArchPlace, number);

    if (place.file != NULL) {
        g_autofree char *file = g_path_get_basename(place.file);
        g_autofree char *name = g_strconcat("line ", file, NULL);

        add_argument(detail, g_intern_string(name), place.line);
    }
}

static const char *const flops_counters[] = {
    [WSE_ARITHMETIC_F32] = "flops+f32_flops",
    [WSE_ARITHMETIC_F16] = "flops+f16_flops",
    [WSE_ARITHMETIC_MIXED] = "flops+mixed_flops",
};

/* What the operation adds to counters, as arch_wse_work() adds it up. */
static void add_work(const WseVisit *visit,
                     const WseInstruction *instruction,
                     SimProbeDetail *detail)
{
    const WseOperation *operation = wse_operation_at(instruction->operation);
    const int64_t flops = (int64_t) instruction->length * operation->flops;
    const int64_t half_words =
        (int64_t) instruction->length * instruction->memory_words_x2;
    int64_t wavelets = 0;

    for (guint i = 1; i < instruction->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(visit, instruction, i);

        if (dsd->kind == WSE_FABRIC_IN) {
            wavelets += instruction->length / dsd->elements_per_wavelet;
        }
    }
    if (flops > 0) {
        add_argument(detail, flops_counters[wse_operation_arithmetic(operation)],
                     flops);
    }
    if (half_words > 0) {
        add_argument(detail, "sram_bytes", half_words * HALF_WORD_BYTES);
    }
    if (wavelets > 0) {
        add_argument(detail, "received_bytes",
                     wavelets * visit->fabric->numbers.wavelet_bytes);
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
    add_place(visit, visit->threads[index].instruction, &detail);
    add_wait(visit, &seen_of(visit)->spans->waits[index], &detail);
    add_work(visit, instruction, &detail);
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
        SimProbeDetail detail = {0};

        if (seen->spans != NULL) {
            add_wait(visit, &seen->spans->task, &detail);
            seen->spans->task = (WseWait){0};
        }
        sim_region_slice(sim, lane, task_name(visit), begin, end,
                         seen->spans != NULL ? &detail : NULL);
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

    if (seen->spans != NULL) {
        seen->spans->waits[index] = (WseWait){0};
    }
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
        sim_region_stall(sim, lane, memory_idle, begin, begin + stalls, NULL);
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

/* When the operation could take from the queue, and what. */
static uint32_t
input_ready(const WseVisit *visit, const WseInstruction *instruction, guint queue)
{
    if (queue == NO_QUEUE) {
        return 0;
    }
    const WseToken *token =
        wse_ring_front(&visit->rings[visit->kind->input_rings[queue]], visit->slots);

    return instruction->is_alone ? token->head : token->head + token->span;
}

static uint64_t input_origin(const WseVisit *visit, guint queue)
{
    return wse_watch_trail(
               visit->region, visit->number,
               wse_ring_front(&visit->rings[visit->kind->input_rings[queue]],
                              visit->slots))
        .origin;
}

/* When the place in its output queue that it fills next was free. */
static uint32_t output_ready(const WseVisit *visit, guint queue)
{
    return queue == NO_QUEUE
               ? 0
               : wse_ring_back_time(&visit->rings[visit->kind->output_rings[queue]],
                                    visit->slots);
}

/* A step waits for the last of: the step before it, its inputs, its output. */
void wse_watch_ready(WseVisit *visit, guint index, uint32_t last, uint32_t end)
{
    const WseInstruction *instruction = wse_visit_instruction(visit, index);
    const WseSeen *seen = seen_of(visit);
    const uint32_t before = visit->threads[index].at;
    const uint32_t first = input_ready(visit, instruction, instruction->input);
    const uint32_t second = input_ready(visit, instruction, instruction->input2);
    const uint32_t data = MAX(first, second);
    const uint32_t output = output_ready(visit, instruction->output);

    if (seen->spans == NULL) {
        return;
    }
    WseWait *wait = &seen->spans->waits[index];
    const guint queue = second > first ? instruction->input2 : instruction->input;
    const bool has_input = queue != NO_QUEUE;

    if (has_input && end == last + 1 && end > visit->now + 1) {
        wait->origin = input_origin(visit, queue); /* it follows the stream */
        wait->origin += wait->origin == 0 ? 0 : end - 1 - data;
        wait->fed = end;
        wait->data += data > before ? data - before : 0;
    } else if (has_input && data > MAX(before, output)) {
        wait->origin = input_origin(visit, queue);
        wait->fed = data;
        wait->data += data - before;
    } else if (output > before) {
        wait->credits += output - before;
    }
}

void wse_watch_wavelet(WseVisit *visit, guint queue)
{
    const WseSeen *seen = seen_of(visit);

    if (seen->spans != NULL) {
        const WseToken *token = wse_ring_front(
            &visit->rings[visit->kind->input_rings[queue]], visit->slots);

        seen->spans->task =
            (WseWait){.origin = input_origin(visit, queue), .fed = token->head};
    }
}

/* The slot of the token that went into the queue last. */
static const WseToken *last_output(const WseVisit *visit, guint queue)
{
    const WseRing *ring = &visit->rings[visit->kind->output_rings[queue]];

    return wse_ring_at(ring, visit->slots, ring->count - 1u);
}

void wse_watch_step(
    WseVisit *visit, guint index, uint32_t wavelets, uint32_t end, uint32_t stalls)
{
    const WseInstruction *instruction = wse_visit_instruction(visit, index);

    issue(visit, index, wavelets, end, stalls);
    if (instruction->output != NO_QUEUE) {
        const bool is_first =
            visit->threads[index].done == 0 && has_flow(visit, instruction);

        wse_watch_set_trail(visit->region, visit->number,
                            last_output(visit, instruction->output),
                            (WseTrail){.flow = is_first ? flow_of(visit, index) : 0,
                                       .origin = origin_of(visit, index)});
    }
}

void wse_watch_zone(WseVisit *visit, uint32_t when)
{
    const WseSeen *seen = seen_of(visit);
    const WsePe *pe = visit->pe;
    const char *name = g_ptr_array_index(visit->kind->program->zones,
                                         visit->kind->code[pe->zone].target);

    if (seen->spans != NULL && *name != '\0' && pe->zone_since < when) {
        sim_region_slice(visit->region->sim, seen->lane + WSE_UNIT_ZONES, name,
                         wse_watch_time(visit->region, pe->zone_since),
                         wse_watch_time(visit->region, when), NULL);
    }
}

void wse_watch_iteration(WseVisit *visit, uint32_t when)
{
    const WseSeen *seen = seen_of(visit);

    if (seen->spans != NULL) {
        sim_region_mark(visit->region->sim, seen->lane + WSE_UNIT_ZONES, "iteration",
                        wse_watch_time(visit->region, when), NULL);
    }
}

void wse_watch_print(WseRegion *region, uint32_t pe, const ArchWsePrint *print)
{
    g_autofree char *text = arch_wse_print_text(print);

    sim_region_mark(region->sim, region->watch->seen[pe].lane + WSE_UNIT_MAIN,
                    g_intern_string(text), print->when, NULL);
}
