/* Makes traces. */
#include "tests/traces/sample_timeline.h"

enum {
    LINK_SAMPLES = 64,
};

static const char *const operations[] = {"add_tiles", "mul_tiles", "copy_tile",
                                         "pack_tile", "noc_async_read"};
static const char *const reasons[] = {"circular_buffer", "unit", "semaphore", "noc"};

typedef struct {
    const SampleShape *shape;
    TraceTimeline *timeline;
    guint32 random;
} Maker;

static guint roll(Maker *self, guint sides)
{
    self->random = self->random * 1664525U + 1013904223U;
    return (self->random >> 16) % sides;
}

static const char *text(const Maker *self, const char *plain)
{
    g_autofree char *marked = g_strconcat(
        plain, self->shape->marker != NULL ? self->shape->marker : "", NULL);

    return g_string_chunk_insert_const(self->timeline->strings, marked);
}

static guint32 add_place(const Maker *self, const char *kind, gint x, gint y)
{
    g_autofree char *name =
        x < 0 ? g_strdup(kind) : g_strdup_printf("%s[%d,%d]", kind, x, y);
    TracePlace place = {
        .name = text(self, name),
        .kind = g_string_chunk_insert_const(self->timeline->strings, kind),
        .has_place = x >= 0,
        .x = (guint) MAX(x, 0),
        .y = (guint) MAX(y, 0),
        .x_end = (guint) MAX(x, 0),
        .y_end = (guint) MAX(y, 0),
    };

    g_array_append_val(self->timeline->places, place);
    return self->timeline->places->len - 1;
}

static guint32 add_lane(const Maker *self, guint32 place, const char *unit)
{
    const TracePlace *at = &g_array_index(self->timeline->places, TracePlace, place);
    g_autofree char *name =
        *unit == '\0' ? g_strdup(at->name) : g_strconcat(at->name, ".", unit, NULL);
    TraceLane lane = {
        .name = g_string_chunk_insert_const(self->timeline->strings, name),
        .unit = unit,
        .place = place,
        .first_slice = self->timeline->slices->len,
        .first_mark = self->timeline->marks->len,
    };

    g_array_append_val(self->timeline->lanes, lane);
    return self->timeline->lanes->len - 1;
}

static TraceLane *last_lane(const Maker *self)
{
    return &g_array_index(self->timeline->lanes, TraceLane,
                          self->timeline->lanes->len - 1);
}

static guint32
add_slice(const Maker *self, const char *name, SimTime begin, SimTime end, guint depth)
{
    TraceArgument arguments[] = {{"cb", (int64_t) (begin % 7)}, {"bytes", 2048}};
    TraceSlice slice = {
        .name = name,
        .begin = begin,
        .end = end,
        .lane = self->timeline->lanes->len - 1,
        .depth = depth,
        .first_argument = self->timeline->arguments->len,
        .argument_count = G_N_ELEMENTS(arguments),
    };

    g_array_append_vals(self->timeline->arguments, arguments, G_N_ELEMENTS(arguments));
    g_array_append_val(self->timeline->slices, slice);
    last_lane(self)->slice_count++;
    self->timeline->end = MAX(self->timeline->end, end);
    return self->timeline->slices->len - 1;
}

static guint32
add_mark(const Maker *self, const char *name, SimTime at, SimTime cycles, bool is_stall)
{
    TraceMark mark = {.name = name,
                      .at = at,
                      .cycles = cycles,
                      .lane = self->timeline->lanes->len - 1,
                      .is_stall = is_stall};

    g_array_append_val(self->timeline->marks, mark);
    last_lane(self)->mark_count++;
    self->timeline->end = MAX(self->timeline->end, at + cycles);
    return self->timeline->marks->len - 1;
}

/* Slices, each with a wait behind it. */
static void fill_lane(Maker *self, bool has_zones)
{
    const guint half = (guint) MAX(self->shape->cycles / 2, 2);
    SimTime time = roll(self, half);

    for (guint i = 0; i < self->shape->slices; i++) {
        const SimTime end = time + 1 + roll(self, half);
        const SimTime wait = 1 + roll(self, half);

        (void) add_slice(self, text(self, operations[roll(self, 5)]), time, end, 0);
        if (has_zones && end - time > 2) {
            (void) add_slice(self, "zone", time + 1, end - 1, 1);
        }
        (void) add_mark(self, reasons[roll(self, 4)], end, wait, true);
        time = end + wait;
    }
}

