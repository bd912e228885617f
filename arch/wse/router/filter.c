/* Filters decide which wavelets of a color get from the router to the CE. */
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
                       const WseColor *color,
                       const WseToken *token)
{
    uint32_t index = token->data >> INDEX_SHIFT;
    const uint16_t counter = color->counter;

    if (is_control(token) && !self->is_control_filtered) {
        return true;
    }
    if (is_control(token) && self->is_control_exact) {
        return counter == self->limit1;
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
    case ARCH_WSE_FILTER_TWICE:
        return color->round > 1 || counter <= self->limit1;
    }
    return true;
}

void wse_filter_count(const ArchWseFilter *self, WseColor *color, const WseToken *token)
{
    bool is_counted =
        is_control(token) ? self->is_control_counted : self->is_data_counted;

    const uint16_t last = self->kind == ARCH_WSE_FILTER_TWICE && color->round > 0
                              ? self->limit2
                              : self->maximum;

    if (is_counted && color->counter >= last) {
        color->counter = 0;
        color->round = sim_u8(MIN(color->round + 1, 2));
    } else if (is_counted) {
        color->counter++;
    }
}
