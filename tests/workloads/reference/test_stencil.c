/* References of stencils: sums in Dst, orders, and what may be lost. */
#include <math.h>

#include "tests/workloads/buffer_chunk.h"
#include "workloads/reference/dst.h"
#include "workloads/reference/stencil.h"

enum {
    LINES = 7,
    NUMBERS = 6,
    LAYERS = 3,
    CELLS = LINES * NUMBERS * LAYERS,
};

static float add_product(float dst, float a, float b, guint fidelity)
{
    reference_dst_add_products(&dst, &a, b, fidelity, 1);
    return dst;
}

static void products_are_split_in_parts(void **state G_GNUC_UNUSED)
{
    const float a = 1 + 0x1p-7F;
    static const struct {
        float low_a; /* with b = 1 */
        float low_b; /* with a = 1 */
        float both;
    } expected[] = {{1, 1, 1},
                    {1 + 0x1p-7F, 1, 1 + 0x1p-7F},
                    {1 + 0x1p-7F, 1 + 0x1p-7F, 1 + 0x1p-6F},
                    {1 + 0x1p-7F, 1 + 0x1p-7F, 1 + 0x1p-6F + 0x1p-14F}};

    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_true(add_product(0, a, 1, i + 1) == expected[i].low_a);
        assert_true(add_product(0, 1, a, i + 1) == expected[i].low_b);
        assert_true(add_product(0, a, a, i + 1) == expected[i].both);
    }
    assert_true(add_product(0, -3, 5, 4) == -15);
    assert_true(add_product(7, 0, 5, 4) == 7);
    assert_true(add_product(7, -5, 0, 4) == 7);
    assert_true(add_product(15, -3, 5, 4) == 0);
}

static void sums_in_dst_have_24_bits(void **state G_GNUC_UNUSED)
{
    static const struct {
        float dst;
        float product;
        float sum;
    } cases[] = {
        {0x1p23F, 1, 0x1p23F + 1},
        {0x1p24F - 1, 2, 0x1p24F + 2}, /* the sum's tie goes away from 0 */
        {-0x1p24F + 1, -2, -0x1p24F - 2},
        {0x1p25F, 1, 0x1p25F},     /* less than half a unit */
        {0x1p25F, 2, 0x1p25F + 4}, /* a product's tie goes up */
        {-0x1p25F, 2, -0x1p25F + 4},
        {0x1p25F, -2, 0x1p25F},
        {0x1p24F + 2, -1, 0x1p24F + 2},
        {3, 0x1p25F, 0x1p25F + 4}, /* Dst is aligned too */
        {2, 0x1p25F, 0x1p25F + 4}, /* its ties go away from 0 */
        {-2, -0x1p25F, -0x1p25F - 4},
        {-2, 0x1p25F, 0x1p25F - 4},
        {0x1p60F, 1, 0x1p60F},
        {0, 0x1.8p-120F, 0x1.8p-120F}, /* small ones, and what is none any more */
        {0x1.8p-120F, -0x1p-120F, 0x1p-121F},
        {0x1.8p-126F, -0x1p-126F, 0},
        {0x1p127F, 0x1p127F, HUGE_VALF},
        {1, 0x1p60F, 0x1p60F},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_true(add_product(cases[i].dst, cases[i].product, 1, 4) == cases[i].sum);
    }
}

static void packing_rounds_ties_away(void **state G_GNUC_UNUSED)
{
    assert_true(reference_dst_to_bf16(1 + 0x1p-8F) == 1 + 0x1p-7F);
    assert_true(reference_dst_to_bf16(-1 - 0x1p-8F) == -1 - 0x1p-7F);
    assert_true(reference_dst_to_bf16(1 + 0x1p-8F - 0x1p-20F) == 1);
    assert_true(reference_dst_to_bf16(0) == 0);
}

/* Everything there is: slanted sums, groups along x and z, the level before. Weights
 * are whole numbers, so that nothing is rounded. */
