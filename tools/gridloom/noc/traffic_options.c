/* The command line of `gridloom noc traffic`. */
#include "tools/gridloom/noc/traffic_options.h"

#include <math.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"

typedef CmdNocTrafficOptions Options;

enum {
    SIDE_MAXIMUM = 256,
    NODES_MAXIMUM = 16384,
    CYCLES_MAXIMUM = 4096, /* of a hop, an endpoint, a credit */
    POINTS_MAXIMUM = 1000, /* of a sweep */
};

#define SPAN_MAXIMUM     (UINT64_C(1) << 40) /* cycles of warm-up, of a window */
#define RESOLUTION       0.005               /* of a saturation rate */
#define HOTSPOT_FRACTION 0.1

static const char *const topologies[] = {
    [ARCH_NOC_MESH] = "mesh",           [ARCH_NOC_TORUS] = "torus",
    [ARCH_NOC_WORMHOLE0] = "wormhole0", [ARCH_NOC_WORMHOLE1] = "wormhole1",
    [ARCH_NOC_WORMHOLE1 + 1] = NULL,
};

static const char *const routings[] = {"xy",         "yx",       "minimal",  "valiant",
                                       "west_first", "adaptive", "FILE.lua", NULL};

/* The names of patterns, and files. */
static const char *const *pattern_words(void)
{
    static const char *words[ARCH_NOC_MATRIX + 3];
    const char *const *names = arch_noc_pattern_names();

    for (guint i = 0; i < ARCH_NOC_MATRIX; i++) {
        words[i] = names[i];
    }
    words[ARCH_NOC_MATRIX] = "FILE.lua";
    words[ARCH_NOC_MATRIX + 1] = "FILE.csv";
    return words;
}

const CmdNocTrafficRouting *
cmd_noc_traffic_options_routing(const CmdNocTrafficOptions *self, guint index)
{
    return &g_array_index(self->routings, CmdNocTrafficRouting, index);
}

