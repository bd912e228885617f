/* The usual step of an operation with streams: it takes a single wavelet from an input
 * queue, or puts one into an output queue, or both. It is what vector.c would do, in
 * fewer instructions; all other operations are left to that. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/wse/ce/visit.h"

/* Finds out whether all steps of an operation that has begun are usual: there are no
 * data to move, nobody watches or asks, and the operation has nothing special. */
void wse_single_begin(const WseVisit *self,
                      const WseInstruction *instruction,
                      WseThread *thread);

/* Of a usual one, as wse_vector_is_ready() and wse_vector_step(). */
bool wse_single_is_ready(WseVisit *self, guint index);
bool wse_single_step(WseVisit *self, guint index);
