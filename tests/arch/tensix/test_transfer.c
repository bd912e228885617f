/* Commands of movers to the NoC: what they cost, when data lands, barriers. */
#include "arch/traffic/transfer.h"
#include "sim/counter.h"
#include "tests/arch/tensix/rig.h"

enum {
    ZONE_CYCLES = 30, /* of the profiler, which kernels do not have */
    COMMAND_CYCLES = 6,
    BARRIER_CYCLES = 7,
    FLUSH_CYCLES = 25,
    WAY_22 = 20 + 22 * 9, /* there and back, 22 hops */
    HERE = 0x10000,
    THERE = 0x20000,
    SIZE = 4096,
};

static Rig rig;

static int open_rig(void **state G_GNUC_UNUSED)
{
    rig_open(&rig, 1);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    rig_close(&rig);
    return 0;
}

/* What `gridloom noc transfer` says of the same, without its profiler's zone. */
static SimTime
transfer_cycles(ArchTransferConfig config, const ArchTile *peers, gsize count)
{
    const ArchTransferAgent agent = {
        .core = {1, 1}, .peers = peers, .peer_count = count};
    g_auto(ArchTransferResult) result = {0};
    g_autoptr(GError) error = NULL;

    config.agents = &agent;
    config.agent_count = 1;
    config.options =
        (ArchWormholeNocOptions){.has_contention = true, .has_l1_conflicts = true};
    if (!arch_transfer_run(&config, rig.params, &result, &error)) {
        fail_msg("%s", error->message);
    }
    return g_array_index(result.cycles, SimTime, 0) - ZONE_CYCLES;
}

typedef struct {
    ArchMoverOp op;
    ArchTransferOp transfer;
    ArchBarrier barrier;
    uint64_t bytes;
    guint count;
    guint noc;
    bool is_posted;
} CostRow;

static void kernels_cost_what_transfers_do(void **state G_GNUC_UNUSED)
{
    static const CostRow rows[] = {
        {ARCH_MOVER_READ, ARCH_TRANSFER_READ, ARCH_BARRIER_READ, 32, 1, 0, false},
        {ARCH_MOVER_READ, ARCH_TRANSFER_READ, ARCH_BARRIER_READ, 2048, 16, 0, false},
        {ARCH_MOVER_READ, ARCH_TRANSFER_READ, ARCH_BARRIER_READ, 20000, 5, 1, false},
        {ARCH_MOVER_WRITE, ARCH_TRANSFER_WRITE, ARCH_BARRIER_WRITE, 64, 40, 0, false},
        {ARCH_MOVER_WRITE, ARCH_TRANSFER_WRITE, ARCH_BARRIER_WRITE, 9000, 3, 1, false},
        {ARCH_MOVER_WRITE_POSTED, ARCH_TRANSFER_WRITE, ARCH_BARRIER_FLUSH, 512, 30, 0,
         true},
        {ARCH_MOVER_INLINE, ARCH_TRANSFER_INLINE, ARCH_BARRIER_WRITE, 4, 25, 0, false},
        {ARCH_MOVER_INCREMENT, ARCH_TRANSFER_ATOMIC, ARCH_BARRIER_ATOMIC, 4, 1, 0,
         false},
    };
    static const ArchTile peer = {2, 2};

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const CostRow *row = &rows[i];
        Rig own;
        rig_open(&own, 1);
        Kernel *kernel = rig_kernel(&own, 0, 0, ARCH_MOVER_BRISC, row->noc, 100);
        for (guint j = 0; j < row->count; j++) {
            call_transfer(kernel, to_core(row->op, 1, 1, THERE, HERE, row->bytes));
        }
        call_barrier(kernel, row->barrier);

        rig_run(&own);

        const SimTime expected =
            transfer_cycles((ArchTransferConfig){.op = row->transfer,
                                                 .noc = row->noc,
                                                 .bytes = row->bytes,
                                                 .count = row->count,
                                                 .is_posted = row->is_posted},
                            &peer, 1);
        if (kernel_cycles(kernel) != expected) {
            fail_msg("row %zu: %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, i,
                     kernel_cycles(kernel), expected);
        }
        rig_close(&own);
    }
}

