/* Computes references on the grid, with tiles as the cores hold them. */
#include "workloads/reference/grid.h"

#include <stdbool.h>
#include <string.h>

#include "sim/narrow.h"
#include "sim/pages.h"

static guint column_count(const ReferenceGrid *self)
{
    return self->across * self->down;
}

guint reference_grid_cores(const ReferenceGrid *self)
{
    return self->across / self->core_across * (self->down / self->core_down);
}

gsize reference_grid_count(const ReferenceGrid *self)
{
    return (gsize) column_count(self) * self->layers * REFERENCE_TILE;
}

/* A core's tile, of no meaning where there is none. */
static gsize tile_at(const ReferenceGrid *self, guint core, guint layer)
{
    return ((gsize) core * self->layers + layer) * REFERENCE_TILE;
}

static void mask_tile(const ReferenceGrid *self, guint core, float *tile)
{
    const guint first_line = core / self->across * REFERENCE_LINES;
    const guint first_number = core % self->across * REFERENCE_LINE;

    if (first_line + REFERENCE_LINES <= self->lines &&
        first_number + REFERENCE_LINE <= self->numbers) {
        return;
    }
    for (guint i = 0; i < REFERENCE_TILE; i++) {
        if (first_line + i / REFERENCE_LINE >= self->lines ||
            first_number + i % REFERENCE_LINE >= self->numbers) {
            tile[i] = 0;
        }
    }
}

void reference_grid_mask(const ReferenceGrid *self, float *vector)
{
    for (guint core = 0; core < column_count(self); core++) {
        for (guint layer = 0; layer < self->layers; layer++) {
            mask_tile(self, core, vector + tile_at(self, core, layer));
        }
    }
}

/* The tile whose lines are those above (step -1) or below (1). */
static void lines_from(const ReferenceGrid *self,
                       float *to,
                       const float *from,
                       gsize core,
                       guint layer,
                       int step)
{
    const guint row = sim_u32(core) / self->across;
    const bool has_next = step < 0 ? row > 0 : row + 1 < self->down;
    const gsize next = step < 0 ? core - self->across : core + self->across;
    const float *here = from + tile_at(self, sim_u32(core), layer);
    const gsize kept = (gsize) (REFERENCE_LINES - 1) * REFERENCE_LINE;
    float *edge = step < 0 ? to : to + kept;

    memcpy(step < 0 ? to + REFERENCE_LINE : to, step < 0 ? here : here + REFERENCE_LINE,
           kept * sizeof *to);
    if (!has_next) {
        memset(edge, 0, REFERENCE_LINE * sizeof *to);
        return;
    }
    memcpy(edge, from + tile_at(self, sim_u32(next), layer) + (step < 0 ? kept : 0),
           REFERENCE_LINE * sizeof *to);
}

/* The tile whose numbers are those before (step -1) or after (1). */
static void numbers_from(const ReferenceGrid *self,
                         float *to,
                         const float *from,
                         gsize core,
                         guint layer,
                         int step)
{
    const guint column = sim_u32(core) % self->across;
    const bool has_next = step < 0 ? column > 0 : column + 1 < self->across;
    const gsize next = step < 0 ? core - 1 : core + 1;
    const float *here = from + tile_at(self, sim_u32(core), layer);
    const float *there = has_next ? from + tile_at(self, sim_u32(next), layer) : NULL;
    const guint edge = step < 0 ? 0 : REFERENCE_LINE - 1;

    for (guint line = 0; line < REFERENCE_LINES; line++) {
        float *target = to + (gsize) line * REFERENCE_LINE;
        const gsize beyond =
            (gsize) line * REFERENCE_LINE + (REFERENCE_LINE - 1 - edge);

        memcpy(step < 0 ? target + 1 : target,
               here + (gsize) line * REFERENCE_LINE + (step < 0 ? 0 : 1),
               (REFERENCE_LINE - 1) * sizeof *to);
        target[edge] = there == NULL ? 0 : there[beyond];
    }
}

static void layer_from(const ReferenceGrid *self,
                       float *to,
                       const float *from,
                       guint core,
                       guint layer,
                       int step)
{
    const gint64 other = (gint64) layer + step;

    if (other < 0 || other >= self->layers) {
        memset(to, 0, REFERENCE_TILE * sizeof *to);
        return;
    }
    memcpy(to, from + tile_at(self, core, sim_u32(other)), REFERENCE_TILE * sizeof *to);
}

