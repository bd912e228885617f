/* A chip whose networks are meshes or tori with links both ways. */
#include <string.h>

#include "arch/error.h"
#include "tests/arch/noc/multicast.h"

enum {
    COLUMNS = 10,
    ROWS = 12,
};

/* chip_open() of a chip with another topology and routing, and a table if it has one.
 */
static void
open_with(Chip *chip, const char *topology, const char *routing, ArchNocRoutes *routes)
{
    g_autofree char *one = g_strdup_printf("noc.topology=%s", topology);
    g_autofree char *other = g_strdup_printf("noc.routing=%s", routing);
    g_autoptr(GError) error = NULL;

    chip_open(chip, true, true);
    arch_wormhole_noc_free(chip->noc);
    assert_true(arch_params_override(chip->params, one, NULL));
    assert_true(arch_params_override(chip->params, other, NULL));
    if (routes != NULL) {
        arch_params_attach(chip->params, "noc.routing", routes,
                           (GDestroyNotify) arch_noc_routes_free, "routes");
    }
    chip->noc = arch_wormhole_noc_new(
        sim_engine_region(chip->engine, 0), sim_key(UINT32_MAX, 0), chip->params,
        (ArchWormholeNocOptions){.has_contention = true, .has_l1_conflicts = true},
        &error);
    if (chip->noc == NULL) {
        fail_msg("%s", error->message);
    }
}

static SimTime cycles_of(Chip *chip, ArchNocCommand command)
{
    const Job *job = chip_issue(chip, 100, command);

    chip_run(chip);
    const SimTime cycles = job->end - 100;
    chip_close(chip);
    return cycles;
}

static ArchNocCommand read_of(guint noc, ArchTile from, ArchTile to)
{
    return (ArchNocCommand){
        .op = ARCH_NOC_READ, .noc = noc, .from = from, .to = to, .bytes = 32};
}

/* There and back: a torus one way goes around once, whatever the distance. */
static void a_read_takes_the_hops_of_its_topology(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *topology;
        ArchTile from;
        ArchTile to;
        guint hops;
    } rows[] = {
        {"wormhole", {1, 1}, {4, 2}, COLUMNS + ROWS},
        {"mesh", {1, 1}, {4, 2}, 8},
        {"torus", {1, 1}, {4, 2}, 8},
        {"wormhole", {1, 1}, {9, 11}, 22},
        {"mesh", {1, 1}, {9, 11}, 36},
        {"torus", {1, 1}, {9, 11}, 8},
        {"torus", {1, 1}, {6, 1}, 10},
        {"mesh", {4, 2}, {1, 2}, 6},
    };

    for (guint i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
        const guint row = i / 2;
        Chip chip;
        open_with(&chip, rows[row].topology, "minimal", NULL);

        assert_int_equal(cycles_of(&chip, read_of(i % 2, rows[row].from, rows[row].to)),
                         ENDS_CYCLES + RESPONSE_CYCLES + 1 +
                             HOP_CYCLES * rows[row].hops);
    }
}

/* The flits of a link by its tiles. */
static uint64_t flits_between(const Chip *chip, guint noc, ArchTile from, ArchTile to)
{
    g_autoptr(GArray) links = arch_wormhole_noc_links(chip->noc, noc);

    for (guint i = 0; i < links->len; i++) {
        const ArchWormholeLink *link = &g_array_index(links, ArchWormholeLink, i);

        if (arch_tile_is_same(link->from, from) && arch_tile_is_same(link->to, to)) {
            return link->flits;
        }
    }
    fail_msg("no link from %u,%u to %u,%u", from.x, from.y, to.x, to.y);
    return 0;
}

static void the_routing_says_which_axis_is_first(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *routing;
        bool is_x_first[2]; /* of each network */
    } rows[] = {
        {"minimal", {true, false}}, {"xy", {true, true}}, {"yx", {false, false}}};

    for (guint i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
        const guint noc = i % 2;
        const bool is_x_first = rows[i / 2].is_x_first[noc];
        Chip chip;
        open_with(&chip, "mesh", rows[i / 2].routing, NULL);
        chip_issue(&chip, 0, read_of(noc, (ArchTile){2, 2}, (ArchTile){1, 1}));

        chip_run(&chip);

        /* The request is a flit, the response two. */
        assert_int_equal(flits_between(&chip, noc, (ArchTile){2, 2}, (ArchTile){1, 2}),
                         is_x_first ? 1 : 0);
        assert_int_equal(flits_between(&chip, noc, (ArchTile){2, 2}, (ArchTile){2, 1}),
                         is_x_first ? 0 : 1);
        assert_int_equal(flits_between(&chip, noc, (ArchTile){1, 1}, (ArchTile){2, 1}),
                         is_x_first ? 2 : 0);
        chip_close(&chip);
    }
}

