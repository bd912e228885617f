/* Instructions of RV32IM as words, for tests of RISC-Vs. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* Registers by their names in calls. */
enum {
    SP = 2,
    T0 = 5,
    T1 = 6,
    A0 = 10,
    A1 = 11,
    A2 = 12,
    A3 = 13,
    A7 = 17,
};

enum {
    ecall = 0x73,
    nop = 0x13,
};

static inline uint32_t
r_type(guint funct7, guint funct3, guint rd, guint rs1, guint rs2)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}

static inline uint32_t
i_type(guint opcode, guint funct3, guint rd, guint rs1, int value)
{
    return (uint32_t) value << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static inline uint32_t addi(guint rd, guint rs1, int value)
{
    return i_type(0x13, 0, rd, rs1, value);
}

static inline uint32_t lw(guint rd, guint rs1, int value)
{
    return i_type(0x03, 2, rd, rs1, value);
}

static inline uint32_t sw(guint rs2, guint rs1, int value)
{
    const uint32_t bits = (uint32_t) value;

    return bits >> 5 << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | (bits & 31) << 7 | 0x23;
}

static inline uint32_t branch(guint funct3, guint rs1, guint rs2, int value)
{
    const uint32_t bits = (uint32_t) value;

    return (bits >> 12 & 1) << 31 | (bits >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 |
           funct3 << 12 | (bits >> 1 & 15) << 8 | (bits >> 11 & 1) << 7 | 0x63;
}

static inline uint32_t jal(guint rd, int value)
{
    const uint32_t bits = (uint32_t) value;

    return (bits >> 20 & 1) << 31 | (bits >> 1 & 1023) << 21 | (bits >> 11 & 1) << 20 |
           (bits >> 12 & 255) << 12 | rd << 7 | 0x6f;
}

static inline uint32_t lui(guint rd, uint32_t value)
{
    return (value & 0xfffff000u) | rd << 7 | 0x37;
}
