/* Stencils in the chip's arithmetic, line by line; levels have a margin of 0 around
 * each layer. */
#include "workloads/reference/stencil.h"

#include <string.h>

#include "workloads/reference/dst.h"
#include "workloads/reference/units.h"
#include "workloads/reference/wanted.h"

/* A level with its margins, and where its cells are. */
typedef struct {
    const ReferenceStencil *stencil;
    ReferenceUnits *units;
    gsize line;  /* numbers from one line to the next */
    gsize layer; /* and from one layer to the next */
    float *sums; /* a layer of each */
    float *sum;  /* a line of what is in Dst */
    float *term;
    float *pulse;
} Chip;

gsize reference_stencil_count(const ReferenceStencil *self)
{
    return (gsize) self->lines * self->numbers * self->layers;
}

/* Where a line begins, in a layer or, with z, in a level. */
static gsize line_at(const Chip *self, gint64 x, gint64 z)
{
    const gint64 reach = self->stencil->reach;

    return (gsize) (z * (gint64) self->layer + (x + reach) * (gint64) self->line +
                    reach);
}

static float *with_margins(const Chip *self, const float *cells)
{
    const ReferenceStencil *stencil = self->stencil;
    float *level = g_new0(float, stencil->layers * self->layer);

    for (guint z = 0; z < stencil->layers; z++) {
        for (guint x = 0; x < stencil->lines; x++) {
            memcpy(level + line_at(self, x, z), cells,
                   stencil->numbers * sizeof *cells);
            cells += stencil->numbers;
        }
    }
    return level;
}

static float *without_margins(const Chip *self, const float *level)
{
    const ReferenceStencil *stencil = self->stencil;
    float *cells = g_new(float, reference_stencil_count(stencil));
    float *to = cells;

    for (guint z = 0; z < stencil->layers; z++) {
        for (guint x = 0; x < stencil->lines; x++) {
            memcpy(to, level + line_at(self, x, z), stencil->numbers * sizeof *cells);
            to += stencil->numbers;
        }
    }
    return cells;
}

/* A number as tiles hold it. */
static float weight_of(const ReferenceStencil *stencil, double weight)
{
    guint8 bytes[sizeof(float)];

    number_format_put(stencil->format, bytes, 0, weight);
    return (float) number_format_get(stencil->format, bytes, 0);
}

/* sum += weight * term, in Dst. */
static void add_product(const Chip *self, const float *term, double weight)
{
    reference_dst_add_products(self->sum, term, weight_of(self->stencil, weight),
                               self->stencil->fidelity, self->stencil->numbers);
}

/* The term that is to be added up, in its turn: `index` counts those of a group. */
static void collect(const Chip *self, const float *term, guint index)
{
    const guint numbers = self->stencil->numbers;

    if (index == 0) {
        memcpy(self->term, term, numbers * sizeof *term);
    } else {
        reference_units_add(self->units, self->term, self->term, term, numbers);
    }
}

/* A group's numbers, collected, to the sum. */
static void add_collected(const Chip *self, double weight, bool is_first)
{
    const guint numbers = self->stencil->numbers;

    if (weight != 1) {
        reference_units_scale(self->units, self->term, self->term,
                              weight_of(self->stencil, weight), numbers);
    }
    if (is_first) {
        memcpy(self->sum, self->term, numbers * sizeof *self->sum);
    } else {
        reference_units_add(self->units, self->sum, self->sum, self->term, numbers);
    }
}

static bool has_layer(const ReferenceStencil *stencil, guint z, int dz)
{
    return (gint64) z + dz >= 0 && (gint64) z + dz < stencil->layers;
}

/* One group at a line; `is_first` if nothing is in the sum yet. */
static void add_group(const Chip *self,
                      const ReferenceGroup *group,
                      const float *now,
                      guint x,
                      guint z,
                      bool is_first)
{
    const ReferenceStencil *stencil = self->stencil;
    guint found = 0;

    for (guint i = group->first; i < group->first + group->count; i++) {
        const int dy = stencil->terms[i].y;
        const float *term;

        if (!has_layer(stencil, z, stencil->terms[i].z)) {
            continue;
        }
        term = now +
               line_at(self, (gint64) x + stencil->terms[i].x,
                       (gint64) z + stencil->terms[i].z) +
               dy;
        if (stencil->format == NUMBER_BF16) {
            add_product(self, term, group->weight);
        } else {
            collect(self, term, found);
        }
        found++;
    }
    if (stencil->format == NUMBER_FP32 && found > 0) {
        add_collected(self, group->weight, is_first);
    }
}

