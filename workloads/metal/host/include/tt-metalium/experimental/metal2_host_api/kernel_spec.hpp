// A kernel by its name, its source and what it runs on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/kernel_types.hpp>
#include <tt_stl/strong_type.hpp>
#include <variant>
#include <vector>

namespace tt::tt_metal::experimental
{

template <typename T> using Group = std::vector<T>;
template <typename Key, typename Value> using Table = std::map<Key, Value>;

using NodeCoord = CoreCoord;
using NodeRange = CoreRange;
using NodeRangeSet = CoreRangeSet;
using Nodes = CoreSpecification;
using KernelSpecName = ttsl::StrongType<std::string, struct KernelSpecNameTag>;

// Of chips up to Blackhole.
struct DataMovementGen1Config {
    DataMovementProcessor processor;
    NOC noc;
    NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
};
// Of chips after them: no such chip is simulated, and a program that asks for it fails.
struct DataMovementGen2Config {
    bool disable_dfb_implicit_sync_for_all = false;
};
using DataMovementHardwareConfig =
    std::variant<DataMovementGen1Config, DataMovementGen2Config>;

inline DataMovementGen1Config CreateReaderGen1DataMovementConfig()
{
    return {DataMovementProcessor::RISCV_1, NOC::NOC_0};
}
inline DataMovementGen1Config CreateWriterGen1DataMovementConfig()
{
    return {DataMovementProcessor::RISCV_0, NOC::NOC_1};
}

enum class Precision : std::uint8_t {
    Precise,
    Approximate
};

struct ComputeGen1Config {
    MathFidelity fpu_math_fidelity = MathFidelity::HiFi4;
    Precision sfpu_precision_mode = Precision::Precise;
    Precision bfp_pack_precision_mode = Precision::Approximate;
    bool enable_32_bit_dest = false;
    bool double_buffer_dest = true;
};
struct ComputeGen2Config {
    MathFidelity fpu_math_fidelity = MathFidelity::HiFi4;
    Precision sfpu_precision_mode = Precision::Precise;
    bool enable_32_bit_dest = false;
    bool double_buffer_dest = true;
    bool enable_2x_src_register = false;
};
using ComputeHardwareConfig = std::variant<ComputeGen1Config, ComputeGen2Config>;

struct KernelSpec {
    struct SourceCode {
        std::string code;
    };
    struct CompilerOptions {
        using Defines = Table<std::string, std::string>;
        using OptLevel = KernelBuildOptLevel;

        Defines defines;
        OptLevel opt_level = OptLevel::O2;
    };
    using CompileTimeArgs = Table<std::string, std::uint32_t>;
    // Their order is that of the words.
    struct RuntimeArgSchema {
        Group<std::string> runtime_arg_names = {};
        Group<std::string> common_runtime_arg_names = {};
    };

    KernelSpecName unique_id;
    std::variant<std::filesystem::path, SourceCode> source;
    std::uint32_t num_threads = 1;
    CompilerOptions compiler_options = {};
    CompileTimeArgs compile_time_args = {};
    RuntimeArgSchema runtime_arg_schema = {};
    std::variant<DataMovementHardwareConfig, ComputeHardwareConfig> hw_config;

    bool is_data_movement_kernel() const
    {
        return std::holds_alternative<DataMovementHardwareConfig>(hw_config);
    }
    bool is_compute_kernel() const
    {
        return !is_data_movement_kernel();
    }
};

}  // namespace tt::tt_metal::experimental
