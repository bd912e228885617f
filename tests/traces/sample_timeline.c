/* Makes traces. */
#include "tests/traces/sample_timeline.h"

#include "tests/traces/timeline_fixture.h"

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
    const guint32 number = fixture_place(self->timeline, kind, x, y);
    TracePlace *place = &g_array_index(self->timeline->places, TracePlace, number);

    place->name = text(self, place->name);
    return number;
}

/* Of the lane that was added last. */
static void
add_slice(const Maker *self, const char *name, SimTime begin, SimTime end, guint depth)
{
    const guint32 number =
        fixture_slice(self->timeline, self->timeline->lanes->len - 1, name, begin, end);

    g_array_index(self->timeline->slices, TraceSlice, number).depth = depth;
    fixture_argument(self->timeline, "cb", (int64_t) (begin % 7));
    fixture_argument(self->timeline, "bytes", 2048);
}

/* Slices, each with a wait behind it. */
static void fill_lane(Maker *self, bool has_zones)
{
    const guint half = (guint) MAX(self->shape->cycles / 2, 2);
    SimTime time = roll(self, half);

    for (guint i = 0; i < self->shape->slices; i++) {
        const SimTime end = time + 1 + roll(self, half);
        const SimTime wait = 1 + roll(self, half);

        add_slice(self, text(self, operations[roll(self, 5)]), time, end, 0);
        if (has_zones && end - time > 2) {
            add_slice(self, "zone", time + 1, end - 1, 1);
        }
        (void) fixture_stall(self->timeline, self->timeline->lanes->len - 1,
                             reasons[roll(self, 4)], end, wait);
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
    const guint32 reader = fixture_lane(self->timeline, place, "reader");

    fill_lane(self, false);
    (void) fixture_mark(self->timeline, reader, "arrive", self->timeline->end / 2);
    /* By time, as the reader leaves them. */
    const TraceLane *lane = &g_array_index(self->timeline->lanes, TraceLane, reader);
    TraceMark *marks =
        &g_array_index(self->timeline->marks, TraceMark, lane->first_mark);
    guint32 at = lane->mark_count - 1;

    for (; at > 0 && marks[at - 1].at > marks[at].at; at--) {
        const TraceMark swapped = marks[at];

        marks[at] = marks[at - 1];
        marks[at - 1] = swapped;
    }
    if (*sent != TRACE_NONE) {
        fixture_flow(self->timeline, *sent, lane->first_mark + at);
    }
    *sent = lane->first_slice + lane->slice_count / 4;
    (void) fixture_lane(self->timeline, place, "math");
    fill_lane(self, true);
    (void) fixture_lane(self->timeline, place, "pack");
    fill_lane(self, false);
    add_fill(self, fixture_lane(self->timeline, place, "buffers"));
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

    add_use(self, fixture_lane(self->timeline, place, "east"), "busy",
            20 + 60 * (guint) x / self->shape->columns);
    add_use(self, fixture_lane(self->timeline, place, "south"), "busy", 15);
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
    TraceTimeline *timeline = fixture_new();
    Maker maker = {.shape = shape, .timeline = timeline, .random = 1};

    for_places(&maker, add_core);
    for_places(&maker, add_router_of);
    (void) fixture_lane(timeline, add_place(&maker, "pcie", -1, -1), "");
    add_slice(&maker, "write", 0, timeline->end / 10, 0);
    return timeline;
}
