/* Conjugate gradients on a plain array, line by line, with a frame of zeros. */
#include "workloads/reference/double.h"

#include <math.h>

#include "sim/pages.h"
#include "workloads/buffer/number_array.h"

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

/* Copies a line from a vector of tiles. */
static void load_line(const ReferenceSystem *system,
                      guint layer,
                      guint line,
                      double *to,
                      const guint8 *tiles)
{
    const guint numbers = system->grid->numbers;

    for (guint number = 0; number < numbers; number += REFERENCE_LINE) {
        number_array_get(system->format, to + number, tiles,
                         tiled(system->grid, layer, line, number),
                         MIN(numbers - number, REFERENCE_LINE));
    }
}

/* All cells. */
static void
load(const ReferenceSystem *system, const Box *box, double *cells, const guint8 *tiles)
{
    for (guint layer = 0; layer < box->layers; layer++) {
        for (guint line = 0; line < box->lines; line++) {
            load_line(system, layer, line, cells + start_of(box, layer, line), tiles);
        }
    }
}

/* Copies a line into a vector of tiles. */
static void store_line(const ReferenceSystem *system,
                       guint layer,
                       guint line,
                       guint8 *tiles,
                       const double *from)
{
    const guint numbers = system->grid->numbers;

    for (guint number = 0; number < numbers; number += REFERENCE_LINE) {
        number_array_put(system->format, tiles,
                         tiled(system->grid, layer, line, number), from + number,
                         MIN(numbers - number, REFERENCE_LINE));
    }
}

static void
store(const ReferenceSystem *system, const Box *box, guint8 *tiles, const double *cells)
{
    for (guint layer = 0; layer < box->layers; layer++) {
        for (guint line = 0; line < box->lines; line++) {
            store_line(system, layer, line, tiles, cells + start_of(box, layer, line));
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

/* Vectors of the solver. */
typedef struct {
    Box box;
    const double *centre; /* the diagonal, or NULL */
    double *solution;
    double *r;
    double *p;
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

/* The matrix times p, so many numbers of a line. */
static void
apply(const Solver *self, double *restrict product, gsize first, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        product[i] = product_at(&self->box, self->centre, self->p, first + i);
    }
}

/* Part of a line: adds to the sum of all. */
typedef double
Part(const Solver *self, double sum, double alpha, gsize first, gsize count);

/* Adds up p times the matrix times p. */
static double energy(const Solver *self,
                     double sum,
                     double alpha G_GNUC_UNUSED,
                     gsize first,
                     gsize count)
{
    double product[BLOCK];

    apply(self, product, first, count);
    return add_products(sum, self->p + first, product, count);
}

/* solution = solution + alpha p, r = r - alpha A p; adds up the square of r. To apply
 * the matrix again takes less time than a vector more in memory. */
static double
step(const Solver *self, double sum, double alpha, gsize first, gsize count)
{
    double *restrict solution = self->solution + first;
    double *restrict r = self->r + first;
    const double *p = self->p + first;
    double product[BLOCK];

    apply(self, product, first, count);
    for (gsize i = 0; i < count; i++) {
        solution[i] += alpha * p[i];
        r[i] -= alpha * product[i];
    }
    return add_products(sum, r, r, count);
}

/* Over all lines. */
static double add_up(const Solver *self, Part *part, double alpha)
{
    const Box *box = &self->box;
    double sum = 0;

    for (guint layer = 0; layer < box->layers; layer++) {
        for (guint line = 0; line < box->lines; line++) {
            const gsize first = start_of(box, layer, line);

            for (gsize done = 0; done < box->numbers; done += BLOCK) {
                sum = part(self, sum, alpha, first + done,
                           MIN(box->numbers - done, BLOCK));
            }
        }
    }
    return sum;
}

/* p = r / 6 + beta p */
static void turn(const Solver *self, double beta)
{
    for (gsize i = 0; i < self->box.count; i++) {
        self->p[i] = self->r[i] / diagonal + beta * self->p[i];
    }
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
    g_autofree double *cells = vectors_new(box, 3);
    g_autofree double *centre = diagonal_of(system->grid, box);
    guint done = 0;
    double delta;

    solver.centre = centre;
    solver.solution = cells;
    solver.r = cells + box->count;
    solver.p = solver.r + box->count;
    if (start != NULL) {
        load(system, box, solver.solution, start);
    }
    load(system, box, solver.r, system->b);
    delta = begin(&solver, &norms[0]);
    norms[0] = sqrt(norms[0]);
    while (done < iterations && norms[done] > tolerance) {
        const double before = delta;
        const double alpha = delta / add_up(&solver, energy, 0);

        norms[++done] = sqrt(add_up(&solver, step, alpha));
        delta = norms[done] * norms[done] / diagonal;
        if (done < iterations) {
            turn(&solver, delta / before);
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
    g_autofree double *r = g_new(double, box.numbers);
    double sum = 0;

    load(system, &box, cells, x);
    for (guint layer = 0; layer < box.layers; layer++) {
        for (guint line = 0; line < box.lines; line++) {
            const gsize first = start_of(&box, layer, line);

            load_line(system, layer, line, r, system->b);
            for (gsize i = 0; i < box.numbers; i++) {
                r[i] -= product_at(&box, centre, cells, first + i);
            }
            if (residual != NULL) {
                store_line(system, layer, line, residual, r);
            }
            sum = add_products(sum, r, r, box.numbers);
        }
    }
    return sqrt(sum);
}
