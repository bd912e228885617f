/* How many cycles lanes were in use, by time: a few intervals whose width grows with
 * the run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"

enum {
    LANE_USE_INTERVALS = 192, /* half of them and more are used: bounds traces */
};

/* The cycles of one series; a series is what its caller makes of the number. */
typedef struct LaneUse LaneUse;

LaneUse *lane_use_new(void);
void lane_use_free(LaneUse *self);

bool lane_use_is_empty(const LaneUse *self);
/* Intervals begin at `from`; of what is used before, only what comes later counts. For
 * one that is empty. */
void lane_use_begin(LaneUse *self, SimTime from);

/* The cycles begin..end of a series, which may come in any order. */
void lane_use_add(LaneUse *self, guint32 series, SimTime begin, SimTime end);

/* Adds all of `other`, which begins at the same time. */
void lane_use_merge(LaneUse *self, LaneUse *other);

/* `cycles` between `begin` and `end`; none is left out, 0 included. */
typedef void (*LaneUseFunc)(
    gpointer data, guint32 series, SimTime begin, SimTime end, uint64_t cycles);

/* Series by number, each in the order of time up to where the last of all ends. */
void lane_use_each(const LaneUse *self, LaneUseFunc func, gpointer data);
