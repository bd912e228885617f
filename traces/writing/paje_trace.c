/* Writes Paje: definitions of event types and containers, then the events. */
#include "traces/writing/paje_trace.h"

#include <string.h>

#include "traces/reading/timeline_items.h"
#include "traces/writing/paje/moment.h"

/* Numbers that a definition gives to its events. */
enum {
    DEFINE_CONTAINER_TYPE,
    DEFINE_STATE_TYPE,
    DEFINE_EVENT_TYPE,
    DEFINE_VARIABLE_TYPE,
    DEFINE_LINK_TYPE,
    DEFINE_VALUE,
    CREATE_CONTAINER,
    DESTROY_CONTAINER,
    PUSH_STATE,
    POP_STATE,
    NEW_EVENT,
    SET_VARIABLE,
    START_LINK,
    END_LINK,
};

static const struct {
    const char *name;
    const char *fields; /* name and type, a comma between two */
} definitions[] = {
    [DEFINE_CONTAINER_TYPE] = {"PajeDefineContainerType",
                               "Alias string,Type string,Name string"},
    [DEFINE_STATE_TYPE] = {"PajeDefineStateType",
                           "Alias string,Type string,Name string"},
    [DEFINE_EVENT_TYPE] = {"PajeDefineEventType",
                           "Alias string,Type string,Name string,Color color"},
    [DEFINE_VARIABLE_TYPE] = {"PajeDefineVariableType",
                              "Alias string,Type string,Name string,Color color"},
    [DEFINE_LINK_TYPE] = {"PajeDefineLinkType",
                          "Alias string,Type string,StartContainerType string,"
                          "EndContainerType string,Name string"},
    [DEFINE_VALUE] = {"PajeDefineEntityValue",
                      "Alias string,Type string,Name string,Color color"},
    [CREATE_CONTAINER] = {"PajeCreateContainer",
                          "Time date,Alias string,Type string,Container string,Name "
                          "string"},
    [DESTROY_CONTAINER] = {"PajeDestroyContainer", "Time date,Type string,Name string"},
    [PUSH_STATE] = {"PajePushState", "Time date,Type string,Container string,Value "
                                     "string,Arguments string"},
    [POP_STATE] = {"PajePopState", "Time date,Type string,Container string"},
    [NEW_EVENT] = {"PajeNewEvent", "Time date,Type string,Container string,Value "
                                   "string,Arguments string"},
    [SET_VARIABLE] = {"PajeSetVariable",
                      "Time date,Type string,Container string,Value double"},
    [START_LINK] = {"PajeStartLink", "Time date,Type string,Container string,"
                                     "StartContainer string,Value string,Key string"},
    [END_LINK] = {"PajeEndLink", "Time date,Type string,Container string,"
                                 "EndContainer string,Value string,Key string"},
};

/* After Okabe and Ito; they begin again. */
static const char *const colours[] = {
    "0.00 0.45 0.70", "0.84 0.37 0.00", "0.00 0.62 0.45", "0.80 0.47 0.65",
    "0.34 0.71 0.91", "0.90 0.62 0.00", "0.48 0.25 0.63", "0.94 0.89 0.26",
};
#define STALL_COLOUR "0.75 0.75 0.75"

typedef struct {
    const TraceTimeline *timeline;
    TraceStream *stream;
    bool *is_used;      /* lanes */
    GHashTable *states; /* name -> number from 1 on, of operations */
    GHashTable *stalls; /* the same of reasons, */
    GHashTable *counts; /* and of counters: "name [unit]" */
    guint32 *variables; /* counter -> number of its variable */
} Writer;

static void writer_clear(Writer *self)
{
    g_free(self->is_used);
    g_free(self->variables);
    g_hash_table_unref(self->states);
    g_hash_table_unref(self->stalls);
    g_hash_table_unref(self->counts);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Writer, writer_clear)

static void define_events(TraceStream *stream)
{
    for (guint i = 0; i < G_N_ELEMENTS(definitions); i++) {
        g_auto(GStrv) fields = g_strsplit(definitions[i].fields, ",", -1);

        trace_stream_format(stream, "%%EventDef %s %u\n", definitions[i].name, i);
        for (char **field = fields; *field != NULL; field++) {
            trace_stream_format(stream, "%%  %s\n", *field);
        }
        trace_stream_text(stream, "%EndEventDef\n");
    }
}

/* Writes a text in quotes, which have no escape. Readers differ in the characters they
 * accept; all accept plain letters, at least one. */
static void add_text(const Writer *self, const char *text)
{
    g_autofree char *plain = g_strdup(text);

    for (char *at = plain; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~' || strchr("\"#%\\", *at) != NULL) {
            *at = '_';
        }
    }
    trace_stream_text(self->stream, " \"");
    trace_stream_text(self->stream, *plain != '\0' ? plain : "-");
    trace_stream_text(self->stream, "\"");
}

