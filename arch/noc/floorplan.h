/* The floorplan of a Wormhole: where its tiles are, and which ports of an L1 belong to
 * the networks. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

/* Checks that every tile has a place of its own on the grid and every DRAM channel a
 * tile, that Tensix tiles are left, that alignments are powers of 2, that every port
 * belongs to an L1, that links carry a flit in whole cycles and that buffers hold one.
 * Fails with ARCH_ERROR_INVALID. */
bool noc_floorplan_check(const ArchParams *params, GError **error);

/* Cycles of a flit on a link: noc.flit_bytes at noc.link_bytes_per_cycle. */
SimTime noc_floorplan_link_cycles(const ArchParams *params);
