/* Routes, switches and the priorities of tasks, which programs change by name, as
 * methods of `pe`. They are registers, as in the library <tile_config> of CSL. */

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/color.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

enum {
    /* Registers, by color or by task. */
    PRIORITIES = 0x7ec0,
    ROUTES = 0x7f20,
    SWITCHES = 0x7f40,
    /* Bits. */
    WORD = 0xffff,
    TX = 0x1f,
    RX_SHIFT = 5,
    POP_SHIFT = 12,
    POP = 3,
    POSITION = 0xf,
    POSITION_SHIFT = 4,
    INVALID = 5,
    IS_RX = 8,
    RING = 1 << 12,
    CURRENT_SHIFT = 13,
    CURRENT = 3,
    LAST_COLOR = 23,
    LAST_TASK = 63,
};

/* Bits of a register that are to change, and what they become. */
typedef struct {
    guint mask;
    guint bits;
} Change;

/* Bits of directions in the order of the registers. */
static guint word_of(guint directions)
{
    static const ArchWseDirection order[ARCH_WSE_DIRECTIONS] = {
        ARCH_WSE_WEST, ARCH_WSE_EAST, ARCH_WSE_SOUTH, ARCH_WSE_NORTH, ARCH_WSE_RAMP,
    };
    guint word = 0;

    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        word |= (directions >> order[i] & 1) << i;
    }
    return word;
}

static void merge(Change *self, guint mask, guint bits, guint shift)
{
    self->mask |= mask << shift;
    self->bits |= bits << shift;
}

/* Whether the table has the field. */
static bool has(lua_State *L, int index, const char *name)
{
    const bool is_given = field_push(L, index, name) != LUA_TNIL;

    lua_pop(L, 1);
    return is_given;
}

/* The register of the color or task at 2, of which there are up to `last`. */
static ArchWseOperand
address_of(lua_State *L, const WaferPe *self, guint first, guint last)
{
    const ArchWseOperand which = wafer_operand_integer(L, self, 2);

    if (!which.is_variable) {
        luaL_argcheck(L, which.value >= 0 && sim_u32(which.value) <= last, 2,
                      lua_pushfstring(L, "not 0 to %d", sim_i32(last)));
        return wafer_constant(sim_i32(first) + which.value);
    }
    const guint sum =
        wafer_variable_new(L, self, NULL, ARCH_WSE_U16, ARCH_WSE_NONE).number;

    wafer_emit(L, self,
               &(WaferOperation){.name = "add",
                                 .type = ARCH_WSE_U16,
                                 .to = sum,
                                 .operands = {wafer_constant(sim_i32(first)), which}});
    return wafer_in_register(sum);
}

static void write_register(lua_State *L,
                           const WaferPe *self,
                           ArchWseOperand address,
                           ArchWseOperand word)
{
    GError *error = NULL;

    wafer_emit_check(
        L, arch_wse_program_set_config(self->program, address, word, &error), &error);
}

/* Reads the color's register, changes the bits and writes it. */
static void change_color(lua_State *L, const WaferPe *self, guint first, Change change)
{
    const ArchWseOperand address = address_of(L, self, first, LAST_COLOR);
    const guint word =
        wafer_variable_new(L, self, NULL, ARCH_WSE_U16, ARCH_WSE_NONE).number;
    const struct {
        const char *name;
        guint bits;
    } steps[] = {{"and", ~change.mask & WORD}, {"or", change.bits}};
    GError *error = NULL;

    wafer_emit_check(
        L, arch_wse_program_get_config(self->program, word, address, &error), &error);
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        wafer_emit(
            L, self,
            &(WaferOperation){.name = steps[i].name,
                              .type = ARCH_WSE_U16,
                              .to = word,
                              .operands = {wafer_in_register(word),
                                           wafer_constant(sim_i32(steps[i].bits))}});
    }
    write_register(L, self, address, wafer_in_register(word));
}

/* pe:reset_routes(color, { rx =, tx = }) */
static int reset_routes(lua_State *L)
{
    static const char *const known[] = {"rx", "tx", NULL};
    const WaferPe *self = wafer_pe_check(L);
    Change change = {0};

    arguments_check(L, 3, known);
    const guint rx = wafer_directions_check(L, 3, "rx");
    const guint tx = wafer_directions_check(L, 3, "tx");

    luaL_argcheck(L, rx != 0 && tx != 0, 3, "expected both rx and tx");
    merge(&change, TX, word_of(tx), 0);
    merge(&change, TX, word_of(rx), RX_SHIFT);
    change_color(L, self, ROUTES, change);
    return 0;
}

