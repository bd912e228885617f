// Where and how a kernel runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tt-metalium/base_types.hpp>
#include <unordered_map>
#include <vector>

namespace tt::tt_metal
{

using KernelHandle = std::uint32_t;
inline constexpr std::uint32_t max_runtime_args = 341;

enum class DataMovementProcessor {
    RISCV_0,
    RISCV_1,
    RISCV_2,
    RISCV_3,
    RISCV_4,
    RISCV_5,
    RISCV_6,
    RISCV_7
};

enum NOC : std::uint8_t {
    RISCV_0_default = 0,
    RISCV_1_default = 1,
    NOC_0 = 0,
    NOC_1 = 1
};
enum NOC_MODE : std::uint8_t {
    DM_DEDICATED_NOC = 0,
    DM_DYNAMIC_NOC = 1
};
enum class KernelBuildOptLevel : std::uint8_t {
    O1,
    O2,
    O3,
    O0,
    Os,
    Ofast,
    Oz
};

struct DataMovementConfig {
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
    NOC noc = NOC::RISCV_0_default;
    NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
    std::vector<std::uint32_t> compile_args = {};
    std::map<std::string, std::string> defines = {};
    std::unordered_map<std::string, std::uint32_t> named_compile_args = {};
    KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
};

struct ReaderDataMovementConfig : public DataMovementConfig {
    ReaderDataMovementConfig(
        std::vector<std::uint32_t> arguments = {},
        std::map<std::string, std::string> names = {},
        std::unordered_map<std::string, std::uint32_t> named_arguments = {},
        KernelBuildOptLevel level = KernelBuildOptLevel::O2);
};

struct WriterDataMovementConfig : public DataMovementConfig {
    WriterDataMovementConfig(
        std::vector<std::uint32_t> arguments = {},
        std::map<std::string, std::string> names = {},
        std::unordered_map<std::string, std::uint32_t> named_arguments = {},
        KernelBuildOptLevel level = KernelBuildOptLevel::O2);
};

struct ComputeConfig {
    MathFidelity math_fidelity = MathFidelity::HiFi4;
    bool fp32_dest_acc_en = false;
    bool dst_full_sync_en = false;
    std::vector<UnpackToDestMode> unpack_to_dest_mode = {};
    bool bfp8_pack_precise = false;
    bool math_approx_mode = false;
    std::vector<std::uint32_t> compile_args = {};
    std::map<std::string, std::string> defines = {};
    std::unordered_map<std::string, std::uint32_t> named_compile_args = {};
    KernelBuildOptLevel opt_level = KernelBuildOptLevel::O3;
};

}  // namespace tt::tt_metal
