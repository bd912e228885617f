/* Wormhole's networks: latencies by hand from the chip's numbers, routes, read service.
 */
#include <string.h>

#include "arch/error.h"
#include "arch/noc/grid.h"
#include "tests/arch/noc/chip.h"

static const ArchTile origin = {1, 1};

typedef struct {
    guint noc;
    ArchTile to;
    guint hops; /* there and back */
} Peer;

static const Peer peers[] = {
    {0, {2, 2}, 22}, {0, {1, 2}, 12}, {0, {2, 1}, 10}, {0, {9, 10}, 22},
    {1, {2, 2}, 22}, {1, {1, 2}, 12}, {1, {2, 1}, 10}, {1, {9, 10}, 22},
};

static void
assert_round_trip(const Peer *peer, ArchNocOp op, uint64_t bytes, SimTime service)
{
    SimTime cycles = lone_cycles((ArchNocCommand){.op = op,
                                                  .noc = peer->noc,
                                                  .vc = 1,
                                                  .from = origin,
                                                  .to = peer->to,
                                                  .bytes = bytes});
    SimTime expected = ENDS_CYCLES + HOP_CYCLES * peer->hops + service;

    if (cycles != expected) {
        fail_msg("noc %u, op %d, %" G_GUINT64_FORMAT " B to %u,%u: %" G_GUINT64_FORMAT
                 " cycles instead of %" G_GUINT64_FORMAT,
                 peer->noc, op, bytes, peer->to.x, peer->to.y, cycles, expected);
    }
}

static void a_lone_read_takes_its_latency(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(peers); i++) {
        assert_round_trip(&peers[i], ARCH_NOC_READ, 32, RESPONSE_CYCLES + 1);
        assert_round_trip(&peers[i], ARCH_NOC_READ, 33, RESPONSE_CYCLES + 2);
        assert_round_trip(&peers[i], ARCH_NOC_READ, 480, RESPONSE_CYCLES + 15);
    }
}

static void a_lone_write_takes_its_latency(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(peers); i++) {
        assert_round_trip(&peers[i], ARCH_NOC_WRITE, 0, ACK_CYCLES);
        assert_round_trip(&peers[i], ARCH_NOC_WRITE, 1, ACK_CYCLES + 1);
        assert_round_trip(&peers[i], ARCH_NOC_WRITE, 480, ACK_CYCLES + 15);
    }
}

static void a_lone_atomic_takes_its_latency(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(peers); i++) {
        assert_round_trip(&peers[i], ARCH_NOC_ATOMIC, 4, ACK_CYCLES);
    }
}

/* NoC 0: a data flit each 1.0225 cycles. NoC 1: 16 flits each 18 cycles. */
static void long_packets_pay_for_the_l1_or_the_credit_loop(void **state G_GNUC_UNUSED)
{
    static const uint64_t flits[] = {16, 44, 45, 46, 100, 255, 256};

    for (gsize i = 0; i < G_N_ELEMENTS(flits); i++) {
        SimTime loop = flits[i] / 16 * 18 + flits[i] % 16;

        assert_round_trip(&peers[0], ARCH_NOC_READ, 32 * flits[i],
                          RESPONSE_CYCLES + l1_tail(flits[i]));
        assert_round_trip(&peers[1], ARCH_NOC_WRITE, 32 * flits[i],
                          ACK_CYCLES + l1_tail(flits[i]));
        assert_round_trip(&peers[4], ARCH_NOC_READ, 32 * flits[i],
                          RESPONSE_CYCLES + loop);
        assert_round_trip(&peers[5], ARCH_NOC_WRITE, 32 * flits[i], ACK_CYCLES + loop);
    }
}

/* The networks of a chip with links of that many bytes a cycle; NULL where it has none.
 */