static void term(const ReferenceGrid *self,
                 char which,
                 float *to,
                 const float *from,
                 guint core,
                 guint layer)
{
    if (which == 'n' || which == 's') {
        lines_from(self, to, from, core, layer, which == 'n' ? -1 : 1);
    } else if (which == 'w' || which == 'e') {
        numbers_from(self, to, from, core, layer, which == 'w' ? -1 : 1);
    } else {
        layer_from(self, to, from, core, layer, which == 'u' ? -1 : 1);
    }
}

void reference_grid_laplacian_tile(const ReferenceGrid *self,
                                   const ReferenceUnits *units,
                                   const ReferenceProduct *vectors,
                                   gsize at)
{
    const gsize layers = MAX(self->layers, 1);
    const guint core = sim_u32(at / REFERENCE_TILE / layers);
    const guint layer = sim_u32(at / REFERENCE_TILE % layers);
    const float *from = vectors->from + at;
    float *sum = vectors->to + at;
    float tile[REFERENCE_TILE];

    for (const char *which = self->order; *which != '\0'; which++) {
        if (*which == 'c' && self->diagonal != NULL) {
            reference_units_multiply(units, tile, from, self->diagonal + at,
                                     REFERENCE_TILE);
        } else if (*which == 'c') {
            reference_units_scale(units, tile, from, 6, REFERENCE_TILE);
        } else {
            term(self, *which, tile, vectors->minus, core, layer);
        }
        if (which == self->order) {
            memcpy(sum, tile, sizeof tile);
        } else {
            reference_units_add(units, sum, sum, tile, REFERENCE_TILE);
        }
    }
    mask_tile(self, core, sum);
}

void reference_grid_laplacian(const ReferenceGrid *self,
                              const ReferenceUnits *units,
                              float *to,
                              const float *from)
{
    const gsize count = reference_grid_count(self);
    g_autofree float *minus =
        sim_pages_large(g_new(float, count), count * sizeof(float));
    ReferenceProduct vectors = {.from = from, .minus = minus};

    vectors.to = to;
    reference_units_scale(units, minus, from, -1, count);
    for (gsize at = 0; at < count; at += REFERENCE_TILE) {
        reference_grid_laplacian_tile(self, units, &vectors, at);
    }
}

/* Adds a tile of products to a core's sum, of which it may be the first. */
static void add_products(const ReferenceUnits *units,
                         float *sum,
                         bool is_first,
                         const float *a,
                         const float *b)
{
    float product[REFERENCE_TILE];

    reference_units_multiply(units, is_first ? sum : product, a, b, REFERENCE_TILE);
    if (!is_first) {
        reference_units_add(units, sum, sum, product, REFERENCE_TILE);
    }
}

/* A core's products, added up tile by tile; by number, the total is in the first. */
static void sum_core(const ReferenceGrid *self,
                     const ReferenceUnits *units,
                     float *sum,
                     guint core,
                     const ReferencePair *pair)
{
    const guint cores_across = self->across / self->core_across;
    const guint first = core / cores_across * self->core_down * self->across +
                        core % cores_across * self->core_across;
    const guint columns = self->core_down * self->core_across;

    for (guint i = 0; i < self->layers * columns; i++) {
        const guint place = i % columns;
        const guint column = first + place / self->core_across * self->across +
                             place % self->core_across;
        const gsize at = tile_at(self, column, i / columns);

        if (pair->make != NULL) {
            pair->make(pair->data, at);
        }
        add_products(units, sum, i == 0, pair->a + at, pair->b + at);
    }
    if (!self->is_by_tile) {
        sum[0] = reference_units_total(units, sum);
    }
}

float reference_grid_dot(const ReferenceGrid *self,
                         const ReferenceUnits *units,
                         const ReferencePair *pair)
{
    const guint count = reference_grid_cores(self);
    g_autofree float *sums = g_new(float, (gsize) count *REFERENCE_TILE);
    const gsize width = self->is_by_tile ? REFERENCE_TILE : 1;
    guint root = 0;

    for (guint core = 0; core < count; core++) {
        sum_core(self, units, sums + (gsize) core * REFERENCE_TILE, core, pair);
    }
    for (guint i = 0; i < self->merge_count; i++) {
        float *to = sums + (gsize) self->merges[(gsize) 2 * i] * REFERENCE_TILE;

        reference_units_add(
            units, to, to,
            sums + (gsize) self->merges[(gsize) 2 * i + 1] * REFERENCE_TILE, width);
        root = self->merges[(gsize) 2 * i];
    }
    const float *total = sums + (gsize) root * REFERENCE_TILE;

    return self->is_by_tile ? reference_units_total(units, total) : total[0];
}
