/* Reservations: all of a path or nothing, first come first served. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/noc/reservation.h"
#include "sim/random.h"

enum {
    CHANNELS = 16,
};

/* Channels as bits of a word. */
static GArray *path_of(uint32_t channels)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (uint32_t i = 0; i < CHANNELS; i++) {
        if ((channels >> i & 1) != 0) {
            g_array_append_val(path, i);
        }
    }
    return path;
}

static void count(gpointer data)
{
    ++*(guint *) data;
}

static void
ask(NocReservations *book, uint32_t owner, uint32_t channels, guint *granted)
{
    g_autoptr(GArray) path = path_of(channels);

    noc_reservations_ask(book, owner, path, count, granted);
}

static void release(NocReservations *book, uint32_t owner, uint32_t channels)
{
    g_autoptr(GArray) path = path_of(channels);

    noc_reservations_release(book, owner, path);
}

static void a_path_is_held_until_it_is_given_back(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS);
    guint granted[3] = {0};

    ask(book, 1, 0x3, &granted[0]);
    ask(book, 2, 0x6, &granted[1]);
    ask(book, 3, 0x8, &granted[2]);

    assert_int_equal(granted[0], 1);
    assert_int_equal(granted[1], 0);
    assert_int_equal(granted[2], 1);
    assert_int_equal(noc_reservations_waiting(book), 1);
    release(book, 1, 0x3);
    assert_int_equal(granted[1], 1);
    assert_int_equal(noc_reservations_waiting(book), 0);
}

/* Who waits holds nothing, yet is not overtaken on what it waits for. */
static void who_waits_is_not_overtaken(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS);
    guint granted[4] = {0};

    ask(book, 1, 0x1, &granted[0]);
    ask(book, 2, 0x3, &granted[1]); /* waits for the first channel */
    ask(book, 3, 0x6, &granted[2]); /* wants the second, which is free but asked for */
    ask(book, 1, 0x1, &granted[3]); /* its own, but asked for */

    assert_int_equal(granted[2] + granted[3], 0);
    release(book, 1, 0x1);
    assert_int_equal(granted[1], 1);
    assert_int_equal(granted[2] + granted[3], 0);
    release(book, 2, 0x3);
    assert_int_equal(granted[2], 1);
    assert_int_equal(granted[3], 1);
}

static void an_owner_may_hold_a_channel_twice(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS);
    g_autoptr(GArray) path = path_of(0x3);
    guint granted[3] = {0};

    ask(book, 1, 0x3, &granted[0]);
    ask(book, 1, 0x2, &granted[1]);
    assert_int_equal(granted[1], 1);
    ask(book, 2, 0x2, &granted[2]);
    noc_reservations_hold_again(book, 1, path);

    release(book, 1, 0x3);
    release(book, 1, 0x2);
    assert_int_equal(granted[2], 0);
    release(book, 1, 0x3);
    assert_int_equal(granted[2], 1);
}

/* Random owners ask for random paths and give them back in random order: no channel
 * has two owners, and everyone gets a turn. */
static void everyone_gets_a_turn(void **state G_GNUC_UNUSED)
{
    enum {
        ASKERS = 64,
    };

    for (uint64_t seed = 1; seed <= 50; seed++) {
        g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS);
        uint32_t channels[ASKERS];
        guint granted[ASKERS] = {0};
        bool is_over[ASKERS] = {0};
        uint64_t random = seed;

        for (guint i = 0; i < ASKERS; i++) {
            channels[i] = 1 + (uint32_t) sim_random_below(&random, (1 << CHANNELS) - 1);
            ask(book, i, channels[i], &granted[i]);
        }
        for (guint left = ASKERS; left > 0; left--) {
            uint32_t held = 0;
            guint next = (guint) sim_random_below(&random, ASKERS);

            for (guint i = 0; i < ASKERS; i++) {
                if (granted[i] == 1 && !is_over[i]) {
                    assert_int_equal(held & channels[i], 0);
                    held |= channels[i];
                }
            }
            assert_int_not_equal(held, 0);
            while (granted[next] == 0 || is_over[next]) {
                next = (next + 1) % ASKERS;
            }
            is_over[next] = true;
            release(book, next, channels[next]);
        }
        assert_int_equal(noc_reservations_waiting(book), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_held_until_it_is_given_back),
        cmocka_unit_test(who_waits_is_not_overtaken),
        cmocka_unit_test(an_owner_may_hold_a_channel_twice),
        cmocka_unit_test(everyone_gets_a_turn),
    };

    return cmocka_run_group_tests_name("arch.noc_reservation", tests, NULL, NULL);
}
