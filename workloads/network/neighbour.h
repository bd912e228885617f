/* Reads a neighbour of a node from a routing file: "east", or coordinates. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "arch/noc_routes.h"

#define NEIGHBOUR_DIRECTIONS "east, west, south, north"

typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
} NeighbourGrid;

/* The node to which a link leads from `node`. Fails with WL_ERROR_RUNTIME and
 * `expected` if the word is not a direction, and with ARCH_ERROR_INVALID if there is no
 * such link. */
bool neighbour_read_direction(const NeighbourGrid *self,
                              uint32_t node,
                              const char *name,
                              const char *expected,
                              uint32_t *next,
                              GError **error);

/* Reads the two values on top of the stack: whole numbers, a place on the grid. */
bool neighbour_read_position(const NeighbourGrid *self,
                             lua_State *L,
                             uint32_t *next,
                             GError **error);

/* Reads the two values on top of the stack: a direction and nil, or two whole numbers.
 * The numbers must be on the grid; whether they name a neighbour is not checked. */
bool neighbour_read(const NeighbourGrid *self,
                    lua_State *L,
                    uint32_t node,
                    uint32_t *next,
                    GError **error);

/* A Lua function that takes a light userdata, the NeighbourGrid, and returns the table
 * that functions of routing files get as their last argument. */
int neighbour_push_grid(lua_State *L);
