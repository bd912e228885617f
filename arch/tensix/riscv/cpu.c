/* Baby RISC-Vs: their text and their state. */
#include "arch/tensix/riscv/cpu.h"

#include "sim/narrow.h"

enum {
    SP = 2,
    LINE_BYTES = 16,
};

RiscvCode *riscv_code_new(uint32_t address, const uint32_t *words, guint count)
{
    RiscvCode *self = g_new0(RiscvCode, 1);

    self->address = address;
    self->count = count;
    self->instructions = g_new(RiscvInstruction, (gsize) count + 1);
    for (guint i = 0; i < count; i++) {
        self->instructions[i] = riscv_decode(words[i]);
        self->instructions[i].line = (address + 4 * i) / LINE_BYTES + 1;
        self->instructions[i].begins_line = (address + 4 * i) % LINE_BYTES == 0;
    }
    self->instructions[count] = riscv_decode(0); /* which no program contains */
    return self;
}

void riscv_code_free(RiscvCode *self)
{
    if (self != NULL) {
        g_free(self->instructions);
        g_free(self);
    }
}

void riscv_cpu_init(RiscvCpu *self,
                    const RiscvCode *code,
                    const RiscvNumbers *numbers,
                    uint32_t entry)
{
    g_return_if_fail((entry - code->address) / 4 < code->count);

    *self = (RiscvCpu){
        .code = code,
        .numbers = numbers,
        .retire_at = G_MAXUINT64,
        .next = &code->instructions[(entry - code->address) / 4],
        .lines = g_new0(uint32_t, MAX(numbers->cache_lines, 1)),
        .jumped = g_malloc0(code->count),
        .local = g_malloc0(numbers->local_bytes),
        .visits = g_new0(uint64_t, (gsize) code->count + 2),
        .spent = g_new0(uint64_t, ((gsize) code->count + 1) * ARCH_RISCV_REASONS)};
    self->visits[(entry - code->address) / 4] = 1;
    self->x[SP] = numbers->local_address + numbers->local_bytes;
}

void riscv_cpu_clear(RiscvCpu *self)
{
    g_clear_pointer(&self->lines, g_free);
    g_clear_pointer(&self->jumped, g_free);
    g_clear_pointer(&self->local, g_free);
    g_clear_pointer(&self->visits, g_free);
    g_clear_pointer(&self->spent, g_free);
}

uint32_t riscv_cpu_pc(const RiscvCpu *self)
{
    return self->code->address + 4 * sim_u32(self->next - self->code->instructions);
}

void riscv_cpu_note(RiscvCpu *self, SimTime cycles, ArchRiscvReason reason)
{
    const gsize at = (gsize) (self->next - self->code->instructions) - 1;

    self->spent[at * ARCH_RISCV_REASONS + reason] += cycles;
}

void riscv_cpu_spend(RiscvCpu *self, SimTime cycles, ArchRiscvReason reason)
{
    self->now += cycles;
    riscv_cpu_note(self, cycles, reason);
}

void riscv_cpu_add_up(RiscvCpu *self)
{
    uint64_t count = 0;

    self->visits[self->next - self->code->instructions]--;
    for (guint i = 0; i < self->code->count; i++) {
        count += self->visits[i];
        self->spent[(gsize) i * ARCH_RISCV_REASONS + ARCH_RISCV_RUNS] += count;
    }
}
