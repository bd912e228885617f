/* The result of a measured run as the JSON object that gridloom reads:
 * traces/result/result.h.
 */
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tools/gpu/check.hpp"
#include "tools/gpu/device.hpp"
#include "tools/gpu/json.hpp"
#include "tools/gpu/timing.hpp"

namespace gpu
{

struct Roof {
    std::string name;
    std::string unit;
    double value = 0;
    double achieved = 0;
    std::string source;
};

struct Result {
    std::string workload;
    Json parameters = Json::object();
    uint64_t seed = 1;
    Timing timing;           /* of all `iterations` together */
    uint64_t iterations = 1; /* products, steps, iterations of a solver */
    /* Of all iterations: */
    double flops = 0;          /* useful ones, of the algorithm */
    std::string flops_counter; /* also under this name: fp32_flops, fp64_flops,
                                * tensor_fp64_flops, tensor_tf32_flops */
    double unit_flops = 0;     /* that; 0: as many as flops */
    double dram_bytes = 0;     /* compulsory: each input once, each output once */
    double cells = 0; /* updates of cells, for gcells_per_second; 0: no stencil */
    Json zones = Json::object();
    Json metrics = Json::object(); /* beside those that every result has */
    std::string method;            /* one sentence: how it was measured */
    std::vector<Roof> roofs;       /* beside the measured copy, which comes first */
    Check check;
    double energy_joules = std::numeric_limits<double>::quiet_NaN();
    double clock_seen_hz = std::numeric_limits<double>::quiet_NaN(); /* under load */
    double host_seconds = 0; /* of the measured region: none where events time it */
    double transfer_seconds = 0;
    double launch_seconds = 0;
};

/* What the program was called with, for all of its results. */
struct Run {
    Device device;
    std::string folder;
    double copy_bytes_per_second = 0;
    double start_seconds = 0; /* steady clock */
    std::string date;         /* UTC */
    std::string commit;       /* of the programs; empty: not known */
};

/* The whole object, with a line end. */
std::string result_text(const Result &result, const Run &run);

/* Writes folder/CHIP-NAME.json, prints one line, and says whether its check passed.
 * Ends the program where the file cannot be written. */
bool result_write(const Result &result, const Run &run, const std::string &name);

}  // namespace gpu
