/* The mover API: circular buffers, transfers, semaphores, the own L1. */
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/noc_address.h"

enum {
    STORE_WORDS = 4096, /* at most, in one call */
};

static inline int cb(lua_State *L, ArchMoverCbOp op, lua_CFunction function)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;
    ArchMoverResult result =
        arch_mover_cb(run->mover, op, kernel_argument(L, 1, KERNEL_BUFFERS - 1),
                      kernel_argument(L, 2, G_MAXUINT16), &error);

    return mover_settle(L, result, error, function);
}

static int cb_wait_front(lua_State *L)
{
    return cb(L, ARCH_MOVER_CB_WAIT, cb_wait_front);
}

static int cb_pop_front(lua_State *L)
{
    return cb(L, ARCH_MOVER_CB_POP, cb_pop_front);
}

static int cb_reserve_back(lua_State *L)
{
    return cb(L, ARCH_MOVER_CB_RESERVE, cb_reserve_back);
}

static int cb_push_back(lua_State *L)
{
    return cb(L, ARCH_MOVER_CB_PUSH, cb_push_back);
}

static inline int pointer(lua_State *L, bool is_write)
{
    const KernelRun *run = kernel_run_of(L);
    uint32_t address = 0;
    GError *error = NULL;

    if (!arch_mover_cb_pointer(run->mover, kernel_argument(L, 1, KERNEL_BUFFERS - 1),
                               is_write, &address, &error)) {
        return kernel_run_fail(L, run, error);
    }
    lua_pushinteger(L, address);
    return 1;
}

static int get_read_ptr(lua_State *L)
{
    return pointer(L, false);
}

static int get_write_ptr(lua_State *L)
{
    return pointer(L, true);
}

static int transfer(lua_State *L, const ArchMoverTransfer *what, lua_CFunction function)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;
    ArchMoverResult result = arch_mover_transfer(run->mover, what, &error);

    return mover_settle(L, result, error, function);
}

/* A single place, not a rectangle. */
static ArchNocAddress check_place(lua_State *L, int index)
{
    KernelNocAddress address = kernel_noc_address_check(L, index);

    luaL_argcheck(L, !address.is_rectangle, index,
                  "expected the address of one core, not of a rectangle");
    return address.start;
}

/* noc_async_read(noc_address, local, bytes) */
static int noc_async_read(lua_State *L)
{
    ArchMoverTransfer what = {.op = ARCH_MOVER_READ,
                              .remote = check_place(L, 1),
                              .local = mover_check_local(L, 2),
                              .bytes = mover_check_local(L, 3)};

    return transfer(L, &what, noc_async_read);
}

/* noc_async_write(local, noc_address, bytes) */
static int noc_async_write(lua_State *L)
{
    ArchMoverTransfer what = {.op = ARCH_MOVER_WRITE,
                              .local = mover_check_local(L, 1),
                              .remote = check_place(L, 2),
                              .bytes = mover_check_local(L, 3)};

    return transfer(L, &what, noc_async_write);
}

static inline int page(lua_State *L, ArchMoverOp op, lua_CFunction function)
{
    const ArchDramBuffer *buffer = kernel_dram_buffer(L, 2);
    ArchMoverTransfer what = {.op = op,
                              .remote = kernel_noc_address_of_page(L, 1, buffer),
                              .local = mover_check_local(L, 3),
                              .bytes = arch_dram_buffer_page_bytes(buffer),
                              .is_page = true};

    return transfer(L, &what, function);
}

/* noc_async_read_tile(page, dram_buffer, local) */
static int noc_async_read_tile(lua_State *L)
{
    return page(L, ARCH_MOVER_READ, noc_async_read_tile);
}

/* noc_async_write_tile(page, dram_buffer, local) */
static int noc_async_write_tile(lua_State *L)
{
    return page(L, ARCH_MOVER_WRITE, noc_async_write_tile);
}

/* Raises unless `count` cores of the rectangle receive: on the chip the sender would
 * wait for ever. */
