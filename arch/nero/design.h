/* The inside of a design: on-chip arrays and their placement, logic, totals. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/nero_design.h"

/* Arrays of one kind in a PE. A number is stored once; `demand` numbers are taken or
 * put, together, for each group of lanes of a sweep. */
typedef struct {
    const char *name;
    guint count;
    uint64_t numbers; /* of one */
    uint64_t demand[ARCH_NERO_SWEEPS];
    guint side;     /* 0: by demand; how many numbers make a word at least */
    bool is_stream; /* a FIFO of words, which is made of block RAM */
} NeroArray;

struct ArchNeroDesign {
    const ArchParams *params;
    ArchNeroPlan plan;
    char *name;
    guint grid_depth; /* planes */
    ArchNeroReach reach;
    guint interval[ARCH_NERO_SWEEPS];
    guint depth[ARCH_NERO_SWEEPS];
    guint recurrence[ARCH_NERO_SWEEPS];
    double of_pe[ARCH_NERO_RESOURCES];
    double shell[ARCH_NERO_RESOURCES];
    double device[ARCH_NERO_RESOURCES];
    GArray *buffers; /* ArchNeroBuffer */
};

/* With what was 0 filled in but for the partition; fails with ARCH_ERROR_INVALID.
 * `depth` is that of the grid. */
bool nero_design_check(const ArchParams *params,
                       const ArchNeroPlan *plan,
                       guint depth,
                       GError **error);

guint nero_design_bits(const ArchNeroDesign *self); /* of a number */

/* What one PE may have of a resource, by the share of the device that can be filled. */
double nero_design_room(const ArchNeroDesign *self, ArchNeroResource resource);

/* The arrays that the sweeps need; NeroArray, the caller frees it. */
GArray *nero_design_arrays(const ArchNeroDesign *self);

/* Puts them where they take the smaller share of the device, in turn, the other memory
 * where that has no room; adds blocks and LUTs to `of_pe`, sets intervals. */
void nero_design_place(ArchNeroDesign *self, const GArray *arrays);

/* Adds operators, registers and the logic around them to `of_pe`. */
void nero_design_add_logic(ArchNeroDesign *self);
