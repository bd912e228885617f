/* Numbers by their places: neighbours, parts, axes in another order, single ones. */
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/numbers/numbers.h"

static double same(double x, double y, double z)
{
    (void) y;
    (void) z;
    return x;
}

/* Pushes an array whose numbers lie in this one as the source says. */
static int push_copy(lua_State *L,
                     const Numbers *self,
                     const NumbersShape *shape,
                     const NumbersSource *source)
{
    static const double nothing = 0;
    const NumbersSource none = {.data = &nothing};
    const NumbersSource sources[] = {*source, none, none};
    Numbers *result = numbers_push(L, self->format, shape, self->has_data);

    if (self->has_data) {
        numbers_walk(result, sources, same);
    }
    return 1;
}

/* An array in three parts: axes before one, that one, and those after it. */
typedef struct {
    uint64_t before;
    uint64_t length;
    uint64_t after;
} Split;

static Split split_at(const NumbersShape *shape, guint axis)
{
    Split split = {.before = 1, .length = shape->lengths[axis], .after = 1};

    for (guint i = 0; i < axis; i++) {
        split.before *= shape->lengths[i];
    }
    for (guint i = axis + 1; i < shape->axis_count; i++) {
        split.after *= shape->lengths[i];
    }
    return split;
}

typedef enum {
    EDGE_WRAP,
    EDGE_NEAREST,
    EDGE_NUMBER,
} Edge;

/* The place of the neighbour at `place` on an axis; -1: outside. */
static int64_t place_inside(int64_t place, int64_t length, Edge edge)
{
    if (place >= 0 && place < length) {
        return place;
    }
    if (edge == EDGE_NUMBER) {
        return -1;
    }
    if (edge == EDGE_NEAREST) {
        return place < 0 ? 0 : length - 1;
    }
    place %= length;
    return place < 0 ? place + length : place;
}

/* a:neighbour(axis, distance [, outside]): in each cell, what the cell so far along the
 * axis has. `outside` is a number (0), "wrap" or "nearest". */
static int neighbour(lua_State *L)
{
    static const char *const edges[] = {"wrap", "nearest", NULL};
    const Numbers *self = numbers_check(L, 1);
    const guint axis = numbers_check_axis(L, 2, self);
    const lua_Integer distance = luaL_checkinteger(L, 3);
    const Edge edge = lua_type(L, 4) == LUA_TSTRING
                          ? (Edge) luaL_checkoption(L, 4, NULL, edges)
                          : EDGE_NUMBER;
    double outside = edge == EDGE_NUMBER ? luaL_optnumber(L, 4, 0) : 0;
    const Split split = split_at(&self->shape, axis);
    Numbers *result;

    luaL_argcheck(L, distance > -G_MAXINT32 && distance < G_MAXINT32, 3,
                  "too far away");
    result = numbers_push(L, self->format, &self->shape, self->has_data);
    numbers_round(self->format, &outside, 1);
    for (uint64_t row = 0; self->has_data && row < split.before * split.length; row++) {
        const int64_t place = (int64_t) (row % split.length);
        const int64_t from =
            place_inside(place + distance, (int64_t) split.length, edge);
        double *to = result->data + row * split.after;

        if (from >= 0) {
            memcpy(to,
                   self->data + ((int64_t) row - place + from) * (int64_t) split.after,
                   split.after * sizeof *to);
        }
        for (uint64_t i = 0; from < 0 && i < split.after; i++) {
            to[i] = outside;
        }
    }
    return 1;
}

/* The list at `index`: a place on each axis, from 0 on, where `lengths` fit. */
static uint64_t
check_place(lua_State *L, int index, const Numbers *self, const uint64_t *lengths)
{
    uint64_t steps[NUMBERS_AXES] = {0};
    uint64_t at = 0;

    luaL_argcheck(
        L, lua_istable(L, index) && lua_rawlen(L, index) == self->shape.axis_count,
        index, "a list with a place on each axis, from 0 on");
    numbers_steps(&self->shape, steps);
    for (guint i = 0; i < self->shape.axis_count; i++) {
        lua_rawgeti(L, index, i + 1);
        const lua_Integer place = numbers_pop_whole(L);

        luaL_argcheck(L,
                      place >= 0 && (uint64_t) place <= self->shape.lengths[i] &&
                          lengths[i] <= self->shape.lengths[i] - (uint64_t) place,
                      index, "outside the array");
        at += (uint64_t) place * steps[i];
    }
    return at;
}

