/* The reference of horizontal diffusion: against the listing, point by point. */
#include <math.h>

#include "tests/workloads/buffer_chunk.h"
#include "workloads/reference/hdiff.h"

enum {
    COLUMNS = 9,
    ROWS = 7,
    POINTS = COLUMNS * ROWS,
};

static const double coefficient = 0.025;

static ReferenceHdiff hdiff_of(Rounding rounding, bool is_limited)
{
    return (ReferenceHdiff){
        .domain = {.columns = COLUMNS, .rows = ROWS, .layers = 1, .rounding = rounding},
        .coefficient = coefficient,
        .is_limited = is_limited,
    };
}

static void fill(double *u)
{
    uint64_t state = 7;

    for (guint i = 0; i < POINTS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        u[i] = (double) (state >> 54) / 1024;
    }
}

/* The listing, in single precision. */
static float at(const double *u, int x, int y)
{
    return (float) u[y * COLUMNS + x];
}

static float lap(const double *u, int x, int y)
{
    const float along_x = at(u, x + 1, y) + at(u, x - 1, y);
    const float along_y = at(u, x, y + 1) + at(u, x, y - 1);

    return 4 * at(u, x, y) - (along_x + along_y);
}

static float flux(const double *u, int x, int y, bool is_along_x, bool is_limited)
{
    const int next_x = is_along_x ? x + 1 : x;
    const int next_y = is_along_x ? y : y + 1;
    const float flow = lap(u, next_x, next_y) - lap(u, x, y);
    const float product = flow * (at(u, next_x, next_y) - at(u, x, y));

    return is_limited && product > 0 ? 0 : flow;
}

static float listed(const double *u, int x, int y, bool is_limited)
{
    const float along_x =
        flux(u, x, y, true, is_limited) - flux(u, x - 1, y, true, is_limited);
    const float along_y =
        flux(u, x, y, false, is_limited) - flux(u, x, y - 1, false, is_limited);
    const float out = (float) coefficient * (along_x + along_y);

    return at(u, x, y) - out;
}

static bool is_inside(guint i)
{
    const guint x = i % COLUMNS;
    const guint y = i / COLUMNS;

    return x >= 2 && x < COLUMNS - 2 && y >= 2 && y < ROWS - 2;
}

static void single_precision_is_the_listing(void **state G_GNUC_UNUSED)
{
    double u[POINTS];
    double room[POINTS];
    double out[2][POINTS];
    guint limited = 0;

    fill(u);
    for (guint is_limited = 0; is_limited < 2; is_limited++) {
        const ReferenceHdiff hdiff = hdiff_of(ROUNDING_SINGLE, is_limited == 1);

        reference_hdiff_plane(&hdiff, u, room, out[is_limited]);
        for (guint i = 0; i < POINTS; i++) {
            const double expected =
                is_inside(i) ? (double) listed(u, (int) (i % COLUMNS),
                                               (int) (i / COLUMNS), is_limited == 1)
                             : u[i];

            if (out[is_limited][i] != expected) {
                fail_msg("limiter %u, point %u: %a, %a", is_limited, i,
                         out[is_limited][i], expected);
            }
            limited += is_limited == 1 && out[1][i] != out[0][i];
        }
    }
    assert_true(limited > 5);
}

/* lap, flux and sum are rounded one after the other. */
static void every_operation_is_rounded(void **state G_GNUC_UNUSED)
{
    double u[POINTS] = {0};
    double room[POINTS];
    double out[POINTS];
    const guint centre = 3 * COLUMNS + 4;

    u[centre] = 1 + 0x1p-10;
    u[centre + 1] = 0x1p-11;
    const ReferenceHdiff half = hdiff_of(ROUNDING_HALF, false);
    const ReferenceHdiff exact = hdiff_of(ROUNDING_NONE, false);

    reference_hdiff_plane(&half, u, room, out);
    const double lap_centre = rounding_half(4 * u[centre] - u[centre + 1]);
    const double lap_east = rounding_half(rounding_half(4 * u[centre + 1]) - u[centre]);
    const double lap_other = -u[centre];
    const double east = rounding_half(lap_east - lap_centre);
    const double west = rounding_half(lap_centre - lap_other);
    const double sum =
        rounding_half(rounding_half(east - west) + rounding_half(-west - west));
    const double expected =
        rounding_half(u[centre] - rounding_half(rounding_half(coefficient) * sum));

    assert_true(out[centre] == expected);
    reference_hdiff_plane(&exact, u, room, out);
    assert_true(fabs(out[centre] - (u[centre] - coefficient * (-20 * u[centre] +
                                                               8 * u[centre + 1]))) <
                1e-15);
}

