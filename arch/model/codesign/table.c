/* Looks for the best tile of many machines.
 *
 * The time of a tile is N_w (T_sync + R X): R rounds of k tiles through N strips, each
 * of which takes the longer of moving (m') and computing (c) at least. Whatever k is,
 * R k is at least w / n_SM, rounded up; times N_w N, these are a tile's turns. Each
 * takes the longer of m' and c, or both where only one tile fits; N_w T_sync is added.
 * And c is never below V C_iter / n_V. The product N_w N w V does not depend on the
 * machine: tiles are sorted by it, and a search ends where it alone exceeds the best
 * time so far. Shared memory only says which tiles and k there are, so that one pass
 * answers for all sizes of it. */
#include "arch/model/codesign/table.h"

#include <math.h>

#include "arch/model/tiling/tiling.h"
#include "sim/narrow.h"

/* Bounds are computed in another order than times: they may be too high by this. */
#define BOUND_SLACK (1 - 1e-9)

enum {
    PARITY = 2, /* rows of a hexagon grow by two */
};

/* What a search looks at first, of each tile. */
typedef struct {
    double least; /* N_w N w V: points, with those that tiles compute in vain */
    double wavefronts;
    double words;  /* that a tile moves */
    guint before;  /* its passes are what stands in `passes` here, */
    guint through; /* less what stands there, twice */
    guint two;     /* step from which on two fit at once */
} Hot;

typedef struct {
    GpuTile tile;
    uint64_t bytes;
    uint64_t wavefronts;
    uint64_t tiles;
    uint64_t strips;
    Hot hot;
} Row;

/* The passes of rows up to a width, of tiles with one depth: sums of ceil(x depth /
 * n_V) over x of the same parity. */
typedef struct {
    uint64_t depth;
    guint start; /* in `passes` */
    guint most;  /* widest row */
} Curve;

struct GpuTileTable {
    GpuTilingProblem problem;
    GpuLadder ladder;
    GpuTilingForm form;
    GArray *rows;                      /* of Row; sorted by step, then by least */
    Hot *hot;                          /* of each row */
    guint first[GPU_LADDER_STEPS + 1]; /* row of each step */
    GArray *curves;
    guint *passes;
    guint vector_units;
    double *turns; /* of each row, on so many multiprocessors: */
    guint multiprocessors;
};

static uint64_t depth_of(const GpuTile *tile, guint dimension)
{
    uint64_t depth = 1;

    for (guint i = 1; i < dimension; i++) {
        depth *= tile->space[i];
    }
    return depth;
}

static guint step_of(const GpuLadder *ladder, uint64_t bytes)
{
    guint step = 0;

    while (step < ladder->count && bytes > ladder->block_bytes[step]) {
        step++;
    }
    return step;
}

/* The first step at which two tiles are resident; one more than there are: none. */
static guint step_of_two(const GpuLadder *ladder, uint64_t bytes)
{
    guint step = step_of(ladder, bytes);

    while (step < ladder->count &&
           (ladder->blocks < 2 || ladder->shared_bytes[step] < 2 * bytes)) {
        step++;
    }
    return step;
}

static void add_row(GpuTileTable *self, const GpuTile *tile, uint64_t bytes)
{
    static const GpuTilingMachine any = {.multiprocessors = 1, .vector_units = 1};
    GpuTileShape shape;
    GpuTilingTime time;
    Row row = {.tile = *tile, .bytes = bytes};

    gpu_tile_shape(tile, self->problem.dimension, 1, &shape);
    gpu_tiling_time_of(&self->problem, tile, &shape, &any, self->form, &time);
    row.wavefronts = time.wavefronts;
    row.tiles = time.tiles;
    row.strips = time.strips;
    row.hot.least = (double) time.wavefronts * (double) time.strips *
                    (double) time.tiles * (double) time.points;
    row.hot.wavefronts = (double) time.wavefronts;
    row.hot.words = (double) time.moved_words;
    row.hot.two = step_of_two(&self->ladder, bytes);
    g_array_append_val(self->rows, row);
}

/* All sizes of one dimension of space, then those further in. */
static void add_tiles(GpuTileTable *self, GpuTile *tile, guint dimension)
{
    const guint count = self->problem.dimension;
    const uint64_t unit = dimension > 0 && dimension == count - 1 ? GPU_TILING_WARP : 1;
    const uint64_t most = self->ladder.block_bytes[self->ladder.count - 1];

    for (uint64_t size = unit; size - unit < self->problem.space[dimension];
         size += unit) {
        uint64_t bytes;

        tile->space[dimension] = size;
        for (guint i = dimension + 1; i < count; i++) {
            tile->space[i] = i == count - 1 ? GPU_TILING_WARP : 1; /* the least */
        }
        bytes = gpu_tile_bytes(tile, count);
        if (bytes > most) {
            return;
        }
        /* Compilers do not know that there are no more. */
        if (dimension + 1 < count && dimension + 1 < GPU_TILING_DIMENSIONS) {
            add_tiles(self, tile, dimension + 1);
        } else {
            add_row(self, tile, bytes);
        }
    }
}

