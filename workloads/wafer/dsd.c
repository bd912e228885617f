/* Memory and descriptors as methods of `pe`. */

#include <math.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/operand.h"

/* The array or variable in a field. */
static const WaferValue *
check_field(lua_State *L, const WaferPe *self, const char *name, WaferValueKind kind)
{
    (void) field_push(L, 2, name);
    const WaferValue *value =
        wafer_value_check(L, lua_gettop(L), kind, self->serial, name);

    lua_pop(L, 1); /* the table keeps it alive */
    return value;
}

/* The list of finite numbers in a field, in memory that Lua frees; it stays on the
 * stack. NULL where there is none. */
static const double *check_values(lua_State *L, const char *name, guint *count)
{
    int type = field_push(L, 2, name);
    lua_Unsigned length = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;

    *count = 0;
    if (type == LUA_TNIL) {
        return NULL;
    }
    if (length == 0 || length > G_MAXUINT16 || field_count(L, -1) != length) {
        luaL_error(L, "%s: expected a list of at most %d numbers", name, G_MAXUINT16);
    }
    int list = lua_gettop(L);
    double *values = lua_newuserdatauv(L, (size_t) length * sizeof *values, 0);

    for (lua_Unsigned i = 0; i < length; i++) {
        int type_of_value = lua_rawgeti(L, list, (lua_Integer) i + 1);

        values[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (type_of_value != LUA_TNUMBER || !isfinite(values[i])) {
            luaL_error(L, "%s: number %d is no finite number", name, sim_i32(i) + 1);
        }
    }
    *count = sim_u32(length);
    return values;
}

static guint address_of(const WaferPe *self, const char *name)
{
    ArchWseSymbol symbol = {0};

    (void) arch_wse_program_find(self->program, name, &symbol);
    return symbol.address;
}

static int push_array(lua_State *L,
                      WaferPe *self,
                      WaferValue array,
                      guint align,
                      const double *values,
                      guint value_count)
{
    const char *name = arguments_text(L, 2, "name");
    GError *error = NULL;

    if (!arch_wse_program_array(self->program, name, array.type, array.count, align,
                                &array.number, &error) ||
        (value_count > 0 && !arch_wse_program_set(self->program, array.number, 0,
                                                  values, value_count, &error))) {
        return sandbox_raise(L, error);
    }
    array.kind = WAFER_ARRAY;
    array.owner = self->serial;
    array.increment = ARCH_WSE_NONE;
    array.address = address_of(self, name);
    return wafer_value_push(L, &array);
}

/* pe:array{ name =, type =, count =, align =, values = } */
static int make_array(lua_State *L)
{
    static const char *const known[] = {"name",  "type",   "count",
                                        "align", "values", NULL};
    WaferPe *self = wafer_pe_check(L);
    guint value_count = 0;

    arguments_check(L, 2, known);
    const double *values = check_values(L, "values", &value_count);
    WaferValue array = {
        .type = (ArchWseType) arguments_choice(L, 2, "type", wafer_type_names, true),
        .count = arguments_integer(
            L, 2, "count", value_count > 0 ? (gint64) value_count : -1, G_MAXUINT16),
    };

    if (value_count > array.count) {
        return luaL_error(L, "values: %d numbers for an array of %d",
                          sim_i32(value_count), sim_i32(array.count));
    }
    return push_array(L, self, array, arguments_integer(L, 2, "align", 0, G_MAXUINT16),
                      values, value_count);
}

/* pe:view{ name =, base =, first =, type =, count = } */
static int make_view(lua_State *L)
{
    static const char *const known[] = {"name", "base", "first", "type", "count", NULL};
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    arguments_check(L, 2, known);
    const WaferValue *base = check_field(L, self, "base", WAFER_ARRAY);
    const ArchWseView config = {
        .name = arguments_text(L, 2, "name"),
        .array = base->number,
        .first = arguments_integer(L, 2, "first", 0, G_MAXUINT16),
        .type = (ArchWseType) arguments_choice(L, 2, "type", wafer_type_names, true),
        .count = arguments_integer(L, 2, "count", -1, G_MAXUINT16),
    };
    WaferValue view = {
        .kind = WAFER_ARRAY,
        .owner = self->serial,
        .type = config.type,
        .count = config.count,
        .increment = ARCH_WSE_NONE,
    };

    if (!arch_wse_program_view(self->program, &config, &view.number, &error)) {
        return sandbox_raise(L, error);
    }
    view.address = address_of(self, config.name);
    return wafer_value_push(L, &view);
}

/* pe:scalar{ name =, type =, value = } */
static int make_scalar(lua_State *L)
{
    static const char *const known[] = {"name", "type", "value", NULL};
    WaferPe *self = wafer_pe_check(L);

    arguments_check(L, 2, known);
    double value = arguments_number(L, 2, "value", 0);
    WaferValue array = {
        .type = (ArchWseType) arguments_choice(L, 2, "type", wafer_type_names, true),
        .count = 1,
    };

    return push_array(L, self, array, 0, &value, 1);
}

/* pe:variable{ name =, type =, value = } */
static int make_variable(lua_State *L)
{
    static const char *const known[] = {"name", "type", "value", NULL};
    WaferPe *self = wafer_pe_check(L);
    ArchWseType type = ARCH_WSE_I32;
    int64_t bits = 0;

    arguments_check(L, 2, known);
    const bool is_typed = field_push(L, 2, "type") != LUA_TNIL;

    if (is_typed) {
        type = (ArchWseType) arguments_choice(L, 2, "type", wafer_type_names, true);
    }
    if (!is_typed) {
        bits = arguments_signed(L, 2, "value", 0);
    } else if (field_push(L, 2, "value") != LUA_TNIL) {
        bits = wafer_number_check(L, lua_gettop(L), type, "value", "");
    }
    WaferValue variable =
        wafer_variable_new(L, self, arguments_text(L, 2, "name"), type, bits);

    variable.is_typed = is_typed;
    return wafer_value_push(L, &variable);
}

static int push_descriptor(
    lua_State *L, const WaferPe *self, bool is_made, WaferValue value, GError *error)
{
    value.kind = WAFER_DESCRIPTOR;
    value.owner = self->serial;
    value.increment = ARCH_WSE_NONE;
    return is_made ? wafer_value_push(L, &value) : sandbox_raise(L, error);
}

/* The array, offset and variable that all descriptors of memory have. */
static ArchWseMemoryDsd check_memory(lua_State *L, const WaferPe *self)
{
    ArchWseMemoryDsd config = {
        .array = check_field(L, self, "base", WAFER_ARRAY)->number,
        .offset = arguments_signed(L, 2, "offset", 0),
        .variable = ARCH_WSE_NONE,
    };

    if (field_push(L, 2, "increment") != LUA_TNIL) {
        config.variable = check_field(L, self, "increment", WAFER_VARIABLE)->number;
    }
    lua_pop(L, 1);
    return config;
}

static int push_memory(lua_State *L, WaferPe *self, const ArchWseMemoryDsd *config)
{
    const WaferValue *base = check_field(L, self, "base", WAFER_ARRAY);
    const int bytes = sim_i32(arch_wse_type_bytes(base->type));
    const int64_t first = base->address + (int64_t) config->offset * bytes;
    WaferValue value = {
        .kind = WAFER_DESCRIPTOR,
        .owner = self->serial,
        .increment = config->variable,
        .type = base->type,
        .count = 1,
        .address = sim_u32(first & UINT16_MAX),
        .stride = config->strides[config->rank - 1],
        .rank = config->rank,
    };
    GError *error = NULL;

    for (guint i = 0; i < config->rank; i++) {
        value.count *= config->extents[i];
        value.extents[i] = config->extents[i];
        value.strides[i] = config->strides[i];
    }

    return arch_wse_program_memory_dsd(self->program, config, &value.number, &error) &&
                   (!arguments_flag(L, 2, "wavelet_index_offset") ||
                    arch_wse_program_indexed(self->program, value.number, &error))
               ? wafer_value_push(L, &value)
               : sandbox_raise(L, error);
}

/* pe:mem1d_dsd{ base =, extent =, stride =, offset =, increment = } */
static int make_mem1d_dsd(lua_State *L)
{
    static const char *const known[] = {"base",   "extent",    "stride",
                                        "offset", "increment", "wavelet_index_offset",
                                        NULL};
    WaferPe *self = wafer_pe_check(L);

    arguments_check(L, 2, known);
    ArchWseMemoryDsd config = check_memory(L, self);

    config.rank = 1;
    config.extents[0] = arguments_integer(L, 2, "extent", -1, G_MAXUINT16);
    config.strides[0] = arguments_signed(L, 2, "stride", 1);
    return push_memory(L, self, &config);
}

/* The list of 1 to 4 integers in a field; how many. */
static guint check_list(lua_State *L, const char *name, int *numbers)
{
    int type = field_push(L, 2, name);
    lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;

    if (count < 1 || count > ARCH_WSE_RANK || field_count(L, -1) != count) {
        luaL_error(L, "%s: expected a list of 1 to %d integers", name, ARCH_WSE_RANK);
    }
    for (guint i = 0; i < count; i++) {
        int is_integer = 0;

        lua_rawgeti(L, -1, (lua_Integer) i + 1);
        lua_Integer value = lua_tointegerx(L, -1, &is_integer);

        lua_pop(L, 1);
        if (is_integer == 0 || value < -G_MAXUINT16 || value > G_MAXUINT16) {
            luaL_error(L, "%s: number %d is no integer of 16 bits", name,
                       sim_i32(i) + 1);
        }
        numbers[i] = sim_i32(value);
    }
    lua_pop(L, 1);
    return sim_u32(count);
}

/* pe:mem4d_dsd{ base =, extents =, strides =, offset =, increment = } */
static int make_mem4d_dsd(lua_State *L)
{
    static const char *const known[] = {"base",   "extents",   "strides",
                                        "offset", "increment", "wavelet_index_offset",
                                        NULL};
    WaferPe *self = wafer_pe_check(L);
    int extents[ARCH_WSE_RANK] = {0};

    arguments_check(L, 2, known);
    ArchWseMemoryDsd config = check_memory(L, self);

    config.rank = check_list(L, "extents", extents);
    if (check_list(L, "strides", config.strides) != config.rank) {
        return luaL_error(L, "strides: expected as many as extents");
    }
    for (guint i = 0; i < config.rank; i++) {
        if (extents[i] < 0) {
            return luaL_error(L, "extents: number %d is negative", sim_i32(i) + 1);
        }
        config.extents[i] = sim_u32(extents[i]);
    }
    return push_memory(L, self, &config);
}

/* pe:fifo{ base =, activate_push =, activate_pop = } */
static int make_fifo(lua_State *L)
{
    static const char *const known[] = {"base", "activate_push", "activate_pop", NULL};
    WaferPe *self = wafer_pe_check(L);
    WaferValue value = {0};
    GError *error = NULL;

    arguments_check(L, 2, known);
    const WaferValue *base = check_field(L, self, "base", WAFER_ARRAY);
    const guint pushed =
        arguments_integer(L, 2, "activate_push", ARCH_WSE_NONE, G_MAXUINT8);
    const guint popped =
        arguments_integer(L, 2, "activate_pop", ARCH_WSE_NONE, G_MAXUINT8);

    value.type = base->type;
    value.address = base->address;
    bool is_made =
        arch_wse_program_fifo(self->program, base->number, &value.number, &error) &&
        arch_wse_program_fifo_tasks(self->program, value.number, pushed, popped,
                                    &error);

    return push_descriptor(L, self, is_made, value, error);
}

/* pe:word(bits): an operand of 32 bits, such as a control payload. */
static int make_word(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    lua_Integer bits = luaL_checkinteger(L, 2);
    WaferValue value = {0};
    GError *error = NULL;

    luaL_argcheck(L, bits >= 0 && bits <= G_MAXUINT32, 2, "not 32 bits");
    bool is_made =
        arch_wse_program_word(self->program, sim_u32(bits), &value.number, &error);

    return push_descriptor(L, self, is_made, value, error);
}

const ApiCall wafer_dsd_methods[] = {
    {"array", make_array,
     "(options: { name: string, type: gl.Type, count: integer, align?: integer, "
     "values?: number[] }): gl.Array"},
    {"view", make_view,
     "(options: { name: string, base: gl.Array, first?: integer, type: gl.Type, count: "
     "integer }): gl.Array"},
    {"scalar", make_scalar,
     "(options: { name: string, type: gl.Type, value?: number }): gl.Array"},
    {"variable", make_variable,
     "(options: { name: string, type?: gl.Type, value?: number }): gl.Variable"},
    {"mem1d_dsd", make_mem1d_dsd,
     "(options: { base: gl.Array, extent: integer, stride?: integer, offset?: integer, "
     "increment?: gl.Variable, wavelet_index_offset?: boolean }): gl.Dsd"},
    {"mem4d_dsd", make_mem4d_dsd,
     "(options: { base: gl.Array, extents: integer[], strides: integer[], offset?: "
     "integer, increment?: gl.Variable, wavelet_index_offset?: boolean }): gl.Dsd"},
    {"fifo", make_fifo,
     "(options: { base: gl.Array, activate_push?: integer, activate_pop?: integer }): "
     "gl.Dsd"},
    {"word", make_word, "(bits: integer): gl.Dsd"},
    {0},
};
