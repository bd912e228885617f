/* Who sends to whom: the traffic patterns with which networks are compared. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/matrix.h"

typedef enum {
    ARCH_NOC_UNIFORM,   /* any node, itself included */
    ARCH_NOC_TRANSPOSE, /* (x, y) to (y, x) */
    ARCH_NOC_TORNADO,   /* ceil(width / 2) - 1 in x, ceil(height / 2) - 1 in y */
    ARCH_NOC_NEIGHBOR,  /* 1 in x and 1 in y */
    ARCH_NOC_BITCOMP,   /* (x, y) to (width - 1 - x, height - 1 - y) */
    ARCH_NOC_SHUFFLE,   /* node id, rotated left by one bit */
    ARCH_NOC_HOTSPOT,   /* a fraction to one node, the rest uniform */
    ARCH_NOC_BROADCAST, /* along trees: from the root to all others */
    ARCH_NOC_REDUCE, /* along trees: every node to its parent, when it has the packets
                        of all its children */
    ARCH_NOC_MATRIX, /* as `matrix` says, without a name of its own */
} ArchNocPatternKind;

/* Node id = x + width * y. Steps off the grid come in again on the other side. */
typedef struct {
    ArchNocPatternKind kind;
    guint width;
    guint height;
    uint32_t hotspot;            /* node */
    double hotspot_fraction;     /* 0..1 */
    const ArchNocMatrix *matrix; /* of that kind; borrowed */
} ArchNocPattern;

/* "uniform", ..., in the order of the kinds, NULL-terminated; without the matrix. */
const char *const *arch_noc_pattern_names(void);

/* Its name among them, or "matrix". */
const char *arch_noc_pattern_name(const ArchNocPattern *self);

/* Its packets go along trees. */
bool arch_noc_pattern_has_tree(const ArchNocPattern *self);

/* Fails with ARCH_ERROR_INVALID where the pattern does not exist on this grid. */
bool arch_noc_pattern_check(const ArchNocPattern *self, GError **error);

/* Does a node send, and how many do? Along trees, all do. */
bool arch_noc_pattern_sends(const ArchNocPattern *self, uint32_t node);
guint arch_noc_pattern_senders(const ArchNocPattern *self);

/* Where the next packet of `source` goes, unless along a tree. `random` is the state of
 * its own stream. */
uint32_t
arch_noc_pattern_target(const ArchNocPattern *self, uint32_t source, uint64_t *random);
