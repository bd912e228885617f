/* Spreads lines over blocks. */
#include "sim/internal/lane_spread.h"

/* The fold whose lines stand for others, if the line is among them. */
static SimLaneFold fold_of(SimLaneFolds folds, guint line)
{
    for (guint i = 0; i < folds.count; i++) {
        if (line - folds.folds[i].first < folds.folds[i].period) {
            return folds.folds[i];
        }
    }
    return (SimLaneFold){.first = line};
}

static void add_line(LaneSpread *self, guint block, guint start)
{
    if (self->shares->len > start) {
        LaneShare *last =
            &g_array_index(self->shares, LaneShare, self->shares->len - 1);

        if (last->block == block) {
            last->lines++;
            return;
        }
    }
    const LaneShare added = {.block = block, .lines = 1};

    g_array_append_val(self->shares, added);
}

LaneSpread *lane_spread_new(guint lines, guint edge_bits, SimLaneFolds folds)
{
    LaneSpread *self = g_new(LaneSpread, 1);

    self->starts = g_new(guint, lines + 1);
    self->shares = g_array_new(FALSE, FALSE, sizeof(LaneShare));
    for (guint line = 0; line < lines; line++) {
        const SimLaneFold fold = fold_of(folds, line);

        self->starts[line] = self->shares->len;
        for (guint i = 0; i <= fold.repeats; i++) {
            add_line(self, (line + i * fold.period) >> edge_bits, self->starts[line]);
        }
    }
    self->starts[lines] = self->shares->len;
    return self;
}

void lane_spread_free(LaneSpread *self)
{
    if (self != NULL) {
        g_free(self->starts);
        g_array_unref(self->shares);
        g_free(self);
    }
}