static void an_even_slope_stays_as_it_is(void **state G_GNUC_UNUSED)
{
    double u[POINTS];
    double room[POINTS];
    double out[POINTS];

    for (guint i = 0; i < POINTS; i++) {
        const guint row = i / COLUMNS;

        u[i] = 3 * (i % COLUMNS) + 5 * row;
    }
    const ReferenceHdiff hdiff = hdiff_of(ROUNDING_NONE, true);

    reference_hdiff_plane(&hdiff, u, room, out);
    assert_memory_equal(out, u, sizeof out);
}

static const char made[] =
    "local planes, columns = buffer(5 * 6 * 2 * 4), buffer(5 * 6 * 2 * 4)"
    "for z = 0, 1 do for y = 0, 5 do for x = 0, 4 do"
    "  local v = (x * x * 5 + y * y * y * 3 + z * x * y) % 31"
    "  planes:set('fp32', (z * 6 + y) * 5 + x, v)"
    "  columns:set('fp32', (y * 5 + x) * 2 + z, v)"
    "end end end ";

static void both_orders_are_of_the_same_numbers(void **state G_GNUC_UNUSED)
{
    g_autofree char *text = g_strconcat(
        made,
        "local t = { columns = 5, rows = 6, layers = 2, format = 'fp32',"
        "  coefficient = 0.5 }"
        "local p = planes:hdiff(t)"
        "t.order = 'columns'"
        "local c, changed, wrong = columns:hdiff(t), 0, 0 "
        "for z = 0, 1 do for y = 0, 5 do for x = 0, 4 do"
        "  local i = (z * 6 + y) * 5 + x"
        "  if p:get('fp32', i) ~= planes:get('fp32', i) then changed = changed + 1 end"
        "  if c:get('fp32', (y * 5 + x) * 2 + z) ~= p:get('fp32', i) then"
        "    wrong = wrong + 1 end "
        "end end end print(changed, wrong)",
        NULL);

    buffer_chunk_assert_prints(text, "4\t0\n");
}

static void formats_are_those_of_the_buffer(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *format;
        const char *stored;
    } cases[] = {
        {"fp32", "fp32"}, {"fp16", "fp16"}, {"bf16", "bf16"}, {"double", "fp32"}};

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "local u = buffer(25 * %d) u:set('%s', 12, 1)"
            "local out = u:hdiff { columns = 5, rows = 5, layers = 1, format = '%s',"
            "  coefficient = 0.0625 }"
            "print(out:get('%s', 12), out:get('%s', 11), #out == #u)",
            i == 1 || i == 2 ? 2 : 4, cases[i].stored, cases[i].format, cases[i].stored,
            cases[i].stored);

        /* 1 - (-5 - 5 - 5 - 5) / 16 */
        buffer_chunk_assert_prints(text, "2.25\t0.0\ttrue\n");
    }
}

static void without_data_there_is_nothing_to_work_out(void **state G_GNUC_UNUSED)
{
    buffer_chunk_assert_prints(
        "print(#buffer(100, true):hdiff { columns = 5, rows = 5, layers = 1,"
        "  format = 'fp32', coefficient = 1, limiter = true })",
        "100\n");
}

static void wrong_calls_say_what_is_wrong(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"columns = 0", "columns: expected an integer of 1 to 65535"},
        {"layers = 2", "the buffer is not as large as the grid"},
        {"format = 'fp64'", "format: expected one of fp32, fp16, bf16, double"},
        {"order = 'rows'", "order: expected one of planes, columns"},
        {"limiter = 1", "limiter: expected true or false"},
        {"coefficient = 'a'", "coefficient: expected a finite number"},
        {"coeficient = 1", "unknown field 'coeficient'"},
    };

    buffer_chunk_assert_refused(
        "local t = { columns = 5, rows = 5, layers = 1, format = 'fp32' }"
        "for k, v in pairs({ ",
        cases, G_N_ELEMENTS(cases),
        " }) do t[k] = v end buffer(100):hdiff(t) print('taken')");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision_is_the_listing),
        cmocka_unit_test(every_operation_is_rounded),
        cmocka_unit_test(an_even_slope_stays_as_it_is),
        cmocka_unit_test(both_orders_are_of_the_same_numbers),
        cmocka_unit_test(formats_are_those_of_the_buffer),
        cmocka_unit_test(without_data_there_is_nothing_to_work_out),
        cmocka_unit_test(wrong_calls_say_what_is_wrong),
    };

    return cmocka_run_group_tests_name("workloads.reference_hdiff", tests, NULL, NULL);
}
