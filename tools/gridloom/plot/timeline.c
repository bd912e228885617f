/* gridloom plot timeline: what the units of some cores did, and when. */
#include <string.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_part.h"
#include "tools/gridloom/plot/file.h"
#include "traces/error.h"
#include "traces/picture/timeline_picture.h"
#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

enum {
    LANES_UNASKED = 48,  /* of cores that nobody chose */
    LANES_MAXIMUM = 2000 /* of a picture that somebody can look at */
};

typedef struct {
    CmdPlotFile file;
    char *window_text;
    GArray *cores; /* of TraceSquare; NULL: the first ones that did anything */
    char **units;  /* NULL: all */
    SimTime from;
    SimTime to;
} Options;

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const char *units = option_text(texts, "units");

    self->units = units != NULL ? g_strsplit(units, ",", -1) : NULL;
    return option_window(self->window_text, "--window", &self->from, &self->to,
                         error) &&
           option_squares(option_text(texts, "cores"), "--cores", &self->cores,
                          error) &&
           cmd_plot_file_open(&self->file, texts, 1, error);
}

static void clear(gpointer options)
{
    Options *self = options;

    cmd_plot_file_clear(options);
    g_clear_pointer(&self->cores, g_array_unref);
    g_strfreev(self->units);
}

/* Lanes with counters of use; the caller frees it. */
static bool *used_lanes(const TraceTimeline *timeline)
{
    bool *is_used = g_new0(bool, timeline->lanes->len);

    for (guint32 i = 0; i < timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(timeline, i);

        is_used[counter->lane] = is_used[counter->lane] || counter->width > 0;
    }
    return is_used;
}

static bool is_chosen(const Options *self, const TraceTimeline *timeline, guint32 index)
{
    const TraceLane *lane = trace_lane_at(timeline, index);
    const TracePlace *place = trace_place_at(timeline, lane->place);
    /* Networks have coordinates of their own. */
    bool is_network = g_str_has_prefix(place->kind, "noc");

    if (self->units != NULL &&
        !g_strv_contains((const char *const *) self->units, lane->unit)) {
        return false;
    }
    return self->cores == NULL
               ? !is_network || self->units != NULL
               : !is_network && place->has_place &&
                     option_squares_have(self->cores, place->x, place->y);
}

/* So many lanes of whole places that nobody chose. */
static guint cut_lanes(const TraceTimeline *timeline, const GArray *lanes)
{
    guint kept = LANES_UNASKED;

    if (lanes->len <= kept) {
        return lanes->len;
    }
    while (kept > 0 &&
           trace_lane_at(timeline, g_array_index(lanes, guint32, kept - 1))->place ==
               trace_lane_at(timeline, g_array_index(lanes, guint32, kept))->place) {
        kept--;
    }
    return kept > 0 ? kept : LANES_UNASKED;
}

/* Of the whole run: a lane that rests in the window is shown all the same. */
static GArray *choose_lanes(const Options *self, const TraceTimeline *timeline)
{
    GArray *lanes = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree bool *is_used = used_lanes(timeline);
    guint most = self->cores != NULL ? LANES_MAXIMUM : LANES_UNASKED + 1;

    for (guint32 i = 0; i < timeline->lanes->len && lanes->len < most; i++) {
        if (is_chosen(self, timeline, i) &&
            (trace_lane_at(timeline, i)->slice_count > 0 ||
             trace_lane_at(timeline, i)->mark_count > 0 || is_used[i])) {
            g_array_append_val(lanes, i);
        }
    }
    if (self->cores == NULL) {
        g_array_set_size(lanes, cut_lanes(timeline, lanes));
    }
    return lanes;
}

static void
cover(const TraceTimeline *timeline, const TraceLane *lane, SimTime *from, SimTime *to)
{
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice = trace_slice_at(timeline, lane->first_slice + i);

        *from = MIN(*from, slice->begin);
        *to = MAX(*to, slice->end);
    }
    for (guint32 i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark = trace_mark_at(timeline, lane->first_mark + i);

        *from = MIN(*from, mark->at);
        *to = MAX(*to, trace_time_after(mark->at, MAX(mark->cycles, 1)));
    }
}

/* Where the lanes begin and end to do something; counters of use say so only roughly.
 */
static void find_span(const TraceTimeline *timeline,
                      const GArray *lanes,
                      SimTime *from,
                      SimTime *to)
{
    g_autofree bool *is_shown = g_new0(bool, timeline->lanes->len);

    for (guint i = 0; i < lanes->len; i++) {
        guint32 lane = g_array_index(lanes, guint32, i);

        is_shown[lane] = true;
        cover(timeline, trace_lane_at(timeline, lane), from, to);
    }
    if (*from >= *to) {
        trace_lane_use_span(timeline, TRACE_USE_BUSY, is_shown, from, to);
        trace_lane_use_span(timeline, TRACE_USE_STALLED, is_shown, from, to);
    }
}

/* What the user says, as far as the trace has it; else all that is shown. */
static bool cut_window(Options *self,
                       const TraceTimeline *timeline,
                       const GArray *lanes,
                       GError **error)
{
    SimTime from = SIM_TIME_NEVER;
    SimTime to = 0;

    find_span(timeline, lanes, &from, &to);
    if (from >= to) {
        from = timeline->begin;
        to = MAX(timeline->end, timeline->begin + 1);
    }
    if (self->window_text != NULL && (self->from >= to || self->to <= from)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "--window = %s: what is chosen lasts from %" G_GUINT64_FORMAT
                    " to %" G_GUINT64_FORMAT,
                    self->window_text, from, to);
        return false;
    }
    self->from = self->from > 0 ? self->from : from;
    self->to = MIN(self->to, to);
    return true;
}

static char *draw(gpointer options, GError **error)
{
    Options *self = options;
    const TraceTimeline *timeline = cmd_plot_file_timeline(&self->file, error);
    const TraceRun *run = g_ptr_array_index(self->file.runs, 0);
    g_autoptr(GArray) lanes = NULL;
    g_autofree char *title = NULL;

    if (timeline == NULL) {
        return NULL;
    }
    lanes = choose_lanes(self, timeline);
    if (lanes->len == 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "%s: nothing happens there in the trace", run->name);
        return NULL;
    }
    if (!cut_window(self, timeline, lanes, error)) {
        return NULL;
    }
    title = cmd_plot_file_run_name(run);
    return trace_timeline_picture_to_svg(&(TraceTimelinePicture){
        .timeline = timeline,
        .title = self->file.title != NULL ? self->file.title : title,
        .lanes = (const guint32 *) (const void *) lanes->data,
        .lane_count = lanes->len,
        .begin = self->from,
        .end = self->to,
    });
}

static const Option rows[] = {
    {"cores", "SPEC",
     "of these cores or PEs: 3,4 or 0:3,0:6, several with ; (default: the first)",
     OPTION_OTHER(TEXT)},
    {"units", "A,B,...", "only these units (default: all that did anything)",
     OPTION_OTHER(TEXT)},
    {"window", "FROM:TO", "only these cycles; either may be left out",
     OPTION_TEXT(window_text)},
    {0},
};

const Command cmd_plot_timeline = {
    .name = "plot timeline",
    .program = "gridloom plot",
    .words = "timeline RUN -o FILE",
    .purpose = "draw what units did, and when",
    .tables = {{rows, 0}, {cmd_plot_file_rows, offsetof(Options, file)}},
    COMMAND_OPTIONS(Options,
                    .file = {.name = "plot timeline", .draw = draw, .scale = 1},
                    .to = SIM_TIME_NEVER),
    .check = check,
    .clear = clear,
    .run = cmd_plot_file_run,
};
