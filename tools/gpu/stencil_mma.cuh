/* Products of matrices on tensor cores, acc += a b, of 16 x 8 by 8 x 8 values a warp.
 * With g = lane / 4 and c = lane % 4 a lane has of
 *   a two halves of 8 rows: upper (g, c), (g, c + 4), lower (g + 8, c), (g + 8, c + 4),
 *   b (c, g), (c + 4, g),
 *   acc (g, 2c), (g, 2c + 1), (g + 8, 2c), (g + 8, 2c + 1)
 * as row, column. Halves are read from rows in shared memory: each lane says where its
 * row() and column() of the half lies. Rows that lie `pitch` values apart do not meet
 * in the same banks. */
#pragma once

namespace gpu
{

/* FP64 with the shape that Ampere brought. */
struct MmaDouble {
    using Type = double;

    /* 4 or 12 modulo 16 */
    static constexpr int pitch(int columns)
    {
        return (columns + 3) / 8 * 8 + 4;
    }
    static __device__ __forceinline__ int row(int lane)
    {
        return lane / 4;
    }
    static __device__ __forceinline__ int column(int lane)
    {
        return lane % 4;
    }
    static __device__ __forceinline__ double weight(double value)
    {
        return value;
    }
    static __device__ __forceinline__ void read(const double *from, double (&half)[2])
    {
        half[0] = from[0];
        half[1] = from[4];
    }
    static __device__ __forceinline__ void
    mma8(double &sum0, double &sum1, double a, double b)
    {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
            "{%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(sum0), "+d"(sum1)
            : "d"(a), "d"(b));
    }
    static __device__ __forceinline__ void mma(double (&acc)[4],
                                               const double (&upper)[2],
                                               const double (&lower)[2],
                                               const double (&b)[2])
    {
        mma8(acc[0], acc[1], upper[0], b[0]);
        mma8(acc[2], acc[3], lower[0], b[0]);
        mma8(acc[0], acc[1], upper[1], b[1]);
        mma8(acc[2], acc[3], lower[1], b[1]);
    }
};

/* FP64 with a shape that Hopper adds. */
struct MmaDoubleWide : MmaDouble {
    static __device__ __forceinline__ void mma(double (&acc)[4],
                                               const double (&upper)[2],
                                               const double (&lower)[2],
                                               const double (&b)[2])
    {
        asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+d"(acc[0]), "+d"(acc[1]), "+d"(acc[2]), "+d"(acc[3])
            : "d"(upper[0]), "d"(lower[0]), "d"(upper[1]), "d"(lower[1]), "d"(b[0]),
              "d"(b[1]));
    }
};

/* FP32 of which the tensor cores use the upper 19 bits. */
struct MmaTf32 {
    using Type = float;

    /* an odd multiple of 4 */
    static constexpr int pitch(int columns)
    {
        return (columns + 3) / 8 * 8 + 4;
    }
    static __device__ __forceinline__ int row(int lane)
    {
        return lane % 8;
    }
    static __device__ __forceinline__ int column(int lane)
    {
        return lane / 8 % 2 * 4;
    }
    static __device__ __forceinline__ float weight(float value)
    {
        unsigned bits;

        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
        return __uint_as_float(bits);
    }
    static __device__ __forceinline__ void read(const float *from, float (&half)[2])
    {
        unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(from));
        unsigned bits[2];

        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(bits[0]), "=r"(bits[1])
                     : "r"(address)
                     : "memory");
        half[0] = __uint_as_float(bits[0]);
        half[1] = __uint_as_float(bits[1]);
    }
    static __device__ __forceinline__ void mma(float (&acc)[4],
                                               const float (&upper)[2],
                                               const float (&lower)[2],
                                               const float (&b)[2])
    {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
            : "r"(__float_as_uint(upper[0])), "r"(__float_as_uint(lower[0])),
              "r"(__float_as_uint(upper[1])), "r"(__float_as_uint(lower[1])),
              "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
    }
};

}  // namespace gpu
