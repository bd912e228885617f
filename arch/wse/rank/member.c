/* Finds the neighbours of a PE in their ranks. */
#include "arch/wse/rank/member.h"

WseMember wse_member_beside(const WseMember *self, guint link)
{
    const WseRankLink *way = &self->rank->links[link];
    WseMember other = *self;

    other.number = wse_region_neighbour(self->region, self->number, link);
    other.lane = (self->lane - way->turn) % WSE_RANK_LANES;
    other.rank = wse_planes_have(way->inside, self->lane)    ? self->rank
                 : wse_planes_have(way->outside, self->lane) ? way->beside
                                                             : NULL;
    return other;
}
