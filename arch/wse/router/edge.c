/* Keeps account of the wavelets that leave the layout. */
#include "arch/wse/router/edge.h"

#include "arch/wse/fabric.h"
#include "arch/wse/layout.h"
#include "arch/wse/region.h"

static bool is_edge(const WseRouterVisit *self, ArchWseDirection output)
{
    const ArchWseLayout *layout = self->fabric->layout;
    const guint x = wse_region_x(self->region, self->number);
    const guint y = wse_region_y(self->region, self->number);

    if (output == ARCH_WSE_EAST || output == ARCH_WSE_WEST) {
        return x == (output == ARCH_WSE_WEST ? 0 : layout->columns - 1);
    }
    return y == (output == ARCH_WSE_NORTH ? 0 : layout->rows - 1);
}

/* Of two losses, which of them is told: the first in time, then by place and color. */
static bool is_earlier(const WseLoss *a, const WseLoss *b)
{
    if (a->cycle != b->cycle) {
        return a->cycle < b->cycle;
    }
    if (a->y != b->y || a->x != b->x) {
        return a->y != b->y ? a->y < b->y : a->x < b->x;
    }
    return a->color != b->color ? a->color < b->color : a->to < b->to;
}

bool wse_router_loses(WseRouterVisit *self, guint slot, ArchWseDirection to)
{
    WseLoss *loss = &self->region->loss;

    if (!is_edge(self, to)) {
        wse_region_fail(
            self->region, self->number,
            "a wavelet of color %u leaves to %s in cycle %u, where nobody takes it",
            self->routes[slot].color, arch_wse_direction_name(to), self->now);
        return false;
    }
    const WseLoss lost = {
        .has_any = true,
        .x = wse_region_x(self->region, self->number),
        .y = wse_region_y(self->region, self->number),
        .color = self->routes[slot].color,
        .to = to,
        .cycle = self->now,
    };

    if (!loss->has_any || is_earlier(&lost, loss)) {
        *loss = lost;
    }
    return true;
}

void wse_edge_end_at(WseRegion *region, uint32_t last)
{
    region->loss.has_any = region->loss.has_any && region->loss.cycle <= last;
}

static WseLoss loss_of(const WseFabric *fabric)
{
    WseLoss first = {0};

    for (guint i = 0; fabric != NULL && i < fabric->region_count; i++) {
        const WseLoss *loss = &fabric->regions[i].loss;

        if (loss->has_any && (!first.has_any || is_earlier(loss, &first))) {
            first = *loss;
        }
    }
    return first;
}

char *arch_wse_loss(const ArchWse *self)
{
    const WseLoss loss = loss_of(wse_fabric_of(self));

    return loss.has_any
               ? g_strdup_printf("wavelets left the layout and are lost, the first of "
                                 "color %u from pe[%u,%u] to %s in cycle "
                                 "%" G_GUINT64_FORMAT,
                                 loss.color, loss.x, loss.y,
                                 arch_wse_direction_name(loss.to), loss.cycle)
               : NULL;
}
