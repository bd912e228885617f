/* References of weather kernels: their grid, its numbers, and the rounding. Points
 * within BORDER of a side along x and y keep their values. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"
#include "workloads/reference/rounding.h"

enum {
    REFERENCE_DOMAIN_BORDER = 2,
};

typedef struct {
    guint columns; /* along x */
    guint rows;
    guint layers;
    bool is_by_column; /* number (x, y, z) is (y * columns + x) * layers + z, else
                        * (z * rows + y) * columns + x */
    NumberFormat format;
    Rounding rounding; /* of every operation and constant */
} ReferenceDomain;

/* The fields columns, rows, layers, format = "fp32", "fp16", "bf16" or "double" (of
 * which the numbers are stored as fp32), and order = "planes" (unless said) or
 * "columns" of the table at `index`; or raises. */
ReferenceDomain reference_domain_check(lua_State *L, int index);

/* Raises unless `bytes` holds all numbers. `name` is for the message. */
void reference_domain_check_bytes(const ReferenceDomain *self,
                                  lua_State *L,
                                  const HostBytes *bytes,
                                  const char *name);

gsize reference_domain_index(const ReferenceDomain *self, guint x, guint y, guint z);
bool reference_domain_is_interior(const ReferenceDomain *self, guint x, guint y);

/* Copy a plane, row by row, or a column of numbers. */
void reference_domain_get_plane(const ReferenceDomain *self,
                                const HostBytes *from,
                                guint z,
                                double *to);
void reference_domain_put_plane(const ReferenceDomain *self,
                                const double *from,
                                guint z,
                                HostBytes *to);
void reference_domain_get_column(
    const ReferenceDomain *self, const HostBytes *from, guint x, guint y, double *to);
