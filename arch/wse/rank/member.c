/* Finds the neighbours of a PE in their ranks. */
#include "arch/wse/rank/member.h"

WseMember wse_member_beside(const WseMember *self, guint link)
{
    WseMember other = *self;
    const guint last = WSE_RANK_LANES - 1;

    other.number = wse_region_neighbour(self->region, self->number, link);
    switch ((ArchWseDirection) link) {
    case ARCH_WSE_WEST:
        other.rank = self->lane > 0 ? self->rank : self->rank->beside[link];
        other.lane = self->lane > 0 ? self->lane - 1 : last;
        break;
    case ARCH_WSE_EAST:
        other.rank = self->lane < last ? self->rank : self->rank->beside[link];
        other.lane = self->lane < last ? self->lane + 1 : 0;
        break;
    case ARCH_WSE_NORTH:
    case ARCH_WSE_SOUTH:
    case ARCH_WSE_RAMP:
    case ARCH_WSE_DIRECTIONS:
        other.rank = self->rank->beside[link];
        break;
    }
    return other;
}
