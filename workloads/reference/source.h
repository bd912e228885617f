/* A source of reference runs: a cell to which a number is added in each of the first
 * steps. */
#pragma once

#include <glib.h>
#include <lua.h>

typedef struct {
    const double *samples; /* added after each of the first steps */
    guint count;
    guint x;
    guint y;
    guint z;
} ReferenceSource;

/* Reads the field "source" of the table at index 2, { x =, y =, z =, samples = }, in a
 * grid of this size, or raises. Without the field, nothing is added. Samples stay on
 * the stack. */
ReferenceSource reference_source_check(lua_State *L, guint nx, guint ny, guint nz);
