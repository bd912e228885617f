/* Messages between two chips: when they leave and land, in which order, for what their
 * senders wait. */
#include "tests/arch/border/fabric_pair.h"

enum {
    HERE = 0x10000,
    THERE = 0x40000,
    PCIE_OUT_HOPS = 9 + 2, /* from (1,1) to (0,3) on noc 0 */
    PCIE_IN_HOPS = 1 + 10, /* and back, on the same */
};

static const ArchPort ethernet = {.kind = ARCH_PORT_ETHERNET, .channel = PAIR_CHANNEL};
static const ArchPort pcie = {.kind = ARCH_PORT_PCIE};

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

static Kernel *sender_at(guint x, guint y)
{
    return rig_kernel(&pair.chips[0], x, y, ARCH_MOVER_BRISC, 0, 0);
}

static Kernel *receiver_at(guint x, guint y)
{
    return rig_kernel(&pair.chips[1], x, y, ARCH_MOVER_NCRISC, 0, 0);
}

/* Both chips, one after the other. */
static void run_pair(void)
{
    rig_run(&pair.chips[0]);
    pair_deliver(&pair, 1);
    rig_run(&pair.chips[1]);
}

/* A look at a word of core (0,0) of chip 1, after all that happens in a cycle. */
typedef struct {
    uint32_t address;
    uint32_t word;
} Look;

static void look(SimRegion *region, gpointer data)
{
    Look *self = data;

    (void) region;
    self->word = rig_word(&pair.chips[1], 0, 0, self->address);
}

static void look_at(Look *self, SimTime when)
{
    sim_region_at(sim_engine_region(pair.chips[1].engine, 0), when,
                  sim_key(UINT32_MAX, UINT16_MAX), look, self);
}

/* When a lone message of core (0,0) is handed over, sent at cycle 0. */
static SimTime alone_sent(uint64_t bytes)
{
    return PAIR_ISSUE + PAIR_COMMAND + pair_way(0, PAIR_HOPS, bytes) + PAIR_INITIATE;
}

static void a_message_lands_at_its_cycle_and_not_before(void **state G_GNUC_UNUSED)
{
    static const guint sizes[] = {16, 64, 1024, 4352};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        pair_close(&pair);
        pair_open(&pair, 1);
        pair_connect(&pair, ethernet);
        rig_fill(&pair.chips[0], 0, 0, HERE, sizes[i], 3);
        call_send(sender_at(0, 0), pair_message(HERE, sizes[i]));
        rig_run(&pair.chips[0]);
        pair_deliver(&pair, 1);
        assert_int_equal(pair.carried->len, 1);
        const Carried *carried = pair_carried(&pair, 0);
        const SimTime lands = carried->came + PAIR_ISSUE + PAIR_COMMAND +
                              pair_way(1, PAIR_HOPS, sizes[i]);
        Look before = {.address = HERE + sizes[i] - 4};
        Look after = before;
        look_at(&before, lands - 1);
        look_at(&after, lands);

        rig_run(&pair.chips[1]);

        assert_int_equal(carried->message.sent, alone_sent(sizes[i]));
        assert_int_equal(before.word, 0);
        assert_int_equal(after.word,
                         rig_word(&pair.chips[0], 0, 0, HERE + sizes[i] - 4));
        rig_assert_filled(&pair.chips[1], 0, 0, HERE, sizes[i], 3);
    }
}

static void an_increment_alone_is_a_word_on_both_networks(void **state G_GNUC_UNUSED)
{
    pair_connect(&pair, ethernet);
    call_send(sender_at(0, 0),
              (ArchMoverMessage){.chip = 1, .semaphore = THERE, .increment = 5});
    rig_run(&pair.chips[0]);
    pair_deliver(&pair, 1);
    const Carried *carried = pair_carried(&pair, 0);
    const SimTime lands =
        carried->came + PAIR_ISSUE + PAIR_COMMAND + pair_word_way(PAIR_HOPS);
    Look before = {.address = THERE};
    Look after = {.address = THERE};
    look_at(&before, lands - 1);
    look_at(&after, lands);

    rig_run(&pair.chips[1]);

    assert_int_equal(carried->message.sent, PAIR_ISSUE + PAIR_COMMAND +
                                                pair_word_way(PAIR_HOPS) +
                                                PAIR_INITIATE);
    assert_int_equal(carried->message.bytes, 0);
    assert_int_equal(carried->message.wire_bytes, 16 + 50);
    assert_null(carried->message.data);
    assert_int_equal(before.word, 0);
    assert_int_equal(after.word, 5);
}

