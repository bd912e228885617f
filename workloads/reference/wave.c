/* Computes reference waves, whole columns of cells at a time. */
#include "workloads/reference/wave.h"

#include <math.h>
#include <string.h>

#include "sim/narrow.h"
#include "workloads/reference/terms.h"
#include "workloads/reference/wanted.h"

enum {
    REACH = 4,
    PERIOD = REACH + 1,
    MOST_TERMS = 1 + REACH * 6 + 3, /* the centre, or one for each direction */
};

/* Weights of the second derivative, at distances 0 to 4. */
static const double second[PERIOD] = {-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0,
                                      -1.0 / 560.0};

/* In the order in which single precision adds them. */
static const char letters[] = "ewsn";

gsize reference_wave_count(const ReferenceWave *self)
{
    return (gsize) self->columns * self->rows * self->layers;
}

static bool has_direction(const ReferenceWave *self, char letter)
{
    return strchr(self->directions, letter) != NULL;
}

/* How many columns of cells there are before this one along a direction, and how far
 * the next of them is away. */
typedef struct {
    guint index;
    gssize stride; /* in cells */
} Line;

/* Whether lines along an axis, at this place of the other one, leave out both ends. */
static guint left_out(const ReferenceWave *self, guint at, guint extent)
{
    return self->has_idle_corners && (at == 0 || at == extent - 1) ? 1 : 0;
}

static bool is_idle(const ReferenceWave *self, guint x, guint y)
{
    return left_out(self, x, self->columns) == 1 && left_out(self, y, self->rows) == 1;
}

static Line line_of(const ReferenceWave *self, char letter, guint x, guint y)
{
    const guint in_row = left_out(self, y, self->rows);
    const guint in_column = left_out(self, x, self->columns);
    const gssize column = self->layers;
    const gssize row = column * self->columns;

    switch (letter) {
    case 'e':
        return (Line){.index = x - in_row, .stride = -column};
    case 'w':
        return (Line){.index = self->columns - 1 - in_row - x, .stride = column};
    case 's':
        return (Line){.index = y - in_column, .stride = -row};
    default:
        return (Line){.index = self->rows - 1 - in_column - y, .stride = row};
    }
}

static float sample_of(const ReferenceWave *self, guint step)
{
    return step < self->sample_count ? (float) self->samples[step] : 0;
}

static gsize source_of(const ReferenceWave *self)
{
    return ((gsize) self->source_y * self->columns + self->source_x) * self->layers +
           self->source_z;
}

/* What is added to a column. */
typedef struct {
    guint count;
    ReferenceTerm all[MOST_TERMS];
} Terms;

/* Another column times a number. */
static void
add_column(const ReferenceWave *self, Terms *terms, gssize at, double coefficient)
{
    terms->all[terms->count++] =
        (ReferenceTerm){.at = at, .coefficient = coefficient, .end = self->layers};
}

/* The cells that are so many further up in the column itself, times a number. */
static void add_shifted(const ReferenceWave *self, Terms *terms, gssize at, int offset)
{
    terms->all[terms->count++] = (ReferenceTerm){
        .at = at + offset,
        .coefficient = self->factor * second[ABS(offset)],
        .first = MIN(sim_u32(MAX(-offset, 0)), self->layers),
        .end = self->layers - MIN(sim_u32(MAX(offset, 0)), self->layers),
    };
}

/* What comes along one direction, in the order of the senders' places. Whoever has
 * fewer than 4 before it gets them in this order too. */
static void
add_line(const ReferenceWave *self, Terms *terms, gssize at, Line line, double centre)
{
    for (guint turn = 0; turn <= MIN(line.index, REACH); turn++) {
        const guint distance = (line.index + PERIOD - turn) % PERIOD;

        add_column(self, terms, at + (gssize) distance * line.stride,
                   distance == 0 ? centre : self->factor * second[distance]);
    }
}

/* What a cell's centre counts beside its part of the Laplacian. */
static double added_centre(const ReferenceWave *self)
{
    return self->factors == NULL ? 2 : 0;
}

