// What the host and the kernels of PCG agree on, besides the sum over cores.
#pragma once

#include "reduction_layout.hpp"

namespace pcg
{

// Sides of a core: the lines before and after, the numbers before and after.
enum Side : std::uint32_t {
    NORTH,
    SOUTH,
    WEST,
    EAST,
    SIDES,
};

// Circular buffers. A tile shifted to a side goes from compute to the writer, which
// fills in the edge, and back through the same memory.
enum Buffer : std::uint32_t {
    CB_X,
    CB_R,
    CB_P,
    CB_Q,  // A p, then z
    CB_PRODUCT,
    CB_RUNNING,
    CB_ALPHA,
    CB_BETA,
    CB_DELTA,
    CB_SIXTH,
    CB_TURNED = 11,
    CB_TURNED_OUT,  // the same memory, for the reader
    CB_SUM,
    CB_TERM,
    CB_BACK,
    CB_SHIFTED,                      // and one more for each side
    CB_FILLED = CB_SHIFTED + SIDES,  // likewise
    CB_CONSTANTS = 30,               // tiles of -1 and of 6
};

// Semaphores after those of the sum: a tile is shifted there, its edge has arrived;
// what the reader tells the writer of the norm.
enum Semaphore : std::uint32_t {
    READY,
    ARRIVED = READY + SIDES,
    TOLD = ARRIVED + SIDES,
    SEMAPHORES,
};

enum CompileArgument : std::uint32_t {
    TILES = reduction::COMPILE_ARGUMENTS,
    ITERATIONS,
    ENOUGH,  // the largest square of a norm to stop at, in BF16, plus 1; 0: there is
             // none
    COMPILE_ARGUMENTS,
};

// Runtime arguments of movers: whether there is a neighbour, its x and y, for each
// side; those of the sum over cores come last.
enum Argument : std::uint32_t {
    IS_SENDING,  // has any neighbour
    NEIGHBOURS,
    TOTAL_AT = NEIGHBOURS + 3 * SIDES,  // the total's address
    HISTORY_AT,                         // 0: another core keeps the norms
    REDUCTION,
};

constexpr std::uint32_t AHEAD = 2;  // tiles that may be shifted but not yet added up
constexpr std::uint32_t SQUARES = 4, SQUARE_LINES = 16, LINES = 64;  // of a tile

constexpr Side opposite(Side side)
{
    return static_cast<Side>(side ^ 1);
}

constexpr std::uint32_t STOP = 0x10000;  // in the semaphore TOLD

// Whether a norm is small enough: its square in BF16 is the lower half of `total`.
// Numbers that are not negative lie in the order of their bits.
constexpr bool is_enough(std::uint32_t total, std::uint32_t enough)
{
    return (total & 0xffff) < enough;
}

}  // namespace pcg
