/* How a wafer is cut for threads. A strip is some rows with a wheel of their own; a
 * band is some strips. What a PE does in a cycle reaches the adjacent ones in the next,
 * so a strip may run a cycle once those beside it have run the one before. In a window
 * of several cycles, the bands first go on side by side: a strip as many cycles as it
 * is strips away from another band. Then the borders between bands go on side by side,
 * and all strips have come to the window's end. */
#pragma once

#include <stdint.h>

#include <glib.h>

typedef struct {
    guint strip_count;
    guint strip_rows; /* of a strip; the last may have fewer */
    guint band_count;
    uint32_t depth; /* the most cycles of a window */
} WseBands;

/* For so many rows, bands at most and threads. */
WseBands wse_bands_cut(guint rows, guint most, guint thread_count);

/* Strips `first` to `end` - 1. */
typedef struct {
    guint first;
    guint end;
} WseStrips;

/* Those that run cycle `cycle` of a window with their band, or afterwards with the
 * border between `border` and the band after it. */
WseStrips wse_bands_inside(const WseBands *self, guint band, uint32_t cycle);
WseStrips wse_bands_beside(const WseBands *self, guint border, uint32_t cycle);
