/* DRAM channels: pacing, latency that overlaps, back-pressure, turns of the bus, rests,
 * partial writes. */
#include "arch/noc/dram_channel.h"
#include "tests/arch/noc/chip.h"

enum {
    READ_LATENCY = 110,
    WRITE_ACK = 120,
    FLIT_COST = 14286, /* ten thousandths of a cycle */
    TURNAROUND = 16,
    PARTIAL = 63,
};

static const ArchTile core = {1, 1};
static const ArchTile channel_0 = {0, 11};
static const ArchTile channel_1 = {0, 1};
static const ArchTile channel_0_too = {0, 0}; /* of the same group */

static NocDramNumbers numbers(void)
{
    return (NocDramNumbers){
        .flit_cost = FLIT_COST,
        .read_latency = READ_LATENCY,
        .write_ack = WRITE_ACK,
        .turnaround = TURNAROUND,
        .turn_flits = 64,
        .refresh_interval = 100000,
        .refresh = 136,
        .buffer_flits = 24,
        .queue_commands = 16,
        .burst_bytes = 128,
        .partial_write = PARTIAL,
    };
}

static void numbers_come_from_the_chip_file(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = load_params();
    const NocDramNumbers expected = numbers();

    NocDramNumbers read = noc_dram_numbers_read(params);

    assert_int_equal(read.flit_cost, expected.flit_cost);
    assert_int_equal(read.read_latency, expected.read_latency);
    assert_int_equal(read.write_ack, expected.write_ack);
    assert_int_equal(read.turnaround, expected.turnaround);
    assert_int_equal(read.turn_flits, expected.turn_flits);
    assert_int_equal(read.refresh_interval, expected.refresh_interval);
    assert_int_equal(read.refresh, expected.refresh);
    assert_int_equal(read.buffer_flits, expected.buffer_flits);
    assert_int_equal(read.queue_commands, expected.queue_commands);
    assert_int_equal(read.burst_bytes, expected.burst_bytes);
    assert_int_equal(read.partial_write, expected.partial_write);
}

static void reads_pipeline_and_are_paced(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    assert_int_equal(noc_dram_channel_read(&channel, &n, 1000, 100), 1110);
    /* Its latency is over, its turn not: 1110 + 142.86. */
    assert_int_equal(noc_dram_channel_read(&channel, &n, 1000, 1), 1253);
    assert_int_equal(noc_dram_channel_read(&channel, &n, 1000, 1), 1255);
    /* A later one pays latency again, not the sum of them. */
    assert_int_equal(noc_dram_channel_read(&channel, &n, 1200, 1), 1310);
}

static void writes_stall_when_the_buffer_is_full(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();
    guint flits = 1;

    while (noc_dram_channel_write_flit(&channel, &n, flits - 1) == NOC_CYCLE) {
        flits++;
    }

    /* After 77 flits at 76, the place of the 54th is next: it drains at 77.1. */
    assert_int_equal(flits, 77);
    assert_int_equal(noc_dram_channel_write_flit(&channel, &n, 77),
                     55 * FLIT_COST - 77 * NOC_CYCLE);
}

static void the_buffer_counts_flits_not_time(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    /* Each takes the bus for 64.4 cycles, but only one place of 24. */
    for (SimTime now = 0; now < 23; now++) {
        assert_int_equal(noc_dram_channel_write_flit(&channel, &n, now), NOC_CYCLE);
        (void) noc_dram_channel_write_end(&channel, &n, now, 0, 32);
    }

    /* The next one waits for the first, merged. */
    assert_int_equal(noc_dram_channel_write_flit(&channel, &n, 23),
                     FLIT_COST + PARTIAL * NOC_CYCLE - 23 * NOC_CYCLE);
}

static void a_write_ends_after_its_drain(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    for (SimTime now = 100; now < 164; now++) {
        (void) noc_dram_channel_write_flit(&channel, &n, now);
    }

    /* 100 + 64 x 1.4286 = 191.4, unless its last flit comes later. */
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 168, 0, 2048),
                     192 + WRITE_ACK);
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 500, 0, 2048),
                     500 + WRITE_ACK);
}

/* How long the bus works on a write of so many bytes, in whole cycles. */
static SimTime write_work(uint64_t address, uint64_t bytes)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    for (uint64_t i = 0; i < (bytes + 31) / 32; i++) {
        (void) noc_dram_channel_write_flit(&channel, &n, i);
    }
    assert_true(noc_dram_channel_write_end(&channel, &n, 0, address, bytes) <
                WRITE_ACK + 2 * bytes);
    return channel.write_done / NOC_CYCLE;
}

