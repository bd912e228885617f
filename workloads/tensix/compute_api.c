/* The compute API: circular buffers, inits, and what goes through the FPU. */
#include "workloads/tensix/compute_api.h"

#include "workloads/tensix/compute_call.h"

static inline int pages(lua_State *L, ArchComputeOp op)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = (guint8) op,
                            .cb_a = compute_check_cb(L, 1),
                            .count = compute_check_tile(L, 2)};

    if (op == ARCH_COMPUTE_CB_PUSH) {
        run->packed[what.cb_a] = 0;
    }
    return compute_make(L, run, &what);
}

static int cb_wait_front(lua_State *L)
{
    return pages(L, ARCH_COMPUTE_CB_WAIT);
}

static int cb_pop_front(lua_State *L)
{
    return pages(L, ARCH_COMPUTE_CB_POP);
}

static int cb_reserve_back(lua_State *L)
{
    return pages(L, ARCH_COMPUTE_CB_RESERVE);
}

static int cb_push_back(lua_State *L)
{
    return pages(L, ARCH_COMPUTE_CB_PUSH);
}

/* cb_shift_read(cb, bytes): later unpacks read so much further. */
static int cb_shift_read(lua_State *L)
{
    lua_Integer bytes = luaL_checkinteger(L, 2);
    ArchComputeCall what = {.op = ARCH_COMPUTE_CB_SHIFT,
                            .cb_a = compute_check_cb(L, 1)};

    luaL_argcheck(L, bytes >= G_MININT32 && bytes <= G_MAXINT32, 2, "too far");
    what.value = (int32_t) bytes;
    return compute_make(L, kernel_run_of(L), &what);
}

static int tile_regs_acquire(lua_State *L)
{
    return compute_plain(L, ARCH_COMPUTE_ACQUIRE);
}

static int tile_regs_commit(lua_State *L)
{
    return compute_plain(L, ARCH_COMPUTE_COMMIT);
}

static int tile_regs_wait(lua_State *L)
{
    return compute_plain(L, ARCH_COMPUTE_WAIT);
}

static int tile_regs_release(lua_State *L)
{
    return compute_plain(L, ARCH_COMPUTE_RELEASE);
}

/* An init for two operands, or for one. */
static inline int init(lua_State *L, ArchComputeOp op, guint count)
{
    ArchComputeCall what = {
        .op = (guint8) op, .cb_a = compute_check_cb(L, 1), .count = (guint16) count};

    if (count == 2) {
        what.cb_b = compute_check_cb(L, 2);
    }
    return compute_make(L, kernel_run_of(L), &what);
}

static int binary_op_init_common(lua_State *L)
{
    return init(L, ARCH_COMPUTE_START_INIT, 2);
}

/* Sets up all threads, and for copies: init_sfpu(cb_in, cb_out) too. */
static int unary_op_init_common(lua_State *L)
{
    ArchComputeCall what = {
        .op = ARCH_COMPUTE_START_INIT, .cb_a = compute_check_cb(L, 1), .count = 1};

    compute_call(L, kernel_run_of(L), &what);
    return init(L, ARCH_COMPUTE_COPY_INIT, 1);
}

/* One operation for all of them; `name` is what traces show. */
static inline int binary_init(lua_State *L, const char *name)
{
    return compute_make(L, kernel_run_of(L),
                        &(ArchComputeCall){.op = ARCH_COMPUTE_BINARY_INIT,
                                           .cb_a = compute_check_cb(L, 1),
                                           .cb_b = compute_check_cb(L, 2),
                                           .count = 2,
                                           .text = name});
}

static int add_tiles_init(lua_State *L)
{
    return binary_init(L, "add_tiles_init");
}

static int sub_tiles_init(lua_State *L)
{
    return binary_init(L, "sub_tiles_init");
}

static int mul_tiles_init(lua_State *L)
{
    return binary_init(L, "mul_tiles_init");
}

static int add_bcast_scalar_init_short(lua_State *L)
{
    return binary_init(L, "add_bcast_scalar_init_short");
}

static int sub_bcast_scalar_init_short(lua_State *L)
{
    return binary_init(L, "sub_bcast_scalar_init_short");
}

static int mul_tiles_bcast_scalar_init_short(lua_State *L)
{
    return binary_init(L, "mul_tiles_bcast_scalar_init_short");
}

