/* References of waves: against what is known of the equation, and the order of sums. */
#include <math.h>

#include "tests/workloads/buffer_chunk.h"
#include "workloads/buffer/number_format.h"
#include "workloads/reference/wave.h"

static const double factor = 0.1;

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double) (*state >> 11) * 0x1p-52 - 1;
}

/* Two levels of a grid, in both precisions. */
typedef struct {
    float *now;
    float *before;
    double *exact_now;
    double *exact_before;
} Levels;

static Levels random_levels(const ReferenceWave *wave)
{
    const gsize count = reference_wave_count(wave);
    const Levels levels = {.now = g_new0(float, count),
                           .before = g_new0(float, count),
                           .exact_now = g_new0(double, count),
                           .exact_before = g_new0(double, count)};
    uint64_t state = 1;

    for (gsize i = 0; i < count; i++) {
        levels.now[i] = (float) random_number(&state);
        levels.before[i] = (float) random_number(&state);
        levels.exact_now[i] = (double) levels.now[i];
        levels.exact_before[i] = (double) levels.before[i];
    }
    return levels;
}

static void free_levels(Levels levels)
{
    g_free(levels.now);
    g_free(levels.before);
    g_free(levels.exact_now);
    g_free(levels.exact_before);
}

static double largest_of(const double *numbers, gsize count)
{
    double largest = 0;

    for (gsize i = 0; i < count; i++) {
        largest = fmax(largest, fabs(numbers[i]));
    }
    return largest;
}

static void both_precisions_agree_on_every_shape(void **state G_GNUC_UNUSED)
{
    static const double samples[] = {0.5, 1, -0.25};
    static const ReferenceWave waves[] = {
        {.columns = 1, .rows = 1, .layers = 1, .directions = "ewns"},
        {.columns = 1, .rows = 1, .layers = 3, .directions = "ewns"},
        {.columns = 3, .rows = 2, .layers = 4, .directions = "ewns"},
        {.columns = 12, .rows = 1, .layers = 5, .directions = "ewns"},
        {.columns = 13, .rows = 14, .layers = 15, .directions = "ewns"},
        {.columns = 9, .rows = 10, .layers = 6, .directions = "e"},
        {.columns = 9, .rows = 10, .layers = 6, .directions = "nw"},
        {.columns = 9, .rows = 10, .layers = 6, .directions = "ews"},
        {.columns = 3,
         .rows = 3,
         .layers = 4,
         .directions = "ewns",
         .has_idle_corners = true},
        {.columns = 9,
         .rows = 12,
         .layers = 6,
         .directions = "ewns",
         .has_idle_corners = true},
    };

    for (guint i = 0; i < G_N_ELEMENTS(waves); i++) {
        ReferenceWave wave = waves[i];
        const gsize count = reference_wave_count(&wave);
        const Levels levels = random_levels(&wave);

        wave.steps = 20;
        wave.factor = factor;
        wave.source_x = wave.columns / 2;
        wave.source_z = wave.layers / 2;
        wave.samples = samples;
        wave.sample_count = G_N_ELEMENTS(samples);

        const float *single = reference_wave_single(&wave, levels.now, levels.before);
        const double *exact =
            reference_wave_double(&wave, levels.exact_now, levels.exact_before);

        const double tolerance = 1e-5 * largest_of(exact, count);
        for (gsize k = 0; k < count; k++) {
            if (!(fabs((double) single[k] - exact[k]) <= tolerance)) {
                fail_msg("grid %u, cell %zu: %g, %g", i, k, (double) single[k],
                         exact[k]);
            }
        }
        free_levels(levels);
    }
}

/* What a neighbour adds, one cell at a time: the equation as it is written. */
static double
value_at(const ReferenceWave *wave, const double *now, int x, int y, int z)
{
    const int columns = (int) wave->columns;

    if (x < 0 || y < 0 || z < 0 || x >= columns || y >= (int) wave->rows ||
        z >= (int) wave->layers) {
        return 0;
    }
    return now[(y * columns + x) * (int) wave->layers + z];
}

static double
laplacian_at(const ReferenceWave *wave, const double *now, int x, int y, int z)
{
    static const double second[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                    -1.0 / 560};
    double sum = 3 * second[0] * value_at(wave, now, x, y, z);

    for (int m = 1; m <= 4; m++) {
        sum += second[m] *
               (value_at(wave, now, x - m, y, z) + value_at(wave, now, x + m, y, z) +
                value_at(wave, now, x, y - m, z) + value_at(wave, now, x, y + m, z) +
                value_at(wave, now, x, y, z - m) + value_at(wave, now, x, y, z + m));
    }
    return sum;
}