/* Writes the numbers in Dst, rounded as they leave it. */
static void put(const Chip *self, float *to)
{
    for (guint y = 0; y < self->stencil->numbers; y++) {
        to[y] = self->stencil->format == NUMBER_BF16
                    ? reference_dst_to_bf16(self->sum[y])
                    : self->sum[y];
    }
}

static void sum_layer(
    const Chip *self, const ReferenceSum *sum, float *to, const float *now, guint z)
{
    const ReferenceStencil *stencil = self->stencil;

    for (guint x = 0; x < stencil->lines; x++) {
        memset(self->sum, 0, stencil->numbers * sizeof *self->sum);
        for (guint i = 0; i < sum->count; i++) {
            add_group(self, &stencil->groups[sum->first + i], now, x, z, i == 0);
        }
        put(self, to + line_at(self, x, 0));
    }
}

/* A number with weight 1 or -1. */
static void add_one(const Chip *self, const float *term, double weight)
{
    if (self->stencil->format == NUMBER_BF16) {
        add_product(self, term, weight);
    } else {
        collect(self, term, 0);
        add_collected(self, weight, false);
    }
}

/* The source, where it is in this line. */
static void add_source(const Chip *self, guint step, guint x, guint z)
{
    const ReferenceSource *source = &self->stencil->source;

    if (step >= source->count || x != source->x || z != source->z) {
        return;
    }
    memset(self->pulse, 0, self->stencil->numbers * sizeof *self->pulse);
    self->pulse[source->y] = weight_of(self->stencil, source->samples[step]);
    add_one(self, self->pulse, 1);
}

static void
finish_layer(const Chip *self, const float *now, float *before, guint step, guint z)
{
    const ReferenceStencil *stencil = self->stencil;

    for (guint x = 0; x < stencil->lines; x++) {
        float *made = before + line_at(self, x, z);

        memcpy(self->sum, self->sums + line_at(self, x, 0),
               stencil->numbers * sizeof *self->sum);
        for (guint i = 1; i < stencil->sum_count; i++) {
            add_group(self, &stencil->sums[i].places, self->sums + i * self->layer, x,
                      0, false);
        }
        for (guint i = 0; i < stencil->count; i++) {
            add_group(self, &stencil->groups[stencil->first + i], now, x, z, false);
        }
        if (stencil->has_before) {
            add_one(self, made, -1);
        }
        add_source(self, step, x, z);
        put(self, made);
    }
}

float *reference_stencil_on_chip(const ReferenceStencil *self,
                                 const float *now,
                                 const float *before)
{
    g_autoptr(ReferenceUnits) units = reference_units_new(self->format, self->fidelity);
    const gsize line = self->numbers + 2 * (gsize) self->reach;
    const gsize layer = (self->lines + 2 * (gsize) self->reach) * line;
    g_autofree float *sums = g_new0(float, self->sum_count *layer);
    g_autofree float *lines = g_new0(float, 3 * line);
    const Chip chip = {.stencil = self,
                       .units = units,
                       .line = line,
                       .layer = layer,
                       .sums = sums,
                       .sum = lines,
                       .term = lines + line,
                       .pulse = lines + 2 * line};
    g_autofree float *present = with_margins(&chip, now);
    g_autofree float *other = with_margins(&chip, before);

    for (guint step = 0; step < self->steps && reference_is_wanted(); step++) {
        float *made = other;

        for (guint z = 0; z < self->layers; z++) {
            for (guint i = 0; i < self->sum_count; i++) {
                sum_layer(&chip, &self->sums[i], sums + i * layer, present, z);
            }
            finish_layer(&chip, present, made, step, z);
        }
        other = present;
        present = made;
    }
    return without_margins(&chip, present);
}
