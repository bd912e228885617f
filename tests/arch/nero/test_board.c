/* Boards in time: a window cycle by cycle, what limits many of them, what is counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/counter.h"
#include "tests/arch/nero/rig.h"
#include "tests/arch/probe_log.h"

/* 12 cycles for a burst of 512 bytes in the channel, 16 at the port, 60 to and fro. */
static const char *const settled[] = {
    "chip.clock_hz=300000000",
    "memory.channel_bytes_per_second=12800000000",
    "memory.port_bits=256",
    "memory.burst_beats=16",
    "memory.latency_cycles=40",
    "memory.turnaround_cycles=2",
    "memory.outstanding_bursts=16",
    "stream.word_bits=512",
    "stream.converter_cycles=4",
    "stream.splitter_cycles=4",
    "stream.gridding_cycles=8",
    "control.register_cycles=10",
    "control.job_registers=4",
    "control.host_cycles=260",
    "memory.activate_ns=0",
    "memory.precharge_ns=0",
    "memory.row_cycle_ns=0",
    "memory.refresh_interval_ns=0",
    "control.notify_cycles=300",
    "pe.word_bits=256",
    "pe.flush_cycles=100",
    "operator.add_cycles=8,7",
    "link.bytes_per_second=16000000000",
    "link.latency_cycles=100",
    NULL,
};

static const ArchNeroPlan small = {
    .pes = 1, .window_x = 16, .window_y = 16, .window_z = 4, .lanes = 8};

static void open_small(NeroRig *self, guint pes)
{
    ArchNeroPlan plan = small;

    plan.pes = pes;
    nero_rig_open(self, "nero_ad9h7", settled);
    nero_rig_add_one(self);
    nero_rig_load(self, &plan, 4);
}

static SimTime depth_of(const NeroRig *self)
{
    return arch_nero_design_depth(arch_nero_design(self->nero), 0);
}

/* Given at 500; 8 bursts, the first at 556, each 16 later, the last at 668; 16 more
 * into the window, at 684 its last plane; 32 cycles for it, the pipeline, 12 to the
 * port, two bursts of 16 there; the last one's write takes 12 and 40; then 10 of the
 * bus, 300 to the host. */
static void a_window_takes_what_its_tokens_take(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};

    open_small(&rig, 1);

    assert_int_equal(nero_rig_time(&rig, 16, 16, 4),
                     684 + 32 + depth_of(&rig) + 12 + 32 + 52 + 310);
    assert_int_equal(arch_nero_use(rig.nero).memory_bytes, 2 * 4096);
    assert_int_equal(arch_nero_use(rig.nero).busy_cycles, 4 * 32);
    assert_int_equal(arch_nero_use(rig.nero).control_cycles, 40 + 10);
    assert_int_equal(arch_nero_use(rig.nero).host_cycles, 260);
    assert_int_equal(arch_nero_use(rig.nero).flops, 1024);
}

static void lanes_show_the_window(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    ProbeLog log = {0};

    open_small(&rig, 1);
    probe_log_open(&log, rig.engine);
    (void) nero_rig_time(&rig, 16, 16, 4);

    g_autofree char *control = probe_log_lane(&log, "control");
    g_autofree char *reader = probe_log_lane(&log, "pe[0,0].reader");
    g_autofree char *forward = probe_log_lane(&log, "pe[0,0].forward");
    g_autofree char *channel = probe_log_lane(&log, "channel[0,0]");
    const guint depth = (guint) depth_of(&rig);
    g_autofree char *drained =
        g_strdup_printf("(input 0..588)\nforward 588..716 window=0 "
                        "flops+fp32_flops=1024 sram_bytes=8192\n(drain 716..%u)\n",
                        716 + depth + 100);

    assert_true(g_str_has_prefix(control, "window 460..500 bytes=0\nnotify "));
    assert_string_equal(
        reader, "(control 0..500)\n(memory 500..540)\nread 540..668 window=0\n");
    assert_string_equal(forward, drained);
    assert_true(
        g_str_has_prefix(channel, "read 500..596 dram_bytes=4096\n(turnaround "));
    assert_non_null(strstr(channel, "write "));
    probe_log_close(&log);
}

