/* Makes means of what links carried. */
#include "arch/traffic/link_use.h"

#include "sim/narrow.h"

static gsize node_count(const ArchLinkUse *self)
{
    return (gsize) self->width * self->height;
}

const ArchUsedLink *arch_link_use_at(const ArchLinkUse *self, gsize index)
{
    return &g_array_index(self->links, ArchUsedLink, index);
}

static void
average_routers(const ArchLinkUse *self, const double *values, double *routers)
{
    g_autofree guint *counts = g_new0(guint, node_count(self));

    for (guint i = 0; i < self->links->len; i++) {
        counts[arch_link_use_at(self, i)->from]++;
        routers[arch_link_use_at(self, i)->from] += values[i];
    }
    for (gsize node = 0; node < node_count(self); node++) {
        routers[node] /= MAX(counts[node], 1);
    }
}

static void fill_links(ArchLinkUse *self)
{
    g_autofree double *values = g_new(double, self->links->len);

    for (guint i = 0; i < self->links->len; i++) {
        ArchUsedLink *link = &g_array_index(self->links, ArchUsedLink, i);

        link->utilisation = (double) link->flits / (double) MAX(self->end, 1);
        values[i] = link->utilisation;
    }
    average_routers(self, values, self->routers);
}

static void fill_windows(ArchLinkUse *self)
{
    const ArchNocWindows *windows = self->windows;
    const gsize links = self->links->len;

    for (guint i = 0; i < windows->count; i++) {
        const SimTime start = i > 0 ? windows->ends[i - 1] : 0;
        const double cycles = (double) (windows->ends[i] - start);
        double *values = &self->values[i * links];

        for (gsize link = 0; link < links; link++) {
            values[link] = (double) windows->flits[i * links + link] / cycles;
        }
        average_routers(self, values, &self->routers[(i + 1) * node_count(self)]);
    }
}

/* Means of the links that are in it. */
static void fill(ArchLinkUse *self)
{
    const guint count = self->windows->count;

    self->end = count > 0 ? self->windows->ends[count - 1] : 0;
    self->values = g_new0(double, (gsize) count * self->links->len);
    self->routers = g_new0(double, (count + 1) * node_count(self));
    fill_links(self);
    fill_windows(self);
}

static ArchLinkUse
use_of(guint width, guint height, guint links, const ArchNocWindows *windows)
{
    return (ArchLinkUse){
        .width = width,
        .height = height,
        .links = g_array_sized_new(FALSE, FALSE, sizeof(ArchUsedLink), links),
        .windows = windows,
    };
}

void arch_link_use_of_chip(ArchLinkUse *self,
                           const ArchTiles *tiles,
                           GArray *const links[2],
                           const ArchNocWindows *windows)
{
    *self = use_of(tiles->width, tiles->height, links[0]->len + links[1]->len, windows);
    for (guint noc = 0; noc < 2; noc++) {
        for (guint i = 0; i < links[noc]->len; i++) {
            const ArchWormholeLink *link =
                &g_array_index(links[noc], ArchWormholeLink, i);
            const ArchUsedLink item = {.from =
                                           link->from.x + self->width * link->from.y,
                                       .to = link->to.x + self->width * link->to.y,
                                       .direction = link->direction,
                                       .noc = noc,
                                       .flits = link->flits};

            g_array_append_val(self->links, item);
        }
    }
    fill(self);
}

void arch_link_use_of_traffic(ArchLinkUse *self,
                              const ArchNocTraffic *traffic,
                              guint width,
                              guint height)
{
    *self = use_of(width, height, traffic->link_count, &traffic->windows);
    for (guint i = 0; i < traffic->link_count; i++) {
        const ArchNocTrafficLink *link = &traffic->links[i];
        const ArchUsedLink item = {.from = link->from,
                                   .to = link->to,
                                   .direction = link->direction,
                                   .flits = link->flits};

        g_array_append_val(self->links, item);
    }
    fill(self);
}

void arch_link_use_clear(ArchLinkUse *self)
{
    g_clear_pointer(&self->links, g_array_unref);
    g_clear_pointer(&self->values, g_free);
    g_clear_pointer(&self->routers, g_free);
}

/* Links go by NoC 0 first. */
bool arch_link_use_has_pair(const ArchLinkUse *self)
{
    return self->links->len > 0 &&
           arch_link_use_at(self, self->links->len - 1)->noc > 0;
}

uint64_t arch_link_use_flits(const ArchLinkUse *self)
{
    uint64_t flits = 0;

    for (guint i = 0; i < self->links->len; i++) {
        flits += arch_link_use_at(self, i)->flits;
    }
    return flits;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const ArchUsedLink *first = *(const ArchUsedLink *const *) a;
    const ArchUsedLink *second = *(const ArchUsedLink *const *) b;

    if (first->utilisation != second->utilisation) {
        return first->utilisation < second->utilisation ? 1 : -1;
    }
    return first < second ? -1 : 1;
}

GPtrArray *arch_link_use_busiest(const ArchLinkUse *self, guint count)
{
    GPtrArray *links = g_ptr_array_new();

    for (guint i = 0; i < self->links->len; i++) {
        g_ptr_array_add(links, (gpointer) arch_link_use_at(self, i));
    }
    g_ptr_array_sort(links, compare);
    g_ptr_array_set_size(links, sim_i32(MIN(count, links->len)));
    return links;
}
