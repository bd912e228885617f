/* Files of NumPy on disk. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/buffer/npy_numbers.h"

/* What the file holds: all of it is looked at but the numbers. Fails with WL_ERROR_KEY;
 * the message begins with the path. */
bool npy_file_look(const char *path, NpyArray *array, GError **error);

/* Reads the numbers of a file that was looked at into host memory, as npy_take() does.
 * Gives the SHA-256 of the whole file, which the caller frees. Fails with WL_ERROR_KEY,
 * also if the file has changed since. */
bool npy_file_load(const char *path,
                   const NpyArray *array,
                   NumberFormat format,
                   guint8 *to,
                   char **digest,
                   GError **error);

/* The bytes of a file with these numbers, of type `array->type`. */
GBytes *npy_file_bytes(const NpyArray *array, NumberFormat format, const guint8 *from);
