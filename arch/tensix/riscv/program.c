/* Compiled kernels: checks them, and reads what their RISC-V costs. */
#include "arch/tensix/riscv/program.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/core.h"
#include "sim/narrow.h"

enum {
    LINE_BYTES = 16,
    LINE_INSTRUCTIONS = 4,
};

#define LOCAL_ADDRESS 0xffb00000u

/* By ArchRiscvIndex. The miss of a line costs what its instructions do more than one
 * cycle each. */
static const struct {
    const char *cache;
    const char *miss; /* cycles per instruction */
    const char *local;
} keys[ARCH_RISCVS] = {
    [ARCH_RISCV_B] = {"riscv.b_cache_bytes", "riscv.b_miss_cycles_per_instruction",
                      "riscv.mover_local_bytes"},
    [ARCH_RISCV_NC] = {"riscv.nc_cache_bytes", "riscv.b_miss_cycles_per_instruction",
                       "riscv.mover_local_bytes"},
    [ARCH_RISCV_T0] = {"riscv.t0_cache_bytes", "riscv.t0_miss_cycles_per_instruction",
                       "riscv.compute_local_bytes"},
    [ARCH_RISCV_T1] = {"riscv.t1_cache_bytes", "riscv.t1_miss_cycles_per_instruction",
                       "riscv.compute_local_bytes"},
    [ARCH_RISCV_T2] = {"riscv.t2_cache_bytes", "riscv.t2_miss_cycles_per_instruction",
                       "riscv.compute_local_bytes"},
};

static guint number(const ArchParams *params, const char *key)
{
    return sim_u32(arch_params_uint(params, key));
}

/* The largest power of two of lines that the cache has. */
static guint lines_of(guint bytes)
{
    const guint lines = bytes / LINE_BYTES;

    return lines == 0 ? 0 : 1u << (g_bit_storage(lines) - 1);
}

static SimRatio miss_of(SimRatio instruction)
{
    SimRatio line = {0, instruction.den};

    if (instruction.num > instruction.den) {
        line.num = LINE_INSTRUCTIONS * (instruction.num - instruction.den);
    }
    return line;
}

static RiscvNumbers numbers_of(const ArchParams *params, ArchRiscvIndex index)
{
    return (RiscvNumbers){
        .multiply_cycles = number(params, "riscv.multiply_cycles"),
        .divide_least_cycles = number(params, "riscv.divide_least_cycles"),
        .divide_most_cycles = number(params, "riscv.divide_most_cycles"),
        .divide_start_cycles = number(params, "riscv.divide_start_cycles"),
        .branch_cycles = arch_params_ratio(params, "riscv.branch_taken_cycles"),
        .local_load_cycles = number(params, "riscv.local_load_cycles"),
        .slot_cycles = number(params, "riscv.load_slot_cycles"),
        .cache_lines = lines_of(number(params, keys[index].cache)),
        .miss_cycles = miss_of(arch_params_ratio(params, keys[index].miss)),
        .local_address = LOCAL_ADDRESS,
        .local_bytes = number(params, keys[index].local),
    };
}

static bool
check(const ArchRiscvText *text, const RiscvNumbers *numbers, GError **error)
{
    if (text->word_count == 0 || text->entry % 4 != 0 ||
        (text->entry - text->address) / 4 >= text->word_count) {
        return arch_refuse(error, "kernel %s has no instruction at its entry 0x%x",
                           text->name, text->entry);
    }
    return text->local_bytes <= numbers->local_bytes ||
           arch_refuse(error,
                       "kernel %s has %u bytes of data, the local memory of its "
                       "processor has %u",
                       text->name, text->local_bytes, numbers->local_bytes);
}

ArchRiscvProgram *arch_riscv_program_new(ArchTensix *tensix,
                                         ArchRiscvIndex index,
                                         const ArchRiscvText *text,
                                         GError **error)
{
    const ArchParams *params = tensix->params;
    const RiscvNumbers numbers = numbers_of(params, index);
    ArchRiscvProgram *self;

    if (!check(text, &numbers, error)) {
        return NULL;
    }
    self = g_new0(ArchRiscvProgram, 1);
    g_atomic_ref_count_init(&self->references);
    self->name = g_strdup(text->name);
    self->code = riscv_code_new(text->address, text->words, text->word_count);
    self->text_address = text->address;
    self->text_bytes = sim_u32(text->word_count * sizeof(uint32_t));
    self->text = g_malloc(self->text_bytes);
    memcpy(self->text, text->words, self->text_bytes);
    self->entry = text->entry;
    self->local = g_malloc0(text->local_bytes);
    if (text->local_bytes > 0) {
        memcpy(self->local, text->local, text->local_bytes);
    }
    self->local_bytes = text->local_bytes;
    self->numbers = numbers;
    self->register_cycles = number(params, "riscv.register_load_cycles");
    self->load_cycles = number(params, "riscv.l1_load_cycles");
    self->store_cycles = arch_params_ratio(params, "riscv.l1_store_cycles");
    return self;
}

ArchRiscvProgram *arch_riscv_program_ref(ArchRiscvProgram *self)
{
    g_atomic_ref_count_inc(&self->references);
    return self;
}

void arch_riscv_program_unref(ArchRiscvProgram *self)
{
    if (self != NULL && g_atomic_ref_count_dec(&self->references)) {
        riscv_code_free(self->code);
        g_free(self->text);
        g_free(self->local);
        g_free(self->name);
        g_free(self);
    }
}

void riscv_program_begin(const ArchRiscvProgram *self, RiscvCpu *cpu)
{
    riscv_cpu_init(cpu, self->code, &self->numbers, self->entry);
    if (self->local_bytes > 0) {
        memcpy(cpu->local, self->local, self->local_bytes);
    }
}
