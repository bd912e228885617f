/* Asks the processor what it has. */
#include "tools/gridloom/instructions.h"

#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__) && (defined(__AVX2__) || defined(GRIDLOOM_ASKS_PROCESSOR))
#include <cpuid.h>

#define FEATURES      1U /* leaves of the instruction that asks */
#define MORE_FEATURES 0x80000001U
#define F16C          (1U << 29) /* bits of their answers in ECX */
#define MOVBE         (1U << 22)
#define LZCNT         (1U << 5)

static bool has(unsigned leaf, unsigned bit)
{
    unsigned answers[4] = {0};

    return __get_cpuid(leaf, &answers[0], &answers[1], &answers[2], &answers[3]) != 0 &&
           (answers[2] & bit) != 0;
}

/* All of x86-64-v3, which the program may be compiled for. */
const char *instructions_lacking(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) {
        return "AVX2";
    }
    if (!__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")) {
        return "BMI";
    }
    if (!__builtin_cpu_supports("fma")) {
        return "FMA";
    }
    if (!has(FEATURES, F16C)) {
        return "F16C";
    }
    if (!has(FEATURES, MOVBE)) {
        return "MOVBE";
    }
    return has(MORE_FEATURES, LZCNT) ? NULL : "LZCNT";
}
#else
const char *instructions_lacking(void)
{
    return NULL;
}
#endif
