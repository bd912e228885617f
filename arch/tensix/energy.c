/* Energy by part: keys of [power] and what they are multiplied with. */
#include "arch/tensix/core.h"
#include "arch/tensix_energy.h"
#include "sim/counter.h"

#define PICO 1e-12

typedef struct {
    const char *name;
    const char *unit;
    const char *key;
    double scale; /* joules for one of the key's */
} Part;

static const Part parts[ARCH_TENSIX_PARTS] = {
    [ARCH_TENSIX_IDLE] = {"idle", "seconds", "power.idle_watts", 1},
    [ARCH_TENSIX_CORE] = {"core", "cycles", "power.core_picojoules_per_cycle", PICO},
    [ARCH_TENSIX_FPU] = {"fpu", "cycles", "power.fpu_picojoules_per_cycle", PICO},
    [ARCH_TENSIX_SFPU] = {"sfpu", "cycles", "power.sfpu_picojoules_per_cycle", PICO},
    [ARCH_TENSIX_UNPACKER] = {"unpacker", "cycles",
                              "power.unpacker_picojoules_per_cycle", PICO},
    [ARCH_TENSIX_PACKER] = {"packer", "cycles", "power.packer_picojoules_per_cycle",
                            PICO},
    [ARCH_TENSIX_RISCV] = {"riscv", "cycles", "power.riscv_picojoules_per_cycle", PICO},
    [ARCH_TENSIX_L1] = {"l1", "bytes", "power.l1_picojoules_per_byte", PICO},
    [ARCH_TENSIX_NOC] = {"noc", "bytes times links",
                         "power.noc_picojoules_per_byte_hop", PICO},
    [ARCH_TENSIX_DRAM] = {"dram", "bytes", "power.dram_picojoules_per_byte", PICO},
    [ARCH_TENSIX_ETHERNET] = {"ethernet", "bytes", "power.ethernet_picojoules_per_byte",
                              PICO},
};

const char *arch_tensix_part_name(ArchTensixPart part)
{
    return parts[part].name;
}

const char *arch_tensix_part_unit(ArchTensixPart part)
{
    return parts[part].unit;
}

/* The unit of that name, or ARCH_TENSIX_RISCV: all other lanes are RISC-Vs. */
static ArchTensixPart part_of_lane(const char *name)
{
    for (guint i = ARCH_TENSIX_FPU; i <= ARCH_TENSIX_PACKER; i++) {
        if (g_str_equal(name, parts[i].name)) {
            return (ArchTensixPart) i;
        }
    }
    return ARCH_TENSIX_RISCV;
}

void arch_tensix_activity_add(ArchTensixActivity *self,
                              const GArray *uses,
                              ArchTensixSpan span)
{
    self->done[ARCH_TENSIX_CORE] += (double) span.cycles * span.core_count;
    for (guint i = 0; i < uses->len; i++) {
        const ArchTensixUse *use = &g_array_index(uses, ArchTensixUse, i);
        const ArchTensixPart part = part_of_lane(use->name);
        const bool is_on = part == ARCH_TENSIX_RISCV ? !g_str_equal(use->reason, "idle")
                                                     : g_str_equal(use->reason, "busy");

        self->done[part] += is_on ? (double) use->cycles : 0;
    }
}

static double counted(const ArchTensix *tensix, const char *counter)
{
    return (double) sim_engine_counter_total(
        tensix->engine, sim_engine_counter(tensix->engine, counter));
}

void arch_tensix_activity_count(ArchTensixActivity *self, const ArchTensix *tensix)
{
    self->done[ARCH_TENSIX_L1] = counted(tensix, "sram_bytes") +
                                 counted(tensix, "received_bytes") +
                                 counted(tensix, "sent_bytes");
    self->done[ARCH_TENSIX_NOC] =
        (double) (arch_wormhole_noc_flit_hops(tensix->noc) *
                  arch_params_uint(tensix->params, "noc.flit_bytes"));
    self->done[ARCH_TENSIX_DRAM] = counted(tensix, "dram_bytes");
    self->done[ARCH_TENSIX_ETHERNET] = counted(tensix, "ethernet_bytes");
}

ArchEnergy
arch_tensix_part_energy(const ArchParams *params, ArchTensixPart part, double done)
{
    const Part *self = &parts[part];
    const ArchRange *range = arch_params_find(params, self->key)->range;
    const bool is_certain = range == NULL || arch_range_is_fixed(range);
    const double value = arch_params_real(params, self->key);
    const double amount = done * self->scale;

    return (ArchEnergy){
        .joules = value * amount,
        .low = (is_certain ? value : arch_range_level(range, 0)) * amount,
        .high = (is_certain ? value : arch_range_level(range, 1)) * amount,
    };
}
