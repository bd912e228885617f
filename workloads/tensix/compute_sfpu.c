/* The compute API of the SFPU: operations on tiles in Dst. */
#include "workloads/tensix/compute_sfpu.h"

#include "workloads/tensix/compute_call.h"

static int sfpu_init(lua_State *L)
{
    return compute_plain(L, ARCH_COMPUTE_SFPU_INIT);
}

/* (dst, dst_b [, dst]): the result replaces the first. */
static inline int sfpu_binary(lua_State *L, ArchComputeOp op)
{
    ArchComputeCall what = {.op = (guint8) op,
                            .dst = compute_check_dst(L, 1),
                            .dst_b = compute_check_dst(L, 2)};

    luaL_argcheck(L, lua_isnoneornil(L, 3) || compute_check_dst(L, 3) == what.dst, 3,
                  "the result replaces the first operand");
    return compute_make(L, kernel_run_of(L), &what);
}

static int add_binary_tile(lua_State *L)
{
    return sfpu_binary(L, ARCH_COMPUTE_SFPU_ADD);
}

static int sub_binary_tile(lua_State *L)
{
    return sfpu_binary(L, ARCH_COMPUTE_SFPU_SUB);
}

static int mul_binary_tile(lua_State *L)
{
    return sfpu_binary(L, ARCH_COMPUTE_SFPU_MUL);
}

/* mad_tile(dst, dst_b, dst_c): dst * dst_b + dst_c, which replaces dst. */
static int mad_tile(lua_State *L)
{
    ArchComputeCall what = {.op = ARCH_COMPUTE_SFPU_MAD,
                            .dst = compute_check_dst(L, 1),
                            .dst_b = compute_check_dst(L, 2),
                            .dst_c = compute_check_dst(L, 3)};

    return compute_make(L, kernel_run_of(L), &what);
}

static inline int sfpu_unary(lua_State *L, ArchComputeOp op)
{
    ArchComputeCall what = {.op = (guint8) op, .dst = compute_check_dst(L, 1)};

    return compute_make(L, kernel_run_of(L), &what);
}

static int recip_tile(lua_State *L)
{
    return sfpu_unary(L, ARCH_COMPUTE_SFPU_RECIP);
}

static int sqrt_tile(lua_State *L)
{
    return sfpu_unary(L, ARCH_COMPUTE_SFPU_SQRT);
}

/* sfpu_reduce_scalar(dst): all numbers of the tile, in its element 0. */
static int sfpu_reduce_scalar(lua_State *L)
{
    return sfpu_unary(L, ARCH_COMPUTE_SFPU_SUM);
}

/* mul_unary_tile(dst, scalar): the scalar as a number, not as its bits. */
static int mul_unary_tile(lua_State *L)
{
    ArchComputeCall what = {.op = ARCH_COMPUTE_SFPU_SCALE,
                            .dst = compute_check_dst(L, 1),
                            .scalar = (float) luaL_checknumber(L, 2)};

    return compute_make(L, kernel_run_of(L), &what);
}

/* add_unary_tile(dst, scalar), sub_unary_tile(dst, scalar) */
static int sfpu_offset(lua_State *L, float sign)
{
    ArchComputeCall what = {.op = ARCH_COMPUTE_SFPU_OFFSET,
                            .dst = compute_check_dst(L, 1),
                            .scalar = sign * (float) luaL_checknumber(L, 2)};

    return compute_make(L, kernel_run_of(L), &what);
}

static int add_unary_tile(lua_State *L)
{
    return sfpu_offset(L, 1);
}

static int sub_unary_tile(lua_State *L)
{
    return sfpu_offset(L, -1);
}

/* xxz_tile(dst): 1 where the number compares so with zero, else 0. */
static int sfpu_compare(lua_State *L, ArchComparison comparison, const char *name)
{
    ArchComputeCall what = {.op = ARCH_COMPUTE_SFPU_COMPARE,
                            .mode = (guint8) comparison,
                            .dst = compute_check_dst(L, 1),
                            .text = name};

    return compute_make(L, kernel_run_of(L), &what);
}

static int eqz_tile(lua_State *L)
{
    return sfpu_compare(L, ARCH_COMPARE_EQZ, "eqz_tile");
}

static int nez_tile(lua_State *L)
{
    return sfpu_compare(L, ARCH_COMPARE_NEZ, "nez_tile");
}

static int ltz_tile(lua_State *L)
{
    return sfpu_compare(L, ARCH_COMPARE_LTZ, "ltz_tile");
}

static int gtz_tile(lua_State *L)
{
    return sfpu_compare(L, ARCH_COMPARE_GTZ, "gtz_tile");
}

static int lez_tile(lua_State *L)
{
    return sfpu_compare(L, ARCH_COMPARE_LEZ, "lez_tile");
}

static int gez_tile(lua_State *L)
{
    return sfpu_compare(L, ARCH_COMPARE_GEZ, "gez_tile");
}

const luaL_Reg compute_sfpu_api[] = {
    {"add_binary_tile_init", sfpu_init},
    {"sub_binary_tile_init", sfpu_init},
    {"mul_binary_tile_init", sfpu_init},
    {"mad_tile_init", sfpu_init},
    {"recip_tile_init", sfpu_init},
    {"sqrt_tile_init", sfpu_init},
    {"binop_with_scalar_tile_init", sfpu_init},
    {"add_binary_tile", add_binary_tile},
    {"sub_binary_tile", sub_binary_tile},
    {"mul_binary_tile", mul_binary_tile},
    {"mad_tile", mad_tile},
    {"recip_tile", recip_tile},
    {"sqrt_tile", sqrt_tile},
    {"mul_unary_tile", mul_unary_tile},
    {"add_unary_tile", add_unary_tile},
    {"sub_unary_tile", sub_unary_tile},
    {"eqz_tile_init", sfpu_init},
    {"nez_tile_init", sfpu_init},
    {"ltz_tile_init", sfpu_init},
    {"gtz_tile_init", sfpu_init},
    {"lez_tile_init", sfpu_init},
    {"gez_tile_init", sfpu_init},
    {"eqz_tile", eqz_tile},
    {"nez_tile", nez_tile},
    {"ltz_tile", ltz_tile},
    {"gtz_tile", gtz_tile},
    {"lez_tile", lez_tile},
    {"gez_tile", gez_tile},
    {"sfpu_reduce_scalar_init", sfpu_init},
    {"sfpu_reduce_scalar", sfpu_reduce_scalar},
    {NULL, NULL},
};
