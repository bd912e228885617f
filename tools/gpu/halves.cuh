/* Formats of 16 bits, by the names that scripts use: bf16 of a Wormhole, and mixed of a
 * wafer, FP16 that is added up in FP32. */
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tools/gpu/asked.hpp"
#include "tools/gpu/format.hpp"
#include "tools/gpu/number.hpp"

namespace gpu
{

using Bf16 = __nv_bfloat16;
using Fp16 = __half;

template <> struct Format<Bf16> {
    static constexpr const char *NAME = "bf16";
    static constexpr const char *COUNTER = "fp32_flops"; /* units that compute */
    static constexpr double ROUNDING = 0x1p-8;
};

template <> struct Format<Fp16> {
    static constexpr const char *NAME = "mixed";
    static constexpr const char *COUNTER = "fp32_flops";
    static constexpr double ROUNDING = 0x1p-11;
};

/* Calls body() with a 0 of the format that is asked for. */
template <typename Body> void with_format(const Asked &asked, Body body)
{
    if (asked.dtype == "fp64") {
        body(0.0);
    } else if (asked.dtype == "bf16") {
        body(Bf16(0.0F));
    } else if (asked.dtype == "mixed") {
        body(Fp16(0.0F));
    } else {
        body(0.0F);
    }
}

}  // namespace gpu
