/* Random programs on random fabrics. */
#include "tests/arch/wse/case.h"

enum {
    MOST_SIDE = 12,
    MOST_ROWS = 24, /* up to four bands */
};

static guint below(WseCase *self, guint limit)
{
    return (guint) g_rand_int_range(self->random, 0, (gint32) limit);
}

static void
add_step(WseCase *self, guint x, guint y, WseRunKind kind, guint color, guint count)
{
    GArray *steps = self->steps[y * self->columns + x];
    WseRunStep step = {
        kind,
        color,
        .queue = kind == WSE_RUN_SEND ? color % 4 : 4 + color % 4,
        .count = count,
        .delay = below(self, 40),
        .value = (float) (1 + below(self, 1000)),
        .onward = 1 - color % 2,
    };

    g_array_append_val(steps, step);
}

/* One color along a row or column, `reverse` from its far end: one sends, some of the
 * others take it in passing, and the last does. */
static void add_broadcast(WseCase *self, guint color, bool is_row, guint line)
{
    guint length = is_row ? self->columns : self->rows;
    bool is_reverse = below(self, 2) == 1;
    guint first = below(self, length - 1);
    guint last = first + 1 + below(self, length - first - 1);
    guint count = 1 + below(self, WSE_CASE_COUNT);
    guint forward = is_row ? (is_reverse ? W : E) : (is_reverse ? N : S);
    guint back = is_row ? (is_reverse ? E : W) : (is_reverse ? S : N);

    for (guint i = first; i <= last; i++) {
        guint at = is_reverse ? length - 1 - i : i;
        guint x = is_row ? at : line;
        guint y = is_row ? line : at;
        bool is_taken = i == last || (i > first && below(self, 2) == 1);
        guint onward = i < last ? forward : 0;

        if (i == first || is_taken) {
            add_step(self, x, y, i == first ? WSE_RUN_SEND : WSE_RUN_RECEIVE, color,
                     count);
        }
        wse_rig_set_route(self->run.layout, wse_rig_one(x, y), color,
                          i == first ? R : back, onward | (is_taken ? R : 0));
    }
}

/* Colors 0 and 1 in turn along a row: each PE adds something of its own. */
static void add_chain(WseCase *self, guint y)
{
    guint count = 1 + below(self, WSE_CASE_COUNT);

    for (guint x = 0; x < self->columns; x++) {
        guint in = (x + 1) % 2;

        if (x > 0) {
            bool is_last = x + 1 == self->columns;

            add_step(self, x, y, is_last ? WSE_RUN_RECEIVE : WSE_RUN_RELAY, in, count);
            wse_rig_set_route(self->run.layout, wse_rig_one(x, y), in, W, R);
        } else {
            add_step(self, x, y, WSE_RUN_SEND, 0, count);
        }
        if (x + 1 < self->columns) {
            wse_rig_set_route(self->run.layout, wse_rig_one(x, y), x % 2, R, E);
        }
    }
}

/* Before the other steps, and after. */
static void add_computing(WseCase *self, guint x, guint y)
{
    GArray *steps = self->steps[y * self->columns + x];
    const WseRunStep before = {WSE_RUN_COMPUTE,
                               .count = 1 + below(self, WSE_CASE_COUNT)};

    if (below(self, 2) == 1) {
        g_array_prepend_val(steps, before);
    }
    add_step(self, x, y, WSE_RUN_COMPUTE, 0, 1 + below(self, WSE_CASE_COUNT));
}

void wse_case_open(WseCase *self,
                   guint32 seed,
                   const WseWay *way,
                   const WseSpice *spice)
{
    *self = (WseCase){.random = g_rand_new_with_seed(seed)};
    self->columns = 2 + below(self, MOST_SIDE - 1);
    self->rows = 2 + below(self, MOST_ROWS - 1);
    wse_run_open(&self->run, self->columns, self->rows,
                 spice == NULL ? NULL : spice->overrides);
    self->steps = g_new(GArray *, self->columns * self->rows);
    for (guint i = 0; i < self->columns * self->rows; i++) {
        self->steps[i] = g_array_new(FALSE, FALSE, sizeof(WseRunStep));
    }
    for (guint y = 0; y < self->rows; y++) {
        if (below(self, 2) == 0) {
            add_chain(self, y);
        } else {
            add_broadcast(self, below(self, 2), true, y);
        }
        add_broadcast(self, 2, true, y);
    }
    for (guint x = 0; x < self->columns; x++) {
        add_broadcast(self, 7, false, x);
    }
    for (guint i = 0; i < self->columns * self->rows; i++) {
        if (spice != NULL && spice->has_computing) {
            add_computing(self, i % self->columns, i / self->columns);
        }
        wse_run_steps(&self->run, wse_rig_one(i % self->columns, i / self->columns),
                      "any", (WseRunStep *) (gpointer) self->steps[i]->data,
                      self->steps[i]->len);
    }
    self->run.thread_count = way->thread_count;
    self->run.options = (ArchWseOptions){
        .is_functional = way->is_functional,
        .grain = way->grain,
        .band_count = way->band_count,
        .ranks = way->ranks,
    };
}

void wse_case_close(WseCase *self)
{
    wse_run_close(&self->run);
    for (guint i = 0; i < self->columns * self->rows; i++) {
        g_array_unref(self->steps[i]);
    }
    g_free(self->steps);
    g_rand_free(self->random);
}
