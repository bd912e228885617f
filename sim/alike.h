/* Waiters that wait alike, in reports of who waits for what. */
#pragma once

#include <glib.h>

/* A line without its places and cycles: what lines of "core[0,0].reader waits for a
 * page since cycle 7" have in common. The caller frees it. */
char *sim_alike_key(const char *line);

/* "54 cores like core[0,0]: reader waits for ..." instead of that many lines; the
 * caller frees it. `line` begins with the name of the first, and a single one stays as
 * it is. */
char *sim_alike_line(const char *line, guint count);

/* Folds lines that are alike into the first of them. Returns how many waiters they are
 * about: a line may have been folded before. */
guint sim_alike_fold(GPtrArray *lines);
