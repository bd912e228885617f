/* The grain of a wafer's streams, and their stretch factors, measured on an exact
 * slice. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "arch/wse_profile.h"
#include "workloads/wafer/layout.h"

/* The largest fabric that grain=auto simulates exactly. */
enum {
    WAFER_AUTO_PES = 2500,
};

/* A script's description of slices of its layout. */
typedef struct {
    guint period[2]; /* columns and rows after which the pattern repeats, at least 1 */
    guint least[2];  /* size of a slice */
    guint iterations;
} WaferPattern;

typedef struct {
    guint columns;
    guint rows;
    guint iterations;
    ArchWseStretches stretches;
} WaferSlice;

/* The grain that the user's word means for this many PEs. */
ArchWseGrain wafer_grain(const Session *session, guint columns, guint rows);
const char *wafer_grain_name(ArchWseGrain grain);

/* The smallest size that is congruent to `target` modulo `period` and at least `least`,
 * never above the target. */
guint wafer_slice_size(guint target, guint least, guint period);

/* Measures the stretch factors of a layout of `size` columns and rows. Fails as
 * arch_wse_measure() does. */
bool wafer_slice_measure(WaferSlice *self,
                         const WaferPattern *pattern,
                         const guint size[2],
                         WaferBuilder *builder,
                         const ArchWseLayout *whole,
                         GError **error);

/* Adds the slice to the outcome's metrics, and prints a line for the user. */
void wafer_slice_report(const WaferSlice *self, Session *session);

/* Pushes { factors =, slice =, exact_cycles =, stream_cycles =, error = }. */
void wafer_slice_push(lua_State *L, const WaferSlice *self);
