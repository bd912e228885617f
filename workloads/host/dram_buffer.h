/* DRAM buffers as read-only Lua values, made by the host and shared by all states. */
#pragma once

#include <lua.h>

#include "arch/memory/dram_buffer.h"
#include "workloads/buffer/bytes.h"

/* A buffer and the chip whose memory holds it. */
typedef struct {
    ArchDramBuffer *pages;
    guint chip; /* as the system counts */
} HostDramBuffer;

void dram_buffer_free(HostDramBuffer *self);

/* Registers the type with a state, once. */
void dram_buffer_register(lua_State *L);

/* Pushes a buffer, which must outlive the state. */
void dram_buffer_push(lua_State *L, const HostDramBuffer *buffer);

/* The value at `index`, or NULL. */
const HostDramBuffer *dram_buffer_test(lua_State *L, int index);
/* The argument at `index`, which must be a buffer of this chip; or raises. */
ArchDramBuffer *dram_buffer_check(lua_State *L, int index, guint chip);

/* Move all of `bytes` to or from a chip, from the first page on; or raise. */
void dram_buffer_write(lua_State *L, int index, guint chip, const HostBytes *bytes);
void dram_buffer_read(lua_State *L, int index, guint chip, HostBytes *bytes);

/* host.dram_buffer{ pages =, page_bytes =, layout =, shard_pages = } */
int dram_buffer_new(lua_State *L);
