/* Sums up a run on a wafer: cycles by reason, counters, energy. */
#include <math.h>

#include "arch/wse/fabric.h"
#include "arch/wse/folding.h"
#include "arch/wse/program/operation.h"
#include "arch/wse/region.h"
#include "arch/wse_profile.h"

enum {
    HALF_WORDS = 2,
    WORD_BYTES = 4,
};

#define PICO 1e-12

typedef void (*PeFunc)(const WseFabric *fabric, WsePe *pe, gpointer data);

static void for_each_pe(const WseFabric *fabric, PeFunc func, gpointer data)
{
    for (guint y = 0; y < fabric->layout->rows; y++) {
        for (guint x = 0; x < fabric->layout->columns; x++) {
            uint32_t number = 0;
            const WseRegion *region = wse_fabric_find(fabric, x, y, &number);

            func(fabric, wse_region_pe(region, number), data);
        }
    }
}

/* Whole numbers, which may be added in any order: those of a PE that stands for others
 * at once. */
static void add_pes(const WseFabric *fabric, ArchWseProfile *profile)
{
    for (uint32_t i = 0; i < fabric->pe_count; i++) {
        const uint64_t weight = wse_folding_weight(fabric, i);

        wse_fabric_show(fabric, i);
        const WsePe *pe = wse_region_pe(&fabric->regions[0], i);

        profile->pe_count += weight;
        profile->busy += pe->busy * weight;
        profile->memory_idle += pe->memory_idle * weight;
        profile->cycles = MAX(profile->cycles, pe->end);
    }
}

typedef struct {
    double cycles;
    double mean;
    double squares;
} Spread;

static void add_square(const WseFabric *fabric, WsePe *pe, gpointer data)
{
    Spread *spread = data;
    double off = pe->busy / spread->cycles - spread->mean;

    (void) fabric;
    spread->squares += off * off;
}

static uint64_t executed(const WseFabric *fabric, guint program, guint instruction)
{
    uint64_t elements = 0;

    for (guint i = 0; i < fabric->region_count; i++) {
        elements +=
            fabric->regions[i].executed[fabric->first_code[program] + instruction];
    }
    return elements;
}

static void add_instruction(ArchWseWork *work,
                            uint64_t *by_operation,
                            const ArchWseProgram *program,
                            const WseInstruction *instruction,
                            uint64_t elements)
{
    by_operation[instruction->operation] += elements;
    work->memory_words += elements * instruction->memory_words_x2;
    work->flops += elements * wse_operation_at(instruction->operation)->flops;
    for (guint i = 1; i < instruction->operand_count; i++) {
        const WseDsd *dsd =
            &g_array_index(program->dsds, WseDsd, instruction->operands[i]);

        if (dsd->kind == WSE_FABRIC_IN) {
            work->ramp_words += elements / dsd->elements_per_wavelet;
        }
    }
}

/* Of dynamic operations. */
static void
add_moved(ArchWseWork *work, const WseFabric *fabric, guint program, guint instruction)
{
    for (guint i = 0; i < fabric->region_count; i++) {
        const WseMoved *moved =
            &fabric->regions[i].moved[fabric->first_code[program] + instruction];

        work->memory_words += moved->half_words;
        work->ramp_words += moved->ramp_words;
    }
}

static bool is_meant(const ArchWseProgram *program, const char *name)
{
    return name == NULL || g_str_equal(program->name, name);
}

static void add_program(ArchWseWork *work,
                        uint64_t *by_operation,
                        const WseFabric *fabric,
                        guint index)
{
    const ArchWseProgram *program = g_ptr_array_index(fabric->layout->programs, index);

    for (guint i = 0; i < program->instructions->len; i++) {
        const WseInstruction *instruction =
            &g_array_index(program->instructions, WseInstruction, i);

        if (instruction->code == WSE_VECTOR) {
            add_instruction(work, by_operation, program, instruction,
                            executed(fabric, index, i));
            add_moved(work, fabric, index, i);
        }
    }
}

