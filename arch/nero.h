/* A near-memory accelerator: an FPGA board on a host's coherent link. Windows of a grid
 * go from the board's memory (or from the host's, or from on-chip memory) through
 * stream converter, field splitter and gridding into a PE's buffers, through its
 * sweeps, and back through degridding and converter. The model moves bursts and planes
 * of windows; time passes where they wait for a channel, a port, a buffer, a pipeline
 * or the control bus. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/memory/dram.h"
#include "arch/nero_design.h"
#include "sim/engine.h"

typedef struct ArchChip ArchChip;
typedef struct ArchNero ArchNero;

/* Where grids are stored while a job runs. Every round fetches its data again. */
typedef enum {
    ARCH_NERO_BOARD,   /* in HBM or DDR4; PEs read and write it there */
    ARCH_NERO_HOST,    /* in host memory: windows cross the link to the board's memory
                        * and back, two at a time for each PE */
    ARCH_NERO_ON_CHIP, /* in host memory, and small: they cross the link into BRAM and
                        * URAM and bypass the board's memory */
} ArchNeroHome;

/* One pass of the loaded design over grids of nx * ny * nz numbers. Points within
 * `border` of a side stay as they are. A grid is stored plane by plane, row by row.
 * `inputs` has one address for each field of the plan, `outputs` one for each result of
 * the last sweep; outputs must not overlap inputs. Addresses are in the board's DRAM.
 * They are ignored unless the home is BOARD and `is_functional` is true. */
typedef struct {
    guint nx, ny, nz;
    guint border;
    ArchNeroHome home;
    bool is_functional;
    guint rounds;     /* passes, at least 1 */
    bool is_stepped;  /* rounds are time steps: each begins when the one before is known
                       * to the host, and takes its only result as input `next_input`;
                       * result and input change places. Else rounds do not wait for
                       * each other, and all write the same results. BOARD only. */
    guint next_input; /* from 0 on */
    const uint64_t *inputs; /* ARCH_NERO_BOARD only */
    const uint64_t *outputs;
    const uint8_t *const *host_inputs; /* other homes only; borrowed until the job has
                                        * ended */
    uint8_t *const *host_outputs;
    void (*ended)(gpointer data, SimTime when);
    gpointer data;
} ArchNeroJob;

/* `dram` is borrowed. */
ArchNero *arch_nero_new(SimEngine *engine, const ArchParams *params, ArchDram *dram);
void arch_nero_free(ArchNero *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNero, arch_nero_free)

/* The board of a chip; NULL if the chip is not one. */
ArchNero *arch_nero_of(const ArchChip *chip);

/* Configures the FPGA. Takes `design`. Not while a job runs. */
void arch_nero_load(ArchNero *self, ArchNeroDesign *design);
/* The loaded design; NULL before the first. */
const ArchNeroDesign *arch_nero_design(const ArchNero *self);

/* Starts a job at the engine's current time, or puts it into the queue of those that
 * wait for the one that runs: the next begins when the host knows of the last window of
 * the one before. Fails with ARCH_ERROR_INVALID: no design, outside the DRAM, a grid
 * that does not fit on chip, ... */
bool arch_nero_start(ArchNero *self, const ArchNeroJob *job, GError **error);

/* Totals since the board was made. */
typedef struct {
    uint64_t windows;
    uint64_t padded_points;  /* points of windows outside the grid */
    uint64_t memory_bytes;   /* read and written by all channels */
    uint64_t link_bytes;     /* over the host link */
    uint64_t flops;          /* executed, including the margins of stages */
    uint64_t control_cycles; /* of the control bus */
    uint64_t host_cycles;    /* of the host's threads, for windows */
    uint64_t busy_cycles;    /* in which a sweep computed, summed over PEs */
    double joules;           /* from the design's watts, while jobs ran */
} ArchNeroUse;
ArchNeroUse arch_nero_use(const ArchNero *self);

/* Cycles of each part of a PE (read, forward, backward, write) by what it did or waited
 * for. Names are constant. The caller frees the array of ArchNeroPart. */
typedef struct {
    guint pe;
    const char *part;   /* "reader", "forward", "backward", "writer" */
    const char *reason; /* "busy", "control", "link", "memory", "buffer", "input",
                         * "recurrence", "drain" */
    uint64_t cycles;
} ArchNeroPart;
GArray *arch_nero_parts(const ArchNero *self);
