/* The command line of `gridloom noc traffic`. */
#include "tools/gridloom/noc/traffic_options.h"

#include <math.h>

#include "tools/gridloom/option_value.h"

enum {
    SIDE_MAXIMUM = 256,
    NODES_MAXIMUM = 16384,
    VC_MAXIMUM = 12,
    BUFFER_MAXIMUM = 4096, /* flits */
    CYCLES_MAXIMUM = 4096, /* of a hop, an endpoint, a credit */
    POINTS_MAXIMUM = 1000, /* of a sweep */
};

#define SPAN_MAXIMUM     (UINT64_C(1) << 40) /* cycles of warm-up, of a window */
#define RATE_DIGITS      1e12                /* to which a sweep's rates are rounded */
#define HOTSPOT_FRACTION 0.1

static const char *const topologies[] = {
    [ARCH_NOC_MESH] = "mesh",           [ARCH_NOC_TORUS] = "torus",
    [ARCH_NOC_WORMHOLE0] = "wormhole0", [ARCH_NOC_WORMHOLE1] = "wormhole1",
    [ARCH_NOC_WORMHOLE1 + 1] = NULL,
};

static const char *const definitions =
    "In each cycle a node makes a packet with probability rate / packet flits. "
    "Latency\n"
    "runs from then, waiting at the source included, until the tail has arrived; "
    "without\n"
    "load it is endpoint cycles + hop cycles x hops + packet flits - 1. After warm-up\n"
    "windows are measured until three in a row have the same mean within 2 % (at most\n"
    "10), then the measured packets drain. Saturated is a rate of which less than 95 "
    "%\n"
    "arrives or whose mean latency is above three times that without load; such a "
    "point\n"
    "stops without draining.\n\n"
    "Along a tree, a broadcast goes from the root to all others, copied by the "
    "routers;\n"
    "in a reduction every node sends to its parent when it has the packets of all its\n"
    "children, and the last arrival at the root is the end.\n\n"
    "  gridloom noc traffic --topology torus --rate 0.1:0.9:0.1\n"
    "  gridloom noc traffic --pattern reduce --root 0,0 --batch 100 \\\n"
    "      --routing routing/snake.lua\n";

/* Everything comes as text, so that one message says what is allowed. */
typedef struct {
    char *topology;
    char *size;
    char *pattern;
    char *hotspot;
    char *root;
    char *batch;
    char *packet_flits;
    char *vcs;
    char *buffer_flits;
    char *hop_cycles;
    char *endpoint_cycles;
    char *credit_cycles;
    char *warmup;
    char *window;
    char *seed;
    char *limit_seconds;
    char **words;
} Texts;

