/* Transfers between hosts: what latency, bandwidth and sharing make of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/platform.h"
#include "sim/system.h"

enum {
    TRANSFER_LIMIT = 8,
    EXIT_NO_SYSTEM = 9,
};

/* Seconds; the clock's own precision. */
static const double tolerance = 1e-12;

/* A transfer that its own program starts at time 0, or with `is_next` the program of
 * the transfer before it when that has ended. */
typedef struct {
    const char *from;
    const char *to;
    uint64_t bytes;
    double expected_end;
    bool is_next;
} Transfer;

typedef struct {
    const char *system;
    Transfer transfers[TRANSFER_LIMIT];
    double extra_latency; /* of pcie_up */
} Scenario;

/* What a program does: the transfers from `first` on that belong to it. */
typedef struct {
    const Transfer *first;
    double *ends;
} Job;

static void do_job(SimSystem *system, gpointer data)
{
    const Job *job = data;
    size_t transfer = 0;
    do {
        const Transfer *now = &job->first[transfer];
        sim_system_transfer(system, now->from, now->to, now->bytes);
        job->ends[transfer] = sim_system_now(system);
        transfer++;
    } while (job->first[transfer].from != NULL && job->first[transfer].is_next);
}

static void run_scenario(const Scenario *scenario, double *ends)
{
    g_autofree char *path = g_strdup_printf("%s/arch/systems/%s.xml",
                                            GRIDLOOM_SOURCE_DIR, scenario->system);
    g_autoptr(SimPlatform) platform = sim_platform_load(path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    if (system == NULL) {
        _exit(EXIT_NO_SYSTEM);
    }
    sim_system_set_link(system, "pcie_up", 1342e-9 + scenario->extra_latency, 24e9);
    sim_system_set_link(system, "pcie_down", 913e-9, 16e9);
    if (sim_platform_link_count(platform) > 2) {
        sim_system_set_link(system, "eth_0_to_1", 5000e-9, 20e9);
        sim_system_set_link(system, "dispatch_0_to_1", 5000e-9, 20e9);
        sim_system_set_link(system, "eth_1_to_0", 700e-9, 12.5e9);
        sim_system_set_link(system, "dispatch_1_to_0", 700e-9, 12.5e9);
    }
    Job jobs[TRANSFER_LIMIT];
    for (size_t at = 0; at < TRANSFER_LIMIT; at++) {
        const Transfer *transfer = &scenario->transfers[at];
        if (transfer->from != NULL && !transfer->is_next) {
            jobs[at].first = transfer;
            jobs[at].ends = ends + at;
            sim_system_add_program(system, transfer->from, "job", do_job, &jobs[at]);
        }
    }
    sim_system_run(system);
}

/* SimGrid allows one engine per process, so each scenario gets its own. */
static void check(const Scenario *scenario)
{
    size_t size = TRANSFER_LIMIT * sizeof(double);
    double *ends =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(ends, MAP_FAILED);

    pid_t child = fork();
    if (child == 0) {
        run_scenario(scenario, ends);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    for (size_t at = 0; at < TRANSFER_LIMIT; at++) {
        const Transfer *transfer = &scenario->transfers[at];
        if (fabs(ends[at] - transfer->expected_end) > tolerance) {
            fail_msg("transfer %zu, %s to %s: ends at %.15g s, expected %.15g s", at,
                     transfer->from, transfer->to, ends[at], transfer->expected_end);
        }
    }
    assert_int_equal(munmap(ends, size), 0);
}

static void pays_latency_and_bandwidth_once(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {
        .system = "default",
        .transfers =
            {
                {"host", "chip0", 24000000, 1.342e-6 + 1e-3, false},
                {"chip0", "host", 32000000, 1.342e-6 + 1e-3 + 0.913e-6 + 2e-3, true},
            },
    };
    check(&scenario);
}

static void times_a_single_byte(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {
        .system = "default",
        .transfers = {{"host", "chip0", 1, 1.342e-6 + 1.0 / 24e9, false}}};
    check(&scenario);
}

static void times_a_gibibyte(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {
        .system = "default",
        .transfers = {{"host", "chip0", 1 << 30, 1.342e-6 + 1073741824 / 24e9, false}}};
    check(&scenario);
}

static void charges_latency_for_nothing(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {.system = "default",
                               .transfers = {{"chip0", "host", 0, 0.913e-6, false}}};
    check(&scenario);
}

/* SimGrid alone would bound this to its TCP window per round trip, 2.1 GB/s. */
static void does_not_slow_down_with_latency(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {
        .system = "default",
        .transfers = {{"host", "chip0", 24000000, 1.342e-6 + 1e-3 + 1e-3, false}},
        .extra_latency = 1e-3,
    };
    check(&scenario);
}

static void halves_a_shared_link(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {
        .system = "default",
        .transfers =
            {
                {"host", "chip0", 24000000, 1.342e-6 + 2e-3, false},
                {"host", "chip0", 24000000, 1.342e-6 + 2e-3, false},
            },
    };
    check(&scenario);
}

static void gives_the_whole_link_to_who_remains(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {
        .system = "default",
        .transfers =
            {
                {"host", "chip0", 12000000, 1.342e-6 + 1e-3, false},
                {"host", "chip0", 24000000, 1.342e-6 + 1.5e-3, false},
            },
    };
    check(&scenario);
}

static void keeps_directions_apart(void **state G_GNUC_UNUSED)
{
    const Scenario scenario = {
        .system = "default",
        .transfers =
            {
                {"host", "chip0", 24000000, 1.342e-6 + 1e-3, false},
                {"chip0", "host", 32000000, 0.913e-6 + 2e-3, false},
            },
    };
    check(&scenario);
}

static void adds_latencies_and_takes_the_slowest_link(void **state G_GNUC_UNUSED)
{
    const double there = 1.342e-6 + 5e-6 + 20000000 / 20e9;
    const double back = 0.7e-6 + 0.913e-6 + 25000000 / 12.5e9;
    const Scenario scenario = {
        .system = "n300",
        .transfers =
            {
                {"host", "chip1", 20000000, there, false},
                {"chip1", "host", 25000000, there + back, true},
                {"chip0", "chip1", 1000, there + back + 5e-6 + 1000 / 20e9, true},
            },
    };
    check(&scenario);
}

/* SimGrid alone shares in proportion to 1 / latency: 1.212 ms and 2.159 ms. */
static void shares_fairly_whatever_the_latency(void **state G_GNUC_UNUSED)
{
    /* Alone for 5 us at 24 GB/s, then both at 12, then the rest on Ethernet at 20. */
    const double first = 6.342e-6 + (24e6 - 120e3) / 12e9;
    const Scenario scenario = {
        .system = "n300",
        .transfers =
            {
                {"host", "chip0", 24000000, first, false},
                {"host", "chip1", 24000000, first + 120e3 / 20e9, false},
            },
    };
    check(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pays_latency_and_bandwidth_once),
        cmocka_unit_test(times_a_single_byte),
        cmocka_unit_test(times_a_gibibyte),
        cmocka_unit_test(charges_latency_for_nothing),
        cmocka_unit_test(does_not_slow_down_with_latency),
        cmocka_unit_test(halves_a_shared_link),
        cmocka_unit_test(gives_the_whole_link_to_who_remains),
        cmocka_unit_test(keeps_directions_apart),
        cmocka_unit_test(adds_latencies_and_takes_the_slowest_link),
        cmocka_unit_test(shares_fairly_whatever_the_latency),
    };
    return cmocka_run_group_tests_name("sim.system_transfer", tests, NULL, NULL);
}
