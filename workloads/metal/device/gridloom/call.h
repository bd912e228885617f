// Calls to the simulator: an ecall with its number in a7, see calls.def.
#pragma once

#include <cstdint>

// Without lines of their own: what they do counts for the kernel's line that calls them.
#define GRIDLOOM_INSIDE __attribute__((always_inline, nodebug))
#define FORCE_INLINE    inline GRIDLOOM_INSIDE
#define ALWI            inline GRIDLOOM_INSIDE

namespace gridloom
{

enum class Call : uint32_t {
#define RISCV_CALL(name) name,
#include "gridloom/calls.def"
};

// Up to seven arguments; gives what comes back in a0.
template <typename... Arguments> FORCE_INLINE uint32_t call(Call which, Arguments... arguments)
{
    constexpr uint32_t count = sizeof...(Arguments);
    static_assert(count <= 7);
    const uint32_t words[8] = {static_cast<uint32_t>(arguments)...};
    register uint32_t a0 asm("a0") = words[0];
    register uint32_t a7 asm("a7") = static_cast<uint32_t>(which);

    if constexpr (count == 0) {
        asm volatile("ecall" : "=r"(a0) : "r"(a7) : "memory");
        return a0;
    }
    register uint32_t a1 asm("a1") = words[1];
    register uint32_t a2 asm("a2") = words[2];
    register uint32_t a3 asm("a3") = words[3];
    register uint32_t a4 asm("a4") = words[4];
    register uint32_t a5 asm("a5") = words[5];
    register uint32_t a6 asm("a6") = words[6];

    if constexpr (count == 1) {
        asm volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
    } else if constexpr (count == 2) {
        asm volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1) : "memory");
    } else if constexpr (count == 3) {
        asm volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    } else if constexpr (count == 4) {
        asm volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3) : "memory");
    } else if constexpr (count == 5) {
        asm volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4) : "memory");
    } else if constexpr (count == 6) {
        asm volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5) : "memory");
    } else if constexpr (count == 7) {
        asm volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6) : "memory");
    }
    return a0;
}

}  // namespace gridloom
