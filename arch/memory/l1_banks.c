/* Tracks the cycle from which each bank and port is free. */
#include "arch/memory/l1_banks.h"

#include "sim/narrow.h"

struct ArchL1Banks {
    uint32_t bank_count;
    uint32_t word_bytes;
    uint32_t interleave_bytes;
    SimTime change_cycles; /* of a word that is read, changed and written back */
    guint port_count;
    SimTime *port_free;
    SimTime *bank_free;
};

ArchL1Banks *arch_l1_banks_new(const ArchParams *params)
{
    ArchL1Banks *self = g_new0(ArchL1Banks, 1);

    self->bank_count = sim_u32(arch_params_uint(params, "l1.bank_count"));
    self->word_bytes = sim_u32(arch_params_uint(params, "l1.bank_word_bytes"));
    self->interleave_bytes =
        sim_u32(arch_params_uint(params, "l1.bank_interleave_bytes"));
    self->change_cycles = arch_params_uint(params, "l1.narrow_write_cycles");
    self->port_count = sim_u32(arch_params_uint(params, "l1.port_count"));
    self->port_free = g_new0(SimTime, self->port_count);
    self->bank_free = g_new0(SimTime, self->bank_count);
    return self;
}

void arch_l1_banks_free(ArchL1Banks *self)
{
    if (self != NULL) {
        g_free(self->port_free);
        g_free(self->bank_free);
        g_free(self);
    }
}

SimTime arch_l1_banks_access(ArchL1Banks *self, const ArchL1Access *access, SimTime now)
{
    g_return_val_if_fail(access->port < self->port_count, now);

    SimTime *port = &self->port_free[access->port];
    const uint64_t end = (uint64_t) access->address + access->bytes;
    SimTime done = now;

    for (uint64_t at = access->address; at < end;) {
        const uint64_t next = (at / self->word_bytes + 1) * self->word_bytes;
        const bool is_whole = at % self->word_bytes == 0 && next <= end;
        const bool is_changed =
            access->op == ARCH_L1_ATOMIC || (access->op == ARCH_L1_WRITE && !is_whole);
        SimTime *bank =
            &self->bank_free[at / self->interleave_bytes % self->bank_count];
        const SimTime start = MAX(MAX(now, *port), *bank);

        done = start + (is_changed ? self->change_cycles : 1);
        *port = done;
        *bank = done;
        at = next;
    }
    return done;
}