static ArchWormholeNoc *open_links(Chip *self, const char *link, bool has_contention)
{
    const ArchWormholeNocOptions options = {.has_contention = has_contention};
    g_autoptr(GError) error = NULL;

    *self = (Chip){.engine = sim_engine_new(sim_engine_config_default()),
                   .params = load_params(),
                   .jobs = g_ptr_array_new_with_free_func(g_free)};
    assert_true(arch_params_override(self->params, link, NULL));
    self->noc =
        arch_wormhole_noc_new(sim_engine_region(self->engine, 0),
                              sim_key(UINT32_MAX, 0), self->params, options, &error);
    if (self->noc == NULL) {
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    }
    return self->noc;
}

/* A flit of 32 bytes takes four cycles of each link, of which the header waits for
 * none. */
static void narrow_links_take_several_cycles_a_flit(void **state G_GNUC_UNUSED)
{
    static const uint64_t flits[] = {1, 2, 15, 16, 17, 100, 256};

    for (gsize i = 0; i < 2 * G_N_ELEMENTS(flits); i++) {
        const uint64_t count = flits[i / 2];
        Chip chip;

        assert_non_null(open_links(&chip, "noc.link_bytes_per_cycle=8", i % 2 == 0));
        Job *job = chip_issue(&chip, 100,
                              (ArchNocCommand){.op = ARCH_NOC_WRITE,
                                               .vc = 1,
                                               .from = origin,
                                               .to = {2, 1},
                                               .bytes = 32 * count});

        chip_run(&chip);

        assert_int_equal(job->end - 100,
                         ENDS_CYCLES + HOP_CYCLES * 10 + ACK_CYCLES + 4 * count);
        chip_close(&chip);
    }
}

static void links_carry_flits_in_whole_cycles(void **state G_GNUC_UNUSED)
{
    static const char *const refused[] = {"noc.link_bytes_per_cycle=64",
                                          "noc.link_bytes_per_cycle=12"};

    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        Chip chip;

        assert_null(open_links(&chip, refused[i], true));
        chip_close(&chip);
    }
}

/* Flits on all links of a network. */
static uint64_t all_flits(const Chip *chip, guint noc)
{
    g_autoptr(GArray) links = arch_wormhole_noc_links(chip->noc, noc);
    uint64_t sum = 0;

    for (guint i = 0; i < links->len; i++) {
        sum += g_array_index(links, ArchWormholeLink, i).flits;
    }
    return sum;
}

static void noc_0_goes_x_first(void **state G_GNUC_UNUSED)
{
    Chip chip;
    chip_open(&chip, true, true);
    chip_issue(&chip, 0,
               (ArchNocCommand){
                   .op = ARCH_NOC_WRITE, .from = {1, 1}, .to = {3, 2}, .bytes = 64});

    chip_run(&chip);

    assert_int_equal(chip_flits(&chip, 0, (ArchTile){1, 1}, NOC_X), 3);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){2, 1}, NOC_X), 3);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){3, 1}, NOC_Y), 3);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){3, 2}, NOC_X), 1);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){0, 2}, NOC_X), 1);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){1, 2}, NOC_Y), 1);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){1, 0}, NOC_Y), 1);
    assert_int_equal(all_flits(&chip, 0), 3 * 3 + 8 + 11);
    assert_int_equal(all_flits(&chip, 1), 0);
    chip_close(&chip);
}

static void noc_1_goes_y_first(void **state G_GNUC_UNUSED)
{
    Chip chip;
    chip_open(&chip, true, true);
    chip_issue(
        &chip, 0,
        (ArchNocCommand){
            .op = ARCH_NOC_WRITE, .noc = 1, .from = {3, 2}, .to = {1, 1}, .bytes = 64});

    chip_run(&chip);

    assert_int_equal(chip_flits(&chip, 1, (ArchTile){3, 2}, NOC_Y), 3);
    assert_int_equal(chip_flits(&chip, 1, (ArchTile){3, 1}, NOC_X), 3);
    assert_int_equal(chip_flits(&chip, 1, (ArchTile){2, 1}, NOC_X), 3);
    assert_int_equal(chip_flits(&chip, 1, (ArchTile){1, 1}, NOC_Y), 1);
    assert_int_equal(chip_flits(&chip, 1, (ArchTile){1, 3}, NOC_Y), 1);
    assert_int_equal(chip_flits(&chip, 1, (ArchTile){1, 2}, NOC_X), 1);
    assert_int_equal(chip_flits(&chip, 1, (ArchTile){4, 2}, NOC_X), 1);
    assert_int_equal(all_flits(&chip, 1), 3 * 3 + 11 + 8);
    assert_int_equal(all_flits(&chip, 0), 0);
    chip_close(&chip);
}

