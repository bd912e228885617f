/* Wafers as a Lua type: how a layout comes onto the wafer. */
#include "workloads/wafer/wafer.h"

#include <lua.h>

#include "arch/wse_profile.h"
#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/error.h"
#include "workloads/host/transfer.h"
#include "workloads/host/type.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/layout.h"
#include "workloads/wafer/stream.h"

/* { name =, buffer =, first =, count =, tiles = } */
typedef struct {
    ArchWsePart part; /* its name is on the stack */
    HostBytes *bytes;
} Copy;

ArchWseTiles wafer_tiles_of(lua_State *L, int index, const Wafer *self)
{
    ArchWseTiles tiles = {0, 0, self->columns - 1, self->rows - 1, 1, 1};

    if (field_push(L, index, "tiles") != LUA_TNIL) {
        tiles = wafer_tiles_check(L, lua_gettop(L), "tiles");
    }
    lua_pop(L, 1);
    if (tiles.x0 > tiles.x1) {
        luaL_error(L, "tiles: they are none");
    }
    if (tiles.x1 >= self->columns || tiles.y1 >= self->rows) {
        luaL_error(L, "tiles: pe[%d,%d] is outside of %d x %d PEs", sim_i32(tiles.x1),
                   sim_i32(tiles.y1), sim_i32(self->columns), sim_i32(self->rows));
    }
    return tiles;
}

/* Reads the copy described by the table at this index. Values it refers to stay on the
 * stack. */
static Copy check_copy(lua_State *L, int index, const Wafer *self, HostDirection to)
{
    static const char *const known[] = {"name",  "buffer", "first",
                                        "count", "tiles",  NULL};
    Copy copy = {0};

    arguments_check(L, index, known);
    copy.part.first = arguments_integer(L, index, "first", 0, G_MAXUINT16);
    copy.part.count = arguments_integer(L, index, "count", -1, G_MAXUINT16);
    copy.part.tiles = wafer_tiles_of(L, index, self);
    if (field_push(L, index, "buffer") != LUA_TUSERDATA) {
        luaL_error(L, "buffer: expected one of host.buffer");
    }
    copy.bytes = to == HOST_TO_CHIP ? host_bytes_check(L, lua_gettop(L))
                                    : host_bytes_check_writable(L, lua_gettop(L));
    copy.part.name = arguments_text(L, index, "name");
    return copy;
}

static void copy_part(lua_State *L, ArchWse *wse, const Copy *copy, HostDirection to)
{
    const HostBytes *bytes = copy->bytes;
    GError *error = NULL;
    bool is_done = false;

    if (to == CHIP_TO_HOST) {
        is_done = arch_wse_read(wse, &copy->part, bytes->data, bytes->count, &error);
    } else if (bytes->shared != NULL) {
        is_done = arch_wse_share(wse, &copy->part, bytes->shared, &error);
    } else {
        is_done = arch_wse_write(wse, &copy->part, bytes->data, bytes->count, &error);
    }
    if (!is_done) {
        sandbox_raise(L, error);
    }
}

/* One copy, or the list of those that go together. */
static int copy_all(lua_State *L, const Wafer *self, HostDirection to)
{
    ArchWse *wse = wafer_wse(self->session);
    uint64_t bytes = 0;

    luaL_checktype(L, 2, LUA_TTABLE);
    const lua_Unsigned count = lua_rawlen(L, 2);

    for (lua_Unsigned i = 0; i < MAX(count, 1); i++) {
        lua_settop(L, 2);
        if (count > 0 && lua_rawgeti(L, 2, (lua_Integer) i + 1) != LUA_TTABLE) {
            luaL_error(L, "expected one copy or a list of copies");
        }
        const Copy copy = check_copy(L, lua_gettop(L), self, to);

        copy_part(L, wse, &copy, to);
        bytes += copy.bytes->count;
    }
    return host_transfer(L, self->session, to, bytes);
}

/* wafer:copy_to{ name =, buffer =, first =, count =, tiles = }, or a list of such
 * tables, which is one transfer: the seconds it took. */
static int wafer_copy_to(lua_State *L)
{
    return copy_all(L, wafer_check(L, "wafer:copy_to"), HOST_TO_CHIP);
}

/* wafer:copy_from{ ... }: the other way. */
static int wafer_copy_from(lua_State *L)
{
    return copy_all(L, wafer_check(L, "wafer:copy_from"), CHIP_TO_HOST);
}

static Wafer *check_launched(lua_State *L, const char *what)
{
    Wafer *self = wafer_check(L, what);

    if (!self->is_launched) {
        luaL_error(L, "the wafer has not been launched");
    }
    return self;
}

