/* Designs: blocks and intervals worked out by hand, the memory that is taken when the
 * other is full, and which plans are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/nero_design.h"
#include "tests/arch/nero/kernels.h"
#include "tests/arch/shipped.h"

enum {
    DEPTH = 64,
    RANDOM_PLANS = 200,
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

static void
assert_refused(const Bench *bench, const ArchNeroPlan *plan, const char *text)
{
    g_autoptr(GError) error = NULL;

    assert_null(arch_nero_design_new(bench->params, plan, DEPTH, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, text);
}

static void
assert_buffers(const ArchNeroDesign *design, const ArchNeroBuffer *want, guint count)
{
    assert_int_equal(arch_nero_design_buffer_count(design), count);
    for (guint i = 0; i < count; i++) {
        const ArchNeroBuffer *got = arch_nero_design_buffer(design, i);

        assert_string_equal(got->name, want[i].name);
        assert_int_equal(got->resource, want[i].resource);
        assert_int_equal(got->count, want[i].count);
        assert_int_equal(got->bits, want[i].bits);
        assert_int_equal(got->blocks, want[i].blocks);
    }
}

/* 8 numbers come in and 8 are taken in a cycle through two ports: words of 8, 256 bit,
 * 4 blocks of 72 side by side. Rows of 3 words are LUTs. */
static void hdiff_keeps_windows_in_uram_and_rows_in_luts(void **state)
{
    const Bench *bench = *state;
    const ArchNeroPlan plan = hdiff_plan(bench);
    g_autoptr(ArchNeroDesign) design = built(bench, &plan);
    const ArchNeroBuffer want[] = {
        {"stream", ARCH_NERO_BRAM, 9, UINT64_C(512) * 512, 8},
        {"window", ARCH_NERO_URAM, 2, UINT64_C(20) * 68 * 8 * 32, 4},
        {"output", ARCH_NERO_BRAM, 2, UINT64_C(16) * 64 * 32, 2},
        {"line", ARCH_NERO_LUT, 4, UINT64_C(20) * 32, 256}, /* u */
        {"line", ARCH_NERO_LUT, 2, UINT64_C(18) * 32, 256}, /* Laplacians */
        {"line", ARCH_NERO_LUT, 1, UINT64_C(16) * 32, 256}, /* fluxes along y */
    };

    assert_buffers(design, want, G_N_ELEMENTS(want));
    assert_int_equal(arch_nero_design_plan(design)->lanes, 8);
    assert_int_equal(arch_nero_design_plan(design)->partition, 8);
    assert_int_equal(arch_nero_design_plan(design)->windows_ahead, 2);
    assert_int_equal(arch_nero_design_reach(design).y_before, 2);
    assert_true(arch_nero_design_of_pe(design, ARCH_NERO_DSP) == 8 * (12 * 2 + 3 * 3));
    assert_true(arch_nero_design_of_pe(design, ARCH_NERO_LUT) ==
                5000 + 8 * (12 * 200 + 3 * 80 + 30 + 2 * 60) + 7 * 256 + /* lines */
                    9 * 512 + 7 * 256); /* streams, and values that wait */
    assert_true(arch_nero_design_percent(design, ARCH_NERO_BRAM) ==
                100.0 * (16 * (72 + 4) + 60) / 2016);
    assert_true(arch_nero_design_percent(design, ARCH_NERO_URAM) ==
                100.0 * (16 * 8 + 8) / 960);
}

/* A number to a word: 8192 of them are two blocks of UltraRAM, one under the other. Of
 * wcon and ustage two are taken at a time. Planes beyond the grid are not stored. upos
 * goes along between the sweeps. */