static void loopback_uses_no_link(void **state G_GNUC_UNUSED)
{
    Chip chip;
    chip_open(&chip, true, false);
    Job *write = chip_issue(
        &chip, 0,
        (ArchNocCommand){
            .op = ARCH_NOC_WRITE, .from = origin, .to = origin, .bytes = 8192});
    Job *read = chip_issue(&chip, 1000,
                           (ArchNocCommand){.op = ARCH_NOC_READ,
                                            .noc = 1,
                                            .vc = 1,
                                            .from = origin,
                                            .to = origin,
                                            .bytes = 8192});

    chip_run(&chip);

    assert_int_equal(all_flits(&chip, 0), 0);
    assert_int_equal(all_flits(&chip, 1), 0);
    assert_int_equal(write->end, ENDS_CYCLES + ACK_CYCLES + l1_tail(256));
    assert_int_equal(read->end, 1000 + ENDS_CYCLES + RESPONSE_CYCLES + l1_tail(256));
    chip_close(&chip);
}

static ArchNocCommand read_8k(guint vc)
{
    return (ArchNocCommand){
        .op = ARCH_NOC_READ, .vc = vc, .from = {1, 1}, .to = {2, 2}, .bytes = 8192};
}

static void reads_of_one_channel_are_served_one_by_one(void **state G_GNUC_UNUSED)
{
    const SimTime alone = lone_cycles(read_8k(1));
    Chip chip;
    chip_open(&chip, true, true);
    Job *first = chip_issue(&chip, 0, read_8k(1));
    Job *second = chip_issue(&chip, 0, read_8k(1));
    Job *third = chip_issue(&chip, 0, read_8k(1));

    chip_run(&chip);

    /* A response is 1 + 256 x 1.0225 = 262.76 cycles. Of the 5 cycles between two the
     * last flit takes 2. */
    assert_int_equal(first->end, alone);
    assert_int_equal(second->end, alone + 266);
    assert_int_equal(third->end, alone + 532);
    chip_close(&chip);
}

static void
reads_of_two_channels_share_both_response_channels(void **state G_GNUC_UNUSED)
{
    const SimTime alone = lone_cycles(read_8k(1));
    Chip chip;
    chip_open(&chip, true, true);
    Job *first = chip_issue(&chip, 0, read_8k(1));
    Job *second = chip_issue(&chip, 0, read_8k(2));

    chip_run(&chip);

    /* Flit by flit: both are late, and both are over at the same time. */
    assert_in_range(first->end, alone + 255, alone + 265);
    assert_in_range(second->end, alone + 255, alone + 265);
    chip_close(&chip);
}

/* How long an atomic takes behind so many reads on its channel. */
static SimTime atomic_behind_reads(guint reads, guint vc)
{
    ArchNocCommand atomic = {
        .op = ARCH_NOC_ATOMIC, .vc = vc, .from = {1, 1}, .to = {2, 2}};
    Chip chip;
    chip_open(&chip, true, true);
    for (guint i = 0; i < reads; i++) {
        chip_issue(&chip, 0, read_8k(1));
    }
    Job *job = chip_issue(&chip, 0, atomic);

    chip_run(&chip);

    SimTime cycles = job->end;
    chip_close(&chip);
    return cycles;
}

