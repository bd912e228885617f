/* How busy the links and routers of a grid were, over a run and in windows of it. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc.h"
#include "arch/traffic/tiles.h"
#include "arch/traffic/traffic.h"

/* A link: its ends, its network, and the flits it carried in the whole run. */
typedef struct {
    uint32_t from; /* node id = x + width * y */
    uint32_t to;
    const char *direction;
    guint noc; /* 0 or 1; 0 if there is only one network */
    uint64_t flits;
    double utilisation; /* flits per cycle */
} ArchUsedLink;

typedef struct {
    guint width;
    guint height;
    GArray *links;                 /* of ArchUsedLink, those of NoC 0 first */
    const ArchNocWindows *windows; /* borrowed; they cover the whole run */
    SimTime end;                   /* of the last one */
    double *values;                /* [window][link]: flits per cycle */
    double
        *routers; /* [all, then each window][node]: mean of the links that leave it */
} ArchLinkUse;

/* Both networks of a chip: `links` are of ArchWormholeLink, the windows are of those of
 * NoC 0, then those of NoC 1. */
void arch_link_use_of_chip(ArchLinkUse *self,
                           const ArchTiles *tiles,
                           GArray *const links[2],
                           const ArchNocWindows *windows);

/* The network that traffic went over, so many nodes wide and high. */
void arch_link_use_of_traffic(ArchLinkUse *self,
                              const ArchNocTraffic *traffic,
                              guint width,
                              guint height);
void arch_link_use_clear(ArchLinkUse *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchLinkUse, arch_link_use_clear)

const ArchUsedLink *arch_link_use_at(const ArchLinkUse *self, gsize index);

/* Are links of both networks in it? */
bool arch_link_use_has_pair(const ArchLinkUse *self);

/* Flits over all links. */
uint64_t arch_link_use_flits(const ArchLinkUse *self);

/* The busiest links, at most `count`, those with equal values in their order: an array
 * of const ArchUsedLink *, which the caller frees. */
GPtrArray *arch_link_use_busiest(const ArchLinkUse *self, guint count);