static void lanes_of_every_pe_are_shown_to_their_end(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    ProbeLog log = {0};

    open_small(&rig, 16);
    probe_log_open(&log, rig.engine);
    (void) nero_rig_time(&rig, 16, 16, 64);

    for (guint pe = 0; pe < 16; pe++) {
        g_autofree char *name = g_strdup_printf("pe[%u,0].writer", pe);
        g_autofree char *writer = probe_log_lane(&log, name);

        assert_non_null(strstr(writer, "write "));
    }
    probe_log_close(&log);
}

static void who_waits_is_named(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    const ArchNeroJob job = {.nx = 16, .ny = 16, .nz = 4, .rounds = 1};

    open_small(&rig, 1);
    assert_true(arch_nero_start(rig.nero, &job, NULL));
    assert_true(sim_engine_run_until(rig.engine, 10, SIM_TIME_NEVER, NULL));
    sim_engine_list_waiters(rig.engine, lines);

    assert_int_equal(lines->len, 3);
    assert_string_equal(lines->pdata[0], "pe[0].reader waits for a window from the "
                                         "control since cycle 0");
    assert_string_equal(lines->pdata[1], "pe[0].forward waits for an item from "
                                         "pe[0].window (empty) since cycle 0");
    assert_string_equal(lines->pdata[2], "pe[0].writer waits for an item from pe[0]."
                                         "output buffer (empty) since cycle 0");
}

/* What goes in and out of a PE goes through the channel once, from the host twice. */
static void bytes_are_conserved(void **state)
{
    (void) state;
    static const ArchNeroHome homes[] = {ARCH_NERO_BOARD, ARCH_NERO_HOST,
                                         ARCH_NERO_ON_CHIP};
    static const guint through_memory[] = {1, 2, 0};
    static const guint through_link[] = {0, 1, 1};
    const uint64_t bytes = (uint64_t) 2 * 64 * 64 * 8 * sizeof(float) * 3;

    for (guint i = 0; i < G_N_ELEMENTS(homes); i++) {
        g_auto(NeroRig) rig = {0};
        ArchNeroUse use;

        open_small(&rig, 4);
        (void) nero_rig_run(
            &rig,
            (ArchNeroJob){.nx = 64, .ny = 64, .nz = 8, .rounds = 3, .home = homes[i]});
        use = arch_nero_use(rig.nero);

        assert_int_equal(use.windows, 3 * 32);
        assert_int_equal(use.memory_bytes, through_memory[i] * bytes);
        assert_int_equal(use.link_bytes, through_link[i] * bytes);
        assert_int_equal(nero_rig_part(&rig, "reader", "busy"),
                         bytes / 2 / (homes[i] == ARCH_NERO_ON_CHIP ? 64 : 32));
        assert_int_equal(nero_rig_part(&rig, "writer", "busy"),
                         bytes / 2 / (homes[i] == ARCH_NERO_ON_CHIP ? 64 : 32));
        assert_int_equal(nero_rig_part(&rig, "forward", "busy"), use.busy_cycles);
        assert_int_equal(sim_engine_counter_total(
                             rig.engine, sim_engine_counter(rig.engine, "dram_bytes")),
                         use.memory_bytes);
    }
}

/* With 16 windows each, PEs of HBM do not feel each other but on the control bus, where
 * the last one waits for the others once. */
static void hbm_scales_with_its_ports(void **state)
{
    (void) state;
    SimTime cycles[2];

    for (guint i = 0; i < 2; i++) {
        g_auto(NeroRig) rig = {0};
        ArchNeroPlan plan = {.window_x = 32, .window_y = 32, .window_z = 16};

        plan.pes = i == 0 ? 1 : 16;
        nero_rig_open(&rig, "nero_ad9h7", settled);
        nero_rig_add_one(&rig);
        nero_rig_load(&rig, &plan, 16);
        cycles[i] = nero_rig_run(
            &rig, (ArchNeroJob){.nx = 64, .ny = 64, .nz = 16 * plan.pes, .rounds = 4});
    }

    assert_in_range(cycles[1], cycles[0], cycles[0] + (SimTime) 15 * 50);
}

/* Four PEs that ask for more than the channel gives take bytes by bandwidth; one does
 * not. */
