/* A near-memory accelerator: an FPGA board on a host's coherent link. Windows of a grid
 * go from the board's memory (or from the host's, or from on-chip memory) through
 * stream converter, field splitter and gridding into a PE's buffers, through its
 * sweeps, and back through degridding and converter. What moves are bursts and planes
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

/* Where grids are while a job runs. Every round fetches what it needs. */
typedef enum {
    ARCH_NERO_BOARD,   /* in HBM or DDR4; PEs read and write it there */
    ARCH_NERO_HOST,    /* in host memory: windows come over the link into the board's
                        * memory and go back, two of them at a time for each PE */
    ARCH_NERO_ON_CHIP, /* in host memory, and small: over the link into BRAM and URAM,
                        * past the board's memory */
} ArchNeroHome;

/* One pass of the loaded design over grids of nx * ny * nz numbers, of which points
 * within `border` of a side are left as they are. A grid lies plane after plane, row
 * after row; `inputs` has one for each field of the plan, `outputs` one for each result
 * of the last sweep, none of them over an input. Addresses are of the board's DRAM
 * where the home is BOARD; elsewhere, and where nothing is to be computed
 * (`is_functional` false), they are not looked at. */
typedef struct {
    guint nx, ny, nz;
    guint border;
    ArchNeroHome home;
    bool is_functional;
    guint rounds; /* passes that follow each other without waiting; at least 1. All do
                   * the same and write the same */
    const uint64_t *inputs; /* of ARCH_NERO_BOARD */
    const uint64_t *outputs;
    const uint8_t *const *host_inputs; /* of the others; borrowed until it has ended */
    uint8_t *const *host_outputs;
    void (*ended)(gpointer data, SimTime when);
    gpointer data;
} ArchNeroJob;

/* `dram` is borrowed. */
ArchNero *arch_nero_new(SimEngine *engine, const ArchParams *params, ArchDram *dram);
void arch_nero_free(ArchNero *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNero, arch_nero_free)

/* The board of a chip, NULL where it is none. */
ArchNero *arch_nero_of(const ArchChip *chip);

/* Configures the FPGA. Takes `design`. Not while a job runs. */
void arch_nero_load(ArchNero *self, ArchNeroDesign *design);
/* NULL before the first one. */
const ArchNeroDesign *arch_nero_design(const ArchNero *self);

/* Starts a job in the engine's present; one at a time. Fails with ARCH_ERROR_INVALID:
 * no design, outside the DRAM, a grid that does not fit on chip, ... */
bool arch_nero_start(ArchNero *self, const ArchNeroJob *job, GError **error);

/* Since the start of all. */
typedef struct {
    uint64_t windows;
    uint64_t padded_points;  /* of windows, outside of the grid */
    uint64_t memory_bytes;   /* read and written by all channels */
    uint64_t link_bytes;     /* over the host link */
    uint64_t flops;          /* executed, margins of stages counted */
    uint64_t control_cycles; /* of the control bus */
    uint64_t busy_cycles;    /* of PEs in which a sweep computed, all together */
    double joules;           /* of the design's watts, while jobs ran */
} ArchNeroUse;
ArchNeroUse arch_nero_use(const ArchNero *self);

/* Cycles of a PE's part by what it did or waited for: read, forward, backward, write;
 * names are constant. The caller frees the array of ArchNeroPart. */
typedef struct {
    guint pe;
    const char *part;   /* "reader", "forward", "backward", "writer" */
    const char *reason; /* "busy", "control", "link", "memory", "buffer", "input",
                         * "recurrence", "drain" */
    uint64_t cycles;
} ArchNeroPart;
GArray *arch_nero_parts(const ArchNero *self);
