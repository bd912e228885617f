/* The inside of a design: on-chip arrays and their placement, logic, totals. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/nero_design.h"

/* Arrays of one kind in a PE. A number is stored once. For each group of lanes, a sweep
 * reads or writes `demand` numbers in total. */
typedef struct {
    const char *name;
    guint count;
    uint64_t numbers; /* of one */
    uint64_t demand[ARCH_NERO_SWEEPS];
    guint side;     /* least numbers in a word; 0: by demand */
    bool is_stream; /* a FIFO of words, which is made of block RAM */
} NeroArray;

struct ArchNeroDesign {
    const ArchParams *params;
    ArchNeroPlan plan;
    char *name;
    guint grid_depth; /* planes */
    bool is_reshaped; /* arrays have wider words where they take fewer blocks */
    guint widest;     /* word of an array beside streams, in numbers */
    ArchNeroReach reach;
    guint interval[ARCH_NERO_SWEEPS];
    guint depth[ARCH_NERO_SWEEPS];
    guint recurrence[ARCH_NERO_SWEEPS];
    double of_pe[ARCH_NERO_RESOURCES];
    double shell[ARCH_NERO_RESOURCES];
    double device[ARCH_NERO_RESOURCES];
    GArray *buffers; /* ArchNeroBuffer */
};

/* Checks the plan and fills in the defaults for 0, except for the partition. Fails with
 * ARCH_ERROR_INVALID. `depth` is the depth of the grid. */
bool nero_design_check(const ArchParams *params,
                       const ArchNeroPlan *plan,
                       guint depth,
                       GError **error);

guint nero_design_bits(const ArchNeroDesign *self); /* of a number */

/* The amount of a resource that one PE may use, given the usable share of the device.
 */
double nero_design_room(const ArchNeroDesign *self, ArchNeroResource resource);

/* The arrays that the sweeps need, as NeroArray. The caller frees it. */
GArray *nero_design_arrays(const ArchNeroDesign *self);

/* Places the arrays one by one in the memory of which they take the smaller share, or
 * in the other one if that is full. Adds blocks and LUTs to `of_pe` and sets intervals.
 */
void nero_design_place(ArchNeroDesign *self, const GArray *arrays);

/* Adds operators, registers and the logic around them to `of_pe`. */
void nero_design_add_logic(ArchNeroDesign *self);
