/* Self-check of a network: no credit is lost, and none is made. */
#include "arch/noc/network_state.h"

enum {
    MOST_LINES = 8,
};

/* Adds one to the count of each item's channel. */
static void count_items(const NocLine *line, uint32_t *counts)
{
    for (guint i = 0; i < line->length; i++) {
        for (guint k = 0; k < line->batches[i].count; k++) {
            counts[line->batches[i].items[k].where]++;
        }
    }
}

/* The flits that each output has to hold room for: those on their way to the channel
 * beyond and in it, and those whose credits are on their way back. */
static uint32_t *count_held(const NocNetwork *self)
{
    const uint32_t nodes = self->config.grid->node_count;
    uint32_t *held = g_new0(uint32_t, (gsize) nodes * NOC_BITS);
    g_autofree uint32_t *arriving = g_new0(uint32_t, (gsize) nodes * NOC_BITS);

    count_items(&self->credits, held);
    count_items(&self->arrivals, arriving);
    for (uint32_t node = 0; node < nodes; node++) {
        for (guint bit = 0; bit < self->bit_count; bit++) {
            const uint32_t channel = node * NOC_BITS + bit;
            const NocChannel *input = noc_channel(self, channel);

            if (arriving[channel] + input->count > 0) {
                held[input->credit.where] += arriving[channel] + input->count;
            }
        }
    }
    return held;
}

static void complain(
    const NocNetwork *self, uint32_t node, guint bit, uint32_t found, GPtrArray *lines)
{
    const NocGrid *grid = self->config.grid;
    const guint port = self->port_of[bit];

    g_ptr_array_add(
        lines,
        g_strdup_printf("%s[%u,%u].%s vc %u: room is held for %u flits, %u are there",
                        self->config.name, grid->x[node], grid->y[node],
                        port == grid->local ? "inject" : grid->directions[port].name,
                        self->vc_of[bit], self->routers[node].ends[bit].held, found));
}

void noc_network_check(gpointer data, GPtrArray *lines)
{
    const NocNetwork *self = data;
    const guint most = lines->len + MOST_LINES;
    g_autofree uint32_t *held = count_held(self);

    for (uint32_t node = 0; node < self->config.grid->node_count; node++) {
        guint pools[NOC_PORTS_MAXIMUM] = {0};

        for (guint bit = 0; bit < self->bit_count && lines->len < most; bit++) {
            const NocEnd *end = &self->routers[node].ends[bit];

            pools[self->port_of[bit]] += end->held > 0 ? end->held - 1 : 0;
            if (end->held != held[node * NOC_BITS + bit]) {
                complain(self, node, bit, held[node * NOC_BITS + bit], lines);
            }
        }
        for (guint port = 0; port < self->port_count && lines->len < most; port++) {
            const guint pool = self->routers[node].outputs[port].pool;

            if (pool != pools[port]) {
                g_ptr_array_add(lines,
                                g_strdup_printf("%s node %u port %u: %u flits of "
                                                "the pool in use, not %u",
                                                self->config.name, node, port,
                                                pools[port], pool));
            }
        }
    }
}
