/* DRAM buffers as Lua values: made by the host, shared by all states, read only. */
#pragma once

#include <lua.h>

#include "arch/memory/dram_buffer.h"
#include "workloads/buffer/bytes.h"

/* Registers the type with a state, once. */
void dram_buffer_register(lua_State *L);

/* Pushes it; it must outlive the state. */
void dram_buffer_push(lua_State *L, const ArchDramBuffer *buffer);

/* The value at `index`, or NULL. */
const ArchDramBuffer *dram_buffer_test(lua_State *L, int index);
/* The argument at `index`, or raises. */
const ArchDramBuffer *dram_buffer_check(lua_State *L, int index);

/* Move all of `bytes`, from its first page on; or raise. */
void dram_buffer_write(lua_State *L, int index, const HostBytes *bytes);
void dram_buffer_read(lua_State *L, int index, HostBytes *bytes);

/* host.dram_buffer{ pages =, page_bytes =, layout =, shard_pages = } */
int dram_buffer_new(lua_State *L);
