/* References: the acoustic wave equation by finite differences, 8th order in space and
 * 2nd in time, zero outside the grid. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

/* A wave on a grid whose cell (x, y, z) is number (y * columns + x) * layers + z. */
typedef struct {
    double factor;          /* (dt V / h)^2 */
    const float *factors;   /* NULL; or by which it is multiplied in each cell */
    bool has_idle_corners;  /* columns of cells in the corners are 0 */
    const char *directions; /* in which values travel: some of e, w, s, n; neighbours on
                               the other sides count as 0 */
    const double *samples;  /* added to the source after each of the first steps */
    guint sample_count;
    guint source_x;
    guint source_y;
    guint source_z;
    guint columns;
    guint rows;
    guint layers;
    guint steps;
} ReferenceWave;

gsize reference_wave_count(const ReferenceWave *self); /* cells */

/* Steps two successive levels, which are overwritten, `now` from the second step on,
 * and returns the one that became the last level. A step is now' = Q now - before,
 * where Q is 2 plus the Laplacian. Idle corners must be 0 in both levels.
 *
 * In single precision, terms are added in the order of PEs that broadcast along rows
 * and columns: east, west, south, north; in each direction, senders whose position
 * along it is 0 modulo 5 come first, then 1, ..., 4. The centre is added with the first
 * direction. Then z upwards, fused. With factors the sum is multiplied by them, and
 * twice the centre is added, fused. Without corners, positions along their rows and
 * columns begin beside them. */
float *reference_wave_single(const ReferenceWave *self, float *now, float *before);

/* In double precision: the centre, then distances 1 to 4. */
double *reference_wave_double(const ReferenceWave *self, double *now, double *before);

/* One such step from and to numbers in fp32: the next level takes the place of
 * `before`, rounded in the end. Returns its largest magnitude before that. */
double reference_wave_step(const ReferenceWave *self, const float *now, float *before);

/* What double precision says of single precision. */
typedef struct {
    double largest; /* magnitude, in double precision */
    double error; /* largest difference, of numbers in fp32; infinite if one is none */
} ReferenceBoth;

/* One step in single precision to another level, beside the same in double precision.
 */
ReferenceBoth reference_wave_both(const ReferenceWave *self,
                                  const float *now,
                                  const float *before,
                                  float *to);

/* buffer:wave{ before =, columns =, rows =, layers =, steps =, factor =, directions =,
 * arithmetic = "single", "double" or "both", source = { x =, y =, z =, samples = } or
 * nil, factors = buffer or nil, has_idle_corners = true or nil }: a new buffer in fp32
 * with the last level, and its largest magnitude. Both, of one step: the level in
 * single precision, the largest magnitude in double precision, and how far they are
 * apart. */
int reference_wave(lua_State *L);
