/* Runs a folded wafer, and unfolds it where PEs begin to differ. */
#include "arch/wse/folding.h"

#include <string.h>

#include "arch/wse/alike.h"
#include "arch/wse/recut.h"
#include "arch/wse/region.h"
#include "sim/narrow.h"

enum {
    PARTS =
        WSE_MOST_FOLDS + 1, /* of an axis: the repeated lines of folds, and others */
    REGIONS = PARTS * PARTS,
};

/* Lines across a fold in which something that is compared has changed. */
typedef struct {
    guint count;
    guint *lines;
    bool *is_marked; /* by line */
} Marks;

typedef struct {
    uint8_t region; /* which counts for it */
    uint8_t column; /* fold whose compared columns a visit to it may change, or 0 */
    uint8_t row;
} Place;

struct WseFolding {
    Place *places;                 /* by PE */
    Marks columns[WSE_MOST_FOLDS]; /* by fold of columns: rows */
    Marks rows[WSE_MOST_FOLDS];
    bool has_counts; /* regions have counters that are not settled */
};

static void mark(Marks *self, guint line)
{
    if (!self->is_marked[line]) {
        self->is_marked[line] = true;
        self->lines[self->count++] = line;
    }
}

static void mark_around(Marks *self, guint line, guint lines)
{
    mark(self, line);
    if (line > 0) {
        mark(self, line - 1);
    }
    if (line + 1 < lines) {
        mark(self, line + 1);
    }
}

/* With a mark at every line. */
static void marks_new(Marks *self, guint lines)
{
    *self = (Marks){.lines = g_new(guint, lines), .is_marked = g_new0(bool, lines)};
    for (guint i = 0; i < lines; i++) {
        mark(self, i);
    }
}

static void marks_clear(Marks *self)
{
    g_free(self->lines);
    g_free(self->is_marked);
}

static WseFolding *folding_new(const WseFabric *fabric)
{
    const guint width = wse_axis_kept(&fabric->columns);
    const guint height = wse_axis_kept(&fabric->rows);
    WseFolding *self = g_new0(WseFolding, 1);

    self->places = g_new(Place, (gsize) width * height);
    for (guint i = 0; i < width * height; i++) {
        const guint x = i % width;
        const guint y = i / width;

        self->places[i] = (Place){
            .region = sim_u8(wse_axis_repeated(&fabric->rows, y) * PARTS +
                             wse_axis_repeated(&fabric->columns, x)),
            .column = sim_u8(wse_axis_beside(&fabric->columns, x)),
            .row = sim_u8(wse_axis_beside(&fabric->rows, y)),
        };
    }
    for (guint i = 0; i < WSE_MOST_FOLDS; i++) {
        marks_new(&self->columns[i], height);
        marks_new(&self->rows[i], width);
    }
    return self;
}

void wse_folding_free(WseFolding *self)
{
    for (guint i = 0; self != NULL && i < WSE_MOST_FOLDS; i++) {
        marks_clear(&self->columns[i]);
        marks_clear(&self->rows[i]);
    }
    if (self != NULL) {
        g_free(self->places);
        g_free(self);
    }
}

/* Whether one thread that runs these is done clearly before all that run the whole. */
static bool
is_worth_it(const WseFabric *fabric, const WseAxis *columns, const WseAxis *rows)
{
    const guint threads = sim_crew_threads(sim_engine_crew(fabric->engine));
    const uint64_t kept = (uint64_t) wse_axis_kept(columns) * wse_axis_kept(rows);

    return kept * threads * 3 <= (uint64_t) columns->length * rows->length * 2;
}

void wse_folding_begin(WseFabric *fabric)
{
    WseAxis columns;
    WseAxis rows;

    if (!wse_alike_find(fabric, &columns, &rows) ||
        !is_worth_it(fabric, &columns, &rows)) {
        return;
    }
    fabric->columns = columns;
    fabric->rows = rows;
    fabric->pe_count = wse_axis_kept(&columns) * wse_axis_kept(&rows);
    fabric->bands = wse_bands_cut(wse_axis_kept(&rows), 1, 1);
    fabric->region_count = MAX(fabric->region_count, REGIONS);
    fabric->folding = folding_new(fabric);
}

static guint weight_of(const WseFabric *fabric, guint region)
{
    return wse_axis_weight(&fabric->columns, region % PARTS) *
           wse_axis_weight(&fabric->rows, region / PARTS);
}

guint wse_folding_weight(const WseFabric *fabric, uint32_t pe)
{
    return fabric->folding == NULL
               ? 1
               : weight_of(fabric, fabric->folding->places[pe].region);
}

void wse_folding_settle(WseFabric *fabric)
{
    if (fabric->folding == NULL || !fabric->folding->has_counts) {
        return;
    }
    for (guint i = 1; i < REGIONS; i++) {
        if (i % PARTS <= fabric->columns.count && i / PARTS <= fabric->rows.count) {
            wse_region_absorb(&fabric->regions[0], &fabric->regions[i],
                              weight_of(fabric, i));
        }
    }
    fabric->folding->has_counts = false;
}

