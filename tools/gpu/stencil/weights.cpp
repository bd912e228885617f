#include "tools/gpu/stencil/weights.hpp"

#include <cmath>

#include "tools/gpu/stencil/value.hpp"

namespace gpu
{

static size_t power(size_t base, int exponent)
{
    size_t product = 1;

    while (exponent-- > 0) {
        product *= base;
    }
    return product;
}

std::vector<double>
stencil_weights(bool is_box, int dimension, int radius, uint64_t seed)
{
    const size_t side = 2 * (size_t) radius + 1;
    std::vector<double> weights(power(side, dimension), 0.0);
    double sum = 0;

    for (size_t i = 0; i < weights.size(); i++) {
        size_t rest = i;
        int directions = 0; /* in which the point is off the centre */

        for (int d = 0; d < dimension; d++) {
            directions += rest % side != (size_t) radius;
            rest /= side;
        }
        if (!is_box && directions > 1) {
            continue;
        }
        /* 1/2 .. 1: none is so small that a mistake with it would not be seen */
        double draw = stencil_value(seed, i);

        weights[i] = draw / 2 + (draw < 0 ? -0.5 : 0.5);
        sum += std::fabs(weights[i]);
    }
    for (double &weight : weights) {
        weight /= sum;
    }
    return weights;
}

static std::vector<double> convolve(const std::vector<double> &a,
                                    size_t side_a,
                                    const std::vector<double> &b,
                                    size_t side_b,
                                    int dimension)
{
    const size_t side = side_a + side_b - 1;
    std::vector<double> out(power(side, dimension), 0.0);

    for (size_t i = 0; i < a.size(); i++) {
        for (size_t j = 0; j < b.size(); j++) {
            size_t at = 0;
            size_t stride = 1;
            size_t rest_a = i;
            size_t rest_b = j;

            for (int d = 0; d < dimension; d++) {
                at += (rest_a % side_a + rest_b % side_b) * stride;
                stride *= side;
                rest_a /= side_a;
                rest_b /= side_b;
            }
            out[at] += a[i] * b[j];
        }
    }
    return out;
}

std::vector<double> stencil_weights_fused(const std::vector<double> &weights,
                                          int dimension,
                                          int radius,
                                          int fusion)
{
    std::vector<double> fused = weights;
    const size_t side = 2 * (size_t) radius + 1;

    for (int step = 1; step < fusion; step++) {
        fused =
            convolve(fused, 2 * (size_t) (radius * step) + 1, weights, side, dimension);
    }
    return fused;
}

}  // namespace gpu
