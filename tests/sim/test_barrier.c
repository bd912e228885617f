/* Tests of the barrier: nobody passes early, the serial part runs once a round. */
#include <stdbool.h>

#include "sim/parallel/barrier.h"
#include "tests/sim/support.h"

enum {
    THREADS_LIMIT = 16,
};

/* Plain data: the barrier alone keeps the threads from racing on it. */
typedef struct {
    Barrier *barrier;
    guint thread_count;
    guint rounds;
    guint done[THREADS_LIMIT]; /* rounds each thread has worked */
    guint serial_calls;
    bool is_wrong;
} Meeting;

typedef struct {
    Meeting *meeting;
    guint thread;
} Member;

static void serial(gpointer data)
{
    Meeting *self = data;

    self->serial_calls++;
    for (guint i = 0; i < self->thread_count; i++) {
        self->is_wrong |= self->done[i] != self->serial_calls;
    }
}

static gpointer attend(gpointer data)
{
    const Member *member = data;
    Meeting *self = member->meeting;

    for (guint round = 1; round <= self->rounds; round++) {
        self->done[member->thread] = round;
        barrier_wait(self->barrier, serial, self);
        if (self->serial_calls != round) {
            return GUINT_TO_POINTER(round);
        }
        barrier_wait(self->barrier, NULL, NULL);
    }
    return NULL;
}

static void check_meeting(guint thread_count, guint rounds)
{
    g_autoptr(Barrier) barrier = barrier_new(thread_count);
    Meeting meeting = {barrier, thread_count, rounds, {0}, 0, false};
    Member members[THREADS_LIMIT];
    GThread *threads[THREADS_LIMIT];

    for (guint i = 0; i < thread_count; i++) {
        members[i] = (Member){&meeting, i};
        threads[i] = g_thread_new("member", attend, &members[i]);
    }
    for (guint i = 0; i < thread_count; i++) {
        gpointer wrong_round = g_thread_join(threads[i]);

        if (wrong_round != NULL) {
            fail_msg("%u threads: one passed round %u early", thread_count,
                     GPOINTER_TO_UINT(wrong_round));
        }
    }
    assert_false(meeting.is_wrong);
    assert_int_equal(meeting.serial_calls, rounds);
}

static void the_serial_part_runs_once_a_round(void **state)
{
    (void) state;

    for (guint threads = 1; threads <= 8; threads++) {
        check_meeting(threads, 2000);
    }
}

static void more_threads_than_processors_get_through(void **state)
{
    (void) state;

    check_meeting(THREADS_LIMIT, 500);
}

static void a_barrier_of_one_never_waits(void **state)
{
    g_autoptr(Barrier) barrier = barrier_new(1);
    Meeting meeting = {.barrier = barrier, .thread_count = 0};

    (void) state;
    barrier_wait(barrier, serial, &meeting);
    barrier_wait(barrier, NULL, NULL);
    barrier_wait(barrier, serial, &meeting);

    assert_int_equal(meeting.serial_calls, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_serial_part_runs_once_a_round),
        cmocka_unit_test(more_threads_than_processors_get_through),
        cmocka_unit_test(a_barrier_of_one_never_waits),
    };

    return cmocka_run_group_tests_name("sim.barrier", tests, NULL, NULL);
}
