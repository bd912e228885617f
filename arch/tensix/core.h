/* One Tensix core, put together: its memory, its buffers, its five RISC-Vs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix.h"
#include "arch/tensix/circular_buffer.h"
#include "arch/tensix/l1.h"
#include "sim/counter.h"
#include "sim/lane.h"

typedef struct TensixCompute TensixCompute; /* arch/tensix/compute/compute.h */

enum {
    MOVERS = 2,
    TENSIX_COMPUTE_REGIONS = 4, /* independent of the number of threads, so that results
                                 * agree */
};

struct ArchTensixCore {
    ArchTensix *owner;
    guint x;
    guint y;
    ArchTile tile;
    guint index; /* x + columns * y */
    char *name;
    guint region;
    TensixL1 *l1; /* made on first use */
    CircularBuffer buffers[CIRCULAR_BUFFERS];
    uint32_t moved[TENSIX_CB_DOMAINS]; /* buffers with moves to send, a bit each */
    TensixCompute *compute;            /* NULL: no compute kernel in this program */
    struct ArchMover *movers[MOVERS];  /* NULL: no kernel */
    uint32_t flows[MOVERS];            /* flows begun so far, for the watcher */
    TensixCause cause; /* of the change of L1, or end of a transfer, being reported */
};

struct ArchTensix {
    SimEngine *engine;
    const ArchParams *params;
    ArchDram *dram;
    ArchWormholeNoc *noc;
    ArchFabric *fabric;
    ArchTensixOptions options;
    guint columns;
    guint rows;
    ArchTensixCore *cores;
    ArchTensixCore **core_by_tile; /* NULL where there is none */
    guint region_count;
    SimTime window;   /* cycles until the other side sees a counter */
    SimTime start;    /* of the program */
    bool has_program; /* from its start until arch_tensix_finish() */
    struct TensixMoverNumbers *mover_numbers; /* made on first use */
    struct TensixRaces *races;                /* NULL: nobody looks for them */
    SimCounter received_bytes;                /* by cores, from the networks */
    SimCounter sent_bytes;                    /* by cores, into the networks */
    SimCounter ethernet_bytes;                /* to other chips */
    SimCounter dram_bytes;
    SimCounter flops;   /* of movers, in software */
    SimLane core_lanes; /* the first ones, see arch/tensix/core_lane.h */
    SimLane dram_lanes;
};

/* Begins the program, unless it has begun already. Called when a kernel starts; the
 * cycles of lanes count from then on. */
void tensix_begin(ArchTensix *self);

/* A SimAuditFunc: who waits. `data` is the ArchTensix. */
void tensix_audit(gpointer data, GPtrArray *lines);

/* Who would push to a circular buffer, or pop from it, and who would change a word of
 * the L1, by what they did before; the caller frees it. */
char *tensix_core_cb_ending(const ArchTensixCore *core, guint cb, bool is_push);
char *tensix_core_word_ending(const ArchTensixCore *core, uint32_t address);

/* See ArchFamily. */
uint64_t tensix_progress(const ArchTensix *self, SimTime now);

/* The core at a tile; NULL if there is none. */
ArchTensixCore *tensix_core_at(const ArchTensix *self, ArchTile tile);

/* Keys of events in a core's regions: one component per core. */
SimKey tensix_core_key(const ArchTensixCore *core, guint16 port);

enum {
    TENSIX_CORE_PORT_BUFFERS = 0, /* + index */
    TENSIX_CORE_PORT_COMPUTE = 64,
    TENSIX_CORE_PORT_MOVERS = 65, /* + index */
};

/* Sends a domain's moves in its circular buffers. Call it at the end of an event. */
static inline void tensix_core_send_moves(ArchTensixCore *core, TensixCbDomain domain)
{
    while (core->moved[domain] != 0) {
        const guint index = (guint) g_bit_nth_lsf(core->moved[domain], -1);

        core->moved[domain] &= core->moved[domain] - 1;
        tensix_cb_send(&core->buffers[index], domain);
    }
}

/* One line per circular buffer that is in use, "cb 3: 2 of 8 pages", as `domain` sees
 * it; TENSIX_CB_DOMAINS: as it is, while the engine is at rest. For reports. The caller
 * frees it. */
char *tensix_core_fill_levels(const ArchTensixCore *core, TensixCbDomain domain);

/* core->l1, made on first use: before the engine runs, or in region 0. */
TensixL1 *tensix_core_l1(ArchTensixCore *core);

/* Wakes kernels that wait for these bytes of the L1, which have changed in region 0. */
void tensix_core_l1_changed(ArchTensixCore *core, uint64_t address, uint64_t bytes);

/* Writes arriving bytes to the L1, in region 0. */
void tensix_core_put(ArchTensixCore *core,
                     uint64_t address,
                     const guint8 *bytes,
                     gsize count);

/* Increments a semaphore, a word of the L1, in region 0. Fails with ARCH_ERROR_INVALID
 * if it would overflow. */
bool tensix_core_increment(ArchTensixCore *core,
                           uint64_t address,
                           uint32_t value,
                           GError **error);

/* Forgets the program: buffers, kernels, memory that is not kept. */
void tensix_core_reset(ArchTensixCore *core);
/* Self-check: adds a line for each fault of its L1 and its circular buffers. */
void tensix_core_check(ArchTensixCore *core, GPtrArray *lines);
/* Fails with ARCH_ERROR_INVALID if pages were pushed that nobody waited for. */
bool tensix_core_check_end(const ArchTensixCore *core, GError **error);
