/* Arrays of numbers with arithmetic, as a Lua type: a + 2 * b, a:neighbour(1, -1),
 * a:sum(). What millions of cells should be is worked out without a loop in Lua.
 *
 * Numbers lie in memory as doubles. Each operation rounds its results to the array's
 * format: to nearest, ties to even. The last index runs fastest. In timing-only runs
 * arrays have shapes and no data; numbers then read as 0. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "workloads/buffer/number_format.h"
#include "workloads/sandbox/api.h"

enum {
    NUMBERS_AXES = 8,
    NUMBERS_DOUBLE = NUMBER_UINT16 + 1, /* a format beside those of number_format.h */
    NUMBERS_SOURCES = 3,
};

typedef struct {
    guint axis_count;
    uint64_t lengths[NUMBERS_AXES];
    uint64_t count; /* the product of the lengths */
} NumbersShape;

typedef struct {
    int format; /* a NumberFormat, or NUMBERS_DOUBLE */
    bool has_data;
    NumbersShape shape;
    double data[];
} Numbers;

/* Where one operand's numbers come from: `at` for the first number of the result,
 * `steps` further along each axis of the result. */
typedef struct {
    const double *data;
    uint64_t at;
    uint64_t steps[NUMBERS_AXES];
} NumbersSource;

typedef double (*NumbersFunction)(double x, double y, double z);

/* The format's name. */
const char *numbers_format_name(int format);

/* "(3, 4)". The caller frees it. */
char *numbers_shape_text(const NumbersShape *shape);

/* Pops a whole number, 4.0 (of 8 / 2) as well as 4; -1 if it is none. */
lua_Integer numbers_pop_whole(lua_State *L);

/* The argument at `index`, or raises: a format, a list of lengths, an axis from 1 on.
 */
int numbers_check_format(lua_State *L, int index);
NumbersShape numbers_check_shape(lua_State *L, int index);
guint numbers_check_axis(lua_State *L, int index, const Numbers *self);

/* The array at `index`; raises, or is NULL, if there is none. */
Numbers *numbers_check(lua_State *L, int index);
Numbers *numbers_test(lua_State *L, int index);

/* Pushes an array, its numbers not set, or raises. Lua owns the memory. */
Numbers *
numbers_push(lua_State *L, int format, const NumbersShape *shape, bool has_data);

/* How many numbers lie between neighbours along each axis. */
void numbers_steps(const NumbersShape *shape, uint64_t *steps);

/* The numbers that the format has nearest to these. */
void numbers_round(int format, double *numbers, uint64_t count);

/* Fills an array, row after row, with what the function makes of three sources. */
void numbers_walk(Numbers *to,
                  const NumbersSource sources[NUMBERS_SOURCES],
                  NumbersFunction function);

/* buffer:numbers(format [, shape]): what host memory holds, as an array. */
int numbers_of_buffer(lua_State *L);

/* host.numbers(format, shape [, number or list]) and host.indices(format, shape, axis),
 * with or without data. */
int numbers_make(lua_State *L, bool has_data);
int numbers_make_indices(lua_State *L, bool has_data);

void numbers_register(lua_State *L);

/* Methods, each table ended by a row without a name: cell by cell, with the operators
 * of the type; by place; over all numbers or along an axis. */
extern const ApiCall numbers_cell_methods[];
extern const ApiCall numbers_operators[];
extern const ApiCall numbers_place_methods[];
extern const ApiCall numbers_sum_methods[];

extern const ApiClass numbers_api;