static int copy_tile_init(lua_State *L)
{
    return init(L, ARCH_COMPUTE_COPY_INIT, 1);
}

/* copy_tile_to_dst_init_short_with_dt(cb_before, cb): the format too. */
static int copy_tile_init_with_format(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {
        .op = ARCH_COMPUTE_RECONFIG, .cb_a = compute_check_cb(L, 2), .count = 1};

    (void) compute_check_cb(L, 1);
    compute_call(L, run, &what);
    what.op = ARCH_COMPUTE_COPY_INIT;
    return compute_make(L, run, &what);
}

static int transpose_wh_init_short(lua_State *L)
{
    return init(L, ARCH_COMPUTE_TRANSPOSE_INIT, 1);
}

static int reduce_init(lua_State *L)
{
    return init(L, ARCH_COMPUTE_REDUCE_INIT, 2);
}

static int mm_init_short(lua_State *L)
{
    return init(L, ARCH_COMPUTE_MATMUL_INIT, 2);
}

/* Sets up all threads, and for matrix products. */
static int mm_init(lua_State *L)
{
    ArchComputeCall what = {.op = ARCH_COMPUTE_START_INIT,
                            .cb_a = compute_check_cb(L, 1),
                            .cb_b = compute_check_cb(L, 2),
                            .count = 2};

    compute_call(L, kernel_run_of(L), &what);
    return mm_init_short(L);
}

static int reconfig_data_format(lua_State *L)
{
    return init(L, ARCH_COMPUTE_RECONFIG, 2);
}

static int reconfig_data_format_srca(lua_State *L)
{
    return init(L, ARCH_COMPUTE_RECONFIG, 1);
}

static int pack_reconfig_data_format(lua_State *L)
{
    return init(L, ARCH_COMPUTE_PACK_RECONFIG, 1);
}

/* (cb_a, cb_b, tile_a, tile_b, dst), as tt-metal orders them. */
static inline int two_operands(lua_State *L, ArchComputeOp op, int mode)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {
        .op = (guint8) op,
        .mode = (guint8) mode,
        .cb_a = compute_check_cb(L, 1),
        .cb_b = compute_check_cb(L, 2),
        .tile_a = compute_check_tile(L, 3),
        .tile_b = compute_check_tile(L, 4),
        .dst = compute_check_dst(L, 5),
    };

    return compute_make(L, run, &what);
}

#define TWO_OPERANDS(name, op, mode)                                                   \
    static int name(lua_State *L)                                                      \
    {                                                                                  \
        return two_operands(L, op, mode);                                              \
    }

TWO_OPERANDS(add_tiles, ARCH_COMPUTE_ADD, ARCH_BROADCAST_NONE)
TWO_OPERANDS(sub_tiles, ARCH_COMPUTE_SUB, ARCH_BROADCAST_NONE)
TWO_OPERANDS(mul_tiles, ARCH_COMPUTE_MUL, ARCH_BROADCAST_NONE)
TWO_OPERANDS(add_tiles_bcast_scalar, ARCH_COMPUTE_ADD, ARCH_BROADCAST_SCALAR)
TWO_OPERANDS(sub_tiles_bcast_scalar, ARCH_COMPUTE_SUB, ARCH_BROADCAST_SCALAR)
TWO_OPERANDS(mul_tiles_bcast_scalar, ARCH_COMPUTE_MUL, ARCH_BROADCAST_SCALAR)
TWO_OPERANDS(add_tiles_bcast_rows, ARCH_COMPUTE_ADD, ARCH_BROADCAST_ROW)
TWO_OPERANDS(sub_tiles_bcast_rows, ARCH_COMPUTE_SUB, ARCH_BROADCAST_ROW)
TWO_OPERANDS(mul_tiles_bcast_rows, ARCH_COMPUTE_MUL, ARCH_BROADCAST_ROW)
TWO_OPERANDS(add_tiles_bcast_cols, ARCH_COMPUTE_ADD, ARCH_BROADCAST_COLUMN)
TWO_OPERANDS(sub_tiles_bcast_cols, ARCH_COMPUTE_SUB, ARCH_BROADCAST_COLUMN)
TWO_OPERANDS(mul_tiles_bcast_cols, ARCH_COMPUTE_MUL, ARCH_BROADCAST_COLUMN)
TWO_OPERANDS(matmul_tiles, ARCH_COMPUTE_MATMUL, ARCH_KEEP_NONE)