static void check_receivers(lua_State *L, int index, const ArchMoverTransfer *what)
{
    const KernelRun *run = kernel_run_of(L);
    bool is_inside = run->x >= what->remote.x && run->x <= what->corner_x &&
                     run->y >= what->remote.y && run->y <= what->corner_y;
    guint count =
        (what->corner_x - what->remote.x + 1) * (what->corner_y - what->remote.y + 1);

    if (is_inside && !what->is_loopback) {
        count--;
    }
    if (kernel_argument(L, index, G_MAXUINT16) != count) {
        GError *error =
            g_error_new(WL_ERROR, WL_ERROR_RUNTIME, "%u cores receive it", count);

        kernel_run_fail(L, run, error);
    }
}

static int
multicast(lua_State *L, ArchMoverTransfer what, int receivers, lua_CFunction function)
{
    KernelNocAddress address = kernel_noc_address_check(L, 2);

    luaL_argcheck(L, address.is_rectangle, 2,
                  "expected an address of get_noc_multicast_addr");
    what.op = ARCH_MOVER_MULTICAST;
    what.local = mover_check_local(L, 1);
    what.remote = address.start;
    what.corner_x = address.corner_x;
    what.corner_y = address.corner_y;
    check_receivers(L, receivers, &what);
    what.is_linked = lua_toboolean(L, receivers + 1) != 0;
    return transfer(L, &what, function);
}

/* noc_async_write_multicast(local, address, bytes, receivers [, linked]) */
static int noc_async_write_multicast(lua_State *L)
{
    return multicast(L, (ArchMoverTransfer){.bytes = mover_check_local(L, 3)}, 4,
                     noc_async_write_multicast);
}

static int noc_async_write_multicast_loopback_src(lua_State *L)
{
    return multicast(
        L, (ArchMoverTransfer){.bytes = mover_check_local(L, 3), .is_loopback = true},
        4, noc_async_write_multicast_loopback_src);
}

/* noc_semaphore_set_multicast(local, address, receivers): the local word goes there. */
static int noc_semaphore_set_multicast(lua_State *L)
{
    return multicast(L,
                     (ArchMoverTransfer){.bytes = sizeof(uint32_t),
                                         .name = "noc_semaphore_set_multicast"},
                     3, noc_semaphore_set_multicast);
}

/* noc_semaphore_set_remote(local, noc_address) */
static int noc_semaphore_set_remote(lua_State *L)
{
    ArchMoverTransfer what = {.op = ARCH_MOVER_WRITE,
                              .local = mover_check_local(L, 1),
                              .remote = check_place(L, 2),
                              .bytes = sizeof(uint32_t),
                              .name = "noc_semaphore_set_remote"};

    return transfer(L, &what, noc_semaphore_set_remote);
}

/* noc_semaphore_inc(noc_address, increment) */
static int noc_semaphore_inc(lua_State *L)
{
    ArchMoverTransfer what = {.op = ARCH_MOVER_INCREMENT,
                              .remote = check_place(L, 1),
                              .bytes = sizeof(uint32_t),
                              .value = mover_check_local(L, 2)};

    return transfer(L, &what, noc_semaphore_inc);
}

/* noc_inline_dw_write(noc_address, value) */
static int noc_inline_dw_write(lua_State *L)
{
    ArchMoverTransfer what = {.op = ARCH_MOVER_INLINE,
                              .remote = check_place(L, 1),
                              .bytes = sizeof(uint32_t),
                              .value = mover_check_local(L, 2)};

    return transfer(L, &what, noc_inline_dw_write);
}

static inline int barrier(lua_State *L, ArchBarrier what, lua_CFunction function)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;
    ArchMoverResult result = arch_mover_barrier(run->mover, what, &error);

    return mover_settle(L, result, error, function);
}

static int noc_async_read_barrier(lua_State *L)
{
    return barrier(L, ARCH_BARRIER_READ, noc_async_read_barrier);
}

static int noc_async_write_barrier(lua_State *L)
{
    return barrier(L, ARCH_BARRIER_WRITE, noc_async_write_barrier);
}

static int noc_async_writes_flushed(lua_State *L)
{
    return barrier(L, ARCH_BARRIER_FLUSH, noc_async_writes_flushed);
}

