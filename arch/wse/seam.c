/* Compares what may have become unequal beside a fold. */
#include "arch/wse/seam.h"

#include <string.h>

#include "sim/narrow.h"

enum {
    OUTSIDE = 1, /* lines on each side whose visits change compared ones */
    REACHES = WSE_SEAM + 2 * OUTSIDE,
    ALL = (1 << WSE_SEAM) - 1,
    FIRST = 1 << 0,
    SECOND = 1 << 1,
    BEFORE_LAST = 1 << (WSE_SEAM - 2),
    LAST = 1 << (WSE_SEAM - 1),
};

G_STATIC_ASSERT(WSE_SEAM == 4 && WSE_SEAM_BEFORE == 2); /* as below */

/* By line from the one before the compared ones on. Neighbours of inner lines are known
 * to be equal, so visits to these leave everything equal. */
static const WseSeamReach reaches[REACHES] = {
    {.visit = FIRST},
    {.visit = FIRST | SECOND, .around = FIRST, .due = FIRST},
    {.due = SECOND},
    {.due = BEFORE_LAST},
    {.visit = BEFORE_LAST | LAST, .around = LAST, .due = LAST},
    {.visit = LAST},
};

static void mark(WseSeam *self, guint place, uint8_t lines)
{
    if (self->marks[place] == 0) {
        self->places[self->count++] = place;
    }
    self->marks[place] |= lines;
}

void wse_seam_begin(
    WseSeam *self, const WseFold *fold, guint length, guint step, guint across)
{
    const guint lines = REACHES + fold->period;

    *self = (WseSeam){
        .first = fold->first - WSE_SEAM_BEFORE,
        .period = fold->period,
        .length = length,
        .step = step,
        .across = across,
        .places = g_new(guint, length),
        .marks = g_new0(uint8_t, length),
        .reaches = g_new0(WseSeamReach, lines),
    };
    for (guint i = 0; i < lines; i++) {
        WseSeamReach *reach = &self->reaches[i];

        if (i < REACHES) {
            *reach = reaches[i];
        }
        if (i >= fold->period) {
            reach->visit |= reaches[i - fold->period].visit;
            reach->around |= reaches[i - fold->period].around;
            reach->due |= reaches[i - fold->period].due;
        }
    }
    for (guint i = 0; i < length; i++) {
        mark(self, i, ALL);
    }
}

void wse_seam_end(WseSeam *self)
{
    g_free(self->places);
    g_free(self->marks);
    g_free(self->reaches);
}

static WseSeamReach reach_of(const WseSeam *self, guint line)
{
    return self->reaches[line + OUTSIDE - self->first];
}

void wse_seam_note_visit(WseSeam *self, guint line, guint place)
{
    const WseSeamReach reach = reach_of(self, line);

    if (reach.visit == 0) {
        return;
    }
    mark(self, place, reach.visit);
    if (reach.around != 0 && place > 0) {
        mark(self, place - 1, reach.around);
    }
    if (reach.around != 0 && place + 1 < self->length) {
        mark(self, place + 1, reach.around);
    }
}

void wse_seam_note_due(WseSeam *self, guint line, guint place)
{
    const WseSeamReach reach = reach_of(self, line);

    if (reach.due != 0) {
        mark(self, place, reach.due);
    }
}

bool wse_seam_is_alike(WseSeam *self, const char *blocks, gsize bytes)
{
    const gsize further = (gsize) self->period * self->step * bytes;
    bool is_alike = true;

    for (guint i = 0; i < self->count; i++) {
        const guint place = self->places[i];

        for (guint left = self->marks[place]; left != 0 && is_alike; left &= left - 1) {
            const guint index = (guint) __builtin_ctz(left);
            const guint line = self->first + index;
            const char *block =
                blocks +
                ((gsize) line * self->step + (gsize) place * self->across) * bytes;

            is_alike = memcmp(block, block + further, bytes) == 0;
            self->is_before = index < WSE_SEAM_BEFORE;
            self->compared++;
        }
        self->marks[place] = 0;
    }
    self->count = 0;
    return is_alike;
}
