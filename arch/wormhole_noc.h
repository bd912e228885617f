/* Wormhole's two networks with what stands at their ends: L1 memories that serve
 * reads in order, DRAM channels, command queues. */
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

/* At most `payload_limit_flits` of data. `from` issues it: for a read the data comes
 * from `to`. */
typedef struct {
    ArchNocOp op;
    guint noc;
    guint vc; /* 0..3 */
    ArchTile from;
    ArchTile to;
    uint64_t bytes;
    uint32_t from_address; /* in the L1 of `from` */
    uint32_t to_address;   /* in the L1 of `to`, or of every receiver */
    bool is_page;          /* one of many pages, spread over the channels */
    /* Multicast only: the rectangle reaches from `to` to `corner`, in the network's
     * direction; the sender inside it receives too if `is_loopback`. The path is
     * reserved first, and other nodes' multicasts over its channels wait until all have
     * received. A linked one leaves it reserved for the sender's next multicast to the
     * same rectangle, which has to come. */
    ArchTile corner;
    bool is_loopback;
    bool is_linked;
    void (*left)(gpointer data); /* its last flit is in the first router; or NULL */
    void (*done)(gpointer data); /* in the networks' region, after `left` */
    gpointer data;
    /* A write, atomic or multicast has arrived at a tile, at each of them; before its
     * acknowledgement travels. Not without contention. NULL: nobody minds. */
    void (*landed)(gpointer data, ArchTile at);
} ArchNocCommand;

typedef struct {
    bool has_contention;   /* off: every command as if it were alone */
    bool has_l1_conflicts; /* off: without the calibrated costs of sharing an L1 */
    bool is_whole;         /* harvested rows work too: traces may come from any chip */
} ArchWormholeNocOptions;

/* `key` and the one after it order the two networks' work. `params` is borrowed. Fails
 * with ARCH_ERROR_INVALID: lists that name tiles off the grid or ports that an L1
 * does not have. */
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

/* The banks of a Tensix tile, which the networks share with its cores; NULL where there
 * are none. */
ArchL1Banks *arch_wormhole_noc_l1(const ArchWormholeNoc *self, ArchTile tile);

/* Links of one network in a fixed order, and the flits they have carried. */
typedef struct {
    ArchTile from;
    ArchTile to;
    const char *direction;
    uint64_t flits;
} ArchWormholeLink;

/* The caller frees the array of ArchWormholeLink. */
GArray *arch_wormhole_noc_links(const ArchWormholeNoc *self, guint noc);

/* Makes lanes of the links, noc0[3,4].east, and shows whoever watches when they carry
 * flits: a cycle for each. Between runs; again once somebody watches. */
void arch_wormhole_noc_show_links(ArchWormholeNoc *self);

/* Flits that passed a link, all links of both networks together. */
uint64_t arch_wormhole_noc_flit_hops(const ArchWormholeNoc *self);

/* How many tiles a multicast reaches, the sender not counted. */
guint arch_wormhole_noc_receivers(const ArchWormholeNoc *self,
                                  const ArchNocCommand *command);

/* Takes a place in the command queue of the channel. False when it is full: then
 * `process` is woken when there is one. */
bool arch_wormhole_noc_reserve(ArchWormholeNoc *self,
                               const ArchNocCommand *command,
                               SimProcess *process);

/* Hands a command to the network, after arch_wormhole_noc_reserve(). */
void arch_wormhole_noc_issue(ArchWormholeNoc *self, const ArchNocCommand *command);
