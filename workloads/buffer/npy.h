/* NumPy's files with one array: the bytes before the numbers, and the numbers.
 *
 * Files hold numbers in little-endian byte order, the last index running fastest ("C
 * order"). Everything else is refused: big-endian numbers, Fortran order, complex
 * numbers, texts, records, Python objects. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "workloads/buffer/number_format.h"

typedef enum {
    NPY_FLOAT16,
    NPY_FLOAT32,
    NPY_FLOAT64,
    NPY_INT32,
    NPY_INT64,
    NPY_UINT16,
    NPY_UINT32,
} NpyType;

enum {
    NPY_DIMENSIONS = 32,                /* of an array, at most */
    NPY_HEADER_BYTES = 12 + G_MAXUINT16 /* of a header that is read, at most */
};

typedef struct {
    NpyType type;
    guint dimension_count; /* 0: a single number */
    uint64_t shape[NPY_DIMENSIONS];
    uint64_t count; /* the product of the shape */
} NpyArray;

gsize npy_type_bytes(NpyType type);

/* As NumPy says: "float32". */
const char *npy_type_name(NpyType type);

/* The shape as NumPy writes it: "(3, 4)". The caller frees it. */
char *npy_shape_text(const uint64_t *shape, guint dimension_count);

/* Does the array have this shape? */
bool npy_has_shape(const NpyArray *self, const uint64_t *shape, guint dimension_count);

/* Reads the first `count` bytes of a file of `file_bytes`: NPY_HEADER_BYTES of them, or
 * all. Gives the place of the first number in `offset`. The numbers fill the rest of
 * the file exactly. Fails with WL_ERROR_KEY and says why. */
bool npy_read(NpyArray *self,
              const guint8 *bytes,
              gsize count,
              uint64_t file_bytes,
              uint64_t *offset,
              GError **error);

/* Appends the bytes before the numbers, a multiple of 64. `count` is not looked at. */
void npy_write(const NpyArray *self, GByteArray *bytes);

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
