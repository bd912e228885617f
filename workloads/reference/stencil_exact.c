/* Computes stencils in double precision, with a bound on the rounding error of each
 * number. */
#include <math.h>

#include "workloads/reference/stencil.h"
#include "workloads/reference/wanted.h"

/* A cell's number, and what a chip's may differ by. */
typedef struct {
    double value;
    double lost;
} Cell;

/* The sum of terms so far, and of their magnitudes. */
typedef struct {
    double value;
    double magnitude;
    double lost;
} Total;

static void add(Total *total, const Cell *cell, double weight)
{
    total->value += weight * cell->value;
    total->magnitude += fabs(weight) * (fabs(cell->value) + cell->lost);
    total->lost += fabs(weight) * cell->lost;
}

/* The place of a cell. */
typedef struct {
    gint64 x;
    gint64 y;
    gint64 z;
} Place;

/* The cell there, or NULL. */
static const Cell *cell_at(const ReferenceStencil *self, const Cell *level, Place at)
{
    if (at.x < 0 || at.y < 0 || at.z < 0 || at.x >= self->lines ||
        at.y >= self->numbers || at.z >= self->layers) {
        return NULL;
    }
    return level + (at.z * self->lines + at.x) * self->numbers + at.y;
}

static void add_group(const ReferenceStencil *self,
                      const ReferenceGroup *group,
                      Total *total,
                      const Cell *now,
                      Place at)
{
    for (guint i = group->first; i < group->first + group->count; i++) {
        const Place there = {.x = at.x + self->terms[i].x,
                             .y = at.y + self->terms[i].y,
                             .z = at.z + self->terms[i].z};
        const Cell *cell = cell_at(self, now, there);

        if (cell != NULL) {
            add(total, cell, group->weight);
        }
    }
}

/* A sum along y, of all cells that it is of. */
static void add_sum(const ReferenceStencil *self,
                    const ReferenceSum *sum,
                    Total *total,
                    const Cell *now,
                    Place at)
{
    for (guint place = 0; place < sum->places.count; place++) {
        const Place there = {
            .x = at.x + self->terms[sum->places.first + place].x, .y = at.y, .z = at.z};

        for (guint i = 0; i < sum->count; i++) {
            add_group(self, &self->groups[sum->first + i], total, now, there);
        }
    }
}

static Total total_of(const ReferenceStencil *self, const Cell *now, Place at)
{
    Total total = {0};

    for (guint i = 0; i < self->sum_count; i++) {
        add_sum(self, &self->sums[i], &total, now, at);
    }
    for (guint i = 0; i < self->count; i++) {
        add_group(self, &self->groups[self->first + i], &total, now, at);
    }
    return total;
}

/* The error that a step may add: relative to the terms' magnitudes, and absolute for
 * denormal results. */
typedef struct {
    double relative;
    double absolute;
} Loss;

static Loss loss_of(const ReferenceStencil *self)
{
    const bool is_fp32 = self->format == NUMBER_FP32;
    guint groups = self->count;
    guint terms = 0;

    for (guint s = 0; s < self->sum_count; s++) {
        groups += self->sums[s].count;
        terms += self->sums[s].places.count;
    }
    for (guint i = 0; i < groups; i++) {
        terms += self->groups[i].count;
    }
    const guint roundings = terms + groups + 2;

    return (Loss){.relative = is_fp32 ? roundings * 0x1p-24 : 4 * 0x1p-8,
                  .absolute = (is_fp32 ? 1 : self->fidelity) * roundings * 0x1p-126};
}

/* The source's number in a step, 0 where it is not. */
static Cell source_at(const ReferenceStencil *self, guint step, Place at)
{
    const ReferenceSource *source = &self->source;
    const bool is_here = at.x == source->x && at.y == source->y && at.z == source->z;

    return (Cell){.value = is_here && step < source->count ? source->samples[step] : 0};
}

static void
make_level(const ReferenceStencil *self, const Cell *now, Cell *before, guint step)
{
    const Loss loss = loss_of(self);

    for (gsize i = 0; i < reference_stencil_count(self); i++) {
        const gsize line = i / self->numbers;
        const Place at = {.x = (gint64) (line % self->lines),
                          .y = (gint64) (i % self->numbers),
                          .z = (gint64) (line / self->lines)};
        const Cell source = source_at(self, step, at);
        Total total = total_of(self, now, at);

        if (self->has_before) {
            add(&total, &before[i], -1);
        }
        add(&total, &source, 1);
        before[i] = (Cell){.value = total.value,
                           .lost = total.lost + loss.absolute +
                                   loss.relative * total.magnitude};
    }
}

static Cell *cells_of(const ReferenceStencil *self, const float *numbers)
{
    const gsize count = reference_stencil_count(self);
    Cell *level = g_new0(Cell, count);

    for (gsize i = 0; i < count; i++) {
        level[i] = (Cell){.value = (double) numbers[i]};
    }
    return level;
}

/* In units of what may have been lost. */
static double error_of(const Cell *cell, float result)
{
    const double error = fabs((double) result - cell->value);

    return error == 0 ? 0 : error / cell->lost;
}

/* The last level, with what may have been lost. */
static Cell *
last_level(const ReferenceStencil *self, const float *now, const float *before)
{
    Cell *present = cells_of(self, now);
    Cell *other = cells_of(self, before);

    for (guint step = 0; step < self->steps && reference_is_wanted(); step++) {
        Cell *made = other;

        make_level(self, present, made, step);
        other = present;
        present = made;
    }
    g_free(other);
    return present;
}

double *reference_stencil_exact(const ReferenceStencil *self,
                                const float *now,
                                const float *before)
{
    g_autofree Cell *last = last_level(self, now, before);
    double *values = g_new(double, reference_stencil_count(self));

    for (gsize i = 0; i < reference_stencil_count(self); i++) {
        values[i] = last[i].value;
    }
    return values;
}

double reference_stencil_error(const ReferenceStencil *self,
                               const float *now,
                               const float *before,
                               const float *result,
                               double *largest)
{
    g_autofree Cell *last = last_level(self, now, before);
    double worst = 0;

    *largest = 0;
    for (gsize i = 0; i < reference_stencil_count(self); i++) {
        const double error = error_of(&last[i], result[i]);

        *largest = fmax(*largest, fabs(last[i].value));
        worst = isnan(error) ? HUGE_VAL : fmax(worst, error);
    }
    return worst;
}
