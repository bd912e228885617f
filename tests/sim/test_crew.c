/* Tests of the crew: every job is done once, and nobody waits for who has not begun. */
#include <stdatomic.h>
#include <stdbool.h>

#include "sim/crew.h"
#include "tests/sim/support.h"

enum {
    JOBS = 40,
    CALLS = 3000,
};

typedef struct {
    atomic_uint done[JOBS];
    atomic_uint left; /* jobs that are not done */
    atomic_bool is_stuck;
} Jobs;

static void count(gpointer data, guint job)
{
    Jobs *self = data;

    atomic_fetch_add(&self->done[job], 1);
}

static void every_job_is_done_once(void **state)
{
    static const guint threads[] = {1, 2, 3, 8};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_autoptr(SimCrew) crew = sim_crew_new(threads[i]);

        assert_int_equal(sim_crew_threads(crew), threads[i]);
        for (guint call = 0; call < CALLS; call++) {
            Jobs jobs = {0};
            const guint some = call % (JOBS + 1);

            sim_crew_run(crew, some, count, &jobs);
            for (guint job = 0; job < JOBS; job++) {
                assert_int_equal(atomic_load(&jobs.done[job]), job < some);
            }
        }
    }
}

/* One job does not end before all others are done: the other threads do those. */
static void hold(gpointer data, guint job)
{
    Jobs *self = data;

    (void) job;
    if (!atomic_exchange(&self->is_stuck, true)) {
        while (atomic_load(&self->left) > 1) {
            g_thread_yield();
        }
    }
    atomic_fetch_sub(&self->left, 1);
}

static void others_take_over_the_jobs_of_a_thread_that_is_stuck(void **state)
{
    g_autoptr(SimCrew) crew = sim_crew_new(2);

    (void) state;
    for (guint call = 0; call < CALLS / 10; call++) {
        Jobs jobs = {.left = JOBS};

        sim_crew_run(crew, JOBS, hold, &jobs);
        assert_int_equal(atomic_load(&jobs.left), 0);
    }
}

static void a_crew_that_rests_wakes_for_long_jobs(void **state)
{
    g_autoptr(SimCrew) crew = sim_crew_new(2);
    g_autoptr(SimCrew) one = sim_crew_new(1);
    Jobs others = {0};

    (void) state;
    sim_crew_rest(crew, true);
    for (guint call = 0; call < CALLS / 10; call++) {
        Jobs jobs = {.left = JOBS};

        sim_crew_run_long(crew, JOBS, hold, &jobs);
        assert_int_equal(atomic_load(&jobs.left), 0);
    }
    sim_crew_run_long(one, JOBS, count, &others);
    for (guint job = 0; job < JOBS; job++) {
        assert_int_equal(atomic_load(&others.done[job]), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(others_take_over_the_jobs_of_a_thread_that_is_stuck),
        cmocka_unit_test(a_crew_that_rests_wakes_for_long_jobs),
    };

    return cmocka_run_group_tests_name("sim.crew", tests, NULL, NULL);
}
