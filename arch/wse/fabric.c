/* Builds the wafer from a layout. */
#include "arch/wse/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "arch/error.h"
#include "arch/wse/advance.h"
#include "arch/wse/data/diary.h"
#include "arch/wse/data/later.h"
#include "arch/wse/folding.h"
#include "arch/wse/kind.h"
#include "arch/wse/naps.h"
#include "arch/wse/pes.h"
#include "arch/wse/print.h"
#include "arch/wse/rank/fit.h"
#include "arch/wse/rank/ranks.h"
#include "arch/wse/region.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"
#include "sim/pages.h"

enum {
    LINE = 64,
};

void wse_fabric_set_stretches(WseFabric *self,
                              const ArchWseStretch *stretches,
                              guint count)
{
    g_array_set_size(self->factors, 0);
    for (guint i = 0; i < self->phases->len; i++) {
        const char *phase = g_ptr_array_index(self->phases, i);
        WseFactor factor = wse_factor(WSE_FACTOR_ONE);

        for (guint j = 0; j < count; j++) {
            if (g_str_equal(stretches[j].phase, phase)) {
                factor = wse_factor(stretches[j].factor);
            }
        }
        g_array_append_val(self->factors, factor);
    }
}

const WseFactor *wse_fabric_factor(const WseFabric *self, const char *phase)
{
    for (guint i = 0; i < self->phases->len; i++) {
        if (g_str_equal(g_ptr_array_index(self->phases, i), phase)) {
            return &g_array_index(self->factors, WseFactor, i);
        }
    }
    return NULL;
}

/* All factors go the same way as long as nothing has happened. */
static void widen_ranges(WseFabric *self)
{
    for (guint i = 0; i < self->factors->len; i++) {
        WseFactor *factor = &g_array_index(self->factors, WseFactor, i);

        *factor = wse_factor(factor->value);
    }
}

static void codes_new(WseFabric *self)
{
    const GPtrArray *programs = self->layout->programs;

    self->first_code = g_new(guint, programs->len);
    for (guint i = 0; i < programs->len; i++) {
        const ArchWseProgram *program = g_ptr_array_index(programs, i);

        self->first_code[i] = self->code_count;
        self->code_count += program->instructions->len;
        self->memory_stride = MAX(self->memory_stride, program->memory_bytes);
    }
    self->memory_stride = (self->memory_stride + LINE - 1) / LINE * LINE;
}

/* PEs in step may be faster than several threads. */
static bool is_best_alone(const WseFabric *self, guint threads)
{
    return wse_fit_suits(self, threads) &&
           !sim_region_is_watched(sim_engine_region(self->engine, 0));
}

/* A region for each band. */
static void cut(WseFabric *self, const ArchWseOptions *options)
{
    const guint threads = sim_crew_threads(sim_engine_crew(self->engine));
    const bool is_alone = options->band_count == 0 && is_best_alone(self, threads);
    const guint most = is_alone ? 1 : sim_engine_region_count(self->engine);

    self->bands = wse_bands_cut(
        self->layout->rows,
        options->band_count > 0 ? MIN(options->band_count, most) : most,
        options->band_count > 0 ? MAX(options->band_count, threads) : threads);
    self->whole_bands = self->bands;
    self->region_count = self->bands.band_count;
    if (options->band_count == 0 &&
        (!options->is_functional ||
         (!options->has_race_check && wse_later_suits(self)))) {
        wse_folding_begin(self);
    }
}

void wse_fabric_show(const WseFabric *self, uint32_t pe)
{
    wse_ranks_show(self->regions[0].ranks, pe);
    wse_naps_show(self, pe);
}

WseRegion *wse_fabric_find(const WseFabric *self, guint x, guint y, uint32_t *pe)
{
    *pe = wse_axis_at(&self->rows, y) * wse_axis_kept(&self->columns) +
          wse_axis_at(&self->columns, x);
    wse_fabric_show(self, *pe);
    return &self->regions[0];
}

static void regions_new(WseFabric *self)
{
    gsize bytes = self->region_count * sizeof(WseRegion);

    self->regions = aligned_alloc(WSE_REGION_ALIGNMENT, bytes);
    if (self->regions == NULL) {
        g_error("no memory for %u regions", self->region_count);
    }
    memset(self->regions, 0, bytes);
    for (guint i = 0; i < self->region_count; i++) {
        wse_region_begin(&self->regions[i], self,
                         i < sim_engine_region_count(self->engine) ? i : 0);
    }
}

/* Larger fabrics are tried before they are made; for others every host has memory. */
#define TRIED_BYTES ((gsize) 256 << 20)

static bool has_room(gsize bytes)
{
    gpointer room = bytes > TRIED_BYTES ? sim_pages_new(bytes) : NULL;
    const bool is_there = bytes <= TRIED_BYTES || room != NULL;

    sim_pages_free(room, bytes);
    return is_there;
}

