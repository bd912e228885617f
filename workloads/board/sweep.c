/* Sweeps as a Lua type: values that remember their datapath. */
#include "workloads/board/sweep.h"

#include <math.h>

#include "sim/narrow.h"
#include "workloads/board/board.h"
#include "workloads/sandbox/arguments.h"

#define SWEEP_NAME "gridloom.board_sweep"
#define VALUE_NAME "gridloom.board_value"

enum {
    FARTHEST = 64, /* that a number may be away from the point */
    MOST_VALUES = 4096,
    SWEEP_NAMES = 1, /* user value of a sweep: the numbers of fields by name */
    VALUE_SWEEP = 1, /* user value of a value */
};

/* While its body runs; then the datapath is NULL. */
typedef struct {
    ArchNeroDatapath *datapath;
    guint streams; /* fields that come in; numbers from here on are results */
} Sweep;

typedef struct {
    Sweep *sweep;
    ArchNeroValue value;
    bool is_carry;
} Value;

/* The sweep that is upvalue 1. */
static Sweep *check_sweep(lua_State *L)
{
    Sweep *self = luaL_checkudata(L, lua_upvalueindex(1), SWEEP_NAME);

    if (self->datapath == NULL) {
        luaL_error(L, "the sweep is complete: its body has ended");
    }
    return self;
}

/* All values of a sweep are compared with every new one. */
static void check_count(lua_State *L, ArchNeroValue value)
{
    if (value >= MOST_VALUES) {
        luaL_error(L, "a sweep has more than %d values", MOST_VALUES);
    }
}

/* Pushes a value of the sweep at `sweep`, which lives as long. */
static int push_value(lua_State *L, int sweep, ArchNeroValue value)
{
    const int index = lua_absindex(L, sweep);
    Value *self = lua_newuserdatauv(L, sizeof *self, VALUE_SWEEP);

    check_count(L, value);
    *self = (Value){.sweep = lua_touserdata(L, index), .value = value};
    lua_pushvalue(L, index);
    lua_setiuservalue(L, -2, VALUE_SWEEP);
    luaL_setmetatable(L, VALUE_NAME);
    return 1;
}

/* The value at `index`, of this sweep; a number is a constant. */
static ArchNeroValue check_value(lua_State *L, Sweep *sweep, int index)
{
    const Value *value = luaL_testudata(L, index, VALUE_NAME);

    if (lua_type(L, index) == LUA_TNUMBER) {
        luaL_argcheck(L, isfinite(lua_tonumber(L, index)), index, "not finite");
        const ArchNeroValue constant =
            arch_nero_datapath_constant(sweep->datapath, lua_tonumber(L, index));

        check_count(L, constant);
        return constant;
    }
    if (value == NULL) {
        return sim_u32(luaL_typeerror(L, index, "value of a sweep or number"));
    }
    luaL_argcheck(L, value->sweep == sweep, index, "a value of another sweep");
    return value->value;
}

/* Distances from the point, as many as `axes`, from argument 1 on. */
static ArchNeroTap check_tap(lua_State *L, guint axes)
{
    int distances[3] = {0};

    for (guint i = 0; i < axes; i++) {
        const lua_Integer distance = luaL_optinteger(L, sim_i32(i) + 1, 0);

        luaL_argcheck(L, distance >= -FARTHEST && distance <= FARTHEST, sim_i32(i) + 1,
                      "farther than 64 points");
        distances[i] = sim_i32(distance);
    }
    luaL_argcheck(L, lua_gettop(L) <= sim_i32(axes), sim_i32(axes) + 1, "too many");
    return (ArchNeroTap){distances[0], distances[1], distances[2]};
}

/* Number of the field named at index 1, from `first` on up to `end`. */
static guint check_name(lua_State *L, guint first, guint end, const char *what)
{
    const char *name = luaL_checkstring(L, 1);

    lua_getiuservalue(L, lua_upvalueindex(1), SWEEP_NAMES);
    lua_getfield(L, -1, name);
    const lua_Integer number = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;

    lua_pop(L, 2);
    if (number < (lua_Integer) first || number >= (lua_Integer) end) {
        luaL_error(L, "%s '%s' is not there", what, name);
    }
    return sim_u32(number);
}

/* The function that d.field() gives; upvalue 2 is the number. */
static int take_field(lua_State *L)
{
    Sweep *self = check_sweep(L);
    const guint field = sim_u32(lua_tointeger(L, lua_upvalueindex(2)));
    const ArchNeroTap at = check_tap(L, 3);

    return push_value(L, lua_upvalueindex(1),
                      arch_nero_datapath_field(self->datapath, field, at));
}

