/* Formats of numbers, by the names that scripts and counters use. */
#pragma once

#include <cfloat>

namespace gpu
{

template <typename T> struct Format;

template <> struct Format<float> {
    static constexpr const char *NAME = "fp32";
    static constexpr const char *COUNTER = "fp32_flops";
    static constexpr double ROUNDING = FLT_EPSILON / 2; /* relative, of one operation */
};

template <> struct Format<double> {
    static constexpr const char *NAME = "fp64";
    static constexpr const char *COUNTER = "fp64_flops";
    static constexpr double ROUNDING = DBL_EPSILON / 2;
};

}  // namespace gpu
