/* Reference of horizontal diffusion on Tensix cores in BF16: products with constants,
 * added up in a Dst of 32 bits in the order of lib/cores/hdiff_kernels.lua, and rounded
 * where they leave it. Shares no code with the simulated units (dst.h). */
#pragma once

#include <lua.h>

/* buffer:hdiff_dst{ columns =, rows =, layers =, format = "bf16", order =,
 * coefficient =, limiter = true or false }: a new buffer. */
int reference_hdiff_dst(lua_State *L);
