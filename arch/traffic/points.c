/* Adds up points of traffic. */
#include "arch/traffic/points.h"

#include <math.h>

#include "sim/narrow.h"

void arch_noc_traffic_points_init(ArchNocTrafficPoints *self)
{
    *self = (ArchNocTrafficPoints){.is_conserved = true, .saturation = NAN};
    self->list = g_ptr_array_new_with_free_func((GDestroyNotify) arch_noc_traffic_free);
}

void arch_noc_traffic_points_clear(ArchNocTrafficPoints *self)
{
    g_clear_pointer(&self->list, g_ptr_array_unref);
}

static const ArchNocTraffic *point_at(const ArchNocTrafficPoints *self, guint index)
{
    return g_ptr_array_index(self->list, index);
}

/* Is `point` to be shown, rather than the one that is? */
static bool is_better(const ArchNocTrafficPoints *self, const ArchNocTraffic *point)
{
    if (self->shown == NULL || self->shown->is_saturated != point->is_saturated) {
        return self->shown == NULL || !point->is_saturated;
    }
    return point->is_saturated ? point->rate < self->shown->rate
                               : point->rate > self->shown->rate;
}

void arch_noc_traffic_points_add(ArchNocTrafficPoints *self, ArchNocTraffic *point)
{
    ArchNocTraffic *hidden = point;
    guint index = self->list->len;

    while (index > 0 && point_at(self, index - 1)->rate > point->rate) {
        index--;
    }
    g_ptr_array_insert(self->list, sim_i32(index), point);
    self->is_conserved = self->is_conserved && point->is_conserved;
    self->packets += point->sent;
    self->flit_hops += point->flit_hops;
    if (point->is_saturated &&
        (isnan(self->saturation) || point->rate < self->saturation)) {
        self->saturation = point->rate;
    }
    if (is_better(self, point)) {
        hidden = self->shown;
        self->shown = point;
    }
    if (hidden != NULL) {
        arch_noc_traffic_forget_links(hidden);
    }
}

/* The index of the lowest saturated rate, or the number of points. */
static guint first_saturated(const ArchNocTrafficPoints *self)
{
    guint index = 0;

    while (index < self->list->len && !point_at(self, index)->is_saturated) {
        index++;
    }
    return index;
}

double arch_noc_traffic_points_lower(const ArchNocTrafficPoints *self)
{
    const guint index = first_saturated(self);

    return index > 0 ? point_at(self, index - 1)->rate : 0;
}

const ArchNocTraffic *
arch_noc_traffic_points_saturated(const ArchNocTrafficPoints *self)
{
    const guint index = first_saturated(self);

    return index < self->list->len ? point_at(self, index) : NULL;
}

const ArchNocTraffic *arch_noc_traffic_points_last(const ArchNocTrafficPoints *self)
{
    return point_at(self, self->list->len - 1);
}
