/* The compute API: a C function for each list of arguments that a function can have,
 * which makes the call that its row of arch/tensix_operations.def says. */
#include <lauxlib.h>

#include "arch/tensix_compute.h"
#include "sim/narrow.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/tape.h"

enum {
    COMPUTE_CALLS = 48, /* between two returns to the engine */
};

static int go_on(lua_State *L, int status, lua_KContext context)
{
    (void) L;
    (void) status;
    (void) context;
    return 0;
}

/* Hands it to the core, or raises. */
static void compute_call(lua_State *L, KernelRun *run, const ArchComputeCall *what)
{
    GError *error = NULL;

    run->made++;
    if (run->recorder != NULL) {
        tape_add(L, run, what);
        return;
    }
    if (G_UNLIKELY(run->taking.again > 0)) {
        run->taking.again--;
        return;
    }
    if (G_UNLIKELY(!arch_compute_call(run->core, what, &error))) {
        kernel_run_fail(L, run, error);
    }
}

/* Yields. Where the kernel cannot, it goes on: more calls pile up, that is all. */
static int compute_pause(lua_State *L, KernelRun *run)
{
    if (L != run->thread || lua_isyieldable(L) == 0) {
        return 0;
    }
    run->is_waiting = true;
    return lua_yieldk(L, 0, 0, go_on);
}

/* The last line of a Lua function of the API: yields when it is time. */
static inline int compute_finish(lua_State *L, KernelRun *run)
{
    return G_LIKELY(run->made < COMPUTE_CALLS) ? 0 : compute_pause(L, run);
}

static inline int
compute_make(lua_State *L, KernelRun *run, const ArchComputeCall *what)
{
    compute_call(L, run, what);
    return compute_finish(L, run);
}

static inline guint8 compute_check_cb(lua_State *L, int index)
{
    return sim_u8(kernel_argument(L, index, KERNEL_BUFFERS - 1));
}

static inline guint8 compute_check_dst(lua_State *L, int index)
{
    return sim_u8(kernel_argument(L, index, G_MAXUINT8));
}

static inline guint16 compute_check_tile(lua_State *L, int index)
{
    return sim_u16(kernel_argument(L, index, G_MAXUINT16));
}

static inline const ArchComputeFunction *function_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

static int none(lua_State *L)
{
    return compute_make(L, kernel_run_of(L),
                        &(ArchComputeCall){.op = function_of(L)->op});
}

/* (cb, pages) */
static int pages(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = function_of(L)->op,
                            .cb_a = compute_check_cb(L, 1),
                            .count = compute_check_tile(L, 2)};

    if (what.op == ARCH_COMPUTE_CB_PUSH) {
        run->packed[what.cb_a] = 0;
    }
    return compute_make(L, run, &what);
}

/* (cb, bytes): later unpacks read so much further. */
static int shift(lua_State *L)
{
    lua_Integer bytes = luaL_checkinteger(L, 2);
    ArchComputeCall what = {.op = function_of(L)->op, .cb_a = compute_check_cb(L, 1)};

    luaL_argcheck(L, bytes >= G_MININT32 && bytes <= G_MAXINT32, 2, "too far");
    what.value = sim_i32(bytes);
    return compute_make(L, kernel_run_of(L), &what);
}

/* (cb) */
static int buffer(lua_State *L)
{
    return compute_make(L, kernel_run_of(L),
                        &(ArchComputeCall){.op = function_of(L)->op,
                                           .cb_a = compute_check_cb(L, 1),
                                           .count = 1});
}

/* (cb_a, cb_b) */
static int buffers(lua_State *L)
{
    return compute_make(L, kernel_run_of(L),
                        &(ArchComputeCall){.op = function_of(L)->op,
                                           .cb_a = compute_check_cb(L, 1),
                                           .cb_b = compute_check_cb(L, 2),
                                           .count = 2});
}

/* Sets up all threads first: (cb, ...) */
static int start_buffer(lua_State *L)
{
    compute_call(L, kernel_run_of(L),
                 &(ArchComputeCall){.op = ARCH_COMPUTE_START_INIT,
                                    .cb_a = compute_check_cb(L, 1),
                                    .count = 1});
    return buffer(L);
}

/* Likewise: (cb_a, cb_b, ...) */
static int start_buffers(lua_State *L)
{
    compute_call(L, kernel_run_of(L),
                 &(ArchComputeCall){.op = ARCH_COMPUTE_START_INIT,
                                    .cb_a = compute_check_cb(L, 1),
                                    .cb_b = compute_check_cb(L, 2),
                                    .count = 2});
    return buffers(L);
}

