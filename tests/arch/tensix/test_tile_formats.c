/* Formats of circular buffers: what a kernel makes of tiles in them, and its time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/arch/tensix/rounds.h"

static float numbers[ARCH_TILE_ELEMENTS];
static float results[ARCH_TILE_ELEMENTS];
static guint32 words[ARCH_TILE_ELEMENTS];
static guint16 halves[ARCH_TILE_ELEMENTS];

static void tiles_have_the_bytes_that_programs_expect(void **state)
{
    static const guint bytes[ARCH_FORMATS] = {
        [ARCH_FORMAT_BF16] = 2048,   [ARCH_FORMAT_FP32] = 4096,
        [ARCH_FORMAT_BFP8] = 1088,   [ARCH_FORMAT_BFP4] = 576,
        [ARCH_FORMAT_UINT32] = 4096, [ARCH_FORMAT_INT32] = 4096,
        [ARCH_FORMAT_UINT16] = 2048, [ARCH_FORMAT_TF32] = 4096,
    };

    (void) state;
    for (guint i = 0; i < ARCH_FORMATS; i++) {
        assert_int_equal(arch_format_tile_bytes((ArchFormat) i), bytes[i]);
        assert_string_equal(arch_format_names()[i], arch_format_name((ArchFormat) i));
    }
    assert_null(arch_format_names()[ARCH_FORMATS]);
}

/* 11 for the wait, 26 for the call, 4 of the stream; then the unpacker, the last face
 * with 3 + 5, the commit 4, the semaphore 3, 9 before the packer, and the packer; the
 * release 6, the push 1 + 4. BFP8 has 960 bytes less than BF16: 15 cycles; BFP4 1472:
 * 23. */
static void copies_take_the_time_of_their_bytes(void **state)
{
    static const struct {
        ArchFormat in;
        ArchFormat out;
        guint unpack;
        guint pack;
    } rows[] = {
        {ARCH_FORMAT_BF16, ARCH_FORMAT_BF16, 38, 34},
        {ARCH_FORMAT_BFP8, ARCH_FORMAT_BFP8, 38 - 15, 34 - 15},
        {ARCH_FORMAT_BFP4, ARCH_FORMAT_BFP4, 38 - 23, 34 - 23},
        {ARCH_FORMAT_BFP8, ARCH_FORMAT_FP32, 38 - 15, 66},
        {ARCH_FORMAT_UINT16, ARCH_FORMAT_UINT16, 38, 34},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const KernelTest test = {.round = round_stream_copy,
                                 .rounds = 1,
                                 .format = rows[i].in,
                                 .has_out_format = true,
                                 .out_format = rows[i].out};
        g_auto(KernelResult) result = kernel_run(&test);

        assert_null(result.refusal);
        assert_int_equal(result.cycles, 11 + 26 + 4 + rows[i].unpack + 3 + 5 + 4 + 3 +
                                            9 + rows[i].pack + 6 + 1 + 4);
    }
}

static void wide_integers_take_the_time_of_fp32(void **state)
{
    static const ArchFormat formats[] = {ARCH_FORMAT_UINT32, ARCH_FORMAT_INT32,
                                         ARCH_FORMAT_TF32};
    KernelTest test = {
        .round = round_stream_copy, .format = ARCH_FORMAT_FP32, .is_dst_fp32 = true};
    const double expected = kernel_slope(test, 32);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        test.format = formats[i];
        assert_true(fabs(kernel_slope(test, 32) - expected) < 0.01);
    }
}

/* A whole tile comes into Src at once: 63 - 2 x 15 for BFP8, 63 - 2 x 23 for BFP4, and
 * 16 for each phase of the product, which does not overlap. The four calls, waits and
 * pops of a batch are hidden or not as with BF16. */
static void products_of_blocks_take_less_to_unpack(void **state)
{
    const KernelTest wide = {.round = round_batch_matmul, .fidelity = 2};
    KernelTest test = wide;
    const double bf16 = kernel_slope(wide, 64);

    (void) state;
    test.format = ARCH_FORMAT_BFP8;
    assert_true(fabs(bf16 - kernel_slope(test, 64) - 30) < 0.01);
    test.format = ARCH_FORMAT_BFP4;
    const double bfp4 = kernel_slope(test, 64);

    print_message("matmul_tiles HiFi2: bf16 %.2f, bfp4 %.2f cycles a tile\n", bf16,
                  bfp4);
    assert_true(fabs(bf16 - bfp4 - 46) < 1);
}

/* Quarters from -7.75 to 8: exact in seven bits under one exponent, and the largest of
 * 16 neighbours has it. */
static void fill_numbers(void)
{
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        numbers[i] = 0.25F * (float) ((int) (i * 37 % 64) - 31);
    }
}

static void fill_bfp8(guint8 *inputs)
{
    fill_numbers();
    arch_tensix_pack(ARCH_FORMAT_BFP8, inputs, numbers);
}