static void pages_cost_what_transfers_do(void **state G_GNUC_UNUSED)
{
    static const ArchTile banks[] = {{0, 11}, {0, 1}, {0, 5}, {0, 7}, {5, 1}, {5, 11},
                                     {5, 2},  {5, 9}, {5, 8}, {5, 3}, {5, 5}, {5, 7}};
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    for (guint i = 0; i < 36; i++) {
        ArchMoverTransfer page =
            to_dram(ARCH_MOVER_READ, i % 12, i / 12 * 1024, HERE, 1024);
        page.is_page = true;
        call_transfer(kernel, page);
    }
    call_barrier(kernel, ARCH_BARRIER_READ);

    rig_run(&rig);

    assert_int_equal(kernel_cycles(kernel),
                     transfer_cycles((ArchTransferConfig){.op = ARCH_TRANSFER_PAGE_READ,
                                                          .bytes = 1024,
                                                          .count = 36,
                                                          .is_by_turns = true},
                                     banks, G_N_ELEMENTS(banks)));
}

static void fractions_of_each_kind_add_up_apart(void **state G_GNUC_UNUSED)
{
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    SimTime reads = 0;
    SimTime stores = 0;
    for (guint i = 0; i < 20; i++) {
        ArchMoverTransfer page = to_dram(ARCH_MOVER_READ, i % 12, 0, HERE, 32);
        page.is_page = true;
        call_transfer(kernel, page);
        call_store(kernel, THERE, 1, 1);
    }

    rig_run(&rig);

    for (guint i = 0; i < 20; i++) {
        reads += kernel->ends[2 * i] - kernel->starts[2 * i];
        stores += kernel->ends[2 * i + 1] - kernel->starts[2 * i + 1];
    }
    assert_int_equal(reads, 786);  /* 20 x 39.3 */
    assert_int_equal(stores, 103); /* 20 x 5.17 = 103.4 */
}

static void turning_to_another_tile_costs_what_transfers_say(void **state G_GNUC_UNUSED)
{
    const ArchTile peers[] = {{2, 2}, {3, 3}, {2, 2}};
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    for (guint i = 0; i < 12; i++) {
        const guint at = i / 4 == 1 ? 2 : 1;
        call_transfer(kernel, to_core(ARCH_MOVER_WRITE, at, at, THERE, HERE, 32));
    }
    call_barrier(kernel, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    assert_int_equal(
        kernel_cycles(kernel),
        transfer_cycles(
            (ArchTransferConfig){.op = ARCH_TRANSFER_WRITE, .bytes = 32, .count = 4},
            peers, G_N_ELEMENTS(peers)));
}

static void multicasts_cost_what_transfers_do(void **state G_GNUC_UNUSED)
{
    const ArchTile start = {2, 2};
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    for (guint i = 0; i < 6; i++) {
        ArchMoverTransfer what = to_core(ARCH_MOVER_MULTICAST, 1, 1, THERE, HERE, 9000);
        what.corner_x = 3;
        what.corner_y = 2;
        what.is_linked = i < 5;
        call_transfer(kernel, what);
    }
    call_barrier(kernel, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    assert_int_equal(
        kernel_cycles(kernel),
        transfer_cycles((ArchTransferConfig){.op = ARCH_TRANSFER_MULTICAST_LINKED,
                                             .bytes = 9000,
                                             .count = 6,
                                             .corner = {4, 3}},
                        &start, 1));
}

static void reads_bring_the_bytes(void **state G_GNUC_UNUSED)
{
    guint8 bytes[64];
    for (guint i = 0; i < sizeof bytes; i++) {
        bytes[i] = (guint8) (200 + i * 7);
    }
    rig_fill(&rig, 3, 2, THERE, 10000, 5);
    assert_true(arch_dram_write(rig.dram, (7 * UINT64_C(1073741824)) + 96, bytes,
                                sizeof bytes, NULL));
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 1, 0);
    call_transfer(kernel, to_core(ARCH_MOVER_READ, 3, 2, THERE, HERE, 10000));
    call_transfer(kernel, to_dram(ARCH_MOVER_READ, 7, 96, THERE, 64));
    call_barrier(kernel, ARCH_BARRIER_READ);

    rig_run(&rig);

    rig_assert_filled(&rig, 0, 0, HERE, 10000, 5);
    rig_assert_filled(&rig, 0, 0, THERE, 64, 200);
    assert_int_equal(rig_word(&rig, 0, 0, THERE + 64), 0);
}

static void writes_carry_what_was_there_when_issued(void **state G_GNUC_UNUSED)
{
    guint8 first = 0;
    rig_fill(&rig, 0, 0, HERE, SIZE, 9);
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 2, 2, THERE, HERE, SIZE));
    call_transfer(kernel, to_core(ARCH_MOVER_WRITE_POSTED, 2, 3, THERE, HERE, SIZE));
    call_transfer(kernel, to_dram(ARCH_MOVER_WRITE, 3, 4096, HERE, SIZE));
    call_store(kernel, HERE, 0xffffffff, 1);

    rig_run(&rig);

    rig_assert_filled(&rig, 2, 2, THERE, SIZE, 9);
    rig_assert_filled(&rig, 2, 3, THERE, SIZE, 9);
    assert_true(
        arch_dram_read(rig.dram, 3 * UINT64_C(1073741824) + 4096, &first, 1, NULL));
    assert_int_equal(first, 9);
    assert_int_equal(rig_word(&rig, 0, 0, HERE), 0xffffffff);
}

