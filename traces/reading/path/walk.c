/* Follows waits back to what ended them. Every move goes back in time or to another
 * lane in the same cycle, and leaves a step for the time it goes back. */
#include "traces/reading/path/walk.h"

#include "traces/reading/timeline_items.h"

enum {
    MOVES_IN_A_CYCLE = 32, /* more of them go in a circle */
};

typedef struct {
    const TraceActors *actors;
    TracePath *path;
    guint32 lane;
    SimTime at;
    guint moves; /* in this cycle */
    const char *missing;
} Walk;

static const char latency[] = "latency";
static const char launch[] = "launch";
static const char data_reason[] = "data";
static const char credit_reason[] = "credits";
static const char dispatch[] = "dispatch";

/* Goes back to `begin`, on the lane of `step`. */
static void go_back(Walk *self, SimTime begin, TraceStep step)
{
    begin = MAX(begin, self->path->begin);
    if (begin < self->at) {
        step.begin = begin;
        step.end = self->at;
        g_array_append_val(self->path->steps, step);
        self->at = begin;
        self->moves = 0;
    }
}

static TraceStep step_of(const Walk *self, TraceStepKind kind, const char *name)
{
    return (TraceStep){
        .kind = kind, .lane = self->lane, .by = TRACE_NONE, .name = name, .bank = -1};
}

static TraceStep with_cause(TraceStep step, const TraceCause *cause)
{
    step.file = cause->file;
    step.line = cause->line;
    step.bank = cause->bank;
    return step;
}

static void work_back(Walk *self, const ActorRecord *record, const TraceCause *cause)
{
    go_back(self, record->begin,
            with_cause(step_of(self, TRACE_STEP_WORK, record->name), cause));
}

/* To who ended the wait, and when. */
static void jump(Walk *self, const char *reason, const TraceCause *cause, SimTime at)
{
    TraceStep step = with_cause(step_of(self, TRACE_STEP_WAIT, reason), cause);

    step.by = cause->lane;
    go_back(self, at, step);
    self->lane = cause->lane;
    self->moves++;
}

/* Nobody does anything: the host starts programs. */
static void launch_back(Walk *self, guint32 lane, SimTime end)
{
    TraceStep step = step_of(self, TRACE_STEP_LAUNCH, launch);

    step.lane = TRACE_NONE;
    go_back(self, lane == TRACE_NONE ? self->path->begin : end, step);
    self->lane = lane;
    self->moves++;
}

/* The lane has nothing at this time, and `record` before, unless that is NULL. If
 * others work the lane is late, else programs have been started since. */
static void cross_gap(Walk *self, const ActorRecord *record)
{
    SimTime end = 0;
    const guint32 latest = trace_actor_latest(self->actors, TRACE_NONE, self->at, &end);

    if (record != NULL && end == self->at && latest != TRACE_NONE) {
        go_back(self, record->end, step_of(self, TRACE_STEP_WAIT, latency));
    } else if (end < self->at) {
        launch_back(self, latest, end);
    } else {
        launch_back(self, TRACE_NONE, 0);
    }
}

/* --- Tensix: lanes account for every cycle --------------------------------- */

/* Units of a core that carry out one stream, and the RISC-V that sends it. */
static const struct {
    const char *unit;
    const char *others[2];
} streams[] = {
    {"unpacker", {"unpack", NULL}},
    {"fpu", {"sfpu", "math"}},
    {"sfpu", {"fpu", "math"}},
    {"packer", {"pack", NULL}},
};

/* The last time, up to now, at which the lane began or ended something. */
static SimTime last_edge(const Walk *self, guint32 lane)
{
    ActorRecord record;

    if (lane == TRACE_NONE ||
        !trace_actor_last(self->actors, lane, self->at, &record)) {
        return 0;
    }
    if (record.end <= self->at) {
        return record.end;
    }
    return record.is_stall ? record.begin : self->at;
}

/* The unit did something in the middle of a wait: its stream went on. Whoever of those
 * that have a part in the stream has changed last made it do so. */
static void leave_wait(Walk *self, const ActorRecord *record)
{
    const char *unit = trace_lane_at(self->actors->timeline, self->lane)->unit;
    guint32 lane = self->lane;
    SimTime edge = record->begin;

    for (gsize i = 0; i < G_N_ELEMENTS(streams); i++) {
        for (guint k = 0;
             g_str_equal(unit, streams[i].unit) &&
             k < G_N_ELEMENTS(streams[i].others) && streams[i].others[k] != NULL &&
             self->moves < MOVES_IN_A_CYCLE;
             k++) {
            const guint32 other =
                trace_actor_beside(self->actors, self->lane, streams[i].others[k]);

            if (last_edge(self, other) > edge) {
                lane = other;
                edge = last_edge(self, other);
            }
        }
    }
    go_back(self, edge, step_of(self, TRACE_STEP_WAIT, latency));
    self->moves += lane != self->lane;
    self->lane = lane;
}

