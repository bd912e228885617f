/* NumPy's files with one array: the bytes before the numbers.
 *
 * Files hold numbers in little-endian byte order, the last index running fastest ("C
 * order"). Everything else is refused: big-endian numbers, Fortran order, complex
 * numbers, texts, records, Python objects. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

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
