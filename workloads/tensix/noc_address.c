/* Packed addresses: 36 bits of offset, four coordinates of 6 bits, what they mean, and
 * a bit that tells them from addresses in L1. On another chip the last two
 * coordinates are its number. */
#include "workloads/tensix/noc_address.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/host/dram_buffer.h"
#include "workloads/tensix/kernel_run.h"

enum {
    OFFSET_BITS = 36,
    COORDINATE_BITS = 6,
    COORDINATE_MAXIMUM = (1 << COORDINATE_BITS) - 1,
    SHIFT_X = OFFSET_BITS,
    SHIFT_Y = SHIFT_X + COORDINATE_BITS,
    SHIFT_CORNER_X = SHIFT_Y + COORDINATE_BITS,
    SHIFT_CORNER_Y = SHIFT_CORNER_X + COORDINATE_BITS,
    SHIFT_CHIP = SHIFT_CORNER_X,
    CHIP_MAXIMUM = (1 << (2 * COORDINATE_BITS)) - 1,
};

#define OFFSET_MAXIMUM ((UINT64_C(1) << OFFSET_BITS) - 1)
#define DRAM           (UINT64_C(1) << 60)
#define RECTANGLE      (UINT64_C(1) << 61)
#define FABRIC         (DRAM | RECTANGLE) /* no rectangle is in DRAM */
#define VALID          (UINT64_C(1) << 62)

static void push(lua_State *L, const KernelNocAddress *self)
{
    uint64_t word = VALID | self->start.offset;

    word |= (uint64_t) self->start.x << SHIFT_X;
    word |= (uint64_t) self->start.y << SHIFT_Y;
    word |= (uint64_t) self->corner_x << SHIFT_CORNER_X;
    word |= (uint64_t) self->corner_y << SHIFT_CORNER_Y;
    word |= self->start.is_dram ? DRAM : 0;
    word |= self->is_rectangle ? RECTANGLE : 0;
    lua_pushinteger(L, (lua_Integer) word);
}

KernelNocAddress kernel_noc_address_check(lua_State *L, int index)
{
    uint64_t word = (uint64_t) luaL_checkinteger(L, index);
    KernelNocAddress address = {
        .start = {.is_dram = (word & DRAM) != 0,
                  .x = sim_u32(word >> SHIFT_X & COORDINATE_MAXIMUM),
                  .y = sim_u32(word >> SHIFT_Y & COORDINATE_MAXIMUM),
                  .offset = word & OFFSET_MAXIMUM},
        .is_rectangle = (word & RECTANGLE) != 0,
        .corner_x = sim_u32(word >> SHIFT_CORNER_X & COORDINATE_MAXIMUM),
        .corner_y = sim_u32(word >> SHIFT_CORNER_Y & COORDINATE_MAXIMUM),
    };

    luaL_argcheck(L, (word & VALID) != 0 && word >> 63 == 0, index,
                  "expected a NoC address, as get_noc_addr gives it");
    luaL_argcheck(L, (word & FABRIC) != FABRIC, index,
                  "expected a place on this chip, not one of get_fabric_addr");
    return address;
}

FabricAddress fabric_address_check(lua_State *L, int index)
{
    uint64_t word = (uint64_t) luaL_checkinteger(L, index);

    luaL_argcheck(L, (word & (VALID | FABRIC)) == (VALID | FABRIC) && word >> 63 == 0,
                  index, "expected an address of get_fabric_addr");
    return (FabricAddress){
        .chip = sim_u32(word >> SHIFT_CHIP & CHIP_MAXIMUM),
        .x = sim_u32(word >> SHIFT_X & COORDINATE_MAXIMUM),
        .y = sim_u32(word >> SHIFT_Y & COORDINATE_MAXIMUM),
        .offset = word & OFFSET_MAXIMUM,
    };
}

static uint64_t check_offset(lua_State *L, int index)
{
    lua_Integer offset = luaL_checkinteger(L, index);

    luaL_argcheck(L, offset >= 0 && (uint64_t) offset <= OFFSET_MAXIMUM, index,
                  "no such address");
    return (uint64_t) offset;
}

const ArchDramBuffer *kernel_dram_buffer(lua_State *L, int index)
{
    const ArchTensixCore *core = kernel_run_of(L)->core;

    return dram_buffer_check(L, index, arch_fabric_chip(arch_tensix_core_fabric(core)));
}

ArchNocAddress
kernel_noc_address_of_page(lua_State *L, int index, const ArchDramBuffer *buffer)
{
    lua_Integer page = luaL_checkinteger(L, index);
    ArchNocAddress address = {.is_dram = true};
    GError *error = NULL;

    luaL_argcheck(L, page >= 0, index, "a page is not negative");
    if (G_UNLIKELY(!arch_dram_buffer_page(buffer, (uint64_t) page, &address.x,
                                          &address.offset, &error))) {
        kernel_run_fail(L, kernel_run_of(L), error);
    }
    return address;
}

/* get_noc_addr(x, y, address), get_noc_addr(page, dram_buffer), or
 * get_noc_addr(address) for the core itself. */
int kernel_noc_address_of_core(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);
    KernelNocAddress address = {.start = {.x = run->x, .y = run->y}};

    if (dram_buffer_test(L, 2) != NULL) {
        address.start = kernel_noc_address_of_page(L, 1, kernel_dram_buffer(L, 2));
    } else if (lua_isnoneornil(L, 2)) {
        address.start.offset = check_offset(L, 1);
    } else {
        address.start.x = kernel_argument(L, 1, COORDINATE_MAXIMUM);
        address.start.y = kernel_argument(L, 2, COORDINATE_MAXIMUM);
        address.start.offset = check_offset(L, 3);
    }
    push(L, &address);
    return 1;
}

/* get_noc_multicast_addr(x0, y0, x1, y1, address) */
int kernel_noc_address_of_cores(lua_State *L)
{
    KernelNocAddress address = {
        .start = {.x = kernel_argument(L, 1, COORDINATE_MAXIMUM),
                  .y = kernel_argument(L, 2, COORDINATE_MAXIMUM),
                  .offset = check_offset(L, 5)},
        .is_rectangle = true,
        .corner_x = kernel_argument(L, 3, COORDINATE_MAXIMUM),
        .corner_y = kernel_argument(L, 4, COORDINATE_MAXIMUM),
    };

    luaL_argcheck(L, address.start.x <= address.corner_x, 3,
                  "the second corner is left of the first");
    luaL_argcheck(L, address.start.y <= address.corner_y, 4,
                  "the second corner is above the first");
    push(L, &address);
    return 1;
}

/* get_dram_noc_addr(bank, address) */
int kernel_noc_address_of_dram_bank(lua_State *L)
{
    KernelNocAddress address = {
        .start = {.is_dram = true,
                  .x = kernel_argument(L, 1, COORDINATE_MAXIMUM),
                  .offset = check_offset(L, 2)}};

    push(L, &address);
    return 1;
}

/* get_fabric_addr(chip, x, y, address) */
int fabric_address_of_core(lua_State *L)
{
    uint64_t word = VALID | FABRIC;

    word |= (uint64_t) kernel_argument(L, 1, CHIP_MAXIMUM) << SHIFT_CHIP;
    word |= (uint64_t) kernel_argument(L, 2, COORDINATE_MAXIMUM) << SHIFT_X;
    word |= (uint64_t) kernel_argument(L, 3, COORDINATE_MAXIMUM) << SHIFT_Y;
    word |= check_offset(L, 4);
    lua_pushinteger(L, (lua_Integer) word);
    return 1;
}