static void a_large_message_goes_by_slots_in_order(void **state G_GNUC_UNUSED)
{
    static const guint parts[] = {PAIR_SLOT, PAIR_SLOT, 1296};
    ArchMoverMessage message = pair_message(HERE, 10000);
    message.semaphore = THERE;
    message.increment = 7;
    pair_connect(&pair, ethernet);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        rig_fill(&pair.chips[0], 0, 0, HERE + i * PAIR_SLOT, parts[i], (guint8) i);
    }
    call_send(sender_at(0, 0), message);

    run_pair();

    assert_int_equal(pair.carried->len, G_N_ELEMENTS(parts));
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        const ArchMessage *part = &pair_carried(&pair, i)->message;

        rig_assert_filled(&pair.chips[1], 0, 0, HERE + i * PAIR_SLOT, parts[i],
                          (guint8) i);
        assert_int_equal(part->bytes, parts[i]);
        assert_int_equal(part->address, HERE + i * PAIR_SLOT);
        assert_int_equal(part->increment, i == 2 ? 7 : 0);
        assert_int_equal(part->wire_bytes, parts[i] + (i == 2 ? 50U : 150U));
    }
    /* The first is on its way while the others cross the network. */
    assert_int_equal(pair_carried(&pair, 0)->message.sent, alone_sent(PAIR_SLOT));
    assert_true(pair_carried(&pair, 0)->message.sent <
                pair_carried(&pair, 2)->message.sent - PAIR_INITIATE);
    assert_int_equal(rig_word(&pair.chips[1], 0, 0, THERE), 7);
}

static void
a_slot_larger_than_a_command_is_filled_by_several(void **state G_GNUC_UNUSED)
{
    pair_set(&pair, "ethernet.slot_bytes=32768");
    pair_connect(&pair, ethernet);
    rig_fill(&pair.chips[0], 0, 0, HERE, 20000, 1);
    call_send(sender_at(0, 0), pair_message(HERE, 20000));

    run_pair();

    assert_int_equal(pair.carried->len, 1);
    assert_int_equal(pair_carried(&pair, 0)->message.bytes, 20000);
    assert_int_equal(pair_carried(&pair, 0)->message.wire_bytes, 20000 + 14 * 50);
    rig_assert_filled(&pair.chips[1], 0, 0, HERE, 20000, 1);
}

/* A kernel that waits for the increment and then reads the data's last word. */
static Kernel *send_with_increment(guint bytes)
{
    ArchMoverMessage message = pair_message(HERE, bytes);
    const uint32_t semaphore = rig_semaphore(&pair.chips[1], 0, 0, 0);
    message.semaphore = semaphore;
    message.increment = 1;
    rig_fill(&pair.chips[0], 0, 0, HERE, bytes, 5);
    call_send(sender_at(0, 0), message);
    Kernel *receiver = receiver_at(0, 0);
    call_semaphore(receiver, semaphore, 1, false);
    call_load(receiver, HERE + bytes - 4);
    return receiver;
}

static void the_increment_follows_the_data(void **state G_GNUC_UNUSED)
{
    static const guint sizes[] = {64, 2048, 9008};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        pair_close(&pair);
        pair_open(&pair, 1);
        pair_connect(&pair, ethernet);
        Kernel *receiver = send_with_increment(sizes[i]);

        run_pair();

        const Carried *last = pair_carried(&pair, pair.carried->len - 1);
        const SimTime lands = last->came + PAIR_ISSUE + PAIR_ISSUE + PAIR_COMMAND +
                              pair_word_way(PAIR_HOPS);
        assert_int_equal(receiver->loaded,
                         rig_word(&pair.chips[0], 0, 0, HERE + sizes[i] - 4));
        assert_true(receiver->ends[0] >= lands);
        assert_true(i > 0 || receiver->ends[0] < lands + RIG_SEMAPHORE_POLL);
        assert_true(rig_use(&pair.chips[1], 0, 0, "reader", "semaphore") > 0);
    }
}

