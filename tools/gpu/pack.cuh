/* 16 bytes of numbers, which a thread loads and stores at once. */
#pragma once

#include <cuda_runtime.h>

namespace gpu
{

template <typename T> struct alignas(16) Pack {
    static constexpr int COUNT = (int) (16 / sizeof(T));
    T value[COUNT];
};

template <typename T> __device__ __forceinline__ Pack<T> pack_zero()
{
    Pack<T> pack;

#pragma unroll
    for (int i = 0; i < Pack<T>::COUNT; i++) {
        pack.value[i] = T(0);
    }
    return pack;
}

template <typename T> __device__ __forceinline__ Pack<T> pack_load(const T *from)
{
    return *(const Pack<T> *) from;
}

/* Zeros where `is_inside` does not hold. */
template <typename T>
__device__ __forceinline__ Pack<T> pack_load_if(bool is_inside, const T *from)
{
    return is_inside ? *(const Pack<T> *) from : pack_zero<T>();
}

/* The same for what is not read again soon. */
template <typename T>
__device__ __forceinline__ Pack<T> pack_load_streamed_if(bool is_inside, const T *from)
{
    union {
        float4 bits;
        Pack<T> pack;
    } both = {is_inside ? __ldcs((const float4 *) from) : make_float4(0, 0, 0, 0)};

    return both.pack;
}

template <typename T> __device__ __forceinline__ void pack_store(T *to, Pack<T> pack)
{
    *(Pack<T> *) to = pack;
}

/* For what is not read again soon. */
template <typename T>
__device__ __forceinline__ void pack_store_streamed(T *to, Pack<T> pack)
{
    union {
        Pack<T> pack;
        float4 bits;
    } both = {pack};

    __stcs((float4 *) to, both.bits);
}

/* One of the two. */
template <bool IS_STREAMED, typename T>
__device__ __forceinline__ void pack_store_as(T *to, Pack<T> pack)
{
    if (IS_STREAMED) {
        pack_store_streamed(to, pack);
    } else {
        pack_store(to, pack);
    }
}

}  // namespace gpu
