/* DRAM channels: pacing, latency that overlaps, back-pressure, small writes. */
#include "arch/noc/dram_channel.h"
#include "tests/arch/noc/chip.h"

enum {
    READ_LATENCY = 110,
    PAGE_READ_LATENCY = 84,
    WRITE_ACK = 120,
    PAGE_WRITE_ACK = 96,
    READ_COST = 14350, /* ten thousandths of a cycle a flit */
    WRITE_COST = 14500,
};

static const ArchTile core = {1, 1};
static const ArchTile channel_0 = {0, 11};
static const ArchTile channel_1 = {0, 1};
static const ArchTile channel_0_too = {0, 0}; /* of the same group */

static NocDramNumbers numbers(void)
{
    static const uint64_t bytes[] = {32, 512};
    static const uint64_t cycles[] = {63, 20};

    return (NocDramNumbers){
        .read_cost = READ_COST,
        .write_cost = WRITE_COST,
        .read_latency = READ_LATENCY,
        .page_read_latency = PAGE_READ_LATENCY,
        .write_ack = WRITE_ACK,
        .page_write_ack = PAGE_WRITE_ACK,
        .buffer_flits = 24,
        .queue_commands = 16,
        .small_bytes = bytes,
        .small_cycles = cycles,
        .small_count = 2,
    };
}

static void numbers_come_from_the_chip_file(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = load_params();

    NocDramNumbers read = noc_dram_numbers_read(params);

    assert_int_equal(read.read_cost, READ_COST);
    assert_int_equal(read.write_cost, WRITE_COST);
    assert_int_equal(read.read_latency, READ_LATENCY);
    assert_int_equal(read.page_read_latency, PAGE_READ_LATENCY);
    assert_int_equal(read.write_ack, WRITE_ACK);
    assert_int_equal(read.page_write_ack, PAGE_WRITE_ACK);
    assert_int_equal(read.buffer_flits, 24);
    assert_int_equal(read.queue_commands, 16);
}

static void reads_pipeline_and_are_paced(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    assert_int_equal(noc_dram_channel_read(&channel, &n, 1000, 100, false), 1110);
    /* Its latency is over, its turn not: 1110 + 143.5. */
    assert_int_equal(noc_dram_channel_read(&channel, &n, 1000, 1, false), 1254);
    assert_int_equal(noc_dram_channel_read(&channel, &n, 1000, 1, false), 1255);
    /* A later one pays latency again, not the sum of them. */
    assert_int_equal(noc_dram_channel_read(&channel, &n, 1200, 1, false), 1310);
    assert_int_equal(noc_dram_channel_read(&channel, &n, 2000, 1, true), 2084);
}

static void writes_stall_when_the_buffer_is_full(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();
    guint flits = 1;

    while (noc_dram_channel_write_flit(&channel, &n, flits - 1) == NOC_CYCLE) {
        flits++;
    }

    /* 78 x 1.45 - 77 = 36.1 cycles of backlog where 24 x 1.45 + 1 = 35.8 may be. */
    assert_int_equal(flits, 78);
    assert_int_equal(noc_dram_channel_write_flit(&channel, &n, 78),
                     79 * WRITE_COST - 78 * NOC_CYCLE - 24 * WRITE_COST);
}

static void a_write_ends_after_its_drain(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    for (SimTime now = 100; now < 164; now++) {
        (void) noc_dram_channel_write_flit(&channel, &n, now);
    }

    /* 100 + 64 x 1.45 = 192.8, unless its last flit comes later. */
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 168, 2048, false),
                     193 + WRITE_ACK);
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 168, 2048, true),
                     193 + PAGE_WRITE_ACK);
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 500, 2048, true),
                     500 + PAGE_WRITE_ACK);
}

static void small_writes_take_a_least_time(void **state G_GNUC_UNUSED)
{
    NocDramChannel channel = {0};
    NocDramNumbers n = numbers();

    (void) noc_dram_channel_write_flit(&channel, &n, 0);
    /* 5 + 63 - 1.45 = 66.55. */
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 5, 32, false),
                     67 + WRITE_ACK);
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 1000, 32, true),
                     1000 + PAGE_WRITE_ACK);
    assert_int_equal(noc_dram_channel_write_end(&channel, &n, 2000, 512, false),
                     2000 + WRITE_ACK);
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
        SimTime way = ENDS_CYCLES + 22 * HOP_CYCLES + tail_cycles(flits[i], READ_COST);
        ArchNocCommand command = dram(ARCH_NOC_READ, 0, channel_0, 32 * flits[i]);

        assert_int_equal(lone_cycles(command), way + READ_LATENCY);
        command.is_page = true;
        assert_int_equal(lone_cycles(command), way + PAGE_READ_LATENCY);
        command.noc = 1; /* slower than the channel even there */
        assert_int_equal(lone_cycles(command), way + PAGE_READ_LATENCY);
    }
}

static void a_lone_write_takes_its_drain(void **state G_GNUC_UNUSED)
{
    /* Its first flit of data leaves the router at 5 + 22 hops / 2 ... + 1. */
    SimTime there = 5 + 19 * HOP_CYCLES;
    SimTime back = 10 + 3 * HOP_CYCLES;
    ArchNocCommand command = dram(ARCH_NOC_WRITE, 0, channel_0, 2048);

    assert_int_equal(lone_cycles(command), there + 94 + WRITE_ACK + back);
    command.is_page = true;
    assert_int_equal(lone_cycles(command), there + 94 + PAGE_WRITE_ACK + back);
    command.bytes = 8192; /* 1 + 256 x 1.45 = 372.2 */
    assert_int_equal(lone_cycles(command), there + 373 + PAGE_WRITE_ACK + back);
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

    /* 256 x 1.435 = 367.4 cycles later, latency once. */
    run_two(channel_0, channel_0, 0, ends);
    assert_int_equal(ends[0], alone);
    assert_in_range(ends[1], alone + 367, alone + 369);
    run_two(channel_0, channel_0, 1, ends);
    /* The request on noc 1 comes first, over 3 hops; noc 0 has 3 to go back. */
    assert_in_range(MAX(ends[0], ends[1]), 2 * (10 + 27) + READ_LATENCY + 2 * 367,
                    2 * (10 + 27) + READ_LATENCY + 2 * 367 + 2);
    run_two(channel_0, channel_0_too, 1, ends);
    assert_in_range(MAX(ends[0], ends[1]), 28 + 37 + READ_LATENCY + 2 * 367,
                    28 + 37 + READ_LATENCY + 2 * 367 + 2);
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
    assert_in_range(last->end, COUNT * 256 * 1.45 - 24 * 16 * 1.45 - 100,
                    COUNT * 257 * 1.45 + 300);
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
    assert_true(ends[1] > alone + 367);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_from_the_chip_file),
        cmocka_unit_test(reads_pipeline_and_are_paced),
        cmocka_unit_test(writes_stall_when_the_buffer_is_full),
        cmocka_unit_test(a_write_ends_after_its_drain),
        cmocka_unit_test(small_writes_take_a_least_time),
        cmocka_unit_test(a_lone_read_takes_its_latency),
        cmocka_unit_test(a_lone_write_takes_its_drain),
        cmocka_unit_test(one_channel_paces_both_networks),
        cmocka_unit_test(two_channels_are_independent),
        cmocka_unit_test(writes_are_held_back_at_the_source),
        cmocka_unit_test(a_full_queue_leaves_requests_in_the_router),
    };

    return cmocka_run_group_tests_name("arch.noc_dram", tests, NULL, NULL);
}