static void vadvc_keeps_fields_and_what_lies_between_in_uram(void **state)
{
    const Bench *bench = *state;
    const ArchNeroPlan plan = vadvc_plan(bench);
    g_autoptr(ArchNeroDesign) design = built(bench, &plan);
    const ArchNeroBuffer want[] = {
        {"stream", ARCH_NERO_BRAM, 13, UINT64_C(512) * 512, 8},
        {"window", ARCH_NERO_URAM, 2, UINT64_C(65) * 2 * 64 * 32, 2},
        {"window", ARCH_NERO_URAM, 2, UINT64_C(8192) * 32,
         1}, /* ustage, three planes */
        {"window", ARCH_NERO_URAM, 2, UINT64_C(8192) * 32, 2},
        {"window", ARCH_NERO_URAM, 2, UINT64_C(8192) * 32, 2},
        {"window", ARCH_NERO_URAM, 2, UINT64_C(8192) * 32, 2},
        {"between", ARCH_NERO_URAM, 2, UINT64_C(8192) * 32, 2},
        {"between", ARCH_NERO_URAM, 2, UINT64_C(8192) * 32, 2},
        {"between", ARCH_NERO_URAM, 2, UINT64_C(8192) * 32, 2},
        {"output", ARCH_NERO_BRAM, 2, UINT64_C(128) * 32, 1},
        {"carry", ARCH_NERO_BRAM, 2, UINT64_C(128) * 32, 1},
        {"carry", ARCH_NERO_BRAM, 1, UINT64_C(128) * 32, 1},
    };

    assert_buffers(design, want, G_N_ELEMENTS(want));
    assert_int_equal(arch_nero_design_plan(design)->lanes, 1);
    assert_true(arch_nero_design_of_pe(design, ARCH_NERO_BRAM) == 104 + 5);
    assert_true(arch_nero_design_of_pe(design, ARCH_NERO_URAM) == 18 + 12);
    assert_true(arch_nero_design_of_pe(design, ARCH_NERO_DSP) ==
                14 * 2 + 9 * 3); /* with the second sweep */
}

/* 8 planes and the one above of a field, of a grid that has more. */
static void planes_that_are_reached_are_stored(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan plan = hdiff_plan(bench);
    g_autoptr(ArchNeroDatapath) above =
        arch_nero_datapath_new("above", ARCH_NERO_UPWARDS, 1);
    g_autoptr(ArchNeroDesign) design = NULL;

    (void) arch_nero_datapath_result(
        above, arch_nero_datapath_field(above, 0, (ArchNeroTap){0, 0, 1}));
    plan.sweeps[0] = above;
    design = built(bench, &plan);
    assert_int_equal(arch_nero_design_buffer(design, 1)->bits, 16 * 64 * 9 * 32);
}

static void lanes_follow_from_format_and_fields(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan hdiff = hdiff_plan(bench);
    ArchNeroPlan vadvc = vadvc_plan(bench);
    g_autoptr(ArchNeroDesign) first = NULL;
    g_autoptr(ArchNeroDesign) second = NULL;

    hdiff.format = ARCH_NERO_FP16;
    vadvc.format = ARCH_NERO_FP16;
    first = built(bench, &hdiff);
    second = built(bench, &vadvc);
    assert_int_equal(arch_nero_design_plan(first)->lanes, 16);
    assert_int_equal(arch_nero_design_plan(second)->lanes, 2);
}

/* Two ports of as many numbers as lie side by side, 16 of them for a group. */
static void arrays_that_are_parted_too_little_slow_a_sweep_down(void **state)
{
    static const guint partitions[] = {1, 2, 3, 4, 7, 8, 16, 0};
    static const guint intervals[] = {8, 4, 3, 2, 2, 1, 1, 1};
    const Bench *bench = *state;

    for (guint i = 0; i < G_N_ELEMENTS(partitions); i++) {
        ArchNeroPlan plan = hdiff_plan(bench);
        g_autoptr(ArchNeroDesign) design = NULL;

        plan.partition = partitions[i];
        design = built(bench, &plan);
        assert_int_equal(arch_nero_design_interval(design, 0), intervals[i]);
    }
}

/* The second sweep only takes from the buffer between: 2 lanes, 1 number a port. What
 * it carries, 1024 numbers under one another, is a block RAM of half the width. */
static void each_sweep_has_its_own_interval(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan plan = vadvc_plan(bench);
    g_autoptr(ArchNeroDesign) design = NULL;
    const ArchNeroBuffer *carry = NULL;

    plan.partition = 1;
    plan.lanes = 2;
    plan.pes = 1;
    plan.window_y = 16;
    design = built(bench, &plan);
    assert_int_equal(arch_nero_design_interval(design, 0), 4); /* ustage: 3 + 1 */
    assert_int_equal(arch_nero_design_interval(design, 1), 2); /* a carry, both ways */
    carry = arch_nero_design_buffer(design, arch_nero_design_buffer_count(design) - 1);
    assert_string_equal(carry->name, "carry");
    assert_int_equal(carry->blocks, 1);
    assert_int_equal(
        arch_nero_design_recurrence(design, 0),
        arch_nero_datapath_recurrence(bench->forward, bench->params, ARCH_NERO_FP32));
    assert_int_equal(
        arch_nero_design_depth(design, 1),
        arch_nero_datapath_depth(bench->backward, bench->params, ARCH_NERO_FP32));
}

