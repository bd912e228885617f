/* The type: its shape, its format, how it is made and how it becomes host memory. */
#include "workloads/numbers/numbers.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_array.h"

#define TYPE_NAME "gridloom.numbers"

static const char *const format_names[] = {
    [NUMBER_BF16] = "bf16",      [NUMBER_FP32] = "fp32",
    [NUMBER_FP16] = "fp16",      [NUMBER_INT32] = "int32",
    [NUMBER_UINT32] = "uint32",  [NUMBER_UINT16] = "uint16",
    [NUMBERS_DOUBLE] = "double", NULL};

const char *numbers_format_name(int format)
{
    return format_names[format];
}

int numbers_check_format(lua_State *L, int index)
{
    return luaL_checkoption(L, index, NULL, format_names);
}

char *numbers_shape_text(const NumbersShape *shape)
{
    GString *text = g_string_new("(");

    for (guint i = 0; i < shape->axis_count; i++) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i == 0 ? "" : ", ",
                               shape->lengths[i]);
    }
    g_string_append(text, shape->axis_count == 1 ? ",)" : ")");
    return g_string_free(text, FALSE);
}

lua_Integer numbers_pop_whole(lua_State *L)
{
    const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
    int is_whole = 0;
    const lua_Integer whole = lua_tointegerx(L, -1, &is_whole);

    lua_pop(L, 1);
    return is_number && is_whole != 0 ? whole : -1;
}

NumbersShape numbers_check_shape(lua_State *L, int index)
{
    const lua_Unsigned count = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
    NumbersShape shape = {.count = 1};

    luaL_argcheck(L, lua_istable(L, index) && count <= NUMBERS_AXES, index,
                  "a list of at most 8 lengths");
    shape.axis_count = sim_u32(count);
    for (guint i = 0; i < shape.axis_count; i++) {
        lua_rawgeti(L, index, i + 1);
        const lua_Integer length = numbers_pop_whole(L);

        luaL_argcheck(L, length >= 0 && length <= G_MAXINT32, index,
                      "lengths are whole numbers, 0 or more");
        shape.lengths[i] = (uint64_t) length;
        shape.count *= shape.lengths[i];
        luaL_argcheck(L, shape.count <= G_MAXINT32, index, "the array is too large");
    }
    return shape;
}

guint numbers_check_axis(lua_State *L, int index, const Numbers *self)
{
    const lua_Integer axis = luaL_checkinteger(L, index);

    luaL_argcheck(L, axis >= 1 && axis <= self->shape.axis_count, index,
                  "not an axis of the array, counted from 1");
    return sim_u32(axis - 1);
}

Numbers *numbers_check(lua_State *L, int index)
{
    return luaL_checkudata(L, index, TYPE_NAME);
}

Numbers *numbers_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, TYPE_NAME);
}

Numbers *
numbers_push(lua_State *L, int format, const NumbersShape *shape, bool has_data)
{
    const gsize bytes = has_data ? (gsize) shape->count * sizeof(double) : 0;
    Numbers *self = lua_newuserdatauv(L, sizeof(Numbers) + bytes, 0);

    self->format = format;
    self->has_data = has_data;
    self->shape = *shape;
    luaL_setmetatable(L, TYPE_NAME);
    return self;
}

void numbers_steps(const NumbersShape *shape, uint64_t *steps)
{
    uint64_t step = 1;

    for (guint i = shape->axis_count; i > 0; i--) {
        steps[i - 1] = step;
        step *= shape->lengths[i - 1];
    }
}

/* Rounds away the last `dropped` bits of a double. */
static double drop_bits(double number, guint dropped)
{
    uint64_t bits = 0;

    memcpy(&bits, &number, sizeof bits);
    bits += (UINT64_C(1) << (dropped - 1)) - 1 + (bits >> dropped & 1);
    bits &= ~((UINT64_C(1) << dropped) - 1);
    memcpy(&number, &bits, sizeof bits);
    return number;
}

/* Of formats of 16 bits, numbers far from the ends of what they hold. */
static bool is_usual(NumberFormat format, double number)
{
    const double size = fabs(number);

    return format == NUMBER_FP16   ? size >= 0x1p-14 && size < 0x1p15
           : format == NUMBER_BF16 ? size >= 0x1p-126 && size < 0x1p127
                                   : false;
}

void numbers_round(int format, double *numbers, uint64_t count)
{
    const guint dropped = format == NUMBER_FP16 ? 52 - 10 : 52 - 7;
    uint32_t cell = 0;

    if (format == NUMBERS_DOUBLE) {
        return;
    }
    if (format == NUMBER_FP32) {
        for (uint64_t i = 0; i < count; i++) {
            numbers[i] = (double) (float) numbers[i];
        }
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (is_usual((NumberFormat) format, numbers[i])) {
            numbers[i] = drop_bits(numbers[i], dropped);
            continue;
        }
        number_format_put((NumberFormat) format, (guint8 *) &cell, 0, numbers[i]);
        numbers[i] =
            number_format_get((NumberFormat) format, (const guint8 *) &cell, 0);
    }
}

