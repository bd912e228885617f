// Instructions of the vector unit, for SFPI. Each is one instruction of the RISC-V, as on
// the chip, where the compiler puts them into the RISC-V's own text: .insn words of our
// own whose registers hold names of vectors instead of numbers of LREGs. The compiler of
// the kernel thus places vectors as it places numbers, and an instruction pushes what it
// pushes on the chip. An ecall would need eight instructions for one, its number and its
// operands in registers of their own.
#pragma once

#include "gridloom/call.h"

namespace gridloom
{

enum class Vector : uint32_t {
#define SFPU_OPCODE(name) name,
#include "gridloom/vectors.def"
};

// Registers with a number of their own.
constexpr uint32_t VECTOR_0P8373 = 8;
constexpr uint32_t VECTOR_ZERO = 9;
constexpr uint32_t VECTOR_ONE = 10;
constexpr uint32_t VECTOR_MINUS_ONE = 11;
constexpr uint32_t VECTOR_PROGRAMMED = 12;
constexpr uint32_t VECTOR_LANES = 15;

// What depends on nothing but its operands; the compiler may move it.
template <Vector opcode> FORCE_INLINE uint32_t vector(uint32_t a = 0, uint32_t b = 0)
{
    uint32_t result;

    asm(".insn r 0x2b, 0, %3, %0, %1, %2" : "=r"(result) : "r"(a), "r"(b), "i"(opcode));
    return result;
}

// What depends on Dst or on which lanes are enabled.
template <Vector opcode> FORCE_INLINE uint32_t vector_in_order(uint32_t a = 0, uint32_t b = 0)
{
    uint32_t result;

    asm volatile(".insn r 0x2b, 0, %3, %0, %1, %2" : "=r"(result) : "r"(a), "r"(b), "i"(opcode));
    return result;
}

// Without a result; `is_part`: of the instruction before, and takes no time.
template <Vector opcode, bool is_part = false> FORCE_INLINE void vector_act(uint32_t a = 0, uint32_t b = 0)
{
    asm volatile(".insn r 0x2b, %3, %2, x0, %0, %1" : : "r"(a), "r"(b), "i"(opcode), "i"(is_part));
}

FORCE_INLINE uint32_t vector_mad(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result;

    asm(".insn r4 0x5b, 0, 0, %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

// `value` in enabled lanes, else `before`: nothing if the instruction that made `value`
// would have written there, else a move.
template <bool is_move> FORCE_INLINE uint32_t vector_assign(uint32_t before, uint32_t value)
{
    uint32_t result;

    if constexpr (is_move) {
        value = vector<Vector::MOV>(value);
    }
    asm volatile(".insn r 0x2b, 1, %3, %0, %1, %2" : "=r"(result) : "r"(value), "r"(before), "i"(Vector::ASSIGN));
    return result;
}

}  // namespace gridloom