static int noc_async_atomic_barrier(lua_State *L)
{
    return barrier(L, ARCH_BARRIER_ATOMIC, noc_async_atomic_barrier);
}

static inline int wait_for_word(lua_State *L, bool is_minimum, lua_CFunction function)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;
    ArchMoverResult result =
        arch_mover_semaphore_wait(run->mover, mover_check_local(L, 1),
                                  mover_check_local(L, 2), is_minimum, &error);

    return mover_settle(L, result, error, function);
}

static int noc_semaphore_wait(lua_State *L)
{
    return wait_for_word(L, false, noc_semaphore_wait);
}

static int noc_semaphore_wait_min(lua_State *L)
{
    return wait_for_word(L, true, noc_semaphore_wait_min);
}

/* get_semaphore(id): its address, in every core's L1. */
static int get_semaphore(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);
    guint id = kernel_argument(L, 1, G_MAXUINT16);

    if (id >= run->memory->semaphore_count || run->memory->semaphores[id] == 0) {
        return kernel_run_fail(L, run,
                               g_error_new(WL_ERROR, WL_ERROR_RUNTIME,
                                           "the core has no semaphore %u", id));
    }
    lua_pushinteger(L, run->memory->semaphores[id]);
    return 1;
}

static int store(lua_State *L,
                 const char *name,
                 const uint32_t *values,
                 guint count,
                 lua_CFunction f)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;
    ArchMoverResult result = arch_mover_store(run->mover, name, mover_check_local(L, 1),
                                              values, count, &error);

    return mover_settle(L, result, error, f);
}

/* noc_semaphore_set(address, value): the own word. */
static int noc_semaphore_set(lua_State *L)
{
    uint32_t value = mover_check_local(L, 2);

    return store(L, "noc_semaphore_set", &value, 1, noc_semaphore_set);
}

/* load_word(address) */
static int load_word(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);
    uint32_t value = 0;
    GError *error = NULL;
    ArchMoverResult result =
        arch_mover_load(run->mover, mover_check_local(L, 1), &value, &error);

    if (result != ARCH_MOVER_DONE) {
        return mover_settle(L, result, error, load_word);
    }
    lua_pushinteger(L, value);
    return 1;
}

/* store_words(address, word, ...) */
static int store_words(lua_State *L)
{
    uint32_t values[64];
    int count = lua_gettop(L) - 1;

    luaL_argcheck(L, count >= 1 && count <= sim_i32(G_N_ELEMENTS(values)), 2,
                  "1 to 64 words in a call");
    for (int i = 0; i < count; i++) {
        values[i] = mover_check_local(L, 2 + i);
    }
    return store(L, "store_words", values, sim_u32(count), store_words);
}

/* fill_words(address, word, count) */
static int fill_words(lua_State *L)
{
    uint32_t values[STORE_WORDS];
    uint32_t value = mover_check_local(L, 2);
    guint count = kernel_argument(L, 3, STORE_WORDS);

    for (guint i = 0; i < count; i++) {
        values[i] = value;
    }
    return store(L, "fill_words", values, count, fill_words);
}

/* delay(cycles): of computation that is not modelled. */
static int delay(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);

    return mover_settle(
        L, arch_mover_spend(run->mover, "delay", kernel_argument(L, 1, G_MAXUINT32)),
        NULL, delay);
}

/* scalar{ add =, divide =, ... }: the kernel's own computation. */
static int scalar(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);

    return mover_settle(
        L,
        arch_mover_spend(run->mover, "scalar", scalar_check_cycles(L, 1, &run->scalar)),
        NULL, scalar);
}

/* unattributed(tiles): a declared cost, charged if the user switched it on. */
static int unattributed(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);

    return mover_settle(L,
                        arch_mover_spend(run->mover, "unattributed",
                                         kernel_unattributed_cycles(L, run)),
                        NULL, unattributed);
}

static int end_zone(lua_State *L, int status, lua_KContext context)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;

    (void) status;
    (void) context;
    return arch_mover_zone_end(run->mover, &error) ? 0 : kernel_run_fail(L, run, error);
}