/* Along y first, but from column 1 first to the west end. */
static ArchNocRoutes *winding_routes(void)
{
    ArchNocRoutes *routes = arch_noc_routes_new(ARCH_NOC_MESH, COLUMNS, ROWS);

    for (uint32_t node = 0; node < COLUMNS * ROWS; node++) {
        for (uint32_t target = 0; target < COLUMNS * ROWS; target++) {
            const guint x = node % COLUMNS;
            const guint y = node / COLUMNS;
            const guint to_x = target % COLUMNS;
            const guint to_y = target / COLUMNS;
            const uint32_t next = to_y > y   ? (x == 1 ? node - 1 : node + COLUMNS)
                                  : to_y < y ? node - COLUMNS
                                  : to_x > x ? node + 1
                                             : node - 1;

            assert_true(node == target ||
                        arch_noc_routes_set(routes, node, target, next, NULL));
        }
    }
    return routes;
}

static void a_table_of_routes_is_followed(void **state G_GNUC_UNUSED)
{
    Chip chip;
    open_with(&chip, "mesh", "mine.lua", winding_routes());

    /* There by the west end: 2 hops more; back straight. */
    assert_int_equal(cycles_of(&chip, read_of(0, (ArchTile){1, 1}, (ArchTile){1, 3})),
                     ENDS_CYCLES + RESPONSE_CYCLES + 1 + HOP_CYCLES * (4 + 2));
}

static void count_landing(gpointer data, ArchTile at)
{
    guint *landed = data;

    landed[at.x + COLUMNS * at.y]++;
}

/* To columns and rows on all sides of the sender, and around the end of a ring. */
static void
a_multicast_reaches_every_tile_of_its_rectangle_once(void **state G_GNUC_UNUSED)
{
    static const char *const topologies[] = {"wormhole", "mesh", "torus"};
    static const ArchTile corners[][2] = {
        {{1, 1}, {9, 11}}, {{6, 3}, {8, 5}}, {{8, 10}, {2, 2}}, {{4, 4}, {4, 4}}};

    for (guint i = 0; i < 2 * G_N_ELEMENTS(topologies) * G_N_ELEMENTS(corners); i++) {
        const guint noc = i % 2;
        const ArchTile *ends = corners[i / 2 % G_N_ELEMENTS(corners)];
        ArchNocCommand command =
            multicast(noc, (ArchTile){4, 4}, ends[noc], ends[1 - noc], true);
        guint landed[COLUMNS * ROWS] = {0};
        guint count = 0;
        Chip chip;
        open_with(&chip, topologies[i / 2 / G_N_ELEMENTS(corners)], "minimal", NULL);
        Job *job = chip_issue(&chip, 0, command);
        job->command.landed = count_landing;
        job->command.data = landed;
        job->command.done = NULL;
        job->end_count = 1;

        chip_run(&chip);

        for (guint tile = 0; tile < COLUMNS * ROWS; tile++) {
            assert_true(landed[tile] <= 1);
            count += landed[tile];
        }
        /* The sender is inside but for the second and the third. */
        assert_int_equal(count, arch_wormhole_noc_receivers(chip.noc, &command) +
                                    landed[4 + COLUMNS * 4]);
        chip_close(&chip);
    }
}

static void refuses_a_routing_that_it_does_not_have(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *topology;
        const char *routing;
        const char *says;
    } rows[] = {
        {"noc.topology=mesh", "noc.routing=zigzag",
         "noc.routing = zigzag, expected one of minimal, xy, yx, FILE.lua"},
        {"noc.topology=mesh", "noc.routing=mine.lua",
         "noc.routing = mine.lua, whose routes were not read for this grid"},
        {"noc.topology=wormhole", "noc.routing=mine.lua",
         "noc.routing = mine.lua, a file is for noc.topology = mesh or torus"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
        g_autoptr(ArchParams) params = load_params();
        g_autoptr(GError) error = NULL;
        assert_true(arch_params_override(params, rows[i].topology, NULL));
        assert_true(arch_params_override(params, rows[i].routing, NULL));

        assert_null(arch_wormhole_noc_new(sim_engine_region(engine, 0), 0, params,
                                          (ArchWormholeNocOptions){0}, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        assert_non_null(strstr(error->message, rows[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_takes_the_hops_of_its_topology),
        cmocka_unit_test(the_routing_says_which_axis_is_first),
        cmocka_unit_test(a_table_of_routes_is_followed),
        cmocka_unit_test(a_multicast_reaches_every_tile_of_its_rectangle_once),
        cmocka_unit_test(refuses_a_routing_that_it_does_not_have),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
