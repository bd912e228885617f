/* A walk along the elements of a descriptor in memory, row by row. */
#pragma once

#include <stdint.h>

#include "arch/wse/program/instruction.h"

/* Where the walk is: `left` elements, `step` bytes from one to the next, the first of
 * them at `address`. */
typedef struct {
    const WseDsd *dsd;
    int64_t address;
    int32_t step;
    uint32_t left;
    uint32_t at[ARCH_WSE_RANK]; /* indices of the row, all but the last */
} WseWalk;

static inline void wse_walk_enter_row(WseWalk *self, int64_t base, uint32_t index)
{
    const WseDsd *dsd = self->dsd;
    const uint32_t last = dsd->rank - 1U;
    int64_t number = (int64_t) index * dsd->strides[last];

    for (uint32_t i = 0; i < last; i++) {
        number += (int64_t) self->at[i] * dsd->strides[i];
    }
    self->address = base + number * dsd->bytes;
    self->left = dsd->extents[last] - index;
}

/* Element `first` of a descriptor that is moved by `offset` elements. */
static inline WseWalk wse_walk_start(const WseDsd *dsd, int32_t offset, uint32_t first)
{
    const uint32_t last = dsd->rank - 1U;
    WseWalk self = {.dsd = dsd, .step = dsd->strides[last] * dsd->bytes};
    const int64_t base = dsd->address + (int64_t) offset * dsd->bytes;
    uint32_t rest = first;

    if (last == 0) {
        wse_walk_enter_row(&self, base, first);
        return self;
    }
    for (uint32_t i = last; i > 0; i--) {
        const uint32_t extent = dsd->extents[i];

        self.at[i] = rest % extent;
        rest /= extent;
    }
    self.at[0] = rest;
    wse_walk_enter_row(&self, base, self.at[last]);
    return self;
}

/* Advances by at most `left` elements. After the last element `left` is 0. */
static inline void wse_walk_advance(WseWalk *self, int32_t offset, uint32_t count)
{
    const WseDsd *dsd = self->dsd;

    self->address += (int64_t) count * self->step;
    self->left -= count;
    if (self->left > 0 || dsd->rank == 1) {
        return;
    }
    for (uint32_t i = dsd->rank - 1U; i-- > 0;) {
        if (++self->at[i] < dsd->extents[i] || i == 0) {
            break;
        }
        self->at[i] = 0;
    }
    wse_walk_enter_row(self, dsd->address + (int64_t) offset * dsd->bytes, 0);
}
