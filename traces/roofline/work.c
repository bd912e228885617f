/* Reads what was computed, and what was moved, out of a trace. */
#include "traces/roofline/work.h"

#include <math.h>
#include <string.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/reading/timeline_items.h"

enum {
    PROGRAM_NUMBERS = 4,
    COUNTERS_MAXIMUM = 64,
};

static void part_clear(gpointer data)
{
    TraceWorkPart *self = data;

    g_free(self->amounts);
    g_free(self->busy);
}

GArray *trace_work_parts_new(void)
{
    GArray *parts = g_array_new(FALSE, TRUE, sizeof(TraceWorkPart));

    g_array_set_clear_func(parts, part_clear);
    return parts;
}

TraceWorkPart *trace_work_parts_add(const TraceWork *self, GArray *parts)
{
    const TraceWorkPart part = {.amounts = g_new0(double, self->counters->len),
                                .busy = g_new0(double, MAX(self->units->len, 1))};

    g_array_append_val(parts, part);
    return &g_array_index(parts, TraceWorkPart, parts->len - 1);
}

guint trace_work_counter(const TraceWork *self, const char *name)
{
    guint i = 0;

    while (i < self->counters->len &&
           !g_str_equal(g_ptr_array_index(self->counters, i), name)) {
        i++;
    }
    return i;
}

static void add_counter(TraceWork *self, const char *name)
{
    if (trace_work_counter(self, name) == self->counters->len &&
        self->counters->len < COUNTERS_MAXIMUM) {
        g_ptr_array_add(self->counters, (gpointer) name);
    }
}

static bool is_core(const TracePlace *place)
{
    return place->has_place &&
           (g_str_equal(place->kind, "core") || g_str_equal(place->kind, "pe"));
}

static bool is_square(const TracePlace *place)
{
    return place->x_end != place->x || place->y_end != place->y;
}

bool trace_work_is_link(const TraceLane *lane)
{
    static const char *const links[] = {"east", "south", "west", "north", NULL};

    return g_strv_contains(links, lane->unit);
}

bool trace_work_is_of_core(const TraceWork *self, const TraceLane *lane)
{
    return is_core(trace_place_at(self->timeline, lane->place));
}

/* Are there squares of cores, of which only use is known? */
static bool has_blocks(const TraceTimeline *timeline)
{
    for (guint i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);
        const TracePlace *place = trace_place_at(timeline, lane->place);

        if (is_core(place) && !trace_work_is_link(lane) && is_square(place)) {
            return true;
        }
    }
    /* Blocks of one core each have counters of use for their units. */
    for (guint i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);
        const TraceLane *lane = trace_lane_at(timeline, counter->lane);

        if (counter->width > 0 && !trace_work_is_link(lane) &&
            is_core(trace_place_at(timeline, lane->place))) {
            return true;
        }
    }
    return false;
}

static const char *reason_of(const TraceTimeline *timeline)
{
    if (timeline->start == NULL) {
        return "made by another program, so it does not say what was computed";
    }
    if (trace_json_number(timeline->result, "chips", 1) > 1) {
        return "of several chips, whose parts are not told apart";
    }
    if (timeline->work == NULL) {
        return "it does not say when programs ran, as traces of an older gridloom do "
               "not, or none ran";
    }
    if (has_blocks(timeline)) {
        return "it holds use by time of blocks of cores, not what they computed; see "
               "--trace-level, --trace-cores and --trace-window";
    }
    return NULL;
}

static double element_number(JsonArray *row, guint index)
{
    JsonNode *node = json_array_get_element(row, index);

    return JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : 0;
}

static void read_programs(TraceWork *self, JsonArray *programs)
{
    for (guint i = 0; i < trace_json_count(programs); i++) {
        JsonNode *node = json_array_get_element(programs, i);
        JsonArray *row = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

        if (trace_json_count(row) == PROGRAM_NUMBERS) {
            const TraceWorkProgram program = {
                .begin = (SimTime) fmax(0, element_number(row, 0)),
                .end = (SimTime) fmax(0, element_number(row, 1)),
                .cores = element_number(row, 2),
                .cycles = element_number(row, 3)};

            if (program.end > program.begin) {
                g_array_append_val(self->programs, program);
            }
        }
    }
}

