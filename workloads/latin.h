/* Samples of a range that are spread evenly along it. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* How far along its range each of `count` samples lies, 0..1: one in each of
 * `count` equal parts, in any order. The caller frees it. `random` is a state of
 * sim/random.h. */
double *wl_latin_shares(guint count, uint64_t *random);
