// What the dot product's host and kernels agree on, besides the sum over cores.
#pragma once

#include "reduction_layout.hpp"

namespace dot
{

enum Buffer : std::uint32_t {
    CB_A,
    CB_B,
    CB_PRODUCT,
    CB_RUNNING,
};

// The number of tiles is a compile-time argument after those of the sum over cores.
constexpr std::uint32_t TILES = reduction::COMPILE_ARGUMENTS;

// Runtime arguments; those of the sum over cores come last.
enum Argument : std::uint32_t {
    IS_SQUARE,  // of the first vector: there is no second one
    NORM_AT,    // where the total goes in the first bank of DRAM; 0: nowhere
    REDUCTION,
};

}  // namespace dot
