// A program as data: its kernels, and which cores run them together.
#pragma once

#include <tt-metalium/experimental/metal2_host_api/kernel_spec.hpp>

namespace tt::tt_metal::experimental
{

struct WorkUnitSpec {
    std::string name;
    Group<KernelSpecName> kernels;
    Nodes target_nodes;
};

struct ProgramSpec {
    std::string name;
    Group<KernelSpec> kernels;
    Group<WorkUnitSpec> work_units;
};

}  // namespace tt::tt_metal::experimental
