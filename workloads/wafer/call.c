/* Calls functions of PEs that a launch has left at rest: wafer:call. */
#include <string.h>

#include "arch/wse_profile.h"
#include "sim/narrow.h"
#include "workloads/host/transfer.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/stream.h"

enum {
    ARGUMENTS_MOST = 16,
};

/* The arguments of a call, as variables of the program. */
typedef struct {
    char *names[ARGUMENTS_MOST];
    int32_t values[ARGUMENTS_MOST];
    guint count;
} Arguments;

static void arguments_clear(Arguments *self)
{
    for (guint i = 0; i < self->count; i++) {
        g_clear_pointer(&self->names[i], g_free);
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Arguments, arguments_clear)

/* An integer of 32 bits, or a float as f32, at the top of the stack. */
static int32_t check_value(lua_State *L, guint number)
{
    int is_integer = 0;
    const lua_Integer value = lua_tointegerx(L, -1, &is_integer);
    const float real = (float) lua_tonumber(L, -1);
    int32_t bits = 0;

    if (lua_type(L, -1) != LUA_TNUMBER ||
        (lua_isinteger(L, -1) && (value < INT32_MIN || value > UINT32_MAX))) {
        luaL_error(L,
                   "argument %d of the function: expected an integer of 32 bits or a "
                   "float",
                   sim_i32(number) + 1);
    }
    if (!lua_isinteger(L, -1)) {
        memcpy(&bits, &real, sizeof bits);
        return bits;
    }
    return sim_i32(value > INT32_MAX ? value - UINT32_MAX - 1 : value);
}

/* Reads the list at 3, if any. */
static void check_values(lua_State *L, Arguments *arguments)
{
    guint count = 0;

    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        count = field_count(L, 3);
    }
    if (count > ARGUMENTS_MOST || (count > 0 && lua_rawlen(L, 3) != count)) {
        luaL_error(L, "wafer:call: expected a list of at most %d arguments",
                   ARGUMENTS_MOST);
    }
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, 3, (lua_Integer) i + 1);
        arguments->values[i] = check_value(L, i);
        lua_pop(L, 1);
    }
    arguments->count = count;
}

/* Lets the PEs of the tiles call the function, and runs until all are at rest. */
static bool run(Wafer *self,
                const char *function,
                ArchWseTiles tiles,
                Arguments *arguments,
                GError **error)
{
    for (guint i = 0; i < arguments->count; i++) {
        arguments->names[i] = g_strdup_printf("%s:%u", function, i);
    }
    const ArchWseLaunch call = {
        .tiles = tiles,
        .function = function,
        .names = (const char *const *) arguments->names,
        .values = arguments->values,
        .count = arguments->count,
    };

    return arch_wse_launch(wafer_wse(self->session), &call, error) &&
           wafer_streams_begin(self, error) && session_run_chip(self->session, error) &&
           wafer_streams_take(self, error);
}

/* The host waits until the chip is where its engine has come to. */
static void catch_up(lua_State *L, Session *session, double end)
{
    const double now = sim_system_now(session->machine->system);

    if (end > now) {
        host_pass(L, session, HOST_DEVICE, end - now);
    } else {
        host_go_on(L, session);
    }
}

int wafer_call(lua_State *L)
{
    Wafer *self = wafer_check(L, "wafer:call");
    const char *function = luaL_checkstring(L, 2);
    Session *session = self->session;
    ArchWse *wse = wafer_wse(session);
    Arguments arguments = {0};
    ArchWseTiles tiles = {0, 0, self->columns - 1, self->rows - 1, 1, 1};
    static const char *const known[] = {"tiles", NULL};
    GError *error = NULL;

    lua_settop(L, 4);
    check_values(L, &arguments);
    if (!lua_isnil(L, 4)) {
        arguments_check(L, 4, known);
        tiles = wafer_tiles_of(L, 4, self);
    }
    if (!self->is_launched) {
        return luaL_error(L, "wafer:call: wafer:launch() comes first");
    }
    host_pass(L, session, HOST_LAUNCH, arch_chip_launch_seconds(session->chip));
    const SessionInstant start = session_begin_launch(session);
    WaferMark mark = wafer_mark(wse);
    const bool is_done = run(self, function, tiles, &arguments, &error);
    const SimTime cycles =
        sim_engine_now(arch_chip_engine(session->chip)) - start.cycle;

    arguments_clear(&arguments);
    wafer_streams_clear(self);
    wafer_print_lines(session, wse);
    wafer_print_loss(session, wse);
    arch_wse_finish_watch(wse);
    if (!is_done) {
        wafer_mark_clear(&mark);
        return session_fail(L, session, error);
    }
    wafer_use_add_since(session, wse, &mark, start.cycle, cycles);
    wafer_mark_clear(&mark);
    self->cycles = cycles;
    catch_up(L, session,
             start.seconds + (double) cycles / arch_chip_clock_hz(session->chip));
    lua_pushinteger(L, (lua_Integer) cycles);
    return 1;
}
