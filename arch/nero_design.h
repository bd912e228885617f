/* A design for an FPGA: processing elements that sweep over windows, the streams and
 * buffers around them, what all that takes of the device, and its power. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/nero_datapath.h"

enum {
    ARCH_NERO_SWEEPS = 2, /* forward, backward */
};

/* What a user asks for. The second sweep takes all fields of the first, then the first
 * one's results, which stay in the buffer between the sweeps. The results of the last
 * sweep are the output fields. */
typedef struct {
    const char *name;
    guint pes;
    ArchNeroFormat format;
    guint window_x, window_y, window_z;               /* points, without margins */
    guint fields;                                     /* that come in as streams */
    guint sweep_count;                                /* 1 or 2 */
    const ArchNeroDatapath *sweeps[ARCH_NERO_SWEEPS]; /* borrowed */
    guint lanes;         /* points a cycle; 0: what goes with the format, [pe] */
    guint partition;     /* numbers of on-chip arrays that lie side by side; 0: in each
                          * enough for one point a lane a cycle */
    guint windows_ahead; /* window buffers of a PE, 1 or 2; 0: 2, double buffering */
} ArchNeroPlan;

typedef enum {
    ARCH_NERO_BRAM,
    ARCH_NERO_URAM,
    ARCH_NERO_DSP,
    ARCH_NERO_FF,
    ARCH_NERO_LUT,
    ARCH_NERO_RESOURCES,
} ArchNeroResource;

/* "BRAM", "URAM", ... */
const char *arch_nero_resource_name(ArchNeroResource resource);

typedef struct ArchNeroDesign ArchNeroDesign;

/* Fails with ARCH_ERROR_INVALID, in one line that says which resource overflows and by
 * how much, that there are more PEs than ports, that the window is empty or its height
 * is not the grid's for a sweep that carries (`depth`, planes of the grid), ...
 * `params` and the sweeps are borrowed as long as the design is there. */
ArchNeroDesign *arch_nero_design_new(const ArchParams *params,
                                     const ArchNeroPlan *plan,
                                     guint depth,
                                     GError **error);
void arch_nero_design_free(ArchNeroDesign *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNeroDesign, arch_nero_design_free)

/* As asked, with what was 0 filled in. */
const ArchNeroPlan *arch_nero_design_plan(const ArchNeroDesign *self);
/* The margin of a window, of all sweeps together. */
ArchNeroReach arch_nero_design_reach(const ArchNeroDesign *self);

/* Cycles between the starts of two groups of `lanes` points: more than 1 where the two
 * ports of on-chip arrays, by the partition, do not feed a sweep. */
guint arch_nero_design_interval(const ArchNeroDesign *self, guint sweep);
guint arch_nero_design_depth(const ArchNeroDesign *self, guint sweep);
guint arch_nero_design_recurrence(const ArchNeroDesign *self, guint sweep);

/* Of one PE, of all that is there whatever the PEs, and of the whole design in percent
 * of the device. */
double arch_nero_design_of_pe(const ArchNeroDesign *self, ArchNeroResource resource);
double arch_nero_design_shell(const ArchNeroDesign *self, ArchNeroResource resource);
double arch_nero_design_percent(const ArchNeroDesign *self, ArchNeroResource resource);

/* Where a buffer was put, one after another: into the memory of whose blocks it takes
 * the smaller share, into the other one where that is full, into LUTs where it is
 * shallow; for tables. Texts are constant. */
typedef struct {
    const char *name;          /* "stream", "window", "between", "output", "line",
                                * "carry" */
    ArchNeroResource resource; /* BRAM, URAM or LUT */
    guint count;               /* such arrays of a PE */
    uint64_t bits;             /* of one */
    guint blocks;              /* of one */
} ArchNeroBuffer;
guint arch_nero_design_buffer_count(const ArchNeroDesign *self);
const ArchNeroBuffer *arch_nero_design_buffer(const ArchNeroDesign *self, guint index);

/* Watts while it computes: the board, a port for each PE in use, and what the PEs take
 * by the resources they have. `share`: of the time that PEs are busy, 0..1. */
double arch_nero_design_watts(const ArchNeroDesign *self, double share);