/* A write lands half a round trip and its tail before its acknowledgement is back: a
 * word that it carries is seen by polls after that, and by none before. */
static SimTime landing_of_inline_write(void)
{
    /* 1 hop there with noc 0: from core 0,0 to core 0,1 below it. */
    return 22 + COMMAND_CYCLES + 5 + 9 + 5;
}

static void inline_writes_are_seen_by_polls_after_they_land(void **state G_GNUC_UNUSED)
{
    const SimTime landing = landing_of_inline_write();

    /* The first poll is at start + 8. One cycle later it sees the word. */
    for (SimTime late = 0; late < 2; late++) {
        Rig own;
        rig_open(&own, 1);
        Kernel *sender = rig_kernel(&own, 0, 0, ARCH_MOVER_BRISC, 0, 0);
        ArchMoverTransfer what = to_core(ARCH_MOVER_INLINE, 0, 1, THERE, 0, 4);
        what.value = 77;
        call_transfer(sender, what);
        Kernel *waiter =
            rig_kernel(&own, 0, 1, ARCH_MOVER_BRISC, 0, landing - RIG_LOAD + late);
        call_semaphore(waiter, THERE, 77, false);

        rig_run(&own);

        assert_int_equal(kernel_cycles(waiter),
                         late ? RIG_LOAD : RIG_LOAD + RIG_SEMAPHORE_POLL);
        rig_close(&own);
    }
}

