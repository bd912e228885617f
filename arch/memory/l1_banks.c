/* Tracks the cycle from which each bank and port is free. */
#include "arch/memory/l1_banks.h"

#include "sim/narrow.h"

struct ArchL1Banks {
    uint32_t bank_count;
    uint32_t word_bytes;
    uint32_t interleave_bytes;
    bool has_shifts; /* all three are powers of two: these say the same, faster */
    guint interleave_shift;
    uint32_t bank_mask;
    uint32_t word_mask;
    SimTime change_cycles; /* of a word that is read, changed and written back */
    guint port_count;
    SimTime *port_free;
    SimTime *bank_free;
};

static bool is_power_of_two(uint32_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static void find_shifts(ArchL1Banks *self)
{
    self->has_shifts = is_power_of_two(self->bank_count) &&
                       is_power_of_two(self->word_bytes) &&
                       is_power_of_two(self->interleave_bytes);
    self->interleave_shift = (guint) __builtin_ctz(self->interleave_bytes);
    self->bank_mask = self->bank_count - 1;
    self->word_mask = self->word_bytes - 1;
}

ArchL1Banks *arch_l1_banks_new(const ArchParams *params)
{
    ArchL1Banks *self = g_new0(ArchL1Banks, 1);

    self->bank_count = sim_u32(arch_params_uint(params, "l1.bank_count"));
    self->word_bytes = sim_u32(arch_params_uint(params, "l1.bank_word_bytes"));
    self->interleave_bytes =
        sim_u32(arch_params_uint(params, "l1.bank_interleave_bytes"));
    self->change_cycles = arch_params_uint(params, "l1.narrow_write_cycles");
    self->port_count = sim_u32(arch_params_uint(params, "l1.port_count"));
    find_shifts(self);
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

/* The bytes of an address within its word, and its bank. */
static uint64_t into_word(const ArchL1Banks *self, uint64_t at)
{
    return self->has_shifts ? at & self->word_mask : at % self->word_bytes;
}

static SimTime *bank_of(const ArchL1Banks *self, uint64_t at)
{
    return &self->bank_free[self->has_shifts
                                ? at >> self->interleave_shift & self->bank_mask
                                : at / self->interleave_bytes % self->bank_count];
}

SimTime arch_l1_banks_access(ArchL1Banks *self, const ArchL1Access *access, SimTime now)
{
    g_return_val_if_fail(access->port < self->port_count, now);

    SimTime *port = &self->port_free[access->port];
    const uint64_t end = (uint64_t) access->address + access->bytes;
    SimTime done = now;

    for (uint64_t at = access->address; at < end;) {
        const uint64_t into = into_word(self, at);
        const uint64_t next = at - into + self->word_bytes;
        const bool is_whole = into == 0 && next <= end;
        const bool is_changed =
            access->op == ARCH_L1_ATOMIC || (access->op == ARCH_L1_WRITE && !is_whole);
        SimTime *bank = bank_of(self, at);
        const SimTime start = MAX(MAX(now, *port), *bank);

        done = start + (is_changed ? self->change_cycles : 1);
        *port = done;
        *bank = done;
        at = next;
    }
    return done;
}
