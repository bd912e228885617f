/* Random numbers: seeded, and the same on every machine. */
#pragma once

#include <stdint.h>

static inline uint64_t sim_random_mix(uint64_t value)
{
    /* The output function of splitmix64, Steele et al. */
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static inline uint64_t sim_random_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return sim_random_mix(*state);
}

/* Start of the random stream of one user, when many share a seed. */
static inline uint64_t sim_random_stream(uint64_t seed, uint32_t user)
{
    return sim_random_mix(sim_random_mix(seed + 1) + UINT64_C(0x632be59bd9b4e019) +
                          user);
}

/* 0..bound-1. */
static inline uint32_t sim_random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t) (((sim_random_next(state) >> 32) * bound) >> 32);
}

/* 0 and above, below 1. */
static inline double sim_random_share(uint64_t *state)
{
    return (double) (sim_random_next(state) >> 11) * 0x1p-53;
}

/* Above 0, at most 1. */
static inline double sim_random_unit(uint64_t *state)
{
    return (double) ((sim_random_next(state) >> 11) + 1) * 0x1p-53;
}
