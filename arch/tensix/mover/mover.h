/* A data mover, as its core sees it. */
#pragma once

#include <glib.h>

#include "arch/tensix_mover.h"

typedef struct TensixMoverNumbers TensixMoverNumbers; /* what calls cost, read once */

TensixMoverNumbers *tensix_mover_numbers_new(const ArchParams *params);
void tensix_mover_numbers_free(TensixMoverNumbers *self);

void tensix_mover_free(ArchMover *self); /* accepts NULL */

/* Wake the mover because circular buffer `index`, or the L1, has changed. */
void tensix_mover_cb_changed(ArchMover *self, guint index);
void tensix_mover_l1_changed(ArchMover *self, uint64_t address, uint64_t bytes);

/* Adds its lane to `uses` (of ArchTensixUse). */
void tensix_mover_uses(const ArchMover *self, SimTime end, GArray *uses);

/* See tensix_zones_collect(). */
void tensix_mover_zones(const ArchMover *self, GHashTable *by_name);

/* See ArchFamily. */
uint64_t tensix_mover_progress(const ArchMover *self, SimTime now);

/* One line that says what it waits for, or what it looks at again and again; NULL if it
 * has ended. The caller frees it. */
char *tensix_mover_waits(const ArchMover *self);