static void messages_between_two_chips_keep_their_order(void **state G_GNUC_UNUSED)
{
    static const guint sizes[] = {4352, 16, 0, 2048, 0, 64};
    Kernel *sender = sender_at(0, 0);
    pair_connect(&pair, ethernet);
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        ArchMoverMessage message = pair_message(HERE, sizes[i]);
        message.semaphore = THERE + i * 16;
        message.increment = i + 1;
        call_send(sender, message);
    }

    run_pair();

    assert_int_equal(pair.carried->len, G_N_ELEMENTS(sizes));
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        assert_int_equal(pair_carried(&pair, i)->message.increment, i + 1);
        assert_int_equal(rig_word(&pair.chips[1], 0, 0, THERE + i * 16), i + 1);
        assert_true(i == 0 ||
                    pair_carried(&pair, i)->message.sent >=
                        pair_carried(&pair, i - 1)->message.sent + PAIR_INITIATE);
    }
}

static void a_mover_waits_for_a_slot_until_one_has_left(void **state G_GNUC_UNUSED)
{
    Kernel *sender = sender_at(0, 0);
    uint64_t waited = 0;
    pair_set(&pair, "ethernet.slot_count=2");
    pair_connect(&pair, ethernet);
    for (guint i = 0; i < 5; i++) {
        call_send(sender, pair_message(HERE, PAIR_SLOT));
    }
    call_barrier(sender, ARCH_BARRIER_FABRIC);

    run_pair();

    for (guint i = 2; i < 5; i++) {
        const SimTime freed = pair_carried(&pair, i - 2)->left;

        assert_int_equal(sender->ends[i], freed + PAIR_ISSUE);
        waited += freed - sender->ends[i - 1];
    }
    assert_int_equal(pair_carried(&pair, 2)->message.sent,
                     pair_carried(&pair, 0)->left + alone_sent(PAIR_SLOT));
    assert_int_equal(sender->ends[5], pair_carried(&pair, 4)->left + PAIR_POLL);
    waited += pair_carried(&pair, 4)->left - sender->ends[4];
    assert_int_equal(rig_use(&pair.chips[0], 0, 0, "writer", "fabric"), waited);
    assert_int_equal(rig_use(&pair.chips[0], 0, 0, "writer", NULL),
                     arch_tensix_span(pair.chips[0].tensix).cycles);
}

static void a_barrier_is_for_the_own_messages_only(void **state G_GNUC_UNUSED)
{
    Kernel *first = sender_at(0, 0);
    pair_connect(&pair, ethernet);
    call_send(first, pair_message(HERE, 16));
    call_barrier(first, ARCH_BARRIER_FABRIC);
    Kernel *second = sender_at(1, 0);
    call_spend(second, 40);
    call_send(second, pair_message(HERE, PAIR_SLOT));
    call_barrier(second, ARCH_BARRIER_FABRIC);

    run_pair();

    assert_int_equal(first->ends[1], pair_carried(&pair, 0)->left + PAIR_POLL);
    assert_int_equal(second->ends[2], pair_carried(&pair, 1)->left + PAIR_POLL);
}

static void messages_wait_for_the_port_one_after_another(void **state G_GNUC_UNUSED)
{
    pair_connect(&pair, ethernet);
    call_send(sender_at(0, 0), pair_message(HERE, 16));
    call_send(sender_at(0, 1), pair_message(HERE, 16));

    run_pair();

    /* The nearer one comes first, nine cycles before the other. */
    const SimTime first = alone_sent(16) - 9;
    assert_int_equal(pair_carried(&pair, 0)->message.sent, first);
    assert_int_equal(pair_carried(&pair, 1)->message.sent, first + PAIR_INITIATE);
}

/* When a kernel sees an increment that comes in a cycle after the port has begun with
 * what leaves at `begins`. */
static SimTime seen_beside(ArchPort port, SimTime begins)
{
    ArchMessage *message = g_new0(ArchMessage, 1);
    pair_connect(&pair, port);
    *message =
        (ArchMessage){.from_chip = 1, .in = port, .semaphore = THERE, .increment = 1};
    call_send(sender_at(0, 0), pair_message(HERE, 16));
    Kernel *receiver = rig_kernel(&pair.chips[0], 0, 0, ARCH_MOVER_NCRISC, 0, 0);
    call_semaphore(receiver, THERE, 1, false);
    arch_fabric_deliver(pair_fabric(&pair, 0), message, begins + 1);
    rig_run(&pair.chips[0]);
    return receiver->ends[0];
}

