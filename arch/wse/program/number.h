/* The arithmetic of a PE's scalar machine: numbers as the bits of registers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse_memory.h"

typedef enum {
    WSE_NUMBER_MOV,
    WSE_NUMBER_ADD,
    WSE_NUMBER_SUB,
    WSE_NUMBER_MUL,
    WSE_NUMBER_DIV,
    WSE_NUMBER_REM,
    WSE_NUMBER_AND,
    WSE_NUMBER_OR,
    WSE_NUMBER_XOR,
    WSE_NUMBER_SHL,
    WSE_NUMBER_SHR,
    WSE_NUMBER_NOT,
    WSE_NUMBER_NEG,
    WSE_NUMBER_ABS,
    WSE_NUMBER_MAX,
    WSE_NUMBER_MIN,
    WSE_NUMBER_SQRT,
    WSE_NUMBER_EQ,
    WSE_NUMBER_NE,
    WSE_NUMBER_LT,
    WSE_NUMBER_LE,
    WSE_NUMBER_GT,
    WSE_NUMBER_GE,
    WSE_NUMBERS,
} WseNumberCode;

static inline bool wse_type_is_float(ArchWseType type)
{
    return type == ARCH_WSE_F16 || type == ARCH_WSE_F32;
}
static inline bool wse_type_is_wide(ArchWseType type)
{
    return type == ARCH_WSE_I64 || type == ARCH_WSE_U64;
}
static inline bool wse_type_is_signed(ArchWseType type)
{
    return type == ARCH_WSE_I8 || type == ARCH_WSE_I16 || type == ARCH_WSE_I32 ||
           type == ARCH_WSE_I64;
}

/* The low bits of a number of the type, extended as registers hold it. */
uint32_t wse_number_fit(ArchWseType type, uint32_t bits);

/* See arch_wse_program_operate(). A division by 0 gives 0. */
uint32_t
wse_number_integer(WseNumberCode code, ArchWseType type, uint32_t a, uint32_t b);
uint64_t wse_number_wide(WseNumberCode code, ArchWseType type, uint64_t a, uint64_t b);
uint32_t wse_number_float(WseNumberCode code, ArchWseType type, uint32_t a, uint32_t b);

/* The value of a float. */
float wse_number_to_float(ArchWseType type, uint32_t bits);

/* The 23 bits of x^23 + x^18 + 1 after 128 more steps: see ARCH_WSE_RANDOM. */
uint32_t wse_number_random(uint32_t state);

/* See arch_wse_program_convert(). */
uint64_t wse_number_convert(ArchWseType from, ArchWseType to, uint64_t bits);