static int get_field(lua_State *L)
{
    const Sweep *self = check_sweep(L);
    const guint count = arch_nero_datapath_field_count(self->datapath);
    const guint field = check_name(L, 0, count, "field");

    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushinteger(L, field);
    lua_pushcclosure(L, take_field, 2);
    return 1;
}

static int get_result(lua_State *L)
{
    Sweep *self = check_sweep(L);
    const guint count = arch_nero_datapath_field_count(self->datapath);
    const guint field = check_name(L, self->streams, count, "result");

    return push_value(
        L, lua_upvalueindex(1),
        arch_nero_datapath_field(self->datapath, field, (ArchNeroTap){0}));
}

/* The function that d.stage() gives; upvalue 2 is the value. */
static int take_stage(lua_State *L)
{
    Sweep *self = check_sweep(L);
    const ArchNeroValue of = sim_u32(lua_tointeger(L, lua_upvalueindex(2)));
    const ArchNeroTap at = check_tap(L, 2);
    ArchNeroValue value = 0;
    GError *error = NULL;

    if (!arch_nero_datapath_stage(self->datapath, of, at, &value, &error)) {
        return sandbox_raise(L, error);
    }
    return push_value(L, lua_upvalueindex(1), value);
}

static int make_stage(lua_State *L)
{
    Sweep *self = check_sweep(L);
    const ArchNeroValue of = check_value(L, self, 1);

    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushinteger(L, of);
    lua_pushcclosure(L, take_stage, 2);
    return 1;
}

static int make_select(lua_State *L)
{
    Sweep *self = check_sweep(L);
    const ArchNeroValue operands[] = {check_value(L, self, 1), check_value(L, self, 2),
                                      check_value(L, self, 3)};

    return push_value(
        L, lua_upvalueindex(1),
        arch_nero_datapath_apply(self->datapath, ARCH_NERO_SELECT, operands));
}

static int make_carry(lua_State *L)
{
    Sweep *self = check_sweep(L);

    push_value(L, lua_upvalueindex(1), arch_nero_datapath_carry(self->datapath));
    ((Value *) lua_touserdata(L, -1))->is_carry = true;
    return 1;
}

static int close_carry(lua_State *L)
{
    Sweep *self = check_sweep(L);
    const Value *carry = luaL_checkudata(L, 1, VALUE_NAME);

    luaL_argcheck(L, carry->sweep == self, 1, "a value of another sweep");
    luaL_argcheck(L, carry->is_carry, 1, "no carry");
    arch_nero_datapath_close(self->datapath, carry->value, check_value(L, self, 2));
    return 0;
}

/* Arithmetic on values, of which argument 1 or 2 is one. */
static int apply(lua_State *L, ArchNeroOperator operator, guint count)
{
    const int which = luaL_testudata(L, 1, VALUE_NAME) != NULL ? 1 : 2;
    const Value *value = luaL_checkudata(L, which, VALUE_NAME);
    Sweep *sweep = value->sweep;
    ArchNeroValue operands[2] = {0};

    lua_getiuservalue(L, which, VALUE_SWEEP);
    if (sweep->datapath == NULL) {
        return luaL_error(L, "the sweep is complete: its body has ended");
    }
    for (guint i = 0; i < count; i++) {
        operands[i] = check_value(L, sweep, sim_i32(i) + 1);
    }
    return push_value(L, -1,
                      arch_nero_datapath_apply(sweep->datapath, operator, operands));
}

static int add(lua_State *L)
{
    return apply(L, ARCH_NERO_ADD, 2);
}

static int subtract(lua_State *L)
{
    return apply(L, ARCH_NERO_SUB, 2);
}

static int multiply(lua_State *L)
{
    return apply(L, ARCH_NERO_MUL, 2);
}

static int divide(lua_State *L)
{
    return apply(L, ARCH_NERO_DIV, 2);
}

static int negate(lua_State *L)
{
    return apply(L, ARCH_NERO_NEGATE, 1);
}

