/* Makes V-cycles, cell by cell, on vectors that hold doubles with rounded values. */
#include "workloads/reference/multigrid.h"

#include <math.h>
#include <string.h>

static const double diagonal = 6;
static const double half = 0.5;
static const double restriction = 1.0 / 16; /* 4 times the product of 1/4 of 3 axes */

typedef struct {
    const ReferenceMultigrid *problem;
    guint columns;
    guint rows;
    guint layers;
    double *u;
    double *f;
    double *r;
} Level;

gsize reference_multigrid_count(const ReferenceMultigrid *self)
{
    return (gsize) self->columns * self->rows * self->layers;
}

static double rounded(const Level *self, double value)
{
    return rounding_of(self->problem->rounding, value);
}

/* sum + a * b */
static double fused(const Level *self, double sum, double a, double b)
{
    if (!self->problem->is_fused) {
        return rounded(self, sum + rounded(self, a * b));
    }
    return self->problem->rounding == ROUNDING_SINGLE
               ? (double) fmaf((float) a, (float) b, (float) sum)
               : rounded(self, fma(a, b, sum));
}

static gsize place(const Level *self, gint64 x, gint64 y, gint64 z)
{
    return (((gsize) y * self->columns) + (gsize) x) * self->layers + (gsize) z;
}

/* A number of a vector; 0 beyond the grid. */
static double at(const Level *self, const double *v, gint64 x, gint64 y, gint64 z)
{
    const bool is_inside = x >= 0 && y >= 0 && z >= 0 && x < self->columns &&
                           y < self->rows && z < self->layers;

    return is_inside ? v[place(self, x, y, z)] : 0;
}

typedef void (*CellFunc)(const Level *self, gint64 x, gint64 y, gint64 z, double data);

static void for_each_cell(const Level *self, CellFunc func, double data)
{
    for (guint y = 0; y < self->rows; y++) {
        for (guint x = 0; x < self->columns; x++) {
            for (guint z = 0; z < self->layers; z++) {
                func(self, x, y, z, data);
            }
        }
    }
}

/* `sum` and the four neighbours in x and y, added in order. */
static double with_sides(const Level *self, double sum, gint64 x, gint64 y, gint64 z)
{
    const double sides[] = {
        at(self, self->u, x - 1, y, z), at(self, self->u, x + 1, y, z),
        at(self, self->u, x, y - 1, z), at(self, self->u, x, y + 1, z)};

    for (guint i = 0; i < G_N_ELEMENTS(sides); i++) {
        sum = rounded(self, sum + sides[i]);
    }
    return sum;
}

/* f and the neighbours in z. */
static double in_column(const Level *self, gint64 x, gint64 y, gint64 z)
{
    const double sum =
        rounded(self, at(self, self->f, x, y, z) + at(self, self->u, x, y, z - 1));

    return rounded(self, sum + at(self, self->u, x, y, z + 1));
}

static void residual(const Level *self, gint64 x, gint64 y, gint64 z, double unused)
{
    const double own =
        fused(self, in_column(self, x, y, z), at(self, self->u, x, y, z), -diagonal);

    (void) unused;
    self->r[place(self, x, y, z)] = with_sides(self, own, x, y, z);
}

static void correct(const Level *self, gint64 x, gint64 y, gint64 z, double weight)
{
    const gsize i = place(self, x, y, z);

    self->u[i] = fused(self, self->u[i], self->r[i], weight);
}

/* The first sweep from 0. */
static void begin(const Level *self, gint64 x, gint64 y, gint64 z, double weight)
{
    const gsize i = place(self, x, y, z);

    self->u[i] = rounded(self, self->f[i] * weight);
}

/* Solves for cells of a color, 0 or 1. */
static void relax(const Level *self, gint64 x, gint64 y, gint64 z, double color)
{
    if ((x + y + z) % 2 == (gint64) color) {
        const double sum = with_sides(self, in_column(self, x, y, z), x, y, z);

        self->u[place(self, x, y, z)] =
            rounded(self, sum * rounded(self, 1 / diagonal));
    }
}

static void sweep_all(const Level *self, const ReferenceSweeps *sweeps, bool is_zero)
{
    for (guint i = 0; i < sweeps->count; i++) {
        const double weight = rounded(self, sweeps->weights[i]);

        if (is_zero && i == 0) {
            for_each_cell(self, begin, weight);
        } else {
            for_each_cell(self, residual, 0);
            for_each_cell(self, correct, weight);
        }
    }
}

/* The color that is last before the coarser levels is first after them. */
static void sweep_colors(const Level *self, const ReferenceSweeps *sweeps, guint first)
{
    for (guint i = 0; i < sweeps->count; i++) {
        for_each_cell(self, relax, first);
        for_each_cell(self, relax, 1 - (double) first);
    }
}

/* r along z, about (x, y, z), in weights of 1, 2 and 1. */
static double along_z(const Level *self, gint64 x, gint64 y, gint64 z)
{
    const double ends =
        rounded(self, at(self, self->r, x, y, z - 1) + at(self, self->r, x, y, z + 1));

    return fused(self, ends, at(self, self->r, x, y, z), 2);
}

