/* The host's memory for large arrays: in large pages, because with small ones mapping
 * and clearing them takes longer than filling the array; or in files, for runs that are
 * larger than the machine's memory. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Asks for large pages wherever `memory` covers whole ones, and returns it. Call it
 * before the memory is used first. It stays the caller's, to be freed as before. */
gpointer sim_pages_large(gpointer memory, gsize bytes);

/* Arrays of SIM_PAGES_FILED bytes or more that sim_pages_new() makes from now on lie in
 * files of this folder (NULL: in memory), which nobody else sees and which end with
 * their arrays. The kernel keeps as much of them in memory as there is room for. Fails
 * if no file can be made there. Call it before there are threads. */
enum {
    SIM_PAGES_FILED = 1 << 16,
};
bool sim_pages_keep_in(const char *folder, GError **error);
/* Whether an array of so many bytes lies in a file. */
bool sim_pages_is_filed(gsize bytes);

/* So many bytes, all 0; NULL if there is no room. To be freed with the same size. */
gpointer sim_pages_new(gsize bytes);
void sim_pages_free(gpointer memory, gsize bytes);
