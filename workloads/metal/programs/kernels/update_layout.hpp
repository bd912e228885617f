// What the host and the kernels of vector updates agree on.
#pragma once

#include <cstdint>

namespace update
{

enum Buffer : std::uint32_t {
    CB_A,
    CB_B,
    CB_OUT,
    CB_PRODUCT,
    CB_ABOVE,  // of the factor
    CB_BELOW,
};

constexpr std::uint32_t TILES = 0;  // a compile-time argument
constexpr std::uint32_t KIND = 0;   // a runtime argument

enum Kind : std::uint32_t {
    SCALE,     // out = a / 6
    ADD,       // out = a + above / below * b
    SUBTRACT,  // out = a - above / below * b
};

}  // namespace update
