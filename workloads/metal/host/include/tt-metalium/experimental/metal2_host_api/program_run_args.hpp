// Runtime arguments of a program, by their names.
#pragma once

#include <tt-metalium/experimental/metal2_host_api/kernel_spec.hpp>

namespace tt::tt_metal::experimental
{

struct ProgramRunArgs {
    struct KernelRunArgs {
        using RuntimeArgValues = Table<std::string, Table<NodeCoord, std::uint32_t>>;
        using CommonRuntimeArgValues = Table<std::string, std::uint32_t>;

        KernelSpecName kernel;
        RuntimeArgValues runtime_arg_values = {};
        CommonRuntimeArgValues common_runtime_arg_values = {};
    };
    Group<KernelRunArgs> kernel_run_args;
};
using KernelRunArgs = ProgramRunArgs::KernelRunArgs;

}  // namespace tt::tt_metal::experimental
