/* Random models: components that act at random on each event, and leave a hash. */
#include "tests/sim/graph.h"

#include "sim/channel.h"
#include "sim/counter.h"
#include "sim/error.h"
#include "sim/probe.h"
#include "tests/sim/support.h"

enum {
    COMPONENTS_LIMIT = 24,
    CHANNELS_LIMIT = 6,
    PRODUCERS = 2, /* that share the sending end of a channel */
    PAYLOADS = 8,
    ITEMS = 12, /* of each producer */
    COUNTERS = 3,
    PHASES = 2, /* runs of one engine, with idle time between */
    IDLE_CYCLES = 777,
};

enum {
    PORT_NOW,
    PORT_NEAR,
    PORT_FAR,
    PORT_TIMER,
    PORT_FROM, /* and one for each component that may send */
    PORT_COUNT = PORT_FROM + COMPONENTS_LIMIT,
};

typedef struct Model Model;

typedef struct {
    Model *model;
    SimRegion *region;
    guint index;
    SimLane lane;
    uint64_t random;
    uint64_t hash;
    guint steps_left;
    SimEvent timer;
} Component;

typedef struct {
    Component *to;
    guint port;
    uint64_t payload;
} Message;

/* One end of a channel. */
typedef struct {
    SimChannel *channel;
    SimProcess *process;
    bool is_producer;
    guint items_left;
    uint64_t random;
    uint64_t hash;
} End;

struct Model {
    const Graph *graph;
    SimEngine *engine;
    SimCounter counters[COUNTERS];
    Component components[COMPONENTS_LIMIT];
    Message messages[COMPONENTS_LIMIT][PORT_COUNT][PAYLOADS];
    SimChannel *channels[CHANNELS_LIMIT];
    End ends[CHANNELS_LIMIT][PRODUCERS + 1];
};

Graph graph_of(uint64_t seed)
{
    uint64_t random = seed;
    Graph graph = {.seed = seed};

    graph.component_count = 4 + random_below(&random, COMPONENTS_LIMIT - 3);
    graph.channel_count = random_below(&random, CHANNELS_LIMIT + 1);
    graph.window = 1 + random_below(&random, 12);
    graph.ring_cycles = random_below(&random, 2) == 0 ? 64 : 1024;
    graph.steps = 20 + random_below(&random, 60);
    return graph;
}

static void mix(uint64_t *hash, uint64_t value)
{
    *hash ^= value;
    *hash = sim_random_next(hash);
}

static SimKey key_of(const Graph *graph, guint component, guint port)
{
    if (graph->has_ties) {
        return port % 3;
    }
    /* Events for the present cycle go ahead of whatever other components have. */
    return port == PORT_NOW ? sim_key(0, (uint16_t) component)
                            : sim_key(1 + component, (uint16_t) port);
}

static void receive(SimRegion *region, gpointer data);

static Message *pick_message(Component *from, Component *to, guint port)
{
    return &from->model
                ->messages[to->index][port][random_below(&from->random, PAYLOADS)];
}

static SimEvent remind(Component *self, SimTime delay, guint port)
{
    return sim_region_at(self->region, sim_region_now(self->region) + delay,
                         key_of(self->model->graph, self->index, port), receive,
                         pick_message(self, self, port));
}

static void post_to_any(Component *self)
{
    const Graph *graph = self->model->graph;
    Component *to =
        &self->model->components[random_below(&self->random, graph->component_count)];
    SimTime delay =
        graph->window + random_below(&self->random, 3 * (guint) graph->window);
    guint port = PORT_FROM + self->index;

    sim_region_post(self->region, to->region, sim_region_now(self->region) + delay,
                    key_of(graph, to->index, port), receive,
                    pick_message(self, to, port));
}

static void reset_timer(Component *self)
{
    const guint ring = self->model->graph->ring_cycles;

    mix(&self->hash, sim_region_cancel(self->region, self->timer));
    self->timer = remind(self, 1 + random_below(&self->random, 2 * ring), PORT_TIMER);
}

static void act(Component *self)
{
    const guint ring = self->model->graph->ring_cycles;

    switch (random_below(&self->random, 8)) {
    case 0:
        remind(self, 0, PORT_NOW);
        break;
    case 1:
        remind(self, ring - 2 + random_below(&self->random, 3 * ring), PORT_FAR);
        break;
    case 2:
        reset_timer(self);
        break;
    case 3:
    case 4:
    case 5:
        post_to_any(self);
        break;
    default:
        remind(self, random_below(&self->random, 9), PORT_NEAR);
        break;
    }
}

