/* Answers the host: layouts, launches, memory, results. */
#include "arch/wse.h"

#include <string.h>

#include "arch/error.h"
#include "arch/wse/ce/race.h"
#include "arch/wse/data/backlog.h"
#include "arch/wse/data/diary.h"
#include "arch/wse/folding.h"
#include "arch/wse/host.h"
#include "arch/wse/layout.h"
#include "arch/wse/region.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

typedef struct {
    guint columns;
    guint rows;
} Size;

struct ArchWse {
    SimEngine *engine;
    const ArchParams *params;
    WseFabric *fabric; /* NULL before something is loaded */
    GArray *sizes;     /* of Size: of layouts so far */
    WseRaces *races;
};

static void audit(gpointer data, GPtrArray *lines)
{
    const WseFabric *fabric = wse_fabric_of(data);

    if (fabric != NULL) {
        wse_audit(fabric, lines);
    }
}

static void check(gpointer data, GPtrArray *lines)
{
    const WseFabric *fabric = wse_fabric_of(data);

    if (fabric != NULL) {
        wse_check(fabric, lines);
    }
}

ArchWse *arch_wse_new(SimEngine *engine, const ArchParams *params)
{
    ArchWse *self = g_new0(ArchWse, 1);

    self->engine = engine;
    self->params = params;
    self->sizes = g_array_new(FALSE, FALSE, sizeof(Size));
    self->races = wse_races_new();
    sim_engine_add_audit(engine, audit, self);
    sim_engine_add_check(engine, check, self);
    return self;
}

void arch_wse_free(ArchWse *self)
{
    if (self != NULL) {
        sim_engine_remove_audit(self->engine, audit, self);
        sim_engine_remove_check(self->engine, check, self);
        wse_fabric_free(self->fabric);
        g_array_unref(self->sizes);
        wse_races_free(self->races);
        g_free(self);
    }
}

uint64_t arch_wse_progress(const ArchWse *self)
{
    return self->fabric != NULL ? wse_progress(self->fabric) : 0;
}

const WseFabric *wse_fabric_of(const ArchWse *self)
{
    if (self->fabric != NULL) {
        wse_folding_settle(self->fabric);
    }
    return self->fabric;
}

static bool check_data(const ArchWseLayout *layout, GError **error)
{
    for (guint i = 0; i < layout->programs->len; i++) {
        const ArchWseProgram *program = g_ptr_array_index(layout->programs, i);

        if (program->needs_data) {
            return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                            "program %s: what it does depends on its numbers, so it "
                            "cannot run without them (--timing-only)",
                            program->name);
        }
    }
    return true;
}

static bool check_dynamic(const ArchWseLayout *layout, GError **error)
{
    for (guint i = 0; i < layout->programs->len; i++) {
        const ArchWseProgram *program = g_ptr_array_index(layout->programs, i);

        if (program->is_dynamic) {
            return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                            "program %s: its operations find operands in registers, "
                            "which only grain=wavelet can do",
                            program->name);
        }
    }
    return true;
}

static bool
check_filter(const WseRoute *route, const ArchWseOptions *options, GError **error)
{
    if (route->filter.kind == ARCH_WSE_FILTER_RANGE && !options->is_functional) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "color %u has a filter by index, which needs the numbers that "
                        "wavelets carry (--timing-only)",
                        route->color);
    }
    if (route->filter.kind != ARCH_WSE_FILTER_NONE &&
        options->grain == ARCH_WSE_GRAIN_STREAM) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "color %u has a filter, which looks at every wavelet: only "
                        "grain=wavelet can do that",
                        route->color);
    }
    return true;
}

static bool
check_grain(const ArchWseLayout *layout, const ArchWseOptions *options, GError **error)
{
    if ((!options->is_functional && !check_data(layout, error)) ||
        (options->grain == ARCH_WSE_GRAIN_STREAM && !check_dynamic(layout, error))) {
        return false;
    }
    for (guint i = 0; i < layout->routers->len; i++) {
        const WseRouter *router = &g_array_index(layout->routers, WseRouter, i);

        for (guint slot = 0; slot < router->route_count; slot++) {
            if (!check_filter(&router->routes[slot], options, error)) {
                return false;
            }
        }
    }
    return true;
}

