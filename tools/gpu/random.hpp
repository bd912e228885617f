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
    /* The next number is element `index`. */
    Random(uint64_t seed, uint64_t index) : state_(seed)
    {
        uint64_t factor = FACTOR;
        uint64_t summand = SUMMAND;

        for (; index != 0; index >>= 1) {
            if (index & 1) {
                state_ = state_ * factor + summand;
            }
            summand *= factor + 1;
            factor *= factor;
        }
    }
    double next(double low, double high)
    {
        state_ = state_ * FACTOR + SUMMAND;
        return low + (double) (state_ >> 11) * 0x1p-53 * (high - low);
    }

  private:
    static constexpr uint64_t FACTOR = UINT64_C(6364136223846793005);
    static constexpr uint64_t SUMMAND = UINT64_C(1442695040888963407);

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
