/* The floorplan of a Wormhole: where its tiles are, and which ports of an L1 belong to
 * the networks. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

/* Checks that every tile is on the grid, that every port belongs to an L1, and that
 * links carry a flit in whole cycles. Fails with ARCH_ERROR_INVALID. */
bool noc_floorplan_check(const ArchParams *params, GError **error);

/* Cycles of a flit on a link: noc.flit_bytes at noc.link_bytes_per_cycle. */
SimTime noc_floorplan_link_cycles(const ArchParams *params);
