/* Finds lines that repeat. */
#include "arch/wse/fold.h"

enum {
    MOST_PERIOD = 16,
    PART = 16,  /* of the lines kept, which is added when more are needed, */
    LEAST = 4,  /* but so many periods */
    MARGIN = 8, /* kept lines between the repeated ones and those that differ */
};

/* Lines that are compared have to be copies, also those before the repeated ones. */
G_STATIC_ASSERT(LEAST >= 2 * WSE_SEAM_BEFORE);

/* Lines `first` to `end` - 1, at whole places, which repeat with a period. */
typedef struct {
    guint first;
    guint end;
    guint period;
    guint repeats; /* that can be left out */
} Run;

static guint left_out(const Run *self)
{
    return self->repeats * self->period;
}

static Run run_of(guint first, guint end, guint period)
{
    const guint least = 2 * MARGIN + period;
    const guint count = end - first;

    return (Run){
        .first = first,
        .end = end,
        .period = period,
        .repeats = count > least ? (count - least) / period : 0,
    };
}

/* The longest run of these lines. */
static Run find_run(const guint *classes, guint from, guint end)
{
    Run best = {0};

    for (guint period = 1; period <= MOST_PERIOD; period++) {
        guint first = from;

        for (guint i = from; i + period < end; i++) {
            if (classes[i] != classes[i + period]) {
                first = i + 1;
                continue;
            }
            const Run run = run_of(first, i + 1 + period, period);

            if (left_out(&run) > left_out(&best)) {
                best = run;
            }
        }
    }
    return best;
}

/* Adds the longest run of these lines, and those before and after it, in order. */
static void add_runs(WseAxis *self, const guint *classes, guint from, guint end)
{
    const Run run = find_run(classes, from, end);

    if (run.repeats == 0) {
        return;
    }
    add_runs(self, classes, from, run.first);
    if (self->count < WSE_MOST_FOLDS) {
        const guint before = self->length - wse_axis_kept(self);

        self->folds[self->count++] = (WseFold){
            .first = run.first + MARGIN - before,
            .period = run.period,
            .repeats = run.repeats,
        };
    }
    add_runs(self, classes, run.end, end);
}

WseAxis wse_axis_fold(const guint *classes, guint length)
{
    WseAxis self = {.length = length};

    add_runs(&self, classes, 0, length);
    return self;
}

void wse_axis_unfold(WseAxis *self, guint fold, bool is_before)
{
    WseFold *which = &self->folds[fold];
    const guint wanted = MAX(wse_axis_kept(self) / (PART * which->period), LEAST);
    const bool is_all = wanted >= which->repeats;
    const guint added = is_all ? which->repeats : wanted;
    const guint moved = added * which->period;
    const guint beyond = (WSE_SEAM_BEFORE + which->period - 1) / which->period;

    which->first += (is_before ? added - MIN(added, beyond) : beyond) * which->period;
    which->repeats -= added;
    for (guint i = fold + 1; i < self->count; i++) {
        self->folds[i].first += moved;
    }
    for (guint i = fold; is_all && i + 1 < self->count; i++) {
        self->folds[i] = self->folds[i + 1];
    }
    self->count -= is_all ? 1 : 0;
}

guint wse_axis_kept(const WseAxis *self)
{
    guint kept = self->length;

    for (guint i = 0; i < self->count; i++) {
        kept -= self->folds[i].repeats * self->folds[i].period;
    }
    return kept;
}

guint wse_axis_whole(const WseAxis *self, guint kept)
{
    guint whole = kept;

    for (guint i = 0; i < self->count; i++) {
        const WseFold *fold = &self->folds[i];

        if (kept < fold->first + fold->period) {
            break;
        }
        whole += fold->repeats * fold->period;
    }
    return whole;
}

guint wse_axis_at(const WseAxis *self, guint whole)
{
    guint at = whole; /* with the folds before it folded */

    for (guint i = 0; i < self->count && at >= self->folds[i].first; i++) {
        const WseFold *fold = &self->folds[i];
        const guint after = at - fold->first;

        if (after < (fold->repeats + 1) * fold->period) {
            return fold->first + after % fold->period;
        }
        at -= fold->repeats * fold->period;
    }
    return at;
}

guint wse_axis_repeated(const WseAxis *self, guint kept)
{
    for (guint i = 0; i < self->count; i++) {
        if (kept - self->folds[i].first < self->folds[i].period) {
            return i + 1;
        }
    }
    return 0;
}

guint wse_axis_beside(const WseAxis *self, guint kept)
{
    static const guint before = WSE_SEAM_BEFORE + 1;

    for (guint i = 0; i < self->count; i++) {
        const WseFold *fold = &self->folds[i];

        if (kept + before - fold->first < fold->period + WSE_SEAM + 2) {
            return i + 1;
        }
    }
    return 0;
}

guint wse_axis_weight(const WseAxis *self, guint repeated)
{
    return repeated == 0 ? 1 : self->folds[repeated - 1].repeats + 1;
}