/* What programs that are meant have executed, without their PEs. */
static ArchWseWork executed_by(const WseFabric *fabric, const char *name)
{
    const GPtrArray *programs = fabric->layout->programs;
    ArchWseWork work = {
        .operations = g_array_new(FALSE, FALSE, sizeof(ArchWseExecuted)),
    };
    g_autofree uint64_t *by_operation = g_new0(uint64_t, wse_operation_count());

    for (guint i = 0; i < programs->len; i++) {
        if (is_meant(g_ptr_array_index(programs, i), name)) {
            add_program(&work, by_operation, fabric, i);
        }
    }
    work.memory_words /= HALF_WORDS;
    for (guint i = 0; i < wse_operation_count(); i++) {
        ArchWseExecuted entry = {
            .name = wse_operation_at(i)->name,
            .elements = by_operation[i],
        };

        if (entry.elements > 0) {
            g_array_append_val(work.operations, entry);
        }
    }
    return work;
}

static void add_pe_cycles(ArchWseWork *work, ArchWsePeProfile pe)
{
    work->pe_count++;
    work->busy += pe.busy;
    work->memory_idle += pe.memory_idle;
}

ArchWseWork arch_wse_work(const ArchWse *self, const char *program)
{
    const WseFabric *fabric = wse_fabric_of(self);
    const ArchWseLayout *layout = fabric->layout;
    ArchWseWork work = executed_by(fabric, program);

    for (guint i = 0; i < layout->columns * layout->rows; i++) {
        const guint index = layout->program_of[i];

        if (index != ARCH_WSE_NONE &&
            is_meant(g_ptr_array_index(layout->programs, index), program)) {
            add_pe_cycles(&work, arch_wse_pe_profile(self, i % layout->columns,
                                                     i / layout->columns));
        }
    }
    return work;
}

void arch_wse_work_clear(ArchWseWork *work)
{
    g_clear_pointer(&work->operations, g_array_unref);
}

ArchWseFlops arch_wse_flops(const ArchWse *self)
{
    g_auto(ArchWseWork) work = executed_by(wse_fabric_of(self), NULL);
    ArchWseFlops flops = {0};

    for (guint i = 0; i < work.operations->len; i++) {
        const ArchWseExecuted *done =
            &g_array_index(work.operations, ArchWseExecuted, i);
        guint index = 0;
        bool is_known = wse_operation_find(done->name, &index);
        const WseOperation *operation = wse_operation_at(index);
        uint64_t *const counters[] = {[WSE_ARITHMETIC_F32] = &flops.f32,
                                      [WSE_ARITHMETIC_F16] = &flops.f16,
                                      [WSE_ARITHMETIC_MIXED] = &flops.mixed};

        g_assert(is_known);
        *counters[wse_operation_arithmetic(operation)] +=
            done->elements * operation->flops;
    }
    return flops;
}

ArchWseProfile arch_wse_profile(const ArchWse *self)
{
    const WseFabric *fabric = wse_fabric_of(self);
    ArchWseProfile profile = {0};

    add_pes(fabric, &profile); /* first, as it lets those that nap catch up */
    g_auto(ArchWseWork) work = executed_by(fabric, NULL);

    for (guint i = 0; i < fabric->region_count; i++) {
        profile.link_wavelets += fabric->regions[i].link_wavelets;
    }
    profile.flops = work.flops;
    profile.ramp_wavelets = work.ramp_words;
    profile.memory_bytes = WORD_BYTES * work.memory_words;
    return profile;
}

double arch_wse_busy_deviation(const ArchWse *self)
{
    const WseFabric *fabric = wse_fabric_of(self);
    ArchWseProfile all = {0};

    add_pes(fabric, &all);
    Spread spread = {.cycles = (double) all.cycles};

    if (all.cycles == 0) {
        return 0;
    }
    spread.mean = (double) all.busy / (double) all.pe_count / spread.cycles;
    for_each_pe(fabric, add_square, &spread);
    return sqrt(spread.squares / (double) all.pe_count);
}

ArchWsePeProfile arch_wse_pe_profile(const ArchWse *self, guint x, guint y)
{
    uint32_t number = 0;
    const WseRegion *region = wse_fabric_find(wse_fabric_of(self), x, y, &number);
    const WsePe *pe = wse_region_pe(region, number);

    return (ArchWsePeProfile){
        .busy = pe->busy,
        .memory_idle = pe->memory_idle,
        .end = pe->end,
    };
}

