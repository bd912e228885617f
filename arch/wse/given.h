/* What PEs' memories hold before their programs change it: images of the programs, and
 * what the host wrote. It stays where it is, one array for many PEs, until the memory
 * of a PE is needed as a whole: what only few operations need takes few pages of the
 * host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Bytes of a PE's memory: from `low` to before `high`. */
typedef struct {
    int32_t low;
    int32_t high;
} WseBytes;

typedef struct WseGivens WseGivens;

/* The least range with all bytes of a memory that are not 0; NULL is all 0. */
WseBytes wse_bytes_filled(const uint8_t *memory, guint bytes);

/* For so many PEs, whose memories are 0. */
WseGivens *wse_givens_new(guint pe_count);
void wse_givens_free(WseGivens *self);

/* An array for what the host writes, to be closed when all of it is added; NULL if PEs'
 * memories are whole already, or if there is no room. */
uint8_t *wse_givens_open(WseGivens *self, gsize bytes);
void wse_givens_close(WseGivens *self);

/* A PE has these bytes, the first at `from`, which must not change. Returns false if
 * its memory is whole, or if there is too much to remember. */
bool wse_givens_add(WseGivens *self, uint32_t pe, WseBytes bytes, const uint8_t *from);

/* Whether all that is known of a PE's memory is in the memory itself. */
bool wse_givens_is_whole(const WseGivens *self, uint32_t pe);

/* Copies such bytes of a PE whose memory is not whole. */
void wse_givens_copy(const WseGivens *self, uint32_t pe, WseBytes bytes, uint8_t *to);

/* Puts all into a PE's memory, which is 0, unless it is whole. */
void wse_givens_make_whole(WseGivens *self, uint32_t pe, uint8_t *memory);
