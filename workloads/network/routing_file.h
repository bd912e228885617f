/* A file that says how packets go, and the questions that it is asked. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "workloads/network/neighbour.h"
#include "workloads/sandbox/sandbox.h"

typedef enum {
    ROUTING_NEXT,     /* next(x, y, tx, ty, grid): the next node toward the target */
    ROUTING_CHILDREN, /* children(x, y, rx, ry, grid): the nodes below, seen from the
                         root */
    ROUTING_PARENT,   /* parent(x, y, rx, ry, grid): the node above */
} RoutingKind;

typedef struct {
    WlSandbox *sandbox;
    NeighbourGrid grid;
    RoutingKind kind;
    bool allow_cycles;
} RoutingFile;

/* Takes the answer to function(node, other): the values on the stack from `first` on.
 * On failure the message goes on after the question. Must not raise. */
typedef bool (*RoutingAnswerFunc)(gpointer data,
                                  lua_State *L,
                                  int first,
                                  uint32_t node,
                                  uint32_t other,
                                  GError **error);

/* Runs the file at `path`. Fails with WL_ERROR_SYNTAX (no routing file), WL_ERROR_FIT
 * (more nodes than `most_nodes`), or as loader_open() does. */
bool routing_file_open(RoutingFile *self,
                       const char *path,
                       const WlSandboxConfig *config,
                       const NeighbourGrid *grid,
                       guint most_nodes,
                       GError **error);
void routing_file_clear(RoutingFile *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RoutingFile, routing_file_clear)

/* What its function is called: next, children or parent. */
const char *routing_file_function(const RoutingFile *self);

/* Asks function(node, other) about one `fixed` node and each node in turn: ROUTING_NEXT
 * about the fixed node and all other targets, the others about all nodes and the fixed
 * root, ROUTING_PARENT not about the root itself. The limit of steps is for all of them
 * together. */
bool routing_file_ask(RoutingFile *self,
                      uint32_t fixed,
                      RoutingAnswerFunc func,
                      gpointer data,
                      GError **error);
