/* Flits that links have carried up to each bound between windows of time. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc.h"

/* One bound more than there are windows. */
typedef struct {
    guint link_count;
    GArray *bounds; /* of SimTime, ascending */
    GArray *flits;  /* of uint64_t: [bound][link], carried until then */
} NocWindows;

void noc_windows_init(NocWindows *self, guint link_count);
void noc_windows_clear(NocWindows *self);

/* Forgets all bounds. */
void noc_windows_reset(NocWindows *self);

/* Windows between bounds. */
guint noc_windows_count(const NocWindows *self);

/* Adds a bound, later than the last one; the caller fills in what each link has carried
 * by then. Valid until the next call. */
uint64_t *noc_windows_add(NocWindows *self, SimTime bound);

/* Merges windows in pairs: first and second, third and fourth, and so on. A last window
 * without a partner is dropped. */
void noc_windows_merge(NocWindows *self);

SimTime noc_windows_bound(const NocWindows *self, guint bound);

/* The windows from the first bound on, as results show them. */
ArchNocWindows noc_windows_report(const NocWindows *self);

/* Flits that a link carried between two bounds. */
uint64_t noc_windows_flits(const NocWindows *self, guint first, guint last, guint link);
