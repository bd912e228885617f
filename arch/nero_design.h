/* A design for an FPGA: processing elements that sweep over windows, the streams and
 * buffers around them, the resources they take, and their power. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/nero_datapath.h"

enum {
    ARCH_NERO_SWEEPS = 2, /* forward, backward */
};

/* The user's request. The second sweep reads all fields of the first, then the first
 * sweep's results, which stay in the buffer between the sweeps. The results of the last
 * sweep are the output fields. */
typedef struct {
    const char *name;
    guint pes;
    ArchNeroFormat format;
    guint window_x, window_y, window_z;               /* points, without margins */
    guint fields;                                     /* that arrive as streams */
    guint sweep_count;                                /* 1 or 2 */
    const ArchNeroDatapath *sweeps[ARCH_NERO_SWEEPS]; /* borrowed */
    guint branches[ARCH_NERO_SWEEPS]; /* kinds of planes, each with operators of its
                                       * own; 0: 1 */
    guint lanes;         /* points a cycle; 0: those of a word in [pe], or fewer that
                          * share operators, if the sweep still hides behind reading */
    guint partition;     /* numbers side by side in on-chip arrays; 0: enough in each
                          * array for one point per lane and cycle */
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

/* Fails with ARCH_ERROR_INVALID and one line: a resource overflows (and by how much),
 * there are more PEs than ports, the window is empty, a sweep carries but the window is
 * not as high as the grid (`depth` planes), ... `params` and the sweeps are borrowed
 * until the design is freed. */
ArchNeroDesign *arch_nero_design_new(const ArchParams *params,
                                     const ArchNeroPlan *plan,
                                     guint depth,
                                     GError **error);
void arch_nero_design_free(ArchNeroDesign *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNeroDesign, arch_nero_design_free)

/* The plan as given, with the defaults filled in for 0. */
const ArchNeroPlan *arch_nero_design_plan(const ArchNeroDesign *self);
/* The margin of a window for all sweeps together. */
ArchNeroReach arch_nero_design_reach(const ArchNeroDesign *self);

/* Cycles between the starts of two groups of `lanes` points. It is more than 1 if the
 * two ports of partitioned on-chip arrays cannot feed the sweep. */
guint arch_nero_design_interval(const ArchNeroDesign *self, guint sweep);
guint arch_nero_design_depth(const ArchNeroDesign *self, guint sweep);
guint arch_nero_design_recurrence(const ArchNeroDesign *self, guint sweep);

/* Resources of one PE, of the logic that does not depend on PEs, and of the whole
 * design in percent of the device. */
double arch_nero_design_of_pe(const ArchNeroDesign *self, ArchNeroResource resource);
double arch_nero_design_shell(const ArchNeroDesign *self, ArchNeroResource resource);
double arch_nero_design_percent(const ArchNeroDesign *self, ArchNeroResource resource);

/* Where a buffer was placed, for tables. Buffers are placed one by one: into the memory
 * of whose blocks they take the smaller share, into the other one if that is full, into
 * LUTs if they are shallow. Texts are constant. */
typedef struct {
    const char *name;          /* "stream", "window", "between", "output", "line",
                                * "carry" */
    ArchNeroResource resource; /* BRAM, URAM or LUT */
    guint count;               /* arrays of this kind in a PE */
    uint64_t bits;             /* of one */
    guint blocks;              /* of one */
} ArchNeroBuffer;
guint arch_nero_design_buffer_count(const ArchNeroDesign *self);
const ArchNeroBuffer *arch_nero_design_buffer(const ArchNeroDesign *self, guint index);

/* Watts while it computes: the board, one port for each PE in use, and the PEs by their
 * resources. `share` is the fraction of time that PEs are busy, 0..1. */
double arch_nero_design_watts(const ArchNeroDesign *self, double share);
