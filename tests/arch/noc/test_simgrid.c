/* A second opinion: bulk transfers on a torus, flit by flit here, max-min fair there.
 * One process, because SimGrid allows one system in each. */
#include <math.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "sim/system.h"
#include "tests/arch/noc/bench.h"

enum {
    SIDE = 5, /* odd: there is always a shorter way around */
    NODES = SIDE * SIDE,
    FLIT_BYTES = 32,
    PACKET_FLITS = 256,
    HOP = 2,
    ENDPOINT = 4,
    FLOWS = 8,
};

typedef struct {
    uint32_t from;
    uint32_t to;
    uint64_t bytes;
} Flow;

typedef struct {
    const char *what;
    double total_tolerance; /* of the end of all flows */
    double flow_tolerance;  /* of the end of each */
    Flow flows[FLOWS];
} Scenario;

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)

static const Scenario scenarios[] = {
    {"one flow", 0.05, 0.05, {{0, 12, 64 * KIB}}},
    {"one flow around the ring", 0.05, 0.05, {{0, 24, 64 * KIB}}},
    {"two over one link", 0.1, 0.1, {{0, 2, 64 * KIB}, {1, 3, 64 * KIB}}},
    {"one long, one short", 0.1, 0.1, {{0, 2, MIB}, {1, 3, 256 * KIB}}},
    {"a chain", 0.1, 0.1, {{0, 2, 256 * KIB}, {1, 3, 256 * KIB}, {2, 4, 256 * KIB}}},
    {"a ring, each two links",
     0.1,
     0.1,
     {{0, 2, 256 * KIB},
      {1, 3, 256 * KIB},
      {2, 4, 256 * KIB},
      {3, 0, 256 * KIB},
      {4, 1, 256 * KIB}}},
    {"rows into columns",
     0.1,
     0.1,
     {{0, 7, 256 * KIB}, {1, 12, 256 * KIB}, {3, 7, 256 * KIB}, {2, 12, 256 * KIB}}},
    {"no shared link", 0.05, 0.05, {{0, 1, 64 * KIB}, {1, 0, 64 * KIB}}},
    {"one source, two targets", 0.1, 0.1, {{12, 13, 256 * KIB}, {12, 7, 256 * KIB}}},
    {"2 to 1", 0.05, 0.1, {{11, 12, 256 * KIB}, {13, 12, 256 * KIB}}},
    {"4 to 1",
     0.05,
     0.1,
     {{11, 12, 256 * KIB},
      {13, 12, 256 * KIB},
      {7, 12, 256 * KIB},
      {17, 12, 256 * KIB}}},
    {"8 to 1, some over others",
     0.05,
     0.1,
     {{11, 12, 256 * KIB},
      {13, 12, 256 * KIB},
      {7, 12, 256 * KIB},
      {17, 12, 256 * KIB},
      {10, 12, 256 * KIB},
      {6, 12, 256 * KIB},
      {18, 12, 256 * KIB},
      {22, 12, 256 * KIB}}},
};

/* Where things are in time: a scenario starts when the last has long ended. */
static const double scenario_seconds = 1;

typedef struct {
    const Scenario *scenario;
    gsize flow;
    double cycles; /* what SimGrid says */
} Program;

static guint shorter_step(guint at, guint to)
{
    return (to + SIDE - at) % SIDE <= SIDE / 2 ? (at + 1) % SIDE
                                               : (at + SIDE - 1) % SIDE;
}

static uint32_t next_node(uint32_t node, uint32_t target)
{
    guint x = node % SIDE;
    guint y = node / SIDE;

    if (x != target % SIDE) {
        x = shorter_step(x, target % SIDE);
    } else {
        y = shorter_step(y, target / SIDE);
    }
    return x + SIDE * y;
}

static void add_link(GString *xml, const char *name)
{
    g_string_append_printf(xml,
                           "<link id=\"%s\" bandwidth=\"1GBps\" latency=\"1us\">"
                           "<prop id=\"kind\" value=\"ethernet\"/></link>\n",
                           name);
}

static void add_route(GString *xml, uint32_t from, uint32_t to)
{
    g_string_append_printf(xml,
                           "<route src=\"n%u\" dst=\"n%u\" symmetrical=\"NO\">"
                           "<link_ctn id=\"in%u\"/>",
                           from, to, from);
    for (uint32_t node = from; node != to; node = next_node(node, to)) {
        g_string_append_printf(xml, "<link_ctn id=\"l%u_%u\"/>", node,
                               next_node(node, to));
    }
    g_string_append_printf(xml, "<link_ctn id=\"out%u\"/></route>\n", to);
}

/* A link each way between neighbours, and one into and out of each node. */
static char *write_platform(void)
{
    g_autoptr(GString) xml = g_string_new(
        "<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\"><zone id=\"torus\" routing=\"Full\">\n");
    char *path = NULL;

    for (uint32_t node = 0; node < NODES; node++) {
        g_string_append_printf(xml, "<host id=\"n%u\" speed=\"1Gf\">%s</host>\n", node,
                               node == 1 ? "<prop id=\"chip\" value=\"any\"/>" : "");
    }
    for (uint32_t node = 0; node < NODES; node++) {
        const uint32_t down = (node + SIDE) % NODES;
        const uint32_t ends[][2] = {
            {node, node % SIDE == SIDE - 1 ? node - SIDE + 1 : node + 1},
            {node, down},
        };

        for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
            g_autofree char *there = g_strdup_printf("l%u_%u", ends[i][0], ends[i][1]);
            g_autofree char *back = g_strdup_printf("l%u_%u", ends[i][1], ends[i][0]);

            add_link(xml, there);
            add_link(xml, back);
        }
        g_autofree char *in = g_strdup_printf("in%u", node);
        g_autofree char *out = g_strdup_printf("out%u", node);

        add_link(xml, in);
        add_link(xml, out);
    }
    for (uint32_t i = 0; i < NODES * NODES; i++) {
        if (i / NODES != i % NODES) {
            add_route(xml, i / NODES, i % NODES);
        }
    }
    g_string_append(xml, "</zone></platform>\n");
    int file = g_file_open_tmp("gridloom-torus-XXXXXX.xml", &path, NULL);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_true(g_file_set_contents(path, xml->str, (gssize) xml->len, NULL));
    return path;
}

