/* The registers through which a RISC-V commands the network interface of a NoC: four
 * command buffers, and counters of what has come back. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix_mover.h"

enum {
    RISCV_NIUS = 2,
    RISCV_NIU_BUFFERS = 4,
    RISCV_NIU_REGISTERS = 18, /* words of a command buffer */
};

/* Where they lie: NIU, command buffer, register. */
#define RISCV_NIU_ADDRESS      0xffb20000u
#define RISCV_NIU_BYTES        0x10000u
#define RISCV_NIU_BUFFER_BYTES 0x800u

typedef struct {
    uint32_t registers[RISCV_NIU_BUFFERS][RISCV_NIU_REGISTERS];
} RiscvNiu;

bool riscv_niu_has(uint32_t address);

/* A register's value: commands are taken at once, so that a buffer is always ready. */
uint32_t riscv_niu_load(const RiscvNiu *nius, uint32_t address);

/* Stores a word. True if that starts a command, which riscv_niu_command() tells. */
bool riscv_niu_store(RiscvNiu *nius, uint32_t address, uint32_t value);

/* The command of the buffer at `address`. Cores are addressed by their virtual places,
 * the same on both NoCs, DRAM by its tiles. Fails with ARCH_ERROR_INVALID. */
bool riscv_niu_command(const RiscvNiu *nius,
                       const ArchMover *mover,
                       uint32_t address,
                       ArchMoverTransfer *command,
                       GError **error);
