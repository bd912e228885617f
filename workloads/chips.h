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

/* What the user wants of them. */
typedef struct {
    const char *chip; /* for all hosts; NULL: those of the system */
    char **words;     /* name=value, for the script */
    char **overrides; /* numbers of chips to change; or NULL */
    guint threads;
    /* The numbers of a chip by its name or file, and changes of them. */
    ArchParams *(*load)(const char *name, GError **error);
    bool (*change)(ArchParams *params, char **overrides, GError **error);
} WlChipsOrder;

/* The chip that a script runs on where nobody names one. */
const char *wl_chips_usual(const WlScript *script);

/* Makes the script that of the chip's family. Fails where it does not run on it. */
bool wl_chips_fit_script(WlScript *script, const ArchParams *params, GError **error);

/* Chips by the names the user gave, else those of the system, else the script's usual
 * one. Makes the script theirs: its family, and the words the user gave it. All chips
 * are of one family, and get all numbers that the user changed. */
WlChips *wl_chips_new(const SimPlatform *platform,
                      const WlChipsOrder *order,
                      WlScript *script,
                      GError **error);
void wl_chips_free(WlChips *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlChips, wl_chips_free)

guint wl_chips_count(const WlChips *self);
/* As wl_run() wants them; the first one is the script's. */
const WlChip *wl_chips_list(const WlChips *self);
ArchChip *wl_chips_first(const WlChips *self);

/* Counters of all chips together, by name, and events of their engines. The caller
 * frees the object. */
JsonObject *wl_chips_counters(const WlChips *self);
uint64_t wl_chips_events(const WlChips *self);

/* Gives each link of the system the numbers of the chip file; with NULL it only asks
 * whether there are some. */
bool wl_chips_set_links(const WlChips *self, SimSystem *system, GError **error);