int numbers_of_buffer(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    const NumberFormat format = number_format_check(L, 2);
    const gsize size = number_format_bytes(format);
    NumbersShape shape = {.axis_count = 1, .lengths = {self->count / size}};

    shape.count = shape.lengths[0];
    if (!lua_isnoneornil(L, 3)) {
        shape = numbers_check_shape(L, 3);
    }
    luaL_argcheck(L, self->count == shape.count * size, 1,
                  "the buffer is not as large as the array");
    luaL_argcheck(L, shape.count <= G_MAXINT32, 1, "the array is too large");
    Numbers *numbers = numbers_push(L, sim_i32(format), &shape, self->data != NULL);

    if (self->data != NULL) {
        number_array_get(format, numbers->data, self->data, 0, shape.count);
    }
    return 1;
}

/* a:buffer([format]): a new buffer with the numbers. */
static int buffer(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);
    NumberFormat format;

    luaL_argcheck(L, !lua_isnoneornil(L, 2) || self->format != NUMBERS_DOUBLE, 2,
                  "buffers have no doubles: name a format");
    format =
        lua_isnoneornil(L, 2) ? (NumberFormat) self->format : number_format_check(L, 2);
    const HostBytes *bytes = host_bytes_push(
        L, self->shape.count * number_format_bytes(format), self->has_data);

    if (self->has_data) {
        number_array_put(format, bytes->data, 0, self->data, self->shape.count);
    }
    return 1;
}

/* Takes the numbers of the list at `index`. */
static void take_list(lua_State *L, int index, Numbers *self)
{
    luaL_argcheck(L, lua_rawlen(L, index) == self->shape.count, index,
                  "not as many numbers as the array has");
    for (uint64_t i = 0; i < self->shape.count; i++) {
        int is_number = 0;

        lua_rawgeti(L, index, (lua_Integer) i + 1);
        const double number = lua_tonumberx(L, -1, &is_number);

        lua_pop(L, 1);
        luaL_argcheck(L, is_number != 0, index, "a list of numbers");
        if (self->has_data) {
            self->data[i] = number;
        }
    }
}

int numbers_make(lua_State *L, bool has_data)
{
    const int format = numbers_check_format(L, 1);
    const NumbersShape shape = numbers_check_shape(L, 2);
    const bool is_list = lua_istable(L, 3);
    const double number = is_list ? 0 : luaL_optnumber(L, 3, 0);
    Numbers *self = numbers_push(L, format, &shape, has_data);

    if (is_list) {
        take_list(L, 3, self);
    }
    for (uint64_t i = 0; has_data && !is_list && i < shape.count; i++) {
        self->data[i] = number;
    }
    if (has_data) {
        numbers_round(format, self->data, shape.count);
    }
    return 1;
}

int numbers_make_indices(lua_State *L, bool has_data)
{
    const int format = numbers_check_format(L, 1);
    const NumbersShape shape = numbers_check_shape(L, 2);
    Numbers *self = numbers_push(L, format, &shape, has_data);
    const guint axis = numbers_check_axis(L, 3, self);
    uint64_t steps[NUMBERS_AXES] = {0};

    numbers_steps(&shape, steps);
    for (uint64_t i = 0; has_data && i < shape.count; i++) {
        self->data[i] = (double) (i / steps[axis] % shape.lengths[axis]);
    }
    if (has_data) {
        numbers_round(format, self->data, shape.count);
    }
    return 1;
}

static int count_of(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer) numbers_check(L, 1)->shape.count);
    return 1;
}

static int shape_of(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);

    lua_createtable(L, sim_i32(self->shape.axis_count), 0);
    for (guint i = 0; i < self->shape.axis_count; i++) {
        lua_pushinteger(L, (lua_Integer) self->shape.lengths[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int format_of(lua_State *L)
{
    lua_pushstring(L, numbers_format_name(numbers_check(L, 1)->format));
    return 1;
}

/* a:as(format): rounded to another format. */
static int as(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);
    const int format = numbers_check_format(L, 2);
    Numbers *result = numbers_push(L, format, &self->shape, self->has_data);

    if (self->has_data) {
        memcpy(result->data, self->data, self->shape.count * sizeof(double));
        numbers_round(format, result->data, self->shape.count);
    }
    return 1;
}

static const ApiCall type_methods[] = {
    {"shape", shape_of, "(): integer[]"},
    {"format", format_of, "(): string"},
    {"as", as, "(format: gl.Format|\"double\"): gl.Numbers"},
    {"buffer", buffer, "(format?: gl.Format): gl.Buffer"},
    {0},
};

const ApiClass numbers_api = {
    .name = "Numbers",
    .page = "workloads/doc/numbers.md",
    .calls = (const ApiCall *const[]){type_methods, numbers_cell_methods,
                                      numbers_place_methods, numbers_sum_methods, NULL},
    .is_object = true,
};

void numbers_register(lua_State *L)
{
    luaL_newmetatable(L, TYPE_NAME);
    api_set(L, numbers_operators, 0);
    lua_pushcfunction(L, count_of);
    lua_setfield(L, -2, "__len");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    api_push(L, &numbers_api);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}