static ReferenceStencil whole_stencil(NumberFormat format)
{
    return (ReferenceStencil){
        .format = format,
        .fidelity = 4,
        .lines = LINES,
        .numbers = NUMBERS,
        .layers = LAYERS,
        .steps = 1,
        .reach = 2,
        .has_before = true,
        .sum_count = 2,
        .sums = {{.places = {1, 0, 1}, .first = 0, .count = 2},
                 {.places = {1, 1, 2}, .first = 2, .count = 1}},
        .first = 3,
        .count = 2,
        .groups = {{2, 3, 2}, {-3, 5, 1}, {4, 6, 2}, {5, 8, 1}, {-1, 9, 4}},
        .terms = {{0, 0, 0}, /* the places of both sums */
                  {-2, 0, 0},
                  {1, 0, 0},
                  {0, -1, 0}, /* terms of groups along y */
                  {0, 2, 0},
                  {0, 0, 0},
                  {0, -2, 0},
                  {0, 1, 0},
                  {0, 0, 0}, /* along x and z */
                  {-1, 0, 0},
                  {2, 0, 0},
                  {0, 0, -1},
                  {0, 0, 1}},
    };
}

static int cell(const int *level, int x, int y, int z)
{
    return x < 0 || y < 0 || z < 0 || x >= LINES || y >= NUMBERS || z >= LAYERS
               ? 0
               : level[(z * LINES + x) * NUMBERS + y];
}

/* The stencil above, by hand. */
static int whole_step(const int *now, const int *before, int x, int y, int z)
{
    int sum = 2 * (cell(now, x, y - 1, z) + cell(now, x, y + 2, z)) -
              3 * cell(now, x, y, z) + 5 * cell(now, x, y, z);

    for (int i = 0; i < 2; i++) {
        const int there = i == 0 ? x - 2 : x + 1;

        sum += 4 * (cell(now, there, y - 2, z) + cell(now, there, y + 1, z));
    }
    sum -= cell(now, x - 1, y, z) + cell(now, x + 2, y, z) + cell(now, x, y, z - 1) +
           cell(now, x, y, z + 1);
    return sum - cell(before, x, y, z);
}

static void terms_count_with_their_weights(void **state G_GNUC_UNUSED)
{
    int now[CELLS];
    int before[CELLS];
    float from[CELLS];
    float other[CELLS];

    for (int i = 0; i < CELLS; i++) {
        now[i] = i * i % 5 - 2;
        before[i] = i * 7 % 4 - 1;
        from[i] = (float) now[i];
        other[i] = (float) before[i];
    }
    for (guint format = NUMBER_BF16; format <= NUMBER_FP32; format++) {
        const ReferenceStencil stencil = whole_stencil((NumberFormat) format);
        g_autofree float *last = reference_stencil_on_chip(&stencil, from, other);
        double largest = 0;

        for (int i = 0; i < CELLS; i++) {
            assert_int_equal((int) last[i],
                             whole_step(now, before, i / NUMBERS % LINES, i % NUMBERS,
                                        i / NUMBERS / LINES));
        }
        assert_true(reference_stencil_error(&stencil, from, other, last, &largest) ==
                    0);
        assert_true(largest > 10);
    }
}

static void levels_take_turns(void **state G_GNUC_UNUSED)
{
    ReferenceStencil stencil = whole_stencil(NUMBER_FP32);
    float now[CELLS] = {[40] = 1, [41] = 3};
    float before[CELLS] = {[9] = 2};
    g_autofree float *first = reference_stencil_on_chip(&stencil, now, before);
    g_autofree float *second = reference_stencil_on_chip(&stencil, first, now);

    stencil.steps = 2;
    g_autofree float *both = reference_stencil_on_chip(&stencil, now, before);

    assert_memory_equal(both, second, sizeof now);
}

/* A grid of one cell, or of three along y. */
static ReferenceStencil small_stencil(NumberFormat format, guint numbers)
{
    return (ReferenceStencil){
        .format = format,
        .fidelity = 4,
        .lines = 1,
        .numbers = numbers,
        .layers = 1,
        .steps = 1,
        .reach = 1,
        .sum_count = 1,
        .sums = {{.places = {1, 0, 1}, .first = 0, .count = 1}},
        .first = 1,
        .groups = {{0.1, 1, 2}},
        .terms = {{0, 0, 0}, {0, -1, 0}, {0, 1, 0}},
    };
}

