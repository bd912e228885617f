/* A board with a design, for tests that run jobs on it. */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/memory/dram.h"
#include "arch/nero.h"

typedef struct {
    ArchParams *params;
    SimEngine *engine;
    ArchDram *dram;
    ArchNero *nero;
    ArchNeroDatapath *sweeps[ARCH_NERO_SWEEPS];
    SimTime ended;
    guint ends;
} NeroRig;

/* The board of a chip file with changed numbers, a list that ends with NULL or is NULL.
 */
void nero_rig_open(NeroRig *self, const char *chip, const char *const *changes);
void nero_rig_close(NeroRig *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NeroRig, nero_rig_close)

/* Loads a design of the rig's sweeps. */
void nero_rig_load(NeroRig *self, const ArchNeroPlan *plan, guint depth);

/* Sweeps of tests: one that adds 1 to its field, and the two kernels. */
void nero_rig_add_one(NeroRig *self);
void nero_rig_hdiff(NeroRig *self);
void nero_rig_vadvc(NeroRig *self);

/* Runs a job to its end; returns the cycles it took. `ended` and `data` are the rig's.
 */
SimTime nero_rig_run(NeroRig *self, ArchNeroJob job);
/* The same of a job that computes nothing, with data on the board. */
SimTime nero_rig_time(NeroRig *self, guint nx, guint ny, guint nz);

/* Cycles of a part by reason, over all PEs. */
uint64_t nero_rig_part(const NeroRig *self, const char *part, const char *reason);
