/* What cannot be sent to another chip, ports that are not there, senders that are gone
 * or wait for ever, and what a watcher sees. */
#include "sim/error.h"
#include "tests/arch/border/fabric_pair.h"
#include "tests/arch/probe_log.h"

enum {
    HERE = 0x10000,
    THERE = 0x40000,
};

static const ArchPort ethernet = {.kind = ARCH_PORT_ETHERNET, .channel = PAIR_CHANNEL};

static Pair pair;

static int open_pair(void **state G_GNUC_UNUSED)
{
    pair_open(&pair, 1);
    return 0;
}

static int close_pair(void **state G_GNUC_UNUSED)
{
    pair_close(&pair);
    return 0;
}

static char *refusal_of(ArchMoverMessage message)
{
    Kernel *sender = rig_kernel(&pair.chips[0], 0, 0, ARCH_MOVER_BRISC, 0, 0);

    call_send(sender, message);
    return rig_fail(&pair.chips[0], ARCH_ERROR, ARCH_ERROR_INVALID);
}

static void what_cannot_be_sent_is_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchMoverMessage message;
        const char *words;
    } rows[] = {
        {{.chip = 0, .address = HERE, .local = HERE, .bytes = 16},
         "chip 0 is the kernel's own, noc_async_write reaches its cores"},
        {{.chip = 3, .address = HERE, .local = HERE, .bytes = 16},
         "no path from chip 0 to chip 3 in system four"},
        {{.chip = 4, .address = HERE, .local = HERE, .bytes = 16},
         "chip 4, system four has 0..3"},
        {{.chip = 1, .x = 8, .address = HERE, .local = HERE, .bytes = 16},
         "core 8,0 is outside the compute grid, which has 0..7,0..6 (rows 10,11 of the "
         "chip are harvested, what is left dispatches)"},
        {{.chip = 1, .address = HERE + 8, .local = HERE + 8, .bytes = 16},
         "L1 address 0x10008 and local address 0x10008: both must be multiples "
         "of 16"},
        {{.chip = 1, .address = HERE, .local = HERE + 4, .bytes = 16},
         "L1 address 0x10000 and local address 0x10004: both must be multiples "
         "of 16"},
        {{.chip = 1, .address = 1499120, .local = HERE, .bytes = 32},
         "l1: 32 bytes at address 1499120 reach past its end at 1499136"},
        {{.chip = 1, .address = HERE, .local = 1499120, .bytes = 32},
         "l1: 32 bytes at address 1499120 reach past its end at 1499136"},
        {{.chip = 1, .semaphore = THERE + 2, .increment = 1},
         "address 0x40002 is no multiple of 4, as a word's must be"},
        {{.chip = 1, .semaphore = 1499136, .increment = 1},
         "l1: 4 bytes at address 1499136 reach past its end at 1499136"},
        {{.chip = 1}, "neither bytes nor an increment"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        pair_close(&pair);
        pair_open(&pair, 1);
        pair_connect(&pair, ethernet);
        arch_fabric_set_system(pair_fabric(&pair, 0), "four", 4);

        g_autofree char *words = refusal_of(rows[i].message);

        assert_string_equal(words, rows[i].words);
        assert_int_equal(pair.carried->len, 0);
    }
}

static void a_chip_alone_has_no_path(void **state G_GNUC_UNUSED)
{
    assert_int_equal(arch_fabric_chip(pair_fabric(&pair, 0)), 0);
    assert_false(arch_fabric_is_connected(pair_fabric(&pair, 0)));

    g_autofree char *words = refusal_of(pair_message(HERE, 16));

    assert_string_equal(words, "no path from chip 0 to chip 1 in the system");
}

static void ports_that_are_not_there_are_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchPort port;
        const char *words;
    } rows[] = {
        {{ARCH_PORT_ETHERNET, 16},
         "wormhole_n300: Ethernet channel 16, the chip has 0..15"},
        {{ARCH_PORT_PCIE, 1}, "wormhole_n300: PCIe port 1, the chip has one, 0"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ArchFabricRoute route = {.chip = 1, .out = rows[i].port, .in = ethernet};
        g_autoptr(GError) error = NULL;
        g_autoptr(GError) again = NULL;

        assert_false(arch_fabric_connect(pair_fabric(&pair, 0), 0, &route, 1, &error));
        assert_false(
            arch_fabric_check_port(pair_fabric(&pair, 0), rows[i].port, &again));

        assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
        assert_string_equal(error->message, rows[i].words);
        assert_string_equal(again->message, rows[i].words);
    }
    assert_true(arch_fabric_check_port(pair_fabric(&pair, 0),
                                       (ArchPort){ARCH_PORT_ETHERNET, 15}, NULL));
}

static void two_ways_to_one_chip_are_refused(void **state G_GNUC_UNUSED)
{
    const ArchFabricRoute routes[] = {{1, ethernet, ethernet},
                                      {1, {ARCH_PORT_PCIE, 0}, ethernet}};
    g_autoptr(GError) error = NULL;

    assert_false(arch_fabric_connect(pair_fabric(&pair, 0), 0, routes, 2, &error));

    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    assert_string_equal(error->message, "two ways lead to chip 1, one is allowed");
}

