/* The random numbers of the workload scripts, from any index on. */
#pragma once

#include <cstdint>
#include <vector>

#include "tools/gpu/threads.hpp"

namespace gpu
{

/* fill_random() of the scripts: element i of a buffer is a function of the seed and i.
 */
class Random
{
  public:
    /* Gives the elements index, index + stride, index + 2 * stride, ... */
    Random(uint64_t seed, uint64_t index, uint64_t stride = 1) : step_(steps(stride))
    {
        Step start = steps(index + 1);

        state_ = seed * start.factor + start.summand;
    }
    double next(double low, double high)
    {
        double value = low + (double) (state_ >> 11) * 0x1p-53 * (high - low);

        state_ = state_ * step_.factor + step_.summand;
        return value;
    }

  private:
    /* state = state * factor + summand */
    struct Step {
        uint64_t factor;
        uint64_t summand;
    };

    /* `count` steps of Knuth's generator as one. */
    static Step steps(uint64_t count)
    {
        Step all = {1, 0};
        Step power = {UINT64_C(6364136223846793005), UINT64_C(1442695040888963407)};

        for (; count != 0; count >>= 1) {
            if (count & 1) {
                all = {all.factor * power.factor,
                       all.summand * power.factor + power.summand};
            }
            power = {power.factor * power.factor,
                     power.summand * power.factor + power.summand};
        }
        return all;
    }

    Step step_;
    uint64_t state_;
};

/* As buffer:fill_random(format, seed, low, high). */
template <typename T>
void random_fill(
    T *values, size_t count, uint64_t seed, double low = -1, double high = 1)
{
    parallel_parts(count, [=](size_t first, size_t end) {
        Random random(seed, first);

        for (size_t i = first; i < end; i++) {
            values[i] = (T) random.next(low, high);
        }
    });
}

template <typename T>
std::vector<T>
random_vector(size_t count, uint64_t seed, double low = -1, double high = 1)
{
    std::vector<T> values(count);

    random_fill(values.data(), count, seed, low, high);
    return values;
}

}  // namespace gpu
