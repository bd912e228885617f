/* Computes reference stencils of columns, field by field and cell by cell. */
#include "workloads/reference/column_stencil.h"

#include <math.h>
#include <string.h>

#include "sim/narrow.h"

gsize reference_column_stencil_count(const ReferenceColumnStencil *self)
{
    return (gsize) self->columns * self->rows * self->layers;
}

static double
rounded(const ReferenceColumnStencil *self, NumberFormat format, double value)
{
    guint8 bytes[sizeof(double)];

    if (self->is_exact) {
        return value;
    }
    number_format_put(format, bytes, 0, value);
    return number_format_get(format, bytes, 0);
}

/* sum + a * b in the format of sums. Of halves the product is exact in double, and the
 * sum where it is near the middle of two of them. */
static double
add(const ReferenceColumnStencil *self, double sum, double a, double b, bool is_first)
{
    if (is_first) {
        return rounded(self, self->sums, a * b);
    }
    if (!self->is_exact && self->sums == NUMBER_FP32) {
        return (double) fmaf((float) a, (float) b, (float) sum);
    }
    return rounded(self, self->sums, fma(a, b, sum));
}

/* The column of a field that a term is of, as seen from (x, y); NULL where there is
 * none. */
static const double *column_of(const ReferenceColumnStencil *self,
                               const ReferenceTerm *term,
                               const double *field,
                               guint x,
                               guint y)
{
    const gint64 from_x = (gint64) x + term->x;
    const gint64 from_y = (gint64) y + term->y;

    if (from_x < 0 || from_x >= self->columns || from_y < 0 || from_y >= self->rows) {
        return NULL;
    }
    return field + (gsize) (from_y * self->columns + from_x) * self->layers;
}

static void add_term(const ReferenceColumnStencil *self,
                     double *column,
                     const ReferenceTerm *term,
                     const double *from,
                     const double *weights,
                     bool is_first)
{
    const double own = rounded(self, self->cells, term->weight);

    for (guint z = 0; z < self->layers; z++) {
        const gint64 from_z = (gint64) z + term->z;
        const bool is_inside = from_z >= 0 && from_z < self->layers;

        column[z] = add(self, column[z], is_inside ? from[from_z] : 0,
                        weights != NULL ? weights[z] : own, is_first);
    }
}

/* The weights of a term for column i; NULL: the term's own. */
static const double *
weights_of(const ReferenceColumnStencil *self, const ReferenceTerm *term, gsize i)
{
    const bool is_cell =
        term->field == 0 && term->x == 0 && term->y == 0 && term->z == 0;

    return self->diagonal != NULL && is_cell ? self->diagonal + i * self->layers : NULL;
}

static void make_field(const ReferenceColumnStencil *self,
                       double *to,
                       double *const fields[],
                       ReferenceTerms terms)
{
    for (gsize i = 0; i < (gsize) self->columns * self->rows; i++) {
        bool is_first = true;

        for (guint t = terms.first; t < terms.first + terms.count; t++) {
            const ReferenceTerm *term = &self->terms[t];
            const double *from =
                column_of(self, term, fields[term->field], sim_u32(i % self->columns),
                          sim_u32(i / self->columns));

            if (from != NULL) {
                add_term(self, to + i * self->layers, term, from,
                         weights_of(self, term, i), is_first);
                is_first = false;
            }
        }
    }
}

double *reference_column_stencil(const ReferenceColumnStencil *self,
                                 const double *cells)
{
    const gsize count = reference_column_stencil_count(self);
    g_autoptr(GPtrArray) fields = g_ptr_array_new_with_free_func(g_free);
    double *now = g_new(double, count);
    double *next = g_new0(double, count);

    memcpy(now, cells, count * sizeof *now);
    g_ptr_array_add(fields, now);
    for (guint i = 0; i < self->field_count; i++) {
        g_ptr_array_add(fields, g_new0(double, count));
    }
    double **all = (double **) fields->pdata;

    for (guint step = 0; step < self->steps; step++) {
        for (guint i = 0; i < self->field_count; i++) {
            make_field(self, all[1 + i], all, self->fields[i]);
        }
        make_field(self, next, all, self->result);
        double *last = all[0];

        all[0] = next;
        next = last;
    }
    g_free(next);
    return g_steal_pointer(&fields->pdata[0]);
}