static void a_semaphore_that_overflows_ends_the_run(void **state G_GNUC_UNUSED)
{
    const uint32_t most = INT32_MAX;
    ArchMessage *message = g_new0(ArchMessage, 1);
    pair_connect(&pair, ethernet);
    *message = (ArchMessage){
        .from_chip = 1, .in = ethernet, .semaphore = THERE, .increment = 1};
    assert_true(arch_tensix_write(rig_core(&pair.chips[0], 0, 0), THERE, &most,
                                  sizeof most, NULL));
    arch_fabric_deliver(pair_fabric(&pair, 0), message, 10);

    g_autofree char *words = rig_fail(&pair.chips[0], ARCH_ERROR, ARCH_ERROR_INVALID);

    assert_string_equal(words,
                        "a message from chip 1: the semaphore at 0x40000 of "
                        "core[0,0] overflows, 2147483647 + 1 is above 2147483647");
}

static void messages_outlive_the_program_that_sent_them(void **state G_GNUC_UNUSED)
{
    pair_connect(&pair, ethernet);
    pair.is_stuck = true;
    call_send(rig_kernel(&pair.chips[0], 0, 0, ARCH_MOVER_BRISC, 0, 0),
              pair_message(HERE, 64));
    rig_run(&pair.chips[0]);

    assert_true(arch_tensix_finish(pair.chips[0].tensix, NULL));
    arch_fabric_left(pair_fabric(&pair, 0), ethernet, pair_carried(&pair, 0)->left);
    pair_deliver(&pair, 1);
    rig_run(&pair.chips[0]);
    rig_run(&pair.chips[1]);

    assert_int_equal(pair.carried->len, 1);
}

static void who_waits_for_a_slot_for_ever_is_named(void **state G_GNUC_UNUSED)
{
    Kernel *sender = rig_kernel(&pair.chips[0], 0, 0, ARCH_MOVER_BRISC, 0, 0);
    pair_set(&pair, "ethernet.slot_count=1");
    pair_connect(&pair, ethernet);
    pair.is_stuck = true;
    call_send(sender, pair_message(HERE, 64));
    call_send(sender, pair_message(HERE, 64));

    g_autofree char *words = rig_fail(&pair.chips[0], SIM_ERROR, SIM_ERROR_DEADLOCK);

    assert_non_null(strstr(words, "core[0,0].writer (kernel) waits for a free slot of "
                                  "Ethernet port 9, since cycle 22"));
}

static void who_waits_at_the_barrier_for_ever_is_named(void **state G_GNUC_UNUSED)
{
    Kernel *sender = rig_kernel(&pair.chips[0], 0, 0, ARCH_MOVER_BRISC, 0, 0);
    pair_connect(&pair, ethernet);
    pair.is_stuck = true;
    call_send(sender, pair_message(HERE, 64));
    call_barrier(sender, ARCH_BARRIER_FABRIC);

    g_autofree char *words = rig_fail(&pair.chips[0], SIM_ERROR, SIM_ERROR_DEADLOCK);

    assert_non_null(strstr(words, "waits for fabric_write_barrier: 1 under way"));
}

/* Calls, waits and slots, to the cycle. */
static void a_watcher_sees_calls_ports_and_slots(void **state G_GNUC_UNUSED)
{
    ProbeLog seen = {0};
    Rig *rig = &pair.chips[0];
    pair_set(&pair, "ethernet.slot_count=1");
    pair_connect(&pair, ethernet);
    probe_log_open(&seen, rig->engine);
    Kernel *sender = rig_kernel(rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_send(sender, pair_message(HERE, 64));
    call_send(sender, pair_message(HERE, 64));
    call_barrier(sender, ARCH_BARRIER_FABRIC);

    rig_run(rig);

    const Carried *first = pair_carried(&pair, 0);
    const Carried *second = pair_carried(&pair, 1);
    g_autofree char *writer = probe_log_lane(&seen, "core[0,0].writer");
    g_autofree char *port = probe_log_lane(&seen, "ethernet[9,0].out");
    g_autofree char *calls = g_strdup_printf(
        "fabric_async_write 0..22 bytes=64 chip=1\n(fabric 22..%u)\n"
        "fabric_async_write %u..%u bytes=64 chip=1\n(fabric %u..%u)\n"
        "fabric_write_barrier %u..%u\n",
        (guint) first->left, (guint) first->left, (guint) first->left + PAIR_ISSUE,
        (guint) first->left + PAIR_ISSUE, (guint) second->left, (guint) second->left,
        (guint) second->left + PAIR_POLL);
    assert_string_equal(writer, calls);
    assert_non_null(strstr(port, "initiate "));
    assert_int_equal(probe_log_cycles(&seen, "ethernet[9,0].out", NULL),
                     2 * PAIR_INITIATE);
    assert_int_equal(probe_log_cycles(&seen, "core[0,0].writer", "fabric"),
                     rig_use(rig, 0, 0, "writer", "fabric"));
    probe_log_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define FABRIC_TEST(name) cmocka_unit_test_setup_teardown(name, open_pair, close_pair)
        FABRIC_TEST(what_cannot_be_sent_is_refused),
        FABRIC_TEST(a_chip_alone_has_no_path),
        FABRIC_TEST(ports_that_are_not_there_are_refused),
        FABRIC_TEST(two_ways_to_one_chip_are_refused),
        FABRIC_TEST(a_semaphore_that_overflows_ends_the_run),
        FABRIC_TEST(messages_outlive_the_program_that_sent_them),
        FABRIC_TEST(who_waits_for_a_slot_for_ever_is_named),
        FABRIC_TEST(who_waits_at_the_barrier_for_ever_is_named),
        FABRIC_TEST(a_watcher_sees_calls_ports_and_slots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
