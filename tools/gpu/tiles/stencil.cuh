/* The stencils that tiles are measured with: a point from itself and its neighbours,
 * all numbers staying within the bounds of the first ones. */
#pragma once

namespace gpu
{

/* What a kernel gives a stencil: value(i) of neighbour i, 0 and 1 along the first
 * dimension, 2 and 3 along the second, 4 and 5 along the third. */
struct Jacobi2d {
    static constexpr const char *NAME = "jacobi2d";
    static constexpr int DIMENSION = 2;
    static constexpr double FLOPS = 5;
    template <typename Value> static __device__ float point(float own, Value value)
    {
        return 0.2f * (own + value(0) + value(1) + value(2) + value(3));
    }
};

struct Heat2d {
    static constexpr const char *NAME = "heat2d";
    static constexpr int DIMENSION = 2;
    static constexpr double FLOPS = 10;
    template <typename Value> static __device__ float point(float own, Value value)
    {
        return own + 0.125f * (value(0) - 2.0f * own + value(1)) +
               0.125f * (value(2) - 2.0f * own + value(3));
    }
};

struct Laplacian2d {
    static constexpr const char *NAME = "laplacian2d";
    static constexpr int DIMENSION = 2;
    static constexpr double FLOPS = 6;
    template <typename Value> static __device__ float point(float own, Value value)
    {
        return 0.5f * own - 0.125f * (value(0) + value(1) + value(2) + value(3));
    }
};

struct Gradient2d {
    static constexpr const char *NAME = "gradient2d";
    static constexpr int DIMENSION = 2;
    static constexpr double FLOPS = 13;
    template <typename Value> static __device__ float point(float own, Value value)
    {
        float sum = 0;

        for (int i = 0; i < 4; i++) {
            float slope = own - value(i);

            sum += slope * slope;
        }
        return 0.25f * sqrtf(sum);
    }
};

struct Heat3d {
    static constexpr const char *NAME = "heat3d";
    static constexpr int DIMENSION = 3;
    static constexpr double FLOPS = 15;
    template <typename Value> static __device__ float point(float own, Value value)
    {
        return own + 0.125f * (value(0) - 2.0f * own + value(1)) +
               0.125f * (value(2) - 2.0f * own + value(3)) +
               0.125f * (value(4) - 2.0f * own + value(5));
    }
};

struct Laplacian3d {
    static constexpr const char *NAME = "laplacian3d";
    static constexpr int DIMENSION = 3;
    static constexpr double FLOPS = 8;
    template <typename Value> static __device__ float point(float own, Value value)
    {
        return 0.4f * own -
               0.1f * (value(0) + value(1) + value(2) + value(3) + value(4) + value(5));
    }
};

}  // namespace gpu