static int compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
    const GpuTileTable *self = data;
    const Row *one = a;
    const Row *two = b;
    const guint steps[] = {step_of(&self->ladder, one->bytes),
                           step_of(&self->ladder, two->bytes)};

    if (steps[0] != steps[1]) {
        return steps[0] < steps[1] ? -1 : 1;
    }
    return (one->hot.least > two->hot.least) - (one->hot.least < two->hot.least);
}

static const Row *row_at(const GpuTileTable *self, guint index)
{
    return &g_array_index(self->rows, Row, index);
}

static guint widest(const GpuTile *tile)
{
    return sim_u32(tile->space[0] + tile->steps - PARITY);
}

/* One for each depth that tiles have; `places` says which. */
static GArray *curves_of(const GpuTileTable *self, GHashTable *places)
{
    GArray *curves = g_array_new(FALSE, FALSE, sizeof(Curve));

    for (guint i = 0; i < self->rows->len; i++) {
        const GpuTile *tile = &row_at(self, i)->tile;
        const Curve curve = {.depth = depth_of(tile, self->problem.dimension)};
        gpointer place;

        if (!g_hash_table_lookup_extended(places, GSIZE_TO_POINTER(curve.depth), NULL,
                                          &place)) {
            place = GUINT_TO_POINTER(curves->len);
            g_hash_table_insert(places, GSIZE_TO_POINTER(curve.depth), place);
            g_array_append_val(curves, curve);
        }
        Curve *at = &g_array_index(curves, Curve, GPOINTER_TO_UINT(place));

        at->most = MAX(at->most, widest(tile));
    }
    return curves;
}

/* Curves begin with sums of nothing, for widths of -1 and 0. */
static void lay_curves(GpuTileTable *self)
{
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    guint length = 0;

    self->curves = curves_of(self, places);
    for (guint i = 0; i < self->curves->len; i++) {
        Curve *curve = &g_array_index(self->curves, Curve, i);

        curve->start = length;
        length += curve->most + PARITY;
    }
    self->passes = g_new0(guint, length);
    for (guint i = 0; i < self->rows->len; i++) {
        Row *row = &g_array_index(self->rows, Row, i);
        const uint64_t depth = depth_of(&row->tile, self->problem.dimension);
        const Curve *curve = &g_array_index(
            self->curves, Curve,
            GPOINTER_TO_UINT(g_hash_table_lookup(places, GSIZE_TO_POINTER(depth))));

        row->hot.before = curve->start + sim_u32(row->tile.space[0]) - 1;
        row->hot.through = curve->start + widest(&row->tile) + 1;
    }
}

GpuTileTable *gpu_tile_table_new(const GpuTilingProblem *problem,
                                 const GpuLadder *ladder,
                                 GpuTilingForm form)
{
    GpuTileTable *self = g_new0(GpuTileTable, 1);
    GpuTile tile = {.resident = 1};

    g_assert(ladder->count > 0 && ladder->count <= GPU_LADDER_STEPS);
    self->problem = *problem;
    self->ladder = *ladder;
    self->form = form;
    self->rows = g_array_new(FALSE, FALSE, sizeof(Row));
    for (tile.steps = 2; tile.steps - 2 < problem->steps; tile.steps += 2) {
        const guint before = self->rows->len;

        add_tiles(self, &tile, 0);
        if (self->rows->len == before) {
            break; /* nor do longer ones fit */
        }
    }
    g_array_sort_with_data(self->rows, compare_rows, self);
    lay_curves(self);
    self->turns = g_new(double, self->rows->len + 1);
    self->hot = g_new(Hot, self->rows->len + 1);
    for (guint i = 0; i < self->rows->len; i++) {
        self->hot[i] = row_at(self, i)->hot;
        self->first[step_of(ladder, row_at(self, i)->bytes) + 1] = i + 1;
    }
    for (guint i = 1; i <= GPU_LADDER_STEPS; i++) {
        self->first[i] = MAX(self->first[i], self->first[i - 1]);
    }
    return self;
}

void gpu_tile_table_free(GpuTileTable *self)
{
    g_array_unref(self->rows);
    g_array_unref(self->curves);
    g_free(self->hot);
    g_free(self->turns);
    g_free(self->passes);
    g_free(self);
}

static void set_multiprocessors(GpuTileTable *self, guint multiprocessors)
{
    self->multiprocessors = multiprocessors;
    for (guint i = 0; i < self->rows->len; i++) {
        const Row *row = row_at(self, i);
        const uint64_t each = (row->tiles + multiprocessors - 1) / multiprocessors;

        self->turns[i] =
            (double) row->wavefronts * (double) row->strips * (double) each;
    }
}

static void set_vector_units(GpuTileTable *self, guint vector_units)
{
    self->vector_units = vector_units;
    for (guint i = 0; i < self->curves->len; i++) {
        const Curve *curve = &g_array_index(self->curves, Curve, i);
        guint *sums = self->passes + curve->start + 1; /* of width 0 */

        for (guint x = 1; x <= curve->most; x++) {
            const uint64_t lanes = x * curve->depth;

            sums[x] = sim_u32((lanes + vector_units - 1) / vector_units) +
                      (x >= PARITY ? sums[x - PARITY] : 0);
        }
    }
}

