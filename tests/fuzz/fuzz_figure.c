/* Fuzzes files of figures with any bytes: they are refused in one line, or their runs
 * are on a roofline. Nothing that they name is run or read. */
#include "tests/fuzz/fuzz.h"
#include "traces/error.h"
#include "traces/roofline/figure.h"

static const char result[] =
    "{ \"schema_version\": 1, \"workload\": \"hdiff\", \"chip\": \"c\","
    "\"cycles\": 1000, \"seconds\": 0.001, \"iterations\": 1,"
    "\"counters\": { \"flops\": 1000, \"sram_bytes\": 400, \"dram_bytes\": 200 },"
    "\"metrics\": { \"gflops\": 3.5, \"list\": [1, 2] },"
    "\"roofs\": [ { \"name\": \"DRAM\", \"unit\": \"bytes/s\", \"value\": 1e9,"
    "\"achieved\": 1e6, \"source\": \"s\" } ] }";

static TraceRun *run_line(const char *line, GError **error)
{
    return trace_run_new(line, result, NULL, error);
}

static TraceMachine *find_machine(const char *chip,
                                  bool is_published,
                                  double cores,
                                  bool is_per_cycle,
                                  GError **error)
{
    TraceMachine *machine = NULL;

    (void) is_published;
    (void) is_per_cycle;
    if (cores < 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s", "no such machine");
        return NULL;
    }
    machine = trace_machine_new(chip);
    g_array_append_val(
        machine->roofs,
        ((TraceMachineRoof){
            .name = "DRAM", .source = "s", .counter = "dram_bytes", .value = 1e9}));
    g_array_append_val(
        machine->roofs,
        ((TraceMachineRoof){
            .name = "cores", .source = "s", .is_peak = true, .value = 1}));
    return machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const TraceFigureSources sources = {
        .run = run_line, .read = run_line, .find_machine = find_machine};
    g_auto(FuzzFile) file = fuzz_file_new(data, size);
    g_auto(TraceRooflineSet) set;
    GError *error = NULL;

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    trace_roofline_set_init(&set);
    if (!trace_figure_read(&set, file.path, NULL, &sources, &error)) {
        fuzz_check_error(error, TRACE_ERROR);
        return 0;
    }
    for (guint i = 0; i < trace_roofline_set_count(&set); i++) {
        g_autofree char *name = trace_roofline_set_name(&set, i);

        g_assert_true(name != NULL && trace_roofline_set_run(&set, i)->rate >= 0);
    }
    return 0;
}