static void one_window_buffer_takes_half_of_two(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan plan = hdiff_plan(bench);
    g_autoptr(ArchNeroDesign) design = NULL;

    plan.windows_ahead = 1;
    design = built(bench, &plan);
    assert_int_equal(arch_nero_design_of_pe(design, ARCH_NERO_URAM), 4);
}

/* 76 blocks are left for 16 PEs: one window of 4 fits, the other is 12 of block RAM. */
static void what_finds_no_room_goes_to_the_other_memory(void **state)
{
    const Bench *bench = *state;
    const ArchNeroPlan plan = hdiff_plan(bench);
    g_autoptr(ArchNeroDesign) design = NULL;

    set(bench, "shell.uram_count=740");
    design = built(bench, &plan);
    assert_int_equal(arch_nero_design_buffer(design, 1)->resource, ARCH_NERO_URAM);
    assert_int_equal(arch_nero_design_buffer(design, 1)->count, 1);
    assert_int_equal(arch_nero_design_buffer(design, 2)->resource, ARCH_NERO_BRAM);
    assert_int_equal(arch_nero_design_buffer(design, 2)->count, 1);
    assert_int_equal(arch_nero_design_buffer(design, 2)->blocks, 12);
}

/* Of the windows in FP16: 260 * 68 * 64 numbers, 16 to a word, 4 blocks wide, 18 high,
 * twice. */
static void what_overflows_is_named(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan hdiff = hdiff_plan(bench);
    ArchNeroPlan vadvc = vadvc_plan(bench);

    vadvc.pes = 16;
    assert_refused(
        bench, &vadvc,
        "design vadvc: BRAM overflows: 16 PEs with windows of 64x2x64 in FP32 "
        "take 1724, 1714 of 2016 can be used");
    hdiff.window_x = 256;
    hdiff.window_z = 64;
    hdiff.format = ARCH_NERO_FP16;
    assert_refused(
        bench, &hdiff,
        "design hdiff: URAM overflows: 16 PEs with windows of 256x64x64 in FP16 "
        "take 2312, 816 of 960 can be used");
    hdiff = hdiff_plan(bench);
    set(bench, "device.dsp_count=4000");
    assert_refused(
        bench, &hdiff,
        "design hdiff: DSP overflows: 16 PEs with windows of 16x64x8 in FP32 "
        "take 4224, 3400 of 4000 can be used");
    hdiff.pes = 1;
    set(bench, "device.dsp_count=300");
    assert_refused(bench, &hdiff,
                   "design hdiff: DSP overflows: 1 PE with windows of 16x64x8 in FP32 "
                   "take 264, 255 of 300 can be used");
}

static void counts_that_no_board_has_are_refused(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan plan = hdiff_plan(bench);

    plan.pes = 17;
    assert_refused(
        bench, &plan,
        "design hdiff: 17 PEs, but nero_ad9h7 has 16 memory ports, one for each "
        "PE");
    plan.pes = 0;
    assert_refused(bench, &plan, "design hdiff: it has no PE, at least 1");
    plan = hdiff_plan(bench);
    plan.window_y = 0;
    assert_refused(bench, &plan, "design hdiff: window 16x0x8 is empty");
    plan.window_y = 70000;
    assert_refused(
        bench, &plan,
        "design hdiff: window 16x70000x8, at most 65536 points in a direction");
    plan = hdiff_plan(bench);
    plan.lanes = 17;
    assert_refused(
        bench, &plan,
        "design hdiff: 17 lanes of 32 bit, 1..16 fit into a stream of 512 bit");
    plan.lanes = G_MAXUINT;
    assert_refused(
        bench, &plan,
        "design hdiff: 4294967295 lanes of 32 bit, 1..16 fit into a stream of "
        "512 bit");
    plan = hdiff_plan(bench);
    plan.windows_ahead = 3;
    assert_refused(bench, &plan, "design hdiff: 3 window buffers, a PE has 1 or 2");
    plan = hdiff_plan(bench);
    plan.sweep_count = 3;
    assert_refused(bench, &plan, "design hdiff: 3 sweeps, a PE has 1 or 2");
    plan = hdiff_plan(bench);
    plan.partition = 5000;
    assert_refused(bench, &plan,
                   "design hdiff: arrays are partitioned by 5000, at most 4096");
}