static void a_step_is_the_equation_cell_by_cell(void **state G_GNUC_UNUSED)
{
    const ReferenceWave wave = {.columns = 6,
                                .rows = 7,
                                .layers = 11,
                                .steps = 1,
                                .factor = factor,
                                .directions = "ewns"};
    const gsize count = reference_wave_count(&wave);
    const Levels levels = random_levels(&wave);
    g_autofree double *expected = g_new0(double, count);

    for (int i = 0; i < (int) count; i++) {
        const double laplacian =
            laplacian_at(&wave, levels.exact_now, i / 11 % 6, i / 66, i % 11);

        expected[i] =
            2 * levels.exact_now[i] + factor * laplacian - levels.exact_before[i];
    }

    const double *last =
        reference_wave_double(&wave, levels.exact_now, levels.exact_before);

    for (gsize i = 0; i < count; i++) {
        assert_true(fabs(last[i] - expected[i]) < 1e-14);
    }
    free_levels(levels);
}

/* The coefficients are exact for polynomials up to the ninth degree. */
static void the_laplacian_of_polynomials_is_exact(void **state G_GNUC_UNUSED)
{
    const ReferenceWave wave = {.columns = 9,
                                .rows = 9,
                                .layers = 9,
                                .steps = 1,
                                .factor = factor,
                                .directions = "ewns"};
    const gsize count = reference_wave_count(&wave);
    g_autofree double *now = g_new0(double, count);
    g_autofree double *before = g_new0(double, count);
    const gsize middle = count / 2;

    for (gsize i = 0; i < count; i++) {
        const gsize column = i / 9;
        const gsize row = column / 9;
        const double z = ((double) (i % 9) - 3) / 4;
        const double x = ((double) (column % 9) - 3) / 4;
        const double y = ((double) row - 3) / 4;

        now[i] = pow(x, 8) + 2 * pow(y, 6) + 3 * pow(z, 4) + x * y * z;
    }
    /* At 1/4 each; differences are of cells that are 1/4 apart. */
    const double second = (56 * pow(0.25, 6) + 60 * pow(0.25, 4) + 36 * 0.0625) / 16;
    const double expected = 2 * now[middle] + factor * second;

    const double *last = reference_wave_double(&wave, now, before);

    assert_true(fabs(last[middle] - expected) < 1e-13);
}

static void values_go_the_way_their_direction_says(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *direction;
        guint reached; /* from the cell in the middle of 3 x 3 */
    } cases[] = {{"e", 5}, {"w", 3}, {"s", 7}, {"n", 1}};

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const ReferenceWave wave = {.columns = 3,
                                    .rows = 3,
                                    .layers = 1,
                                    .steps = 1,
                                    .factor = factor,
                                    .directions = cases[i].direction};
        double now[9] = {[4] = 1};
        double before[9] = {0};
        float single_now[9] = {[4] = 1};
        float single_before[9] = {0};
        const double *last = reference_wave_double(&wave, now, before);
        const float *single = reference_wave_single(&wave, single_now, single_before);

        for (guint cell = 0; cell < 9; cell++) {
            const bool is_reached = cell == 4 || cell == cases[i].reached;

            assert_int_equal(last[cell] != 0, is_reached);
            assert_int_equal(single[cell] != 0, is_reached);
        }
    }
}

/* Distances of the senders in the order in which streams come in. */
static const int arrivals[][6] = {
    {0, -1},
    {1, 0, -1},
    {2, 1, 0, -1},
    {3, 2, 1, 0, -1},
    {4, 3, 2, 1, 0, -1},
    {0, 4, 3, 2, 1, -1},
    {1, 0, 4, 3, 2, -1},
    {2, 1, 0, 4, 3, -1},
    {3, 2, 1, 0, 4, -1},
    {4, 3, 2, 1, 0, -1},
};

static const float coefficients[] = {
    (float) (2 + 3 * 0.1 * (-205.0 / 72)), (float) (0.1 * (8.0 / 5)),
    (float) (0.1 * (-1.0 / 5)), (float) (0.1 * (8.0 / 315)),
    (float) (0.1 * (-1.0 / 560))};

