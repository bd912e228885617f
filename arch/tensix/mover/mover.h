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

/* One line that says what it waits for; NULL if it does not wait. The caller frees it.
 */
char *tensix_mover_waits(const ArchMover *self);
