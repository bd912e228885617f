/* What a watcher sees of cores: calls, waits, fill of buffers, flows, zones, links. */
#include "tests/arch/probe_log.h"
#include "tests/arch/tensix/rig.h"

static Rig rig;
static ProbeLog seen;

static int open_rig(void **state G_GNUC_UNUSED)
{
    seen = (ProbeLog){0};
    rig_open(&rig, 1);
    probe_log_open(&seen, rig.engine);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    probe_log_close(&seen);
    rig_close(&rig);
    return 0;
}

static void watch_only(const char *lanes)
{
    probe_log_close(&seen);
    seen.only = lanes;
    probe_log_open(&seen, rig.engine);
}

static void assert_lane(const char *lane, const char *expected)
{
    g_autofree char *text = probe_log_lane(&seen, lane);

    if (!g_str_equal(text, expected)) {
        fail_msg("%s:\n%sexpected:\n%s", lane, text, expected);
    }
}

static void buffer_calls_are_slices_and_waits_are_stalls(void **state G_GNUC_UNUSED)
{
    rig_buffer(&rig, 2, 1, 3, 4);
    Kernel *reader = rig_kernel(&rig, 2, 1, ARCH_MOVER_NCRISC, 0, 0);
    Kernel *writer = rig_kernel(&rig, 2, 1, ARCH_MOVER_BRISC, 1, 0);
    call_cb(reader, ARCH_MOVER_CB_RESERVE, 3, 2);
    call_cb(reader, ARCH_MOVER_CB_PUSH, 3, 2);
    call_cb(writer, ARCH_MOVER_CB_WAIT, 3, 2);
    call_cb(writer, ARCH_MOVER_CB_POP, 3, 1);

    rig_run(&rig);

    assert_lane("core[2,1].reader", "cb_reserve_back 0..23 cb=3 pages=2\n"
                                    "cb_push_back 23..48 cb=3 pages=2\n");
    /* Sees it at 54, at its fourth poll. */
    assert_lane("core[2,1].writer", "cb_wait_front 0..19 cb=3 pages=2\n"
                                    "(circular_buffer 19..63) cb=3\n"
                                    "cb_pop_front 63..84 cb=3 pages=1\n");
    assert_lane("core[2,1].buffers", "cb 3 +2 @54\n"
                                     "cb 3 -1 @90\n");
}

static void buffers_are_empty_after_their_program(void **state G_GNUC_UNUSED)
{
    rig_buffer(&rig, 0, 0, 31, 4);
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    call_cb(reader, ARCH_MOVER_CB_RESERVE, 31, 3);
    call_cb(reader, ARCH_MOVER_CB_PUSH, 31, 3);
    call_cb(reader, ARCH_MOVER_CB_WAIT, 31, 3);

    rig_run(&rig);
    assert_true(arch_tensix_finish(rig.tensix, NULL));
    sim_engine_finish_watch(rig.engine);

    assert_lane("core[0,0].buffers", "cb 31 +3 @54\n"
                                     "cb 31 -3 @67\n");
}

static void calls_one_after_another_stay_apart(void **state G_GNUC_UNUSED)
{
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 40);
    call_spend(reader, 100);
    call_spend(reader, 0);
    call_spend(reader, 10);

    rig_run(&rig);

    assert_lane("core[0,0].reader", "spend 40..140\n"
                                    "spend 140..150\n");
}

static void words_of_the_own_l1_are_slices(void **state G_GNUC_UNUSED)
{
    const uint32_t word = rig_semaphore(&rig, 0, 0, 0);
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_semaphore(reader, word, 1, false);
    call_load(reader, word);
    call_spend(writer, 20);
    call_store(writer, word, 1, 1);

    rig_run(&rig);

    assert_lane("core[0,0].writer", "spend 0..20\n"
                                    "store_words 20..25 address=32768 words=1\n");
    /* It is there at 25, which the second poll sees. */
    assert_lane("core[0,0].reader", "noc_semaphore_wait 0..8 address=32768 value=1\n"
                                    "(semaphore 8..30)\n"
                                    "load_word 30..38 address=32768\n");
}

/* A command is in the network after 6 cycles, in the first router after 5 more, at the
 * next one after 9, and beyond the last after 5; the header goes first, and a flit of
 * 32 bytes follows each cycle. */
