/* References: dot products of columns of numbers, as the PEs of a wafer add them. */
#pragma once

#include <glib.h>
#include <lua.h>

/* The sum of products, added from the first on and rounded once per product: to single
 * precision; or to half precision, the format of all numbers. */
float reference_column_dot_single(const double *a, const double *b, guint count);
double reference_column_dot_half(const double *a, const double *b, guint count);

/* buffer:column_dots(format, other, count, sums): for every `count` numbers, "fp32" or
 * "fp16", the sum of products with the other buffer's, rounded to `sums`: "fp32", or
 * "fp16" if the numbers are. Returns a new buffer in fp32. */
int reference_column_dots(lua_State *L);
