/* Links of Wormhole's two networks as one map: for JSON, a picture and a table. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/wormhole_noc.h"
#include "sim/time.h"
#include "traces/heatmap.h"

typedef struct {
    TraceHeatmap map;
    char *title;
    TraceHeatmapLink *links; /* those of NoC 0, then those of NoC 1 */
    double *routers;
    uint64_t *flits; /* by link */
} NocChipLinks;

/* Each of `links` is an array of ArchWormholeLink; `cycles` is what they cover. */
void noc_chip_links_init(NocChipLinks *self,
                         const char *title,
                         guint width,
                         guint height,
                         GArray *const links[2],
                         SimTime cycles);
void noc_chip_links_clear(NocChipLinks *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NocChipLinks, noc_chip_links_clear)

/* Flits over all links. */
uint64_t noc_chip_links_flits(const NocChipLinks *self);

/* Adds links[] and routers[]; unlike those of a plain network, links go by tile and
 * say their NoC and flits. */
void noc_chip_links_to_json(const NocChipLinks *self, JsonObject *metrics);
