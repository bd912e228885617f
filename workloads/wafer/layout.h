/* A layout while a script's function puts it together: `layout` as a Lua type. */
#pragma once

#include <glib.h>
#include <lua.h>

#include "arch/wse_layout.h"
#include "workloads/host/session.h"

/* Registers the type, and those of its parts, with a state, once. */
void wafer_layout_register(lua_State *L);

/* The function that puts layouts together, and who called for them. */
typedef struct {
    lua_State *state;
    Session *session;
    int function;  /* its place on the stack */
    bool is_slice; /* they are parts of another one, and run without data */
} WaferBuilder;

/* An ArchWseBuildFunc: what function(layout) makes of a new layout. `data` is the
 * WaferBuilder. Raises nothing; fails with what the function raised, and as
 * arch_wse_layout_new(). */
ArchWseLayout *wafer_layout_build(
    gpointer data, guint columns, guint rows, guint iterations, GError **error);

/* A set of PEs as scripts write it: { x, y } or { x0, y0, x1, y1, dx =, dy = }, both
 * corners included; none where the second is left of or above the first. The one at
 * `index`, or raises with `what` in front. Whether it lies inside a
 * rectangle is for its user to say. */
ArchWseTiles wafer_tiles_check(lua_State *L, int index, const char *what);
