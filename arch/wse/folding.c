/* Runs a folded wafer, and unfolds it where PEs begin to differ. */
#include "arch/wse/folding.h"

#include "arch/wse/alike.h"
#include "arch/wse/data/diary.h"
#include "arch/wse/recut.h"
#include "arch/wse/region.h"
#include "arch/wse/seam.h"
#include "sim/narrow.h"

enum {
    PARTS =
        WSE_MOST_FOLDS + 1, /* of an axis: the repeated lines of folds, and others */
    REGIONS = PARTS * PARTS,
};

typedef struct {
    uint8_t region; /* which counts for it */
    uint8_t column; /* fold whose compared columns it may change, or 0 */
    uint8_t row;
} Place;

struct WseFolding {
    Place *places;                   /* by PE */
    WseSeam columns[WSE_MOST_FOLDS]; /* by fold */
    WseSeam rows[WSE_MOST_FOLDS];
    bool has_counts; /* regions have counters that are not settled */
};

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
    for (guint i = 0; i < fabric->columns.count; i++) {
        wse_seam_begin(&self->columns[i], &fabric->columns.folds[i], height, 1, width);
    }
    for (guint i = 0; i < fabric->rows.count; i++) {
        wse_seam_begin(&self->rows[i], &fabric->rows.folds[i], width, width, 1);
    }
    return self;
}

void wse_folding_free(WseFolding *self)
{
    for (guint i = 0; self != NULL && i < WSE_MOST_FOLDS; i++) {
        wse_seam_end(&self->columns[i]);
        wse_seam_end(&self->rows[i]);
    }
    if (self != NULL) {
        g_free(self->places);
        g_free(self);
    }
}

/* Whether one thread that runs these is done clearly before all that run the whole.
 * Each of them adds a part of what the first does, and less beside other work. */
static bool
is_worth_it(const WseFabric *fabric, const WseAxis *columns, const WseAxis *rows)
{
    const guint threads = sim_crew_threads(sim_engine_crew(fabric->engine));
    const uint64_t kept = (uint64_t) wse_axis_kept(columns) * wse_axis_kept(rows);

    return kept * (threads + 2) <= (uint64_t) columns->length * rows->length * 2;
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
    fabric->diary = fabric->is_functional ? wse_diary_new(fabric) : NULL;
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

WseRegion *wse_folding_region(const WseFabric *fabric, uint32_t pe)
{
    if (fabric->folding == NULL) {
        return &fabric->regions[0];
    }
    fabric->folding->has_counts = true;
    return &fabric->regions[fabric->folding->places[pe].region];
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
    wse_diary_settle(fabric);
    g_clear_pointer(&fabric->folding, wse_folding_free);
    if (!is_worth_it(fabric, &columns, &rows)) {
        columns.count = 0;
        rows.count = 0;
    }
    wse_recut(fabric, &columns, &rows, now);
    if (columns.count + rows.count > 0) {
        fabric->folding = folding_new(fabric);
    }
    wse_diary_move(fabric);
}

static void unfold(WseFabric *fabric, uint32_t now)
{
    const WseAxis columns = {.length = fabric->columns.length};
    const WseAxis rows = {.length = fabric->rows.length};

    fold(fabric, columns, rows, now);
}

void wse_folding_end(WseFabric *fabric)
{
    if (fabric->folding != NULL) {
        unfold(fabric, fabric->regions[0].now + 1);
    }
}

/* Makes folds smaller that would leave out what begins to differ in this cycle. */
static void unfold_unlike(WseFabric *fabric, uint32_t now)
{
    const gsize bytes = fabric->block.bytes;
    WseFolding *self = fabric->folding;
    WseAxis columns = fabric->columns;
    WseAxis rows = fabric->rows;
    bool is_alike = true;

    for (guint i = columns.count; i-- > 0;) {
        if (!wse_seam_is_alike(&self->columns[i], fabric->blocks, bytes)) {
            wse_axis_unfold(&columns, i, self->columns[i].is_before);
            is_alike = false;
        }
    }
    for (guint i = rows.count; i-- > 0;) {
        if (!wse_seam_is_alike(&self->rows[i], fabric->blocks, bytes)) {
            wse_axis_unfold(&rows, i, self->rows[i].is_before);
            is_alike = false;
        }
    }
    if (!is_alike) {
        fold(fabric, columns, rows, now);
    }
}

/* Tells the seams beside a PE what happens to it: this. */
typedef void Note(WseSeam *seam, guint line, guint place);

static inline void
tell(WseFolding *self, const WseFabric *fabric, uint32_t pe, Note *note)
{
    const Place place = self->places[pe];

    if (place.column != 0 || place.row != 0) {
        const guint width = fabric->regions[0].width;
        const guint x = pe % width;
        const guint y = pe / width;

        if (place.column != 0) {
            note(&self->columns[place.column - 1], x, y);
        }
        if (place.row != 0) {
            note(&self->rows[place.row - 1], y, x);
        }
    }
}

/* Brings to PEs what is due, also where the wheel alone knew of it. */
static void gather(WseFabric *fabric, uint32_t now)
{
    for (const WseChunk *chunk = wse_region_gather(&fabric->regions[0], 0, now);
         chunk != NULL; chunk = chunk->next) {
        for (guint i = 0; i < chunk->count; i++) {
            if (chunk->entries[i] & WSE_WHEEL_BIT) {
                tell(fabric->folding, fabric, chunk->entries[i] & WSE_WHEEL_NUMBER,
                     wse_seam_note_due);
            }
        }
    }
}

bool wse_folding_visit(WseFabric *fabric, uint32_t now)
{
    if (fabric->folding == NULL) {
        return false;
    }
    gather(fabric, now);
    unfold_unlike(fabric, now);
    if (fabric->diary != NULL && wse_diary_is_full(fabric->diary)) {
        wse_diary_settle(fabric);
        if (wse_diary_is_full(fabric->diary)) {
            unfold(fabric, now);
        }
    }
    if (fabric->folding == NULL) {
        return false;
    }
    WseRegion *first = &fabric->regions[0];
    const Place *places = fabric->folding->places;

    wse_region_take(first, 0, now);
    fabric->folding->has_counts = true;
    for (guint i = 0; first->taken > 0 && i < REGIONS; i++) {
        fabric->regions[i].now = now;
    }
    for (uint32_t i = 0; i < first->taken; i++) {
        const uint32_t pe = first->order[i];

        tell(fabric->folding, fabric, pe, wse_seam_note_visit);
        wse_region_visit_taken(first, i, &fabric->regions[places[pe].region], now);
    }
    return true;
}
