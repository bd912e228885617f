/* Copies the states of PEs and the visits that are due. */
#include "arch/wse/recut.h"

#include <stdlib.h>
#include <string.h>

#include "arch/wse/pes.h"
#include "arch/wse/region.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

/* The lines of an axis in the new fold, and which of the old one they were. */
typedef struct {
    guint count;
    guint *from;   /* by new line: the old one */
    guint *starts; /* by old line, and one more: where its new ones begin in `to` */
    guint *to;
} Lines;

static Lines lines_new(const WseAxis *old, const WseAxis *new)
{
    const guint before = wse_axis_kept(old);
    Lines self = {.count = wse_axis_kept(new)};
    guint at = 0;

    self.from = g_new(guint, self.count);
    self.starts = g_new(guint, before + 1);
    self.to = g_new(guint, self.count);
    for (guint i = 0; i < self.count; i++) {
        self.from[i] = wse_axis_at(old, wse_axis_whole(new, i));
    }
    for (guint i = 0; i < before; i++) {
        self.starts[i] = at;
        for (guint k = 0; k < self.count; k++) {
            if (self.from[k] == i) {
                self.to[at++] = k;
            }
        }
    }
    self.starts[before] = at;
    return self;
}

static void lines_clear(Lines *self)
{
    g_free(self->from);
    g_free(self->starts);
    g_free(self->to);
}

/* The wafer before it was cut anew. */
typedef struct {
    WseFabric *fabric; /* with its new room */
    Lines columns;
    Lines rows;
    guint width;
    char *blocks;
    WseWheel *wheel;
    uint32_t now;
} Old;

static void copy_blocks(const Old *self)
{
    const WseFabric *fabric = self->fabric;
    const gsize bytes = fabric->block.bytes;
    char *to = fabric->blocks;

    for (guint y = 0; y < self->rows.count; y++) {
        const char *row =
            self->blocks + (gsize) self->rows.from[y] * self->width * bytes;
        const guint strip = wse_bands_strip(&fabric->bands, y);

        for (guint x = 0; x < self->columns.count; x++) {
            memcpy(to, row + self->columns.from[x] * bytes, bytes);
            ((WsePe *) (gpointer) to)->strip = sim_u16(strip);
            to += bytes;
        }
    }
}

static void add_visits(const Old *self, uint32_t when, uint32_t entry)
{
    const WseFabric *fabric = self->fabric;
    const uint32_t pe = entry & WSE_WHEEL_NUMBER;
    const guint column = pe % self->width;
    const guint row = pe / self->width;

    for (guint i = self->rows.starts[row]; i < self->rows.starts[row + 1]; i++) {
        const guint y = self->rows.to[i];
        WseWheel *wheel = fabric->wheels[wse_bands_strip(&fabric->bands, y)];

        for (guint k = self->columns.starts[column];
             k < self->columns.starts[column + 1]; k++) {
            const uint32_t number = y * self->columns.count + self->columns.to[k];

            wse_wheel_add(wheel, self->now - 1, when,
                          number | (entry & ~WSE_WHEEL_NUMBER));
        }
    }
}

static void copy_visits(const Old *self)
{
    const WseWheel *wheel = self->wheel;

    for (uint32_t i = 0; i < wheel->cycles; i++) {
        const uint32_t when = self->now + ((i - self->now) & (wheel->cycles - 1));

        for (const WseChunk *chunk = wheel->buckets[i]; chunk != NULL;
             chunk = chunk->next) {
            for (guint k = 0; k < chunk->count; k++) {
                add_visits(self, when, chunk->entries[k]);
            }
        }
    }
    for (guint i = 0; i < wheel->beyond->len; i++) {
        const WseLater later = g_array_index(wheel->beyond, WseLater, i);

        add_visits(self, later.when, later.entry);
    }
}

static void move_watch(const Old *self)
{
    g_autofree uint32_t *from = g_new(uint32_t, self->fabric->pe_count);
    guint number = 0;

    for (guint y = 0; y < self->rows.count; y++) {
        for (guint x = 0; x < self->columns.count; x++) {
            from[number++] = self->rows.from[y] * self->width + self->columns.from[x];
        }
    }
    wse_watch_move(self->fabric, from);
}

void wse_recut(WseFabric *fabric,
               const WseAxis *columns,
               const WseAxis *rows,
               uint32_t now)
{
    Old old = {
        .fabric = fabric,
        .columns = lines_new(&fabric->columns, columns),
        .rows = lines_new(&fabric->rows, rows),
        .width = wse_axis_kept(&fabric->columns),
        .blocks = fabric->blocks,
        .wheel = fabric->wheels[0],
        .now = now,
    };

    g_free(fabric->wheels);
    fabric->columns = *columns;
    fabric->rows = *rows;
    fabric->pe_count = old.columns.count * old.rows.count;
    fabric->bands = columns->count + rows->count > 0
                        ? wse_bands_cut(old.rows.count, 1, 1)
                        : fabric->whole_bands;
    wse_pes_new(fabric);
    copy_blocks(&old);
    copy_visits(&old);
    for (guint i = 0; i < fabric->region_count; i++) {
        wse_region_move(&fabric->regions[i]);
    }
    if (wse_is_watched(&fabric->regions[0])) {
        move_watch(&old);
    }
    wse_wheel_free(old.wheel);
    free(old.blocks);
    lines_clear(&old.columns);
    lines_clear(&old.rows);
}