static void read_units(TraceWork *self)
{
    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);

        if (lane->slice_count > 0 && *lane->unit != '\0' &&
            !g_str_has_prefix(lane->unit, "zones") &&
            is_core(trace_place_at(self->timeline, lane->place)) &&
            !g_ptr_array_find_with_equal_func(self->units, lane->unit, g_str_equal,
                                              NULL)) {
            g_ptr_array_add(self->units, (gpointer) lane->unit);
        }
    }
}

TraceWork *
trace_work_new(const char *name, const TraceTimeline *timeline, GError **error)
{
    const char *reason = reason_of(timeline);
    JsonArray *roofs;
    TraceWork *self;

    if (timeline->start != NULL && timeline->result == NULL) {
        (void) trace_refuse(error,
                            "%s%s; it has no result, so the roofs of its chip are not "
                            "known",
                            timeline->warning != NULL ? "" : name,
                            timeline->warning != NULL ? timeline->warning
                                                      : ": cut off");
        return NULL;
    }
    if (reason != NULL) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS, "%s: %s", name, reason);
        return NULL;
    }
    self = g_new0(TraceWork, 1);
    self->timeline = timeline;
    self->name = name;
    self->programs = g_array_new(FALSE, FALSE, sizeof(TraceWorkProgram));
    self->counters = g_ptr_array_new();
    self->units = g_ptr_array_new();
    self->meanings =
        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
    self->link_bytes = trace_json_number(timeline->work, "link_bytes", 0);
    read_programs(self, trace_json_array(timeline->work, "programs"));
    read_units(self);
    add_counter(self, "flops");
    roofs = trace_json_array(timeline->work, "roofs");
    for (guint i = 0; i < trace_json_count(roofs); i++) {
        add_counter(self, trace_json_string(trace_json_item(roofs, i), "counter", ""));
    }
    return self;
}

void trace_work_free(TraceWork *self)
{
    if (self != NULL) {
        g_array_unref(self->programs);
        g_ptr_array_unref(self->counters);
        g_ptr_array_unref(self->units);
        g_hash_table_unref(self->meanings);
        g_free(self);
    }
}

/* The counters (of guint) that an argument adds to, by its name, which the timeline
 * keeps once. */
static const GArray *meaning_of(const TraceWork *self, const char *name)
{
    GArray *counters = g_hash_table_lookup(self->meanings, name);

    if (counters == NULL) {
        g_auto(GStrv) words = g_strsplit(name, "+", -1);

        counters = g_array_new(FALSE, FALSE, sizeof(guint));
        for (char **word = words; *word != NULL; word++) {
            const guint counter = trace_work_counter(self, *word);

            if (counter < self->counters->len) {
                g_array_append_val(counters, counter);
            }
        }
        g_hash_table_insert(self->meanings, (gpointer) name, counters);
    }
    return counters;
}

/* An event of a lane: a slice, or a mark, which takes no time. */
typedef struct {
    SimTime begin;
    SimTime end;
    guint32 first_argument;
    guint32 argument_count;
} Event;

static void
each_argument(const TraceWork *self, Event event, TraceWorkFunc func, gpointer data)
{
    for (guint32 i = 0; i < event.argument_count; i++) {
        const TraceArgument *argument =
            trace_argument_at(self->timeline, event.first_argument + i);
        const GArray *counters = meaning_of(self, argument->name);

        for (guint k = 0; k < counters->len; k++) {
            func(data, g_array_index(counters, guint, k), event.begin, event.end,
                 (double) argument->value);
        }
    }
}

void trace_work_each(const TraceWork *self,
                     guint32 lane,
                     TraceWorkFunc func,
                     gpointer data)
{
    const TraceLane *own = trace_lane_at(self->timeline, lane);

    for (guint32 i = 0; i < own->slice_count; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, own->first_slice + i);

        each_argument(self,
                      (Event){slice->begin, MAX(slice->begin, slice->end),
                              slice->first_argument, slice->argument_count},
                      func, data);
    }
    for (guint32 i = 0; i < own->mark_count; i++) {
        const TraceMark *mark = trace_mark_at(self->timeline, own->first_mark + i);

        each_argument(
            self,
            (Event){mark->at, mark->at, mark->first_argument, mark->argument_count},
            func, data);
    }
}

