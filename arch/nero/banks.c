/* Opens rows of DRAM banks and refreshes them. */
#include "arch/nero/banks.h"

#include "sim/narrow.h"

enum {
    NANO = 1000000000,
};

/* Whole cycles of a key in ns, rounded up. */
static SimTime cycles_of(const ArchParams *params, const char *key)
{
    const uint64_t clock_hz = arch_params_uint(params, "chip.clock_hz");

    return (arch_params_uint(params, key) * clock_hz + NANO - 1) / NANO;
}

static void close_rows(NeroBanks *self, SimTime free_at)
{
    for (guint i = 0; i < self->count; i++) {
        self->banks[i].row = NERO_NO_ROW;
        self->banks[i].free_at = MAX(self->banks[i].free_at, free_at);
    }
}

void nero_banks_init(NeroBanks *self,
                     const ArchParams *params,
                     guint channel,
                     guint channels)
{
    const guint controllers =
        sim_u32(MIN(arch_params_uint(params, "memory.controller_count"), channels));
    const guint controller = channel * controllers / channels;

    *self = (NeroBanks){
        .count = sim_u32(arch_params_uint(params, "memory.bank_count")),
        .page_bytes = arch_params_uint(params, "memory.page_bytes"),
        .activate_cycles = cycles_of(params, "memory.activate_ns"),
        .precharge_cycles = cycles_of(params, "memory.precharge_ns"),
        .row_cycles = cycles_of(params, "memory.row_cycle_ns"),
        .refresh_cycles = cycles_of(params, "memory.refresh_ns"),
        .interval_cycles = cycles_of(params, "memory.refresh_interval_ns"),
    };
    self->next_refresh = self->interval_cycles * (controller + 1) / controllers;
    self->banks = g_new0(NeroBank, self->count);
    close_rows(self, 0);
}

void nero_banks_clear(NeroBanks *self)
{
    g_clear_pointer(&self->banks, g_free);
}

SimTime nero_banks_refresh(NeroBanks *self, SimTime idle_from, SimTime begin)
{
    while (self->interval_cycles > 0 && self->next_refresh <= begin) {
        const SimTime end = MAX(self->next_refresh, idle_from) + self->refresh_cycles;

        begin = MAX(begin, end);
        idle_from = MAX(idle_from, end);
        self->next_refresh += MAX(self->interval_cycles, self->refresh_cycles + 1);
        self->refreshes++;
        close_rows(self, end);
    }
    return begin;
}

/* When a row can be activated: what is open is closed first, and neither comes sooner
 * than the bank may be activated again. */
static SimTime activation(const NeroBanks *self, const NeroBank *bank, SimTime since)
{
    const SimTime closed = bank->row == NERO_NO_ROW ? 0 : self->precharge_cycles;

    return MAX(MAX(since, bank->free_at) + closed, bank->next_at);
}

/* When data of a page can flow; 0: its row is open. */
static SimTime page_ready(const NeroBanks *self, uint64_t page, SimTime since)
{
    const NeroBank *bank = &self->banks[page % self->count];

    return bank->row == page / self->count
               ? 0
               : activation(self, bank, since) + self->activate_cycles;
}

static uint64_t last_page(const NeroBanks *self, uint64_t address, uint64_t bytes)
{
    return (address + MAX(bytes, 1) - 1) / self->page_bytes;
}

SimTime
nero_banks_ready(const NeroBanks *self, uint64_t address, uint64_t bytes, SimTime since)
{
    const uint64_t last = last_page(self, address, bytes);
    SimTime ready = 0;

    for (uint64_t page = address / self->page_bytes; page <= last; page++) {
        const SimTime one = page_ready(self, page, since);

        ready = MAX(ready, one);
    }
    return ready;
}

SimTime nero_banks_open(
    NeroBanks *self, uint64_t address, uint64_t bytes, SimTime since, SimTime begin)
{
    const uint64_t last = last_page(self, address, bytes);

    for (uint64_t page = address / self->page_bytes; page <= last; page++) {
        NeroBank *bank = &self->banks[page % self->count];
        const SimTime ready = page_ready(self, page, since);

        if (bank->row != page / self->count) {
            bank->next_at = ready - self->activate_cycles + self->row_cycles;
            bank->row = page / self->count;
            self->openings++;
        }
        begin = MAX(begin, ready);
    }
    return begin;
}

void nero_banks_close(NeroBanks *self, uint64_t address, uint64_t bytes, SimTime end)
{
    const uint64_t last = last_page(self, address, bytes);

    for (uint64_t page = address / self->page_bytes; page <= last; page++) {
        self->banks[page % self->count].free_at = end;
    }
}
