/* How designs for FPGA boards share operators and lay out arrays, and their watts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/nero_design.h"
#include "tests/arch/nero/kernels.h"
#include "tests/arch/shipped.h"

enum {
    DEPTH = 64,
};

typedef struct {
    ArchParams *params;
    ArchNeroDatapath *hdiff, *forward, *backward;
} Bench;

/* Numbers that could change in the chip file and that hand calculations are with. */
static const char *const settled[] = {
    "stream.word_bits=512",      "stream.fifo_words=512",
    "stream.common_count=8",     "pe.word_bits=256",
    "pe.memory_ports=2",         "memory.port_count=16",
    "device.fill_percent=85",    "shell.bram_count=60",
    "shell.uram_count=8",        "operator.add_dsps=2,0",
    "operator.mul_dsps=3,2",     "operator.div_dsps=0,0",
    "operator.add_luts=200,90",  "operator.mul_luts=80,50",
    "operator.shift_luts=30,20", "operator.div_luts=700,90",
    "shell.dsp_count=0",         "operator.select_luts=60,40",
    "shell.pe_lut_count=5000",   "operator.shift_dsps=0,0",
    "control.host_cycles=0",     "control.job_registers=0",
    "link.latency_cycles=1",     "operator.shift_cycles=1,1",
    "operator.add_cycles=8,7",   "operator.mul_cycles=5,4",
    "pe.flush_cycles=90",        NULL,
};

static void set(const Bench *bench, const char *assignment)
{
    g_autoptr(GError) error = NULL;

    if (!arch_params_override(bench->params, assignment, &error)) {
        fail_msg("%s", error->message);
    }
}

static int start(void **state)
{
    Bench *bench = g_new0(Bench, 1);

    bench->params = shipped_params_with("nero_ad9h7", settled);
    bench->hdiff = hdiff_datapath(true);
    bench->forward = vadvc_forward();
    bench->backward = vadvc_backward();
    *state = bench;
    return 0;
}

static int end(void **state)
{
    Bench *bench = *state;

    arch_nero_datapath_free(bench->hdiff);
    arch_nero_datapath_free(bench->forward);
    arch_nero_datapath_free(bench->backward);
    arch_params_free(bench->params);
    g_free(bench);
    return 0;
}

/* The paper's windows for FP32. */
static ArchNeroPlan hdiff_plan(const Bench *bench)
{
    return (ArchNeroPlan){
        .name = "hdiff",
        .pes = 16,
        .window_x = 16,
        .window_y = 64,
        .window_z = 8,
        .fields = 1,
        .sweep_count = 1,
        .sweeps = {bench->hdiff},
    };
}

static ArchNeroPlan vadvc_plan(const Bench *bench)
{
    return (ArchNeroPlan){
        .name = "vadvc",
        .pes = 14,
        .window_x = 64,
        .window_y = 2,
        .window_z = DEPTH,
        .fields = VADVC_FIELDS,
        .sweep_count = 2,
        .sweeps = {bench->forward, bench->backward},
    };
}

static ArchNeroDesign *built(const Bench *bench, const ArchNeroPlan *plan)
{
    g_autoptr(GError) error = NULL;
    ArchNeroDesign *design = arch_nero_design_new(bench->params, plan, DEPTH, &error);

    if (design == NULL) {
        fail_msg("%s", error->message);
    }
    return design;
}

/* Its windows of 16x64x8 take 1360 beats to read, and 1224 cycles of 8 lanes to sweep,
 * 2448 of 4: with 1000 more to get a window 8 lanes are needed, with 1300 more 4 are
 * enough, with half of the operators and of the words. */
