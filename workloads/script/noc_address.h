/* A place on the chip, packed in an integer as kernels hand it around: a core or a
 * rectangle of cores by logical coordinates, or a DRAM bank, and an address there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

#include "arch/tensix_mover.h"

typedef struct {
    ArchNocAddress start;
    bool is_rectangle;
    guint corner_x; /* the other corner, included */
    guint corner_y;
} NocAddress;

/* Pushes it, or raises where a part is out of range. */
void noc_address_push(lua_State *L, const NocAddress *self);

/* The argument at `index`, or raises. */
NocAddress noc_address_check(lua_State *L, int index);

/* Lua functions. */
int noc_address_of_core(lua_State *L);      /* get_noc_addr(x, y, address) */
int noc_address_of_cores(lua_State *L);     /* get_noc_multicast_addr(...) */
int noc_address_of_dram_bank(lua_State *L); /* get_dram_noc_addr(bank, address) */