static float sum_in_order(const float *now, int cell, bool is_reversed)
{
    const int *order = arrivals[cell];
    int count = 0;
    float sum = 0;

    while (order[count] >= 0) {
        count++;
    }
    for (int i = 0; i < count; i++) {
        const int distance = order[is_reversed ? count - 1 - i : i];
        const float product = now[cell - distance] * coefficients[distance];

        sum += product;
    }
    return sum;
}

static void single_precision_adds_in_the_order_of_arrival(void **state G_GNUC_UNUSED)
{
    const ReferenceWave wave = {.columns = 10,
                                .rows = 1,
                                .layers = 1,
                                .steps = 1,
                                .factor = factor,
                                .directions = "e"};
    guint differing = 0;

    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t random = seed;
        float now[10];
        float before[10] = {0};

        for (guint i = 0; i < 10; i++) {
            now[i] = (float) random_number(&random);
        }
        const float *last = reference_wave_single(&wave, now, before);

        for (int cell = 0; cell < 10; cell++) {
            assert_int_equal(number_bits(last[cell]),
                             number_bits(sum_in_order(now, cell, false)));
            differing +=
                number_bits(last[cell]) != number_bits(sum_in_order(now, cell, true));
        }
    }
    assert_true(differing > 50);
}

/* The middle of 3 x 3 has one neighbour on each side. */
static void directions_follow_each_other(void **state G_GNUC_UNUSED)
{
    static const guint orders[][5] = {
        {3, 4, 5, 1, 7}, {5, 4, 3, 1, 7}, {3, 4, 5, 7, 1}};
    const ReferenceWave wave = {.columns = 3,
                                .rows = 3,
                                .layers = 1,
                                .steps = 1,
                                .factor = factor,
                                .directions = "nswe"};
    guint equal[G_N_ELEMENTS(orders)] = {0};

    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t random = seed;
        float now[9];
        float before[9] = {0};

        for (guint i = 0; i < 9; i++) {
            now[i] = (float) random_number(&random);
        }
        const float *last = reference_wave_single(&wave, now, before);

        for (guint order = 0; order < G_N_ELEMENTS(orders); order++) {
            float sum = 0;

            for (guint i = 0; i < 5; i++) {
                const float product =
                    now[orders[order][i]] * coefficients[i == 1 ? 0 : 1];

                sum += product;
            }
            equal[order] += number_bits(last[4]) == number_bits(sum);
        }
    }
    /* Other orders are seen to be others. */
    assert_int_equal(equal[0], 50);
    assert_true(equal[1] < 50);
    assert_true(equal[2] < 50);
}

/* Each of them, beside the number before, would be lost if it were rounded first. */
static void sums_along_z_are_fused(void **state G_GNUC_UNUSED)
{
    const ReferenceWave wave = {.columns = 1,
                                .rows = 1,
                                .layers = 2,
                                .steps = 1,
                                .factor = factor,
                                .directions = "e"};
    const float centre = (float) (2 + 3 * factor * (-205.0 / 72));
    const float beside = (float) (factor * (8.0 / 5));
    float now[2] = {1 / 3.0F, -centre / 3 / beside};
    float before[2] = {0};
    const float expected = fmaf(now[1], beside, now[0] * centre);
    const float rounded = now[1] * beside;

    const float *last = reference_wave_single(&wave, now, before);

    assert_int_equal(number_bits(last[0]), number_bits(expected));
    assert_int_not_equal(number_bits(last[0]), number_bits(rounded + now[0] * centre));
}

static void the_source_adds_its_samples_one_a_step(void **state G_GNUC_UNUSED)
{
    static const double samples[] = {1, 10, 100};
    ReferenceWave wave = {.columns = 3,
                          .rows = 3,
                          .layers = 3,
                          .factor = 0,
                          .directions = "ewns",
                          .source_x = 2,
                          .source_y = 1,
                          .source_z = 1,
                          .samples = samples,
                          .sample_count = 3};
    /* Without a Laplacian a cell goes on as it has begun. */
    static const double expected[] = {0, 1, 12, 123, 234};

    for (wave.steps = 0; wave.steps < G_N_ELEMENTS(expected); wave.steps++) {
        double now[27] = {0};
        double before[27] = {0};
        float single_now[27] = {0};
        float single_before[27] = {0};
        const double *last = reference_wave_double(&wave, now, before);
        const float *single = reference_wave_single(&wave, single_now, single_before);

        for (guint i = 0; i < 27; i++) {
            const double value = i == (1 * 3 + 2) * 3 + 1 ? expected[wave.steps] : 0;

            assert_true(last[i] == value);
            assert_true((double) single[i] == value);
        }
    }
}

