/* Memory and descriptors of a PE's program, as methods of `pe`. */
#pragma once

#include <lauxlib.h>

/* Methods up to a NULL. */
extern const luaL_Reg wafer_dsd_methods[];