/* (cb_before, cb): the format first */
static int next_buffer(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {
        .op = ARCH_COMPUTE_RECONFIG, .cb_a = compute_check_cb(L, 2), .count = 1};

    (void) compute_check_cb(L, 1);
    compute_call(L, run, &what);
    what.op = function_of(L)->op;
    return compute_make(L, run, &what);
}

/* (cb, tile, dst) */
static int tile(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = function_of(L)->op,
                            .mode = function_of(L)->mode,
                            .cb_a = compute_check_cb(L, 1),
                            .tile_a = compute_check_tile(L, 2),
                            .dst = compute_check_dst(L, 3)};

    return compute_make(L, run, &what);
}

/* (cb, tile, dst, width): of `width` tiles side by side. */
static int row_tile(lua_State *L)
{
    ArchComputeCall what = {.op = function_of(L)->op,
                            .cb_a = compute_check_cb(L, 1),
                            .tile_a = compute_check_tile(L, 2),
                            .dst = compute_check_dst(L, 3),
                            .count = compute_check_tile(L, 4)};

    luaL_argcheck(L, what.count > 0, 4, "no tiles");
    return compute_make(L, kernel_run_of(L), &what);
}

static inline int two_tiles(lua_State *L, guint8 op, guint8 mode)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {
        .op = op,
        .mode = mode,
        .cb_a = compute_check_cb(L, 1),
        .cb_b = compute_check_cb(L, 2),
        .tile_a = compute_check_tile(L, 3),
        .tile_b = compute_check_tile(L, 4),
        .dst = compute_check_dst(L, 5),
    };

    return compute_make(L, run, &what);
}

/* (cb_a, cb_b, tile_a, tile_b, dst), as tt-metal orders them. */
static int tiles(lua_State *L)
{
    const ArchComputeFunction *function = function_of(L);

    return two_tiles(L, function->op, function->mode);
}

/* (cb, scaler_cb, tile, scaler_tile, dst [, "scalar" | "row" | "col"]) */
static int reduction(lua_State *L)
{
    static const char *const names[] = {"scalar", "row", "col", NULL};

    return two_tiles(L, function_of(L)->op,
                     sim_u8(luaL_checkoption(L, 6, "scalar", names)));
}

/* matmul_block(cb_a, cb_b, tile_a, tile_b, dst, transpose, ct, rt, kt) */
static int block(lua_State *L)
{
    const ArchComputeCall what = {
        .op = function_of(L)->op,
        .cb_a = compute_check_cb(L, 1),
        .cb_b = compute_check_cb(L, 2),
        .tile_a = compute_check_tile(L, 3),
        .tile_b = compute_check_tile(L, 4),
        .dst = compute_check_dst(L, 5),
        .dst_b = sim_u8(kernel_argument(L, 7, G_MAXUINT8)),
        .dst_c = sim_u8(kernel_argument(L, 8, G_MAXUINT8)),
        .count = compute_check_tile(L, 9),
    };

    luaL_argcheck(L, lua_toboolean(L, 6) == 0 || lua_tointeger(L, 6) == 0, 6,
                  "transposing is not modelled, transpose the tiles before");
    luaL_argcheck(L, what.dst_b > 0, 7, "no columns");
    luaL_argcheck(L, what.dst_c > 0, 8, "no rows");
    luaL_argcheck(L, what.dst_b * what.dst_c + what.dst <= G_MAXUINT8, 8,
                  "more tiles than Dst has");
    return compute_make(L, kernel_run_of(L), &what);
}

/* (dst) */
static int dst_one(lua_State *L)
{
    ArchComputeCall what = {.op = function_of(L)->op, .dst = compute_check_dst(L, 1)};

    return compute_make(L, kernel_run_of(L), &what);
}

/* (dst [, is_approximate]) */
static int dst_mode(lua_State *L)
{
    const ArchComputeFunction *function = function_of(L);
    ArchComputeCall what = {.op = function->op,
                            .mode = lua_toboolean(L, 2) != 0 || function->mode != 0,
                            .dst = compute_check_dst(L, 1)};

    return compute_make(L, kernel_run_of(L), &what);
}

/* (dst, before, after): names of formats. */
static int typecast(lua_State *L)
{
    const char *const *names = arch_format_names();
    const int from = luaL_checkoption(L, 2, NULL, names);
    const int to = luaL_checkoption(L, 3, NULL, names);
    ArchComputeCall what = {.op = function_of(L)->op,
                            .mode = sim_u8(16 * from + to),
                            .dst = compute_check_dst(L, 1)};

    return compute_make(L, kernel_run_of(L), &what);
}

