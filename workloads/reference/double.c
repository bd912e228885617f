/* Conjugate gradients on a plain array, line by line, with a frame of zeros. */
#include "workloads/reference/double.h"

#include <math.h>

#include "sim/pages.h"

static const double diagonal = 6; /* of the matrix, unless the grid has another */

enum {
    BLOCK = 1024, /* numbers that stay in the host's cache from one loop to the next */
};

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

/* Copies all cells from a vector of tiles, of which a line's numbers lie side by side.
 */
static void
load(const ReferenceSystem *system, const Box *box, double *cells, const guint8 *tiles)
{
    for (guint layer = 0; layer < box->layers; layer++) {
        for (guint line = 0; line < box->lines; line++) {
            double *cell = cells + start_of(box, layer, line);

            for (guint number = 0; number < box->numbers; number += REFERENCE_LINE) {
                const gsize end = MIN(number + REFERENCE_LINE, box->numbers);
                const gsize tile = tiled(system->grid, layer, line, number);

                for (gsize i = number; i < end; i++) {
                    cell[i] =
                        number_format_get(system->format, tiles, tile + i - number);
                }
            }
        }
    }
}

static void
store(const ReferenceSystem *system, const Box *box, guint8 *tiles, const double *cells)
{
    for (guint layer = 0; layer < box->layers; layer++) {
        for (guint line = 0; line < box->lines; line++) {
            const double *cell = cells + start_of(box, layer, line);

            for (guint number = 0; number < box->numbers; number++) {
                number_format_put(system->format, tiles,
                                  tiled(system->grid, layer, line, number),
                                  cell[number]);
            }
        }
    }
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

/* The sum and the products of numbers, one after another. */
static double add_products(double sum, const double *a, const double *b, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* to = A from; returns their product. */
static double
apply(const Box *box, const double *centre, double *to, const double *from)
{
    double sum = 0;

    for (guint layer = 0; layer < box->layers; layer++) {
        for (guint line = 0; line < box->lines; line++) {
            const gsize first = start_of(box, layer, line);

            for (gsize i = first; i < first + box->numbers; i++) {
                to[i] = product_at(box, centre, from, i);
            }
            sum = add_products(sum, from + first, to + first, box->numbers);
        }
    }
    return sum;
}

/* Vectors of the solver. */
typedef struct {
    Box box;
    double *solution;
    double *r;
    double *p;
    double *q;
} Solver;

/* Numbers of the block that begins after those done. */
static gsize block_at(const Solver *self, gsize done)
{
    return MIN(self->box.count - done, BLOCK);
}

/* p = r / 6; returns their product. The square of r goes to `square`. */
static double begin(const Solver *self, double *square)
{
    double delta = 0;

    *square = 0;
    for (gsize done = 0; done < self->box.count; done += BLOCK) {
        const gsize count = block_at(self, done);
        const double *r = self->r + done;
        double *p = self->p + done;

        for (gsize i = 0; i < count; i++) {
            p[i] = r[i] / diagonal;
        }
        delta = add_products(delta, r, p, count);
        *square = add_products(*square, r, r, count);
    }
    return delta;
}

/* solution = solution + alpha p, r = r - alpha q; returns the square of r. */
static double step(const Solver *self, double alpha)
{
    double square = 0;

    for (gsize done = 0; done < self->box.count; done += BLOCK) {
        const gsize count = block_at(self, done);
        double *restrict solution = self->solution + done;
        double *restrict r = self->r + done;
        const double *p = self->p + done;
        const double *q = self->q + done;

        for (gsize i = 0; i < count; i++) {
            solution[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        square = add_products(square, r, r, count);
    }
    return square;
}

guint reference_double_pcg(const ReferenceSystem *system,
                           const guint8 *start,
                           guint iterations,
                           double tolerance,
                           guint8 *x,
                           double *norms)
{
    Solver solver = {.box = box_of(system->grid)};
    const Box *box = &solver.box;
    g_autofree double *cells = vectors_new(box, 4);
    g_autofree double *centre = diagonal_of(system->grid, box);
    guint done = 0;
    double delta;

    solver.solution = cells;
    solver.r = cells + box->count;
    solver.p = solver.r + box->count;
    solver.q = solver.p + box->count;
    if (start != NULL) {
        load(system, box, solver.solution, start);
    }
    load(system, box, solver.r, system->b);
    delta = begin(&solver, &norms[0]);
    norms[0] = sqrt(norms[0]);
    while (done < iterations && norms[done] > tolerance) {
        const double before = delta;

        norms[done + 1] =
            sqrt(step(&solver, delta / apply(box, centre, solver.q, solver.p)));
        done++;
        delta = norms[done] * norms[done] / diagonal;
        for (gsize i = 0; i < box->count; i++) {
            solver.p[i] = solver.r[i] / diagonal + delta / before * solver.p[i];
        }
    }
    store(system, box, x, solver.solution);
    return done;
}

double reference_double_residual(const ReferenceSystem *system,
                                 const guint8 *x,
                                 guint8 *residual)
{
    const Box box = box_of(system->grid);
    g_autofree double *cells = vectors_new(&box, 1);
    g_autofree double *centre = diagonal_of(system->grid, &box);
    double sum = 0;

    load(system, &box, cells, x);
    for (guint layer = 0; layer < box.layers; layer++) {
        for (guint line = 0; line < box.lines; line++) {
            const gsize first = start_of(&box, layer, line);

            for (guint number = 0; number < box.numbers; number++) {
                const gsize tile = tiled(system->grid, layer, line, number);
                const double r = number_format_get(system->format, system->b, tile) -
                                 product_at(&box, centre, cells, first + number);

                if (residual != NULL) {
                    number_format_put(system->format, residual, tile, r);
                }
                sum += r * r;
            }
        }
    }
    return sqrt(sum);
}
