/* A chip's DRAM as real bytes, held only where they were touched. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/account.h"

typedef struct ArchDram ArchDram;

ArchDram *arch_dram_new(uint64_t capacity_bytes);
void arch_dram_free(ArchDram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchDram, arch_dram_free)

/* Host memory behind the pages touched so far. */
void arch_dram_set_account(ArchDram *self, SimAccount *account);
uint64_t arch_dram_resident_bytes(const ArchDram *self);

/* Allocates `bytes` at a multiple of `alignment`, a power of two. Fails with
 * ARCH_ERROR_INVALID if they do not fit. */
bool arch_dram_allocate(ArchDram *self,
                        uint64_t bytes,
                        uint64_t alignment,
                        uint64_t *address,
                        GError **error);

/* The same in every bank: allocates `bytes` at `offset` in each bank of `bank_bytes`.
 * These allocations grow from the ends of the banks, those of arch_dram_allocate() from
 * the start of the first bank. */
bool arch_dram_allocate_banks(ArchDram *self,
                              uint64_t bank_bytes,
                              uint64_t bytes,
                              uint64_t alignment,
                              uint64_t *offset,
                              GError **error);

/* Fails with ARCH_ERROR_INVALID if `count` bytes at `address` exceed the DRAM. */
bool arch_dram_check(const ArchDram *self,
                     uint64_t address,
                     uint64_t count,
                     GError **error);

/* Fail with ARCH_ERROR_INVALID outside the DRAM. Untouched bytes read as 0. */
bool arch_dram_write(
    ArchDram *self, uint64_t address, gconstpointer bytes, gsize count, GError **error);
bool arch_dram_read(const ArchDram *self,
                    uint64_t address,
                    gpointer bytes,
                    gsize count,
                    GError **error);
