/* Numbers in host memory, for scripts: methods of buffers that fill, convert, compare.
 */
#pragma once

#include <lauxlib.h>

/* Methods of the type of workloads/buffer/bytes.h, up to a NULL. */
extern const luaL_Reg bytes_number_methods[];