static void parts_of_a_piece_are_merged(void **state G_GNUC_UNUSED)
{
    assert_int_equal(write_work(0, 128), 5);
    assert_int_equal(write_work(0, 32), 1 + PARTIAL);
    assert_int_equal(write_work(0, 48), 2 + PARTIAL);
    assert_int_equal(write_work(96, 32), 1 + PARTIAL);
    assert_int_equal(write_work(0, 64), 2 + PARTIAL);
    assert_int_equal(write_work(0, 127), 5 + PARTIAL);
    assert_int_equal(write_work(0, 160), 7 + PARTIAL);
    assert_int_equal(write_work(64, 128), 5 + 2 * PARTIAL);
    assert_int_equal(write_work(128, 512), 22);
}

static void the_bus_turns_between_reads_and_writes(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    /* On the bus from 110 to 252.9; the write has its turn after 64 flits of it. */
    assert_int_equal(noc_dram_channel_read(&channel, &n, 0, 100), 110);
    (void) noc_dram_channel_write_flit(&channel, &n, 120);
    assert_int_equal(channel.write_done,
                     120 * NOC_CYCLE + 65 * FLIT_COST + TURNAROUND * NOC_CYCLE);
    /* What it took delays the next read: 252.9 + 1.4 and two turns of the bus. */
    assert_int_equal(noc_dram_channel_read(&channel, &n, 100, 1), 287);
}

static void both_ways_share_one_bus(void **state G_GNUC_UNUSED)
{
    enum {
        READS = 100,
        FLITS = 64,
    };
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();
    const double work = 2.0 * READS * FLITS * FLIT_COST / NOC_CYCLE;
    SimTime now = 0;

    for (guint i = 0; i < READS; i++) {
        (void) noc_dram_channel_read(&channel, &n, now, FLITS);
        for (guint j = 0; j < FLITS; j++) {
            now += noc_dram_channel_write_flit(&channel, &n, now) / NOC_CYCLE;
        }
    }
    const uint64_t end = MAX(channel.read_free, channel.write_done) / NOC_CYCLE;

    /* Not at the same time, and turning takes less than half of it. */
    assert_true((double) end > work);
    assert_true((double) end < 1.5 * work);
}

static void the_bus_rests_in_every_interval_but_the_first(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    assert_int_equal(noc_dram_channel_read(&channel, &n, 0, 1), 110);
    assert_int_equal(noc_dram_channel_read(&channel, &n, 100000 - 111, 1), 99999);
    channel = (NocDramChannel){0};
    assert_int_equal(noc_dram_channel_read(&channel, &n, 100000 - 110, 1), 100136);
    channel = (NocDramChannel){0};
    assert_int_equal(noc_dram_channel_read(&channel, &n, 100000 + 26, 1), 100136);
    channel = (NocDramChannel){0};
    /* It rests twice in the midst of 200,000 cycles of work. */
    assert_int_equal(noc_dram_channel_read(&channel, &n, 90000, 140000), 90110);
    assert_int_equal(channel.read_free / NOC_CYCLE, 90110 + 200004 + 2 * 136);
}

static ArchNocCommand dram(ArchNocOp op, guint noc, ArchTile tile, uint64_t bytes)
{
    return (ArchNocCommand){
        .op = op, .noc = noc, .vc = 1, .from = core, .to = tile, .bytes = bytes};
}

static void a_lone_read_takes_its_latency(void **state G_GNUC_UNUSED)
{
    static const uint64_t flits[] = {1, 2, 3, 15, 64, 256};

    for (gsize i = 0; i < G_N_ELEMENTS(flits); i++) {
        SimTime way = ENDS_CYCLES + 22 * HOP_CYCLES + tail_cycles(flits[i], FLIT_COST);
        ArchNocCommand command = dram(ARCH_NOC_READ, 0, channel_0, 32 * flits[i]);

        assert_int_equal(lone_cycles(command), way + READ_LATENCY);
        command.noc = 1; /* slower than the channel even there */
        assert_int_equal(lone_cycles(command), way + READ_LATENCY);
    }
}

static void a_lone_write_takes_its_drain(void **state G_GNUC_UNUSED)
{
    /* Its first flit of data leaves the router at 5 + 22 hops / 2 ... + 1. */
    SimTime there = 5 + 19 * HOP_CYCLES;
    SimTime back = 10 + 3 * HOP_CYCLES;
    ArchNocCommand command = dram(ARCH_NOC_WRITE, 0, channel_0, 2048);

    assert_int_equal(lone_cycles(command), there + 93 + WRITE_ACK + back);
    command.bytes = 8192; /* 1 + 256 x 1.4286 = 366.7 */
    assert_int_equal(lone_cycles(command), there + 367 + WRITE_ACK + back);
}