static void leave_core(Walk *self, const ActorRecord *record)
{
    const TraceCause cause = trace_cause_read(self->actors, self->lane, record);
    const bool is_new = cause.at < self->at || cause.lane != self->lane;

    if (!record->is_stall) {
        work_back(self, record, &cause);
    } else if (record->end > self->at) {
        leave_wait(self, record);
    } else if (cause.lane != TRACE_NONE && is_new && self->moves < MOVES_IN_A_CYCLE) {
        jump(self, record->name, &cause, MIN(cause.at, self->at));
    } else {
        self->missing = cause.is_missing
                            ? trace_lane_at(self->actors->timeline, self->lane)->name
                            : NULL;
        go_back(self, record->begin,
                with_cause(step_of(self, TRACE_STEP_WAIT, record->name), &cause));
    }
}

/* --- wafers: operations of threads overlap with tasks ---------------------- */

/* Back to `begin` within an operation: what it waited for space and memory, then what
 * is left. */
static void operate_back(Walk *self,
                         SimTime begin,
                         const ActorRecord *record,
                         const TraceCause *cause)
{
    const TraceActors *actors = self->actors;
    const guint32 slot = trace_actor_beside(actors, self->lane, "ce");

    begin = MAX(begin, self->path->begin);
    if (begin >= self->at) {
        return;
    }
    const SimTime all = self->at - begin;
    const SimTime credits = MIN(cause->credits, all);
    const SimTime banks =
        slot == TRACE_NONE
            ? 0
            : MIN(trace_actor_stalled(actors, slot, begin, self->at), all - credits);

    go_back(self, begin + credits + banks,
            with_cause(step_of(self, TRACE_STEP_WORK, record->name), cause));
    go_back(self, begin + credits,
            with_cause(step_of(self, TRACE_STEP_WAIT, "memory_idle"), cause));
    go_back(self, begin,
            with_cause(step_of(self, TRACE_STEP_WAIT, credit_reason), cause));
}

/* To what made a task begin: the end of something on this PE. */
static void find_trigger(Walk *self)
{
    SimTime end = 0;
    const guint32 lane = trace_actor_latest(self->actors, self->lane, self->at, &end);

    if (lane == TRACE_NONE || end <= self->path->begin) {
        cross_gap(self, NULL);
        return;
    }
    go_back(self, end, step_of(self, TRACE_STEP_WAIT, dispatch));
    self->lane = lane;
    self->moves++;
}

static bool is_main(const Walk *self)
{
    return g_str_equal(trace_lane_at(self->actors->timeline, self->lane)->unit, "main");
}

/* At the beginning of a record: a thread is started by the main thread, a task follows
 * another one, data, or what activated it. */
static void leave_beginning(Walk *self, const TraceCause *cause)
{
    ActorRecord before;

    if (!is_main(self)) {
        const guint32 lane = trace_actor_beside(self->actors, self->lane, "main");

        self->lane = lane == TRACE_NONE ? self->lane : lane;
    }
    if (trace_actor_last(self->actors, self->lane, self->at, &before) &&
        before.end >= MAX(self->at, cause->fed)) {
        return;
    }
    if (cause->lane != TRACE_NONE && cause->at < self->at) {
        jump(self, data_reason, cause, cause->at);
    } else {
        find_trigger(self);
    }
}

/* Data came before the last of them as those did, as long ago. */
static void leave_stream(Walk *self, const ActorRecord *record, const TraceCause *cause)
{
    const SimTime way = cause->fed - cause->at;
    const bool is_within = self->at > record->begin + way;

    if (is_within) {
        jump(self, data_reason, cause, self->at - way);
    } else {
        operate_back(self, record->begin, record, cause);
        leave_beginning(self, &(TraceCause){.lane = TRACE_NONE});
    }
}

static void leave_pe(Walk *self, const ActorRecord *record)
{
    TraceCause cause = trace_cause_read(self->actors, self->lane, record);
    const bool is_fed =
        cause.lane != TRACE_NONE && cause.fed > record->begin && cause.at < cause.fed;

    if (is_fed && cause.fed <= self->at) {
        operate_back(self, cause.fed, record, &cause);
        jump(self, data_reason, &cause, MIN(cause.at, self->at));
    } else if (is_fed) {
        leave_stream(self, record, &cause);
    } else {
        operate_back(self, record->begin, record, &cause);
        leave_beginning(self, &cause);
    }
}

static void leave(Walk *self)
{
    ActorRecord record = {0};
    const bool has_record =
        trace_actor_last(self->actors, self->lane, self->at, &record);
    const bool is_within = has_record && record.end >= self->at;

    if (self->actors->is_wafer) {
        if (is_within) {
            leave_pe(self, &record);
        } else { /* it begins here, or is between two tasks */
            leave_beginning(self, &(TraceCause){.lane = TRACE_NONE});
        }
    } else if (is_within) {
        leave_core(self, &record);
    } else {
        cross_gap(self, has_record ? &record : NULL);
    }
    if (self->moves > 2 * MOVES_IN_A_CYCLE) {
        go_back(self, record.begin, step_of(self, TRACE_STEP_WAIT, latency));
    }
}

const char *trace_walk(const TraceActors *actors, TracePath *path)
{
    Walk self = {.actors = actors, .path = path, .at = path->end};
    SimTime end = 0;
    const guint32 last = trace_actor_latest(actors, TRACE_NONE, path->end, &end);

    launch_back(&self, last, end);
    while (self.at > path->begin && self.missing == NULL) {
        leave(&self);
    }
    return self.missing;
}
