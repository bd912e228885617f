/* Connects the chips of a system: assigns a port from each chip to each other one. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/platform.h"
#include "workloads/run.h"

/* Connects the fabrics of all chips that the platform links by ports: Ethernet links
 * that name them, or PCIe. Call it once, before wl_run(). Chips without a fabric, and
 * systems of one chip, stay unchanged. Fails, with the platform's file in the message,
 * if a port does not exist, two links share one, or user messages would take a reserved
 * link. */
bool wl_connect(const SimPlatform *platform,
                const WlChip *chips,
                guint chip_count,
                GError **error);