/* Half of the events are not seen at all. */
static void be_seen(Component *self)
{
    const SimTime now = sim_region_now(self->region);
    const guint value = random_below(&self->random, 1000);

    switch (random_below(&self->random, 6)) {
    case 0:
        sim_region_slice(self->region, self->lane, "slice", now, now + value, NULL);
        break;
    case 1:
        sim_region_counter(self->region, self->lane, "counter", value);
        break;
    case 2:
        sim_region_mark(self->region, self->lane, "mark", now, NULL);
        break;
    default:
        break;
    }
}

static void fail_at_last_step(Component *self)
{
    if (self->model->graph->is_failing && self->steps_left == 0) {
        sim_region_fail(self->region,
                        g_error_new(SIM_ERROR, SIM_ERROR_PLATFORM,
                                    "component %u failed at %" G_GUINT64_FORMAT,
                                    self->index, sim_region_now(self->region)));
    }
}

static void receive(SimRegion *region, gpointer data)
{
    const Message *message = data;
    Component *self = message->to;

    mix(&self->hash, region == self->region);
    mix(&self->hash, sim_region_now(region));
    mix(&self->hash, message->port);
    mix(&self->hash, message->payload);
    sim_region_count(region, self->model->counters[message->port % COUNTERS],
                     message->payload & 0xff);
    be_seen(self);
    if (self->steps_left == 0) {
        return;
    }
    self->steps_left--;
    act(self);
    if (random_below(&self->random, 3) == 0) {
        act(self);
    }
    fail_at_last_step(self);
}

static SimProcessStatus resume_end(SimProcess *process, gpointer data)
{
    End *self = data;

    while (self->items_left > 0) {
        uint64_t item = self->hash;

        mix(&self->hash, sim_region_now(sim_process_region(process)));
        if (!(self->is_producer ? sim_channel_push(self->channel, &item, process)
                                : sim_channel_pop(self->channel, &item, process))) {
            return SIM_PROCESS_BLOCKED;
        }
        mix(&self->hash, item);
        self->items_left--;
        if (random_below(&self->random, 3) == 0) {
            sim_process_sleep(process, random_below(&self->random, 30));
            return SIM_PROCESS_BLOCKED;
        }
    }
    return SIM_PROCESS_FINISHED;
}

static SimRegion *region_of(const Model *self, Cut cut, guint component)
{
    return sim_engine_region(self->engine, cut.is_scattered
                                               ? component % cut.region_count
                                               : component * cut.region_count /
                                                     self->graph->component_count);
}

static void build_component(Model *self, Cut cut, guint index)
{
    Component *component = &self->components[index];
    g_autofree char *name = g_strdup_printf("core[%u]", index);

    *component = (Component){.model = self,
                             .region = region_of(self, cut, index),
                             .index = index,
                             .lane = sim_engine_lane(self->engine, name),
                             .random = self->graph->seed * 100 + index};
    for (guint port = 0; port < PORT_COUNT; port++) {
        for (guint i = 0; i < PAYLOADS; i++) {
            self->messages[index][port][i] =
                (Message){component, port, sim_random_next(&component->random)};
        }
    }
}

static void build_end(Model *self, guint channel, guint number, SimRegion *region)
{
    const bool is_producer = number < PRODUCERS;
    End *end = &self->ends[channel][number];
    g_autofree char *name = g_strdup_printf("end[%u,%u]", channel, number);
    guint index = COMPONENTS_LIMIT + channel * (PRODUCERS + 1) + number;

    *end = (End){.channel = self->channels[channel],
                 .is_producer = is_producer,
                 .items_left = is_producer ? ITEMS : PRODUCERS * ITEMS,
                 .random = self->graph->seed * 1000 + index};
    end->items_left += !is_producer && self->graph->is_starving ? 1 : 0;
    end->process = sim_process_new(region, key_of(self->graph, index, 0), name,
                                   SIM_PROCESS_WORKER, resume_end, end);
    sim_process_start(end->process, random_below(&end->random, 100));
}

