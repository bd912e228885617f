/* Wafers as a Lua type: how a layout comes onto the wafer. */
#include "workloads/wafer/wafer.h"

#include "workloads/error.h"
#include "workloads/host/type.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/copy.h"
#include "workloads/wafer/launch.h"
#include "workloads/wafer/layout.h"
#include "workloads/wafer/profile.h"

#define TYPE_NAME "gridloom.wafer"

enum {
    LEAST_SLICE = 25,
    SLICE_ITERATIONS = 4,
};

ArchWse *wafer_wse(const Session *session)
{
    return arch_wse_of(session->chip);
}

WaferState *wafer_state(const Session *session)
{
    return session->state;
}

Wafer *wafer_check(lua_State *L, const char *what)
{
    Wafer *self = luaL_checkudata(L, 1, TYPE_NAME);

    session_check_host(L, self->session, what);
    if (self->number != wafer_state(self->session)->layouts) {
        luaL_error(L, "another host.wafer has taken the place of this one");
    }
    return self;
}

Wafer *wafer_check_launched(lua_State *L, const char *what)
{
    Wafer *self = wafer_check(L, what);

    if (!self->is_launched) {
        luaL_error(L, "the wafer has not been launched");
    }
    return self;
}

/* The pair of integers, at least 1, in a field. */
static void check_pair(lua_State *L, const char *name, guint missing, guint *pair)
{
    int type = field_push(L, 1, name);

    pair[0] = missing;
    pair[1] = missing;
    if (type != LUA_TNIL && (type != LUA_TTABLE || lua_rawlen(L, -1) != 2)) {
        luaL_error(L, "%s: expected { columns, rows }", name);
    }
    for (int i = 0; type != LUA_TNIL && i < 2; i++) {
        int is_integer = 0;

        lua_rawgeti(L, -1, i + 1);
        lua_Integer value = lua_tointegerx(L, -1, &is_integer);

        lua_pop(L, 1);
        if (is_integer == 0 || value < 1 || value > G_MAXUINT16) {
            luaL_error(L, "%s: expected two integers of 1 to %d", name, G_MAXUINT16);
        }
        pair[i] = (guint) value;
    }
    lua_pop(L, 1);
}

/* Iterations to simulate of those wanted. */
static guint choose_iterations(lua_State *L, const Session *session, guint wanted)
{
    if (!session->run->is_extrapolated || wanted <= WAFER_EXTRAPOLATED_FROM) {
        return wanted;
    }
    if (!session->machine->is_timing_only) {
        sandbox_raise(L, g_error_new(WL_ERROR, WL_ERROR_KEY,
                                     "extrapolate=on simulates %d of %u iterations: "
                                     "there is no result to check, add --timing-only",
                                     WAFER_EXTRAPOLATED_FROM, wanted));
    }
    return WAFER_EXTRAPOLATED_FROM;
}

static void report_grain(const Wafer *self, Session *session)
{
    JsonObject *metrics = session->outcome->metrics;

    json_object_set_string_member(metrics, "grain", wafer_grain_name(self->grain));
    if (self->has_slice) {
        wafer_slice_report(&self->slice, session);
    }
    if (self->run_iterations < self->iterations) {
        g_autofree char *line =
            g_strdup_printf("extrapolate=on: %u iterations from the first %u",
                            self->iterations, self->run_iterations);

        json_object_set_int_member(metrics, "extrapolated_from_iterations",
                                   self->run_iterations);
        session_print(session, line);
    }
}

/* Takes the layout; the factors of its streams are measured first. */
static bool put_on_wafer(Wafer *self,
                         ArchWseLayout *layout,
                         const WaferPattern *pattern,
                         WaferBuilder *builder,
                         GError **error)
{
    Session *session = builder->session;
    ArchWseOptions options = {
        .is_functional = !session->machine->is_timing_only,
        .grain = self->grain,
    };

    if (self->grain == ARCH_WSE_GRAIN_STREAM) {
        if (!wafer_slice_measure(&self->slice, pattern, self->columns, self->rows,
                                 builder, error)) {
            arch_wse_layout_free(layout);
            return false;
        }
        self->has_slice = true;
        options.stretches = (const ArchWseStretch *) (const void *)
                                self->slice.stretches.stretches->data;
        options.stretch_count = self->slice.stretches.stretches->len;
    }
    return arch_wse_load(wafer_wse(session), layout, &options, error);
}

