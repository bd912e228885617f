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
    static __device__ __forceinline__ int row(int lane, int half)
    {
        return lane / 4 + 8 * half;
    }
    static __device__ __forceinline__ int column(int lane)
    {
        return lane % 4;
    }
    static __device__ __forceinline__ double weight(double value)
    {
        return value;
    }
    static __device__ __forceinline__ void
    read(const double *upper, const double *lower, double (&a)[4])
    {
        a[0] = upper[0];
        a[1] = lower[0];
        a[2] = upper[4];
        a[3] = lower[4];
    }
    static __device__ __forceinline__ void
    mma8(double &sum0, double &sum1, double a, double b)
    {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
            "{%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(sum0), "+d"(sum1)
            : "d"(a), "d"(b));
    }
    static __device__ __forceinline__ void
    mma(double (&acc)[4], const double (&a)[4], const double (&b)[2])
    {
        mma8(acc[0], acc[1], a[0], b[0]);
        mma8(acc[2], acc[3], a[1], b[0]);
        mma8(acc[0], acc[1], a[2], b[1]);
        mma8(acc[2], acc[3], a[3], b[1]);
    }
};

/* FP64 with a shape that Hopper adds. */
struct MmaDoubleWide : MmaDouble {
    static __device__ __forceinline__ void
    mma(double (&acc)[4], const double (&a)[4], const double (&b)[2])
    {
        asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+d"(acc[0]), "+d"(acc[1]), "+d"(acc[2]), "+d"(acc[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
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
    static __device__ __forceinline__ int row(int lane, int)
    {
        return lane % 16;
    }
    static __device__ __forceinline__ int column(int lane)
    {
        return lane / 16 * 4;
    }
    static __device__ __forceinline__ float weight(float value)
    {
        unsigned bits;

        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
        return __uint_as_float(bits);
    }
    /* By rows of 16 bytes, one a lane, so that there is only one of them. */
    static __device__ __forceinline__ void
    read(const float *row, const float *, float (&a)[4])
    {
        unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
        unsigned bits[4];

        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(bits[0]), "=r"(bits[1]), "=r"(bits[2]), "=r"(bits[3])
                     : "r"(address)
                     : "memory");
#pragma unroll
        for (int i = 0; i < 4; i++) {
            a[i] = __uint_as_float(bits[i]);
        }
    }
    static __device__ __forceinline__ void
    mma(float (&acc)[4], const float (&a)[4], const float (&b)[2])
    {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
            : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])),
              "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
              "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
    }
};

}  // namespace gpu
