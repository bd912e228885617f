/* An address packed in an integer, as kernels pass it: a core or a rectangle of cores
 * by logical coordinates, or a DRAM bank, with an offset; or a core of another chip. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

#include "arch/memory/dram_buffer.h"
#include "arch/tensix_mover.h"

typedef struct {
    ArchNocAddress start;
    bool is_rectangle;
    guint corner_x; /* the other corner, included */
    guint corner_y;
} KernelNocAddress;

/* An address in the L1 of a core of any chip. */
typedef struct {
    guint chip; /* as the system counts */
    guint x;
    guint y;
    uint64_t offset;
} FabricAddress;

/* The argument at `index`, or raises. */
KernelNocAddress kernel_noc_address_check(lua_State *L, int index);
FabricAddress fabric_address_check(lua_State *L, int index);

/* The DRAM buffer at `index`, which must be of the kernel's chip; or raises. */
const ArchDramBuffer *kernel_dram_buffer(lua_State *L, int index);
/* The address of the page whose number is the argument at `index`; or raises. */
ArchNocAddress
kernel_noc_address_of_page(lua_State *L, int index, const ArchDramBuffer *buffer);

/* Lua functions. */
int kernel_noc_address_of_core(lua_State *L);  /* get_noc_addr(x, y, address) */
int kernel_noc_address_of_cores(lua_State *L); /* get_noc_multicast_addr(...) */
int kernel_noc_address_of_dram_bank(
    lua_State *L);                        /* get_dram_noc_addr(bank, address) */
int fabric_address_of_core(lua_State *L); /* get_fabric_addr(chip, x, y, address) */
