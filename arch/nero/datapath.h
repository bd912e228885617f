/* A datapath as a list of nodes, and what follows from it: the nodes in use, and where.
 * Every node comes after its operands, except for the value that closes a carry. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/nero_datapath.h"

enum {
    NERO_OPERANDS = 3,
    NERO_MOST_REACH = 1024, /* points or planes, in one direction */
};
#define NERO_OPEN G_MAXUINT /* the carry is not closed yet */

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
    guint operand_count; /* 1 for a take and a carry: its source */
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

/* One entry for each node; the caller frees it. NULL if a carry is taken at another
 * point than its own, since its need then never ends. */
NeroNeed *nero_datapath_needs(const ArchNeroDatapath *self);

/* The first node behind a chain of takes, and its distance. */
typedef struct {
    guint node;
    int64_t dx, dy;
} NeroSource;
NeroSource nero_datapath_source(const ArchNeroDatapath *self, guint index);

/* For each node, the number of passes over a plane that come before its own, because
 * operators wait for stages. The caller frees it. */
guint *nero_datapath_passes(const ArchNeroDatapath *self);

/* The rows and columns of a plane, beside its own, at which a value is needed: the
 * contents of line buffers and registers. */
typedef struct {
    guint rows, columns;
} NeroLines;
/* One entry for each stage, and one for each field and plane that is read. The caller
 * frees it. */
GArray *nero_datapath_lines(const ArchNeroDatapath *self);

/* For each value that operators take later than it is there, the longest of these waits
 * in cycles, as guint. The caller frees it. */
GArray *nero_datapath_waits(const ArchNeroDatapath *self,
                            const ArchParams *params,
                            ArchNeroFormat format);