/* zone(name, f): calls f, and counts the time it takes. */
static int zone(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);

    luaL_checktype(L, 2, LUA_TFUNCTION);
    luaL_argcheck(L, g_utf8_validate(name, -1, NULL), 1, "the name is not UTF-8");
    lua_settop(L, 2);
    arch_mover_zone_begin(kernel_run_of(L)->mover, g_intern_string(name));
    lua_callk(L, 0, 0, 0, end_zone);
    return end_zone(L, LUA_OK, 0);
}

const ApiCall mover_api[] = {
    {"cb_wait_front", cb_wait_front, "(cb: integer, pages: integer)"},
    {"cb_pop_front", cb_pop_front, "(cb: integer, pages: integer)"},
    {"cb_reserve_back", cb_reserve_back, "(cb: integer, pages: integer)"},
    {"cb_push_back", cb_push_back, "(cb: integer, pages: integer)"},
    {"get_read_ptr", get_read_ptr, "(cb: integer): integer"},
    {"get_write_ptr", get_write_ptr, "(cb: integer): integer"},
    {"zone", zone, "(name: string, f: fun())"},
    {"get_noc_addr", kernel_noc_address_of_core,
     "(x: integer, y?: integer|gl.DramBuffer, address?: integer): gl.NocAddress"},
    {"get_noc_multicast_addr", kernel_noc_address_of_cores,
     "(x0: integer, y0: integer, x1: integer, y1: integer, address: integer): "
     "gl.NocAddress"},
    {"get_dram_noc_addr", kernel_noc_address_of_dram_bank,
     "(bank: integer, address: integer): gl.NocAddress"},
    {"get_semaphore", get_semaphore, "(id: integer): integer"},
    {"noc_async_read", noc_async_read,
     "(from: gl.NocAddress, to: integer, bytes: integer)"},
    {"noc_async_write", noc_async_write,
     "(from: integer, to: gl.NocAddress, bytes: integer)"},
    {"noc_async_read_tile", noc_async_read_tile,
     "(page: integer, buffer: gl.DramBuffer, to: integer)"},
    {"noc_async_write_tile", noc_async_write_tile,
     "(page: integer, buffer: gl.DramBuffer, from: integer)"},
    {"noc_async_write_multicast", noc_async_write_multicast,
     "(from: integer, to: gl.NocAddress, bytes: integer, receivers: integer, linked?: "
     "boolean)"},
    {"noc_async_write_multicast_loopback_src", noc_async_write_multicast_loopback_src,
     "(from: integer, to: gl.NocAddress, bytes: integer, receivers: integer, linked?: "
     "boolean)"},
    {"noc_async_read_barrier", noc_async_read_barrier, "()"},
    {"noc_async_write_barrier", noc_async_write_barrier, "()"},
    {"noc_async_writes_flushed", noc_async_writes_flushed, "()"},
    {"noc_async_atomic_barrier", noc_async_atomic_barrier, "()"},
    {"noc_semaphore_inc", noc_semaphore_inc, "(at: gl.NocAddress, n: integer)"},
    {"noc_semaphore_set", noc_semaphore_set, "(address: integer, n: integer)"},
    {"noc_semaphore_set_remote", noc_semaphore_set_remote,
     "(from: integer, to: gl.NocAddress)"},
    {"noc_semaphore_set_multicast", noc_semaphore_set_multicast,
     "(from: integer, to: gl.NocAddress, receivers: integer)"},
    {"noc_semaphore_wait", noc_semaphore_wait, "(address: integer, n: integer)"},
    {"noc_semaphore_wait_min", noc_semaphore_wait_min,
     "(address: integer, n: integer)"},
    {"noc_inline_dw_write", noc_inline_dw_write, "(at: gl.NocAddress, n: integer)"},
    {"load_word", load_word, "(address: integer): integer"},
    {"store_words", store_words, "(address: integer, ...: integer)"},
    {"fill_words", fill_words, "(address: integer, word: integer, count: integer)"},
    {"delay", delay, "(cycles: integer)"},
    {"scalar", scalar, "(counts: table<string, integer>)"},
    {"unattributed", unattributed, "(tiles: integer)"},
    {0},
};