/* Lanes of PEs are those of a layout's size: the first is pe, others pe2, pe3, ... */
static const char *lane_kind(ArchWse *self, const ArchWseLayout *layout)
{
    const Size size = {.columns = layout->columns, .rows = layout->rows};
    guint number = 0;

    while (number < self->sizes->len &&
           (g_array_index(self->sizes, Size, number).columns != size.columns ||
            g_array_index(self->sizes, Size, number).rows != size.rows)) {
        number++;
    }
    if (number == self->sizes->len) {
        g_array_append_val(self->sizes, size);
    }
    g_autofree char *name = g_strdup_printf("pe%u", number + 1);

    return number == 0 ? "pe" : g_intern_string(name);
}

bool arch_wse_load(ArchWse *self,
                   ArchWseLayout *layout,
                   const ArchWseOptions *options,
                   GError **error)
{
    g_autoptr(ArchWseLayout) owned = layout;

    if (!arch_wse_layout_finish(owned, error) || !check_grain(owned, options, error)) {
        return false;
    }
    wse_fabric_free(self->fabric);
    self->fabric =
        wse_fabric_new(self->engine, g_steal_pointer(&owned), options, error);
    if (self->fabric == NULL) {
        return false;
    }
    self->fabric->lane_kind = lane_kind(self, self->fabric->layout);
    self->fabric->races = options->has_race_check ? self->races : NULL;
    return true;
}

bool arch_wse_set_variable(ArchWse *self,
                           const char *name,
                           int32_t value,
                           GError **error)
{
    return wse_fabric_set_variable(self->fabric, name, value) ||
           arch_refuse(error, "no PE has a variable %s, pe:variable makes them", name);
}

void arch_wse_set_stretches(ArchWse *self, const ArchWseStretch *stretches, guint count)
{
    wse_fabric_set_stretches(self->fabric, stretches, count);
}

void arch_wse_start(ArchWse *self)
{
    wse_fabric_start(self->fabric);
}

bool arch_wse_launch(ArchWse *self, const ArchWseLaunch *launch, GError **error)
{
    return wse_fabric_launch(self->fabric, launch, error);
}

bool arch_wse_send(ArchWse *self,
                   const ArchWseStream *stream,
                   const uint32_t *words,
                   GError **error)
{
    return wse_host_send(self->fabric, stream, words, error);
}

bool arch_wse_expect(ArchWse *self, const ArchWseStream *stream, GError **error)
{
    return wse_host_expect(self->fabric, stream, error);
}

bool arch_wse_take(ArchWse *self,
                   const ArchWseStream *stream,
                   uint32_t *words,
                   GError **error)
{
    return wse_host_take(self->fabric, stream, words, error);
}

void arch_wse_finish_watch(ArchWse *self)
{
    if (self->fabric != NULL) {
        wse_watch_finish(self->fabric);
    }
}

GPtrArray *arch_wse_races(ArchWse *self)
{
    return wse_races_lines(self->races);
}

/* The array of a part; bytes of all memory if it has no name. */
static bool find_symbol(const WseFabric *fabric,
                        const ArchWseProgram *program,
                        const char *name,
                        ArchWseSymbol *symbol)
{
    if (name == NULL) {
        *symbol = (ArchWseSymbol){.type = ARCH_WSE_U8,
                                  .count = sim_u32(fabric->memory_stride)};
        return true;
    }
    return arch_wse_program_find(program, name, symbol);
}

/* The program of one PE; NULL with an error where the part is not in the PE. */
static const ArchWseProgram *find_part(
    const WseFabric *fabric, const ArchWsePart *part, guint x, guint y, GError **error)
{
    const WseKind *kind = &g_array_index(
        fabric->kinds, WseKind, fabric->kind_of[wse_layout_pe(fabric->layout, x, y)]);
    ArchWseSymbol symbol;

    if (!find_symbol(fabric, kind->program, part->name, &symbol)) {
        (void) arch_refuse(error, "pe[%u,%u]: program %s has no array %s", x, y,
                           kind->program->name, part->name);
        return NULL;
    }
    if (part->first > symbol.count || part->count > symbol.count - part->first) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "pe[%u,%u]: numbers %u..%u of array %s, it has %u", x, y,
                    part->first, part->first + part->count,
                    part->name == NULL ? "of all bytes" : part->name, symbol.count);
        return NULL;
    }
    return kind->program;
}

/* Where the part lies in the memory of such a PE. */
static WseBytes
part_of(const WseFabric *fabric, const ArchWseProgram *program, const ArchWsePart *part)
{
    ArchWseSymbol symbol;

    find_symbol(fabric, program, part->name, &symbol);
    const guint size = arch_wse_type_bytes(symbol.type);
    const guint low = symbol.address + part->first * size;

    return (WseBytes){sim_i32(low), sim_i32(low + part->count * size)};
}

