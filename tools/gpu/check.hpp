/* Compares what a GPU computed with a reference in double precision. */
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

#include "tools/gpu/number.hpp"
#include "tools/gpu/threads.hpp"

namespace gpu
{

struct Check {
    double max_abs_error = 0; /* infinite where a number is not one */
    double tolerance = 0;     /* set before anything is compared */
    std::string reference;

    bool is_pass() const
    {
        return max_abs_error <= tolerance;
    }
    void compare(double value, double expected)
    {
        double error = std::fabs(value - expected);

        max_abs_error = std::max(
            max_abs_error,
            std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    }
};

/* Compares all of values[0 .. count) with expected(i). */
template <typename T, typename Expected>
void check_all(Check *check, const T *values, size_t count, Expected expected)
{
    std::mutex mutex;

    parallel_parts(count, [&](size_t first, size_t end) {
        Check part;

        for (size_t i = first; i < end; i++) {
            part.compare((double) number(values[i]), (double) expected(i));
        }
        std::lock_guard<std::mutex> guard(mutex);
        check->max_abs_error = std::max(check->max_abs_error, part.max_abs_error);
    });
}

}  // namespace gpu
