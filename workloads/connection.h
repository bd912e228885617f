/* Connects the chips of a system: which port leads from each chip to each other one. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/platform.h"
#include "workloads/run.h"

/* Connects the fabrics of all chips between which the platform has a way with ports:
 * Ethernet links that name theirs, or PCIe. Call once, before wl_run(). Chips without a
 * fabric, and systems of one chip, stay as they are. Fails, naming the platform's file,
 * where a port does not exist, where two links share one, and where user messages would
 * take a link that is reserved. */
bool wl_connect(const SimPlatform *platform,
                const WlChip *chips,
                guint chip_count,
                GError **error);