/* wafer:iterations(): { { last =, mean = }, ... } */
static int wafer_iterations(lua_State *L)
{
    const Session *session = check_launched(L, "wafer:iterations")->session;
    g_autoptr(GArray) ends = arch_wse_iterations(wafer_wse(session));

    lua_createtable(L, sim_i32(ends->len), 0);
    for (guint i = 0; i < ends->len; i++) {
        const ArchWseIteration *end = &g_array_index(ends, ArchWseIteration, i);

        lua_createtable(L, 0, 3);
        answer_count(L, "first", end->first);
        answer_count(L, "last", end->last);
        answer_number(L, "mean", end->mean);
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    return 1;
}

/* wafer:zones(program): cycles by name, of PEs with that program or of all, over the
 * number of PEs. */
static int wafer_zones(lua_State *L)
{
    const Session *session = check_launched(L, "wafer:zones")->session;
    const char *program = luaL_optstring(L, 2, NULL);
    g_autoptr(GArray) zones = arch_wse_zones(wafer_wse(session), program);

    lua_createtable(L, 0, sim_i32(zones->len));
    for (guint i = 0; i < zones->len; i++) {
        const ArchWseZone *zone = &g_array_index(zones, ArchWseZone, i);

        answer_number(L, zone->name, zone->cycles);
    }
    return 1;
}

/* wafer:profile() */
static int wafer_profile(lua_State *L)
{
    enum {
        WORD_BYTES = 4,
    };
    const Session *session = check_launched(L, "wafer:profile")->session;
    ArchWseProfile all = arch_wse_profile(wafer_wse(session));
    double pe_cycles = MAX((double) all.pe_count * (double) all.cycles, 1);

    lua_createtable(L, 0, 9);
    answer_count(L, "cycles", all.cycles);
    answer_number(L, "busy", (double) all.busy / pe_cycles);
    answer_number(L, "memory_idle", (double) all.memory_idle / pe_cycles);
    answer_number(L, "other_idle",
                  (pe_cycles - (double) all.busy - (double) all.memory_idle) /
                      pe_cycles);
    answer_number(L, "busy_deviation", arch_wse_busy_deviation(wafer_wse(session)));
    answer_count(L, "flops", all.flops);
    answer_count(L, "memory_words", all.memory_bytes / WORD_BYTES);
    answer_count(L, "ramp_words", all.ramp_wavelets);
    answer_count(L, "link_wavelets", all.link_wavelets);
    return 1;
}

/* wafer:work([program]): of the PEs whose program has this name. */
static int wafer_work(lua_State *L)
{
    const Session *session = check_launched(L, "wafer:work")->session;
    const char *program = luaL_optstring(L, 2, NULL);
    ArchWseWork done = arch_wse_work(wafer_wse(session), program);

    lua_newtable(L);
    answer_count(L, "pes", done.pe_count);
    answer_count(L, "busy", done.busy);
    answer_count(L, "memory_idle", done.memory_idle);
    answer_count(L, "memory_words", done.memory_words);
    answer_count(L, "ramp_words", done.ramp_words);
    answer_count(L, "flops", done.flops);
    for (guint i = 0; i < done.operations->len; i++) {
        const ArchWseExecuted *operation =
            &g_array_index(done.operations, ArchWseExecuted, i);

        answer_count(L, operation->name, operation->elements);
    }
    arch_wse_work_clear(&done);
    return 1;
}

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
        pair[i] = sim_u32(value);
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
    json_object_set_string_member(session->outcome->parameters, "grain",
                                  wafer_grain_name(self->grain));
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
        .has_race_check = session->machine->is_race_checked,
    };

    if (self->grain == ARCH_WSE_GRAIN_STREAM) {
        if (!wafer_slice_measure(&self->slice, pattern,
                                 (const guint[2]){self->columns, self->rows}, builder,
                                 layout, error)) {
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
    wafer_streams_clear(self);
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

static const ApiCall methods[] = {
    {"copy_to", wafer_copy_to, "(options: gl.Copy|gl.Copy[]): number"},
    {"copy_from", wafer_copy_from, "(options: gl.Copy|gl.Copy[]): number"},
    {"stream_to", wafer_stream_to, "(options: gl.Stream)"},
    {"stream_from", wafer_stream_from, "(options: gl.Stream)"},
    {"launch", wafer_launch, "(variables?: table<string, integer>): integer"},
    {"call", wafer_call,
     "(name: string, arguments?: number[], options?: { tiles: gl.Tiles }): integer"},
    {"prepare", wafer_prepare, "()"},
    {"iterations", wafer_iterations,
     "(): { first: integer, last: integer, mean: number }[]"},
    {"profile", wafer_profile,
     "(): { cycles: number, busy: number, memory_idle: number, other_idle: number, "
     "busy_deviation: number, flops: number, memory_words: number, ramp_words: number, "
     "link_wavelets: number }"},
    {"work", wafer_work, "(name?: string): table<string, number>"},
    {"stretch", stretch,
     "(): { factors: table<string, number>, slice: integer[], exact_cycles: integer, "
     "stream_cycles: integer, error: number }?"},
    {"zones", wafer_zones, "(program?: string): table<string, number>"},
    {0},
};

const ApiClass wafer_api = {
    .name = "Wafer",
    .page = "workloads/doc/wafer-programs.md",
    .calls = (const ApiCall *const[]){methods, NULL},
    .fields = "grain \"wavelet\"|\"stream\"",
    .is_object = true,
};

void wafer_register(lua_State *L)
{
    wafer_layout_register(L);
    host_type_register(
        L, &(HostType){
               .name = TYPE_NAME, .api = &wafer_api, .get = get, .collect = collect});
}
