/* Arrays of numbers in host memory, read and written many at a time: what
 * number_format.h does to each, in loops that compilers turn into vector code. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "workloads/buffer/number_format.h"

/* Reads `count` numbers from number `first` on. */
void number_array_get(
    NumberFormat format, double *to, const guint8 *from, uint64_t first, gsize count);
void number_array_get_floats(
    NumberFormat format, float *to, const guint8 *from, uint64_t first, gsize count);

/* Writes `count` numbers from number `first` on, rounded to nearest, ties to even. */
void number_array_put(
    NumberFormat format, guint8 *to, uint64_t first, const double *from, gsize count);
void number_array_put_floats(
    NumberFormat format, guint8 *to, uint64_t first, const float *from, gsize count);
