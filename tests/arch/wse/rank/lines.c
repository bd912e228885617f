/* Random streams along lines. */
#include "tests/arch/wse/rank/lines.h"

#include "sim/narrow.h"
#include "sim/random.h"

enum {
    SIDE = 34,
    WIDE = 60,
    WIDER = 140,

    ROW_COLORS = 3,
    COLORS = 5,
};

/* A stream of one color, from place `first` on a row or column to place `last`, counted
 * from its far end if it is `reverse`. */
typedef struct {
    guint color;
    bool is_row;
    bool is_reverse;
    guint line;
    guint first;
    guint last;
    guint count;
    guint missing; /* wavelets that the last PE does not take */
} Line;

static guint below(WseLines *self, guint limit)
{
    return sim_random_below(&self->random, limit);
}

static bool chance(WseLines *self, guint percent)
{
    return below(self, 100) < percent;
}

static void add(WseLines *self, guint x, guint y, WseRunStep step)
{
    step.delay = chance(self, 70) ? 0 : below(self, 60);
    g_array_append_val(self->steps[y * self->columns + x], step);
}

/* In two operations, one after the other, now and then. */
static void add_stream(WseLines *self, guint x, guint y, WseRunStep step)
{
    step.is_sync = chance(self, 10);
    step.is_marked = !step.is_sync && chance(self, 20);
    if (step.count > 2 && chance(self, 20)) {
        WseRunStep half = step;

        half.count /= 2;
        half.is_sync = true;
        half.is_marked = false;
        step.count -= half.count;
        add(self, x, y, half);
    }
    add(self, x, y, step);
}

/* Control wavelets come before the stream or after it. */
static void add_sender(WseLines *self, guint x, guint y, const Line *line)
{
    const ArchWseControl control = {
        chance(self, 50) ? ARCH_WSE_NOP : ARCH_WSE_SWITCH_ADV, true};
    const WseRunStep controls = {
        WSE_RUN_CONTROL,
        line->color,
        .queue = line->color,
        .count = 1 + below(self, 3),
        .bits = arch_wse_control_payload(&control, 1, 31),
        .is_sync = true,
    };
    WseRunStep send = {
        WSE_RUN_SEND,
        line->color,
        .queue = line->color,
        .count = line->count,
        .value = 1,
        .is_twice = chance(self, 25),
        .is_switch_advanced = chance(self, 10),
    };

    if (chance(self, 85)) {
        add_stream(self, x, y, send);
    } else if (chance(self, 50)) {
        add(self, x, y, controls);
        add(self, x, y, send);
    } else {
        send.is_sync = true;
        add(self, x, y, send);
        add(self, x, y, controls);
    }
}

/* Some switches have a second position, which takes nothing. */
static void
set_route(WseLines *self, guint x, guint y, guint color, guint from, guint to)
{
    const ArchWseColorConfig config = {
        .position_count = 2,
        .positions = {{sim_u8(from), sim_u8(to)}, {.tx = sim_u8(to)}}};

    if (chance(self, 15)) {
        wse_rig_set_config(self->run.layout, wse_rig_one(x, y), color, &config);
    } else {
        wse_rig_set_route(self->run.layout, wse_rig_one(x, y), color, from, to);
    }
}

static void add_pe(WseLines *self, const Line *line, guint at)
{
    const guint length = line->is_row ? self->columns : self->rows;
    const guint forward =
        line->is_row ? (line->is_reverse ? W : E) : (line->is_reverse ? N : S);
    const guint back =
        line->is_row ? (line->is_reverse ? E : W) : (line->is_reverse ? S : N);
    const guint place = line->is_reverse ? length - 1 - at : at;
    const guint x = line->is_row ? place : line->line;
    const guint y = line->is_row ? line->line : place;
    const bool is_taken = at == line->last || (at > line->first && chance(self, 30));

    if (at == line->first) {
        add_sender(self, x, y, line);
    } else if (is_taken) {
        const guint missing = at == line->last ? line->missing : 0;

        add_stream(self, x, y,
                   (WseRunStep){WSE_RUN_RECEIVE, line->color, .queue = line->color,
                                .count = line->count - missing});
    }
    set_route(self, x, y, line->color, at == line->first ? R : back,
              (at < line->last ? forward : 0) | (is_taken && at > line->first ? R : 0));
}

