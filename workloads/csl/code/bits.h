/* Numbers of comptime as the machine's words. */
#pragma once

#include <stdint.h>

#include "sim/narrow.h"
#include "workloads/csl/syntax/node.h"

static inline int32_t csl_low_word(int64_t bits)
{
    return (int32_t) (uint32_t) (uint64_t) bits;
}
static inline int32_t csl_high_word(int64_t bits)
{
    return (int32_t) (uint32_t) ((uint64_t) bits >> 32);
}
/* 16 bits from bit `shift` on, with their sign. */
static inline int16_t csl_half(int64_t bits, unsigned shift)
{
    return (int16_t) (uint16_t) ((uint64_t) bits >> shift);
}

/* Checked, as in sim/narrow.h. */
static inline uint32_t csl_u32(CslInteger integer)
{
    return sim_u32((int64_t) integer);
}
static inline int32_t csl_i32(CslInteger integer)
{
    return sim_i32((int64_t) integer);
}
