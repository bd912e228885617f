/* Loops over a tile's numbers that the compiler turns into vector code. */
#pragma once

/* Before a function whose loops gain from wider vectors than every x86-64 has: the
 * program picks the version for its processor when it starts. Results do not differ.
 * Clang does without: its versions of functions with one name in two files clash. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__) &&             \
    !defined(GRIDLOOM_SANITIZE)
#define TENSIX_LANES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TENSIX_LANES
#endif

/* Before a function that such a loop calls, so that it becomes part of each version. */
#define TENSIX_LANE static inline __attribute__((always_inline))
