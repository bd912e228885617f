/* Copies in the memory of the GPU: the bandwidth that other programs are held against.
 */
#pragma once

#include <string>
#include <vector>

#include "tools/gpu/device.cuh"
#include "tools/gpu/timing.hpp"

namespace gpu
{

struct Copying {
    std::string name; /* of the kernel, or cudaMemcpy */
    Timing timing;
    bool is_exact; /* every byte has arrived */
};

/* Copies `bytes`, a multiple of 64 KiB, in several ways; the first of the list is the
 * fastest. The data are random. */
std::vector<Copying> copy_all_ways(size_t bytes, int warmups, int repeats);

/* Bytes read and written each second by the fastest copy. */
double copy_rate(const Copying &copying, size_t bytes);

}  // namespace gpu