/* reduce_tile(cb, scaler_cb, tile, scaler_tile, dst [, "scalar" | "row" | "col"]) */
static int reduce_tile(lua_State *L)
{
    static const char *const names[] = {"scalar", "row", "col", NULL};

    return two_operands(L, ARCH_COMPUTE_REDUCE,
                        luaL_checkoption(L, 6, "scalar", names));
}

/* matmul_block(cb_a, cb_b, tile_a, tile_b, dst, transpose, ct, rt, kt): one step of the
 * inner dimension for a block of rt x ct tiles of the result. The operand of the
 * shorter loop stays in Src. */
static int matmul_block(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = ARCH_COMPUTE_MATMUL,
                            .cb_a = compute_check_cb(L, 1),
                            .cb_b = compute_check_cb(L, 2)};
    guint tile_a = compute_check_tile(L, 3);
    guint tile_b = compute_check_tile(L, 4);
    guint dst = compute_check_dst(L, 5);
    guint columns = kernel_argument(L, 7, G_MAXUINT8);
    guint rows = kernel_argument(L, 8, G_MAXUINT8);
    guint inner = kernel_argument(L, 9, G_MAXUINT16);
    bool is_by_row = columns >= rows;
    guint outer_count = is_by_row ? rows : columns;
    guint inner_count = is_by_row ? columns : rows;

    luaL_argcheck(L, lua_toboolean(L, 6) == 0 || lua_tointeger(L, 6) == 0, 6,
                  "transposing is not modelled, transpose the tiles before");
    luaL_argcheck(L, columns * rows + dst <= G_MAXUINT8, 8, "more tiles than Dst has");
    for (guint i = 0; i < outer_count; i++) {
        for (guint j = 0; j < inner_count; j++) {
            guint row = is_by_row ? i : j;
            guint column = is_by_row ? j : i;

            what.tile_a = (guint16) (tile_a + row * inner);
            what.tile_b = (guint16) (tile_b + column);
            what.dst = (guint8) (dst + row * columns + column);
            what.mode = (guint8) (j == 0      ? ARCH_KEEP_NONE
                                  : is_by_row ? ARCH_KEEP_A
                                              : ARCH_KEEP_B);
            compute_call(L, run, &what);
        }
    }
    return compute_finish(L, run);
}

/* (cb, tile, dst) */
static inline int one_operand(lua_State *L, ArchComputeOp op)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = (guint8) op,
                            .cb_a = compute_check_cb(L, 1),
                            .tile_a = compute_check_tile(L, 2),
                            .dst = compute_check_dst(L, 3)};

    return compute_make(L, run, &what);
}

static int copy_tile(lua_State *L)
{
    return one_operand(L, ARCH_COMPUTE_COPY);
}

static int transpose_wh_tile(lua_State *L)
{
    return one_operand(L, ARCH_COMPUTE_TRANSPOSE);
}

/* pack_tile(dst, cb [, page]): the next page after those packed since the last push,
 * or the one that is named. */
static int pack_tile(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = ARCH_COMPUTE_PACK,
                            .dst = compute_check_dst(L, 1),
                            .cb_a = compute_check_cb(L, 2)};

    if (lua_isnoneornil(L, 3)) {
        what.tile_a = run->packed[what.cb_a]++;
    } else {
        what.tile_a = compute_check_tile(L, 3);
    }
    return compute_make(L, run, &what);
}

/* unattributed(tiles): a declared cost, charged unless the user switched it off. */
static int unattributed(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = ARCH_COMPUTE_UNATTRIBUTED,
                            .value = (int32_t) kernel_unattributed_cycles(L, run)};

    return compute_make(L, run, &what);
}

static int push_value(lua_State *L, int status, lua_KContext context)
{
    KernelRun *run = kernel_run_of(L);

    (void) status;
    (void) context;
    run->is_value_wanted = false;
    lua_pushnumber(L, run->value);
    return 1;
}

/* read_tile_value(cb, tile, element): waits for it. */
static int read_tile_value(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = ARCH_COMPUTE_READ_VALUE,
                            .cb_a = compute_check_cb(L, 1),
                            .tile_a = compute_check_tile(L, 2)};

    sandbox_may_yield(L, "read_tile_value");
    what.value = (int32_t) kernel_argument(L, 3, ARCH_TILE_ELEMENTS - 1);
    compute_call(L, run, &what);
    run->is_value_wanted = true;
    run->is_waiting = true;
    return lua_yieldk(L, 0, 0, push_value);
}

