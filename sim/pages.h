/* Large pages of the host, for arrays of many megabytes: with small ones, mapping and
 * clearing them takes longer than filling the array. */
#pragma once

#include <glib.h>

/* Asks for large pages wherever `memory` covers whole ones, and returns it. Call it
 * before the memory is used first. It stays the caller's, to be freed as before. */
gpointer sim_pages_large(gpointer memory, gsize bytes);
