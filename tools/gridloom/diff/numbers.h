/* The numbers of a run by name: cycles, busy.math, metrics.residual_history[3]. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/reading/timeline.h"

typedef struct {
    char *name;
    double value;
} DiffNumber;

typedef struct DiffNumbers DiffNumbers;

DiffNumbers *diff_numbers_new(void);
void diff_numbers_free(DiffNumbers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiffNumbers, diff_numbers_free)

/* In the order in which they were added. */
guint diff_numbers_count(const DiffNumbers *self);
const DiffNumber *diff_numbers_at(const DiffNumbers *self, guint index);
/* NULL: there is none of this name. */
const DiffNumber *diff_numbers_find(const DiffNumbers *self, const char *name);

/* Adds to the number of this name, which is 0 at first. */
void diff_numbers_count_up(DiffNumbers *self, const char *name, double by);

/* Adds all of another list. */
void diff_numbers_add(DiffNumbers *self, const DiffNumbers *other);

/* Adds all numbers that a run has measured, and booleans as 0 and 1; check.pass is 1 if
 * its check passed. Items of lists are called by their `name` or `part`, or by their
 * place: roofs[DRAM].achieved. What a run was given, and the host's own times, are left
 * out. */
void diff_numbers_add_result(DiffNumbers *self, JsonObject *result);

/* Adds what a trace shows, as trace.UNIT.WHAT with the units of all places together, as
 * core.math, or each by itself, as core[3,4].math:
 *   trace.cycles, trace.flows
 *   UNIT.busy and UNIT.stalled: cycles
 *   UNIT.OPERATION.cycles and .count: slices, such as operations, tasks and zones
 *   UNIT.stalled.REASON.cycles and .count; UNIT.MARK.marks */
void diff_numbers_add_trace(DiffNumbers *self,
                            const TraceTimeline *timeline,
                            bool is_by_place);
