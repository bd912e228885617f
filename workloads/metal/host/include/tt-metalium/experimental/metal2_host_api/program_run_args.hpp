// Runtime arguments of a program, by their names.
#pragma once

#include <initializer_list>
#include <tt-metalium/experimental/metal2_host_api/kernel_spec.hpp>
#include <utility>

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

inline void AddRuntimeArgsForNode(
    KernelRunArgs::RuntimeArgValues &values,
    const NodeCoord &node,
    std::initializer_list<std::pair<std::string, std::uint32_t>> named)
{
    for (const auto &[name, value] : named) {
        values[name][node] = value;
    }
}
inline KernelRunArgs::RuntimeArgValues MakeRuntimeArgsForSingleNode(
    const NodeCoord &node,
    std::initializer_list<std::pair<std::string, std::uint32_t>> named)
{
    KernelRunArgs::RuntimeArgValues values;

    AddRuntimeArgsForNode(values, node, named);
    return values;
}

}  // namespace tt::tt_metal::experimental