/* Folds it anew; PEs are to be visited from cycle `now` on. */
static void fold(WseFabric *fabric, WseAxis columns, WseAxis rows, uint32_t now)
{
    wse_folding_settle(fabric);
    g_clear_pointer(&fabric->folding, wse_folding_free);
    if (!is_worth_it(fabric, &columns, &rows)) {
        columns.count = 0;
        rows.count = 0;
    }
    wse_recut(fabric, &columns, &rows, now);
    if (columns.count + rows.count > 0) {
        fabric->folding = folding_new(fabric);
    }
}

void wse_folding_end(WseFabric *fabric)
{
    if (fabric->folding != NULL) {
        const WseAxis columns = {.length = fabric->columns.length};
        const WseAxis rows = {.length = fabric->rows.length};

        fold(fabric, columns, rows, fabric->regions[0].now + 1);
    }
}

/* Whether PEs beside the seam are as those a period further; `from` is the first of
 * them, and so many PEs lie between two lines. */
static bool are_alike(const WseFabric *fabric, guint from, guint step, guint period)
{
    const gsize bytes = fabric->block.bytes;

    for (guint i = 0; i < WSE_SEAM; i++) {
        const char *block = fabric->blocks + ((gsize) from + (gsize) i * step) * bytes;

        if (memcmp(block, block + (gsize) period * step * bytes, bytes) != 0) {
            return false;
        }
    }
    return true;
}

/* Compares what has changed beside a seam. PEs of an axis are `step` apart, and those
 * of lines across it `across`. */
static bool compare(const WseFabric *fabric,
                    const WseFold *fold,
                    Marks *marks,
                    guint step,
                    guint across)
{
    const guint from = (fold->first - WSE_SEAM_BEFORE) * step;
    bool is_alike = true;

    for (guint i = 0; i < marks->count; i++) {
        const guint line = marks->lines[i];

        marks->is_marked[line] = false;
        is_alike =
            is_alike && are_alike(fabric, from + line * across, step, fold->period);
    }
    marks->count = 0;
    return is_alike;
}

/* Makes folds smaller that would leave out what begins to differ in this cycle. */
static void unfold_unlike(WseFabric *fabric, uint32_t now)
{
    const guint width = wse_axis_kept(&fabric->columns);
    WseFolding *self = fabric->folding;
    WseAxis columns = fabric->columns;
    WseAxis rows = fabric->rows;
    bool is_alike = true;

    for (guint i = columns.count; i-- > 0;) {
        if (!compare(fabric, &columns.folds[i], &self->columns[i], 1, width)) {
            wse_axis_unfold(&columns, i);
            is_alike = false;
        }
    }
    for (guint i = rows.count; i-- > 0;) {
        if (!compare(fabric, &rows.folds[i], &self->rows[i], width, 1)) {
            wse_axis_unfold(&rows, i);
            is_alike = false;
        }
    }
    if (!is_alike) {
        fold(fabric, columns, rows, now);
    }
}

/* What is compared may change by this PE. */
static inline void note(WseFolding *self, const WseFabric *fabric, uint32_t pe)
{
    const Place place = self->places[pe];

    if (place.column != 0 || place.row != 0) {
        const guint width = fabric->regions[0].width;

        if (place.column != 0) {
            mark_around(&self->columns[place.column - 1], pe / width,
                        fabric->pe_count / width);
        }
        if (place.row != 0) {
            mark_around(&self->rows[place.row - 1], pe % width, width);
        }
    }
}

/* Brings to PEs what is due, also where the wheel alone knew of it. */
static void gather(WseFabric *fabric, uint32_t now)
{
    for (const WseChunk *chunk = wse_wheel_look(fabric->wheels[0], now); chunk != NULL;
         chunk = chunk->next) {
        wse_region_gather(&fabric->regions[0], chunk, now);
        for (guint i = 0; i < chunk->count; i++) {
            if (chunk->entries[i] & WSE_WHEEL_BIT) {
                note(fabric->folding, fabric, chunk->entries[i] & WSE_WHEEL_NUMBER);
            }
        }
    }
}

static void visit_all(WseFabric *fabric, const WseChunk *chunk, uint32_t now)
{
    const Place *places = fabric->folding->places;

    for (guint i = 0; i < chunk->count; i++) {
        const uint32_t pe = chunk->entries[i] & WSE_WHEEL_NUMBER;

        note(fabric->folding, fabric, pe);
        wse_region_visit_pe(&fabric->regions[places[pe].region], pe, now);
    }
}

bool wse_folding_visit(WseFabric *fabric, uint32_t now)
{
    if (fabric->folding == NULL) {
        return false;
    }
    gather(fabric, now);
    unfold_unlike(fabric, now);
    if (fabric->folding == NULL) {
        return false;
    }
    WseWheel *wheel = fabric->wheels[0];
    WseChunk *chunk = wse_wheel_take(wheel, now);

    fabric->folding->has_counts = true;
    for (guint i = 0; chunk != NULL && i < REGIONS; i++) {
        fabric->regions[i].now = now;
    }
    while (chunk != NULL) {
        WseChunk *next = chunk->next;

        visit_all(fabric, chunk, now);
        wse_wheel_give(wheel, chunk);
        chunk = next;
    }
    return true;
}
