// The processor itself: its clock, loads that wait, barriers of the compiler.
#pragma once

#include "gridloom/environment.h"

namespace gridloom
{

inline volatile uint32_t *const CLOCK_LOW = reinterpret_cast<volatile uint32_t *>(0xffb121f0u);
inline volatile uint32_t *const CLOCK_HIGH = reinterpret_cast<volatile uint32_t *>(0xffb121f8u);

}  // namespace gridloom

FORCE_INLINE uint32_t get_timestamp_32b()
{
    return *gridloom::CLOCK_LOW;
}

FORCE_INLINE uint64_t get_timestamp()
{
    const uint32_t low = *gridloom::CLOCK_LOW;

    return static_cast<uint64_t>(*gridloom::CLOCK_HIGH) << 32 | low;
}

inline void riscv_wait(uint32_t cycles)
{
    const uint32_t begin = get_timestamp_32b();

    while (get_timestamp_32b() - begin < cycles) {
    }
}

namespace ckernel
{

using ::get_timestamp;
using ::get_timestamp_32b;

// Goes on when the word is there.
template <typename T> FORCE_INLINE T load_blocking(volatile T *address)
{
    T value = *address;

    asm volatile("and x0, x0, %0" : : "r"(value) : "memory");
    return value;
}

inline void wait(uint32_t cycles)
{
    riscv_wait(cycles);
}

}  // namespace ckernel

// Data movers and compute threads have no cache in front of the L1.
FORCE_INLINE void invalidate_l1_cache() {}
FORCE_INLINE void flush_l1_cache() {}
