/* Repeated measurements of one thing. */
#pragma once

#include <algorithm>
#include <vector>

namespace gpu
{

struct Timing {
    int warmups = 0;
    std::vector<double> seconds; /* of each repeat, sorted */

    double minimum() const
    {
        return seconds.front();
    }
    double median() const
    {
        size_t half = seconds.size() / 2;

        return seconds.size() % 2 ? seconds[half]
                                  : 0.5 * (seconds[half - 1] + seconds[half]);
    }
    double maximum() const
    {
        return seconds.back();
    }
};

}  // namespace gpu