static void end_line(const Writer *self)
{
    trace_stream_text(self->stream, "\n");
}

/* Numbers the name where it is new, and says whether it is. */
static bool number_name(GHashTable *names, const char *name)
{
    if (g_hash_table_contains(names, name)) {
        return false;
    }
    g_hash_table_insert(names, g_strdup(name),
                        GUINT_TO_POINTER(g_hash_table_size(names) + 1));
    return true;
}

static guint number_of(GHashTable *names, const char *name)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(names, name));
}

/* Defines values of states only: ViTE knows no others. */
static void define_value(const Writer *self, bool is_stall, const char *name)
{
    GHashTable *names = is_stall ? self->stalls : self->states;
    g_autofree char *shown = g_strconcat(is_stall ? "stall " : "", name, NULL);

    if (!number_name(names, name)) {
        return;
    }
    guint number = number_of(names, name);

    trace_stream_format(self->stream, "%d %s%u S", DEFINE_VALUE, is_stall ? "w" : "s",
                        number);
    add_text(self, shown);
    add_text(self,
             is_stall ? STALL_COLOUR : colours[(number - 1) % G_N_ELEMENTS(colours)]);
    end_line(self);
}

static void define_values(const Writer *self)
{
    const TraceTimeline *timeline = self->timeline;

    for (guint32 i = 0; i < timeline->slices->len; i++) {
        const TraceSlice *slice = trace_slice_at(timeline, i);

        if (slice->end > slice->begin) {
            define_value(self, false, slice->name);
        }
    }
    for (guint32 i = 0; i < timeline->marks->len; i++) {
        const TraceMark *mark = trace_mark_at(timeline, i);

        if (mark->is_stall && trace_time_after(mark->at, mark->cycles) > mark->at) {
            define_value(self, true, mark->name);
        }
    }
}

static void define_variables(const Writer *self)
{
    for (guint32 i = 0; i < self->timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(self->timeline, i);
        g_autofree char *name =
            *counter->unit != '\0'
                ? g_strdup_printf("%s [%s]", counter->name, counter->unit)
                : g_strdup(counter->name);
        bool is_new = number_name(self->counts, name);
        guint number = number_of(self->counts, name);

        self->variables[i] = number;
        if (is_new) {
            trace_stream_format(self->stream, "%d v%u L", DEFINE_VARIABLE_TYPE, number);
            add_text(self, name);
            add_text(self, colours[(number - 1) % G_N_ELEMENTS(colours)]);
            end_line(self);
        }
    }
}

static void define_types(const Writer *self)
{
    trace_stream_format(self->stream, "%d R 0 \"Run\"\n%d P R \"Place\"\n",
                        DEFINE_CONTAINER_TYPE, DEFINE_CONTAINER_TYPE);
    trace_stream_format(self->stream, "%d L P \"Lane\"\n%d S L \"Operation\"\n",
                        DEFINE_CONTAINER_TYPE, DEFINE_STATE_TYPE);
    trace_stream_format(self->stream,
                        "%d E L \"Mark\" \"0 0 0\"\n%d F R L L \"Flow\"\n",
                        DEFINE_EVENT_TYPE, DEFINE_LINK_TYPE);
    define_values(self);
    define_variables(self);
}

static void create_containers(const Writer *self)
{
    guint32 before = TRACE_NONE;

    trace_stream_format(self->stream, "%d 0 run R 0 \"run\"\n", CREATE_CONTAINER);
    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);

        if (!self->is_used[i]) {
            continue;
        }
        if (lane->place != before) {
            before = lane->place;
            trace_stream_format(self->stream, "%d 0 p%u P run", CREATE_CONTAINER,
                                before);
            add_text(self, trace_place_at(self->timeline, before)->name);
            end_line(self);
        }
        trace_stream_format(self->stream, "%d 0 l%u L p%u", CREATE_CONTAINER, i,
                            before);
        add_text(self, lane->name);
        end_line(self);
    }
}

static void destroy_containers(const Writer *self, SimTime end)
{
    g_autofree char *time =
        g_strdup_printf("%d %" G_GUINT64_FORMAT, DESTROY_CONTAINER, end);
    guint32 place = TRACE_NONE;

    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        if (!self->is_used[i]) {
            continue;
        }
        if (place != TRACE_NONE && place != trace_lane_at(self->timeline, i)->place) {
            trace_stream_format(self->stream, "%s P p%u\n", time, place);
        }
        place = trace_lane_at(self->timeline, i)->place;
        trace_stream_format(self->stream, "%s L l%u\n", time, i);
    }
    if (place != TRACE_NONE) {
        trace_stream_format(self->stream, "%s P p%u\n", time, place);
    }
    trace_stream_format(self->stream, "%s R run\n", time);
}