void gpu_tile_table_set_units(GpuTileTable *self,
                              guint multiprocessors,
                              guint vector_units)
{
    if (multiprocessors != self->multiprocessors) {
        set_multiprocessors(self, multiprocessors);
    }
    if (vector_units != self->vector_units) {
        set_vector_units(self, vector_units);
    }
}

/* What all tiles of a query share. */
typedef struct {
    const GpuTileTable *table;
    const GpuTileQuery *query;
    double word_seconds;
    GpuFound *found;
} Search;

static void offer(const Search *self, guint step, double seconds, const GpuTile *tile)
{
    for (guint i = step; i <= self->query->to && seconds < self->found[i].seconds;
         i++) {
        self->found[i] = (GpuFound){.seconds = seconds, .tile = *tile};
    }
}

/* All k that fit, each offered to the first step that has the memory for it. */
static void try_tile(const Search *self, const Row *row, double move, double compute)
{
    const GpuTilingMachine *machine = self->query->machine;
    const GpuLadder *ladder = &self->table->ladder;
    const guint first = MAX(step_of(ladder, row->bytes), self->query->from);
    const double longer = MAX(move, compute);
    const bool is_printed = self->table->form == GPU_TILING_AS_PRINTED;
    const double once = is_printed ? move : move + compute - longer;
    const double strips = (double) row->strips;
    GpuTile tile = row->tile;

    tile.resident = 1;
    for (guint step = first; step <= self->query->to; step++) {
        const uint64_t most =
            MIN(ladder->shared_bytes[step] / row->bytes, ladder->blocks);

        for (; tile.resident <= most; tile.resident++) {
            const uint64_t share = (uint64_t) tile.resident * machine->multiprocessors;
            const uint64_t rounds = (row->tiles + share - 1) / share;
            const double seconds = tile.resident == 1
                                       ? (move + compute) * strips
                                       : once + tile.resident * strips * longer;

            offer(self, step,
                  (double) row->wavefronts *
                      (machine->launch_seconds + (double) rounds * seconds),
                  &tile);
        }
    }
}

/* The tiles that fit a step of the ladder, but not the one before. */
static void search_step(const Search *self, guint step)
{
    const GpuTileTable *table = self->table;
    const GpuTilingMachine *machine = self->query->machine;
    const double *best = &self->found[MAX(step, self->query->from)].seconds;
    const double point = BOUND_SLACK * self->query->point_seconds /
                         ((double) table->vector_units * machine->multiprocessors);
    const double launch = BOUND_SLACK * machine->launch_seconds;
    const double barriers = PARITY * machine->barrier_seconds;

    for (guint i = table->first[step]; i < table->first[step + 1]; i++) {
        const Hot *hot = &table->hot[i];
        const double move = hot->words * self->word_seconds + barriers;
        const double turns = BOUND_SLACK * table->turns[i];
        double compute;

        if (hot->least * point >= *best) {
            return;
        }
        if (hot->wavefronts * launch + turns * move >= *best) {
            continue;
        }
        compute = PARITY *
                  (double) (table->passes[hot->through] - table->passes[hot->before]) *
                  self->query->point_seconds;
        if (hot->wavefronts * launch + turns * (move + compute) < *best ||
            (hot->two <= self->query->to &&
             hot->wavefronts * launch + turns * MAX(move, compute) <
                 self->found[MAX(hot->two, self->query->from)].seconds)) {
            const Row *row = row_at(table, i);

            compute += (double) row->tile.steps * machine->barrier_seconds;
            try_tile(self, row, move, compute);
        }
    }
}

/* How long what was good for another machine takes here. */
static void weigh_start(const Search *self, GpuFound *start)
{
    GpuTilingMachine machine = *self->query->machine;
    GpuTilingProblem problem = self->table->problem;
    GpuTilingTime time;

    if (isfinite(start->seconds)) {
        machine.vector_units = self->table->vector_units;
        problem.point_seconds = self->query->point_seconds;
        gpu_tiling_time(&problem, &start->tile, &machine, self->table->form, &time);
        start->seconds = time.seconds;
    }
}

void gpu_tile_table_search(const GpuTileTable *self,
                           const GpuTileQuery *query,
                           GpuFound *found)
{
    const GpuTilingMachine *machine = query->machine;
    const Search search = {
        .table = self,
        .query = query,
        .word_seconds =
            machine->word_seconds *
            (self->form == GPU_TILING_CORRECTED ? machine->multiprocessors : 1),
        .found = found,
    };

    g_assert(self->vector_units > 0 &&
             machine->multiprocessors == self->multiprocessors &&
             query->to < self->ladder.count);
    for (guint i = query->from; i <= query->to; i++) {
        weigh_start(&search, &found[i]);
        if (i > query->from && found[i - 1].seconds < found[i].seconds) {
            found[i] = found[i - 1];
        }
    }
    for (guint step = 0; step <= query->to; step++) {
        search_step(&search, step);
    }
}
