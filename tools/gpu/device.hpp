/* What a result says about the GPU that it was measured on. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpu
{

struct Device {
    std::string name;   /* as the driver calls it: NVIDIA H200 */
    std::string chip;   /* what files and results call it: h200 */
    std::string driver; /* version; empty: not known */
    std::string cuda;   /* version of the compiler and the run time */
    double clock_hz = 0;
    int multiprocessors = 0;
    size_t memory_bytes = 0;
    size_t l2_bytes = 0;
    size_t shared_bytes = 0; /* that a block can have */
};

/* `NVIDIA H200` is h200, `NVIDIA A100-SXM4-80GB` is a100_80gb, `NVIDIA H100 PCIe` is
 * h100. */
std::string device_chip(const std::string &name);

}  // namespace gpu