static void transfer(SimSystem *system, gpointer data)
{
    Program *program = data;
    const Flow *flow = &program->scenario->flows[program->flow];
    const double start =
        scenario_seconds * (double) (program->scenario - scenarios + 1);
    g_autofree char *from = g_strdup_printf("n%u", flow->from);
    g_autofree char *to = g_strdup_printf("n%u", flow->to);

    sim_system_sleep(system, start);
    sim_system_transfer(system, from, to, flow->bytes);
    program->cycles = (sim_system_now(system) - start) * 1e9;
}

static void run_simgrid(Program *programs, gsize count)
{
    g_autofree char *path = write_platform();
    g_autoptr(GError) error = NULL;
    g_autoptr(SimPlatform) platform = sim_platform_load(path, &error);
    if (platform == NULL) {
        fail_msg("%s", error->message);
    }
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    assert_non_null(system);
    for (guint i = 0; i < sim_platform_link_count(platform); i++) {
        const char *name = sim_platform_link(platform, i)->name;

        /* A cycle is a nanosecond. */
        sim_system_set_link(system, name, (name[0] == 'l' ? HOP : ENDPOINT / 2) * 1e-9,
                            FLIT_BYTES * 1e9);
    }
    for (gsize i = 0; i < count; i++) {
        sim_system_add_program(system, "n0", "flow", transfer, &programs[i]);
    }

    sim_system_run(system);

    assert_int_equal(g_unlink(path), 0);
}

/* A scenario under way, flit by flit. */
typedef struct {
    Bench bench;
    const Scenario *scenario;
    uint64_t sent[FLOWS]; /* bytes */
    double cycles[FLOWS]; /* when the last packet came */
} Run;

static void send_packet(Run *self, gsize flow)
{
    const Flow *all = &self->scenario->flows[flow];

    if (self->sent[flow] < all->bytes) {
        self->sent[flow] += (uint64_t) PACKET_FLITS * FLIT_BYTES;
        arch_noc_send(self->bench.noc, all->from, all->to, PACKET_FLITS);
    }
}

static void follow_up(gpointer data, const ArchNocDelivery *delivery)
{
    Run *self = data;

    for (gsize i = 0; i < FLOWS; i++) {
        const Flow *flow = &self->scenario->flows[i];

        if (flow->bytes > 0 && delivery->source == flow->from &&
            delivery->target == flow->to) {
            self->cycles[i] = (double) delivery->arrived;
            send_packet(self, i);
        }
    }
}

/* Each flow keeps two packets under way: a source that has all of them at once would
 * take every channel for itself. */
static void run_noc(Run *self, const Scenario *scenario)
{
    ArchNocConfig config = config_of(ARCH_NOC_TORUS, SIDE, SIDE);

    *self = (Run){.scenario = scenario};
    config.vc_count = 12;
    config.hop_cycles = HOP;
    config.endpoint_cycles = ENDPOINT;
    bench_open(&self->bench, &config);
    arch_noc_on_arrival(self->bench.noc, follow_up, self);
    for (gsize i = 0; i < (gsize) 2 * FLOWS; i++) {
        send_packet(self, i % FLOWS);
    }
    bench_run(&self->bench);
    bench_close(&self->bench);
}

static void assert_close(const Scenario *scenario,
                         const char *what,
                         double noc,
                         double simgrid,
                         double limit)
{
    if (fabs(noc - simgrid) > limit * simgrid) {
        fail_msg("%s, %s: %.0f cycles, SimGrid %.0f, %+.1f %%", scenario->what, what,
                 noc, simgrid, 100 * (noc / simgrid - 1));
    }
}

static void bulk_transfers_agree_with_simgrid(void **state G_GNUC_UNUSED)
{
    Program programs[G_N_ELEMENTS(scenarios) * FLOWS];
    gsize count = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(scenarios) * FLOWS; i++) {
        const Scenario *scenario = &scenarios[i / FLOWS];

        if (scenario->flows[i % FLOWS].bytes > 0) {
            programs[count++] = (Program){.scenario = scenario, .flow = i % FLOWS};
        }
    }

    run_simgrid(programs, count);

    for (gsize i = 0, at = 0; i < G_N_ELEMENTS(scenarios); i++) {
        double last[2] = {0};
        Run run;

        run_noc(&run, &scenarios[i]);
        for (; at < count && programs[at].scenario == &scenarios[i]; at++) {
            g_autofree char *name =
                g_strdup_printf("flow %" G_GSIZE_FORMAT, programs[at].flow);

            assert_close(&scenarios[i], name, run.cycles[programs[at].flow],
                         programs[at].cycles, scenarios[i].flow_tolerance);
            last[0] = fmax(last[0], run.cycles[programs[at].flow]);
            last[1] = fmax(last[1], programs[at].cycles);
        }
        assert_close(&scenarios[i], "all", last[0], last[1],
                     scenarios[i].total_tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bulk_transfers_agree_with_simgrid),
    };

    return cmocka_run_group_tests_name("arch.noc_simgrid", tests, NULL, NULL);
}
