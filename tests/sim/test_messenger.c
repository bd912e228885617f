/* Tests of messengers: every parcel is delivered once and in order, and few are under
 * way. */
#include "sim/parallel/messenger.h"
#include "tests/sim/support.h"

enum {
    SENT = 3000,
    NAP_US = 2000,
};

/* Plain data: the messenger alone keeps the two threads from racing on it. */
typedef struct {
    guint parcels[MESSENGER_PARCELS]; /* what is in them */
    guint delivered;
    guint wrong; /* out of order */
    GThread *thread;
    gulong nap_us; /* that a delivery takes */
} Diary;

static void deliver(gpointer data, guint parcel)
{
    Diary *self = data;

    g_usleep(self->nap_us);
    self->wrong += self->parcels[parcel] != self->delivered;
    self->delivered++;
    self->thread = g_thread_self();
}

static void send(Messenger *messenger, Diary *diary, guint what)
{
    diary->parcels[messenger_parcel(messenger)] = what;
    messenger_send(messenger);
}

static void parcels_are_delivered_in_order(void **state)
{
    Diary diary = {0};
    g_autoptr(Messenger) messenger = messenger_new(deliver, &diary);

    (void) state;
    for (guint i = 0; i < SENT; i++) {
        send(messenger, &diary, i);
        if (i % 97 == 0) {
            messenger_wait(messenger);
            assert_int_equal(diary.delivered, i + 1);
        }
    }
    messenger_wait(messenger);
    assert_int_equal(diary.delivered, SENT);
    assert_int_equal(diary.wrong, 0);
    assert_ptr_not_equal(diary.thread, g_thread_self());
}

/* A parcel that is under way would be overwritten. */
static void a_fast_sender_waits(void **state)
{
    Diary diary = {.nap_us = NAP_US};
    g_autoptr(Messenger) messenger = messenger_new(deliver, &diary);

    (void) state;
    for (guint i = 0; i < 5 * MESSENGER_PARCELS; i++) {
        send(messenger, &diary, i);
    }
    messenger_wait(messenger);
    assert_int_equal(diary.delivered, 5 * MESSENGER_PARCELS);
    assert_int_equal(diary.wrong, 0);
}

static void nothing_is_lost_at_the_end(void **state)
{
    Diary diary = {.nap_us = NAP_US};
    Messenger *messenger = messenger_new(deliver, &diary);

    (void) state;
    for (guint i = 0; i < MESSENGER_PARCELS; i++) {
        send(messenger, &diary, i);
    }
    messenger_free(messenger);
    assert_int_equal(diary.delivered, MESSENGER_PARCELS);
    assert_int_equal(diary.wrong, 0);
}

static void who_sent_nothing_waits_for_nothing(void **state)
{
    Diary diary = {0};
    g_autoptr(Messenger) messenger = messenger_new(deliver, &diary);

    (void) state;
    messenger_wait(messenger);
    assert_int_equal(diary.delivered, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parcels_are_delivered_in_order),
        cmocka_unit_test(a_fast_sender_waits),
        cmocka_unit_test(nothing_is_lost_at_the_end),
        cmocka_unit_test(who_sent_nothing_waits_for_nothing),
    };

    return cmocka_run_group_tests_name("sim.messenger", tests, NULL, NULL);
}