static void lanes_share_operators_while_a_sweep_hides_behind_reading(void **state)
{
    static const char *const ways[] = {"control.host_cycles=1000",
                                       "control.host_cycles=1300"};
    const Bench *bench = *state;
    const ArchNeroPlan plan = hdiff_plan(bench);

    for (guint i = 0; i < 2; i++) {
        g_autoptr(ArchNeroDesign) design = NULL;
        const guint lanes = i == 0 ? 8 : 4;

        set(bench, ways[i]);
        design = built(bench, &plan);
        assert_int_equal(arch_nero_design_plan(design)->lanes, lanes);
        assert_true(arch_nero_design_of_pe(design, ARCH_NERO_DSP) == lanes * 33);
        assert_true(arch_nero_design_of_pe(design, ARCH_NERO_URAM) == lanes);
    }
}

/* Three kinds of planes have operators of their own, but arrays in common. */
static void branches_lay_operators_out_again(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan plan = vadvc_plan(bench);
    g_autoptr(ArchNeroDesign) one = built(bench, &plan);
    g_autoptr(ArchNeroDesign) more = NULL;

    plan.branches[0] = 3;
    plan.branches[1] = 2;
    more = built(bench, &plan);
    assert_true(arch_nero_design_of_pe(one, ARCH_NERO_DSP) == 55);
    assert_true(arch_nero_design_of_pe(more, ARCH_NERO_DSP) ==
                3 * (12 * 2 + 7 * 3) + 2 * (2 * 2 + 2 * 3));
    assert_true(arch_nero_design_of_pe(more, ARCH_NERO_URAM) ==
                arch_nero_design_of_pe(one, ARCH_NERO_URAM));
    assert_true(arch_nero_design_of_pe(more, ARCH_NERO_LUT) >
                arch_nero_design_of_pe(one, ARCH_NERO_LUT) + 2 * (12 * 200 + 700));
}

/* Two numbers to a word of 64 bit where the design does not fit otherwise: a block for
 * 8192 of them. */
static void arrays_are_reshaped_only_if_a_design_does_not_fit(void **state)
{
    const Bench *bench = *state;
    const ArchNeroPlan plan = vadvc_plan(bench);
    g_autoptr(ArchNeroDesign) usual = built(bench, &plan);
    g_autoptr(ArchNeroDesign) wide = NULL;
    const guint between = arch_nero_design_buffer_count(usual) - 4;

    set(bench, "device.uram_count=320");
    wide = built(bench, &plan);
    assert_string_equal(arch_nero_design_buffer(usual, between)->name, "between");
    assert_int_equal(arch_nero_design_buffer(usual, between)->blocks, 2);
    assert_string_equal(arch_nero_design_buffer(wide, between + 1)->name, "between");
    assert_int_equal(arch_nero_design_buffer(wide, between + 1)->blocks, 1);
}

static void watts_are_of_the_board_its_ports_and_what_is_busy(void **state)
{
    const Bench *bench = *state;
    const ArchNeroPlan plan = vadvc_plan(bench);
    g_autoptr(ArchNeroDesign) design = NULL;

    set(bench, "power.board_watts=10");
    set(bench, "power.port_watts=2");
    set(bench, "power.bram_watts=0.5");
    set(bench, "power.uram_watts=0.25");
    set(bench, "power.dsp_watts=0");
    set(bench, "power.ff_watts=0");
    set(bench, "power.lut_watts=0");
    design = built(bench, &plan);
    assert_true(arch_nero_design_watts(design, 0) == 10 + 14 * 2);
    assert_true(arch_nero_design_watts(design, 1) ==
                10 + 14 * 2 + 14 * (109 * 0.5 + 30 * 0.25));
    assert_true(arch_nero_design_watts(design, 0.5) ==
                10 + 14 * 2 + 7 * (109 * 0.5 + 30 * 0.25));
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(lanes_share_operators_while_a_sweep_hides_behind_reading),
        BENCH_TEST(branches_lay_operators_out_again),
        BENCH_TEST(arrays_are_reshaped_only_if_a_design_does_not_fit),
        BENCH_TEST(watts_are_of_the_board_its_ports_and_what_is_busy),
    };

    return cmocka_run_group_tests_name("arch.nero_sharing", tests, NULL, NULL);
}