static void the_fifth_read_stays_in_the_router(void **state G_GNUC_UNUSED)
{
    const SimTime alone = ENDS_CYCLES + HOP_CYCLES * 22 + ACK_CYCLES;

    for (guint reads = 0; reads <= 4; reads++) {
        assert_int_equal(atomic_behind_reads(reads, 1), alone + reads);
    }
    /* The fifth is let in when the first is served, 5 + 14 cycles after it came; the
     * sixth when the second is, a whole response later. */
    assert_in_range(atomic_behind_reads(5, 1), alone + 19, alone + 23);
    assert_in_range(atomic_behind_reads(6, 1), alone + 19 + 262, alone + 19 + 270);
    assert_in_range(atomic_behind_reads(6, 2), alone, alone + 6);
}

static void tiles_have_their_kinds(void **state G_GNUC_UNUSED)
{
    Chip chip;
    chip_open(&chip, true, true);

    assert_int_equal(arch_wormhole_noc_tile(chip.noc, origin), ARCH_TILE_TENSIX);
    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){0, 11}),
                     ARCH_TILE_DRAM);
    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){5, 6}),
                     ARCH_TILE_DRAM);
    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){9, 6}),
                     ARCH_TILE_ETHERNET);
    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){0, 3}),
                     ARCH_TILE_PCIE);
    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){0, 2}),
                     ARCH_TILE_OTHER);
    chip_close(&chip);
}

/* Everybody reads from and writes to everybody, on both networks. */
static void heavy_traffic_ends(void **state G_GNUC_UNUSED)
{
    static const guint columns[] = {1, 2, 3, 4, 6, 7, 8, 9};
    static const guint rows[] = {1, 2, 3, 4, 5, 7, 8, 9};
    Chip chip;
    chip_open(&chip, true, true);

    for (guint i = 0; i < 64 * 12; i++) {
        ArchTile from = {columns[i % 8], rows[i / 8 % 8]};
        guint peer = (i * 37 + i / 64 * 11) % 64;

        chip_issue(
            &chip, i / 64,
            (ArchNocCommand){.op = i / 64 % 3 == 0 ? ARCH_NOC_WRITE : ARCH_NOC_READ,
                             .noc = i / 64 % 2,
                             .vc = i / 64 % 4,
                             .from = from,
                             .to = {columns[peer % 8], rows[peer / 8]},
                             .bytes = 2048});
    }
    chip_run(&chip);

    assert_int_equal(g_hash_table_size(chip.noc->transactions), 0);
    chip_close(&chip);
}

/* Two packets of one channel that reach a tile at once, from its west and its north. */
static void a_tile_takes_one_packet_of_a_channel_at_a_time(void **state G_GNUC_UNUSED)
{
    const ArchNocCommand write = {
        .op = ARCH_NOC_WRITE, .to = {3, 4}, .bytes = 8192, .from = {1, 4}};
    ArchNocCommand other = write;
    Chip chip;
    other.from = (ArchTile){3, 2};
    chip_open(&chip, true, false);
    const Job *jobs[] = {chip_issue(&chip, 0, write), chip_issue(&chip, 0, other)};

    chip_run(&chip);

    const SimTime ends[] = {jobs[0]->end, jobs[1]->end};
    const guint first = ends[0] < ends[1] ? 0 : 1;
    assert_int_equal(ends[first], lone_cycles(first == 0 ? write : other));
    /* The other one's header and 256 flits, less the 12 hops' or 10 hops' way. */
    assert_in_range(ends[1 - first] - lone_cycles(first == 0 ? other : write),
                    1 + l1_tail(256), 4 + l1_tail(256));
    chip_close(&chip);
}

/* Readers to the west and to the north of a tile that is itself receiving data from the
 * west. */
