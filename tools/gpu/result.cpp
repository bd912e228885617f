/* Members in the order of the schema. */
#include "tools/gpu/result.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <thread>

#ifndef GRIDLOOM_VERSION
#define GRIDLOOM_VERSION "unknown"
#endif

namespace gpu
{

static Json count(double value)
{
    return Json((uint64_t) std::llround(value));
}

static Json counters_object(const Result &result)
{
    Json counters = Json::object();

    counters.set("flops", count(result.flops));
    counters.set("sram_bytes", 0);
    counters.set("noc_bytes", 0);
    counters.set("dram_bytes", count(result.dram_bytes));
    if (!result.flops_counter.empty()) {
        counters.set(result.flops_counter,
                     count(result.unit_flops > 0 ? result.unit_flops : result.flops));
    }
    return counters;
}

static double achieved_bytes(const Result &result)
{
    return result.dram_bytes / result.timing.median();
}

static Json metrics_object(const Result &result, const Run &run)
{
    Json metrics = result.metrics;
    const Timing &timing = result.timing;
    double other =
        result.host_seconds + result.transfer_seconds + result.launch_seconds;

    metrics.set("measured", true);
    metrics.set("device", run.device.name);
    metrics.set("driver", run.device.driver);
    metrics.set("cuda", run.device.cuda);
    metrics.set("clock_hz", run.device.clock_hz);
    metrics.set("clock_seen_hz", result.clock_seen_hz);
    metrics.set("date", run.date);
    metrics.set("commit", run.commit);
    metrics.set("warmups", timing.warmups);
    metrics.set("repeats", (int) timing.seconds.size());
    metrics.set("seconds_minimum", timing.minimum());
    metrics.set("seconds_median", timing.median());
    metrics.set("seconds_maximum", timing.maximum());
    metrics.set("copy_bytes_per_second", run.copy_bytes_per_second);
    metrics.set("share_of_copy", achieved_bytes(result) / run.copy_bytes_per_second);
    metrics.set("traffic", "compulsory");
    if (result.cells > 0) {
        metrics.set("gcells_per_second", 1e-9 * result.cells / timing.median());
    }
    metrics.set("method", result.method);
    metrics.set("host_seconds", result.host_seconds);
    metrics.set("transfer_seconds", result.transfer_seconds);
    metrics.set("launch_seconds", result.launch_seconds);
    metrics.set("device_seconds", timing.median() - other);
    return metrics;
}

static Json roof_object(const Roof &roof)
{
    Json object = Json::object();

    object.set("name", roof.name);
    object.set("unit", roof.unit);
    object.set("value", roof.value);
    object.set("source", roof.source);
    object.set("achieved", roof.achieved);
    return object;
}

static Json roofs_array(const Result &result, const Run &run)
{
    Json roofs = Json::array();

    roofs.add(roof_object({"DRAM", "bytes per second", run.copy_bytes_per_second,
                           achieved_bytes(result),
                           run.device.chip + "-copy.json: measured copy"}));
    for (const Roof &roof : result.roofs) {
        roofs.add(roof_object(roof));
    }
    return roofs;
}

static Json check_object(const Check &check)
{
    Json object = Json::object();

    object.set("status", check.is_pass() ? "pass" : "fail");
    object.set("max_abs_error", check.max_abs_error);
    object.set("tolerance", check.tolerance);
    object.set("reference", check.reference);
    return object;
}

static Json host_object(const Run &run)
{
    using namespace std::chrono;
    Json host = Json::object();
    rusage usage = {};
    double now = duration<double>(steady_clock::now().time_since_epoch()).count();

    getrusage(RUSAGE_SELF, &usage);
    host.set("wall_seconds", now - run.start_seconds);
    host.set("events", 0);
    host.set("events_per_second", 0.0);
    host.set("peak_rss_bytes", (int64_t) usage.ru_maxrss * 1024);
    host.set("threads", (int) std::thread::hardware_concurrency());
    return host;
}

std::string result_text(const Result &result, const Run &run)
{
    Json object = Json::object();
    double seconds = result.timing.median();
    double cycles = std::round(seconds * run.device.clock_hz);
    double iterations = (double) result.iterations;

    object.set("schema_version", 1);
    object.set("gridloom", GRIDLOOM_VERSION);
    object.set("workload", result.workload);
    object.set("chip", run.device.chip);
    object.set("parameters", result.parameters);
    object.set("overrides", Json::object());
    object.set("seed", result.seed);
    object.set("chip_digest", "");
    object.set("cycles", count(cycles));
    object.set("seconds", seconds);
    object.set("iterations", result.iterations);
    object.set("cycles_per_iteration", cycles / iterations);
    object.set("seconds_per_iteration", seconds / iterations);
    object.set("counters", counters_object(result));
    object.set("busy", Json::object());
    object.set("stalls", Json::object());
    object.set("zones", result.zones);
    object.set("metrics", metrics_object(result, run));
    object.set("energy_joules", result.energy_joules);
    object.set("roofs", roofs_array(result, run));
    object.set("check", check_object(result.check));
    object.set("host", host_object(run));
    return object.text() + "\n";
}

bool result_write(const Result &result, const Run &run, const std::string &name)
{
    std::string path = run.folder + "/" + run.device.chip + "-" + name + ".json";
    std::string text = result_text(result, run);
    std::FILE *file = std::fopen(path.c_str(), "w");

    if (file == nullptr || std::fputs(text.c_str(), file) < 0 ||
        std::fclose(file) != 0) {
        std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
        std::exit(1);
    }
    std::printf("%-22s %11.3f us an iteration, %7.1f GB/s, %5.1f %% of copy; check %s: "
                "%.3g of %.3g\n",
                name.c_str(), 1e6 * result.timing.median() / (double) result.iterations,
                1e-9 * achieved_bytes(result),
                100 * achieved_bytes(result) / run.copy_bytes_per_second,
                result.check.is_pass() ? "pass" : "FAIL", result.check.max_abs_error,
                result.check.tolerance);
    std::fflush(stdout);
    return result.check.is_pass();
}

}  // namespace gpu
