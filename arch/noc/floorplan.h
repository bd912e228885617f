/* Where a Wormhole chip has its tiles, and which ports of an L1 are the networks'. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/params.h"

/* Every tile is on the grid, every port in an L1. Fails with ARCH_ERROR_INVALID. */
bool floorplan_check(const ArchParams *params, GError **error);
