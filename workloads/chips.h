/* The chips of a run: one for each host of the system that carries one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/platform.h"
#include "sim/system.h"
#include "workloads/run.h"
#include "workloads/script.h"

typedef struct WlChips WlChips;

/* The user's choice of chips. */
typedef struct {
    const char *chip; /* for all hosts; NULL: the system's */
    char **words;     /* name=value, for the script */
    char **overrides; /* chip numbers to change; or NULL */
    guint threads;
} WlChipsOrder;

/* The chips of a system, "8 x wormhole_n300", by the first one's kind; the caller frees
 * it. */
char *wl_chips_carried(const SimPlatform *platform);

/* The chip that a script runs on by default. */
const char *wl_chips_usual(const WlScript *script);

/* Chooses the chip's family for the script. Fails if the script does not run on it. */
bool wl_chips_fit_script(WlScript *script, const ArchParams *params, GError **error);

/* Makes the chips: those the user named, else the system's, else the script's default.
 * Chooses their family for the script and sets the words of the user. All chips are of
 * one family, and all get the user's changes of numbers. */
WlChips *wl_chips_new(const SimPlatform *platform,
                      const WlChipsOrder *order,
                      WlScript *script,
                      GError **error);
void wl_chips_free(WlChips *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlChips, wl_chips_free)

guint wl_chips_count(const WlChips *self);
/* The chips for wl_run(); the first is the script's. */
const WlChip *wl_chips_list(const WlChips *self);
ArchChip *wl_chips_first(const WlChips *self);

/* The counters of all chips added up, by name, and the events of their engines. The
 * caller frees the object. */
JsonObject *wl_chips_counters(const WlChips *self);
uint64_t wl_chips_events(const WlChips *self);

/* Sets the numbers of each link of the system from the chip file. If `system` is NULL,
 * only checks that there are any. */
bool wl_chips_set_links(const WlChips *self, SimSystem *system, GError **error);
