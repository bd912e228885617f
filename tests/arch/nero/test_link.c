/* The host link and the control bus of FPGA boards, cycle by cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/nero/control.h"
#include "arch/nero/link.h"
#include "tests/arch/shipped.h"

#define LINE UINT64_C(128)

enum {
    ASKERS = 4,
};

/* A line takes 2 cycles: 64 bytes a cycle. */
static const char *const numbers[] = {
    "chip.clock_hz=250000000",   "link.bytes_per_second=16000000000",
    "link.line_bytes=128",       "link.buffer_lines=64",
    "link.latency_cycles=100",   "control.register_cycles=10",
    "control.job_registers=4",   "control.host_cycles=260",
    "control.notify_cycles=300", NULL,
};

typedef struct Bench Bench;

typedef struct {
    Bench *bench;
    NeroAsker asker;
    SimTime given_at;
} Asker;

struct Bench {
    ArchParams *params;
    SimEngine *engine;
    SimRegion *region;
    NeroLink link;
    NeroControl *control;
    guint notified;
    SimTime notified_at;
    Asker askers[ASKERS];
};

static void note_given(gpointer data)
{
    Asker *self = data;

    self->given_at = sim_region_now(self->bench->region);
}

static void note_notified(gpointer data)
{
    Bench *self = data;

    self->notified++;
    self->notified_at = sim_region_now(self->region);
}

static void bench_init(Bench *self, const char *override)
{
    self->params = shipped_params_with("nero_ad9h7", numbers);
    assert_true(override == NULL || arch_params_override(self->params, override, NULL));
    self->engine = sim_engine_new(sim_engine_config_default());
    self->region = sim_engine_region(self->engine, 0);
    nero_link_init(&self->link, self->region, 0, self->params);
    self->control =
        nero_control_new(self->region, sim_key(0, 0),
                         sim_engine_lane(self->engine, "control"), self->params);
    nero_control_listen(self->control, note_notified, self);
    for (guint i = 0; i < ASKERS; i++) {
        self->askers[i] = (Asker){.bench = self};
        self->askers[i].asker =
            (NeroAsker){.given = note_given, .data = &self->askers[i]};
    }
}

static void bench_clear(Bench *self)
{
    nero_control_free(self->control);
    nero_link_clear(&self->link);
    sim_engine_free(self->engine);
    arch_params_free(self->params);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

static void run(const Bench *self)
{
    assert_true(sim_engine_run(self->engine, SIM_TIME_NEVER, NULL));
}

static void a_line_takes_its_bytes_and_the_latency(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);

    assert_int_equal(nero_link_request(&bench.link, NERO_READ, LINE), 102);
    assert_int_equal(nero_link_request(&bench.link, NERO_READ, 4 * LINE), 110);
}

static void part_of_a_line_goes_as_a_line(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);

    assert_int_equal(nero_link_request(&bench.link, NERO_READ, LINE + 1), 104);
    assert_int_equal(bench.link.bytes, 2 * LINE);
}

static void the_two_ways_do_not_wait_for_each_other(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    (void) nero_link_request(&bench.link, NERO_READ, 10 * LINE);

    assert_int_equal(nero_link_request(&bench.link, NERO_WRITE, LINE), 102);
}

/* 64 lines of 2 cycles are more than the latency of 100: a line every 2 cycles. */
static void a_buffer_that_covers_the_latency_gives_the_full_bandwidth(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);

    assert_int_equal(nero_link_request(&bench.link, NERO_READ, 1000 * LINE), 2100);
}

/* 16 lines under way: each 16th waits until the one before it has arrived, after 102
 * cycles. */
static void a_small_buffer_does_not(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, "link.buffer_lines=16");

    assert_int_equal(nero_link_request(&bench.link, NERO_READ, 16 * LINE), 132);
    assert_int_equal(nero_link_request(&bench.link, NERO_READ, LINE), 204);
    assert_int_equal(nero_link_request(&bench.link, NERO_READ, 15 * LINE), 234);
}

/* 100 cycles over the link, 260 of a thread, 100 back, 4 registers of 10. */
static void a_window_is_given_after_its_way_to_the_host_and_back(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    nero_control_ask(bench.control, &bench.askers[0].asker);
    run(&bench);

    assert_int_equal(bench.askers[0].given_at, 500);
    assert_int_equal(nero_control_busy_cycles(bench.control), 40);
    assert_int_equal(nero_control_host_cycles(bench.control), 260);
}

static void those_who_ask_at_once_wait_for_the_bus_in_turn(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    for (guint i = 0; i < ASKERS; i++) {
        nero_control_ask(bench.control, &bench.askers[i].asker);
    }
    run(&bench);

    assert_int_equal(bench.askers[0].given_at, 500);
    assert_int_equal(bench.askers[1].given_at, 540);
    assert_int_equal(bench.askers[3].given_at, 620);
}

static void registers_are_written_even_if_the_host_is_quick(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, "control.host_cycles=0");
    nero_control_ask(bench.control, &bench.askers[0].asker);
    run(&bench);

    assert_int_equal(bench.askers[0].given_at, 240);
}

/* With one thread windows are given 260 cycles apart. */
static void one_thread_of_the_host_serves_one_pe_after_another(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, "control.host_thread_count=1");
    for (guint i = 0; i < ASKERS; i++) {
        nero_control_ask(bench.control, &bench.askers[i].asker);
    }
    run(&bench);

    assert_int_equal(bench.askers[0].given_at, 500);
    assert_int_equal(bench.askers[1].given_at, 760);
    assert_int_equal(bench.askers[3].given_at, 1280);
    assert_int_equal(nero_control_host_cycles(bench.control), 1040);
}

/* The bus is free between a request and its registers. */
static void notifications_go_between(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    nero_control_ask(bench.control, &bench.askers[0].asker);
    nero_control_notify(bench.control);
    nero_control_notify(bench.control);
    run(&bench);

    assert_int_equal(bench.notified, 2);
    assert_int_equal(bench.notified_at, 20 + 300);
    assert_int_equal(bench.askers[0].given_at, 500);
    assert_int_equal(nero_control_busy_cycles(bench.control), 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_takes_its_bytes_and_the_latency),
        cmocka_unit_test(part_of_a_line_goes_as_a_line),
        cmocka_unit_test(the_two_ways_do_not_wait_for_each_other),
        cmocka_unit_test(a_buffer_that_covers_the_latency_gives_the_full_bandwidth),
        cmocka_unit_test(a_small_buffer_does_not),
        cmocka_unit_test(a_window_is_given_after_its_way_to_the_host_and_back),
        cmocka_unit_test(those_who_ask_at_once_wait_for_the_bus_in_turn),
        cmocka_unit_test(registers_are_written_even_if_the_host_is_quick),
        cmocka_unit_test(one_thread_of_the_host_serves_one_pe_after_another),
        cmocka_unit_test(notifications_go_between),
    };

    return cmocka_run_group_tests_name("arch.nero_link", tests, NULL, NULL);
}
