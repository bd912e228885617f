/* Several ways to compute one thing, of which the fastest counts. */
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <vector>

#include "tools/gpu/result.hpp"

namespace gpu
{

struct Variant {
    std::string name;
    std::function<void(int)> body; /* enqueues the i-th call */
};

struct VariantTimes {
    int warmups = 5;
    int repeats = 40;
    double energy_seconds =
        0.5; /* for which the fastest runs to find its energy; 0: not */
    cudaStream_t stream = nullptr;
};

/* Times all variants, and sets the timing, the metrics and the energy of a result by
 * the fastest, the index of which it gives. */
size_t time_variants(Result *result,
                     const std::vector<Variant> &variants,
                     const VariantTimes &times = VariantTimes());

}  // namespace gpu
