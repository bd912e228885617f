/* Delay lines and the table of packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/noc/line.h"
#include "arch/noc/packet.h"

static guint take(NocLine *line, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(line, now);
    guint count = batch->count;

    noc_batch_finish(batch);
    return count;
}

static void arrives_at_its_cycle_and_not_before(void **state G_GNUC_UNUSED)
{
    NocLine line;
    noc_line_init(&line, 9);

    noc_line_send(&line, 109, 7, 8);

    assert_int_equal(noc_line_next(&line, 100), 109);
    for (SimTime now = 100; now < 109; now++) {
        assert_int_equal(noc_line_arrivals(&line, now)->count, 0);
    }
    assert_int_equal(noc_line_arrivals(&line, 109)->count, 1);
    assert_int_equal(noc_line_arrivals(&line, 109)->items[0].where, 7);
    assert_int_equal(noc_line_arrivals(&line, 109)->items[0].what, 8);
    noc_line_clear(&line);
}

static void the_longest_delay_does_not_meet_the_present(void **state G_GNUC_UNUSED)
{
    static const SimTime delays[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 1000};

    for (gsize i = 0; i < G_N_ELEMENTS(delays); i++) {
        NocLine line;
        noc_line_init(&line, delays[i]);

        noc_line_send(&line, 50, 1, 0);
        noc_line_send(&line, 50 + delays[i], 2, 0);

        guint now_count = noc_line_arrivals(&line, 50)->count;
        guint expected = delays[i] == 0 ? 2 : 1;
        noc_line_clear(&line);
        if (now_count != expected) {
            fail_msg("delay %" G_GUINT64_FORMAT ": %u at once", delays[i], now_count);
        }
    }
}

static void keeps_the_order_of_sending(void **state G_GNUC_UNUSED)
{
    enum {
        COUNT = 1000, /* more than a batch holds at first */
    };
    NocLine line;
    noc_line_init(&line, 4);

    for (uint32_t i = 0; i < COUNT; i++) {
        noc_line_send(&line, 4, i, COUNT - i);
    }

    NocBatch *batch = noc_line_arrivals(&line, 4);
    assert_int_equal(batch->count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(batch->items[i].where, i);
        assert_int_equal(batch->items[i].what, COUNT - i);
    }
    noc_batch_finish(batch);
    assert_true(noc_line_next(&line, 0) == SIM_TIME_NEVER);
    noc_line_clear(&line);
}

static void reserved_items_follow_those_that_are_there(void **state G_GNUC_UNUSED)
{
    enum {
        COUNT = 1000, /* more than a batch holds at first */
    };
    NocLine line;
    noc_line_init(&line, 4);

    noc_line_send(&line, 4, 1, 2);
    NocBatch *batch = noc_line_open(&line, 4);
    NocItem *items = noc_batch_reserve(batch, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        items[i] = (NocItem){.where = i};
    }
    batch->count += COUNT;

    assert_true(batch->capacity >= COUNT + 1);
    assert_int_equal(batch->items[0].what, 2);
    assert_int_equal(batch->items[COUNT].where, COUNT - 1);
    assert_int_equal(noc_line_next(&line, 0), 4);
    noc_line_clear(&line);
}

static void an_empty_line_has_no_next(void **state G_GNUC_UNUSED)
{
    NocLine line;
    noc_line_init(&line, 5);

    assert_true(noc_line_next(&line, 3) == SIM_TIME_NEVER);
    noc_line_send(&line, 8, 0, 0);
    assert_int_equal(noc_line_next(&line, 8), 8);
    assert_int_equal(take(&line, 8), 1);
    assert_true(noc_line_next(&line, 9) == SIM_TIME_NEVER);
    noc_line_clear(&line);
}

static void a_batch_that_stays_empty_is_not_next(void **state G_GNUC_UNUSED)
{
    NocLine line;
    noc_line_init(&line, 5);

    NocBatch *empty = noc_line_open(&line, 6);
    NocBatch *batch = noc_line_open(&line, 7);
    noc_batch_add(batch, 1, 2);

    assert_int_equal(empty->count, 0);
    assert_int_equal(noc_line_next(&line, 5), 7);
    noc_batch_finish(batch);
    assert_true(noc_line_next(&line, 5) == SIM_TIME_NEVER);
    noc_line_clear(&line);
}

static void is_reused_around_and_around(void **state G_GNUC_UNUSED)
{
    NocLine line;
    noc_line_init(&line, 9);

    for (SimTime now = 0; now < 1000; now++) {
        assert_int_equal(take(&line, now), now >= 9 ? 1 : 0);
        noc_line_send(&line, now + 9, (uint32_t) now, 0);
        assert_int_equal(noc_line_next(&line, now + 1), MAX(now + 1, 9));
    }
    noc_line_clear(&line);
}

static void packets_take_the_place_of_removed_ones(void **state G_GNUC_UNUSED)
{
    NocPackets packets;
    noc_packets_init(&packets);
    uint32_t first = noc_packets_add(&packets, &(NocPacket){.flits = 1});
    uint32_t second = noc_packets_add(&packets, &(NocPacket){.flits = 2});
    uint32_t third = noc_packets_add(&packets, &(NocPacket){.flits = 3});

    noc_packets_remove(&packets, first);
    noc_packets_remove(&packets, third);
    uint32_t fourth = noc_packets_add(&packets, &(NocPacket){.flits = 4});
    uint32_t fifth = noc_packets_add(&packets, &(NocPacket){.flits = 5});
    uint32_t sixth = noc_packets_add(&packets, &(NocPacket){.flits = 6});

    assert_int_equal(fourth, third);
    assert_int_equal(fifth, first);
    assert_int_equal(sixth, 3);
    assert_int_equal(packets.packets[second].flits, 2);
    assert_int_equal(packets.packets[fourth].flits, 4);
    assert_int_equal(packets.packets[fifth].flits, 5);
    noc_packets_clear(&packets);
    assert_int_equal(noc_packets_add(&packets, &(NocPacket){.flits = 1}), 0);
    noc_packets_clear(&packets);
}

static void many_packets_keep_their_contents(void **state G_GNUC_UNUSED)
{
    NocPackets packets;
    noc_packets_init(&packets);

    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(noc_packets_add(&packets, &(NocPacket){.source = i}), i);
    }

    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(packets.packets[i].source, i);
    }
    noc_packets_clear(&packets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrives_at_its_cycle_and_not_before),
        cmocka_unit_test(the_longest_delay_does_not_meet_the_present),
        cmocka_unit_test(keeps_the_order_of_sending),
        cmocka_unit_test(reserved_items_follow_those_that_are_there),
        cmocka_unit_test(an_empty_line_has_no_next),
        cmocka_unit_test(a_batch_that_stays_empty_is_not_next),
        cmocka_unit_test(is_reused_around_and_around),
        cmocka_unit_test(packets_take_the_place_of_removed_ones),
        cmocka_unit_test(many_packets_keep_their_contents),
    };

    return cmocka_run_group_tests_name("arch.noc_line", tests, NULL, NULL);
}
