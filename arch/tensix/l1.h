/* The L1 of a core: bytes, what of them is given away, and a map of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct L1 L1;

/* `reserved_bytes` at the start belong to the firmware. */
L1 *l1_new(uint64_t capacity_bytes, uint64_t reserved_bytes);
void l1_free(L1 *self);

/* `name` is copied. Fails with ARCH_ERROR_INVALID; the message holds the map. */
bool l1_allocate(L1 *self,
                 const char *name,
                 uint64_t bytes,
                 uint64_t alignment,
                 uint32_t *address,
                 GError **error);

/* What is allocated now stays when l1_reset() gives back the rest. */
void l1_keep(L1 *self);
void l1_reset(L1 *self);
/* Gives back all but the firmware's. */
void l1_clear(L1 *self);

/* Bytes that are not given away. */
uint64_t l1_free_bytes(const L1 *self);

/* Where, how large, what for, a line each; the caller frees it. */
char *l1_map(const L1 *self);

/* Fails with ARCH_ERROR_INVALID. */
bool l1_check(const L1 *self, uint64_t address, uint64_t bytes, GError **error);

/* The byte at `address`, and those that follow up to the end. */
guint8 *l1_at(L1 *self, uint64_t address);
