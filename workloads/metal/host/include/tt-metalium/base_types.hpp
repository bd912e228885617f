// How compute kernels calculate.
#pragma once

#include <cstdint>
#include <string_view>

enum class MathFidelity : std::uint8_t {
    LoFi = 0,
    HiFi2 = 2,
    HiFi3 = 3,
    HiFi4 = 4,
    Invalid = 0xff,
};

enum class UnpackToDestMode : std::uint8_t {
    Default,
    UnpackToDestFp32
};

std::string_view format_as(MathFidelity fidelity);

namespace tt::tt_metal
{
using ::MathFidelity;
using ::UnpackToDestMode;
}  // namespace tt::tt_metal