static void add_arguments(const Writer *self, guint32 first, guint32 count)
{
    g_autofree char *text = trace_arguments_text(self->timeline, first, count);

    add_text(self, text);
    end_line(self);
}

static void open_line(const Writer *self, int event, SimTime time)
{
    trace_stream_format(self->stream, "%d ", event);
    trace_stream_count(self->stream, time);
}

/* Writes an event that takes no time. */
static void
write_event(const Writer *self, SimTime time, guint32 lane, const char *name)
{
    open_line(self, NEW_EVENT, time);
    trace_stream_format(self->stream, " E l%u", lane);
    add_text(self, name);
}

static void write_push(
    const Writer *self, SimTime time, guint32 lane, const char *name, bool is_stall)
{
    open_line(self, PUSH_STATE, time);
    trace_stream_format(self->stream, " S l%u %s%u", lane, is_stall ? "w" : "s",
                        number_of(is_stall ? self->stalls : self->states, name));
}

static void write_pop(const Writer *self, SimTime time, guint32 lane)
{
    open_line(self, POP_STATE, time);
    trace_stream_format(self->stream, " S l%u\n", lane);
}

static void write_slice(const Writer *self, const PajeMoment *moment)
{
    const TraceSlice *slice = trace_slice_at(self->timeline, moment->index);

    if (moment->what == PAJE_SLICE_END) {
        write_pop(self, moment->time, slice->lane);
        return;
    }
    if (moment->what == PAJE_SLICE_EVENT) {
        write_event(self, moment->time, slice->lane, slice->name);
    } else {
        write_push(self, moment->time, slice->lane, slice->name, false);
    }
    add_arguments(self, slice->first_argument, slice->argument_count);
}

static void write_mark(const Writer *self, const PajeMoment *moment)
{
    const TraceMark *mark = trace_mark_at(self->timeline, moment->index);

    if (moment->what == PAJE_STALL_END) {
        write_pop(self, moment->time, mark->lane);
        return;
    }
    if (moment->what == PAJE_STALL_BEGIN) {
        write_push(self, moment->time, mark->lane, mark->name, true);
    } else {
        write_event(self, moment->time, mark->lane, mark->name);
    }
    add_arguments(self, mark->first_argument, mark->argument_count);
}

static void write_sample(const Writer *self, const PajeMoment *moment)
{
    const TraceCounter *counter = trace_counter_at(self->timeline, moment->counter);
    int64_t value = moment->what == PAJE_USE_END
                        ? 0
                        : trace_sample_at(self->timeline, moment->index)->value;

    open_line(self, SET_VARIABLE, moment->time);
    trace_stream_format(self->stream, " v%u l%u %" G_GINT64_FORMAT "\n",
                        self->variables[moment->counter], counter->lane, value);
}

static void write_flow(const Writer *self, const PajeMoment *moment)
{
    bool is_begin = moment->what == PAJE_FLOW_BEGIN;
    TraceFlowEnd from;
    TraceFlowEnd to;

    (void) trace_flow_ends(self->timeline, moment->index, &from, &to);
    open_line(self, is_begin ? START_LINK : END_LINK, moment->time);
    trace_stream_format(self->stream, " F run l%u flow k%u\n",
                        is_begin ? from.lane : to.lane, moment->index);
}

static void write_moment(const Writer *self, const PajeMoment *moment)
{
    switch (moment->what) {
    case PAJE_SLICE_BEGIN:
    case PAJE_SLICE_END:
    case PAJE_SLICE_EVENT:
        write_slice(self, moment);
        break;
    case PAJE_STALL_BEGIN:
    case PAJE_STALL_END:
    case PAJE_MARK:
        write_mark(self, moment);
        break;
    case PAJE_SAMPLE:
    case PAJE_USE_END:
        write_sample(self, moment);
        break;
    case PAJE_FLOW_BEGIN:
    case PAJE_FLOW_END:
        write_flow(self, moment);
        break;
    }
}

static GHashTable *names_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void trace_paje_write(const TraceTimeline *timeline, TraceStream *stream)
{
    g_autoptr(GArray) moments = paje_moments(timeline);
    g_auto(Writer) writer = {
        .timeline = timeline,
        .stream = stream,
        .is_used = trace_timeline_used_lanes(timeline),
        .variables = g_new0(guint32, timeline->counters->len),
        .states = names_new(),
        .stalls = names_new(),
        .counts = names_new(),
    };
    SimTime end = timeline->end;

    define_events(stream);
    define_types(&writer);
    create_containers(&writer);
    for (guint i = 0; i < moments->len; i++) {
        const PajeMoment *moment = &g_array_index(moments, PajeMoment, i);

        write_moment(&writer, moment);
        end = MAX(end, moment->time);
    }
    destroy_containers(&writer, end);
}
