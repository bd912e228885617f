/* A DRAM channel: one bus that reads and writes take in turns, and a small write buffer
 * before it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

/* Numbers shared by all channels of a chip. */
typedef struct {
    uint32_t flit_cost; /* of the bus, in NOC_CYCLE parts */
    SimTime read_latency;
    SimTime write_ack;
    SimTime turnaround; /* of the bus, from reads to writes or back */
    guint turn_flits;   /* after which the other direction has its turn, if it waits */
    SimTime refresh_interval;
    SimTime refresh;    /* the bus rests so long in every interval but the first */
    guint buffer_flits; /* of writes, at most NOC_DRAM_BUFFER_MOST */
    guint queue_commands;
    uint64_t burst_bytes;  /* what is written in one piece */
    SimTime partial_write; /* of the bus, to read and merge the rest of a piece */
} NocDramNumbers;

enum {
    NOC_DRAM_BUFFER_MOST = 256, /* flits, a power of two */
};

/* Times in NOC_CYCLE parts. */
typedef struct {
    uint64_t read_free;  /* when the next data can start */
    uint64_t write_done; /* when all data written so far has drained */
    uint64_t drains[NOC_DRAM_BUFFER_MOST]; /* a ring: of each of the last flits */
    guint written;                         /* flits so far, its next place */
    guint turn_written;                    /* flits, since reads had their turn */
    bool is_writing;                       /* the bus's last direction */
} NocDramChannel;

NocDramNumbers noc_dram_numbers_read(const ArchParams *params);

/* When the data of a request that arrives at `now` begins to leave. */
SimTime noc_dram_channel_read(NocDramChannel *self,
                              const NocDramNumbers *numbers,
                              SimTime now,
                              guint flits);

/* The cost to the port of a data flit taken at `now`. */
uint32_t noc_dram_channel_write_flit(NocDramChannel *self,
                                     const NocDramNumbers *numbers,
                                     SimTime now);

/* When a write of `bytes` to `address` whose last flit arrived at `now` is
 * acknowledged. The bus may have to merge its ends with what is there already, which
 * the acknowledgement does not wait for. */
SimTime noc_dram_channel_write_end(NocDramChannel *self,
                                   const NocDramNumbers *numbers,
                                   SimTime now,
                                   uint64_t address,
                                   uint64_t bytes);