static void data_lands_before_the_semaphore_that_follows_it(void **state G_GNUC_UNUSED)
{
    const uint32_t semaphore = rig_semaphore(&rig, 4, 3, 0);
    const uint32_t result = rig_memory(&rig, 0, 0, SIZE);
    rig_fill(&rig, 0, 0, HERE, SIZE, 33);
    Kernel *sender = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(sender, to_core(ARCH_MOVER_WRITE, 4, 3, HERE, HERE, SIZE));
    ArchMoverTransfer post = to_core(ARCH_MOVER_INCREMENT, 4, 3, semaphore, 0, 0);
    post.value = 1;
    call_transfer(sender, post);
    Kernel *receiver = rig_kernel(&rig, 4, 3, ARCH_MOVER_NCRISC, 1, 0);
    call_semaphore(receiver, semaphore, 1, true);
    call_load(receiver, HERE + SIZE - 4);
    call_transfer(receiver, to_core(ARCH_MOVER_WRITE, 0, 0, result, HERE, SIZE));
    call_barrier(receiver, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    rig_assert_filled(&rig, 0, 0, result, SIZE, 33);
    assert_int_equal(receiver->loaded, rig_word(&rig, 0, 0, HERE + SIZE - 4));
}

static void increments_of_many_add_up(void **state G_GNUC_UNUSED)
{
    const uint32_t semaphore = rig_semaphore(&rig, 0, 0, 5);
    for (guint i = 1; i < 8; i++) {
        Kernel *kernel = rig_kernel(&rig, i, i - 1, ARCH_MOVER_BRISC, i % 2, 0);
        ArchMoverTransfer what = to_core(ARCH_MOVER_INCREMENT, 0, 0, semaphore, 0, 0);
        what.value = i;
        call_transfer(kernel, what);
        call_transfer(kernel, what);
        call_barrier(kernel, ARCH_BARRIER_ATOMIC);
    }
    Kernel *waiter = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    call_semaphore(waiter, semaphore, 5 + 56, false);

    rig_run(&rig);

    assert_int_equal(rig_word(&rig, 0, 0, semaphore), 61);
}

static void multicast_to(guint noc, bool is_loopback, bool has_sender_word)
{
    Rig own;
    rig_open(&own, 1);
    rig_fill(&own, 2, 2, HERE, 32, 50);
    Kernel *kernel = rig_kernel(&own, 2, 2, ARCH_MOVER_BRISC, noc, 0);
    ArchMoverTransfer what = to_core(ARCH_MOVER_MULTICAST, 1, 1, THERE, HERE, 32);
    what.corner_x = 5;
    what.corner_y = 6;
    what.is_loopback = is_loopback;
    call_transfer(kernel, what);
    call_barrier(kernel, ARCH_BARRIER_WRITE);

    rig_run(&own);

    for (guint y = 0; y < 7; y++) {
        for (guint x = 0; x < 8; x++) {
            const bool is_inside = x >= 1 && x <= 5 && y >= 1;
            const bool is_sender = x == 2 && y == 2;

            if (is_inside && (!is_sender || has_sender_word)) {
                rig_assert_filled(&own, x, y, THERE, 32, 50);
            } else {
                assert_int_equal(rig_word(&own, x, y, THERE), 0);
            }
        }
    }
    rig_close(&own);
}

static void multicasts_reach_all_of_a_rectangle(void **state G_GNUC_UNUSED)
{
    multicast_to(0, false, false);
    multicast_to(0, true, true);
    multicast_to(1, false, false);
    multicast_to(1, true, true);
}

static uint64_t counted(const char *counter)
{
    return sim_engine_counter_total(rig.engine,
                                    sim_engine_counter(rig.engine, counter));
}

static void bytes_count_where_they_arrive(void **state G_GNUC_UNUSED)
{
    ArchMoverTransfer square = to_core(ARCH_MOVER_MULTICAST, 0, 0, THERE, HERE, 20000);
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    square.corner_x = 2;
    square.corner_y = 1;
    square.is_loopback = true;
    call_transfer(kernel, to_dram(ARCH_MOVER_READ, 3, 0, HERE, 9000));
    call_transfer(kernel, to_dram(ARCH_MOVER_WRITE, 3, 0, HERE, 500));
    call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 1, 0, THERE, HERE, 70));
    call_transfer(kernel, to_core(ARCH_MOVER_INCREMENT, 1, 0, THERE, HERE, 0));
    call_barrier(kernel, ARCH_BARRIER_READ);
    call_transfer(kernel, square);
    call_barrier(kernel, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    /* A rectangle of 3 x 2 that the sender is in. */
    assert_int_equal(counted("received_bytes"), 9000 + 70 + 4 + 6 * 20000);
    assert_int_equal(counted("dram_bytes"), 9500);
    assert_int_equal(arch_tensix_span(rig.tensix).core_count, 1);
    assert_int_equal(arch_tensix_span(rig.tensix).cycles,
                     arch_mover_now(kernel->mover));
}

static void hops_count_on_every_link(void **state G_GNUC_UNUSED)
{
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 2, 0, THERE, HERE, 1024));
    call_barrier(kernel, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    /* 32 flits and a header go two hops; the acknowledgement goes on around the ring.
     */
    assert_int_equal(arch_wormhole_noc_flit_hops(arch_tensix_noc(rig.tensix)),
                     2 * 33 + 8);
}

