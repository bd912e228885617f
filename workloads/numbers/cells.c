/* Cell by cell: what operators and functions make of arrays and single numbers.
 * Sums, products, quotients and roots of two formats' numbers are right to the last
 * place: a double has more than twice the bits of each format. */
#include <math.h>

#include <lauxlib.h>

#include "workloads/numbers/numbers.h"

/* One operand of a call: an array or a number. */
typedef struct {
    const Numbers *array; /* NULL: the number */
    double number;
} Operand;

static Operand check_operand(lua_State *L, int index)
{
    Operand operand = {.array = numbers_test(L, index)};

    if (operand.array == NULL) {
        luaL_argexpected(L, lua_isnumber(L, index), index, "array or number");
        operand.number = lua_tonumber(L, index);
    }
    return operand;
}

/* Raises with two shapes that do not go together. */
static void refuse_shapes(lua_State *L, const NumbersShape *a, const NumbersShape *b)
{
    char *one = numbers_shape_text(a);
    char *other = numbers_shape_text(b);

    lua_pushfstring(L,
                    "arrays of shapes %s and %s: axes, the last ones first, are as "
                    "long as each other or 1",
                    one, other);
    g_free(one);
    g_free(other);
    luaL_error(L, "%s", lua_tostring(L, -1));
}

/* Widens a shape so that `other` goes with it. */
static void join_shapes(lua_State *L, NumbersShape *shape, const NumbersShape *other)
{
    NumbersShape joined = {.axis_count = MAX(shape->axis_count, other->axis_count),
                           .count = 1};

    for (guint i = 0; i < joined.axis_count; i++) {
        const guint at = joined.axis_count - 1 - i;
        const uint64_t a =
            i < shape->axis_count ? shape->lengths[shape->axis_count - 1 - i] : 1;
        const uint64_t b =
            i < other->axis_count ? other->lengths[other->axis_count - 1 - i] : 1;

        if (a != b && a != 1 && b != 1) {
            refuse_shapes(L, shape, other);
        }
        joined.lengths[at] = a == 1 ? b : a;
        joined.count *= joined.lengths[at];
    }
    if (joined.count > G_MAXINT32) {
        luaL_error(L, "the array is too large");
    }
    *shape = joined;
}

static NumbersSource source_of(const Operand *operand, const NumbersShape *shape)
{
    NumbersSource source = {.data = &operand->number};

    if (operand->array != NULL) {
        uint64_t steps[NUMBERS_AXES] = {0};
        const NumbersShape *own = &operand->array->shape;
        const guint first = shape->axis_count - own->axis_count;

        source.data = operand->array->data;
        numbers_steps(own, steps);
        for (guint i = 0; i < own->axis_count; i++) {
            source.steps[first + i] = own->lengths[i] == 1 ? 0 : steps[i];
        }
    }
    return source;
}

/* Pushes what the function makes of `count` arguments, of which one is an array. */
static int apply(lua_State *L, int count, NumbersFunction function)
{
    Operand operands[NUMBERS_SOURCES] = {{0}};
    NumbersSource sources[NUMBERS_SOURCES];
    NumbersShape shape = {.count = 1};
    const Numbers *first = NULL;
    bool has_data = true;

    for (int i = 0; i < count; i++) {
        operands[i] = check_operand(L, i + 1);
        const Numbers *array = operands[i].array;

        if (array == NULL) {
            continue;
        }
        if (first != NULL && array->format != first->format) {
            luaL_error(L, "arrays of formats %s and %s: round one with a:as(format)",
                       numbers_format_name(first->format),
                       numbers_format_name(array->format));
        }
        first = first != NULL ? first : array;
        has_data = has_data && array->has_data;
        join_shapes(L, &shape, &array->shape);
    }
    if (first == NULL) {
        return luaL_error(L, "no array among the operands");
    }
    Numbers *result = numbers_push(L, first->format, &shape, has_data);

    for (int i = 0; i < NUMBERS_SOURCES; i++) {
        numbers_round(first->format, &operands[i].number, 1);
        sources[i] = source_of(&operands[i], &shape);
    }
    if (has_data) {
        numbers_walk(result, sources, function);
    }
    return 1;
}

/* Row after row of the last axis; axes before it turn like a counter. */
void numbers_walk(Numbers *to,
                  const NumbersSource sources[NUMBERS_SOURCES],
                  NumbersFunction function)
{
    const guint axis_count = to->shape.axis_count;
    const guint last = axis_count > 0 ? axis_count - 1 : 0;
    const uint64_t length = axis_count > 0 ? to->shape.lengths[last] : 1;
    const uint64_t x_step = sources[0].steps[last];
    const uint64_t y_step = sources[1].steps[last];
    const uint64_t z_step = sources[2].steps[last];
    uint64_t index[NUMBERS_AXES] = {0};
    uint64_t at[NUMBERS_SOURCES] = {sources[0].at, sources[1].at, sources[2].at};

    for (uint64_t done = 0; done < to->shape.count; done += length) {
        double *row = to->data + done;
        const double *x = sources[0].data + at[0];
        const double *y = sources[1].data + at[1];
        const double *z = sources[2].data + at[2];

        for (uint64_t i = 0; i < length; i++) {
            row[i] = function(x[i * x_step], y[i * y_step], z[i * z_step]);
        }
        numbers_round(to->format, row, length);
        for (guint axis = last; axis > 0; axis--) {
            const bool is_over = ++index[axis - 1] == to->shape.lengths[axis - 1];

            for (guint i = 0; i < NUMBERS_SOURCES; i++) {
                at[i] += sources[i].steps[axis - 1];
                at[i] -= is_over ? sources[i].steps[axis - 1] * index[axis - 1] : 0;
            }
            if (!is_over) {
                break;
            }
            index[axis - 1] = 0;
        }
    }
}

