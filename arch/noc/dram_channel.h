/* A DRAM channel as the network sees it: rates, latencies and a small write buffer. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

/* Numbers shared by all channels of a chip; costs in NOC_CYCLE parts. */
typedef struct {
    uint32_t read_cost;  /* of a flit */
    uint32_t write_cost; /* of a flit */
    SimTime read_latency;
    SimTime page_read_latency;
    SimTime write_ack;
    SimTime page_write_ack;
    uint64_t buffer_flits;
    guint queue_commands;
    const uint64_t *small_bytes; /* sizes that take a least time ... */
    const uint64_t *small_cycles;
    gsize small_count;
} NocDramNumbers;

typedef struct {
    uint64_t read_free;  /* when the next data can start, in NOC_CYCLE parts */
    uint64_t write_done; /* when all data written so far has drained */
} NocDramChannel;

NocDramNumbers noc_dram_numbers_read(const ArchParams *params);

/* When the data of a request that arrives at `now` begins to leave. */
SimTime noc_dram_channel_read(NocDramChannel *self,
                              const NocDramNumbers *numbers,
                              SimTime now,
                              guint flits,
                              bool is_page);

/* The cost to the port of a data flit taken at `now`. */
uint32_t noc_dram_channel_write_flit(NocDramChannel *self,
                                     const NocDramNumbers *numbers,
                                     SimTime now);

/* When a write of `bytes` whose last flit arrived at `now` is acknowledged. */
SimTime noc_dram_channel_write_end(NocDramChannel *self,
                                   const NocDramNumbers *numbers,
                                   SimTime now,
                                   uint64_t bytes,
                                   bool is_page);