static void look_bf16(const guint8 *output)
{
    arch_tensix_unpack(ARCH_FORMAT_BF16, results, output);
}

static void look_bfp4(const guint8 *output)
{
    arch_tensix_unpack(ARCH_FORMAT_BFP4, results, output);
}

static void blocks_come_exactly_and_leave_with_their_bits(void **state)
{
    KernelTest test = {.round = round_stream_copy,
                       .rounds = 1,
                       .format = ARCH_FORMAT_BFP8,
                       .has_out_format = true,
                       .out_format = ARCH_FORMAT_BF16,
                       .fill = fill_bfp8,
                       .look = look_bf16};
    g_auto(KernelResult) exact = kernel_run(&test);

    (void) state;
    assert_null(exact.refusal);
    assert_memory_equal(results, numbers, sizeof numbers);
    test.out_format = ARCH_FORMAT_BFP4;
    test.look = look_bfp4;
    g_auto(KernelResult) cut = kernel_run(&test);
    float worst = 0;

    assert_null(cut.refusal);
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        assert_true(fabsf(results[i]) <= fabsf(numbers[i]));
        worst = fmaxf(worst, fabsf(results[i] - numbers[i]));
    }
    print_message("to bfp4: worst error %g of numbers up to 8\n", (double) worst);
    /* Three bits under 2^3 are steps of 2, cut towards zero. */
    assert_true(worst < 2);
}

static void fill_words(guint8 *inputs)
{
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        words[i] = i * UINT32_C(2654435761);
    }
    memcpy(inputs, words, sizeof words);
}

static void look_words(const guint8 *output)
{
    assert_memory_equal(output, words, sizeof words);
}

static void fill_halves(guint8 *inputs)
{
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        halves[i] = (guint16) (i * 40503U); /* also denormals and NaNs of BF16 */
    }
    memcpy(inputs, halves, sizeof halves);
}

static void look_halves(const guint8 *output)
{
    assert_memory_equal(output, halves, sizeof halves);
}

static void look_widened(const guint8 *output)
{
    for (guint i = 0; i < ARCH_TILE_ELEMENTS; i++) {
        guint32 word = 0;

        memcpy(&word, output + i * sizeof word, sizeof word);
        assert_int_equal(word, halves[i]);
    }
}

static void integers_pass_as_they_are(void **state)
{
    static const KernelTest tests[] = {
        {.format = ARCH_FORMAT_UINT32,
         .is_dst_fp32 = true,
         .fill = fill_words,
         .look = look_words},
        {.format = ARCH_FORMAT_INT32,
         .is_dst_fp32 = true,
         .fill = fill_words,
         .look = look_words},
        {.format = ARCH_FORMAT_UINT16, .fill = fill_halves, .look = look_halves},
        {.format = ARCH_FORMAT_UINT16,
         .has_out_format = true,
         .out_format = ARCH_FORMAT_UINT32,
         .is_dst_fp32 = true,
         .fill = fill_halves,
         .look = look_widened},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
        KernelTest test = tests[i];

        test.round = round_stream_copy;
        test.rounds = 1;
        g_auto(KernelResult) result = kernel_run(&test);

        assert_null(result.error);
        assert_null(result.refusal);
    }
}

static void integers_do_not_go_where_they_cannot(void **state)
{
    static const struct {
        KernelTest test;
        const char *refusal;
    } rows[] = {
        {{.round = round_stream_add, .format = ARCH_FORMAT_UINT16},
         "add_tiles: the FPU has no arithmetic for uint16, the format of circular "
         "buffer 0"},
        {{.round = round_stream_copy, .format = ARCH_FORMAT_INT32},
         "copy_tile: a Dst of 16 bits has no room for int32, the format of circular "
         "buffer 0"},
        {{.round = round_stream_copy,
          .has_out_format = true,
          .out_format = ARCH_FORMAT_UINT32},
         "pack_tile: a Dst of 16 bits has no room for uint32, the format of circular "
         "buffer 2"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        KernelTest test = rows[i].test;

        test.rounds = 1;
        g_auto(KernelResult) result = kernel_run(&test);

        assert_non_null(result.refusal);
        assert_string_equal(result.refusal, rows[i].refusal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_have_the_bytes_that_programs_expect),
        cmocka_unit_test(copies_take_the_time_of_their_bytes),
        cmocka_unit_test(wide_integers_take_the_time_of_fp32),
        cmocka_unit_test(products_of_blocks_take_less_to_unpack),
        cmocka_unit_test(blocks_come_exactly_and_leave_with_their_bits),
        cmocka_unit_test(integers_pass_as_they_are),
        cmocka_unit_test(integers_do_not_go_where_they_cannot),
    };

    return cmocka_run_group_tests_name("arch.tensix_tile_formats", tests, NULL, NULL);
}
