// What hosts and kernels of a sum over cores agree on: buffers, semaphores, arguments.
#pragma once

#include <cstdint>

namespace reduction
{

// Circular buffers of one tile, but for `incoming`, which has a page for every slot.
enum Buffer : std::uint32_t {
    CB_PARTIAL = 24,  // a core's own sum
    CB_INCOMING = 25,
    CB_SUM = 26,
    CB_OUT = 27,     // what leaves the core
    CB_RESULT = 28,  // the total
    CB_ONES = 29,    // factors with which the FPU adds up a tile
};

// Semaphores after those of the slots, which say that a sum has arrived.
enum Semaphore : std::uint32_t {
    CREDIT,  // a child may send
    DONE,    // the total is there
    ONE,     // is always 1
    SEMAPHORES,
};

// Compile-time arguments.
enum CompileArgument : std::uint32_t {
    SLOTS,      // sums that may arrive before the first is added
    IS_SCALAR,  // cores send one number, not a tile
    IS_FPU,     // BF16 on the FPU, or FP32 on the SFPU
    COMPILE_ARGUMENTS,
};

// Runtime arguments; x and y of children that must wait for a slot follow.
enum Argument : std::uint32_t {
    CHILDREN,
    IS_ROOT,
    PARENT_X,
    PARENT_Y,
    PARENT_CHILDREN,
    ORDER,  // among the parent's children
    FIRST_X,
    FIRST_Y,
    LAST_X,
    LAST_Y,
    CORES,
    ARGUMENTS,
};

constexpr std::uint32_t MOST_SLOTS = 8;
constexpr std::uint32_t NUMBER_BYTES = 32;  // that one number travels in

}  // namespace reduction
