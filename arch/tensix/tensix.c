/* Manages the Tensix cores of a chip: which exist, their programs and reports. */
#include "arch/tensix.h"

#include <string.h>

#include "arch/error.h"
#include "arch/family.h"
#include "arch/tensix/compute/compute.h"
#include "arch/tensix/core.h"
#include "arch/tensix/core_lane.h"
#include "arch/tensix/fabric.h"
#include "arch/tensix/mover/mover.h"
#include "arch/tensix/race/race.h"
#include "sim/narrow.h"

static void check(gpointer data, GPtrArray *lines)
{
    const ArchTensix *self = data;

    for (guint i = 0; self->has_program && i < self->columns * self->rows; i++) {
        tensix_core_check(&self->cores[i], lines);
    }
}

uint64_t tensix_progress(const ArchTensix *self, SimTime now)
{
    uint64_t progress = 0;

    for (guint i = 0; self->has_program && i < self->columns * self->rows; i++) {
        const ArchTensixCore *core = &self->cores[i];

        for (guint j = 0; j < MOVERS; j++) {
            if (core->movers[j] != NULL) {
                progress += tensix_mover_progress(core->movers[j], now);
            }
        }
        for (guint j = 0; j < CIRCULAR_BUFFERS; j++) {
            progress += core->buffers[j].pushed.total + core->buffers[j].popped.total;
        }
        if (core->compute != NULL) {
            progress += tensix_compute_progress(core->compute, now);
        }
    }
    return progress;
}

static bool is_listed(const ArchParams *params, const char *path, uint64_t value)
{
    gsize count = 0;
    const uint64_t *list = arch_params_list(params, path, &count);

    for (gsize i = 0; i < count; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return false;
}

/* Rows of tiles that work, from the top; the last of them may be left to dispatch. */
static GArray *functional_rows(const ArchParams *params)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    gsize count = 0;
    const uint64_t *list = arch_params_list(params, "grid.tensix_rows", &count);

    for (gsize i = 0; i < count; i++) {
        guint row = sim_u32(list[i]);

        if (!is_listed(params, "grid.harvested_rows", row)) {
            g_array_append_val(rows, row);
        }
    }
    return rows;
}

static void make_core(ArchTensix *self, guint index, ArchTile tile)
{
    ArchTensixCore *core = &self->cores[index];

    core->owner = self;
    core->index = index;
    core->x = index % self->columns;
    core->y = index / self->columns;
    core->tile = tile;
    core->name = g_strdup_printf("core[%u,%u]", core->x, core->y);
    core->region = 1 + index % TENSIX_COMPUTE_REGIONS;
    for (guint i = 0; i < CIRCULAR_BUFFERS; i++) {
        core->buffers[i].index = i;
    }
    self->core_by_tile[tile.x + arch_wormhole_noc_width(self->noc) * tile.y] = core;
}

static void make_cores(ArchTensix *self)
{
    const ArchParams *params = self->params;
    g_autoptr(GArray) rows = functional_rows(params);
    gsize column_count = 0;
    const uint64_t *columns =
        arch_params_list(params, "grid.tensix_columns", &column_count);

    self->columns = MIN(sim_u32(column_count),
                        sim_u32(arch_params_uint(params, "grid.compute_column_count")));
    self->rows =
        MIN(rows->len, sim_u32(arch_params_uint(params, "grid.compute_row_count")));
    self->cores = g_new0(ArchTensixCore, (gsize) self->columns * self->rows);
    self->core_by_tile =
        g_new0(ArchTensixCore *, (gsize) arch_wormhole_noc_width(self->noc) *
                                     arch_wormhole_noc_height(self->noc));
    for (guint i = 0; i < self->columns * self->rows; i++) {
        make_core(self, i,
                  (ArchTile){.x = sim_u32(columns[i % self->columns]),
                             .y = g_array_index(rows, guint, i / self->columns)});
    }
}

