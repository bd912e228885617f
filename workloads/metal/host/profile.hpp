// Times that the simulator has taken in kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridloom
{

// Writes them where the environment asks for them, as upstream's profiler does.
void write_profile();

// Tells those who have asked for it that a program has run.
struct Run {
    std::uint64_t runtime_id;
    int chip;
    std::uint64_t cycles;
    std::vector<std::string> sources;
};
void report_run(const Run &run);

}  // namespace gridloom