static bool read_size(Options *self, const char *text, GError **error)
{
    ArchNocConfig *network = &self->config.network;
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

static bool
read_routing(Options *self, const char *name, const char *option, GError **error)
{
    static const ArchNocRouting by_word[] = {ARCH_NOC_XY,         ARCH_NOC_YX,
                                             ARCH_NOC_XY,         ARCH_NOC_VALIANT,
                                             ARCH_NOC_WEST_FIRST, ARCH_NOC_ADAPTIVE};
    CmdNocTrafficRouting routing = {.name = name, .kind = ARCH_NOC_TABLE};
    guint word = 0;

    routing.is_file = g_str_has_suffix(name, ".lua");
    if (!routing.is_file) {
        if (!option_word(name, option, routings, &word, error)) {
            return false;
        }
        /* Wormhole's NoC 1 goes along y first. */
        routing.kind = g_str_equal(name, "minimal") &&
                               self->config.network.topology == ARCH_NOC_WORMHOLE1
                           ? ARCH_NOC_YX
                           : by_word[word];
    }
    for (guint i = 0; i < self->routings->len; i++) {
        if (g_str_equal(cmd_noc_traffic_options_routing(self, i)->name, name)) {
            return option_refuse(option, name, "every routing once", error);
        }
    }
    g_array_append_val(self->routings, routing);
    return true;
}

static bool read_routings(Options *self, GError **error)
{
    const char *option = self->compare != NULL ? "--compare" : "--routing";

    if (self->compare != NULL && self->routing != NULL) {
        return option_refuse("--compare", self->compare, "not together with --routing",
                             error);
    }
    if (self->compare == NULL && self->routing == NULL) {
        self->routing = g_strdup("minimal");
    }
    if (self->compare != NULL && self->output.heatmap != NULL) {
        return option_refuse("--heatmap", self->output.heatmap,
                             "of one routing, without --compare", error);
    }
    self->names = self->compare != NULL ? g_strsplit(self->compare, ",", -1)
                                        : g_strdupv((char *[]){self->routing, NULL});
    for (char **name = self->names; *name != NULL; name++) {
        if (!read_routing(self, *name, option, error)) {
            return false;
        }
    }
    return self->routings->len > 0 ||
           option_refuse(option, "", "xy,yx,... or files", error);
}

static bool read_rates(Options *self, GError **error)
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
    self->rates = (ArchNocRates){.first = numbers[0], .count = 1};
    if (count == 1) {
        return !self->is_search ||
               option_refuse("--rate", text, "FROM:TO:STEP with --saturation", error);
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
    self->rates.step = numbers[2];
    self->rates.count = 1 + (guint) steps;
    self->rates.resolution = self->is_search ? self->resolution : 0;
    return true;
}

static bool read_hotspot(Options *self, const char *text, GError **error)
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

static bool read_root(Options *self, const char *text, GError **error)
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

/* Patterns along trees have their way from files, and no rate. */
static bool read_tree(Options *self, const OptionTexts *texts, GError **error)
{
    if (!read_root(self, option_text(texts, "root"), error)) {
        return false;
    }
    if (!arch_noc_pattern_has_tree(&self->config.pattern)) {
        return true;
    }
    for (guint i = 0; i < self->routings->len; i++) {
        CmdNocTrafficRouting *routing =
            &g_array_index(self->routings, CmdNocTrafficRouting, i);

        if (!routing->is_file) {
            return option_refuse("--pattern", option_text(texts, "pattern"),
                                 "with --routing FILE.lua that gives a tree", error);
        }
        routing->kind = ARCH_NOC_TREE;
    }
    if (self->rate != NULL) {
        return option_refuse("--rate", self->rate,
                             "not along a tree, where --batch says how many packets",
                             error);
    }
    self->config.batch_packets = 1;
    return true;
}

/* A file is read later, when the rest is known to be good. */
static bool read_pattern(Options *self, const OptionTexts *texts, GError **error)
{
    ArchNocPattern *pattern = &self->config.pattern;
    guint word = ARCH_NOC_MATRIX;

    pattern->width = self->config.network.width;
    pattern->height = self->config.network.height;
    if (self->pattern == NULL) {
        self->pattern = g_strdup(arch_noc_pattern_names()[ARCH_NOC_UNIFORM]);
    }
    if (!g_str_has_suffix(self->pattern, ".lua") &&
        !g_str_has_suffix(self->pattern, ".csv") &&
        !option_word(self->pattern, "--pattern", pattern_words(), &word, error)) {
        return false;
    }
    pattern->kind = (ArchNocPatternKind) word;
    if (!read_hotspot(self, option_text(texts, "hotspot"), error)) {
        return false;
    }
    if (pattern->kind != ARCH_NOC_MATRIX && !arch_noc_pattern_check(pattern, error)) {
        g_prefix_error(error, "--pattern ");
        return false;
    }
    return true;
}

/* A batch has no rate. */
static bool check_batch(const Options *self, const OptionTexts *texts, GError **error)
{
    const bool is_batch =
        option_is_given(texts, "batch") || self->config.batch_packets > 0;

    if (is_batch && self->rate != NULL) {
        return option_refuse("--rate", self->rate, "not together with --batch", error);
    }
    if (is_batch && (self->is_search || self->svg != NULL)) {
        return option_fail(error, "%s: a batch has no rate",
                           self->is_search ? "--saturation" : "--svg");
    }
    if (!self->is_search && option_is_given(texts, "resolution")) {
        return option_refuse("--resolution", option_text(texts, "resolution"),
                             "with --saturation only", error);
    }
    return true;
}

static bool read_load(Options *self, const OptionTexts *texts, GError **error)
{
    const ArchNocConfig *network = &self->config.network;

    if (!check_batch(self, texts, error)) {
        return false;
    }
    if (self->rate == NULL) {
        self->rate = g_strdup(self->is_search ? "0.05:1:0.05" : "0.1");
    }
    return read_rates(self, error) &&
           option_count(option_text(texts, "batch"), "--batch", 1,
                        ARCH_NOC_TRAFFIC_BATCH_MAXIMUM /
                            (network->width * network->height),
                        &self->config.batch_packets, error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    self->topology = topologies[self->config.network.topology];
    return read_size(self, option_text(texts, "size"), error) &&
           read_routings(self, error) && read_pattern(self, texts, error) &&
           read_tree(self, texts, error) && read_load(self, texts, error);
}

static void init(gpointer options)
{
    Options *self = options;

    self->config = arch_noc_traffic_config_default();
    self->resolution = RESOLUTION;
    self->routings = g_array_new(FALSE, FALSE, sizeof(CmdNocTrafficRouting));
}

static void clear(gpointer options)
{
    Options *self = options;

    g_strfreev(self->names);
    g_array_unref(self->routings);
}

static const Option rows[] = {
    {"topology", "NAME", "mesh (default), torus, wormhole0 or wormhole1",
     OPTION_WORD(config.network.topology, topologies)},
    {"size", "WxH", "nodes in x and in y (default: 8x8)", OPTION_OTHER(TEXT)},
    {"routing", "NAME|FILE.lua",
     "xy, yx, minimal (default: xy, on wormhole1 yx), valiant, west_first, adaptive, "
     "or a file",
     OPTION_TEXT(routing), .words = routings},
    {"compare", "A,B,...",
     "several routings, each as with --routing, one after another",
     OPTION_TEXT(compare)},
    {"pattern", "NAME|FILE",
     "uniform (default), transpose, tornado, neighbor, bitcomp, shuffle, hotspot; "
     "along a tree: broadcast, reduce; of FILE.lua a function, of FILE.csv a matrix",
     OPTION_TEXT(pattern), .list = pattern_words},
    {"hotspot", "X,Y:FRACTION",
     "node of the hotspot, and its share of all packets (default: centre, 0.1)",
     OPTION_OTHER(TEXT)},
    {"root", "X,Y|all", "root of the tree, or all nodes at once (default: 0,0)",
     OPTION_OTHER(TEXT)},
    {"rate", "R|FROM:TO:STEP",
     "flits per node and cycle, or a sweep of it (default: 0.1)", OPTION_TEXT(rate)},
    {"saturation", NULL,
     "find the rate at which the network saturates: rates rise (default: 0.05:1:0.05) "
     "until one does, then the gap below it is halved",
     OPTION_FLAG(is_search)},
    {"resolution", "R", "width of that gap at the end (default: 0.005)",
     OPTION_REAL(resolution, 1e-6, 1, "a number in 1e-6..1")},
    {"svg", "FILE", "draw latency over the rate, a curve for each routing",
     OPTION_SVG(svg), .letter = 'o'},
    {"batch", "N",
     "instead of a rate: so many packets from each node, as fast as they go (along "
     "trees always, default: 1)",
     OPTION_OTHER(TEXT)},
    {"packet-flits", "N", "length of a packet (default: 4)",
     OPTION_SMALL(config.packet_flits, 1, ARCH_NOC_TRAFFIC_FLITS_MAXIMUM)},
    {"vcs", "N", "virtual channels of each link (default: 8)",
     OPTION_SMALL(config.network.vc_count, 1, 12)},
    {"buffer-flits", "N", "buffer of each virtual channel (default: 16)",
     OPTION_SMALL(config.network.buffer_flits, 1, 4096)},
    {"hop-cycles", "N", "from router to router (default: 1)",
     OPTION_COUNT(config.network.hop_cycles, 1, CYCLES_MAXIMUM)},
    {"endpoint-cycles", "N", "into and out of the network together (default: 2)",
     OPTION_COUNT(config.network.endpoint_cycles, 0, CYCLES_MAXIMUM)},
    {"credit-cycles", "N", "until freed buffer space is known upstream (default: 1)",
     OPTION_COUNT(config.network.credit_cycles, 1, CYCLES_MAXIMUM)},
    {"warmup", "N",
     "cycles before measuring (default: until the mean latency is steady)",
     OPTION_COUNT(config.warmup_cycles, 0, SPAN_MAXIMUM)},
    {"window", "N", "cycles over which means are taken (default: 100,000 flits' worth)",
     OPTION_COUNT(config.window_cycles, 1, SPAN_MAXIMUM)},
    {"seed", "N", "start of the random numbers (default: 1)",
     OPTION_COUNT(config.network.seed, 0, G_MAXINT64)},
    {0},
};

const Command cmd_noc_traffic = {
    .name = "noc traffic",
    .purpose = "synthetic traffic on a network on chip",
    .help = "noc-traffic",
    .tables = {{rows, 0}, {cmd_noc_output_rows, offsetof(Options, output)}},
    .size = sizeof(Options),
    .init = init,
    .check = check,
    .clear = clear,
    .run = cmd_noc_traffic_run,
};