static void ddr4_is_congested_by_four_pes(void **state)
{
    (void) state;
    static const char *const quick[] = {
        "chip.clock_hz=300000000",
        "memory.channel_bytes_per_second=19200000000",
        "memory.turnaround_cycles=0",
        "control.host_cycles=1740",
        "memory.refresh_interval_ns=0",
        "control.register_cycles=1",
        "pe.word_bits=512",
        NULL,
    };
    const uint64_t bytes = (uint64_t) 2 * 128 * 128 * 64 * sizeof(float);
    const SimTime at_best = bytes * 300 / 19200;
    SimTime cycles[2];

    for (guint i = 0; i < 2; i++) {
        g_auto(NeroRig) rig = {0};
        ArchNeroPlan plan = {.window_x = 32, .window_y = 32, .window_z = 16};

        plan.pes = i == 0 ? 1 : 4;
        nero_rig_open(&rig, "nero_ad9v3", quick);
        nero_rig_add_one(&rig);
        nero_rig_load(&rig, &plan, 64);
        cycles[i] = nero_rig_time(&rig, 128, 128, 64);
    }

    assert_in_range(cycles[1], at_best, at_best * 102 / 100);
    assert_true(cycles[0] > at_best * 140 / 100);
}

static SimTime time_of_vadvc(guint copies, guint *planes)
{
    g_auto(NeroRig) rig = {0};
    const ArchNeroPlan plan = {.pes = 1,
                               .window_x = 32,
                               .window_y = 8,
                               .window_z = 16,
                               .windows_ahead = copies};

    nero_rig_open(&rig, "nero_ad9h7", settled);
    nero_rig_vadvc(&rig);
    nero_rig_load(&rig, &plan, 16);
    *planes = 16 * 16;
    return nero_rig_time(&rig, 128, 32, 16);
}

/* One buffer: reading begins when the sweep before is through. Two planes, the least
 * that a sweep begins with, are there after 40, 21 bursts of 16, and 16 more; 100 of
 * these the pipeline would have been flushed anyway. Of 16 windows all but one wait,
 * and may meet a write of 12 with its turnaround. */
static void a_second_window_buffer_hides_reading(void **state)
{
    (void) state;
    guint planes;
    const SimTime one = time_of_vadvc(1, &planes);
    const SimTime two = time_of_vadvc(2, &planes);

    assert_in_range(one - two, 15 * (40 + 21 * 16 + 16 - 100),
                    15 * (40 + 21 * 16 + 16 - 100 + 14));
}

/* 256 points a plane: both sweeps of a window take 256 cycles a plane, and the second
 * runs beside the first of the next window. */
static void sweeps_run_side_by_side(void **state)
{
    (void) state;
    guint planes;
    const SimTime cycles = time_of_vadvc(2, &planes);

    assert_true(cycles > (SimTime) planes * 256);
    assert_true(cycles < (SimTime) planes * 256 * 3 / 2);
}

static void carried_values_hold_small_planes_up(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    const ArchNeroPlan plan = {.pes = 1, .window_x = 4, .window_y = 2, .window_z = 16};
    guint recurrence;

    nero_rig_open(&rig, "nero_ad9h7", settled);
    nero_rig_vadvc(&rig);
    nero_rig_load(&rig, &plan, 16);
    recurrence = arch_nero_design_recurrence(arch_nero_design(rig.nero), 0);
    (void) nero_rig_time(&rig, 4, 2, 16);

    assert_true(recurrence > 8);
    assert_int_equal(nero_rig_part(&rig, "forward", "busy"), 16 * 8);
    assert_int_equal(nero_rig_part(&rig, "forward", "recurrence"),
                     16 * (recurrence - 8));
}

/* Downwards: what was, times its field, plus what the first sweep left. */
static ArchNeroDatapath *slow_second(void)
{
    ArchNeroDatapath *path = arch_nero_datapath_new("slow", ARCH_NERO_DOWNWARDS, 2);
    const ArchNeroValue before = arch_nero_datapath_carry(path);
    const ArchNeroValue factors[] = {
        before, arch_nero_datapath_field(path, 0, (ArchNeroTap){0})};
    const ArchNeroValue terms[] = {
        arch_nero_datapath_apply(path, ARCH_NERO_MUL, factors),
        arch_nero_datapath_field(path, 1, (ArchNeroTap){0})};
    const ArchNeroValue sum = arch_nero_datapath_apply(path, ARCH_NERO_ADD, terms);

    arch_nero_datapath_close(path, before, sum);
    (void) arch_nero_datapath_result(path, sum);
    return path;
}

