/* The clock of host programs: nanoseconds of several programs do not run together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

#include "sim/platform.h"
#include "sim/system.h"

enum {
    PROGRAM_COUNT = 4,
    SLEEP_COUNT = 20000,
    RAW_SLEEP_COUNT = 2000,
};

static const char system_path[] = GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml";

typedef struct {
    guint32 seed;
    uint64_t slept_nanoseconds; /* exact */
    double end_seconds;         /* what the clock says */
} Sleeper;

static double relative_error(const Sleeper *sleeper)
{
    double exact = (double) sleeper->slept_nanoseconds * 1e-9;
    return fabs(sleeper->end_seconds - exact) / exact;
}

static void sleep_often(SimSystem *system, gpointer data)
{
    Sleeper *sleeper = data;
    g_autoptr(GRand) rand = g_rand_new_with_seed(sleeper->seed);
    for (int at = 0; at < SLEEP_COUNT; at++) {
        gint32 nanoseconds = g_rand_int_range(rand, 1, 17);
        sim_system_sleep(system, nanoseconds * 1e-9);
        sleeper->slept_nanoseconds += (uint64_t) nanoseconds;
    }
    sleeper->end_seconds = sim_system_now(system);
}

/* The same without our settings. */
static void sleep_often_raw(int argc G_GNUC_UNUSED, char **argv G_GNUC_UNUSED)
{
    Sleeper *sleeper = sg_actor_self_get_data();
    g_autoptr(GRand) rand = g_rand_new_with_seed(sleeper->seed);
    for (int at = 0; at < RAW_SLEEP_COUNT; at++) {
        gint32 nanoseconds = g_rand_int_range(rand, 1, 17);
        sg_actor_sleep_for(nanoseconds * 1e-9);
        sleeper->slept_nanoseconds += (uint64_t) nanoseconds;
    }
    sleeper->end_seconds = simgrid_get_clock();
}

static void run_raw_engine(Sleeper *sleepers)
{
    char name[] = "raw";
    char quiet[] = "--log=root.thres:error";
    char thread_contexts[] = "--cfg=contexts/factory:thread";
    char *argv[] = {name, quiet, thread_contexts, NULL};
    int argc = 3;
    simgrid_init(&argc, argv);
    simgrid_load_platform(system_path);
    for (guint32 at = 0; at < PROGRAM_COUNT; at++) {
        sleepers[at].seed = at + 1;
        sg_actor_t actor = sg_actor_init("raw", sg_host_by_name("host"));
        sg_actor_set_data(actor, &sleepers[at]);
        sg_actor_start(actor, sleep_often_raw, 0, NULL);
    }
    simgrid_run();
}

/* Why sim/system.c sets the precision. In a child: an engine is for one process. */
static void simgrid_alone_loses_nanoseconds(void **state G_GNUC_UNUSED)
{
    size_t size = PROGRAM_COUNT * sizeof(Sleeper);
    Sleeper *sleepers =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(sleepers, MAP_FAILED);

    pid_t child = fork();
    if (child == 0) {
        run_raw_engine(sleepers);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);

    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (size_t at = 0; at < PROGRAM_COUNT; at++) {
        assert_true(relative_error(&sleepers[at]) > 0.005);
    }
    assert_int_equal(munmap(sleepers, size), 0);
}

static void four_programs_keep_their_nanoseconds(void **state G_GNUC_UNUSED)
{
    Sleeper sleepers[PROGRAM_COUNT] = {{0}};
    double last = 0;
    g_autoptr(SimPlatform) platform = sim_platform_load(system_path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    assert_non_null(system);
    for (guint32 at = 0; at < PROGRAM_COUNT; at++) {
        sleepers[at].seed = at + 1;
        sim_system_add_program(system, "host", "sleeper", sleep_often, &sleepers[at]);
    }

    sim_system_run(system);

    for (size_t at = 0; at < PROGRAM_COUNT; at++) {
        if (relative_error(&sleepers[at]) > 1e-12) {
            fail_msg("program %zu: %.15g s, exactly %" G_GUINT64_FORMAT " ns", at,
                     sleepers[at].end_seconds, sleepers[at].slept_nanoseconds);
        }
        last = MAX(last, sleepers[at].end_seconds);
    }
    assert_true(sim_system_now(system) == last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simgrid_alone_loses_nanoseconds),
        cmocka_unit_test(four_programs_keep_their_nanoseconds),
    };
    return cmocka_run_group_tests_name("sim.system_clock", tests, NULL, NULL);
}
