/* Extends slices, or hands them over. */
#include "arch/wse/watch/span.h"

enum {
    NO_COLOR = WSE_COLORS,
};

void wse_span_end(WseRegion *region, SimLane lane, WseSpan *self)
{
    if (self->begin < self->end) {
        const SimProbeDetail detail = {
            .argument_count = self->color < NO_COLOR,
            .arguments = {{"color", self->color}},
        };

        sim_region_slice(region->sim, lane, self->name,
                         wse_watch_time(region, self->begin),
                         wse_watch_time(region, self->end), &detail);
    }
    self->begin = self->end;
}

void wse_span_add(WseRegion *region, SimLane lane, WseSpan *self, const WseSpan *added)
{
    const uint32_t begin = MAX(added->begin, self->end);

    if (self->end != begin || self->name != added->name ||
        self->color != added->color) {
        wse_span_end(region, lane, self);
        *self = *added;
        self->begin = begin;
    }
    self->end = begin + (added->end - added->begin);
}