/* Of 10 windows the first two find a buffer, the others wait for the sweep of the last
 * but one, which takes longer than all that is before it. */
static void a_slow_second_sweep_holds_the_first_up(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    const ArchNeroPlan plan = {.pes = 1, .window_x = 4, .window_y = 2, .window_z = 256};
    SimTime second;

    nero_rig_open(&rig, "nero_ad9h7", settled);
    nero_rig_add_one(&rig);
    rig.sweeps[1] = slow_second();
    nero_rig_load(&rig, &plan, 256);
    second = (SimTime) 256 * arch_nero_design_recurrence(arch_nero_design(rig.nero), 1);
    (void) nero_rig_time(&rig, 40, 2, 256);

    assert_true(second > 2000);
    assert_in_range(nero_rig_part(&rig, "forward", "buffer"), 8 * (second - 1000),
                    8 * second);
}

/* Reads take all of the channel: planes of results wait, two of them in their buffer,
 * two on their way. */
static void results_that_cannot_leave_hold_the_sweep_up(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    const ArchNeroPlan plan = {
        .pes = 1, .window_x = 32, .window_y = 32, .window_z = 16};
    const char *changes[G_N_ELEMENTS(settled) + 1];

    memcpy(changes, settled, sizeof settled);
    changes[G_N_ELEMENTS(settled) - 1] = "memory.channel_bytes_per_second=6400000000";
    changes[G_N_ELEMENTS(settled)] = NULL;
    nero_rig_open(&rig, "nero_ad9h7", changes);
    nero_rig_add_one(&rig);
    nero_rig_load(&rig, &plan, 16);
    (void) nero_rig_time(&rig, 32, 32, 16);

    assert_true(nero_rig_part(&rig, "forward", "buffer") > 500);
    assert_true(nero_rig_part(&rig, "writer", "memory") > 500);
}

static void rounds_follow_without_waiting(void **state)
{
    (void) state;
    g_auto(NeroRig) rig = {0};
    SimTime one;
    SimTime three;

    open_small(&rig, 2);
    one = nero_rig_run(&rig, (ArchNeroJob){.nx = 64, .ny = 16, .nz = 4, .rounds = 1});
    three = nero_rig_run(&rig, (ArchNeroJob){.nx = 64, .ny = 16, .nz = 4, .rounds = 3});

    assert_true(three < 3 * one);
    assert_true(three > 2 * one);
    assert_int_equal(arch_nero_use(rig.nero).windows, 16);
}

static char *trail_of_run(SimTime *cycles)
{
    g_auto(NeroRig) rig = {0};
    ProbeLog log = {0};
    char *text;

    open_small(&rig, 3);
    probe_log_open(&log, rig.engine);
    *cycles = nero_rig_run(
        &rig, (ArchNeroJob){
                  .nx = 70, .ny = 33, .nz = 9, .rounds = 2, .home = ARCH_NERO_HOST});
    text = probe_log_text(&log);
    probe_log_close(&log);
    return text;
}

static void a_run_is_the_same_each_time(void **state)
{
    (void) state;
    SimTime cycles[2];
    g_autofree char *first = trail_of_run(&cycles[0]);
    g_autofree char *second = trail_of_run(&cycles[1]);

    assert_int_equal(cycles[0], cycles[1]);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "link.to_host"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_takes_what_its_tokens_take),
        cmocka_unit_test(lanes_show_the_window),
        cmocka_unit_test(lanes_of_every_pe_are_shown_to_their_end),
        cmocka_unit_test(who_waits_is_named),
        cmocka_unit_test(bytes_are_conserved),
        cmocka_unit_test(hbm_scales_with_its_ports),
        cmocka_unit_test(ddr4_is_congested_by_four_pes),
        cmocka_unit_test(a_second_window_buffer_hides_reading),
        cmocka_unit_test(sweeps_run_side_by_side),
        cmocka_unit_test(carried_values_hold_small_planes_up),
        cmocka_unit_test(a_slow_second_sweep_holds_the_first_up),
        cmocka_unit_test(results_that_cannot_leave_hold_the_sweep_up),
        cmocka_unit_test(rounds_follow_without_waiting),
        cmocka_unit_test(a_run_is_the_same_each_time),
    };

    return cmocka_run_group_tests_name("arch.nero_board", tests, NULL, NULL);
}
