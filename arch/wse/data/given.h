/* What PEs' memories hold before their programs change it: images of the programs, and
 * what the host wrote. It stays where it is, one array for many PEs, until the memory
 * of a PE is needed as a whole: what only few operations need takes few pages of the
 * host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/shared.h"

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

/* Holds an array until the end. Returns false if some PE's memory is whole already:
 * what comes now is to be written there. */
bool wse_givens_hold(WseGivens *self, SimShared *array);
/* Lets the array that is held since last go if no PE has got any of it. */
void wse_givens_let_go(WseGivens *self);

/* A PE has these bytes, the first at `from`, which must not change. Returns false if
 * its memory is whole, or if there is too much to remember. */
bool wse_givens_add(WseGivens *self, uint32_t pe, WseBytes bytes, const uint8_t *from);

/* Whether all that is known of a PE's memory is in the memory itself. */
bool wse_givens_is_whole(const WseGivens *self, uint32_t pe);

/* Copies such bytes of a PE whose memory is not whole. */
void wse_givens_copy(const WseGivens *self, uint32_t pe, WseBytes bytes, uint8_t *to);

/* Where such bytes of it lie as they are, for good; NULL if they do not lie in one
 * place, or not at an address for words. */
const uint32_t *wse_givens_words(const WseGivens *self, uint32_t pe, WseBytes bytes);

/* Puts all into a PE's memory, which is 0, unless it is whole. */
void wse_givens_make_whole(WseGivens *self, uint32_t pe, uint8_t *memory);
