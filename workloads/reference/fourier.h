/* References: discrete Fourier transforms in double precision. */
#pragma once

#include <complex.h>

#include <glib.h>
#include <lua.h>

/* Transforms `count` numbers, a power of two, in place: X[k] is the sum of
 * x[j] exp(-2 pi i j k / count). */
void reference_fourier_line(double complex *numbers, gsize count);

/* buffer:fourier(shape): the buffer has complex numbers, real and imaginary parts in
 * turn, in fp32. Transforms along all axes of an array of them, the last of which runs
 * fastest. Lengths are powers of two. Returns a new buffer, rounded at the end. */
int reference_fourier(lua_State *L);