static void add_fill(Maker *self, guint32 lane)
{
    TraceCounter counter = {.name = text(self, "cb 0"),
                            .unit = "pages",
                            .lane = lane,
                            .first_sample = self->timeline->samples->len};

    for (guint i = 0; i < self->shape->slices; i++) {
        TraceSample sample = {.at = i * self->shape->cycles,
                              .value = (int64_t) roll(self, 9)};

        g_array_append_val(self->timeline->samples, sample);
        counter.sample_count++;
    }
    g_array_append_val(self->timeline->counters, counter);
}

static void add_core(Maker *self, gint x, gint y, guint32 *sent)
{
    const guint32 place = add_place(self, "core", x, y);
    TraceFlow flow = {.id = 1 + (guint64) place, .is_to_mark = true};

    (void) add_lane(self, place, "reader");
    fill_lane(self, false);
    flow.from = *sent;
    (void) add_mark(self, "arrive", self->timeline->end / 2, 0, false);
    /* By time, as the reader leaves them. */
    TraceLane *lane = last_lane(self);
    TraceMark *marks =
        &g_array_index(self->timeline->marks, TraceMark, lane->first_mark);
    guint32 at = lane->mark_count - 1;

    for (; at > 0 && marks[at - 1].at > marks[at].at; at--) {
        const TraceMark swapped = marks[at];

        marks[at] = marks[at - 1];
        marks[at - 1] = swapped;
    }
    flow.to = lane->first_mark + at;
    if (*sent != TRACE_NONE) {
        g_array_append_val(self->timeline->flows, flow);
    }
    *sent = lane->first_slice + lane->slice_count / 4;
    (void) add_lane(self, place, "math");
    fill_lane(self, true);
    (void) add_lane(self, place, "pack");
    fill_lane(self, false);
    add_fill(self, add_lane(self, place, "buffers"));
}

static void add_use(Maker *self, guint32 lane, const char *name, guint sides)
{
    TraceCounter counter = {.name = name,
                            .unit = "cycles",
                            .lane = lane,
                            .width = MAX(self->timeline->end / LINK_SAMPLES, 1),
                            .first_sample = self->timeline->samples->len,
                            .sample_count = LINK_SAMPLES};

    for (guint i = 0; i < LINK_SAMPLES; i++) {
        TraceSample sample = {.at = i * counter.width,
                              .value =
                                  (int64_t) (counter.width * roll(self, sides) / 100)};

        g_array_append_val(self->timeline->samples, sample);
    }
    g_array_append_val(self->timeline->counters, counter);
}

static void add_router(Maker *self, gint x, gint y)
{
    const guint32 place = add_place(self, "noc0", x, y);

    add_use(self, add_lane(self, place, "east"), "busy",
            20 + 60 * (guint) x / self->shape->columns);
    add_use(self, add_lane(self, place, "south"), "busy", 15);
}

static void for_places(Maker *self, void (*add)(Maker *, gint, gint, guint32 *))
{
    guint32 sent = TRACE_NONE;

    for (gint y = 0; y < (gint) self->shape->rows; y++) {
        for (gint x = 0; x < (gint) self->shape->columns; x++) {
            add(self, x, y, &sent);
        }
    }
}

static void add_router_of(Maker *self, gint x, gint y, guint32 *sent G_GNUC_UNUSED)
{
    add_router(self, x, y);
}

TraceTimeline *sample_timeline_new(const SampleShape *shape)
{
    TraceTimeline *timeline = g_new0(TraceTimeline, 1);
    Maker maker = {.shape = shape, .timeline = timeline, .random = 1};

    timeline->places = g_array_new(FALSE, FALSE, sizeof(TracePlace));
    timeline->lanes = g_array_new(FALSE, FALSE, sizeof(TraceLane));
    timeline->slices = g_array_new(FALSE, FALSE, sizeof(TraceSlice));
    timeline->marks = g_array_new(FALSE, FALSE, sizeof(TraceMark));
    timeline->arguments = g_array_new(FALSE, FALSE, sizeof(TraceArgument));
    timeline->counters = g_array_new(FALSE, FALSE, sizeof(TraceCounter));
    timeline->samples = g_array_new(FALSE, FALSE, sizeof(TraceSample));
    timeline->flows = g_array_new(FALSE, FALSE, sizeof(TraceFlow));
    timeline->strings = g_string_chunk_new(4096);
    timeline->clock_hz = 1e9;
    for_places(&maker, add_core);
    for_places(&maker, add_router_of);
    (void) add_lane(&maker, add_place(&maker, "pcie", -1, -1), "");
    (void) add_slice(&maker, "write", 0, timeline->end / 10, 0);
    return timeline;
}