bool trace_work_has_lane(const TraceWork *self,
                         const TraceWorkChoice *choice,
                         guint32 lane)
{
    const TracePlace *place =
        trace_place_at(self->timeline, trace_lane_at(self->timeline, lane)->place);

    return is_core(place) && !is_square(place) &&
           (choice->has_core == NULL ||
            choice->has_core(choice->data, place->x, place->y));
}

guint trace_work_core_count(const TraceWork *self, const TraceWorkChoice *choice)
{
    guint32 last = TRACE_NONE;
    guint count = 0;

    /* The lanes of a place are adjacent. */
    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);

        if (lane->slice_count > 0 && lane->place != last &&
            trace_work_has_lane(self, choice, i)) {
            last = lane->place;
            count++;
        }
    }
    return count;
}

/* Are all cores of the run in it? */
bool trace_work_has_all_cores(const TraceWork *self, const TraceWorkChoice *choice)
{
    return choice->has_core == NULL && self->timeline->cores == NULL;
}

/* Adds the programs' cycles within the part, and their cores. */
void trace_work_add_time(const TraceWork *self,
                         const TraceWorkChoice *choice,
                         TraceWorkPart *part)
{
    double core_cycles = 0;

    for (guint i = 0; i < self->programs->len; i++) {
        const TraceWorkProgram *program =
            &g_array_index(self->programs, TraceWorkProgram, i);
        const SimTime from = MAX(part->from, program->begin);
        const SimTime to = MIN(part->to, program->end);

        if (from < to) {
            const double cycles = fmin((double) (to - from), program->cycles);

            part->cycles += cycles;
            core_cycles += cycles * program->cores;
        }
    }
    part->cores = trace_work_has_all_cores(self, choice)
                      ? core_cycles / fmax(part->cycles, 1)
                      : trace_work_core_count(self, choice);
}

/* When the first program began, and when the last one ended. */
void trace_work_span(const TraceWork *self, SimTime *first, SimTime *last)
{
    *first = SIM_TIME_NEVER;
    *last = 0;
    for (guint i = 0; i < self->programs->len; i++) {
        const TraceWorkProgram *program =
            &g_array_index(self->programs, TraceWorkProgram, i);

        *first = MIN(*first, program->begin);
        *last = MAX(*last, program->end);
    }
}

bool trace_work_narrow(const TraceWork *self, TraceWorkChoice *choice, GError **error)
{
    const TraceTimeline *timeline = self->timeline;
    const SimTime from = choice->from;
    const SimTime to = choice->to;
    SimTime first;
    SimTime last;
    TraceWorkPart part = {0};

    trace_work_span(self, &first, &last);
    first = MAX(first, timeline->from);
    last = MIN(MIN(last, timeline->to), timeline->cut);
    if (first >= last) {
        return trace_refuse(error, "%s: no program ran in the part that it holds",
                            self->name);
    }
    choice->from = MAX(from, first);
    choice->to = MIN(to, last);
    if (choice->from >= choice->to) {
        return trace_refuse(error,
                            "%s: what it holds of programs lasts from cycle "
                            "%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                            self->name, first, last);
    }
    part.from = choice->from;
    part.to = choice->to;
    trace_work_add_time(self, choice, &part);
    if (!(part.cores > 0)) {
        return trace_refuse(error, "%s: none of these cores did anything in it",
                            self->name);
    }
    if (!(part.cycles > 0)) {
        return trace_refuse(error,
                            "%s: no program ran from cycle %" G_GUINT64_FORMAT
                            " to %" G_GUINT64_FORMAT,
                            self->name, from, to);
    }
    return true;
}

bool trace_work_is_all_time(const TraceWork *self, const TraceWorkChoice *choice)
{
    bool is_all = true;

    for (guint i = 0; i < self->programs->len; i++) {
        const TraceWorkProgram *program =
            &g_array_index(self->programs, TraceWorkProgram, i);

        is_all = is_all && choice->from <= program->begin && choice->to >= program->end;
    }
    return is_all;
}
