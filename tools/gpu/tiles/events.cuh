/* Kernels that do one thing over and over, for what it costs. */
#pragma once

#include <cuda_runtime.h>
#include <type_traits>

namespace gpu
{

enum class Event {
    add,
    multiply,
    integer_add,
    integer_max,
    shared,
};

constexpr int EVENT_CHAINS = 8; /* of each thread, that do not depend on each other */
constexpr int EVENT_UNROLL = 16;

/* What an event works on. */
template <Event EVENT>
using EventWord = typename std::
    conditional<EVENT == Event::add || EVENT == Event::multiply, float, int>::type;

template <Event EVENT>
__device__ inline void event_once(EventWord<EVENT> *value, EventWord<EVENT> other)
{
    if constexpr (EVENT == Event::add) {
        asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(*value) : "f"(other));
    } else if constexpr (EVENT == Event::multiply) {
        asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(*value) : "f"(other));
    } else if constexpr (EVENT == Event::integer_add) {
        asm volatile("add.s32 %0, %0, %1;" : "+r"(*value) : "r"(other));
    } else if constexpr (EVENT == Event::integer_max) {
        asm volatile("max.s32 %0, %0, %1;" : "+r"(*value) : "r"(other));
    } else {
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(*value) : "r"(other));
    }
}

/* EVENT_CHAINS * EVENT_UNROLL events a turn and thread. */
template <Event EVENT>
__global__ void event_kernel(int turns, EventWord<EVENT> other, int *out)
{
    using Word = EventWord<EVENT>;
    __shared__ int words[1024];
    Word value[EVENT_CHAINS];

    for (int i = 0; i < EVENT_CHAINS; i++) {
        value[i] = (Word) ((int) threadIdx.x + i);
    }
    words[threadIdx.x] = (int) threadIdx.x;
    __syncthreads();
    if (EVENT == Event::shared) {
        other = (Word) __cvta_generic_to_shared(words + threadIdx.x);
    }
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll
        for (int i = 0; i < EVENT_UNROLL; i++) {
#pragma unroll
            for (int chain = 0; chain < EVENT_CHAINS; chain++) {
                /* Two sums in a row would be one instruction. */
                event_once<EVENT>(&value[chain], EVENT == Event::integer_add
                                                     ? value[(chain + 1) % EVENT_CHAINS]
                                                     : other);
            }
        }
    }
    Word sum = 0;

    for (int i = 0; i < EVENT_CHAINS; i++) {
        sum += value[i];
    }
    if (sum == (Word) 123456789) {
        *out = (int) sum;
    }
}

__global__ inline void nothing_kernel()
{
}

/* Barriers of a block, one after the other. */
__global__ inline void barrier_kernel(int turns)
{
    for (int turn = 0; turn < turns; turn++) {
        __syncthreads();
    }
}

/* One thread that waits for so many nanoseconds, so that the GPU stays awake. */
__global__ inline void awake_kernel(long long nanoseconds)
{
    long long start = 0;
    long long now = 0;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}

}  // namespace gpu