ArchTensix *arch_tensix_new(SimEngine *engine,
                            const ArchParams *params,
                            ArchDram *dram,
                            GError **error)
{
    const ArchWormholeNocOptions options = {.has_contention = true,
                                            .has_l1_conflicts = true};
    g_autoptr(ArchWormholeNoc) noc = arch_wormhole_noc_new(
        sim_engine_region(engine, 0), sim_key(UINT32_MAX, 0), params, options, error);
    ArchTensix *self;

    if (noc == NULL) {
        return NULL;
    }
    self = g_new0(ArchTensix, 1);
    self->engine = engine;
    self->params = params;
    self->dram = dram;
    self->options = (ArchTensixOptions){.is_functional = true};
    self->region_count = 1 + TENSIX_COMPUTE_REGIONS;
    self->window = arch_family_tensix.window_cycles(params);
    self->noc = g_steal_pointer(&noc);
    self->received_bytes = sim_engine_counter(engine, "received_bytes");
    self->sent_bytes = sim_engine_counter(engine, "sent_bytes");
    self->ethernet_bytes = sim_engine_counter(engine, "ethernet_bytes");
    self->dram_bytes = sim_engine_counter(engine, "dram_bytes");
    self->flops = sim_engine_counter(engine, "flops");
    self->fabric = tensix_fabric_new(self);
    make_cores(self);
    tensix_core_lanes_make(self);
    arch_wormhole_noc_show_links(self->noc);
    sim_engine_add_audit(engine, tensix_audit, self);
    sim_engine_add_check(engine, check, self);
    return self;
}

void arch_tensix_free(ArchTensix *self)
{
    if (self != NULL) {
        sim_engine_remove_audit(self->engine, tensix_audit, self);
        sim_engine_remove_check(self->engine, check, self);
        for (guint i = 0; i < self->columns * self->rows; i++) {
            tensix_core_reset(&self->cores[i]);
            tensix_l1_free(self->cores[i].l1);
            g_free(self->cores[i].name);
        }
        tensix_fabric_free(self->fabric);
        arch_wormhole_noc_free(self->noc);
        tensix_mover_numbers_free(self->mover_numbers);
        tensix_races_free(self->races);
        g_free(self->core_by_tile);
        g_free(self->cores);
        g_free(self);
    }
}

void arch_tensix_set_options(ArchTensix *self, ArchTensixOptions options)
{
    g_return_if_fail(!self->has_program);

    self->options = options;
    if (options.has_race_check && self->races == NULL) {
        self->races = tensix_races_new(self);
    }
}

guint arch_tensix_columns(const ArchTensix *self)
{
    return self->columns;
}

guint arch_tensix_rows(const ArchTensix *self)
{
    return self->rows;
}

ArchWormholeNoc *arch_tensix_noc(const ArchTensix *self)
{
    return self->noc;
}

ArchTensixCore *arch_tensix_core(ArchTensix *self, guint x, guint y, GError **error)
{
    if (x < self->columns && y < self->rows) {
        return &self->cores[x + self->columns * y];
    }
    const ArchParam *harvested = arch_params_find(self->params, "grid.harvested_rows");

    g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                "core %u,%u is outside the compute grid, which has 0..%u,0..%u (rows "
                "%s of the chip are harvested, what is left dispatches)",
                x, y, self->columns - 1, self->rows - 1,
                harvested->value[0] == '\0' ? "none" : harvested->value);
    return NULL;
}

ArchTensixCore *tensix_core_at(const ArchTensix *self, ArchTile tile)
{
    return self->core_by_tile[tile.x + arch_wormhole_noc_width(self->noc) * tile.y];
}

void tensix_begin(ArchTensix *self)
{
    if (!self->has_program) {
        self->has_program = true;
        self->start = sim_engine_now(self->engine);
        arch_wormhole_noc_show_links(self->noc);
    }
}

bool arch_tensix_finish(ArchTensix *self, GError **error)
{
    bool is_right = true;

    if (self->races != NULL) {
        tensix_races_finish(self->races);
    }
    for (guint i = 0; i < self->columns * self->rows; i++) {
        is_right = is_right && tensix_core_check_end(&self->cores[i], error);
        tensix_core_reset(&self->cores[i]);
    }
    self->has_program = false;
    return is_right;
}