void board_sweep_register(lua_State *L)
{
    static const luaL_Reg operators[] = {
        {"__add", add},    {"__sub", subtract}, {"__mul", multiply},
        {"__div", divide}, {"__unm", negate},   {NULL, NULL},
    };

    luaL_newmetatable(L, VALUE_NAME);
    luaL_setfuncs(L, operators, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    luaL_newmetatable(L, SWEEP_NAME);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

static const ApiCall functions[] = {
    {"field", get_field,
     "(name: string): fun(dx: integer, dy: integer, dz: integer): gl.Value"},
    {"result", get_result, "(name: string): gl.Value"},
    {"stage", make_stage, "(value: gl.Value): fun(dx: integer, dy: integer): gl.Value"},
    {"select", make_select,
     "(a: gl.Value, b: gl.Value|number, c: gl.Value|number): gl.Value"},
    {"carry", make_carry, "(): gl.Value"},
    {"close", close_carry, "(carry: gl.Value, value: gl.Value)"},
    {0},
};

const ApiClass board_body_api = {
    .name = "Body",
    .page = "workloads/doc/boards.md",
    .calls = (const ApiCall *const[]){functions, NULL},
};

/* Pushes the table that a body gets. */
static void push_body_argument(lua_State *L, int sweep)
{
    lua_newtable(L);
    lua_pushvalue(L, sweep);
    api_set(L, functions, 1);
    api_watch(L, &board_body_api);
}

/* Takes the results that the body has returned, at the top of the stack. */
static void take_results(lua_State *L, Sweep *sweep, const char *name, guint count)
{
    const int list = lua_gettop(L);

    if (!lua_istable(L, list) || lua_rawlen(L, list) != count) {
        luaL_error(L, "sweep %s: the body returns no list of %d values", name,
                   sim_i32(count));
    }
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer) i + 1);
        const Value *value = luaL_testudata(L, -1, VALUE_NAME);

        if (lua_type(L, -1) != LUA_TNUMBER &&
            (value == NULL || value->sweep != sweep)) {
            luaL_error(L, "sweep %s: result %d is no value of it", name,
                       sim_i32(i) + 1);
        }
        (void) arch_nero_datapath_result(sweep->datapath,
                                         check_value(L, sweep, lua_gettop(L)));
        lua_pop(L, 1);
    }
}

/* Gives the results' names, of the list at the top of the stack, the numbers from
 * `first` on in the table at `names`. */
static guint name_results(lua_State *L, int names, guint first)
{
    const lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

    if (count < 1 || count > BOARD_GRIDS) {
        luaL_error(L, "results: expected a list of 1 to %d names", BOARD_GRIDS);
    }
    for (guint i = 0; i < count; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer) i + 1) != LUA_TSTRING) {
            luaL_error(L, "results: expected a list of names");
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, names) != LUA_TNIL) {
            luaL_error(L, "results: there is a '%s' already", lua_tostring(L, -2));
        }
        lua_pop(L, 1);
        lua_pushinteger(L, (lua_Integer) first + i);
        lua_rawset(L, names);
    }
    return sim_u32(count);
}

/* How many fields come in, of those that the table at `names` has. */
static guint count_names(lua_State *L, int names)
{
    guint count = 0;

    for (lua_pushnil(L); lua_next(L, names) != 0; lua_pop(L, 1)) {
        count++;
    }
    return count;
}

/* Calls the body of the table at `table` with the sweep at the top of the stack; pushes
 * what it returns. */
static void call_body(lua_State *L, int table)
{
    const int sweep = lua_gettop(L);

    if (lua_getfield(L, table, "body") != LUA_TFUNCTION) {
        luaL_error(L, "body: expected function(d)");
    }
    push_body_argument(L, sweep);
    lua_call(L, 1, 1);
}

const ArchNeroDatapath *
board_sweep_check(lua_State *L, Session *session, int index, int names, guint streams)
{
    static const char *const known[] = {"name", "direction", "results",
                                        "body", "branches",  NULL};
    static const char *const directions[] = {
        [ARCH_NERO_UPWARDS] = "up", [ARCH_NERO_DOWNWARDS] = "down", NULL};
    const int table = lua_absindex(L, index);
    const int top = lua_gettop(L);
    const guint fields = count_names(L, names);
    GError *error = NULL;

    arguments_check(L, table, known);
    const char *name = arguments_text(L, table, "name");
    const guint direction = arguments_choice(L, table, "direction", directions, true);
    Sweep *sweep = lua_newuserdatauv(L, sizeof *sweep, SWEEP_NAMES);

    *sweep = (Sweep){
        .datapath = arch_nero_datapath_new(name, (ArchNeroDirection) direction, fields),
        .streams = streams,
    };
    g_ptr_array_add(board_state(session)->sweeps, sweep->datapath);
    luaL_setmetatable(L, SWEEP_NAME);
    lua_pushvalue(L, names);
    lua_setiuservalue(L, -2, SWEEP_NAMES);
    call_body(L, table);
    lua_getfield(L, table, "results");
    const guint results = name_results(L, names, fields);

    lua_pop(L, 1);
    take_results(L, sweep, name, results);
    ArchNeroDatapath *datapath = g_steal_pointer(&sweep->datapath);

    if (!arch_nero_datapath_check(datapath, &error)) {
        sandbox_raise(L, error);
    }
    lua_settop(L, top);
    return datapath;
}
