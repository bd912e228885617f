/* Numbers that stand for many: in index order, one after the other. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "workloads/numbers/numbers.h"

typedef double (*Merge)(double so_far, double next);

static double add(double so_far, double next)
{
    return so_far + next;
}

/* A NaN stays one. */
static double larger(double so_far, double next)
{
    return so_far >= next || isnan(so_far) ? so_far : next;
}

static double smaller(double so_far, double next)
{
    return so_far <= next || isnan(so_far) ? so_far : next;
}

/* Merges `length` rows of `width` numbers; rounds after each step, or never. */
static void merge_rows(double *to,
                       const double *from,
                       uint64_t length,
                       uint64_t width,
                       Merge merge,
                       int format)
{
    memcpy(to, from, width * sizeof *to);
    for (uint64_t row = 1; row < length; row++) {
        for (uint64_t i = 0; i < width; i++) {
            to[i] = merge(to[i], from[row * width + i]);
        }
        numbers_round(format, to, width);
    }
}

/* Pushes one number for all, or, with an axis at 2, an array without that axis. */
static int merge_all(lua_State *L, Merge merge, bool is_rounded)
{
    const Numbers *self = numbers_check(L, 1);
    const int steps = is_rounded ? self->format : NUMBERS_DOUBLE;
    NumbersShape shape = {.count = 1};
    double total = 0;

    if (lua_isnoneornil(L, 2)) {
        luaL_argcheck(L, self->shape.count > 0 || merge == add, 1, "no numbers");
        if (self->has_data && self->shape.count > 0) {
            merge_rows(&total, self->data, self->shape.count, 1, merge, steps);
        }
        lua_pushnumber(L, total);
        return 1;
    }
    const guint axis = numbers_check_axis(L, 2, self);
    const uint64_t length = self->shape.lengths[axis];
    uint64_t width = 1;

    luaL_argcheck(L, length > 0, 2, "no numbers");
    for (guint i = 0; i < self->shape.axis_count; i++) {
        if (i != axis) {
            shape.lengths[shape.axis_count++] = self->shape.lengths[i];
            shape.count *= self->shape.lengths[i];
        }
        width *= i > axis ? self->shape.lengths[i] : 1;
    }
    Numbers *result = numbers_push(L, self->format, &shape, self->has_data);

    for (uint64_t done = 0; self->has_data && done < shape.count; done += width) {
        merge_rows(result->data + done, self->data + done * length, length, width,
                   merge, steps);
        numbers_round(self->format, result->data + done, width);
    }
    return 1;
}

static int sum(lua_State *L)
{
    return merge_all(L, add, false);
}

static int rounded_sum(lua_State *L)
{
    return merge_all(L, add, true);
}

static int max(lua_State *L)
{
    return merge_all(L, larger, false);
}

static int min(lua_State *L)
{
    return merge_all(L, smaller, false);
}

static double sum_of_products(const Numbers *a, const Numbers *b)
{
    double total = 0;

    for (uint64_t i = 0; a->has_data && b->has_data && i < a->shape.count; i++) {
        total += a->data[i] * b->data[i];
    }
    return total;
}

/* a:dot(b): in double precision. */
static int dot(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);
    const Numbers *other = numbers_check(L, 2);

    luaL_argcheck(L, self->shape.count == other->shape.count, 2,
                  "not as many numbers as the array has");
    lua_pushnumber(L, sum_of_products(self, other));
    return 1;
}

/* a:norm(): the root of the sum of squares, in double precision. */
static int norm(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);

    lua_pushnumber(L, sqrt(sum_of_products(self, self)));
    return 1;
}

const ApiCall numbers_sum_methods[] = {
    {"sum", sum, "(axis?: integer): number|gl.Numbers"},
    {"rounded_sum", rounded_sum, "(axis?: integer): number|gl.Numbers"},
    {"max", max, "(axis?: integer): number|gl.Numbers"},
    {"min", min, "(axis?: integer): number|gl.Numbers"},
    {"dot", dot, "(other: gl.Numbers): number"},
    {"norm", norm, "(): number"},
    {0},
};
