/* The numbers of NumPy's files, and those of host memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "workloads/buffer/number_format.h"
#include "workloads/npy/npy.h"

/* The format of host memory that holds the type's numbers; float64 and int64 have
 * none: the nearest, fp32 and int32. */
NumberFormat npy_format(NpyType type);

/* The type that holds a format's numbers. bf16, which NumPy lacks, is float32, or, as
 * its bits, uint16. */
NpyType npy_type(NumberFormat format, bool is_bits);

/* Can numbers of the type become numbers of the format? All but floats as integers. */
bool npy_fits(NpyType type, NumberFormat format);

/* Some of a file's numbers, as bytes. */
typedef struct {
    const guint8 *bytes;
    uint64_t first; /* counted in the whole array */
    uint64_t count;
} NpyPart;

/* Puts numbers of a file into host memory, `to`, which has all of them. Floats are
 * rounded to nearest, ties to even; uint16 becomes a float as the bits of a bf16. Fails
 * with WL_ERROR_KEY on a NaN, on what is infinite in the file or in the format, and on
 * an integer that the format lacks. */
bool npy_take(const NpyArray *self,
              NpyPart part,
              NumberFormat format,
              guint8 *to,
              GError **error);

/* Puts `count` numbers of host memory into a file's bytes, `to`; exact. */
void npy_give(
    NumberFormat format, const guint8 *from, uint64_t count, NpyType type, guint8 *to);