int wafer_new(lua_State *L)
{
    static const char *const known[] = {"columns", "rows",  "iterations",
                                        "period",  "slice", "slice_iterations",
                                        "layout",  NULL};
    Session *session = session_check_on_host(L, "host.wafer");
    const ArchParams *params = arch_chip_params(session->chip);
    WaferPattern pattern;
    GError *error = NULL;

    if (wafer_wse(session) == NULL) {
        return luaL_error(L, "%s is no wafer", arch_params_name(params));
    }
    arguments_check(L, 1, known);
    lua_settop(L, 1);
    Wafer *self = lua_newuserdatauv(L, sizeof *self, 0);

    *self = (Wafer){.session = session,
                    .columns = arguments_count(L, 1, "columns", -1, G_MAXUINT16),
                    .rows = arguments_count(L, 1, "rows", -1, G_MAXUINT16),
                    .iterations = arguments_count(L, 1, "iterations", 1, G_MAXINT32)};
    luaL_setmetatable(L, TYPE_NAME);
    check_pair(L, "period", 1, pattern.period);
    check_pair(L, "slice", LEAST_SLICE, pattern.least);
    self->run_iterations = choose_iterations(L, session, self->iterations);
    pattern.iterations =
        arguments_count(L, 1, "slice_iterations",
                        MIN(SLICE_ITERATIONS, self->run_iterations), G_MAXUINT16);
    self->grain = wafer_grain(session, self->columns, self->rows);
    if (field_push(L, 1, "layout") != LUA_TFUNCTION) {
        return luaL_error(L, "layout: expected function(layout)");
    }
    WaferBuilder builder = {.state = L, .session = session, .function = 3};
    /* The whole first: what is wrong with it shows before a slice is run. */
    ArchWseLayout *layout = wafer_layout_build(&builder, self->columns, self->rows,
                                               self->run_iterations, &error);

    if (layout == NULL) {
        sandbox_check(L);
        return sandbox_raise(L, error);
    }
    if (!put_on_wafer(self, layout, &pattern, &builder, &error)) {
        sandbox_check(L);
        return session_fail(L, session, error);
    }
    self->number = ++wafer_state(session)->layouts;
    report_grain(self, session);
    lua_settop(L, 2);
    return 1;
}

/* wafer.grain, and its methods, which are upvalue 1. */
static int get(lua_State *L)
{
    const Wafer *self = luaL_checkudata(L, 1, TYPE_NAME);

    if (lua_type(L, 2) == LUA_TSTRING && g_str_equal(lua_tostring(L, 2), "grain")) {
        lua_pushstring(L, wafer_grain_name(self->grain));
        return 1;
    }
    return host_type_method(L);
}

static int collect(lua_State *L)
{
    Wafer *self = luaL_checkudata(L, 1, TYPE_NAME);

    if (self->has_slice) {
        arch_wse_stretches_clear(&self->slice.stretches);
        self->has_slice = false;
    }
    return 0;
}

/* wafer:stretch(): nil, or how the grain of streams was measured. */
static int stretch(lua_State *L)
{
    const Wafer *self = luaL_checkudata(L, 1, TYPE_NAME);

    if (self->has_slice) {
        wafer_slice_push(L, &self->slice);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

void wafer_register(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"copy_to", wafer_copy_to},
        {"copy_from", wafer_copy_from},
        {"launch", wafer_launch},
        {"prepare", wafer_prepare},
        {"iterations", wafer_iterations},
        {"profile", wafer_profile},
        {"work", wafer_work},
        {"stretch", stretch},
        {"zones", wafer_zones},
        {NULL, NULL},
    };

    wafer_layout_register(L);
    host_type_register(
        L, &(HostType){
               .name = TYPE_NAME, .methods = methods, .get = get, .collect = collect});
}