static void barriers_wait_for_their_own_kind(void **state G_GNUC_UNUSED)
{
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 1, 1, THERE, HERE, 8192));
    call_barrier(kernel, ARCH_BARRIER_READ);
    call_barrier(kernel, ARCH_BARRIER_ATOMIC);
    call_barrier(kernel, ARCH_BARRIER_FLUSH);
    call_barrier(kernel, ARCH_BARRIER_WRITE);
    ArchMoverTransfer post = to_core(ARCH_MOVER_INCREMENT, 1, 1, THERE, 0, 0);
    post.value = 1;
    call_transfer(kernel, post);
    call_barrier(kernel, ARCH_BARRIER_WRITE);
    call_barrier(kernel, ARCH_BARRIER_ATOMIC);

    rig_run(&rig);

    const SimTime *ends = kernel->ends;
    assert_int_equal(ends[1] - ends[0], BARRIER_CYCLES);
    assert_int_equal(ends[2] - ends[1], BARRIER_CYCLES);
    /* Some 262 cycles until it has left, then the way there and back. */
    assert_in_range(ends[3] - ends[0], 262, 262 + FLUSH_CYCLES + 15);
    assert_in_range(ends[4] - ends[0], 262 + WAY_22, 262 + WAY_22 + 40);
    assert_int_equal(ends[6] - ends[5], BARRIER_CYCLES);
    assert_int_equal(ends[7] - ends[5], COMMAND_CYCLES + WAY_22 + 6 + BARRIER_CYCLES);
}

static void waits_for_the_noc_are_accounted_for(void **state G_GNUC_UNUSED)
{
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 40);
    for (guint i = 0; i < 10; i++) {
        call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 1, 1, THERE, HERE, 8192));
    }
    call_barrier(kernel, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    const SimTime elapsed = sim_engine_now(rig.engine);
    const uint64_t busy = 10 * 22 + BARRIER_CYCLES;
    assert_int_equal(rig_use(&rig, 0, 0, "writer", "busy"), busy);
    assert_int_equal(rig_use(&rig, 0, 0, "writer", "noc"),
                     kernel_cycles(kernel) - busy);
    assert_int_equal(rig_use(&rig, 0, 0, "writer", "idle"),
                     elapsed - kernel_cycles(kernel));
    assert_int_equal(rig_use(&rig, 0, 0, "writer", NULL), elapsed);
    assert_int_equal(rig_use(&rig, 0, 1, "writer", NULL), 0);
}

static void without_data_time_passes_all_the_same(void **state G_GNUC_UNUSED)
{
    SimTime cycles[2];
    for (guint i = 0; i < 2; i++) {
        Rig own;
        rig_open(&own, 1);
        arch_tensix_set_options(own.tensix,
                                (ArchTensixOptions){.is_functional = i == 0});
        rig_fill(&own, 0, 0, HERE, 64, 1);
        Kernel *kernel = rig_kernel(&own, 0, 0, ARCH_MOVER_BRISC, 0, 0);
        call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 1, 1, THERE, HERE, 64));
        call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 1, 1, THERE + 64, HERE, 4));
        call_barrier(kernel, ARCH_BARRIER_WRITE);

        rig_run(&own);

        cycles[i] = kernel_cycles(kernel);
        assert_int_equal(rig_word(&own, 1, 1, THERE) != 0, i == 0);
        assert_int_not_equal(rig_word(&own, 1, 1, THERE + 64), 0);
        rig_close(&own);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define RIG_TEST(f) cmocka_unit_test_setup_teardown(f, open_rig, close_rig)
        RIG_TEST(kernels_cost_what_transfers_do),
        RIG_TEST(pages_cost_what_transfers_do),
        RIG_TEST(fractions_of_each_kind_add_up_apart),
        RIG_TEST(turning_to_another_tile_costs_what_transfers_say),
        RIG_TEST(multicasts_cost_what_transfers_do),
        RIG_TEST(reads_bring_the_bytes),
        RIG_TEST(writes_carry_what_was_there_when_issued),
        RIG_TEST(inline_writes_are_seen_by_polls_after_they_land),
        RIG_TEST(data_lands_before_the_semaphore_that_follows_it),
        RIG_TEST(increments_of_many_add_up),
        RIG_TEST(multicasts_reach_all_of_a_rectangle),
        RIG_TEST(bytes_count_where_they_arrive),
        RIG_TEST(hops_count_on_every_link),
        RIG_TEST(barriers_wait_for_their_own_kind),
        RIG_TEST(waits_for_the_noc_are_accounted_for),
        RIG_TEST(without_data_time_passes_all_the_same),
    };

    return cmocka_run_group_tests_name("arch.tensix_transfer", tests, NULL, NULL);
}