void arch_tensix_keep(ArchTensix *self)
{
    for (guint i = 0; i < self->columns * self->rows; i++) {
        if (self->cores[i].l1 != NULL) {
            tensix_l1_keep(self->cores[i].l1);
        }
    }
}

void arch_tensix_clear(ArchTensix *self)
{
    for (guint i = 0; i < self->columns * self->rows; i++) {
        if (self->cores[i].l1 != NULL) {
            tensix_l1_clear(self->cores[i].l1);
        }
    }
}

/* When the last kernel ended: what it has pushed is seen some cycles later. */
static SimTime end_of(const ArchTensix *self)
{
    SimTime end = self->start;

    for (guint i = 0; i < self->columns * self->rows; i++) {
        const ArchTensixCore *core = &self->cores[i];

        if (core->compute != NULL) {
            end = MAX(end, core->compute->end);
        }
        for (guint j = 0; j < MOVERS; j++) {
            if (core->movers[j] != NULL) {
                end = MAX(end, arch_mover_now(core->movers[j]));
            }
        }
    }
    return end;
}

ArchTensixSpan arch_tensix_span(const ArchTensix *self)
{
    ArchTensixSpan span = {.cycles = end_of(self) - self->start, .end = end_of(self)};

    for (guint i = 0; i < self->columns * self->rows; i++) {
        const ArchTensixCore *core = &self->cores[i];
        bool has_kernel = core->compute != NULL;

        for (guint j = 0; j < MOVERS; j++) {
            has_kernel = has_kernel || core->movers[j] != NULL;
        }
        span.core_count += has_kernel;
    }
    return span;
}

static void add_core_uses(const ArchTensixCore *core, SimTime end, GArray *uses)
{
    if (core->compute != NULL) {
        tensix_compute_uses(core->compute, end, uses);
    }
    for (guint i = 0; i < MOVERS; i++) {
        if (core->movers[i] != NULL) {
            tensix_mover_uses(core->movers[i], end, uses);
        }
    }
}

static void add_use(GArray *uses, const ArchTensixUse *use)
{
    for (guint i = 0; i < uses->len; i++) {
        ArchTensixUse *sum = &g_array_index(uses, ArchTensixUse, i);

        if (g_str_equal(sum->name, use->name) &&
            g_str_equal(sum->reason, use->reason)) {
            sum->cycles += use->cycles;
            return;
        }
    }
    g_array_append_vals(uses, use, 1);
}

GArray *arch_tensix_uses(const ArchTensix *self, const ArchTensixCore *core)
{
    GArray *uses = g_array_new(FALSE, FALSE, sizeof(ArchTensixUse));
    const SimTime end = end_of(self);

    if (core != NULL) {
        add_core_uses(core, end, uses);
        return uses;
    }
    for (guint i = 0; i < self->columns * self->rows; i++) {
        g_autoptr(GArray) some = g_array_new(FALSE, FALSE, sizeof(ArchTensixUse));

        add_core_uses(&self->cores[i], end, some);
        for (guint j = 0; j < some->len; j++) {
            add_use(uses, &g_array_index(some, ArchTensixUse, j));
        }
    }
    return uses;
}

static int compare_zones(gconstpointer a, gconstpointer b)
{
    return strcmp(((const ArchTensixZone *) a)->name,
                  ((const ArchTensixZone *) b)->name);
}

GArray *arch_tensix_zones(const ArchTensix *self)
{
    g_autoptr(GHashTable) by_name =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    GArray *zones = g_array_new(FALSE, FALSE, sizeof(ArchTensixZone));
    GHashTableIter iter;
    gpointer zone;

    for (guint i = 0; i < self->columns * self->rows; i++) {
        const ArchTensixCore *core = &self->cores[i];

        if (core->compute != NULL) {
            tensix_compute_zones(core->compute, by_name);
        }
        for (guint j = 0; j < MOVERS; j++) {
            if (core->movers[j] != NULL) {
                tensix_mover_zones(core->movers[j], by_name);
            }
        }
    }
    g_hash_table_iter_init(&iter, by_name);
    while (g_hash_table_iter_next(&iter, NULL, &zone)) {
        g_array_append_vals(zones, zone, 1);
    }
    g_array_sort(zones, compare_zones);
    return zones;
}
