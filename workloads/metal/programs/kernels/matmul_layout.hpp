// What host and kernels of matmul.cpp agree on.
#pragma once

#include <cstdint>

namespace matmul
{

enum Cb : uint32_t {
    CB_IN0 = 0,
    CB_IN1 = 1,
    CB_OUT = 16
};
enum Semaphore : uint32_t {
    IN0_READY,
    IN0_SENT,
    IN1_READY,
    IN1_SENT,
    SEMAPHORES
};

// Compile-time arguments of all kernels: tiles of a core's block and of its steps.
enum Argument : uint32_t {
    ROWS,            // of the block of C
    COLUMNS,         // of the block of C
    DEPTH,           // of a step along K
    STEPS,           // along K
    STEPS_OF_SHARD,  // that one core's shard of A is good for
    SUBBLOCK_ROWS,   // of what fits into Dst
    SUBBLOCK_COLUMNS,
    CORES_IN_ROW,
    CORES_IN_COLUMN,
    ARGUMENTS,
};

}  // namespace matmul