static void sweeps_that_do_not_go_together_are_refused(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan plan = vadvc_plan(bench);
    g_autoptr(ArchNeroDatapath) empty =
        arch_nero_datapath_new("empty", ARCH_NERO_UPWARDS, VADVC_FIELDS);
    g_autoptr(ArchNeroDatapath) sideways = arch_nero_datapath_new(
        "sideways", ARCH_NERO_DOWNWARDS, VADVC_FIELDS + VADVC_BETWEEN);

    plan.window_z = 32;
    assert_refused(bench, &plan,
                   "design vadvc: sweep forward carries values from plane to plane, so "
                   "that windows are as high as the grid: 64 planes, not 32");
    plan = vadvc_plan(bench);
    plan.sweeps[0] = empty;
    assert_refused(bench, &plan, "design vadvc: sweep empty: a sweep has no result");
    plan = vadvc_plan(bench);
    plan.sweeps[1] = bench->forward;
    assert_refused(
        bench, &plan,
        "design vadvc: sweep forward takes 5 fields, the design has 7 for it");
    plan.sweeps[1] = sideways;
    (void) arch_nero_datapath_result(
        sideways,
        arch_nero_datapath_field(sideways, VADVC_FIELDS + 1, (ArchNeroTap){0, 1, 0}));
    assert_refused(bench, &plan,
                   "design vadvc: sweep sideways takes result 1 of the one before at "
                   "other points of the plane; the buffer between them has no margin");
}

static void other_planes_between_sweeps_need_the_whole_height(void **state)
{
    const Bench *bench = *state;
    ArchNeroPlan plan = hdiff_plan(bench);
    g_autoptr(ArchNeroDatapath) above =
        arch_nero_datapath_new("above", ARCH_NERO_UPWARDS, 2);

    (void) arch_nero_datapath_result(
        above, arch_nero_datapath_field(above, 1, (ArchNeroTap){0, 0, 1}));
    plan.sweep_count = 2;
    plan.sweeps[1] = above;
    assert_refused(
        bench, &plan,
        "design hdiff: sweep above takes result 0 of the one before from other "
        "planes; the window is 8 planes high, the grid 64");
}

/* Nothing is stored where there are not enough bits for it, whatever the window. */
static void blocks_hold_what_is_put_there(void **state)
{
    const Bench *bench = *state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(12);
    guint built_count = 0;

    for (guint i = 0; i < RANDOM_PLANS; i++) {
        ArchNeroPlan plan =
            g_rand_boolean(rand) ? hdiff_plan(bench) : vadvc_plan(bench);
        g_autoptr(ArchNeroDesign) design = NULL;

        plan.pes = (guint) g_rand_int_range(rand, 1, 15);
        plan.window_x = (guint) g_rand_int_range(rand, 1, 300);
        plan.window_y = (guint) g_rand_int_range(rand, 1, 20);
        plan.format = g_rand_boolean(rand) ? ARCH_NERO_FP32 : ARCH_NERO_FP16;
        plan.partition = (guint) g_rand_int_range(rand, 0, 9);
        design = arch_nero_design_new(bench->params, &plan, DEPTH, NULL);
        built_count += design != NULL;
        for (guint b = 0; design != NULL && b < arch_nero_design_buffer_count(design);
             b++) {
            static const guint sizes[] = {36864, 294912, 0, 0, 64};
            const ArchNeroBuffer *buffer = arch_nero_design_buffer(design, b);

            assert_true((uint64_t) buffer->blocks * sizes[buffer->resource] >=
                        buffer->bits);
        }
    }
    assert_in_range(built_count, RANDOM_PLANS / 4, RANDOM_PLANS - 1);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(hdiff_keeps_windows_in_uram_and_rows_in_luts),
        BENCH_TEST(vadvc_keeps_fields_and_what_lies_between_in_uram),
        BENCH_TEST(planes_that_are_reached_are_stored),
        BENCH_TEST(lanes_follow_from_format_and_fields),
        BENCH_TEST(arrays_that_are_parted_too_little_slow_a_sweep_down),
        BENCH_TEST(each_sweep_has_its_own_interval),
        BENCH_TEST(one_window_buffer_takes_half_of_two),
        BENCH_TEST(what_finds_no_room_goes_to_the_other_memory),
        BENCH_TEST(what_overflows_is_named),
        BENCH_TEST(counts_that_no_board_has_are_refused),
        BENCH_TEST(sweeps_that_do_not_go_together_are_refused),
        BENCH_TEST(other_planes_between_sweeps_need_the_whole_height),
        BENCH_TEST(blocks_hold_what_is_put_there),
    };

    return cmocka_run_group_tests_name("arch.nero_design", tests, NULL, NULL);
}
