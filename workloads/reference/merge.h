/* References: sums over PEs in the order in which they were added. */
#pragma once

#include <glib.h>
#include <lua.h>

/* PE `from` sends its numbers, `into` adds them to its own. */
typedef struct {
    guint into;
    guint from;
} ReferenceMerge;

/* Of PEs that have so many numbers each. */
typedef struct {
    const ReferenceMerge *merges; /* in the order in which they happen */
    guint count;
    guint words;
} ReferenceMerges;

/* Every PE's numbers after the merges, in single precision and in double. */
void reference_merge_single(const ReferenceMerges *self, float *numbers);
void reference_merge_double(const ReferenceMerges *self, double *numbers);

/* Additions that a PE's number has gone through at most, of so many PEs. */
guint reference_merge_depth(const ReferenceMerges *self, guint pe_count);

/* buffer:merged{ merges = { { into, from }, ... }, words =, arithmetic = "single" or
 * "double" }: the numbers of all PEs, one after the other in fp32. A new buffer with
 * those of the PE that the last merge leads to (of the first one if there is none); and
 * how far single precision may be away from double, in any order of as many additions
 * one after another: rounding each of them, times the largest sum of magnitudes. */
int reference_merged(lua_State *L);
