/* Wormhole's two networks and their endpoints: L1 memories that serve reads in order,
 * DRAM channels, command queues. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/memory/l1_banks.h"
#include "sim/engine.h"
#include "sim/process.h"

typedef struct ArchWormholeNoc ArchWormholeNoc;

/* Tile coordinates as NoC 0 counts them. */
typedef struct {
    guint x;
    guint y;
} ArchTile;

static inline bool arch_tile_is_same(ArchTile a, ArchTile b)
{
    return a.x == b.x && a.y == b.y;
}

typedef enum {
    ARCH_TILE_TENSIX,
    ARCH_TILE_DRAM,
    ARCH_TILE_ETHERNET,
    ARCH_TILE_PCIE,
    ARCH_TILE_OTHER, /* routes only */
} ArchTileKind;

typedef enum {
    ARCH_NOC_READ,
    ARCH_NOC_WRITE,
    ARCH_NOC_WRITE_POSTED, /* done when it has left */
    ARCH_NOC_ATOMIC,       /* one flit there, one back; also 4-byte inline writes */
    ARCH_NOC_ATOMIC_POSTED,
    ARCH_NOC_MULTICAST, /* a write to all Tensix tiles of a rectangle */
} ArchNocOp;

/* A command of at most `payload_limit_flits` of data. `from` issues it; the data of a
 * read comes from `to`. */
typedef struct {
    ArchNocOp op;
    guint noc;
    guint vc; /* 0..3 */
    ArchTile from;
    ArchTile to;
    uint64_t bytes;
    uint32_t from_address; /* in the L1 of `from` */
    uint32_t to_address;   /* in the L1 of `to`, or of every receiver, or in DRAM */
    /* Multicast only: the rectangle reaches from `to` to `corner`, in the network's
     * direction; the sender inside it receives too if `is_loopback`. The path is
     * reserved first, and other nodes' multicasts over its channels wait until all have
     * received. A linked multicast keeps the path reserved for the sender's next
     * multicast to the same rectangle, which must follow. */
    ArchTile corner;
    bool is_loopback;
    bool is_linked;
    void (*left)(gpointer data); /* called when its last flit is in the first router; or
                                  * NULL */
    void (*done)(gpointer data); /* in the networks' region, after `left` */
    gpointer data;
    /* Called when a write, atomic or multicast has arrived at a tile (for each tile of
     * a multicast), before the acknowledgement is sent. Not called without contention.
     * May be NULL. */
    void (*landed)(gpointer data, ArchTile at);
} ArchNocCommand;

typedef struct {
    bool has_contention;   /* off: every command is timed as if alone */
    bool has_l1_conflicts; /* off: without the calibrated costs of sharing an L1 */
    bool is_whole;         /* harvested rows work too, for traces of other chips */
} ArchWormholeNocOptions;

/* The two networks use `key` and the next key. `params` is borrowed. Fails with
 * ARCH_ERROR_INVALID if a list names a tile off the grid or a port that an L1 does not
 * have. */
ArchWormholeNoc *arch_wormhole_noc_new(SimRegion *region,
                                       SimKey key,
                                       const ArchParams *params,
                                       ArchWormholeNocOptions options,
                                       GError **error);
void arch_wormhole_noc_free(ArchWormholeNoc *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchWormholeNoc, arch_wormhole_noc_free)

guint arch_wormhole_noc_width(const ArchWormholeNoc *self);
guint arch_wormhole_noc_height(const ArchWormholeNoc *self);
ArchTileKind arch_wormhole_noc_tile(const ArchWormholeNoc *self, ArchTile tile);

/* The L1 banks of a Tensix tile, which the networks share with its cores; NULL for
 * other tiles. */
ArchL1Banks *arch_wormhole_noc_l1(const ArchWormholeNoc *self, ArchTile tile);

/* A link of one network, and the flits it has carried. The order of links is fixed. */
typedef struct {
    ArchTile from;
    ArchTile to;
    const char *direction;
    uint64_t flits;
} ArchWormholeLink;

/* The caller frees the array of ArchWormholeLink. */
GArray *arch_wormhole_noc_links(const ArchWormholeNoc *self, guint noc);

/* Registers a lane for each link, such as noc0[3,4].east, and reports to the watcher
 * when links carry flits, one cycle each. Call it between runs, and again once somebody
 * watches. */
void arch_wormhole_noc_show_links(ArchWormholeNoc *self);

/* Flits carried, summed over all links of both networks. */
uint64_t arch_wormhole_noc_flit_hops(const ArchWormholeNoc *self);

/* The number of tiles that a multicast reaches, without the sender. */
guint arch_wormhole_noc_receivers(const ArchWormholeNoc *self,
                                  const ArchNocCommand *command);

/* Takes a place in the command queue of the channel. Returns false if it is full;
 * `process` is then woken when there is a place. */
bool arch_wormhole_noc_reserve(ArchWormholeNoc *self,
                               const ArchNocCommand *command,
                               SimProcess *process);

/* Hands a command to the network, after arch_wormhole_noc_reserve(). */
void arch_wormhole_noc_issue(ArchWormholeNoc *self, const ArchNocCommand *command);