/* One RISC-V has both to do. */
static void what_comes_in_waits_for_what_leaves(void **state G_GNUC_UNUSED)
{
    const SimTime begins = alone_sent(16) - PAIR_INITIATE;
    const SimTime lands =
        begins + PAIR_INITIATE + PAIR_ISSUE + PAIR_COMMAND + pair_word_way(PAIR_HOPS);

    const SimTime seen = seen_beside(ethernet, begins);

    assert_true(seen >= lands && seen < lands + RIG_SEMAPHORE_POLL);
}

static void pcie_goes_both_ways_at_once(void **state G_GNUC_UNUSED)
{
    const SimTime begins = PAIR_ISSUE + PAIR_COMMAND + pair_way(0, PCIE_OUT_HOPS, 16);
    const SimTime lands = begins + 1 + PAIR_COMMAND + pair_word_way(PCIE_IN_HOPS);

    const SimTime seen = seen_beside(pcie, begins);

    assert_true(seen >= lands && seen < lands + RIG_SEMAPHORE_POLL);
}

/* Messages meet what else is on the network: a core on the way that writes. */
static void ports_contend_with_everything_else(void **state G_GNUC_UNUSED)
{
    pair_connect(&pair, ethernet);
    call_send(sender_at(0, 0), pair_message(HERE, PAIR_SLOT));
    call_transfer(sender_at(0, 1), to_core(ARCH_MOVER_WRITE, 0, 3, THERE, THERE, 8192));

    run_pair();

    assert_true(pair_carried(&pair, 0)->message.sent > alone_sent(PAIR_SLOT) + 100);
}

static void the_pcie_tile_is_a_port_too(void **state G_GNUC_UNUSED)
{
    Kernel *sender = sender_at(0, 0);
    pair_connect(&pair, pcie);
    rig_fill(&pair.chips[0], 0, 0, HERE, 20000, 2);
    call_send(sender, pair_message(HERE, 64));
    call_spend(sender, 1000);
    call_send(sender, pair_message(HERE, 20000));
    rig_run(&pair.chips[0]);
    pair_deliver(&pair, 1);
    const SimTime came = pair_carried(&pair, 0)->came;
    const SimTime lands = came + PAIR_COMMAND + pair_way(0, PCIE_IN_HOPS, 64);
    Look before = {.address = HERE + 60};
    Look after = before;
    look_at(&before, lands - 1);
    look_at(&after, lands);

    rig_run(&pair.chips[1]);

    const SimTime there = PAIR_ISSUE + PAIR_COMMAND + pair_way(0, PCIE_OUT_HOPS, 64);
    assert_int_equal(pair.carried->len, 4);
    assert_int_equal(pair_carried(&pair, 0)->message.sent, there + 52);
    assert_int_equal(pair_carried(&pair, 0)->message.wire_bytes, 64);
    assert_int_equal(pair_carried(&pair, 1)->message.bytes, 8192);
    assert_int_equal(pair_carried(&pair, 3)->message.bytes, 20000 - 2 * 8192);
    assert_int_equal(before.word, 0);
    assert_int_not_equal(after.word, 0);
    rig_assert_filled(&pair.chips[1], 0, 0, HERE, 20000, 2);
}

/* Of kernels on both chips: the times at which their calls ended. */
static char *times_of(bool is_functional, guint thread_count)
{
    GString *text = g_string_new(NULL);
    pair_close(&pair);
    pair_open(&pair, thread_count);
    for (guint i = 0; i < 2; i++) {
        arch_tensix_set_options(pair.chips[i].tensix,
                                (ArchTensixOptions){.is_functional = is_functional});
    }
    pair_connect(&pair, ethernet);
    rig_fill(&pair.chips[0], 0, 0, HERE, 16384, 4);
    for (guint y = 0; y < 3; y++) {
        ArchMoverMessage message = pair_message(HERE, 16384);
        message.address = HERE + y * 16384;
        message.semaphore = THERE;
        message.increment = 1;
        call_send(sender_at(0, y), message);
    }
    Kernel *receiver = receiver_at(0, 0);
    call_semaphore(receiver, THERE, 3, false);
    run_pair();
    for (guint i = 0; i < pair.carried->len; i++) {
        g_string_append_printf(text, " %" G_GUINT64_FORMAT,
                               pair_carried(&pair, i)->message.sent);
    }
    g_string_append_printf(text, " and %" G_GUINT64_FORMAT, receiver->ends[0]);
    return g_string_free(text, FALSE);
}