static double along_x(const Level *self, gint64 x, gint64 y, gint64 z)
{
    const double ends =
        rounded(self, along_z(self, x - 1, y, z) + along_z(self, x + 1, y, z));

    return fused(self, ends, along_z(self, x, y, z), 2);
}

static void take_residual(const Level *self, const Level *coarse)
{
    for (guint y = 0; y < coarse->rows; y++) {
        for (guint x = 0; x < coarse->columns; x++) {
            for (guint z = 0; z < coarse->layers; z++) {
                const gint64 i = 2 * (gint64) x + 1;
                const gint64 j = 2 * (gint64) y + 1;
                const gint64 k = 2 * (gint64) z + 1;
                const double ends = rounded(self, along_x(self, i, j - 1, k) +
                                                      along_x(self, i, j + 1, k));

                coarse->f[place(coarse, x, y, z)] = rounded(
                    self, fused(self, ends, along_x(self, i, j, k), 2) * restriction);
            }
        }
    }
}

/* The coarse solution at a column (x, y) of this level, layer z of the coarse one. */
static double
between(const Level *self, const Level *coarse, gint64 x, gint64 y, gint64 z)
{
    const gint64 left = x % 2 == 0 ? x / 2 - 1 : x / 2;
    const gint64 top = y % 2 == 0 ? y / 2 - 1 : y / 2;
    double sides[2];

    for (guint i = 0; i < 2; i++) {
        const gint64 column = left + i;

        sides[i] = at(coarse, coarse->u, column, top, z);
        if (y % 2 == 0) {
            sides[i] =
                rounded(self, sides[i] + at(coarse, coarse->u, column, top + 1, z));
            sides[i] = rounded(self, sides[i] * half);
        }
    }
    return x % 2 == 0 ? rounded(self, rounded(self, sides[0] + sides[1]) * half)
                      : sides[0];
}

static void add_coarse(const Level *self, const Level *coarse)
{
    for (guint y = 0; y < self->rows; y++) {
        for (guint x = 0; x < self->columns; x++) {
            for (guint z = 0; z < self->layers; z++) {
                const gsize i = place(self, x, y, z);
                const gint64 k = z / 2;

                if (z % 2 == 1) {
                    self->u[i] =
                        rounded(self, self->u[i] + between(self, coarse, x, y, k));
                } else {
                    self->u[i] = fused(self, self->u[i],
                                       between(self, coarse, x, y, k - 1), half);
                    self->u[i] =
                        fused(self, self->u[i], between(self, coarse, x, y, k), half);
                }
            }
        }
    }
}

static void cycle(const Level *levels, guint number)
{
    const Level *self = &levels[number];
    const ReferenceMultigrid *problem = self->problem;

    if (number + 1 == problem->levels) {
        sweep_all(self, &problem->coarsest, number > 0);
        return;
    }
    if (problem->is_red_black) {
        sweep_colors(self, &problem->before, 0);
    } else {
        sweep_all(self, &problem->before, number > 0);
    }
    for_each_cell(self, residual, 0);
    take_residual(self, self + 1);
    memset(self[1].u, 0,
           (gsize) self[1].columns * self[1].rows * self[1].layers * sizeof *self[1].u);
    cycle(levels, number + 1);
    add_coarse(self, self + 1);
    if (problem->is_red_black) {
        sweep_colors(self, &problem->after, 1);
    } else {
        sweep_all(self, &problem->after, false);
    }
}

static double norm(const Level *self)
{
    double sum = 0;

    for_each_cell(self, residual, 0);
    for (gsize i = 0; i < (gsize) self->columns * self->rows; i++) {
        const double *column = self->r + i * self->layers;
        double square = 0;

        for (guint z = 0; z < self->layers; z++) {
            square = self->problem->rounding == ROUNDING_NONE
                         ? fma(column[z], column[z], square)
                         : (double) fmaf((float) column[z], (float) column[z],
                                         (float) square);
        }
        sum += square;
    }
    return sqrt(sum);
}

void reference_multigrid(const ReferenceMultigrid *self,
                         const double *b,
                         double *x,
                         double *norms)
{
    const gsize count = reference_multigrid_count(self);
    g_autofree double *vectors = g_new0(double, 6 * count); /* all levels have less */
    Level levels[REFERENCE_LEVELS];
    double *next = vectors;

    g_assert(self->levels > 0);

    for (guint i = 0; i < self->levels; i++) {
        Level *level = &levels[i];

        *level = (Level){.problem = self,
                         .columns = i == 0 ? self->columns : level[-1].columns / 2,
                         .rows = i == 0 ? self->rows : level[-1].rows / 2,
                         .layers = i == 0 ? self->layers : level[-1].layers / 2};
        const gsize cells = (gsize) level->columns * level->rows * level->layers;

        level->u = next;
        level->f = next + cells;
        level->r = next + 2 * cells;
        next += 3 * cells;
    }
    memcpy(levels[0].u, x, count * sizeof *x);
    memcpy(levels[0].f, b, count * sizeof *b);
    norms[0] = norm(&levels[0]);
    for (guint i = 0; i < self->cycles; i++) {
        cycle(levels, 0);
        norms[i + 1] = norm(&levels[0]);
    }
    memcpy(x, levels[0].u, count * sizeof *x);
}
