/* The DRAM banks behind a memory channel. A bank has one open row, in pages of
 * consecutive addresses that go round the banks. Another row takes a precharge and an
 * activation, which banks do side by side while others move data. All banks rest while
 * they are refreshed. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

typedef struct {
    uint64_t row;    /* open, or NERO_NO_ROW */
    SimTime next_at; /* activation, at the earliest */
    SimTime free_at; /* end of the last data */
} NeroBank;

#define NERO_NO_ROW UINT64_MAX

typedef struct {
    NeroBank *banks;
    guint count;
    uint64_t page_bytes;
    SimTime activate_cycles;
    SimTime precharge_cycles;
    SimTime row_cycles; /* from an activation of a bank to its next one */
    SimTime refresh_cycles;
    SimTime interval_cycles; /* between refreshes; 0: none */
    SimTime next_refresh;
    uint64_t openings; /* rows that were opened */
    uint64_t refreshes;
} NeroBanks;

/* Numbers from section [memory]; `channel` of `channels`. Channels of one controller
 * are refreshed together, controllers one after another. */
void nero_banks_init(NeroBanks *self,
                     const ArchParams *params,
                     guint channel,
                     guint channels);
void nero_banks_clear(NeroBanks *self);

/* Refreshes that are due before data flow at `begin`; the data bus is free from
 * `idle_from` on. Returns when data may flow, `begin` or later. */
SimTime nero_banks_refresh(NeroBanks *self, SimTime idle_from, SimTime begin);

/* When data of a burst that came at `since` can flow, if its rows are opened as soon as
 * their banks are free. */
SimTime nero_banks_ready(const NeroBanks *self,
                         uint64_t address,
                         uint64_t bytes,
                         SimTime since);
/* Opens these rows. Returns when data can flow, `begin` or later. */
SimTime nero_banks_open(
    NeroBanks *self, uint64_t address, uint64_t bytes, SimTime since, SimTime begin);
/* The data of a burst have passed at `end`. */
void nero_banks_close(NeroBanks *self, uint64_t address, uint64_t bytes, SimTime end);