/* FP32 adds a group's numbers up before it multiplies; BF16 multiplies each. */
static void groups_are_weighed_as_the_unit_does(void **state G_GNUC_UNUSED)
{
    const ReferenceStencil on_sfpu = small_stencil(NUMBER_FP32, 3);
    const ReferenceStencil on_fpu = small_stencil(NUMBER_BF16, 3);
    const float now[] = {1, 0, 0x1.02p-8F};
    const float before[3] = {0};
    const float weight = 0x1.9ap-4F; /* 0.1 in BF16 */
    g_autofree float *single = reference_stencil_on_chip(&on_sfpu, now, before);
    g_autofree float *half = reference_stencil_on_chip(&on_fpu, now, before);

    assert_true(single[1] == (now[0] + now[2]) * 0.1F);
    assert_true(half[1] == reference_dst_to_bf16(weight + weight * 0x1.02p-8F));
}

static void errors_are_in_units_of_what_may_be_lost(void **state G_GNUC_UNUSED)
{
    ReferenceStencil stencil = small_stencil(NUMBER_BF16, 1);
    const float one = 1;
    const float result = 1 + 0x1p-7F;
    double largest = 0;

    stencil.groups[0] = (ReferenceGroup){1, 0, 1};
    assert_true(reference_stencil_error(&stencil, &one, &one, &result, &largest) ==
                0.5);
    assert_true(largest == 1);
    stencil.steps = 2;
    assert_true(reference_stencil_error(&stencil, &one, &one, &result, &largest) <
                0.25);
    stencil.format = NUMBER_FP32;
    stencil.steps = 1;
    /* A place, a term, a group, and two more. */
    assert_true(reference_stencil_error(&stencil, &one, &one, &result, &largest) ==
                0x1p-7 / (5 * 0x1p-24));
}

/* Denormal results may be 0; nothing else. */
static void nothing_is_lost_where_nothing_is_small(void **state G_GNUC_UNUSED)
{
    ReferenceStencil stencil = small_stencil(NUMBER_BF16, 1);
    const float small = 0x1p-125F;
    const float zero = 0;
    double largest = 0;

    stencil.groups[0] = (ReferenceGroup){0.25, 0, 1};
    assert_true(reference_stencil_error(&stencil, &small, &zero, &zero, &largest) < 1);
    stencil.groups[0].weight = 64;
    assert_true(reference_stencil_error(&stencil, &small, &zero, &zero, &largest) > 1);
}

/* In the first steps a sample each, to one cell. */
static void the_source_adds_its_samples_one_a_step(void **state G_GNUC_UNUSED)
{
    static const double samples[] = {1, 10};
    static const float expected[] = {0, 1, 12, 24};

    for (guint format = NUMBER_BF16; format <= NUMBER_FP32; format++) {
        ReferenceStencil stencil = small_stencil((NumberFormat) format, 3);
        const float zeros[3] = {0};

        stencil.groups[0] = (ReferenceGroup){2, 0, 1};
        stencil.source = (ReferenceSource){.samples = samples, .count = 2, .y = 1};
        for (stencil.steps = 0; stencil.steps < G_N_ELEMENTS(expected);
             stencil.steps++) {
            g_autofree float *last = reference_stencil_on_chip(&stencil, zeros, zeros);
            double largest = 0;

            assert_true(last[0] == 0 && last[1] == expected[stencil.steps] &&
                        last[2] == 0);
            assert_true(
                reference_stencil_error(&stencil, zeros, zeros, last, &largest) == 0);
            assert_true(largest == (double) expected[stencil.steps]);
        }
    }
}

static void what_is_no_number_is_an_error(void **state G_GNUC_UNUSED)
{
    ReferenceStencil stencil = small_stencil(NUMBER_FP32, 1);
    const float one = 1;
    const float result = NAN;
    double largest = 0;

    assert_true(
        isinf(reference_stencil_error(&stencil, &one, &one, &result, &largest)));
}

/* A stencil that adds the number before along y and, times 2, the one before along x.
 */