static void add_line(WseLines *self, guint color, bool is_row, guint line)
{
    const guint length = is_row ? self->columns : self->rows;
    const guint first = chance(self, 50) ? 0 : below(self, length - 1);
    const Line it = {
        .color = color,
        .is_row = is_row,
        .is_reverse = chance(self, 50),
        .line = line,
        .first = first,
        .last =
            chance(self, 50) ? length - 1 : first + 1 + below(self, length - first - 1),
        .count = 2 + below(self, self->most),
        .missing = below(self, 1000) < 4 ? 1 : 0,
    };

    if (chance(self, 85)) {
        for (guint at = it.first; at <= it.last; at++) {
            add_pe(self, &it, at);
        }
    }
}

static void add_lines(WseLines *self)
{
    for (guint y = 0; y < self->rows; y++) {
        for (guint color = 0; color < ROW_COLORS; color++) {
            add_line(self, color, true, y);
        }
    }
    for (guint x = 0; self->rows > 1 && x < self->columns; x++) {
        for (guint color = ROW_COLORS; color < COLORS; color++) {
            add_line(self, color, false, x);
        }
    }
}

static void add_programs(WseLines *self)
{
    for (guint i = 0; i < self->columns * self->rows; i++) {
        GArray *steps = self->steps[i];
        const WseRunStep before = {WSE_RUN_COMPUTE, .count = 1 + below(self, 160)};
        const WseRunStep after = {WSE_RUN_COMPUTE, .count = 1 + below(self, 60)};

        if (chance(self, 20)) {
            g_array_prepend_val(steps, before);
        }
        if (chance(self, 40)) {
            g_array_append_val(steps, after);
        }
        wse_run_steps(&self->run, wse_rig_one(i % self->columns, i / self->columns),
                      "any", (WseRunStep *) (gpointer) steps->data, steps->len);
    }
}

/* Some numbers of the chip, others than the usual ones. */
static GPtrArray *numbers_of(WseLines *self)
{
    static const char *const few[] = {
        "fabric.hop_cycles",           "ramp.in_latency_cycles",
        "ramp.out_latency_cycles",     "ramp.enqueue_cycles",
        "router.link_buffer_wavelets", "router.ramp_buffer_wavelets",
        "queues.input_ramp_wavelets",  "pe.reissue_cycles"};
    static const char *const words[] = {"router.color_arbitration=lowest_color",
                                        "memory.stall_scope=thread",
                                        "pe.main_thread=alternate"};
    GPtrArray *numbers = g_ptr_array_new_with_free_func(g_free);

    for (gsize i = 0; i < G_N_ELEMENTS(few); i++) {
        if (chance(self, 35)) {
            g_ptr_array_add(numbers,
                            g_strdup_printf("%s=%u", few[i], 1 + below(self, 4)));
        }
    }
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        if (chance(self, 30)) {
            g_ptr_array_add(numbers, g_strdup(words[i]));
        }
    }
    g_ptr_array_add(numbers, NULL);
    return numbers;
}

void wse_lines_open(WseLines *self, uint64_t seed, guint most, WseFitWanted ranks)
{
    *self = (WseLines){.random = seed, .most = most};

    const bool is_wide = chance(self, 40);
    g_autoptr(GPtrArray) numbers = numbers_of(self);

    self->columns = is_wide ? WIDE + below(self, WIDER - WIDE) : 2 + below(self, SIDE);
    self->rows = 1 + below(self, is_wide ? 4 : 12);
    wse_run_open(&self->run, self->columns, self->rows,
                 (const char *const *) numbers->pdata);
    self->steps = g_new(GArray *, self->columns * self->rows);
    for (guint i = 0; i < self->columns * self->rows; i++) {
        self->steps[i] = g_array_new(FALSE, FALSE, sizeof(WseRunStep));
    }
    add_lines(self);
    add_programs(self);
    self->run.thread_count = 1;
    self->run.options = (ArchWseOptions){.band_count = 1, .ranks = ranks};
}

void wse_lines_close(WseLines *self)
{
    wse_run_close(&self->run);
    for (guint i = 0; i < self->columns * self->rows; i++) {
        g_array_unref(self->steps[i]);
    }
    g_free(self->steps);
}