/* A copy of a part, row by row of its PEs. */
typedef struct {
    WseFabric *fabric;
    const ArchWsePart *part;
    char *data;
    bool is_write;
    gsize *firsts; /* by row: its first byte of the data */
    bool is_kept;  /* the data stays as it is */
} Copy;

static guint row_count(const ArchWseTiles *tiles)
{
    return (tiles->y1 - tiles->y0) / tiles->dy + 1;
}

/* Fills in the rows' first bytes. */
static bool check_copy(const Copy *self, gsize bytes, GError **error)
{
    const ArchWseTiles *tiles = &self->part->tiles;
    gsize total = 0;

    for (guint i = 0; i < row_count(tiles); i++) {
        self->firsts[i] = total;
        for (guint x = tiles->x0; x <= tiles->x1; x += tiles->dx) {
            const ArchWseProgram *program = find_part(self->fabric, self->part, x,
                                                      tiles->y0 + i * tiles->dy, error);

            if (program == NULL) {
                return false;
            }
            const WseBytes place = part_of(self->fabric, program, self->part);

            total += (gsize) (place.high - place.low);
        }
    }
    return total == bytes ||
           arch_refuse(error,
                       "array %s of these PEs takes %" G_GSIZE_FORMAT
                       " bytes, there are %" G_GSIZE_FORMAT,
                       self->part->name == NULL ? "of bytes" : self->part->name, total,
                       bytes);
}

static void copy_row(gpointer data, guint row)
{
    const Copy *self = data;
    const ArchWseTiles *tiles = &self->part->tiles;
    const guint y = tiles->y0 + row * tiles->dy;
    g_autofree uint8_t *scratch = g_malloc(self->fabric->memory_stride);
    char *at = self->data + self->firsts[row];

    for (guint x = tiles->x0; x <= tiles->x1; x += tiles->dx) {
        const WseBytes place = part_of(
            self->fabric, find_part(self->fabric, self->part, x, y, NULL), self->part);
        const uint32_t pe = wse_layout_pe(self->fabric->layout, x, y);
        WseRegion *region = &self->fabric->regions[0];

        if (self->is_write) {
            wse_backlog_write(region, pe, place, (const uint8_t *) at, self->is_kept);
        } else {
            wse_backlog_read(region, pe, place, at, scratch);
        }
        at += place.high - place.low;
    }
}

static bool copy(Copy *self, gsize bytes, GError **error)
{
    wse_diary_settle(self->fabric);
    const ArchWseLayout *layout = self->fabric->layout;
    const ArchWseTiles *tiles = &self->part->tiles;

    if (tiles->x1 >= layout->columns || tiles->y1 >= layout->rows ||
        tiles->x0 > tiles->x1 || tiles->y0 > tiles->y1 || tiles->dx == 0 ||
        tiles->dy == 0) {
        return arch_refuse(error, "tiles %u,%u to %u,%u of %ux%u PEs", tiles->x0,
                           tiles->y0, tiles->x1, tiles->y1, layout->columns,
                           layout->rows);
    }
    g_autofree gsize *firsts = g_new(gsize, row_count(tiles));

    self->firsts = firsts;
    if (!check_copy(self, bytes, error)) {
        return false;
    }
    if (self->fabric->is_functional) {
        sim_crew_run_long(sim_engine_crew(self->fabric->engine), row_count(tiles),
                          copy_row, self);
    }
    return true;
}

bool arch_wse_write(ArchWse *self,
                    const ArchWsePart *part,
                    gconstpointer data,
                    gsize bytes,
                    GError **error)
{
    Copy to = {
        .fabric = self->fabric, .part = part, .data = (char *) data, .is_write = true};

    return copy(&to, bytes, error);
}

bool arch_wse_share(ArchWse *self,
                    const ArchWsePart *part,
                    SimShared *data,
                    GError **error)
{
    Copy to = {.fabric = self->fabric,
               .part = part,
               .data = (char *) data->data,
               .is_write = true};
    WseGivens *givens = self->fabric->backlogs != NULL
                            ? wse_backlogs_givens(self->fabric->backlogs)
                            : NULL;

    to.is_kept = givens != NULL && wse_givens_hold(givens, data);
    const bool is_done = copy(&to, data->count, error);

    if (to.is_kept) {
        wse_givens_let_go(givens);
    }
    return is_done;
}

bool arch_wse_read(
    ArchWse *self, const ArchWsePart *part, gpointer data, gsize bytes, GError **error)
{
    Copy from = {.fabric = self->fabric, .part = part, .data = data};

    return copy(&from, bytes, error);
}
