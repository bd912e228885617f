/* Builds timelines. */
#include "tests/traces/timeline_fixture.h"

#include <glib/gstdio.h>

#include "traces/reading/timeline_items.h"

TraceTimeline *fixture_new(void)
{
    TraceTimeline *self = trace_timeline_new();

    self->start = json_object_new();
    self->clock_hz = 1e9;
    return self;
}

static void cover(TraceTimeline *self, SimTime time)
{
    self->end = MAX(self->end, time);
}

guint32 fixture_place(TraceTimeline *self, const char *kind, int x, int y)
{
    TracePlace place = {.kind = kind, .name = kind};

    if (x >= 0) {
        g_autofree char *name = g_strdup_printf("%s[%d,%d]", kind, x, y);

        place.name = g_string_chunk_insert(self->strings, name);
        place.has_place = true;
        place.x = place.x_end = (guint) x;
        place.y = place.y_end = (guint) y;
    }
    g_array_append_val(self->places, place);
    return self->places->len - 1;
}

guint32 fixture_lane(TraceTimeline *self, guint32 place, const char *unit)
{
    g_autofree char *name = g_strdup_printf("%s%s%s", trace_place_at(self, place)->name,
                                            *unit != '\0' ? "." : "", unit);
    TraceLane lane = {.name = g_string_chunk_insert(self->strings, name),
                      .unit = unit,
                      .place = place,
                      .first_slice = self->slices->len,
                      .first_mark = self->marks->len};

    g_array_append_val(self->lanes, lane);
    return self->lanes->len - 1;
}

guint32 fixture_slice(
    TraceTimeline *self, guint32 lane, const char *name, SimTime begin, SimTime end)
{
    TraceSlice slice = {.name = name,
                        .begin = begin,
                        .end = end,
                        .lane = lane,
                        .first_argument = self->arguments->len};

    g_array_index(self->lanes, TraceLane, lane).slice_count++;
    g_array_append_val(self->slices, slice);
    cover(self, end);
    return self->slices->len - 1;
}

static guint32 add_mark(TraceTimeline *self, const TraceMark *mark)
{
    g_array_index(self->lanes, TraceLane, mark->lane).mark_count++;
    g_array_append_vals(self->marks, mark, 1);
    cover(self, trace_time_after(mark->at, mark->cycles));
    return self->marks->len - 1;
}

guint32 fixture_stall(
    TraceTimeline *self, guint32 lane, const char *name, SimTime at, SimTime cycles)
{
    return add_mark(self, &(TraceMark){.name = name,
                                       .at = at,
                                       .cycles = cycles,
                                       .lane = lane,
                                       .is_stall = true,
                                       .first_argument = self->arguments->len});
}

guint32 fixture_mark(TraceTimeline *self, guint32 lane, const char *name, SimTime at)
{
    return add_mark(self, &(TraceMark){.name = name,
                                       .at = at,
                                       .lane = lane,
                                       .first_argument = self->arguments->len});
}

void fixture_argument(TraceTimeline *self, const char *name, int64_t value)
{
    TraceArgument argument = {.name = name, .value = value};

    g_array_index(self->slices, TraceSlice, self->slices->len - 1).argument_count++;
    g_array_append_val(self->arguments, argument);
}

void fixture_mark_argument(TraceTimeline *self, const char *name, int64_t value)
{
    TraceArgument argument = {.name = name, .value = value};

    g_array_index(self->marks, TraceMark, self->marks->len - 1).argument_count++;
    g_array_append_val(self->arguments, argument);
}

guint32 fixture_counter(TraceTimeline *self,
                        guint32 lane,
                        const char *name,
                        const char *unit,
                        SimTime width)
{
    TraceCounter counter = {.name = name,
                            .unit = unit,
                            .lane = lane,
                            .width = width,
                            .first_sample = self->samples->len};

    g_array_append_val(self->counters, counter);
    return self->counters->len - 1;
}