static int end_zone(lua_State *L, int status, lua_KContext context)
{
    ArchComputeCall what = {.op = ARCH_COMPUTE_ZONE_END};

    (void) status;
    (void) context;
    return compute_make(L, kernel_run_of(L), &what);
}

/* zone(name, f): calls f, and counts the time it takes on each thread. */
static int zone(lua_State *L)
{
    ArchComputeCall what = {.op = ARCH_COMPUTE_ZONE_BEGIN};
    const char *name = luaL_checkstring(L, 1);

    luaL_checktype(L, 2, LUA_TFUNCTION);
    luaL_argcheck(L, g_utf8_validate(name, -1, NULL), 1, "the name is not UTF-8");
    lua_settop(L, 2);
    what.text = g_intern_string(name);
    compute_call(L, kernel_run_of(L), &what);
    lua_callk(L, 0, 0, 0, end_zone);
    return end_zone(L, LUA_OK, 0);
}

const luaL_Reg compute_api[] = {
    {"cb_wait_front", cb_wait_front},
    {"cb_pop_front", cb_pop_front},
    {"cb_reserve_back", cb_reserve_back},
    {"cb_push_back", cb_push_back},
    {"cb_shift_read", cb_shift_read},
    {"get_tile_size", kernel_get_tile_size},
    {"get_arg", kernel_get_arg},
    {"my_x", kernel_my_x},
    {"my_y", kernel_my_y},
    {"my_chip", kernel_my_chip},
    {"zone", zone},
    {"tile_regs_acquire", tile_regs_acquire},
    {"tile_regs_commit", tile_regs_commit},
    {"tile_regs_wait", tile_regs_wait},
    {"tile_regs_release", tile_regs_release},
    {"binary_op_init_common", binary_op_init_common},
    {"unary_op_init_common", unary_op_init_common},
    {"init_sfpu", unary_op_init_common},
    {"add_tiles_init", add_tiles_init},
    {"sub_tiles_init", sub_tiles_init},
    {"mul_tiles_init", mul_tiles_init},
    {"add_bcast_scalar_init_short", add_bcast_scalar_init_short},
    {"sub_bcast_scalar_init_short", sub_bcast_scalar_init_short},
    {"mul_tiles_bcast_scalar_init_short", mul_tiles_bcast_scalar_init_short},
    {"add_tiles", add_tiles},
    {"sub_tiles", sub_tiles},
    {"mul_tiles", mul_tiles},
    {"add_tiles_bcast_scalar", add_tiles_bcast_scalar},
    {"sub_tiles_bcast_scalar", sub_tiles_bcast_scalar},
    {"mul_tiles_bcast_scalar", mul_tiles_bcast_scalar},
    {"add_tiles_bcast_rows", add_tiles_bcast_rows},
    {"sub_tiles_bcast_rows", sub_tiles_bcast_rows},
    {"mul_tiles_bcast_rows", mul_tiles_bcast_rows},
    {"add_tiles_bcast_cols", add_tiles_bcast_cols},
    {"sub_tiles_bcast_cols", sub_tiles_bcast_cols},
    {"mul_tiles_bcast_cols", mul_tiles_bcast_cols},
    {"copy_tile_init", copy_tile_init},
    {"copy_tile_to_dst_init_short", copy_tile_init},
    {"copy_tile_to_dst_init_short_with_dt", copy_tile_init_with_format},
    {"copy_tile", copy_tile},
    {"transpose_wh_init_short", transpose_wh_init_short},
    {"transpose_wh_tile", transpose_wh_tile},
    {"reduce_init", reduce_init},
    {"reduce_tile", reduce_tile},
    {"mm_init", mm_init},
    {"mm_init_short", mm_init_short},
    {"mm_block_init", mm_init},
    {"matmul_tiles", matmul_tiles},
    {"matmul_block", matmul_block},
    {"pack_tile", pack_tile},
    {"reconfig_data_format", reconfig_data_format},
    {"reconfig_data_format_srca", reconfig_data_format_srca},
    {"pack_reconfig_data_format", pack_reconfig_data_format},
    {"read_tile_value", read_tile_value},
    {"unattributed", unattributed},
    {NULL, NULL},
};
