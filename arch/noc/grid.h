/* A grid of routers: which output of which router leads where. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc_routes.h"

typedef enum {
    NOC_X,
    NOC_Y,
} NocAxis;

enum {
    NOC_PORTS_MAXIMUM = 5,
};

#define NOC_NODE_NONE UINT32_MAX

/* A direction in which flits leave a router. */
typedef struct {
    NocAxis axis;
    bool is_up; /* toward larger coordinates */
    const char *name;
} NocDirection;

/* Ports 0..port_count-2 are the directions, the last one is the node itself. A flit
 * that leaves through an output arrives at the next router's input of the same number.
 */
typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    guint node_count; /* node id = x + width * y */
    guint port_count;
    guint local; /* port_count - 1 */
    const NocDirection *directions;
    uint32_t *next;     /* [node][port]: where the output leads, or NOC_NODE_NONE */
    uint32_t *previous; /* [node][port]: the node from which the input receives */
    uint32_t *links;    /* node * port_count + port of each link, ascending */
    guint link_count;
    uint16_t *x; /* of a node */
    uint16_t *y;
    bool has_dateline_at_wrap; /* of Wormhole's rings: not at the origin */
} NocGrid;

NocGrid *noc_grid_new(ArchNocTopology topology, guint width, guint height);
void noc_grid_free(NocGrid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocGrid, noc_grid_free)

guint noc_grid_link_count(const NocGrid *self);
bool noc_grid_is_wrapped(const NocGrid *self);

/* Steps from `from` to `to` along an axis of `length`, going up; 0..length-1. */
guint noc_grid_steps_up(guint from, guint to, guint length);

/* The port of a direction, or port_count when the grid has no such links. */
guint noc_grid_port(const NocGrid *self, NocAxis axis, bool is_up);

/* Whether the link from `node` through `port` crosses the dateline of its ring. */
bool noc_grid_crosses_dateline(const NocGrid *self, uint32_t node, guint port);

/* A cycle of nodes as text for messages: "0,0 1,0 0,0". The caller frees it. */
char *noc_grid_circle_text(const NocGrid *self, const uint32_t *nodes, guint count);
