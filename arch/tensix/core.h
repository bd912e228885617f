/* One Tensix core, put together: its memory, its buffers, its five RISC-Vs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix.h"
#include "arch/tensix/circular_buffer.h"
#include "arch/tensix/l1.h"

typedef struct Compute Compute; /* arch/tensix/compute.h */

enum {
    MOVERS = 2,
};

struct ArchTensixCore {
    ArchTensix *owner;
    guint x;
    guint y;
    ArchTile tile;
    guint index; /* x + columns * y */
    char *name;
    guint region;
    L1 *l1; /* made on first use */
    CircularBuffer buffers[CIRCULAR_BUFFERS];
    Compute *compute;                 /* NULL: no compute kernel in this program */
    struct ArchMover *movers[MOVERS]; /* NULL: no kernel */
};

/* Time in zones of one thread. */
typedef struct {
    const char *name; /* interned */
    SimTime cycles;
    uint64_t count;
} CoreZone;

struct ArchTensix {
    SimEngine *engine;
    const ArchParams *params;
    ArchDram *dram;
    ArchWormholeNoc *noc;
    ArchTensixOptions options;
    guint columns;
    guint rows;
    ArchTensixCore *cores;
    guint region_count;
};

/* Keys of what happens in a core's regions: one component per core. */
SimKey core_key(const ArchTensixCore *core, guint16 port);

enum {
    CORE_PORT_BUFFERS = 0, /* + index */
    CORE_PORT_COMPUTE = 64,
    CORE_PORT_MOVERS = 65, /* + index */
};

/* One line per circular buffer that is in use, "cb 3: 2 of 8 pages", as `domain` sees
 * it; for reports. The caller frees it. */
char *core_fill_levels(const ArchTensixCore *core, CbDomain domain);

/* The same bytes as core->l1, made on first use. */
L1 *core_l1(ArchTensixCore *core);