static void build_channel(Model *self, Cut cut, guint index)
{
    const Graph *graph = self->graph;
    uint64_t random = graph->seed * 77 + index;
    SimRegion *from =
        region_of(self, cut, random_below(&random, graph->component_count));
    SimRegion *to = region_of(self, cut, random_below(&random, graph->component_count));
    g_autofree char *name = g_strdup_printf("channel[%u]", index);
    SimChannelConfig config = {
        .name = name,
        .sender = from,
        .receiver = to,
        .key = key_of(graph, 500 + index, 1),
        .item_bytes = sizeof(uint64_t),
        .capacity = 1 + random_below(&random, 4),
        .latency_cycles = graph->window + random_below(&random, 5),
        .credit_cycles = graph->window + random_below(&random, 5),
    };

    self->channels[index] = sim_channel_new(&config);
    for (guint i = 0; i <= PRODUCERS; i++) {
        build_end(self, index, i, i < PRODUCERS ? from : to);
    }
}

static void record(gpointer data, const SimProbeRecord *seen)
{
    g_array_append_vals(data, seen, 1);
}

static Model *model_new(const Graph *graph, Cut cut, GArray *records)
{
    Model *self = g_new0(Model, 1);
    SimEngineConfig config = {.region_count = cut.region_count,
                              .thread_count = cut.thread_count,
                              .window_cycles = graph->window,
                              .ring_cycles = graph->ring_cycles};

    self->graph = graph;
    self->engine = sim_engine_new(config);
    sim_engine_watch(
        self->engine,
        &(SimWatch){.func = record, .data = records, .to = SIM_TIME_NEVER});
    for (guint i = 0; i < COUNTERS; i++) {
        g_autofree char *name = g_strdup_printf("counter %u", i);

        self->counters[i] = sim_engine_counter(self->engine, name);
    }
    for (guint i = 0; i < graph->component_count; i++) {
        build_component(self, cut, i);
    }
    for (guint i = 0; i < graph->channel_count; i++) {
        build_channel(self, cut, i);
    }
    return self;
}

static void model_free(Model *self)
{
    for (guint i = 0; i < self->graph->channel_count; i++) {
        for (guint j = 0; j <= PRODUCERS; j++) {
            sim_process_free(self->ends[i][j].process);
        }
        sim_channel_free(self->channels[i]);
    }
    sim_engine_free(self->engine);
    g_free(self);
}

static bool run_phase(Model *self, GError **error)
{
    for (guint i = 0; i < self->graph->component_count; i++) {
        Component *component = &self->components[i];

        component->steps_left = self->graph->steps;
        remind(component, random_below(&component->random, 20), PORT_NEAR);
        post_to_any(component);
    }
    return sim_engine_run(self->engine, SIM_TIME_NEVER, error);
}

static void collect(Outcome *self, const Model *model)
{
    for (guint i = 0; i < COMPONENTS_LIMIT; i++) {
        g_array_append_val(self->hashes, model->components[i].hash);
    }
    for (guint i = 0; i < CHANNELS_LIMIT * (PRODUCERS + 1); i++) {
        const End *end = &model->ends[i / (PRODUCERS + 1)][i % (PRODUCERS + 1)];

        g_array_append_val(self->hashes, end->hash);
    }
    for (guint i = 0; i < COUNTERS; i++) {
        uint64_t total = sim_engine_counter_total(model->engine, model->counters[i]);

        g_array_append_val(self->hashes, total);
    }
    SimTime now = sim_engine_now(model->engine);

    g_array_append_val(self->hashes, now);
    self->events = sim_engine_events(model->engine);
}

Outcome simulate(const Graph *graph, Cut cut)
{
    Outcome outcome = {.hashes = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                       .records = g_array_new(FALSE, FALSE, sizeof(SimProbeRecord))};
    Model *model = model_new(graph, cut, outcome.records);
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < PHASES && error == NULL; i++) {
        if (run_phase(model, &error)) {
            sim_engine_idle_until(model->engine,
                                  sim_engine_now(model->engine) + IDLE_CYCLES);
        }
    }
    outcome.error = g_strdup(error == NULL ? "none" : error->message);
    collect(&outcome, model);
    model_free(model);
    return outcome;
}

void outcome_clear(Outcome *self)
{
    g_array_unref(self->hashes);
    g_array_unref(self->records);
    g_free(self->error);
}
