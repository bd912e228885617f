/* Sample traces. */
#include "tests/traces/pftrace_sample.h"

#include <glib/gstdio.h>

static const char *const core_units[] = {"reader", "math", "buffers", "zones"};
static const char *const link_units[] = {"east", "south"};

typedef struct {
    PftraceSample sample;
    PftraceSampleFunc func;
} Run;

SimLane
pftrace_sample_lane(const PftraceSample *self, guint x, guint y, SampleUnit unit)
{
    return self->cores + (x + 2 * y) * SAMPLE_CORE_UNITS + (guint) unit;
}

static void probe_messages(SimRegion *region, const PftraceSample *sample)
{
    const SimProbeDetail sent = {
        .flow = 77,
        .argument_count = 3,
        .arguments = {{"bytes", 2048}, {"x", 1}, {"y", -1}},
    };
    const SimProbeDetail arrived = {.flow = 77, .is_flow_end = true, .flow_since = 110};

    sim_region_slice(region, pftrace_sample_lane(sample, 0, 0, SAMPLE_READER),
                     "noc_async_write", 110, 130, &sent);
    sim_region_stall(region, pftrace_sample_lane(sample, 0, 0, SAMPLE_READER), "noc",
                     130, 145, NULL);
    sim_region_slice(region, pftrace_sample_lane(sample, 0, 0, SAMPLE_READER),
                     "noc_async_write_barrier", 145, 145, NULL);
    sim_region_mark(region, pftrace_sample_lane(sample, 1, 0, SAMPLE_READER), "arrive",
                    144, &arrived);
}

/* The inner zone ends first, so it is seen first. */
static void probe_zones(SimRegion *region, const PftraceSample *sample)
{
    const SimLane lane = pftrace_sample_lane(sample, 1, 1, SAMPLE_ZONES);

    sim_region_slice(region, lane, "inner", 120, 130, NULL);
    sim_region_slice(region, lane, "outer", 110, 140, NULL);
    sim_region_slice(region, lane, "inner", 150, 160, NULL);
    sim_region_slice(region, lane, "outer", 149, 161, NULL);
}

static void probe_everything(SimRegion *region, const PftraceSample *sample)
{
    const SimLane buffers = pftrace_sample_lane(sample, 0, 1, SAMPLE_BUFFERS);

    sim_region_slice(region, sample->bus, "write", 100, 108, NULL);
    probe_messages(region, sample);
    probe_zones(region, sample);
    sim_region_slice(region, pftrace_sample_lane(sample, 0, 0, SAMPLE_MATH),
                     "add_tiles", 101, 165, NULL);
    sim_region_change(region, buffers, "cb 3", 150, -2);
    sim_region_change(region, buffers, "cb 3", 120, 2);
    sim_region_change(region, buffers, "cb 3", 120, 2);
    sim_region_counter(region, buffers, "in flight", 5);
    sim_region_slice(region, sample->links + 2, "flit", 100, 140, NULL);
    sim_region_slice(region, sample->links + 2, "flit", 150, 151, NULL);
}

static void begin(SimRegion *region, gpointer data)
{
    const Run *run = data;

    run->func(region, &run->sample);
}

static void nothing(SimRegion *region, gpointer data)
{
    (void) region;
    (void) data;
}

static SimEngine *make_engine(PftraceSample *sample)
{
    SimEngine *engine = sim_engine_new(sim_engine_config_default());

    sample->engine = engine;
    sample->bus = sim_engine_lane(engine, "pcie");
    sample->cores =
        sim_engine_lanes(engine, &(SimLaneGrid){.kind = "core",
                                                .columns = 2,
                                                .rows = 2,
                                                .units = core_units,
                                                .unit_count = SAMPLE_CORE_UNITS});
    sample->links = sim_engine_lanes(
        engine, &(SimLaneGrid){.kind = "noc0",
                               .columns = 2,
                               .rows = 2,
                               .units = link_units,
                               .unit_count = G_N_ELEMENTS(link_units)});
    return engine;
}

static bool write_file(const char *path, Run *run, const TracePftraceConfig *config)
{
    g_autoptr(SimEngine) engine = make_engine(&run->sample);
    g_autoptr(TracePftrace) trace = trace_pftrace_new(path, config, NULL);
    g_autoptr(JsonNode) details =
        json_from_string("{\"chip_digest\":\"abc\",\"tolerance\":1e-8}", NULL);
    g_autoptr(JsonNode) result =
        json_from_string("{\"cycles\":99,\"seconds\":1e-8,\"counters\":{\"flops\":12},"
                         "\"host\":{\"wall_seconds\":0.5}}",
                         NULL);
    JsonObject *object = json_node_get_object(result);

    trace_pftrace_begin(trace, engine,
                        &(TracePftraceStart){.workload = "sample",
                                             .chip = "none",
                                             .clock_hz = 2e9,
                                             .details = json_node_get_object(details)});
    (void) sim_region_at(sim_engine_region(engine, 0), 100, 0, begin, run);
    (void) sim_region_at(sim_engine_region(engine, 0), 200, 0, nothing, run);
    return sim_engine_run(engine, SIM_TIME_NEVER, NULL) &&
           trace_pftrace_finish(
               trace,
               &(TracePftraceEnd){.cycles = 99,
                                  .counters =
                                      json_object_get_object_member(object, "counters"),
                                  .result = object},
               NULL);
}

GByteArray *pftrace_sample_write(PftraceSampleFunc func,
                                 const TracePftraceConfig *config)
{
    g_autofree char *folder = g_dir_make_tmp("gridloom.XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "t.pftrace", NULL);
    Run run = {.func = func != NULL ? func : probe_everything};
    const TracePftraceConfig all = {0};
    char *bytes = NULL;
    gsize size = 0;

    g_assert_true(write_file(path, &run, config != NULL ? config : &all));
    g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    (void) g_unlink(path);
    (void) g_rmdir(folder);
    return g_byte_array_new_take((guint8 *) bytes, size);
}