/* (dst, dst_b [, to]): the result replaces the first if there is no third. */
static int dst_pair(lua_State *L)
{
    ArchComputeCall what = {.op = function_of(L)->op,
                            .dst = compute_check_dst(L, 1),
                            .dst_b = compute_check_dst(L, 2)};

    if (!lua_isnoneornil(L, 3)) {
        what.out_offset = sim_i16(compute_check_dst(L, 3) - what.dst);
    }
    return compute_make(L, kernel_run_of(L), &what);
}

/* (dst, dst_b, dst_c): the result replaces dst. */
static int dst_triple(lua_State *L)
{
    ArchComputeCall what = {.op = function_of(L)->op,
                            .dst = compute_check_dst(L, 1),
                            .dst_b = compute_check_dst(L, 2),
                            .dst_c = compute_check_dst(L, 3)};

    return compute_make(L, kernel_run_of(L), &what);
}

/* (dst, scalar): the scalar as a number, not as its bits; or with its sign changed. */
static int scalar(lua_State *L)
{
    const ArchComputeFunction *function = function_of(L);
    const bool is_minus = function->arguments == ARCH_ARGUMENTS_MINUS_SCALAR;
    ArchComputeCall what = {.op = function->op,
                            .dst = compute_check_dst(L, 1),
                            .scalar = (float) luaL_checknumber(L, 2)};

    what.scalar = is_minus ? -what.scalar : what.scalar;
    if (function->arguments == ARCH_ARGUMENTS_SCALARS) {
        what.scalar_b = (float) luaL_checknumber(L, 3);
    }
    return compute_make(L, kernel_run_of(L), &what);
}

/* (dst, cb [, page]): the next page after those packed since the last push, or the one
 * that is named. */
static int pack(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = function_of(L)->op,
                            .dst = compute_check_dst(L, 1),
                            .cb_a = compute_check_cb(L, 2)};

    what.tile_a =
        lua_isnoneornil(L, 3) ? run->packed[what.cb_a]++ : compute_check_tile(L, 3);
    return compute_make(L, run, &what);
}

/* (dst, cb, tile, width) */
static int row_pack(lua_State *L)
{
    ArchComputeCall what = {.op = function_of(L)->op,
                            .dst = compute_check_dst(L, 1),
                            .cb_a = compute_check_cb(L, 2),
                            .tile_a = compute_check_tile(L, 3),
                            .count = compute_check_tile(L, 4)};

    luaL_argcheck(L, what.count > 0, 4, "no tiles");
    return compute_make(L, kernel_run_of(L), &what);
}

/* (setting): an integer of 32 bits, or true or false. */
static int setting(lua_State *L)
{
    ArchComputeCall what = {.op = function_of(L)->op, .value = lua_toboolean(L, 1)};

    if (!lua_isboolean(L, 1)) {
        what.value = sim_i32(kernel_argument(L, 1, G_MAXINT32));
    }
    return compute_make(L, kernel_run_of(L), &what);
}

/* {add =, divide =, ...}: the kernel's own computation, on all three threads. */
static int counts(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = function_of(L)->op,
                            .value = sim_i32(scalar_check_cycles(L, 1, &run->scalar))};

    return compute_make(L, run, &what);
}

/* (tiles): a declared cost, charged if the user switched it on. */
static int unattributed(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = function_of(L)->op,
                            .value = sim_i32(kernel_unattributed_cycles(L, run))};

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

/* (cb, tile, element): waits for it. */
static int read_value(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);
    ArchComputeCall what = {.op = function_of(L)->op,
                            .cb_a = compute_check_cb(L, 1),
                            .tile_a = compute_check_tile(L, 2)};

    sandbox_may_yield(L, function_of(L)->name);
    what.value = sim_i32(kernel_argument(L, 3, ARCH_TILE_ELEMENTS - 1));
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

/* (name, f): calls f, and counts the time it takes on each thread. */
static int zone(lua_State *L)
{
    ArchComputeCall what = {.op = function_of(L)->op};
    const char *name = luaL_checkstring(L, 1);

    luaL_checktype(L, 2, LUA_TFUNCTION);
    luaL_argcheck(L, g_utf8_validate(name, -1, NULL), 1, "the name is not UTF-8");
    lua_settop(L, 2);
    what.text = g_intern_string(name);
    compute_call(L, kernel_run_of(L), &what);
    lua_callk(L, 0, 0, 0, end_zone);
    return end_zone(L, LUA_OK, 0);
}