static void writes_flow_to_where_they_arrive(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 0, 0, 64);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(writer, to_core(ARCH_MOVER_WRITE, 2, 0, here, here, 64));
    call_barrier(writer, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    assert_lane("core[0,0].writer", "noc_async_write 0..22 bytes=64 x=2 y=0 >1\n"
                                    "(noc 22..146)\n"
                                    "noc_async_write_barrier 146..153\n");
    assert_lane("core[2,0].noc0", "arrive @58 bytes=64 x=0 y=0 received_bytes=64 <1\n");
    assert_lane("core[0,0].noc0", "in flight +1 @22\n"
                                  "in flight -1 @146\n");
    assert_lane("noc0[1,1].east", "flits 33..36\n");
    assert_lane("noc0[2,1].east", "flits 42..45\n");
    assert_lane("noc0[9,1].east", "flits 123..124\n"); /* the acknowledgement */
    assert_lane("noc0[1,1].south", "");
}

/* A watcher that writes as it goes has the beginning first. */
static void flows_begin_before_they_end(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 0, 0, 64);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(writer, to_core(ARCH_MOVER_WRITE, 2, 0, here, here, 64));
    call_barrier(writer, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    g_autofree char *text = probe_log_text(&seen);
    const char *begin = strstr(text, ">1\n");
    const char *end = strstr(text, "<1\n");
    assert_non_null(begin);
    assert_non_null(end);
    assert_true(begin < end);
}

static void reads_flow_to_the_core_that_reads(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 3, 0, 64);
    Kernel *reader = rig_kernel(&rig, 3, 0, ARCH_MOVER_NCRISC, 1, 0);
    call_transfer(reader, to_core(ARCH_MOVER_READ, 2, 0, here, here, 32));
    call_transfer(reader, to_dram(ARCH_MOVER_READ, 5, 0, here, 64));
    call_barrier(reader, ARCH_BARRIER_READ);

    rig_run(&rig);

    assert_lane("core[3,0].reader",
                "noc_async_read 0..25 bytes=32 x=2 y=0 >1\n"
                "noc_async_read 25..50 bytes=64 bank=5 dram_bytes=64 >2\n"
                "(noc 50..386) bank=5\n"
                "noc_async_read_barrier 386..393\n");
    /* One hop there, 14 cycles of the other's L1, nine hops back, one flit of
     * data. */
    assert_lane("core[3,0].noc1", "in flight +1 @25\n"
                                  "in flight +1 @50\n"
                                  "in flight -1 @156\n"
                                  "arrive @156 bytes=32 x=2 y=0 received_bytes=32 <1\n"
                                  "in flight -1 @386\n"
                                  "arrive @386 bytes=64 bank=5 received_bytes=64 <2\n");
    assert_lane("core[2,0].noc1", "");
}

static void writes_to_dram_flow_to_their_bank(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 3, 2, 64);
    Kernel *writer = rig_kernel(&rig, 3, 2, ARCH_MOVER_BRISC, 1, 0);
    call_transfer(writer, to_dram(ARCH_MOVER_WRITE, 7, 0, here, 64));

    rig_run(&rig);

    g_autofree char *arrivals = probe_log_lane(&seen, "dram[7,0].noc1");
    assert_true(g_str_has_prefix(arrivals, "arrive @"));
    assert_true(g_str_has_suffix(arrivals, " bytes=64 x=3 y=2 <1\n"));
}

/* Each of the packets of one call is a slice and a flow of its own. */
static void long_writes_are_several_packets(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 0, 0, 20000);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(writer, to_core(ARCH_MOVER_WRITE_POSTED, 1, 0, here, here, 20000));

    rig_run(&rig);

    g_autofree char *arrivals = probe_log_lane(&seen, "core[1,0].noc0");
    g_autofree char *flights = probe_log_lane(&seen, "core[0,0].noc0");
    assert_lane("core[0,0].writer", "noc_async_write 0..22 bytes=8192 x=1 y=0 >1\n"
                                    "noc_async_write 22..44 bytes=8192 x=1 y=0 >2\n"
                                    "noc_async_write 44..66 bytes=3616 x=1 y=0 >3\n"
                                    "(noc 66..289)\n"); /* two fit into the queue */
    assert_non_null(strstr(arrivals, "bytes=8192 x=0 y=0 received_bytes=8192 <1\n"));
    assert_non_null(strstr(arrivals, "bytes=8192 x=0 y=0 received_bytes=8192 <2\n"));
    assert_non_null(strstr(arrivals, "bytes=3616 x=0 y=0 received_bytes=3616 <3\n"));
    assert_true(g_str_has_prefix(flights, "in flight +1 @22\n"
                                          "in flight +1 @44\n"
                                          "in flight +1 @289\n"
                                          "in flight -1 @"));
}

