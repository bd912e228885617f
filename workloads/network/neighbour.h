/* A neighbour of a node, as routing files name it: "east", or by its place. */
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

/* Where a link leads from `node`. Fails with WL_ERROR_RUNTIME for a word that is no
 * direction, saying what is `expected`, and with ARCH_ERROR_INVALID where there is no
 * such link. */
bool neighbour_read_direction(const NeighbourGrid *self,
                              uint32_t node,
                              const char *name,
                              const char *expected,
                              uint32_t *next,
                              GError **error);

/* Reads the two values on top of the stack, a direction and nil or two whole numbers.
 * The latter are on the grid; whether they are a neighbour's is not looked at. */
bool neighbour_read(const NeighbourGrid *self,
                    lua_State *L,
                    uint32_t node,
                    uint32_t *next,
                    GError **error);

/* Lua function of a light userdata, the NeighbourGrid: the table that functions of
 * routing files get as their last argument. */
int neighbour_push_grid(lua_State *L);
