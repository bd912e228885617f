/* How a wafer is cut for threads. A strip is some rows with a wheel of their own; a
 * band is some strips: one for each of the rows next to another band and those behind
 * them, and one for all others.
 *
 * What a PE does in a cycle changes its strip and those beside it, for later cycles. So
 * strips with fewer than two others between them must not go on at the same time, and
 * a strip may go on to a cycle once those beside it have done the one before. A band
 * does a cycle in two parts: at its borders with other bands, and away from them. Even
 * bands are at their borders first and odd ones last, so that bands beside each other
 * go on at the same time, and wait for each other only if one of them is slower. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    WSE_BAND_PARTS = 2, /* of a cycle */
    WSE_MOST_BANDS = 16,
};

typedef struct {
    guint rows;
    guint strip_count;
    guint band_count;
} WseBands;

/* A band for each thread, if there are rows enough, and `most` at most. */
WseBands wse_bands_cut(guint rows, guint most, guint thread_count);

/* The strip of a row. */
guint wse_bands_strip(const WseBands *self, guint row);

/* Strips `first` to `end` - 1. */
typedef struct {
    guint first;
    guint end;
} WseStrips;

/* All strips of a band, and those of them that are away from its borders. */
WseStrips wse_bands_all(const WseBands *self, guint band);
WseStrips wse_bands_middle(const WseBands *self, guint band);

/* Whether a band that has done so many parts is at its borders in the next. */
static inline bool wse_bands_is_at_border(guint band, guint done)
{
    return done % WSE_BAND_PARTS == band % WSE_BAND_PARTS;
}

/* Whether it may begin the next one: those beside it have done `before` and `after`
 * parts; UINT_MAX where there is none. */
static inline bool
wse_bands_may_begin(guint band, guint done, guint before, guint after)
{
    return !wse_bands_is_at_border(band, done) || (before >= done && after >= done);
}
