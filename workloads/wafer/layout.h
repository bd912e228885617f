/* A layout under construction by a script's function: `layout` as a Lua type. */
#pragma once

#include <glib.h>
#include <lua.h>

#include "arch/wse_layout.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

/* Registers the type, and those of its parts, with a state, once. */
void wafer_layout_register(lua_State *L);

extern const ApiClass wafer_layout_api;

/* The function that builds layouts, and its caller. */
typedef struct {
    lua_State *state;
    Session *session;
    int function;  /* its stack index */
    bool is_slice; /* the layouts are slices of another one and run without data */
} WaferBuilder;

/* An ArchWseBuildFunc: calls function(layout) with a new layout. `data` is the
 * WaferBuilder. Raises nothing; fails with the error that the function raised, and as
 * arch_wse_layout_new(). */
ArchWseLayout *wafer_layout_build(
    gpointer data, guint columns, guint rows, guint iterations, GError **error);

/* Reads the set of PEs at `index`, or raises with `what` in front. Scripts write { x, y
 * } or { x0, y0, x1, y1, dx =, dy = }, both corners included; the set is empty if the
 * second corner is left of or above the first. The caller checks that it lies inside a
 * rectangle. */
ArchWseTiles wafer_tiles_check(lua_State *L, int index, const char *what);