static bool check_memory(const WseFabric *self, GError **error)
{
    const ArchWseLayout *layout = self->layout;
    const gsize pes = (gsize) layout->columns * layout->rows;
    const gsize memory = self->is_functional ? pes * self->memory_stride : 0;
    const gsize blocks = pes * self->block.bytes;

    if (sim_pages_is_filed(memory)) {
        return has_room(memory) ||
               arch_refuse(error,
                           "fabric of %u x %u PEs: no room for %" G_GSIZE_FORMAT
                           " bytes in the folder of files",
                           layout->columns, layout->rows, memory);
    }
    return has_room(blocks + memory) ||
           arch_refuse(error,
                       "fabric of %u x %u PEs: no memory for %" G_GSIZE_FORMAT " bytes",
                       layout->columns, layout->rows, blocks + memory);
}

static bool check_rings(const WseFabric *self, GError **error)
{
    for (guint i = 0; i < self->kinds->len; i++) {
        const WseKind *kind = &g_array_index(self->kinds, WseKind, i);

        if (kind->slot_count > WSE_MOST_SLOTS) {
            g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "program %s: the router and the queues of a PE hold %u "
                        "wavelets, at most %u can be simulated",
                        kind->program->name, kind->slot_count, (guint) WSE_MOST_SLOTS);
            return false;
        }
    }
    return true;
}

WseFabric *wse_fabric_new(SimEngine *engine,
                          ArchWseLayout *layout,
                          const ArchWseOptions *options,
                          GError **error)
{
    WseFabric *self = g_new0(WseFabric, 1);

    self->params = layout->params;
    self->engine = engine;
    self->numbers = wse_numbers_new(layout->params);
    self->layout = layout;
    self->is_functional = options->is_functional;
    self->ranks = options->ranks;
    self->is_driven = options->is_driven;
    self->has_lines = options->has_lines;
    self->is_stream = options->grain == ARCH_WSE_GRAIN_STREAM;
    self->columns = (WseAxis){.length = layout->columns};
    self->rows = (WseAxis){.length = layout->rows};
    self->pe_count = layout->columns * layout->rows;
    self->phases = g_ptr_array_new();
    self->prints = wse_prints_new();
    self->kind_of = g_new(uint32_t, (gsize) layout->columns * layout->rows);
    self->kinds = wse_kinds_new(layout, &self->numbers, self->is_stream, self->phases,
                                self->kind_of);
    self->block = wse_kinds_block(self->kinds, self->phases->len);
    self->factors = g_array_new(FALSE, FALSE, sizeof(WseFactor));
    self->has_ranges = sim_crew_threads(sim_engine_crew(engine)) == 1;
    wse_fabric_set_stretches(self, options->stretches, options->stretch_count);
    codes_new(self);
    if (!check_rings(self, error) || !check_memory(self, error)) {
        wse_fabric_free(self);
        return NULL;
    }
    cut(self, options);
    wse_pes_new(self);
    if (self->is_functional) {
        wse_pes_new_memory(self);
    }
    regions_new(self);
    wse_pes_reset(self);
    wse_pes_load(self);
    self->is_fresh = true;
    return self;
}

void wse_fabric_free(WseFabric *self)
{
    if (self != NULL) {
        if (self->regions != NULL) {
            wse_watch_free(self);
        }
        for (guint i = 0; self->regions != NULL && i < self->region_count; i++) {
            wse_region_end(&self->regions[i]);
        }
        free(self->regions);
        wse_pes_free(self);
        wse_folding_free(self->folding);
        wse_diary_free(self->diary);
        wse_prints_free(self->prints);
        g_clear_pointer(&self->host, g_hash_table_unref);
        g_free(self->kind_of);
        g_free(self->first_code);
        g_array_unref(self->factors);
        g_array_unref(self->kinds);
        g_ptr_array_unref(self->phases);
        arch_wse_layout_free(self->layout);
        g_free(self);
    }
}

bool wse_fabric_set_variable(WseFabric *self, const char *name, int32_t value)
{
    bool is_known = false;

    for (guint i = 0; i < self->kinds->len; i++) {
        WseKind *kind = &g_array_index(self->kinds, WseKind, i);
        guint variable = 0;

        if (arch_wse_program_find_variable(kind->program, name, &variable)) {
            kind->variables[variable] = value;
            is_known = true;
        }
    }
    self->is_fresh = self->is_fresh && !is_known;
    return is_known;
}

static void reset(WseFabric *self)
{
    wse_diary_reset(self);
    wse_prints_reset(self->prints);
    g_clear_pointer(&self->host, g_hash_table_unref);
    for (guint i = 0; i < self->region_count; i++) {
        wse_region_reset(&self->regions[i]);
    }
    wse_pes_reset(self);
}

void wse_fabric_start(WseFabric *self)
{
    self->start = sim_engine_now(self->engine) + 1;
    widen_ranges(self);
    if (!self->is_fresh) {
        reset(self);
    }
    self->is_fresh = false;
    self->may_nap = wse_naps_are_possible(self);
    if (!wse_watch_can_fold(self)) {
        wse_folding_end(self);
    }
    wse_watch_start(self);
    wse_pes_start(self);
    wse_advance_call(self, 0);
}