/* x y + z as if with all bits, for formats of at most 24: the product is exact, and a
 * sum that is not gets an odd last bit, so that the next rounding is the only one. */
static double odd_sum(double x, double y, double z)
{
    const double product = x * y;
    const double sum = product + z;
    const double back = sum - product;
    const double rest = (product - (sum - back)) + (z - back);
    uint64_t bits = 0;
    double odd = sum;

    memcpy(&bits, &sum, sizeof bits);
    if (isfinite(sum) && rest != 0 && (bits & 1) == 0) {
        bits = (rest > 0) == (sum > 0) ? bits + 1 : bits - 1;
        memcpy(&odd, &bits, sizeof odd);
    }
    return odd;
}

static double once(double x, double y, double z)
{
    return fma(x, y, z);
}

/* a:fma(b, c) */
static int fused(lua_State *L)
{
    const Numbers *self = numbers_check(L, 1);

    return apply(L, 3, self->format == NUMBERS_DOUBLE ? once : odd_sum);
}

static double choice(double x, double y, double z)
{
    return x != 0 ? y : z;
}

static int choose(lua_State *L)
{
    (void) numbers_check(L, 1);
    return apply(L, 3, choice);
}

/* Lua's: with the sign of y. */
static double remainder_of(double x, double y)
{
    const double rest = fmod(x, y);

    return rest * y < 0 ? rest + y : rest;
}

/* Defines a call with `count` operands, x, y and z, and what it makes of them. */
#define CELLS(name, count, value)                                                      \
    static double name##_cell(double x, double y, double z)                            \
    {                                                                                  \
        (void) x;                                                                      \
        (void) y;                                                                      \
        (void) z;                                                                      \
        return value;                                                                  \
    }                                                                                  \
    static int name(lua_State *L)                                                      \
    {                                                                                  \
        return apply(L, count, name##_cell);                                           \
    }

CELLS(add, 2, x + y)
CELLS(subtract, 2, x - y)
CELLS(multiply, 2, (x * y))
CELLS(divide, 2, x / y)
CELLS(power, 2, y == 2 ? x * x : pow(x, y)) /* as Lua does */
CELLS(modulo, 2, remainder_of(x, y))
CELLS(negate, 1, -x)
CELLS(absolute, 1, fabs(x))
CELLS(root, 1, sqrt(x))
CELLS(exponential, 1, exp(x))
CELLS(logarithm, 1, log(x))
CELLS(sine, 1, sin(x))
CELLS(cosine, 1, cos(x))
CELLS(round_down, 1, floor(x))
/* A NaN stays one. */
CELLS(least, 2, x < y || isnan(x) ? x : y)
CELLS(greatest, 2, x > y || isnan(x) ? x : y)
CELLS(less, 2, x < y ? 1 : 0)
CELLS(at_most, 2, x <= y ? 1 : 0)
CELLS(equal, 2, x == y ? 1 : 0)

const ApiCall numbers_operators[] = {
    {"__add", add, NULL},      {"__sub", subtract, NULL},
    {"__mul", multiply, NULL}, {"__div", divide, NULL},
    {"__pow", power, NULL},    {"__mod", modulo, NULL},
    {"__unm", negate, NULL},   {0},
};

const ApiCall numbers_cell_methods[] = {
    {"abs", absolute, "(): gl.Numbers"},
    {"sqrt", root, "(): gl.Numbers"},
    {"exp", exponential, "(): gl.Numbers"},
    {"log", logarithm, "(): gl.Numbers"},
    {"sin", sine, "(): gl.Numbers"},
    {"cos", cosine, "(): gl.Numbers"},
    {"floor", round_down, "(): gl.Numbers"},
    {"fma", fused, "(factor: gl.Numbers|number, term: gl.Numbers|number): gl.Numbers"},
    {"least", least, "(other: gl.Numbers|number): gl.Numbers"},
    {"greatest", greatest, "(other: gl.Numbers|number): gl.Numbers"},
    {"less", less, "(other: gl.Numbers|number): gl.Numbers"},
    {"at_most", at_most, "(other: gl.Numbers|number): gl.Numbers"},
    {"equal", equal, "(other: gl.Numbers|number): gl.Numbers"},
    {"choose", choose, "(yes: gl.Numbers|number, no: gl.Numbers|number): gl.Numbers"},
    {0},
};
