/* Reservations: waves that take trees channel by channel, two at a time. */
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

static const NocReservationTimes times = {.out = 9, .back = 8, .handover = 30};

typedef struct {
    NocReservations *book;
    NocHold *hold; /* NULL: not granted */
    SimTime when;
    GArray *tree;
} Asker;

static void granted(gpointer data, NocHold *hold, SimTime when)
{
    Asker *self = data;

    self->hold = hold;
    self->when = when;
}

static uint32_t owner; /* of the next asker */

/* Asks for channels `first` to `last`, one behind the other. */
static Asker *
ask(NocReservations *book, guint first, guint last, bool is_alone, SimTime at)
{
    Asker *self = g_new0(Asker, 1);

    owner++;
    self->book = book;
    self->tree = g_array_new(FALSE, FALSE, sizeof(NocTreeChannel));
    for (guint i = 0; i + first <= last; i++) {
        const NocTreeChannel channel = {
            .channel = first + i, .parent = i == 0 ? 0 : i - 1, .hops = i + 1};

        g_array_append_val(self->tree, channel);
    }
    const NocTreeRequest request = {.tree = self->tree,
                                    .owner = owner,
                                    .is_alone = is_alone,
                                    .start = at,
                                    .granted = granted,
                                    .data = self};

    noc_reservations_ask(book, &request);
    return self;
}

static void pass(Asker *self, guint channel, SimTime now)
{
    noc_reservations_pass(self->book, self->hold, channel, now);
}

static void asker_free(Asker *self)
{
    g_array_unref(self->tree);
    g_free(self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Asker, asker_free)

static void a_wave_goes_out_and_its_news_come_back(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS, times);
    g_autoptr(Asker) one = ask(book, 0, 2, false, 100);

    assert_non_null(one->hold);
    assert_int_equal(one->when, 100 + 3 * (9 + 8));
    assert_int_equal(noc_reservations_waiting(book), 0);
}

static void two_share_a_channel_and_a_third_waits(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS, times);
    g_autoptr(Asker) one = ask(book, 0, 2, false, 0);
    g_autoptr(Asker) two = ask(book, 2, 3, false, 0);
    g_autoptr(Asker) three = ask(book, 1, 2, false, 0);

    assert_int_equal(two->when, 2 * 17);
    assert_null(three->hold);
    assert_int_equal(noc_reservations_waiting(book), 1);
    assert_int_equal(noc_hold_place(one->hold), 0);
    assert_int_equal(noc_hold_place(two->hold), 1);
    pass(one, 1, 200);
    pass(one, 2, 209);
    assert_null(three->hold);
    pass(two, 2, 218);
    /* It stands behind the second. */
    assert_non_null(three->hold);
    assert_int_equal(three->when, 218 + 30 + 2 * 8);
}

/* Behind another it takes channel after channel as that one leaves them. */
static void a_wave_follows_who_leaves(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS, times);
    g_autoptr(Asker) one = ask(book, 0, 3, true, 0);
    g_autoptr(Asker) two = ask(book, 0, 3, true, 0);

    for (guint i = 0; i < 4; i++) {
        assert_null(two->hold);
        pass(one, i, 100 + i);
    }
    /* Free at 133, but the wave took its first channel at 130. */
    assert_int_equal(two->when, 130 + 3 * 9 + 4 * 8);
}

/* An owner's own packets follow each other. */
static void an_owner_does_not_wait_for_itself(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS, times);
    g_autoptr(Asker) one = ask(book, 0, 0, false, 0);
    owner--;
    g_autoptr(Asker) again = ask(book, 0, 0, true, 10);
    g_autoptr(Asker) other = ask(book, 0, 0, false, 20);

    assert_non_null(one->hold);
    assert_int_equal(again->when, 10 + 17);
    assert_null(other->hold);
}

static void who_wants_to_be_alone_waits_for_all(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS, times);
    g_autoptr(Asker) one = ask(book, 0, 0, false, 0);
    g_autoptr(Asker) alone = ask(book, 0, 0, true, 0);
    g_autoptr(Asker) behind = ask(book, 0, 0, false, 0);

    assert_null(alone->hold);
    pass(one, 0, 50);
    assert_non_null(alone->hold);
    assert_null(behind->hold);
    noc_reservations_drop(book, alone->hold, 90);
    assert_int_equal(behind->when, 90 + 30 + 8);
}

/* Random askers for random stretches, left in random order: no channel has three, or
 * somebody beside who is alone, and everyone gets a turn. */
static void everyone_gets_a_turn(void **state G_GNUC_UNUSED)
{
    enum {
        ASKERS = 64,
    };

    for (uint64_t seed = 1; seed <= 50; seed++) {
        g_autoptr(NocReservations) book = noc_reservations_new(CHANNELS, times);
        Asker *askers[ASKERS];
        bool is_over[ASKERS] = {0};
        bool is_alone[ASKERS];
        uint64_t random = seed;

        for (guint i = 0; i < ASKERS; i++) {
            const guint first = (guint) sim_random_below(&random, CHANNELS);
            const guint last =
                first + (guint) sim_random_below(&random, CHANNELS - first);

            is_alone[i] = sim_random_below(&random, 3) == 0;
            askers[i] = ask(book, first, last, is_alone[i], 0);
        }
        for (guint left = ASKERS; left > 0; left--) {
            guint held[CHANNELS] = {0};
            guint next = (guint) sim_random_below(&random, ASKERS);

            for (guint i = 0; i < ASKERS; i++) {
                for (guint j = 0; j < askers[i]->tree->len; j++) {
                    const guint channel =
                        g_array_index(askers[i]->tree, NocTreeChannel, j).channel;

                    held[channel] +=
                        askers[i]->hold != NULL && !is_over[i] ? 1 + is_alone[i] : 0;
                    assert_true(held[channel] <= 2);
                }
            }
            while (askers[next]->hold == NULL || is_over[next]) {
                next = (next + 1) % ASKERS;
            }
            is_over[next] = true;
            noc_reservations_drop(book, askers[next]->hold, ASKERS - left);
        }
        assert_int_equal(noc_reservations_waiting(book), 0);
        for (guint i = 0; i < ASKERS; i++) {
            asker_free(askers[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_goes_out_and_its_news_come_back),
        cmocka_unit_test(two_share_a_channel_and_a_third_waits),
        cmocka_unit_test(a_wave_follows_who_leaves),
        cmocka_unit_test(an_owner_does_not_wait_for_itself),
        cmocka_unit_test(who_wants_to_be_alone_waits_for_all),
        cmocka_unit_test(everyone_gets_a_turn),
    };

    return cmocka_run_group_tests_name("arch.noc_reservation", tests, NULL, NULL);
}