static void scripts_get_the_last_level_and_its_largest(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 2; i++) {
        g_autofree char *text = g_strdup_printf(
            "local now, before = buffer(8), buffer(8)"
            "before:set('fp32', 1, 4)"
            "local last, largest = now:wave { before = before, columns = 2, rows = 1,"
            "  layers = 1, steps = 1, factor = 0, directions = 'ewns',"
            "  arithmetic = '%s', source = { x = 0, y = 0, z = 0, samples = { 3 } } }"
            "print(last:get('fp32', 0), last:get('fp32', 1), largest)",
            i == 0 ? "single" : "double");

        buffer_chunk_assert_prints(text, "3.0\t-4.0\t4.0\n");
    }
}

/* In both precisions at once: what each of them says, and how far they are apart. */
static void both_precisions_agree_with_each_alone(void **state G_GNUC_UNUSED)
{
    buffer_chunk_assert_prints(
        "local now, before = buffer(1440), buffer(1440)"
        "now:fill_random('fp32', 1, -1, 1) before:fill_random('fp32', 2, -1, 1)"
        "local function wave(arithmetic) return now:wave { before = before, columns = "
        "5,"
        "  rows = 6, layers = 12, steps = 1, factor = 0.1, directions = 'ewns',"
        "  arithmetic = arithmetic,"
        "  source = { x = 2, y = 3, z = 4, samples = { 3 } } } end "
        "local both, largest, error = wave('both')"
        "local single = wave('single') local double, of_double = wave('double')"
        "print(both:differing(single), largest == of_double,"
        "  error > 0, error == single:error('fp32', double))",
        "0\ttrue\ttrue\ttrue\n");
}

static void without_data_there_is_nothing_to_work_out(void **state G_GNUC_UNUSED)
{
    buffer_chunk_assert_prints(
        "local now, before = buffer(8, true), buffer(8, true)"
        "local last, largest = now:wave { before = before, columns = 2, rows = 1,"
        "  layers = 1, steps = 1, factor = 0.1, directions = 'e' }"
        "print(#last, largest)",
        "8\t0.0\n");
}

static void wrong_calls_say_what_is_wrong(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"columns = 0", "columns: expected an integer of 1 to 65535"},
        {"layers = 2", "the buffer is not as large as the grid"},
        {"steps = -1", "steps: expected an integer"},
        {"before = buffer(4)", "before differs from the buffer in length"},
        {"arithmetic = 'half'", "invalid option 'half'"},
        {"source = { x = 2, y = 0, z = 0, samples = {} }",
         "x: expected an integer of 0"},
        {"source = { x = 1, y = 0, z = 0 }", "table expected"},
        {"source = { x = 1, y = 0, z = 0, samples = { 'a' } }", "number expected"},
    };

    buffer_chunk_assert_refused(
        "local t = { before = buffer(8), columns = 2, rows = 1, layers = 1,"
        "  steps = 1, factor = 0.1, directions = 'e' }"
        "for k, v in pairs({ ",
        cases, G_N_ELEMENTS(cases),
        " }) do t[k] = v end buffer(8):wave(t) print('taken')");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_precisions_agree_on_every_shape),
        cmocka_unit_test(a_step_is_the_equation_cell_by_cell),
        cmocka_unit_test(the_laplacian_of_polynomials_is_exact),
        cmocka_unit_test(values_go_the_way_their_direction_says),
        cmocka_unit_test(single_precision_adds_in_the_order_of_arrival),
        cmocka_unit_test(directions_follow_each_other),
        cmocka_unit_test(sums_along_z_are_fused),
        cmocka_unit_test(the_source_adds_its_samples_one_a_step),
        cmocka_unit_test(scripts_get_the_last_level_and_its_largest),
        cmocka_unit_test(both_precisions_agree_with_each_alone),
        cmocka_unit_test(without_data_there_is_nothing_to_work_out),
        cmocka_unit_test(wrong_calls_say_what_is_wrong),
    };

    return cmocka_run_group_tests_name("workloads.reference_wave", tests, NULL, NULL);
}
