/* Settings of the packers: sums in L1, rectified numbers, and their time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/tensix/compute/packer.h"
#include "tests/arch/tensix/rounds.h"

static float numbers[ARCH_TILE_ELEMENTS];
static float results[ARCH_TILE_ELEMENTS];

/* Packs a tile twice to the same page. */
static void pack_twice(GArray *calls, bool adds)
{
    call_wait(calls, KERNEL_IN, 1);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_COPY, .cb_a = KERNEL_IN);
    call_plain(calls, ARCH_COMPUTE_COMMIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_RESERVE, .cb_a = KERNEL_OUT, .count = 1);
    call_plain(calls, ARCH_COMPUTE_WAIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK, .cb_a = KERNEL_OUT);
    if (adds) {
        KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK_ACCUMULATE, .value = 1);
    }
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK, .cb_a = KERNEL_OUT);
    if (adds) {
        KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK_ACCUMULATE, .value = 0);
    }
    call_plain(calls, ARCH_COMPUTE_RELEASE);
    call_pop(calls, KERNEL_IN, 1);
    call_push(calls, KERNEL_OUT);
}

static void round_plain(GArray *calls, guint round)
{
    (void) round;
    pack_twice(calls, false);
}

static void round_adds(GArray *calls, guint round)
{
    (void) round;
    pack_twice(calls, true);
}

static void fill(guint8 *inputs)
{
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        numbers[i] = 0.5F * (float) ((int) (i % 200) - 100);
    }
    arch_tensix_pack(ARCH_FORMAT_BF16, inputs, numbers);
}

static void fill_fp32(guint8 *inputs)
{
    fill(inputs);
    arch_tensix_pack(ARCH_FORMAT_FP32, inputs, numbers);
}

static void look(const guint8 *output)
{
    arch_tensix_unpack(ARCH_FORMAT_BF16, results, output);
}

static void look_fp32(const guint8 *output)
{
    arch_tensix_unpack(ARCH_FORMAT_FP32, results, output);
}

/* 2048 bytes are 32 writes of four packers, each of which takes a cycle more. The
 * settings hide behind the packers, which they wait for. */
static void sums_in_l1_are_right_and_take_twice_the_writes(void **state)
{
    const KernelTest tests[] = {
        {.fill = fill, .look = look},
        {.fill = fill_fp32, .look = look_fp32, .format = ARCH_FORMAT_FP32},
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) {
        KernelTest test = tests[i];

        test.rounds = 1;
        test.round = round_plain;
        g_auto(KernelResult) plain = kernel_run(&test);

        assert_null(plain.refusal);
        assert_memory_equal(results, numbers, sizeof numbers);
        test.round = round_adds;
        g_auto(KernelResult) sum = kernel_run(&test);

        assert_null(sum.refusal);
        for (guint k = 0; k < ARCH_TILE_ELEMENTS; k++) {
            assert_true(results[k] == 2 * numbers[k]);
        }
        assert_int_equal(sum.cycles - plain.cycles, i == 0 ? 32 : 64);
    }
}

static void packers_add_only_to_what_they_can(void **state)
{
    const KernelTest test = {
        .round = round_adds, .rounds = 1, .format = ARCH_FORMAT_BFP8};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_string_equal(
        result.refusal,
        "pack_tile: packers add to bf16 and fp32 in L1, circular buffer 2 has bfp8");
}

static void sums_round_to_even_without_denormals(void **state)
{
    static const struct {
        float in_l1;
        float in_dst;
        float sum;
    } rows[] = {
        {1, 0x1p-8F, 1},                     /* tie, even is down */
        {1 + 0x1p-7F, 0x1p-8F, 1 + 0x1p-6F}, /* tie, even is up */
        {0x1p-126F, -0x1.8p-126F, 0},        /* a denormal */
        {3, -3, 0},                          /* +0 */
        {0x1.fep127F, 0x1p127F, HUGE_VALF},  /* too great */
    };
    const TensixPacker packer = {.accumulates = true};
    guint32 dst[ARCH_TILE_ELEMENTS] = {0};
    guint8 l1[2 * ARCH_TILE_ELEMENTS];
    float before[ARCH_TILE_ELEMENTS] = {0};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        before[i] = rows[i].in_l1;
        dst[i] = tensix_number_from_float(rows[i].in_dst);
    }
    arch_tensix_pack(ARCH_FORMAT_BF16, l1, before);
    tensix_packer_write(&packer, l1, ARCH_FORMAT_BF16, dst, TENSIX_ARITHMETIC_CHIP);
    arch_tensix_unpack(ARCH_FORMAT_BF16, results, l1);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (results[i] != rows[i].sum || signbit(results[i])) {
            fail_msg("row %u: %a, not %a", i, (double) results[i],
                     (double) rows[i].sum);
        }
    }
}

/* The last of each row is what its rule makes of the first, the threshold being 2. */
static void packers_rectify(void **state)
{
    static const float given[] = {-3, -0.0F, 0.5F, 2, 2.5F};
    static const float rows[TENSIX_RELUS][G_N_ELEMENTS(given)] = {
        [TENSIX_RELU_NONE] = {-3, 0, 0.5F, 2, 2.5F},
        [TENSIX_RELU_ZERO] = {0, 0, 0.5F, 2, 2.5F},
        [TENSIX_RELU_MIN_THRESHOLD] = {0, 0, 0, 0, 2.5F},
        [TENSIX_RELU_MAX_THRESHOLD] = {0, 0, 0.5F, 2, 2},
    };
    guint32 dst[ARCH_TILE_ELEMENTS] = {0};
    guint8 l1[2 * ARCH_TILE_ELEMENTS];

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(given); i++) {
        dst[i] = tensix_number_from_float(given[i]);
    }
    for (guint rule = 0; rule < TENSIX_RELUS; rule++) {
        const gint32 config = (gint32) (0x40000000U | rule);
        const TensixPacker packer = {.relu = tensix_packer_relu(config),
                                     .threshold = tensix_packer_threshold(config)};

        tensix_packer_write(&packer, l1, ARCH_FORMAT_BF16, dst, TENSIX_ARITHMETIC_CHIP);
        arch_tensix_unpack(ARCH_FORMAT_BF16, results, l1);
        for (guint i = 0; i < G_N_ELEMENTS(given); i++) {
            assert_true(results[i] == rows[rule][i]);
        }
    }
}

static void round_negative(GArray *calls, guint round)
{
    (void) round;
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK_RELU, .value = (gint32) 0xbf800002U);
}

static void a_threshold_is_not_negative(void **state)
{
    const KernelTest test = {.round = round_negative, .rounds = 1};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_string_equal(result.refusal, "pack_relu_config: the threshold is below 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_in_l1_are_right_and_take_twice_the_writes),
        cmocka_unit_test(packers_add_only_to_what_they_can),
        cmocka_unit_test(sums_round_to_even_without_denormals),
        cmocka_unit_test(packers_rectify),
        cmocka_unit_test(a_threshold_is_not_negative),
    };

    return cmocka_run_group_tests_name("arch.tensix_pack", tests, NULL, NULL);
}