static const char given[] =
    "local it = { format = 'fp32', across = 2, down = 2, layers = 2, lines = 70,"
    "  numbers = 20, steps = 1, reach = 1, groups = { { weight = 2, at = { { -1, 0 } } "
    "} },"
    "  sums = { { at = { 0 }, groups = { { weight = 1, at = { -1 } } } } } }\n"
    "local bytes, bare = 8 * 4096, false\n";
/* Its level, after changes. */
#define NOW                                                                            \
    "\nlocal now = buffer(bytes, bare)\n"                                              \
    "it.before, it.result = it.before or now, it.result or now\n"

static void assert_prints(const char *then, const char *expected)
{
    g_autofree char *text = g_strconcat(given, then, NULL);

    buffer_chunk_assert_prints(text, expected);
}

/* Core 1 is next to core 0 along y, core 2 along x; each has two tiles. */
static void neighbours_are_on_other_cores(void **state G_GNUC_UNUSED)
{
    assert_prints(
        NOW "now:set('fp32', 1024 + 63 * 16 + 15, 1)" /* (63, 15, 1) */
            "local last = now:stencil(it)"
            "for i = 0, #last // 4 - 1 do\n"
            "  if last:get('fp32', i) ~= 0 then print(i, last:get('fp32', i)) end\n"
            "end\n"
            "print(now:stencil_error(it) > 1e30, select(2, now:stencil_error(it)))",
        "4080\t1.0\n5135\t2.0\ntrue\t2.0\n");
}

static void exact_levels_lie_as_on_wafers(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "it.steps = 0" NOW "now:set('fp32', 1024 + 63 * 16 + 15, 1)"
        "local last = now:stencil_exact(it)"
        "for i = 0, #last // 4 - 1 do\n"
        "  if last:get('fp32', i) ~= 0 then print(i, last:get('fp32', i)) end\n"
        "end\n"
        "print(#last)",
        "2227\t1.0\n11200\n"); /* (15 * 70 + 63) * 2 + 1 */
}

static void without_data_there_is_nothing_to_work_out(void **state G_GNUC_UNUSED)
{
    assert_prints("bare = true" NOW "print(#now:stencil(it), now:stencil_error(it))",
                  "32768\t0.0\t0.0\n");
}

static void wrong_calls_say_what_is_wrong(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"it.layers = 0", "layers: expected an integer of 1 to 65535"},
        {"it.lines = 129", "lines: expected an integer of 1 to 128"},
        {"it.numbers = 33", "numbers: expected an integer of 1 to 32"},
        {"it.reach = 9", "reach: expected an integer of 0 to 8"},
        {"it.reach = 0", "terms are not within reach"},
        {"it.fidelity = 5", "fidelity: expected an integer of 1 to 4"},
        {"it.sums = {}", "sums: expected 1 to 64"},
        {"it.sums[1].at = { 1 }", "terms are not within reach"},
        {"it.sums[1].groups = nil", "groups: expected a list"},
        {"it.groups[1].at[1] = 'x'", "table expected"},
        {"it.groups[1].at[1] = { 0, 0.5 }", "at: expected an integer of -8 to 8"},
        {"it.groups[1].weight = nil", "number expected"},
        {"it.before = buffer(4)", "before differs from the buffer in length"},
        {"bytes = 4096", "the buffer is not as large as the grid"},
    };

    buffer_chunk_assert_refused(given, cases, G_N_ELEMENTS(cases),
                                NOW "now:stencil(it)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_split_in_parts),
        cmocka_unit_test(sums_in_dst_have_24_bits),
        cmocka_unit_test(packing_rounds_ties_away),
        cmocka_unit_test(terms_count_with_their_weights),
        cmocka_unit_test(levels_take_turns),
        cmocka_unit_test(groups_are_weighed_as_the_unit_does),
        cmocka_unit_test(errors_are_in_units_of_what_may_be_lost),
        cmocka_unit_test(nothing_is_lost_where_nothing_is_small),
        cmocka_unit_test(the_source_adds_its_samples_one_a_step),
        cmocka_unit_test(what_is_no_number_is_an_error),
        cmocka_unit_test(neighbours_are_on_other_cores),
        cmocka_unit_test(exact_levels_lie_as_on_wafers),
        cmocka_unit_test(without_data_there_is_nothing_to_work_out),
        cmocka_unit_test(wrong_calls_say_what_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