/* Nearer ones have it sooner: the last of them ends the flow. */
static void multicasts_flow_to_the_last_of_their_receivers(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 0, 0, 32);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    ArchMoverTransfer what = to_core(ARCH_MOVER_MULTICAST, 1, 0, here, here, 32);
    what.corner_x = 3;
    what.corner_y = 0;
    call_transfer(writer, what);
    call_barrier(writer, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    g_autofree char *first = probe_log_lane(&seen, "core[1,0].noc0");
    g_autofree char *second = probe_log_lane(&seen, "core[2,0].noc0");
    g_autofree char *last = probe_log_lane(&seen, "core[3,0].noc0");
    g_autofree char *calls = probe_log_lane(&seen, "core[0,0].writer");
    assert_true(g_str_has_prefix(calls, "noc_async_write_multicast 0.."));
    assert_non_null(strstr(calls, " bytes=32 x=1 y=0 >1\n"));
    assert_true(g_str_has_suffix(first, " bytes=32 x=0 y=0 received_bytes=32\n"));
    assert_true(g_str_has_suffix(second, " bytes=32 x=0 y=0 received_bytes=32\n"));
    assert_true(g_str_has_suffix(last, " bytes=32 x=0 y=0 received_bytes=32 <1\n"));
}

/* Who sends it does not count where it does not receive. */
static void multicasts_may_be_around_their_sender(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 1, 0, 32);
    Kernel *writer = rig_kernel(&rig, 1, 0, ARCH_MOVER_BRISC, 0, 0);
    ArchMoverTransfer what = to_core(ARCH_MOVER_MULTICAST, 0, 0, here, here, 32);
    what.corner_x = 2;
    what.corner_y = 0;
    call_transfer(writer, what);
    call_barrier(writer, ARCH_BARRIER_WRITE);
    what.is_loopback = true;
    call_transfer(writer, what);

    rig_run(&rig);

    g_autofree char *text = probe_log_text(&seen);
    g_autofree char *own = probe_log_lane(&seen, "core[1,0].noc0");
    assert_non_null(strstr(text, "<1\n"));
    assert_non_null(strstr(text, "<2\n"));
    assert_non_null(strstr(own, "arrive @"));
    assert_true(strstr(own, "arrive @") == g_strrstr(own, "arrive @"));
}

static void increments_flow_to_their_semaphore(void **state G_GNUC_UNUSED)
{
    const uint32_t word = rig_semaphore(&rig, 1, 1, 0);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    ArchMoverTransfer what = to_core(ARCH_MOVER_INCREMENT, 1, 1, word, 0, 4);
    what.value = 2;
    call_transfer(writer, what);

    rig_run(&rig);

    g_autofree char *calls = probe_log_lane(&seen, "core[0,0].writer");
    g_autofree char *arrivals = probe_log_lane(&seen, "core[1,1].noc0");
    assert_true(g_str_has_prefix(calls, "noc_semaphore_inc 0.."));
    assert_true(g_str_has_suffix(calls, " bytes=4 x=1 y=1 >1\n"));
    assert_true(g_str_has_suffix(arrivals, " bytes=4 x=0 y=0 received_bytes=4 <1\n"));
}