/* By ArchComputeArguments. */
static const struct {
    lua_CFunction make;
    const char *signature;
} makers[ARCH_ARGUMENTS] = {
    [ARCH_ARGUMENTS_NONE] = {none, "()"},
    [ARCH_ARGUMENTS_PAGES] = {pages, "(cb: integer, pages: integer)"},
    [ARCH_ARGUMENTS_SHIFT] = {shift, "(cb: integer, bytes: integer)"},
    [ARCH_ARGUMENTS_BUFFER] = {buffer, "(cb: integer)"},
    [ARCH_ARGUMENTS_BUFFERS] = {buffers, "(cb_a: integer, cb_b: integer)"},
    [ARCH_ARGUMENTS_START_BUFFER] = {start_buffer, "(cb: integer, out?: integer)"},
    [ARCH_ARGUMENTS_START_BUFFERS] = {start_buffers,
                                      "(cb_a: integer, cb_b: integer, out?: integer)"},
    [ARCH_ARGUMENTS_NEXT_BUFFER] = {next_buffer, "(cb_before: integer, cb: integer)"},
    [ARCH_ARGUMENTS_TILE] = {tile, "(cb: integer, tile: integer, dst: integer)"},
    [ARCH_ARGUMENTS_ROW_TILE] =
        {row_tile, "(cb: integer, tile: integer, dst: integer, width: integer)"},
    [ARCH_ARGUMENTS_TILES] = {tiles, "(cb_a: integer, cb_b: integer, tile_a: integer, "
                                     "tile_b: integer, dst: integer)"},
    [ARCH_ARGUMENTS_REDUCTION] =
        {reduction, "(cb: integer, scaler_cb: integer, tile: integer, scaler_tile: "
                    "integer, dst: integer, along?: \"scalar\"|\"row\"|\"col\")"},
    [ARCH_ARGUMENTS_BLOCK] =
        {block, "(cb_a: integer, cb_b: integer, tile_a: integer, tile_b: integer, dst: "
                "integer, transpose: boolean, ct: integer, rt: integer, kt: integer)"},
    [ARCH_ARGUMENTS_DST] = {dst_one, "(dst: integer)"},
    [ARCH_ARGUMENTS_DST_MODE] = {dst_mode, "(dst: integer, is_approximate?: boolean)"},
    [ARCH_ARGUMENTS_DST_PAIR] = {dst_pair,
                                 "(dst: integer, dst_b: integer, to?: integer)"},
    [ARCH_ARGUMENTS_DST_TRIPLE] = {dst_triple,
                                   "(dst: integer, dst_b: integer, dst_c: integer)"},
    [ARCH_ARGUMENTS_SCALAR] = {scalar, "(dst: integer, number: number)"},
    [ARCH_ARGUMENTS_MINUS_SCALAR] = {scalar, "(dst: integer, number: number)"},
    [ARCH_ARGUMENTS_SCALARS] = {scalar, "(dst: integer, least: number, most: number)"},
    [ARCH_ARGUMENTS_TYPECAST] =
        {typecast, "(dst: integer, before: gl.TileFormat, after: gl.TileFormat)"},
    [ARCH_ARGUMENTS_PACK] = {pack, "(dst: integer, cb: integer, page?: integer)"},
    [ARCH_ARGUMENTS_ROW_PACK] =
        {row_pack, "(dst: integer, cb: integer, tile: integer, width: integer)"},
    [ARCH_ARGUMENTS_SETTING] = {setting, "(setting: integer|boolean)"},
    [ARCH_ARGUMENTS_VALUE] = {read_value,
                              "(cb: integer, tile: integer, element: integer): number"},
    [ARCH_ARGUMENTS_ZONE] = {zone, "(name: string, f: fun())"},
    [ARCH_ARGUMENTS_COUNTS] = {counts, "(counts: table<string, integer>)"},
    [ARCH_ARGUMENTS_UNATTRIBUTED] = {unattributed, "(tiles: integer)"},
};

const char *compute_api_signature(const ArchComputeFunction *function)
{
    return makers[function->arguments].signature;
}

void compute_api_push(lua_State *L, const ArchComputeFunction *function)
{
    lua_pushlightuserdata(L, (gpointer) function);
    lua_pushcclosure(L, makers[function->arguments].make, 1);
}