/* The position in a field: { rx = direction }, { tx = direction } or "invalid". */
static guint check_position(lua_State *L, const char *name)
{
    static const char *const known[] = {"rx", "tx", NULL};
    const int at = lua_gettop(L) + 1;

    if (field_push(L, 3, name) == LUA_TSTRING &&
        g_str_equal(lua_tostring(L, at), "invalid")) {
        lua_pop(L, 1);
        return INVALID;
    }
    if (!lua_istable(L, at)) {
        luaL_error(L, "%s: expected { rx = }, { tx = } or \"invalid\"", name);
    }
    arguments_check(L, at, known);
    const guint rx = word_of(wafer_directions_check(L, at, "rx"));
    const guint tx = word_of(wafer_directions_check(L, at, "tx"));
    const guint set = rx | tx;

    if ((rx != 0 && tx != 0) || set == 0 || (set & (set - 1)) != 0) {
        luaL_error(L,
                   "%s: a position that a program changes has one direction, rx or tx",
                   name);
    }
    lua_pop(L, 1);
    return (rx != 0 ? IS_RX : 0U) | (guint) __builtin_ctz(set);
}

static Change check_switches(lua_State *L)
{
    static const char *const positions[] = {"pos1", "pos2", "pos3"};
    Change change = {0};

    for (guint i = 0; i < G_N_ELEMENTS(positions); i++) {
        if (has(L, 3, positions[i])) {
            merge(&change, POSITION, check_position(L, positions[i]),
                  i * POSITION_SHIFT);
        }
    }
    if (has(L, 3, "ring_mode")) {
        merge(&change, RING, arguments_flag(L, 3, "ring_mode") ? RING : 0U, 0);
    }
    if (has(L, 3, "current_switch_pos")) {
        merge(&change, CURRENT,
              arguments_integer(L, 3, "current_switch_pos", -1, CURRENT),
              CURRENT_SHIFT);
    }
    return change;
}

/* pe:set_switches(color, { pos1 =, pos2 =, pos3 =, current_switch_pos =, ring_mode =,
 * pop_mode = }): changes what is named. */
static int set_switches(lua_State *L)
{
    static const char *const known[] = {
        "pos1", "pos2", "pos3", "current_switch_pos", "ring_mode", "pop_mode", NULL};
    const WaferPe *self = wafer_pe_check(L);

    arguments_check(L, 3, known);
    const Change change = check_switches(L);
    Change pop = {0};

    if (has(L, 3, "pop_mode")) {
        merge(&pop, POP, arguments_choice(L, 3, "pop_mode", wafer_pop_modes, true),
              POP_SHIFT);
    }
    luaL_argcheck(L, change.mask != 0 || pop.mask != 0, 3, "nothing to change");
    if (change.mask != 0) {
        change_color(L, self, SWITCHES, change);
    }
    if (pop.mask != 0) {
        change_color(L, self, ROUTES, pop);
    }
    return 0;
}

/* pe:set_task_priority(task, "high" or "low") */
static int set_task_priority(lua_State *L)
{
    static const char *const levels[] = {"low", "high", NULL};
    const WaferPe *self = wafer_pe_check(L);
    const int level = luaL_checkoption(L, 3, NULL, levels);

    write_register(L, self, address_of(L, self, PRIORITIES, LAST_TASK),
                   wafer_constant(level));
    return 0;
}

const ApiCall wafer_settings_methods[] = {
    {"reset_routes", reset_routes,
     "(color: integer|gl.Variable, routes: { rx: gl.Ports, tx: gl.Ports })"},
    {"set_switches", set_switches,
     "(color: integer|gl.Variable, switches: { pos1?: table|\"invalid\", pos2?: "
     "table|\"invalid\", pos3?: table|\"invalid\", current_switch_pos?: integer, "
     "ring_mode?: boolean, pop_mode?: string })"},
    {"set_task_priority", set_task_priority,
     "(task: integer|gl.Variable, level: \"high\"|\"low\")"},
    {0},
};
