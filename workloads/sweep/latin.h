/* Samples spread evenly along a range. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* The positions of `count` samples along their range, 0..1: one in each of `count`
 * equal parts, in random order. The caller frees it. `random` is a state of
 * sim/random.h. */
double *wl_latin_shares(guint count, uint64_t *random);