/* a:part(first, lengths): a new array with a box of this one. */
static int part(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);
    const NumbersShape shape = numbers_check_shape(L, 3);
    NumbersSource source = {.data = self->data};

    luaL_argcheck(L, shape.axis_count == self->shape.axis_count, 3,
                  "as many lengths as axes");
    source.at = check_place(L, 2, self, shape.lengths);
    numbers_steps(&self->shape, source.steps);
    return push_copy(L, self, &shape, &source);
}

/* a:put(first, other): copies an array into a box of this one. */
static int put(lua_State *L)
{
    Numbers *self = numbers_check(L, 1);
    const Numbers *other = numbers_check(L, 3);
    const NumbersShape *shape = &other->shape;
    uint64_t steps[NUMBERS_AXES] = {0};
    uint64_t own[NUMBERS_AXES] = {0};

    luaL_argcheck(L, shape->axis_count == self->shape.axis_count, 3,
                  "as many axes as the array");
    luaL_argcheck(L, other->format == self->format, 3, "of another format");
    const uint64_t first = check_place(L, 2, self, shape->lengths);

    numbers_steps(shape, steps);
    numbers_steps(&self->shape, own);
    const guint count = shape->axis_count;
    const uint64_t length = count > 0 ? shape->lengths[count - 1] : 1;

    for (uint64_t done = 0; self->has_data && other->has_data && done < shape->count;
         done += length) {
        uint64_t at = first;

        for (guint i = 0; i + 1 < count; i++) {
            at += done / steps[i] % shape->lengths[i] * own[i];
        }
        memmove(self->data + at, other->data + done, length * sizeof(double));
    }
    return 0;
}

/* a:permuted(axes): axis i of the new array is axis axes[i] of this one. */
static int permuted(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);
    const guint count = self->shape.axis_count;
    NumbersShape shape = self->shape;
    NumbersSource source = {.data = self->data};
    uint64_t steps[NUMBERS_AXES] = {0};
    guint seen = 0;

    luaL_argcheck(L, lua_istable(L, 2) && lua_rawlen(L, 2) == count, 2,
                  "a list with each axis once, counted from 1");
    numbers_steps(&self->shape, steps);
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        const lua_Integer axis = lua_tointeger(L, -1);

        lua_pop(L, 1);
        luaL_argcheck(L, axis >= 1 && axis <= count && (seen >> axis & 1) == 0, 2,
                      "each axis once, counted from 1");
        seen |= 1U << axis;
        shape.lengths[i] = self->shape.lengths[axis - 1];
        source.steps[i] = steps[axis - 1];
    }
    return push_copy(L, self, &shape, &source);
}

/* a:reshaped(shape): the same numbers in the same order. */
static int reshaped(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);
    const NumbersShape shape = numbers_check_shape(L, 2);

    luaL_argcheck(L, shape.count == self->shape.count, 2,
                  "not as many numbers as the array has");
    Numbers *result = numbers_push(L, self->format, &shape, self->has_data);

    if (self->has_data) {
        memcpy(result->data, self->data, shape.count * sizeof(double));
    }
    return 1;
}

static const uint64_t one_each[NUMBERS_AXES] = {1, 1, 1, 1, 1, 1, 1, 1};

/* a:get(place) */
static int get(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);
    const uint64_t at = check_place(L, 2, self, one_each);

    lua_pushnumber(L, self->has_data ? self->data[at] : 0);
    return 1;
}

/* a:set(place, x) */
static int set(lua_State *L)
{
    Numbers *self = numbers_check(L, 1);
    const uint64_t at = check_place(L, 2, self, one_each);
    const double number = luaL_checknumber(L, 3);

    if (self->has_data) {
        self->data[at] = number;
        numbers_round(self->format, self->data + at, 1);
    }
    return 0;
}

const ApiCall numbers_place_methods[] = {
    {"get", get, "(place: integer[]): number"},
    {"set", set, "(place: integer[], x: number)"},
    {"neighbour", neighbour,
     "(axis: integer, distance: integer, outside?: number|\"wrap\"|\"nearest\"): "
     "gl.Numbers"},
    {"part", part, "(first: integer[], lengths: integer[]): gl.Numbers"},
    {"put", put, "(first: integer[], other: gl.Numbers)"},
    {"permuted", permuted, "(axes: integer[]): gl.Numbers"},
    {"reshaped", reshaped, "(shape: integer[]): gl.Numbers"},
    {0},
};
