/* A binary tree over a row of leaves as a picture. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#define TRACE_TREE_LEAF G_MAXUINT

typedef struct {
    const char *name;
    const char *note; /* a smaller line below it */
} TraceTreeLeaf;

typedef enum {
    TRACE_TREE_NEITHER,
    TRACE_TREE_LEFT,
    TRACE_TREE_RIGHT,
} TraceTreeSide;

/* A node comes after its children. */
typedef struct {
    const char *name;
    const char *note;   /* a smaller line below it */
    const char *title;  /* shown when the pointer rests on it */
    guint first;        /* the first leaf below it, counted from 1 */
    guint last;         /* the last leaf below it */
    guint left;         /* a node, or TRACE_TREE_LEAF: the leaf `first` */
    guint right;        /* the same with `last` */
    TraceTreeSide bold; /* the branch drawn bold */
    bool is_hollow;
} TraceTreeNode;

/* All texts are borrowed. */
typedef struct {
    const char *title;
    const char *bold_note; /* the meaning of bold branches */
    const char *note;      /* the last line */
    const TraceTreeLeaf *leaves;
    guint leaf_count;
    const TraceTreeNode *nodes;
    guint node_count; /* at least 1 */
} TraceTree;

/* An SVG file; the caller frees it. */
char *trace_tree_to_svg(const TraceTree *self);
