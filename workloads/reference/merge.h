/* References: sums over PEs in the order in which they were added. */
#pragma once

#include <glib.h>
#include <lua.h>

/* PE `from` sends its numbers, `into` adds them to its own. */
typedef struct {
    guint into;
    guint from;
} ReferenceMerge;

/* Merges of PEs with `words` numbers each. */
typedef struct {
    const ReferenceMerge *merges; /* in the order in which they happen */
    guint count;
    guint words;
} ReferenceMerges;

/* Apply the merges to the numbers of all PEs, in single precision and in double. */
void reference_merge_single(const ReferenceMerges *self, float *numbers);
void reference_merge_double(const ReferenceMerges *self, double *numbers);

/* The most additions that a number goes through, for `pe_count` PEs. */
guint reference_merge_depth(const ReferenceMerges *self, guint pe_count);

/* buffer:merged{ merges = { { into, from }, ... }, words =, arithmetic = "single" or
 * "double" }: the buffer holds the numbers of all PEs, one after another, in fp32.
 * Returns a new buffer with those of the PE that the last merge leads to (the first PE
 * if there is none), and the largest difference between single and double precision for
 * any order of as many sequential additions: the rounding of each, times the largest
 * sum of magnitudes. */
int reference_merged(lua_State *L);
