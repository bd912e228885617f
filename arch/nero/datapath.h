/* A datapath as a list of nodes, each after those it takes from but for what closes a
 * carry, and what follows from the list: which nodes are used, and where. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/nero_datapath.h"

enum {
    NERO_OPERANDS = 3,
    NERO_MOST_REACH = 1024, /* points or planes, in one direction */
};
#define NERO_OPEN G_MAXUINT /* what closes a carry is not known yet */

typedef enum {
    NERO_FIELD,
    NERO_CONSTANT,
    NERO_OPERATOR,
    NERO_TAKE, /* of a stage */
    NERO_CARRY,
} NeroKind;

typedef struct {
    NeroKind kind;
    ArchNeroOperator operation;
    guint operand_count; /* of a take and a carry 1: what it is of */
    ArchNeroValue operands[NERO_OPERANDS];
    guint field;
    ArchNeroTap at;
    double number;
} NeroNode;

struct ArchNeroDatapath {
    char *name;
    ArchNeroDirection direction;
    guint fields;
    GArray *nodes;   /* NeroNode */
    GArray *results; /* ArchNeroValue */
};

static inline const NeroNode *nero_datapath_node(const ArchNeroDatapath *self,
                                                 guint index)
{
    return &g_array_index(self->nodes, NeroNode, index);
}

/* Where a node is needed: x from x_low to nx - 1 + x_high of a window of nx points. */
typedef struct {
    bool is_used;
    int64_t x_low, x_high, y_low, y_high;
} NeroNeed;

/* One for each node; the caller frees it. NULL where there is no end of it: a carry
 * that is taken beside its own point. */
NeroNeed *nero_datapath_needs(const ArchNeroDatapath *self);

/* The first node behind takes of takes, and how far it is. */
typedef struct {
    guint node;
    int64_t dx, dy;
} NeroSource;
NeroSource nero_datapath_source(const ArchNeroDatapath *self, guint index);

/* Operators wait for stages: the number of passes over a plane, one after another, that
 * come before a node's; one for each node. The caller frees it. */
guint *nero_datapath_passes(const ArchNeroDatapath *self);

/* How many rows and columns of a plane, beside its own, a value is needed at: what line
 * buffers and registers hold. */
typedef struct {
    guint rows, columns;
} NeroLines;
/* One for each stage, and one for each field and plane that is taken from. The caller
 * frees it. */
GArray *nero_datapath_lines(const ArchNeroDatapath *self);