GArray *arch_wse_iterations(const ArchWse *self)
{
    const WseFabric *fabric = wse_fabric_of(self);
    GArray *iterations = g_array_new(FALSE, TRUE, sizeof(ArchWseIteration));

    for (guint i = 0; i < fabric->region_count; i++) {
        const GArray *ends = fabric->regions[i].ends;

        if (ends->len > iterations->len) {
            g_array_set_size(iterations, ends->len);
        }
        for (guint j = 0; j < ends->len; j++) {
            const WseEnds *end = &g_array_index(ends, WseEnds, j);
            ArchWseIteration *iteration =
                &g_array_index(iterations, ArchWseIteration, j);

            if (end->count > 0 &&
                (iteration->pe_count == 0 || end->first < iteration->first)) {
                iteration->first = end->first;
            }
            iteration->iteration = j;
            iteration->pe_count += end->count;
            iteration->last = MAX(iteration->last, end->last);
            iteration->mean += (double) end->sum; /* whole and below 2^53: exact */
        }
    }
    for (guint j = 0; j < iterations->len; j++) {
        ArchWseIteration *iteration = &g_array_index(iterations, ArchWseIteration, j);

        iteration->mean /= (double) iteration->pe_count;
    }
    return iterations;
}

static void add_zone(GArray *zones, const char *name, double cycles)
{
    const ArchWseZone zone = {.name = name, .cycles = cycles};

    for (guint i = 0; i < zones->len; i++) {
        if (g_array_index(zones, ArchWseZone, i).name == name) {
            g_array_index(zones, ArchWseZone, i).cycles += cycles;
            return;
        }
    }
    g_array_append_val(zones, zone);
}

GArray *arch_wse_zones(const ArchWse *self, const char *program)
{
    const WseFabric *fabric = wse_fabric_of(self);
    GArray *zones = g_array_new(FALSE, FALSE, sizeof(ArchWseZone));
    const double pes = (double) fabric->layout->columns * fabric->layout->rows;

    for (guint i = 0; i < fabric->layout->programs->len; i++) {
        const ArchWseProgram *each = g_ptr_array_index(fabric->layout->programs, i);

        if (!is_meant(each, program)) {
            continue;
        }
        for (guint j = 0; j < each->instructions->len; j++) {
            const WseInstruction *instruction =
                &g_array_index(each->instructions, WseInstruction, j);
            const char *name = instruction->code == WSE_ZONE
                                   ? g_ptr_array_index(each->zones, instruction->target)
                                   : "";

            if (*name != '\0') {
                add_zone(zones, name, (double) executed(fabric, i, j));
            }
        }
    }
    for (guint i = 0; i < zones->len; i++) {
        g_array_index(zones, ArchWseZone, i).cycles /= pes;
    }
    return zones;
}

GArray *arch_wse_phases(const ArchWse *self)
{
    const WseFabric *fabric = wse_fabric_of(self);
    GArray *phases = g_array_new(FALSE, TRUE, sizeof(ArchWsePhase));
    double pes = (double) fabric->layout->columns * fabric->layout->rows;

    for (guint i = 1; i < fabric->phases->len; i++) {
        ArchWsePhase phase = {.name = g_ptr_array_index(fabric->phases, i)};
        uint64_t cycles = 0;

        for (guint j = 0; j < fabric->region_count; j++) {
            cycles += fabric->regions[j].phase_cycles[i];
            phase.streams = MAX(phase.streams, fabric->regions[j].phase_streams[i]);
        }
        phase.cycles = (double) cycles / pes;
        g_array_append_val(phases, phase);
    }
    return phases;
}

double arch_wse_idle_joules(const ArchWse *self, uint64_t cycles)
{
    const WseFabric *fabric = wse_fabric_of(self);
    double seconds =
        (double) cycles / (double) arch_params_uint(fabric->params, "chip.clock_hz");

    return arch_params_real(fabric->params, "power.idle_watts") * seconds;
}

double arch_wse_busy_joules(const ArchWse *self, uint64_t busy)
{
    return (double) busy * PICO *
           arch_params_real(wse_fabric_of(self)->params,
                            "power.busy_picojoules_per_cycle");
}
