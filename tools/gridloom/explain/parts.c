/* Adds up a critical path by what its steps are. */
#include "tools/gridloom/explain/parts.h"

#include <math.h>

#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

static const char *const kind_words[EXPLAIN_PARTS] = {
    [EXPLAIN_LAUNCH] = "launch",
    [EXPLAIN_DRAM] = "wait for data in DRAM",
    [EXPLAIN_NEIGHBOUR] = "wait for a neighbour",
    [EXPLAIN_BUFFER] = "wait for circular buffers",
    [EXPLAIN_BANK] = "wait for a bank",
    [EXPLAIN_CREDITS] = "wait for credits",
    [EXPLAIN_HANDOVER] = "handover between units",
    [EXPLAIN_DISPATCH] = "start of tasks",
    [EXPLAIN_OTHER] = "other waits",
    [EXPLAIN_MOVERS] = "work of data movers",
    [EXPLAIN_RISCVS] = "work of RISC-Vs",
    [EXPLAIN_UNITS] = "work of units",
    [EXPLAIN_PES] = "work of PEs",
};

const char *explain_words(ExplainKind kind)
{
    return kind_words[kind];
}

bool explain_is_work(ExplainKind kind)
{
    return kind >= EXPLAIN_MOVERS;
}

static bool is_mover(const char *unit)
{
    return g_str_equal(unit, "reader") || g_str_equal(unit, "writer");
}

static ExplainKind work_of(const char *unit)
{
    static const char *const threads[] = {"unpack", "math", "pack", NULL};
    static const char *const units[] = {"unpacker", "fpu", "sfpu", "packer", NULL};

    if (is_mover(unit)) {
        return EXPLAIN_MOVERS;
    }
    if (g_strv_contains(threads, unit)) {
        return EXPLAIN_RISCVS;
    }
    return g_strv_contains(units, unit) ? EXPLAIN_UNITS : EXPLAIN_PES;
}

/* Waits by their reasons; a transfer may be to DRAM, a semaphore another thread's. */
static ExplainKind wait_of(const TraceTimeline *timeline, const TraceStep *step)
{
    static const struct {
        const char *reason;
        ExplainKind kind;
    } reasons[] = {
        {"circular_buffer", EXPLAIN_BUFFER}, {"noc", EXPLAIN_NEIGHBOUR},
        {"data", EXPLAIN_NEIGHBOUR},         {"fabric", EXPLAIN_NEIGHBOUR},
        {"bank_conflict", EXPLAIN_BANK},     {"memory_idle", EXPLAIN_BANK},
        {"credits", EXPLAIN_CREDITS},        {"dispatch", EXPLAIN_DISPATCH},
        {"src", EXPLAIN_HANDOVER},           {"dst", EXPLAIN_HANDOVER},
        {"unit", EXPLAIN_HANDOVER},          {"issue", EXPLAIN_HANDOVER},
        {"latency", EXPLAIN_HANDOVER},
    };

    if (step->bank >= 0) {
        return EXPLAIN_DRAM;
    }
    if (g_str_equal(step->name, "noc") && step->by == TRACE_NONE) {
        return EXPLAIN_CREDITS;
    }
    if (g_str_equal(step->name, "semaphore")) {
        return step->by != TRACE_NONE && trace_lane_at(timeline, step->by)->place ==
                                             trace_lane_at(timeline, step->lane)->place
                   ? EXPLAIN_HANDOVER
                   : EXPLAIN_NEIGHBOUR;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(reasons); i++) {
        if (g_str_equal(step->name, reasons[i].reason)) {
            return reasons[i].kind;
        }
    }
    return EXPLAIN_OTHER;
}

static ExplainKind kind_of(const TraceTimeline *timeline, const TraceStep *step)
{
    switch (step->kind) {
    case TRACE_STEP_LAUNCH:
        return EXPLAIN_LAUNCH;
    case TRACE_STEP_WORK:
        return work_of(trace_lane_at(timeline, step->lane)->unit);
    case TRACE_STEP_WAIT:
        break;
    }
    return wait_of(timeline, step);
}

/* Cycles by text. */
static void add_to(GHashTable *sums, const char *text, SimTime cycles)
{
    SimTime *sum = g_hash_table_lookup(sums, text);

    if (sum == NULL) {
        sum = g_new0(SimTime, 1);
        (void) g_hash_table_insert(sums, g_strdup(text), sum);
    }
    *sum += cycles;
}

/* The text with most cycles, the first by name in a tie; the caller frees it. */
static char *most(GHashTable *sums)
{
    GHashTableIter iter;
    gpointer key;
    gpointer value;
    const char *best = NULL;
    SimTime cycles = 0;

    g_hash_table_iter_init(&iter, sums);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        const SimTime sum = *(const SimTime *) value;

        if (best == NULL || sum > cycles ||
            (sum == cycles && g_strcmp0(key, best) < 0)) {
            best = key;
            cycles = sum;
        }
    }
    return g_strdup(best);
}

/* What is added up for one part. */
typedef struct {
    ExplainPart part;
    GHashTable *places;
    GHashTable *names;
    GHashTable *lanes;
} Sum;

