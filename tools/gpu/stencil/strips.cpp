#include "tools/gpu/stencil/strips.hpp"

#include <algorithm>
#include <climits>

namespace gpu
{

/* Bytes of a multiprocessor, and what of them each block has for the system. */
static constexpr int ALL = 228 * 1024;
static constexpr int SYSTEM = 1024;

int stencil_shared_bytes(int needed, int blocks)
{
    if (blocks == 0) {
        return needed;
    }
    const int bytes = (ALL / blocks - SYSTEM) / 16 * 16;

    return bytes < needed ? 0 : bytes;
}

int stencil_strip(int rows, long tiles, long slots, int warmup, int unit)
{
    const int shortest = std::max(unit, 2 * warmup);
    long least = LONG_MAX;
    int best = rows;

    for (int count = 1; count <= rows; count++) {
        int strip = ((rows + count - 1) / count + unit - 1) / unit * unit;
        long strips = (rows + strip - 1) / strip;
        long waves = (tiles * strips + slots - 1) / slots;
        long cost = waves * (strip + warmup);

        if (count > 1 && strip < shortest) {
            break;
        }
        if (cost < least) {
            least = cost;
            best = strip;
        }
    }
    return best;
}

}  // namespace gpu
