/* What runs cannot tell apart, and least squares: both from one orthogonal basis of the
 * columns of their matrix. */
#include <math.h>
#include <string.h>

#include "arch/model/energy/regression.h"

/* A column is a sum of others where no more than this part of it is left. */
#define LEFT 1e-9
/* A share below this is rounding. */
#define SHARE 1e-6

typedef struct {
    gsize count;                                     /* of runs */
    double *columns;                                 /* scaled; term after term */
    double scale[GPU_ENERGY_TERMS];                  /* 0: no run uses it */
    double part[GPU_ENERGY_TERMS][GPU_ENERGY_TERMS]; /* of [k] in column [j] */
    bool is_kept[GPU_ENERGY_TERMS];
} Basis;

static void basis_clear(Basis *self)
{
    g_free(self->columns);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Basis, basis_clear)

static double *column(const Basis *self, guint term)
{
    return self->columns + (gsize) term * self->count;
}

static double dot(const double *a, const double *b, gsize count)
{
    double sum = 0;

    for (gsize i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Every column gets the length 1, so that joules of words and of seconds compare. */
static void fill(Basis *self, const GpuRun *runs)
{
    for (guint j = 0; j < GPU_ENERGY_TERMS; j++) {
        double *values = column(self, j);
        double most = 0;

        for (gsize i = 0; i < self->count; i++) {
            most = fmax(most, runs[i].use.of[j]);
        }
        for (gsize i = 0; i < self->count && most > 0; i++) {
            values[i] = runs[i].use.of[j] / most;
        }
        const double length = sqrt(dot(values, values, self->count));

        self->scale[j] = most * length;
        for (gsize i = 0; i < self->count && length > 0; i++) {
            values[i] /= length;
        }
    }
}

/* Takes what the kept columns before it explain out of a column; twice, because once
 * leaves rounding that looks like something. */
static void reduce(Basis *self, guint term)
{
    double *values = column(self, term);

    for (guint pass = 0; pass < 2; pass++) {
        for (guint k = 0; k < term; k++) {
            const double *unit = column(self, k);
            const double part = self->is_kept[k] ? dot(unit, values, self->count) : 0;

            self->part[k][term] += part;
            for (gsize i = 0; i < self->count && part != 0; i++) {
                values[i] -= part * unit[i];
            }
        }
    }
}

static void basis_init(Basis *self, const GpuRun *runs, gsize count)
{
    *self = (Basis){.count = count,
                    .columns = g_new0(double, MAX(1, count) * GPU_ENERGY_TERMS)};
    fill(self, runs);
    for (guint j = 0; j < GPU_ENERGY_TERMS; j++) {
        double *values = column(self, j);

        reduce(self, j);
        const double left = sqrt(dot(values, values, count));

        self->is_kept[j] = self->scale[j] > 0 && left > LEFT;
        self->part[j][j] = self->is_kept[j] ? left : 0;
        for (gsize i = 0; i < count && self->is_kept[j]; i++) {
            values[i] /= left;
        }
    }
}

/* Back substitution: what `sides`, in the orthogonal basis, is in kept columns. */
static void resolve(const Basis *self, double sides[GPU_ENERGY_TERMS])
{
    for (guint k = GPU_ENERGY_TERMS; k-- > 0;) {
        if (!self->is_kept[k]) {
            sides[k] = 0;
            continue;
        }
        for (guint j = k + 1; j < GPU_ENERGY_TERMS; j++) {
            sides[k] -= self->is_kept[j] ? self->part[k][j] * sides[j] : 0;
        }
        sides[k] /= self->part[k][k];
    }
}

/* The shares of kept terms in a dropped one, in prices: scales are undone. */
static void share(const Basis *self, guint term, GpuRegressionRank *rank)
{
    double sides[GPU_ENERGY_TERMS];

    for (guint k = 0; k < GPU_ENERGY_TERMS; k++) {
        sides[k] = k < term && self->is_kept[k] ? self->part[k][term] : 0;
    }
    resolve(self, sides);
    for (guint k = 0; k < GPU_ENERGY_TERMS; k++) {
        if (fabs(sides[k]) > SHARE) {
            rank->share[k][term] = sides[k] * self->scale[term] / self->scale[k];
            rank->is_known[k] = false;
        }
    }
}

void gpu_regression_rank(const GpuRun *runs, gsize count, GpuRegressionRank *rank)
{
    g_auto(Basis) basis = {0};

    memset(rank, 0, sizeof *rank);
    basis_init(&basis, runs, count);
    for (guint j = 0; j < GPU_ENERGY_TERMS; j++) {
        rank->is_used[j] = basis.scale[j] > 0;
        rank->is_known[j] = basis.is_kept[j];
        rank->rank += basis.is_kept[j] ? 1 : 0;
    }
    for (guint j = 0; j < GPU_ENERGY_TERMS; j++) {
        if (rank->is_used[j] && !basis.is_kept[j]) {
            rank->is_dropped[j] = true;
            share(&basis, j, rank);
        }
    }
}

double gpu_regression_sum(const GpuRegressionRank *rank,
                          GpuEnergyTerm term,
                          const GpuEnergyCosts *costs)
{
    double sum = costs->of[term];

    for (guint d = 0; d < GPU_ENERGY_TERMS; d++) {
        sum += rank->share[term][d] * costs->of[d];
    }
    return sum;
}

char *gpu_regression_sum_name(const GpuRegressionRank *rank, GpuEnergyTerm term)
{
    GString *name = g_string_new(gpu_energy_term_symbol(term));

    for (guint d = 0; d < GPU_ENERGY_TERMS; d++) {
        const double part = rank->share[term][d];
        char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

        if (part == 0) {
            continue;
        }
        g_ascii_formatd(text, sizeof text, "%.4g", fabs(part));
        g_string_append_printf(name, " %c ", part < 0 ? '-' : '+');
        if (!g_str_equal(text, "1")) {
            g_string_append_printf(name, "%s ", text);
        }
        g_string_append(name, gpu_energy_term_symbol((GpuEnergyTerm) d));
    }
    return g_string_free(name, FALSE);
}

void gpu_regression_least_squares(const GpuRun *runs,
                                  gsize count,
                                  GpuEnergyCosts *costs)
{
    g_auto(Basis) basis = {0};
    double sides[GPU_ENERGY_TERMS] = {0};

    basis_init(&basis, runs, count);
    for (guint k = 0; k < GPU_ENERGY_TERMS; k++) {
        for (gsize i = 0; i < count; i++) {
            sides[k] += column(&basis, k)[i] * runs[i].joules;
        }
    }
    resolve(&basis, sides);
    for (guint k = 0; k < GPU_ENERGY_TERMS; k++) {
        costs->of[k] = basis.is_kept[k] ? sides[k] / basis.scale[k] : 0;
    }
}
