/* Checks a traffic configuration, and derives the lengths of its phases. */
#include "arch/traffic/traffic_config.h"

#include <math.h>

#include "arch/error.h"

enum {
    NODES_MAXIMUM = 16384,
    WINDOW_CYCLES = 1000, /* at least, as are the next three */
    WINDOW_PACKETS = 1000,
    WINDOW_FLITS = 100000,
    WINDOW_LATENCIES = 2, /* of the longest way without load */
};

ArchNocTrafficConfig arch_noc_traffic_config_default(void)
{
    return (ArchNocTrafficConfig){
        .network = {.topology = ARCH_NOC_MESH,
                    .width = 8,
                    .height = 8,
                    .routing = ARCH_NOC_XY,
                    .vc_count = 8,
                    .buffer_flits = 16,
                    .hop_cycles = 1,
                    .endpoint_cycles = 2,
                    .credit_cycles = 1,
                    .seed = 1},
        .pattern = {.kind = ARCH_NOC_UNIFORM},
        .packet_flits = 4,
        .rate = 0.1,
        .warmup_cycles = SIM_TIME_NEVER,
    };
}

/* A pattern along trees needs them, and a number of packets. */
static bool check_tree(const ArchNocTrafficConfig *config, GError **error)
{
    const bool has_tree = arch_noc_pattern_has_tree(&config->pattern);
    const char *name = arch_noc_pattern_name(&config->pattern);
    const ArchNocTreeUse use =
        config->pattern.kind == ARCH_NOC_REDUCE ? ARCH_NOC_UPWARD : ARCH_NOC_DOWNWARD;

    if (has_tree != (config->network.routing == ARCH_NOC_TREE)) {
        return arch_refuse(error,
                           has_tree ? "%s: the routing gives no tree"
                                    : "%s: a tree is for broadcast and reduce only",
                           name);
    }
    if (!has_tree) {
        return true;
    }
    if (config->batch_packets == 0) {
        return arch_refuse(error, "%s: batch = 0, allowed is at least 1", name);
    }
    if (config->network.trees != NULL &&
        arch_noc_trees_use(config->network.trees) != use) {
        return arch_refuse(error, "%s: the trees lead the other way", name);
    }
    return true;
}

/* Packets that a batch of one for each node may be, all roots together. */
static uint64_t packets_of_one(const ArchNocTrafficConfig *config, uint64_t node_count)
{
    const bool has_all_roots = config->network.trees != NULL && node_count > 1 &&
                               arch_noc_trees_has(config->network.trees, 0) &&
                               arch_noc_trees_has(config->network.trees, 1);

    return config->pattern.kind == ARCH_NOC_REDUCE && has_all_roots
               ? node_count * node_count
               : node_count;
}

bool noc_traffic_config_check(const ArchNocTrafficConfig *config, GError **error)
{
    const uint64_t node_count =
        (uint64_t) config->network.width * config->network.height;

    if (node_count > NODES_MAXIMUM) {
        return arch_refuse(error, "size = %ux%u, allowed are at most %d nodes",
                           config->network.width, config->network.height,
                           NODES_MAXIMUM);
    }
    if (!(config->rate >= 0 && config->rate <= 1)) {
        return arch_refuse(error, "rate = %g, allowed is 0..1 flits per node and cycle",
                           config->rate);
    }
    if (config->packet_flits < 1 ||
        config->packet_flits > ARCH_NOC_TRAFFIC_FLITS_MAXIMUM) {
        return arch_refuse(error, "packet flits = %u, allowed is 1..%d",
                           config->packet_flits, ARCH_NOC_TRAFFIC_FLITS_MAXIMUM);
    }
    const uint64_t most =
        ARCH_NOC_TRAFFIC_BATCH_MAXIMUM / MAX(packets_of_one(config, node_count), 1);

    if (config->batch_packets > most) {
        return arch_refuse(
            error,
            "batch = %" G_GUINT64_FORMAT " packets of each node, allowed are "
            "at most %" G_GUINT64_FORMAT " on %" G_GUINT64_FORMAT " nodes",
            config->batch_packets, most, node_count);
    }
    return arch_noc_pattern_check(&config->pattern, error) && check_tree(config, error);
}

/* Hops of the longest way, or more. */
static guint longest_way(const ArchNocConfig *network)
{
    const guint sides = network->width + network->height;

    switch (network->routing) {
    case ARCH_NOC_XY:
    case ARCH_NOC_YX:
    case ARCH_NOC_WEST_FIRST:
    case ARCH_NOC_ADAPTIVE:
        return sides;
    case ARCH_NOC_VALIANT:
        return 2 * sides;
    case ARCH_NOC_TABLE:
    case ARCH_NOC_TREE:
        break;
    }
    return network->width * network->height;
}

/* Two of the longest way without load. */
static SimTime shortest_window(const ArchNocTrafficConfig *config)
{
    const ArchNocConfig *network = &config->network;

    return WINDOW_LATENCIES *
           (network->endpoint_cycles + network->hop_cycles * longest_way(network) +
            config->packet_flits);
}

SimTime noc_traffic_config_window(const ArchNocTrafficConfig *config)
{
    const guint sender_count = arch_noc_pattern_senders(&config->pattern);
    const guint packets = MAX(WINDOW_PACKETS, WINDOW_FLITS / config->packet_flits);
    const double packets_per_cycle = config->rate * sender_count / config->packet_flits;
    SimTime cycles = config->window_cycles;

    if (config->batch_packets > 0) {
        return shortest_window(config);
    }
    if (cycles == 0) {
        cycles = config->rate > 0 ? (SimTime) fmin(packets / packets_per_cycle,
                                                   NOC_TRAFFIC_WINDOW_MAXIMUM)
                                  : 0;
        cycles = MAX(cycles, WINDOW_CYCLES);
    }
    return MAX(cycles, shortest_window(config));
}