/* From the Laplacian to Q, where each cell has a factor. */
static void scale_sum(const ReferenceWave *self, float *sum, const float *now, gsize at)
{
    if (self->factors == NULL) {
        return;
    }
    for (guint z = 0; z < self->layers; z++) {
        const float scaled = sum[z] * self->factors[at + z];

        sum[z] = fmaf(now[at + z], 2, scaled);
    }
}

/* Into `to`, which may be `before`. */
static void step_column(const ReferenceWave *self,
                        float *sum,
                        const float *now,
                        const float *before,
                        float *to,
                        gsize column)
{
    const gsize at = column * self->layers;
    const guint x = sim_u32(column % self->columns);
    const guint y = sim_u32(column / self->columns);
    double centre = added_centre(self) + 3 * self->factor * second[0];
    Terms terms = {0};

    memset(sum, 0, self->layers * sizeof *sum);
    for (const char *letter = letters; *letter != '\0'; letter++) {
        if (has_direction(self, *letter)) {
            add_line(self, &terms, (gssize) at, line_of(self, *letter, x, y), centre);
            centre = 0;
        }
    }
    reference_terms_rounded(sum, now, terms.all, terms.count);
    terms.count = 0;
    for (int offset = -REACH; offset <= REACH; offset++) {
        if (offset != 0) {
            add_shifted(self, &terms, (gssize) at, offset);
        }
    }
    reference_terms_fused(sum, now, terms.all, terms.count);
    scale_sum(self, sum, now, at);
    for (guint z = 0; z < self->layers; z++) {
        to[at + z] = sum[z] - before[at + z];
    }
}

static bool is_idle_column(const ReferenceWave *self, gsize column)
{
    return is_idle(self, sim_u32(column % self->columns),
                   sim_u32(column / self->columns));
}

static gsize column_count(const ReferenceWave *self)
{
    return (gsize) self->columns * self->rows;
}

float *reference_wave_single(const ReferenceWave *self, float *now, float *before)
{
    g_autofree float *sum = g_new0(float, self->layers);

    for (guint step = 0; step < self->steps && reference_is_wanted(); step++) {
        float *last = before;

        for (gsize i = 0; i < column_count(self) && reference_is_wanted(); i++) {
            if (!is_idle_column(self, i)) {
                step_column(self, sum, now, before, before, i);
            }
        }
        if (step < self->sample_count) {
            last[source_of(self)] += sample_of(self, step);
        }
        before = now;
        now = last;
    }
    return now;
}

/* A level of which the numbers are in one of two types; the other one is NULL. */
typedef struct {
    const double *doubles;
    const float *floats;
} Cells;

/* Neighbours of a column at one distance, in all directions. */
static void
add_distance(const ReferenceWave *self, Terms *terms, gsize column, guint distance)
{
    const gssize at = (gssize) (column * self->layers);

    for (const char *letter = letters; *letter != '\0'; letter++) {
        const Line line = line_of(self, *letter, sim_u32(column % self->columns),
                                  sim_u32(column / self->columns));

        if (has_direction(self, *letter) && line.index >= distance) {
            add_column(self, terms, at + (gssize) distance * line.stride,
                       self->factor * second[distance]);
        }
    }
    add_shifted(self, terms, at, -sim_i32(distance));
    add_shifted(self, terms, at, sim_i32(distance));
}

/* Q now, of a column. */
static void sum_exactly(const ReferenceWave *self, double *sum, Cells now, gsize column)
{
    const gsize at = column * self->layers;
    Terms terms = {0};

    memset(sum, 0, self->layers * sizeof *sum);
    add_column(self, &terms, (gssize) at,
               added_centre(self) + 3 * self->factor * second[0]);
    for (guint distance = 1; distance <= REACH; distance++) {
        add_distance(self, &terms, column, distance);
    }
    if (now.doubles != NULL) {
        reference_terms_of_doubles(sum, now.doubles, terms.all, terms.count);
    } else if (now.floats != NULL) {
        reference_terms_of_floats(sum, now.floats, terms.all, terms.count);
    }
    for (guint z = 0; self->factors != NULL && z < self->layers; z++) {
        const double cell =
            now.doubles != NULL ? now.doubles[at + z] : (double) now.floats[at + z];

        sum[z] = 2 * cell + sum[z] * (double) self->factors[at + z];
    }
}