static void texts_clear(Texts *self)
{
    g_free(self->topology);
    g_free(self->size);
    g_free(self->pattern);
    g_free(self->hotspot);
    g_free(self->root);
    g_free(self->batch);
    g_free(self->packet_flits);
    g_free(self->vcs);
    g_free(self->buffer_flits);
    g_free(self->hop_cycles);
    g_free(self->endpoint_cycles);
    g_free(self->credit_cycles);
    g_free(self->warmup);
    g_free(self->window);
    g_free(self->seed);
    g_free(self->limit_seconds);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void cmd_noc_traffic_options_clear(CmdNocTrafficOptions *self)
{
    g_free(self->rate);
    g_free(self->routing);
    g_free(self->output.json);
    g_free(self->output.heatmap);
}

double cmd_noc_traffic_options_rate(const CmdNocTrafficOptions *self, guint point)
{
    const double rate = self->first_rate + point * self->rate_step;

    return self->rate_count > 1 ? round(rate * RATE_DIGITS) / RATE_DIGITS : rate;
}

static bool read_size(const char *text, ArchNocConfig *network, GError **error)
{
    guint size[2] = {0};

    if (text == NULL) {
        return true;
    }
    if (!option_is_pair(text, "x", size) || size[0] < 1 || size[1] < 1 ||
        size[0] > SIDE_MAXIMUM || size[1] > SIDE_MAXIMUM ||
        size[0] * size[1] > NODES_MAXIMUM) {
        g_autofree char *allowed =
            g_strdup_printf("WIDTHxHEIGHT, each in 1..%d, at most %d nodes",
                            SIDE_MAXIMUM, NODES_MAXIMUM);

        return option_refuse("--size", text, allowed, error);
    }
    network->width = size[0];
    network->height = size[1];
    return true;
}

static bool read_routing(CmdNocTrafficOptions *self, GError **error)
{
    static const char *const words[] = {"xy",      "yx",       "minimal",
                                        "valiant", "FILE.lua", NULL};
    static const ArchNocRouting routings[] = {ARCH_NOC_XY, ARCH_NOC_YX, ARCH_NOC_XY,
                                              ARCH_NOC_VALIANT};
    ArchNocConfig *network = &self->config.network;
    guint word = 0;

    if (self->routing == NULL) {
        self->routing = g_strdup("minimal");
    }
    self->is_routing_file = g_str_has_suffix(self->routing, ".lua");
    if (self->is_routing_file) {
        network->routing = ARCH_NOC_TABLE;
        return true;
    }
    if (!option_word(self->routing, "--routing", words, &word, error)) {
        return false;
    }
    /* Wormhole's NoC 1 goes along y first. */
    network->routing =
        g_str_equal(self->routing, "minimal") && network->topology == ARCH_NOC_WORMHOLE1
            ? ARCH_NOC_YX
            : routings[word];
    return true;
}

static bool read_rates(CmdNocTrafficOptions *self, GError **error)
{
    const char *text = self->rate;
    static const char *const allowed =
        "a rate in 0..1, or FROM:TO:STEP with FROM <= TO and STEP > 0";
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    const guint count = g_strv_length(parts);
    double numbers[3] = {0};

    if (count != 1 && count != 3) {
        return option_refuse("--rate", text, allowed, error);
    }
    for (guint i = 0; i < count; i++) {
        if (!option_is_number(parts[i], &numbers[i]) || numbers[i] < 0 ||
            numbers[i] > 1) {
            return option_refuse("--rate", text, allowed, error);
        }
    }
    self->first_rate = numbers[0];
    if (count == 1) {
        return true;
    }
    if (numbers[1] < numbers[0] || numbers[2] <= 0) {
        return option_refuse("--rate", text, allowed, error);
    }
    /* TO belongs to the sweep, also where STEP is not exact in binary. */
    const double steps = floor((numbers[1] - numbers[0]) / numbers[2] + 1e-9);

    if (steps >= POINTS_MAXIMUM) {
        g_autofree char *most = g_strdup_printf("at most %d points", POINTS_MAXIMUM);

        return option_refuse("--rate", text, most, error);
    }
    self->rate_step = numbers[2];
    self->rate_count = 1 + (guint) steps;
    return true;
}

static bool read_hotspot(CmdNocTrafficOptions *self, const char *text, GError **error)
{
    ArchNocPattern *pattern = &self->config.pattern;
    const ArchNocConfig *network = &self->config.network;
    g_auto(GStrv) parts = g_strsplit(text != NULL ? text : "", ":", -1);
    guint place[2] = {0};

    pattern->hotspot = network->width / 2 + network->width * (network->height / 2);
    pattern->hotspot_fraction = HOTSPOT_FRACTION;
    if (text == NULL) {
        return true;
    }
    if (pattern->kind != ARCH_NOC_HOTSPOT) {
        return option_refuse("--hotspot", text, "with --pattern hotspot only", error);
    }
    if (g_strv_length(parts) != 2 || !option_is_pair(parts[0], ",", place) ||
        place[0] >= network->width || place[1] >= network->height ||
        !option_is_number(parts[1], &pattern->hotspot_fraction) ||
        pattern->hotspot_fraction < 0 || pattern->hotspot_fraction > 1) {
        g_autofree char *allowed = g_strdup_printf(
            "X,Y:FRACTION with X in 0..%u, Y in 0..%u, FRACTION in 0..1",
            network->width - 1, network->height - 1);

        return option_refuse("--hotspot", text, allowed, error);
    }
    pattern->hotspot = place[0] + network->width * place[1];
    return true;
}

static bool read_root(CmdNocTrafficOptions *self, const char *text, GError **error)
{
    const ArchNocConfig *network = &self->config.network;
    guint place[2] = {0};

    if (text != NULL && !arch_noc_pattern_has_tree(&self->config.pattern)) {
        return option_refuse("--root", text, "with --pattern broadcast and reduce only",
                             error);
    }
    if (g_strcmp0(text, "all") == 0) {
        self->root = ARCH_NOC_ALL_ROOTS;
        return true;
    }
    if (text != NULL && (!option_is_pair(text, ",", place) ||
                         place[0] >= network->width || place[1] >= network->height)) {
        return option_refuse("--root", text, "all, or X,Y of a node on the grid",
                             error);
    }
    self->root = place[0] + network->width * place[1];
    return true;
}

/* Patterns along trees have their way from a file, and no rate. */
static bool read_tree(CmdNocTrafficOptions *self, const Texts *texts, GError **error)
{
    if (!read_root(self, texts->root, error)) {
        return false;
    }
    if (!arch_noc_pattern_has_tree(&self->config.pattern)) {
        return true;
    }
    if (!self->is_routing_file) {
        return option_refuse("--pattern", texts->pattern,
                             "with --routing FILE.lua that gives a tree", error);
    }
    if (self->rate != NULL) {
        return option_refuse("--rate", self->rate,
                             "not along a tree, where --batch says how many packets",
                             error);
    }
    self->config.network.routing = ARCH_NOC_TREE;
    self->config.batch_packets = 1;
    return true;
}

static bool read_network(CmdNocTrafficOptions *self, const Texts *texts, GError **error)
{
    ArchNocConfig *network = &self->config.network;
    guint topology = ARCH_NOC_MESH;

    if (!option_word(texts->topology, "--topology", topologies, &topology, error)) {
        return false;
    }
    network->topology = (ArchNocTopology) topology;
    self->topology = topologies[topology];
    return read_size(texts->size, network, error) && read_routing(self, error) &&
           option_small(texts->vcs, "--vcs", 1, VC_MAXIMUM, &network->vc_count,
                        error) &&
           option_small(texts->buffer_flits, "--buffer-flits", 1, BUFFER_MAXIMUM,
                        &network->buffer_flits, error) &&
           option_count(texts->hop_cycles, "--hop-cycles", 1, CYCLES_MAXIMUM,
                        &network->hop_cycles, error) &&
           option_count(texts->endpoint_cycles, "--endpoint-cycles", 0, CYCLES_MAXIMUM,
                        &network->endpoint_cycles, error) &&
           option_count(texts->credit_cycles, "--credit-cycles", 1, CYCLES_MAXIMUM,
                        &network->credit_cycles, error) &&
           option_count(texts->seed, "--seed", 0, G_MAXINT64, &network->seed, error);
}

static bool read_pattern(CmdNocTrafficOptions *self, const Texts *texts, GError **error)
{
    ArchNocPattern *pattern = &self->config.pattern;
    guint kind = ARCH_NOC_UNIFORM;

    if (!option_word(texts->pattern, "--pattern", arch_noc_pattern_names(), &kind,
                     error)) {
        return false;
    }
    pattern->kind = (ArchNocPatternKind) kind;
    pattern->width = self->config.network.width;
    pattern->height = self->config.network.height;
    if (!read_hotspot(self, texts->hotspot, error)) {
        return false;
    }
    if (!arch_noc_pattern_check(pattern, error)) {
        g_prefix_error(error, "--pattern ");
        return false;
    }
    return true;
}

static bool read_load(CmdNocTrafficOptions *self, const Texts *texts, GError **error)
{
    ArchNocTrafficConfig *config = &self->config;
    const guint node_count = config->network.width * config->network.height;

    if (texts->batch != NULL && self->rate != NULL) {
        return option_refuse("--rate", self->rate, "not together with --batch", error);
    }
    if (self->rate == NULL) {
        self->rate = g_strdup("0.1");
    }
    self->rate_count = 1;
    return read_rates(self, error) &&
           option_count(texts->batch, "--batch", 1,
                        ARCH_NOC_TRAFFIC_BATCH_MAXIMUM / node_count,
                        &config->batch_packets, error) &&
           option_small(texts->packet_flits, "--packet-flits", 1,
                        ARCH_NOC_TRAFFIC_FLITS_MAXIMUM, &config->packet_flits, error) &&
           option_count(texts->warmup, "--warmup", 0, SPAN_MAXIMUM,
                        &config->warmup_cycles, error) &&
           option_count(texts->window, "--window", 1, SPAN_MAXIMUM,
                        &config->window_cycles, error);
}

bool cmd_noc_traffic_options_parse(CmdNocTrafficOptions *self,
                                   int argc,
                                   char **argv,
                                   GError **error)
{
    g_auto(Texts) texts = {0};
    gboolean is_quiet = FALSE;
    const GOptionEntry entries[] = {
        {"topology", 0, 0, G_OPTION_ARG_FILENAME, &texts.topology,
         "mesh (default), torus, wormhole0 or wormhole1", "NAME"},
        {"size", 0, 0, G_OPTION_ARG_FILENAME, &texts.size,
         "nodes in x and in y (default: 8x8)", "WxH"},
        {"routing", 0, 0, G_OPTION_ARG_FILENAME, &self->routing,
         "xy, yx, minimal (default: xy, on wormhole1 yx), valiant, or a file",
         "NAME|FILE.lua"},
        {"pattern", 0, 0, G_OPTION_ARG_FILENAME, &texts.pattern,
         "uniform (default), transpose, tornado, neighbor, bitcomp, shuffle, hotspot; "
         "along a tree: broadcast, reduce",
         "NAME"},
        {"hotspot", 0, 0, G_OPTION_ARG_FILENAME, &texts.hotspot,
         "node of the hotspot, and its share of all packets (default: centre, 0.1)",
         "X,Y:FRACTION"},
        {"root", 0, 0, G_OPTION_ARG_FILENAME, &texts.root,
         "root of the tree, or all nodes at once (default: 0,0)", "X,Y|all"},
        {"rate", 0, 0, G_OPTION_ARG_FILENAME, &self->rate,
         "flits per node and cycle, or a sweep of it (default: 0.1)", "R|FROM:TO:STEP"},
        {"batch", 0, 0, G_OPTION_ARG_FILENAME, &texts.batch,
         "instead of a rate: so many packets from each node, as fast as they go (along "
         "trees always, default: 1)",
         "N"},
        {"packet-flits", 0, 0, G_OPTION_ARG_FILENAME, &texts.packet_flits,
         "length of a packet (default: 4)", "N"},
        {"vcs", 0, 0, G_OPTION_ARG_FILENAME, &texts.vcs,
         "virtual channels of each link (default: 8)", "N"},
        {"buffer-flits", 0, 0, G_OPTION_ARG_FILENAME, &texts.buffer_flits,
         "buffer of each virtual channel (default: 16)", "N"},
        {"hop-cycles", 0, 0, G_OPTION_ARG_FILENAME, &texts.hop_cycles,
         "from router to router (default: 1)", "N"},
        {"endpoint-cycles", 0, 0, G_OPTION_ARG_FILENAME, &texts.endpoint_cycles,
         "into and out of the network together (default: 2)", "N"},
        {"credit-cycles", 0, 0, G_OPTION_ARG_FILENAME, &texts.credit_cycles,
         "until freed buffer space is known upstream (default: 1)", "N"},
        {"warmup", 0, 0, G_OPTION_ARG_FILENAME, &texts.warmup,
         "cycles before measuring (default: until the mean latency is steady)", "N"},
        {"window", 0, 0, G_OPTION_ARG_FILENAME, &texts.window,
         "cycles over which means are taken (default: 100,000 flits' worth)", "N"},
        {"seed", 0, 0, G_OPTION_ARG_FILENAME, &texts.seed,
         "start of the random numbers (default: 1)", "N"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->output.json,
         "write the result as JSON; - is standard output", "FILE"},
        {"heatmap", 0, 0, G_OPTION_ARG_FILENAME, &self->output.heatmap,
         "draw how busy the links are", "FILE.svg"},
        {"limit-seconds", 0, 0, G_OPTION_ARG_FILENAME, &texts.limit_seconds,
         "stop after this much real time", "N"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &is_quiet,
         "no progress line and no result table", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- synthetic traffic on a network on chip");

    *self = (CmdNocTrafficOptions){.config = arch_noc_traffic_config_default()};
    g_set_prgname("gridloom noc traffic");
    g_option_context_set_description(context, definitions);
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, &argc, &argv, error) &&
           (self->output.is_quiet = is_quiet, true) && option_no_words(texts.words, "noc traffic", error) &&
           read_network(self, &texts, error) && read_pattern(self, &texts, error) &&
           read_tree(self, &texts, error) && read_load(self, &texts, error) &&
           option_seconds(texts.limit_seconds, "--limit-seconds", &self->limit_seconds,
                          error);
}
