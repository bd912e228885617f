/* Implements filters by count and by index. */
#include "arch/wse/router/filter.h"

#include "sim/narrow.h"

enum {
    INDEX_SHIFT = 16, /* the index is the upper half of a wavelet */
};

static bool is_control(const WseToken *token)
{
    return (token->flags & WSE_TOKEN_CONTROL) != 0;
}

bool wse_filter_passes(const ArchWseFilter *self,
                       uint16_t counter,
                       const WseToken *token)
{
    uint32_t index = token->data >> INDEX_SHIFT;

    if (is_control(token) && !self->is_control_filtered) {
        return true;
    }
    switch (self->kind) {
    case ARCH_WSE_FILTER_NONE:
        return true;
    case ARCH_WSE_FILTER_COUNTER:
        return counter <= self->limit1;
    case ARCH_WSE_FILTER_SPARSE:
        return counter >= self->limit1 && counter <= self->limit2;
    case ARCH_WSE_FILTER_RANGE:
        return index >= self->limit1 && index <= self->limit2;
    }
    return true;
}

uint16_t
wse_filter_count(const ArchWseFilter *self, uint16_t counter, const WseToken *token)
{
    bool is_counted =
        is_control(token) ? self->is_control_counted : self->is_data_counted;

    if (!is_counted) {
        return counter;
    }
    return sim_u16(counter >= self->maximum ? 0 : counter + 1);
}