double *reference_wave_double(const ReferenceWave *self, double *now, double *before)
{
    g_autofree double *sum = g_new0(double, self->layers);

    for (guint step = 0; step < self->steps && reference_is_wanted(); step++) {
        double *last = before;

        for (gsize i = 0; i < column_count(self) && reference_is_wanted(); i++) {
            if (is_idle_column(self, i)) {
                continue;
            }
            sum_exactly(self, sum, (Cells){.doubles = now}, i);
            for (guint z = 0; z < self->layers; z++) {
                before[i * self->layers + z] = sum[z] - before[i * self->layers + z];
            }
        }
        if (step < self->sample_count) {
            last[source_of(self)] += self->samples[step];
        }
        before = now;
        now = last;
    }
    return now;
}

/* One step of a column from numbers in fp32; the place of the source gets its sample.
 */
static void step_exactly(const ReferenceWave *self,
                         double *sum,
                         const float *now,
                         const float *before,
                         gsize column)
{
    const gsize at = column * self->layers;

    sum_exactly(self, sum, (Cells){.floats = now}, column);
    for (guint z = 0; z < self->layers; z++) {
        sum[z] -= (double) before[at + z];
    }
    if (self->sample_count > 0 && source_of(self) / self->layers == column) {
        sum[source_of(self) % self->layers] += self->samples[0];
    }
}

double reference_wave_step(const ReferenceWave *self, const float *now, float *before)
{
    g_autofree double *sum = g_new0(double, self->layers);
    double largest = 0;

    for (gsize i = 0; i < column_count(self) && reference_is_wanted(); i++) {
        float *level = before + i * self->layers;

        if (is_idle_column(self, i)) {
            continue; /* of 0 */
        }
        step_exactly(self, sum, now, before, i);
        for (guint z = 0; z < self->layers; z++) {
            /* fmax() here, made vector code, breaks GCC 12 for aarch64. */
            largest = MAX(fabs(sum[z]), largest);
            level[z] = (float) sum[z];
        }
    }
    return largest;
}

/* The largest magnitude in double precision, and the largest difference from that in
 * single precision. */
static void compare_column(const ReferenceWave *self,
                           const double *sum,
                           const float *to,
                           ReferenceBoth *both)
{
    guint others = 0; /* that are no numbers */

    for (guint z = 0; z < self->layers; z++) {
        const double difference = fabs((double) to[z] - (double) (float) sum[z]);

        both->largest = MAX(fabs(sum[z]), both->largest);
        both->error = MAX(difference, both->error);
        others += difference >= 0 ? 0 : 1;
    }
    both->error = others > 0 ? HUGE_VAL : both->error;
}

ReferenceBoth reference_wave_both(const ReferenceWave *self,
                                  const float *now,
                                  const float *before,
                                  float *to)
{
    g_autofree float *single = g_new0(float, self->layers);
    g_autofree double *sum = g_new0(double, self->layers);
    const gsize source = self->sample_count > 0 ? source_of(self) : 0;
    ReferenceBoth both = {0};

    for (gsize i = 0; i < column_count(self) && reference_is_wanted(); i++) {
        const gsize at = i * self->layers;

        if (is_idle_column(self, i)) {
            memcpy(to + at, before + at, self->layers * sizeof *to);
            continue; /* of 0 */
        }
        step_column(self, single, now, before, to, i);
        if (self->sample_count > 0 && source / self->layers == i) {
            to[source] += sample_of(self, 0);
        }
        step_exactly(self, sum, now, before, i);
        compare_column(self, sum, to + at, &both);
    }
    return both;
}
