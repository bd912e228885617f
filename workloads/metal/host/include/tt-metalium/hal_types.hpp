// Kinds of cores and of memory.
#pragma once

#include <cstdint>

namespace tt::tt_metal
{

enum class HalProgrammableCoreType {
    TENSIX,
    ACTIVE_ETH,
    IDLE_ETH,
    DRAM,
    COUNT
};
enum class HalMemType : std::uint8_t {
    L1,
    DRAM,
    HOST,
    COUNT
};

}  // namespace tt::tt_metal

namespace tt
{
enum class CoreType {
    ARC,
    DRAM,
    ETH,
    PCIE,
    WORKER,
    TENSIX = WORKER
};
}  // namespace tt
using CoreType = tt::CoreType;