void fixture_sample(TraceTimeline *self, SimTime at, int64_t value)
{
    TraceCounter *counter =
        &g_array_index(self->counters, TraceCounter, self->counters->len - 1);
    TraceSample sample = {.at = at, .value = value};

    counter->sample_count++;
    g_array_append_val(self->samples, sample);
    cover(self, trace_time_after(at, counter->width));
}

void fixture_flow(TraceTimeline *self, guint32 from, guint32 to)
{
    TraceFlow flow = {
        .id = self->flows->len + 100, .is_to_mark = true, .from = from, .to = to};

    g_array_append_val(self->flows, flow);
}

static void add_number(JsonArray *numbers, const char *name, const char *value)
{
    g_auto(GStrv) parts = g_strsplit(name, ".", 2);
    JsonObject *line = json_object_new();

    json_object_set_string_member(line, "section", parts[0]);
    json_object_set_string_member(line, "key", parts[1]);
    json_object_set_string_member(line, "value", value);
    json_array_add_object_element(numbers, line);
}

/* A chip of 4 x 3 tiles, of which a column and a row are no cores. */
static JsonObject *make_result(void)
{
    JsonObject *result = json_object_new();
    JsonArray *numbers = json_array_new();

    add_number(numbers, "grid.column_count", "4");
    add_number(numbers, "grid.row_count", "3");
    add_number(numbers, "grid.tensix_columns", "1,2,3");
    add_number(numbers, "grid.tensix_rows", "0,1,2");
    add_number(numbers, "grid.harvested_rows", "0");
    add_number(numbers, "dram.view_columns", "0,0");
    add_number(numbers, "dram.view_rows", "2,1");
    json_object_set_string_member(result, "chip", "small");
    json_object_set_array_member(result, "chip_parameters", numbers);
    return result;
}

TraceTimeline *fixture_cores(void)
{
    TraceTimeline *self = fixture_new();
    guint32 near = fixture_place(self, "core", 0, 0);
    guint32 far = fixture_place(self, "core", 1, 0);
    guint32 tile = fixture_place(self, "noc0", 1, 1);
    guint32 writer = fixture_lane(self, near, "writer");
    guint32 sent = fixture_slice(self, writer, "noc_async_write", 1000, 1040);
    guint32 math;
    guint32 noc;
    guint32 east;

    fixture_argument(self, "bytes", 2048);
    fixture_argument(self, "x", 2);
    fixture_argument(self, "y", 1);
    fixture_stall(self, writer, "noc", 1040, 60);
    math = fixture_lane(self, near, "math");
    fixture_slice(self, math, "add_tiles", 0, 26);
    fixture_slice(self, math, "inner", 4, 10);
    g_array_index(self->slices, TraceSlice, self->slices->len - 1).depth = 1;
    noc = fixture_lane(self, far, "noc0");
    fixture_flow(self, sent, fixture_mark(self, noc, "arrive", 1100));
    (void) fixture_lane(self, far, "pack");
    east = fixture_lane(self, tile, "east");
    fixture_counter(self, noc, "cb 3", "pages", 0);
    fixture_sample(self, 0, 0);
    fixture_sample(self, 1100, 1);
    fixture_counter(self, east, "busy", "cycles", 512);
    fixture_sample(self, 512, 24);
    fixture_sample(self, 1024, 41);
    json_object_set_string_member(self->start, "workload", "a \"test\"");
    json_object_set_string_member(self->start, "chip", "wormhole_n300");
    self->result = make_result();
    return self;
}

char *fixture_written(const TraceTimeline *self, FixtureWriteFunc write)
{
    g_autofree char *folder = g_dir_make_tmp("gridloom-stream-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "written", NULL);
    g_autoptr(TraceStream) stream = trace_stream_open(path, NULL);
    char *text = NULL;

    g_assert_nonnull(stream);
    write(self, stream);
    g_assert_true(trace_stream_close(stream, NULL));
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    (void) g_unlink(path);
    (void) g_rmdir(folder);
    return text;
}
