/* SIGINT during a run belongs to the process, not to SimGrid. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/platform.h"
#include "sim/system.h"

static volatile sig_atomic_t interrupt_count = 0;

static void count_interrupt(int number G_GNUC_UNUSED)
{
    interrupt_count = interrupt_count + 1;
}

static void interrupt(void)
{
    (void) pthread_kill(pthread_self(), SIGINT);
}

static void interrupt_twice(SimSystem *system, gpointer data)
{
    interrupt();
    sim_system_sleep(system, 1e-3);
    interrupt();
    *(double *) data = sim_system_now(system);
}

static void the_callers_handler_gets_it(void **state G_GNUC_UNUSED)
{
    struct sigaction mine = {.sa_handler = count_interrupt, .sa_flags = SA_RESTART};
    struct sigaction segv_before;
    struct sigaction now;
    double end = 0;
    assert_int_equal(sigaction(SIGINT, &mine, NULL), 0);
    assert_int_equal(sigaction(SIGSEGV, NULL, &segv_before), 0);
    g_autoptr(SimPlatform) platform =
        sim_platform_load(GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml", NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    assert_non_null(system);
    sim_system_add_program(system, "host", "main", interrupt_twice, &end);

    interrupt();
    sim_system_run(system);
    interrupt();

    assert_int_equal(interrupt_count, 4);
    assert_true(end == 1e-3);
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_ptr_equal(now.sa_handler, count_interrupt);
    assert_true((now.sa_flags & SA_RESTART) != 0);
    assert_int_equal(sigaction(SIGSEGV, NULL, &now), 0);
    assert_ptr_equal(now.sa_handler, segv_before.sa_handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_callers_handler_gets_it),
    };
    return cmocka_run_group_tests_name("sim.system_interrupt", tests, NULL, NULL);
}
