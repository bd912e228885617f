/* How many cycles lanes were in use, by time: a few intervals whose width grows with
 * the run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"

enum {
    LANE_USE_INTERVALS = 192, /* at least half are in use once full; bounds the size of
                               * traces */
};

/* The busy cycles of several series. The caller decides what a series number means. */
typedef struct LaneUse LaneUse;

LaneUse *lane_use_new(void);
void lane_use_free(LaneUse *self);

bool lane_use_is_empty(const LaneUse *self);
/* Sets the start of the first interval; cycles before `from` do not count. `self` must
 * be empty. */
void lane_use_begin(LaneUse *self, SimTime from);

/* Cycles in the intervals that something takes: in the first, in each one between, and
 * in the last, which may be the first. */
typedef struct {
    guint first;
    guint last;
    int64_t begun;
    int64_t width;
    int64_t ended;
} LaneUseCut;

/* Cuts the time from `begin` to `end` at intervals; false if none of it counts. The cut
 * is good until the next one. Calls may come in any order of time. */
bool lane_use_cut(LaneUse *self, SimTime begin, SimTime end, LaneUseCut *cut);

/* So many lanes of a series were in use in that time. */
void lane_use_add(LaneUse *self, guint32 series, const LaneUseCut *cut, guint lanes);

/* Adds all of `other`, whose intervals must begin at the same time. */
void lane_use_merge(LaneUse *self, LaneUse *other);

/* Receives one interval: `cycles` of use between `begin` and `end`. Intervals without
 * use are included. */
typedef void (*LaneUseFunc)(
    gpointer data, guint32 series, SimTime begin, SimTime end, uint64_t cycles);

/* Visits series by number, each in time order up to the end of the last use of any. */
void lane_use_each(const LaneUse *self, LaneUseFunc func, gpointer data);
