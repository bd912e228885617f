/* References: dot products, in the arithmetic of the chip and in double precision.
 * Methods of buffers. */
#pragma once

#include <lua.h>

/* buffer:partials(format, other, tiles): of each `tiles` tiles, one tile: the products
 * with the other buffer's, added one tile after another, as the chip's units do. A new
 * buffer. */
int reference_partials(lua_State *L);

/* buffer:total(format): all numbers of a tile, as the chip adds them. */
int reference_total(lua_State *L);

/* buffer:dot(format, other): the sum of products in double precision, and that of their
 * magnitudes. */
int reference_dot(lua_State *L);
