/* The L1 of a core: its bytes, its allocations, and a map of both. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct TensixL1 TensixL1;

/* `reserved_bytes` at the start belong to the firmware. */
TensixL1 *tensix_l1_new(uint64_t capacity_bytes, uint64_t reserved_bytes);
void tensix_l1_free(TensixL1 *self);

/* `name` is copied. Fails with ARCH_ERROR_INVALID; the message holds the map. */
bool tensix_l1_allocate(TensixL1 *self,
                        const char *name,
                        uint64_t bytes,
                        uint64_t alignment,
                        uint32_t *address,
                        GError **error);

/* The name of the allocation that has the byte, borrowed until it is freed; NULL: none
 * has it. */
const char *tensix_l1_name_at(const TensixL1 *self, uint64_t address);

/* Keeps current allocations when tensix_l1_reset() frees the rest. */
void tensix_l1_keep(TensixL1 *self);
void tensix_l1_reset(TensixL1 *self);
/* Frees all allocations but the firmware's. */
void tensix_l1_clear(TensixL1 *self);

/* Bytes not allocated. */
uint64_t tensix_l1_free_bytes(const TensixL1 *self);

/* Fails with ARCH_ERROR_INVALID. */
bool tensix_l1_check(const TensixL1 *self,
                     uint64_t address,
                     uint64_t bytes,
                     GError **error);

/* Whether no byte is allocated twice or outside of the L1, for self-checks. */
bool tensix_l1_is_whole(const TensixL1 *self);

/* Pointer to the byte at `address`; valid up to the end of the L1. */
guint8 *tensix_l1_at(TensixL1 *self, uint64_t address);
