/* References of stencils on wafers: a method of buffers. */
#pragma once

#include <lua.h>

/* buffer:column_stencil{ columns =, rows =, layers =, steps =, cells = format, sums =
 * format, fields = { { term, ... }, ... } or nil, terms = { term, ... }, arithmetic =
 * "chip" or "double" }: a new buffer in the format of sums, and the largest magnitude.
 * A term is { weight =, x =, y =, z =, field = }, all but the weight 0 unless told. */
int reference_column_stencil_call(lua_State *L);