/* Of a flow of which one end is not wanted there is none at all. */
static void flows_have_both_ends(void **state G_GNUC_UNUSED)
{
    watch_only("core[0,0];core[1,0]");
    const uint32_t here = rig_memory(&rig, 0, 0, 64);
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    Kernel *other = rig_kernel(&rig, 0, 1, ARCH_MOVER_BRISC, 0, 0);
    ArchMoverTransfer what = to_core(ARCH_MOVER_MULTICAST, 1, 0, here, here, 32);
    what.corner_x = 3;
    what.corner_y = 1;
    call_transfer(writer, to_core(ARCH_MOVER_WRITE, 2, 0, here, here, 64));
    call_transfer(writer, to_dram(ARCH_MOVER_WRITE, 0, 0, here, 64));
    call_transfer(writer, what);
    call_transfer(other, to_core(ARCH_MOVER_WRITE, 0, 0, here, here, 64));

    rig_run(&rig);

    g_autofree char *calls = probe_log_lane(&seen, "core[0,0].writer");
    g_autofree char *here_text = probe_log_lane(&seen, "core[0,0].noc0");
    g_autofree char *next_text = probe_log_lane(&seen, "core[1,0].noc0");
    assert_non_null(strstr(calls, "bytes=64 x=2 y=0\n"));
    assert_non_null(strstr(calls, "bytes=64 bank=0 dram_bytes=64\n"));
    assert_non_null(strstr(calls, "bytes=32 x=1 y=0 >1\n"));
    assert_non_null(strstr(next_text, "bytes=32 x=0 y=0 received_bytes=32 <1\n"));
    assert_non_null(strstr(here_text, "bytes=64 x=0 y=1 received_bytes=64\n"));
    assert_lane("core[0,1].writer", "");
    assert_lane("noc0[1,1].east", "");
}

static void numbers_of_flows_go_on_in_the_next_program(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 2; i++) {
        const uint32_t here = rig_memory(&rig, 0, 0, 64);
        Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);

        call_transfer(writer, to_core(ARCH_MOVER_WRITE, 2, 0, here, here, 64));
        rig_run(&rig);
        assert_true(arch_tensix_finish(rig.tensix, NULL));
    }

    g_autofree char *arrivals = probe_log_lane(&seen, "core[2,0].noc0");
    assert_non_null(strstr(arrivals, "<1\n"));
    assert_non_null(strstr(arrivals, "<2\n"));
}

static void the_innermost_zone_is_seen(void **state G_GNUC_UNUSED)
{
    Kernel *reader = rig_kernel(&rig, 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    call_zone(reader, "outer");
    call_spend(reader, 10);
    call_zone(reader, "inner");
    call_spend(reader, 5);
    call_zone(reader, NULL);
    call_spend(reader, 1);
    call_zone(reader, NULL);
    call_spend(reader, 7);
    call_zone(reader, "empty");
    call_zone(reader, NULL);
    call_zone(reader, "next");
    call_spend(reader, 2);
    call_zone(reader, NULL);

    rig_run(&rig);

    assert_lane("core[0,0].zones_reader", "outer 0..10\n"
                                          "inner 10..15\n"
                                          "outer 15..16\n"
                                          "next 23..25\n");
    assert_lane("core[0,0].zones_writer", "");
}

static void nothing_is_seen_where_nobody_watches(void **state G_GNUC_UNUSED)
{
    const uint32_t here = rig_memory(&rig, 0, 0, 64);
    rig_buffer(&rig, 0, 0, 0, 1);
    sim_engine_watch(rig.engine, &(SimWatch){0});
    Kernel *writer = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(writer, to_core(ARCH_MOVER_WRITE, 2, 0, here, here, 64));
    call_barrier(writer, ARCH_BARRIER_WRITE);

    rig_run(&rig);

    assert_int_equal(kernel_cycles(writer), 153);
    assert_int_equal(seen.records->len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define RIG_TEST(f) cmocka_unit_test_setup_teardown(f, open_rig, close_rig)
        RIG_TEST(buffer_calls_are_slices_and_waits_are_stalls),
        RIG_TEST(buffers_are_empty_after_their_program),
        RIG_TEST(calls_one_after_another_stay_apart),
        RIG_TEST(words_of_the_own_l1_are_slices),
        RIG_TEST(writes_flow_to_where_they_arrive),
        RIG_TEST(flows_begin_before_they_end),
        RIG_TEST(reads_flow_to_the_core_that_reads),
        RIG_TEST(writes_to_dram_flow_to_their_bank),
        RIG_TEST(long_writes_are_several_packets),
        RIG_TEST(multicasts_flow_to_the_last_of_their_receivers),
        RIG_TEST(multicasts_may_be_around_their_sender),
        RIG_TEST(increments_flow_to_their_semaphore),
        RIG_TEST(flows_have_both_ends),
        RIG_TEST(numbers_of_flows_go_on_in_the_next_program),
        RIG_TEST(the_innermost_zone_is_seen),
        RIG_TEST(nothing_is_seen_where_nobody_watches),
    };

    return cmocka_run_group_tests_name("arch.tensix_probe", tests, NULL, NULL);
}