static void without_data_it_takes_the_same_time(void **state G_GNUC_UNUSED)
{
    g_autofree char *with = times_of(true, 1);
    rig_assert_filled(&pair.chips[1], 0, 0, HERE, 16384, 4);
    g_autofree char *without = times_of(false, 1);

    assert_string_equal(with, without);
    assert_int_equal(rig_word(&pair.chips[1], 0, 0, HERE), 0);
    assert_int_equal(rig_word(&pair.chips[1], 0, 0, THERE), 3);
    assert_null(pair_carried(&pair, 0)->message.data);
}

static void threads_change_nothing(void **state G_GNUC_UNUSED)
{
    g_autofree char *one = times_of(true, 1);
    g_autofree char *four = times_of(true, 4);

    assert_string_equal(one, four);
}

/* One chip counts the other's semaphore up, and waits until its own is. */
static SimTime round_trips(SimTime window, guint count)
{
    const SimTime wire = 6; /* 66 bytes at 12.5 a cycle */
    const SimTime one_way = PAIR_ISSUE + PAIR_COMMAND + pair_word_way(PAIR_HOPS) +
                            PAIR_INITIATE + wire + PAIR_LATENCY + PAIR_ISSUE +
                            PAIR_COMMAND + pair_word_way(PAIR_HOPS);
    Kernel *kernels[2];
    pair_close(&pair);
    pair_open(&pair, 1);
    pair_connect(&pair, ethernet);
    for (guint i = 0; i < 2; i++) {
        kernels[i] = rig_kernel(&pair.chips[i], 0, 0, ARCH_MOVER_BRISC, 0, 0);
        for (guint round = 1; round <= count; round++) {
            if (i == 1) {
                call_semaphore(kernels[i], THERE, round, true);
            }
            call_send(
                kernels[i],
                (ArchMoverMessage){.chip = 1 - i, .semaphore = THERE, .increment = 1});
            if (i == 0) {
                call_semaphore(kernels[i], THERE, round, true);
            }
        }
    }

    pair_run(&pair, window);

    const SimTime cycles = kernel_cycles(kernels[0]);
    assert_true(cycles >= one_way * 2 * count);
    assert_true(cycles < (one_way + RIG_SEMAPHORE_POLL) * 2 * count);
    return cycles;
}

static void two_chips_answer_each_other(void **state G_GNUC_UNUSED)
{
    assert_int_equal(round_trips(PAIR_LATENCY, 5), round_trips(123, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define FABRIC_TEST(name) cmocka_unit_test_setup_teardown(name, open_pair, close_pair)
        FABRIC_TEST(a_message_lands_at_its_cycle_and_not_before),
        FABRIC_TEST(an_increment_alone_is_a_word_on_both_networks),
        FABRIC_TEST(a_large_message_goes_by_slots_in_order),
        FABRIC_TEST(a_slot_larger_than_a_command_is_filled_by_several),
        FABRIC_TEST(the_increment_follows_the_data),
        FABRIC_TEST(messages_between_two_chips_keep_their_order),
        FABRIC_TEST(a_mover_waits_for_a_slot_until_one_has_left),
        FABRIC_TEST(a_barrier_is_for_the_own_messages_only),
        FABRIC_TEST(messages_wait_for_the_port_one_after_another),
        FABRIC_TEST(what_comes_in_waits_for_what_leaves),
        FABRIC_TEST(pcie_goes_both_ways_at_once),
        FABRIC_TEST(ports_contend_with_everything_else),
        FABRIC_TEST(the_pcie_tile_is_a_port_too),
        FABRIC_TEST(without_data_it_takes_the_same_time),
        FABRIC_TEST(threads_change_nothing),
        FABRIC_TEST(two_chips_answer_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
