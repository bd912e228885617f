/* References: dot products of columns of numbers, as PEs of a wafer add them. */
#pragma once

#include <glib.h>
#include <lua.h>

/* The sum of products from the first on, each rounded once with its product: to single
 * precision; to half precision, which all numbers are. */
float reference_column_dot_single(const double *a, const double *b, guint count);
double reference_column_dot_half(const double *a, const double *b, guint count);

/* buffer:column_dots(format, other, count, sums): of every `count` numbers, "fp32" or
 * "fp16", the sum of products with the other buffer's, rounded to `sums`, which is
 * "fp32", or "fp16" where the numbers are. A new buffer in fp32. */
int reference_column_dots(lua_State *L);
