/* Asks the processor what it has. */
#include "tools/gridloom/instructions.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__AVX2__)
const char *instructions_lacking(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) {
        return "AVX2";
    }
    if (!__builtin_cpu_supports("bmi2")) {
        return "BMI2";
    }
    return __builtin_cpu_supports("fma") ? NULL : "FMA";
}
#else
const char *instructions_lacking(void)
{
    return NULL;
}
#endif