static void requests_of_all_sides_take_turns(void **state G_GNUC_UNUSED)
{
    enum {
        READS = 16,
        QUEUE = 4 * 34, /* cycles: reads of 1 KiB that one side may be ahead */
    };
    const ArchTile readers[] = {{2, 4}, {4, 2}};
    Chip chip;
    const Job *last[2] = {NULL};
    chip_open(&chip, true, false);
    for (guint i = 0; i < 8; i++) {
        chip_issue(&chip, 0,
                   (ArchNocCommand){.op = ARCH_NOC_READ,
                                    .vc = 1,
                                    .from = {4, 4},
                                    .to = {1, 4},
                                    .bytes = 8192});
    }
    for (guint i = 0; i < 2 * READS; i++) {
        last[i % 2] = chip_issue(&chip, 300 + i,
                                 (ArchNocCommand){.op = ARCH_NOC_READ,
                                                  .vc = 1,
                                                  .from = readers[i % 2],
                                                  .to = {4, 4},
                                                  .bytes = 1024});
    }

    chip_run(&chip);

    /* The northern reader is two hops farther away, there and back. */
    assert_in_range(last[1]->end, last[0]->end + 18 - QUEUE, last[0]->end + 18 + QUEUE);
    chip_close(&chip);
}

static void harvested_rows_only_route(void **state G_GNUC_UNUSED)
{
    Chip chip;
    chip_open(&chip, true, false);

    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){1, 9}),
                     ARCH_TILE_TENSIX);
    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){1, 10}),
                     ARCH_TILE_OTHER);
    assert_int_equal(arch_wormhole_noc_tile(chip.noc, (ArchTile){4, 11}),
                     ARCH_TILE_OTHER);
    /* From row 8 over two harvested rows to row 1. */
    assert_int_equal(
        arch_wormhole_noc_receivers(
            chip.noc,
            &(ArchNocCommand){.from = {1, 7}, .to = {2, 8}, .corner = {2, 1}}),
        3);
    chip_close(&chip);
}

static void refuses_lists_that_do_not_fit_the_grid(void **state G_GNUC_UNUSED)
{
    static const char *const wrong[] = {
        "grid.tensix_columns=1,10", "grid.tensix_rows=12",   "grid.harvested_rows=12",
        "dram.tile_columns=0,0",    "dram.view_rows=0,1,12", "ethernet.tile_rows=13",
        "pcie.tile_column=10",      "pcie.tile_row=12",      "l1.noc_ports=4,6,12,15",
        "l1.mover_port=16",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
        g_autoptr(ArchParams) params = load_params();
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) parts = g_strsplit(wrong[i], "=", 2);

        assert_true(arch_params_override(params, wrong[i], NULL));
        g_autoptr(ArchWormholeNoc) noc =
            arch_wormhole_noc_new(sim_engine_region(engine, 0), sim_key(1, 0), params,
                                  (ArchWormholeNocOptions){0}, &error);
        if (noc != NULL || !g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID) ||
            strstr(error->message, parts[0]) == NULL) {
            fail_msg("%s: %s", wrong[i],
                     error != NULL ? error->message : "not refused");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_read_takes_its_latency),
        cmocka_unit_test(a_lone_write_takes_its_latency),
        cmocka_unit_test(a_lone_atomic_takes_its_latency),
        cmocka_unit_test(long_packets_pay_for_the_l1_or_the_credit_loop),
        cmocka_unit_test(narrow_links_take_several_cycles_a_flit),
        cmocka_unit_test(links_carry_flits_in_whole_cycles),
        cmocka_unit_test(noc_0_goes_x_first),
        cmocka_unit_test(noc_1_goes_y_first),
        cmocka_unit_test(loopback_uses_no_link),
        cmocka_unit_test(reads_of_one_channel_are_served_one_by_one),
        cmocka_unit_test(reads_of_two_channels_share_both_response_channels),
        cmocka_unit_test(the_fifth_read_stays_in_the_router),
        cmocka_unit_test(tiles_have_their_kinds),
        cmocka_unit_test(heavy_traffic_ends),
        cmocka_unit_test(a_tile_takes_one_packet_of_a_channel_at_a_time),
        cmocka_unit_test(requests_of_all_sides_take_turns),
        cmocka_unit_test(harvested_rows_only_route),
        cmocka_unit_test(refuses_lists_that_do_not_fit_the_grid),
    };

    return cmocka_run_group_tests_name("arch.noc_wormhole", tests, NULL, NULL);
}