/* Two reads of 8 KiB at once. */
static void run_two(ArchTile a, ArchTile b, guint noc_b, SimTime *ends)
{
    Chip chip;
    chip_open(&chip, true, false);
    Job *first = chip_issue(&chip, 0, dram(ARCH_NOC_READ, 0, a, 8192));
    Job *second = chip_issue(&chip, 0, dram(ARCH_NOC_READ, noc_b, b, 8192));

    chip_run(&chip);

    ends[0] = first->end;
    ends[1] = second->end;
    chip_close(&chip);
}

static void one_channel_paces_both_networks(void **state G_GNUC_UNUSED)
{
    const SimTime alone = lone_cycles(dram(ARCH_NOC_READ, 0, channel_0, 8192));
    SimTime ends[2] = {0};

    /* 256 x 1.4286 = 365.7 cycles later, latency once. */
    run_two(channel_0, channel_0, 0, ends);
    assert_int_equal(ends[0], alone);
    assert_in_range(ends[1], alone + 365, alone + 367);
    run_two(channel_0, channel_0, 1, ends);
    /* The request on noc 1 comes first, over 3 hops; noc 0 has 3 to go back. */
    assert_in_range(MAX(ends[0], ends[1]), 2 * (10 + 27) + READ_LATENCY + 2 * 365,
                    2 * (10 + 27) + READ_LATENCY + 2 * 365 + 2);
    run_two(channel_0, channel_0_too, 1, ends);
    assert_in_range(MAX(ends[0], ends[1]), 28 + 37 + READ_LATENCY + 2 * 365,
                    28 + 37 + READ_LATENCY + 2 * 365 + 2);
}

static void two_channels_are_independent(void **state G_GNUC_UNUSED)
{
    SimTime ends[2] = {0};

    run_two(channel_0, channel_1, 1, ends);

    assert_int_equal(ends[0], lone_cycles(dram(ARCH_NOC_READ, 0, channel_0, 8192)));
    assert_int_equal(ends[1], lone_cycles(dram(ARCH_NOC_READ, 1, channel_1, 8192)));
}

static void writes_are_held_back_at_the_source(void **state G_GNUC_UNUSED)
{
    enum {
        COUNT = 20,
    };
    Chip chip;
    chip_open(&chip, true, true);
    for (guint i = 0; i < COUNT; i++) {
        chip_issue(&chip, 0, dram(ARCH_NOC_WRITE_POSTED, 0, channel_0, 8192));
    }

    chip_run(&chip);

    /* They leave as fast as the channel drains, less what buffers on the way hold. */
    const Job *last = g_ptr_array_index(chip.jobs, COUNT - 1);
    assert_in_range(last->end, COUNT * 256 * 1.4286 - 24 * 16 * 1.4286 - 100,
                    COUNT * 257 * 1.4286 + 300);
    assert_true(last->end > COUNT * 257 * 6 / 5);
    chip_close(&chip);
}

static void a_full_queue_leaves_requests_in_the_router(void **state G_GNUC_UNUSED)
{
    ArchNocCommand atomic = dram(ARCH_NOC_ATOMIC, 0, channel_0, 4);
    const SimTime alone = lone_cycles(atomic);
    SimTime ends[2] = {0};

    for (guint i = 0; i < 2; i++) {
        Chip chip;
        chip_open(&chip, true, true);
        for (guint j = 0; j < 16 + i; j++) {
            chip_issue(&chip, 0, dram(ARCH_NOC_READ, 0, channel_0, 8192));
        }
        Job *job = chip_issue(&chip, 0, atomic);

        chip_run(&chip);

        ends[i] = job->end;
        chip_close(&chip);
    }
    assert_int_equal(ends[0], alone + 16);
    assert_true(ends[1] > alone + 365);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_from_the_chip_file),
        cmocka_unit_test(reads_pipeline_and_are_paced),
        cmocka_unit_test(writes_stall_when_the_buffer_is_full),
        cmocka_unit_test(the_buffer_counts_flits_not_time),
        cmocka_unit_test(a_write_ends_after_its_drain),
        cmocka_unit_test(parts_of_a_piece_are_merged),
        cmocka_unit_test(the_bus_turns_between_reads_and_writes),
        cmocka_unit_test(both_ways_share_one_bus),
        cmocka_unit_test(the_bus_rests_in_every_interval_but_the_first),
        cmocka_unit_test(a_lone_read_takes_its_latency),
        cmocka_unit_test(a_lone_write_takes_its_drain),
        cmocka_unit_test(one_channel_paces_both_networks),
        cmocka_unit_test(two_channels_are_independent),
        cmocka_unit_test(writes_are_held_back_at_the_source),
        cmocka_unit_test(a_full_queue_leaves_requests_in_the_router),
    };

    return cmocka_run_group_tests_name("arch.noc_dram", tests, NULL, NULL);
}
