/* Conjugate gradients on a plain array, line by line, with a frame of zeros. */
#include "workloads/reference/double.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sim/pages.h"

static const double diagonal = 6; /* of the matrix, unless the grid has another */

/* Cells have a frame: layers, lines and numbers go from 0 to what there is, plus 1. */
typedef struct {
    gsize line;  /* from one line to the next */
    gsize layer; /* from one layer to the next */
    gsize count;
    guint layers;
    guint lines;
    guint numbers;
} Box;

static Box box_of(const ReferenceGrid *grid)
{
    Box box = {.layers = grid->layers, .lines = grid->lines, .numbers = grid->numbers};

    box.line = (gsize) grid->numbers + 2;
    box.layer = box.line * ((gsize) grid->lines + 2);
    box.count = box.layer * ((gsize) grid->layers + 2);
    return box;
}

/* So many vectors of zeros. */
static double *vectors_new(const Box *box, gsize count)
{
    return sim_pages_large(g_new0(double, count * box->count),
                           count * box->count * sizeof(double));
}

/* Where the first number of a line is. */
static gsize start_of(const Box *box, guint layer, guint line)
{
    return (layer + 1) * box->layer + (line + 1) * box->line + 1;
}

/* Where a cell is in a vector of tiles. */
static gsize tiled(const ReferenceGrid *grid, guint layer, guint line, guint number)
{
    const gsize core =
        (gsize) (line / REFERENCE_LINES) * grid->across + number / REFERENCE_LINE;

    return (core * grid->layers + layer) * REFERENCE_TILE +
           (gsize) (line % REFERENCE_LINES) * REFERENCE_LINE + number % REFERENCE_LINE;
}

/* Copies all cells between a box and a vector of tiles, of which a line's numbers lie
 * side by side. */
static void copy(const ReferenceGrid *grid,
                 const Box *box,
                 double *cells,
                 double *tiles,
                 bool is_into_tiles)
{
    for (guint layer = 0; layer < grid->layers; layer++) {
        for (guint line = 0; line < grid->lines; line++) {
            double *cell = cells + start_of(box, layer, line);

            for (guint number = 0; number < grid->numbers; number += REFERENCE_LINE) {
                const gsize count = MIN(grid->numbers - number, REFERENCE_LINE);
                double *tile = tiles + tiled(grid, layer, line, number);

                memcpy(is_into_tiles ? tile : cell + number,
                       is_into_tiles ? cell + number : tile, count * sizeof *cell);
            }
        }
    }
}

static void
load(const ReferenceGrid *grid, const Box *box, double *cells, const double *tiles)
{
    copy(grid, box, cells, (double *) tiles, false);
}

static void
store(const ReferenceGrid *grid, const Box *box, double *tiles, const double *cells)
{
    copy(grid, box, (double *) cells, tiles, true);
}

/* The matrix's diagonal, cell by cell, or NULL if it is the same everywhere. The caller
 * frees it. */
static double *diagonal_of(const ReferenceGrid *grid, const Box *box)
{
    double *cells = grid->diagonal != NULL ? vectors_new(box, 1) : NULL;

    for (guint layer = 0; cells != NULL && layer < grid->layers; layer++) {
        for (guint line = 0; line < grid->lines; line++) {
            double *cell = cells + start_of(box, layer, line);

            for (guint number = 0; number < grid->numbers; number++) {
                cell[number] =
                    (double) grid->diagonal[tiled(grid, layer, line, number)];
            }
        }
    }
    return cells;
}

/* The matrix times a vector, at cell `i`. */
static inline double
product_at(const Box *box, const double *centre, const double *from, gsize i)
{
    return (centre != NULL ? centre[i] : diagonal) * from[i] - from[i - 1] -
           from[i + 1] - from[i - box->line] - from[i + box->line] -
           from[i - box->layer] - from[i + box->layer];
}

static void apply(const Box *box, const double *centre, double *to, const double *from)
{
    for (guint layer = 0; layer < box->layers; layer++) {
        for (guint line = 0; line < box->lines; line++) {
            const gsize first = start_of(box, layer, line);

            for (gsize i = first; i < first + box->numbers; i++) {
                to[i] = product_at(box, centre, from, i);
            }
        }
    }
}

static double dot(const Box *box, const double *a, const double *b)
{
    double sum = 0;

    for (gsize i = 0; i < box->count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

guint reference_double_pcg(const ReferenceGrid *grid,
                           guint iterations,
                           double tolerance,
                           const double *b,
                           double *x,
                           double *norms)
{
    const Box box = box_of(grid);
    g_autofree double *cells = vectors_new(&box, 4);
    double *solution = cells;
    double *r = cells + box.count;
    double *p = r + box.count;
    double *q = p + box.count;
    g_autofree double *centre = diagonal_of(grid, &box);
    guint done = 0;
    double delta;

    load(grid, &box, solution, x);
    load(grid, &box, r, b);
    for (gsize i = 0; i < box.count; i++) {
        p[i] = r[i] / diagonal;
    }
    delta = dot(&box, r, p);
    norms[0] = sqrt(dot(&box, r, r));
    while (done < iterations && norms[done] > tolerance) {
        apply(&box, centre, q, p);
        const double alpha = delta / dot(&box, p, q);

        for (gsize i = 0; i < box.count; i++) {
            solution[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        norms[++done] = sqrt(dot(&box, r, r));
        const double before = delta;

        delta = norms[done] * norms[done] / diagonal;
        for (gsize i = 0; i < box.count; i++) {
            p[i] = r[i] / diagonal + delta / before * p[i];
        }
    }
    store(grid, &box, x, solution);
    return done;
}

double reference_double_residual(const ReferenceGrid *grid,
                                 const double *b,
                                 const double *x,
                                 double *residual)
{
    const Box box = box_of(grid);
    g_autofree double *cells = vectors_new(&box, 1);
    g_autofree double *centre = diagonal_of(grid, &box);
    double sum = 0;

    load(grid, &box, cells, x);
    for (guint layer = 0; layer < grid->layers; layer++) {
        for (guint line = 0; line < grid->lines; line++) {
            const gsize first = start_of(&box, layer, line);

            for (guint number = 0; number < grid->numbers; number++) {
                const gsize tile = tiled(grid, layer, line, number);
                const double r =
                    b[tile] - product_at(&box, centre, cells, first + number);

                residual[tile] = r;
                sum += r * r;
            }
        }
    }
    return sqrt(sum);
}
