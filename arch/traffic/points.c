/* Adds up points of traffic. */
#include "arch/traffic/points.h"

#include <math.h>

void arch_noc_traffic_points_init(ArchNocTrafficPoints *self)
{
    *self = (ArchNocTrafficPoints){.is_conserved = true, .saturation = NAN};
    self->list = g_ptr_array_new_with_free_func((GDestroyNotify) arch_noc_traffic_free);
}

void arch_noc_traffic_points_clear(ArchNocTrafficPoints *self)
{
    g_clear_pointer(&self->list, g_ptr_array_unref);
}

void arch_noc_traffic_points_add(ArchNocTrafficPoints *self, ArchNocTraffic *point)
{
    ArchNocTraffic *hidden = point;

    g_ptr_array_add(self->list, point);
    self->is_conserved = self->is_conserved && point->is_conserved;
    self->packets += point->sent;
    self->flit_hops += point->flit_hops;
    if (point->is_saturated && isnan(self->saturation)) {
        self->saturation = point->rate;
    }
    if (self->shown == NULL || !point->is_saturated) {
        hidden = self->shown;
        self->shown = point;
    }
    if (hidden != NULL) {
        arch_noc_traffic_forget_links(hidden);
    }
}