static GHashTable *sums_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void add_step(Sum *self, const TraceTimeline *timeline, const TraceStep *step)
{
    const SimTime cycles = step->end - step->begin;

    if (self->places == NULL) {
        self->places = sums_new();
        self->names = sums_new();
        self->lanes = sums_new();
    }
    self->part.cycles += cycles;
    self->part.steps++;
    add_to(self->names, step->name, cycles);
    if (step->lane != TRACE_NONE) {
        add_to(self->lanes, trace_lane_at(timeline, step->lane)->name, cycles);
    }
    if (step->file != NULL) {
        g_autofree char *place = g_strdup_printf("%s:%u", step->file, step->line);

        add_to(self->places, place, cycles);
    }
}

static void finish(Sum *self, ExplainParts *parts)
{
    if (self->places == NULL) {
        return;
    }
    self->part.where = most(self->places);
    self->part.name = most(self->names);
    self->part.lane = most(self->lanes);
    self->part.gain = (double) NAN;
    g_array_append_val(parts->parts, self->part);
    g_hash_table_unref(self->places);
    g_hash_table_unref(self->names);
    g_hash_table_unref(self->lanes);
}

static int compare(gconstpointer a, gconstpointer b)
{
    const ExplainPart *left = a;
    const ExplainPart *right = b;
    const int work = (int) explain_is_work(left->kind) - explain_is_work(right->kind);

    if (work != 0) {
        return work;
    }
    if (left->cycles != right->cycles) {
        return left->cycles > right->cycles ? -1 : 1;
    }
    return (int) left->kind - (int) right->kind;
}

/* Lanes and places that the path goes through. */
static void
count_lanes(ExplainParts *self, const TraceTimeline *timeline, const TracePath *path)
{
    g_autoptr(GHashTable) lanes = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < path->steps->len; i++) {
        const TraceStep *step = &g_array_index(path->steps, TraceStep, i);

        if (step->lane != TRACE_NONE) {
            const guint32 place = trace_lane_at(timeline, step->lane)->place;

            (void) g_hash_table_add(lanes, GUINT_TO_POINTER(step->lane));
            (void) g_hash_table_add(places, GUINT_TO_POINTER(place));
        }
    }
    self->lanes = g_hash_table_size(lanes);
    self->places = g_hash_table_size(places);
}

static bool is_worker(const char *unit)
{
    return g_str_equal(unit, "ce") || is_mover(unit) || g_str_equal(unit, "unpack") ||
           g_str_equal(unit, "math") || g_str_equal(unit, "pack");
}

static void
add_use(gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles)
{
    double *busy = data;

    (void) begin;
    (void) end;
    busy[lane] += cycles;
}

/* Of each core the lane that is busiest, and of those the largest above the mean. */
static void find_imbalance(ExplainParts *self, const TraceTimeline *timeline)
{
    g_autofree double *busy = g_new0(double, timeline->lanes->len);
    g_autofree double *by_place = g_new0(double, timeline->places->len);
    guint32 best = TRACE_NONE;
    double sum = 0;
    guint count = 0;

    trace_lane_use_each(timeline, TRACE_USE_BUSY, add_use, busy);
    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);

        if (is_worker(lane->unit)) {
            by_place[lane->place] = MAX(by_place[lane->place], busy[i]);
        }
    }
    for (guint32 i = 0; i < timeline->places->len; i++) {
        if (by_place[i] > 0) {
            sum += by_place[i];
            count++;
            best = best == TRACE_NONE || by_place[i] > by_place[best] ? i : best;
        }
    }
    if (count > 1) {
        self->imbalance = (SimTime) llround(by_place[best] - sum / count);
        self->busiest = g_strdup(trace_place_at(timeline, best)->name);
    }
}

static void part_clear(gpointer data)
{
    ExplainPart *self = data;

    g_free(self->where);
    g_free(self->name);
    g_free(self->lane);
    g_free(self->without);
    g_free(self->failure);
}

ExplainParts *explain_parts_new(const TraceTimeline *timeline, const TracePath *path)
{
    ExplainParts *self = g_new0(ExplainParts, 1);
    Sum sums[EXPLAIN_PARTS] = {0};

    self->parts = g_array_new(FALSE, FALSE, sizeof(ExplainPart));
    g_array_set_clear_func(self->parts, part_clear);
    self->steps = path->steps->len;
    for (guint i = 0; i < path->steps->len; i++) {
        const TraceStep *step = &g_array_index(path->steps, TraceStep, i);
        const ExplainKind kind = kind_of(timeline, step);

        sums[kind].part.kind = kind;
        add_step(&sums[kind], timeline, step);
        self->cycles += step->end - step->begin;
    }
    for (guint i = 0; i < EXPLAIN_PARTS; i++) {
        finish(&sums[i], self);
    }
    g_array_sort(self->parts, compare);
    count_lanes(self, timeline, path);
    find_imbalance(self, timeline);
    return self;
}

void explain_parts_free(ExplainParts *self)
{
    if (self != NULL) {
        g_array_unref(self->parts);
        g_free(self->busiest);
        g_free(self);
    }
}

const ExplainPart *explain_parts_find(const ExplainParts *self, ExplainKind kind)
{
    for (guint i = 0; i < self->parts->len; i++) {
        if (explain_part_at(self, i)->kind == kind) {
            return explain_part_at(self, i);
        }
    }
    return NULL;
}
