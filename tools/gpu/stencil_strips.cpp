#include "tools/gpu/stencil_strips.hpp"

#include <algorithm>
#include <climits>

namespace gpu
{

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
