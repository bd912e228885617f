/* The reference of vertical advection: against the system of equations that it solves,
 * and against the listing. */
#include <math.h>

#include "tests/workloads/buffer_chunk.h"
#include "workloads/reference/vadvc.h"

enum {
    LEVELS = 9,
};

typedef struct {
    double wcon[LEVELS];
    double wcon_east[LEVELS];
    double ustage[LEVELS];
    double upos[LEVELS];
    double utens[LEVELS];
    double utensstage[LEVELS];
} Column;

static void fill(double *numbers, double largest, uint64_t *state)
{
    for (guint k = 0; k < LEVELS; k++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        numbers[k] = rounding_half(largest * ((double) (*state >> 53) / 1024 - 1));
    }
}

static Column random_column(void)
{
    uint64_t state = 3;
    Column column = {0};

    fill(column.wcon, 0.1, &state);
    fill(column.wcon_east, 0.1, &state);
    fill(column.ustage, 1, &state);
    fill(column.upos, 1, &state);
    fill(column.utens, 1, &state);
    fill(column.utensstage, 1, &state);
    return column;
}

static ReferenceVadvc vadvc_of(Rounding rounding)
{
    return (ReferenceVadvc){
        .domain = {.columns = 5, .rows = 5, .layers = LEVELS, .rounding = rounding},
        .beta_m = 0.25,
        .beta_p = 0.75,
        .dtr = 0.15,
    };
}

static void compute(const ReferenceVadvc *vadvc, const Column *column, double *out)
{
    const ReferenceVadvcColumn in = {
        .wcon = column->wcon,
        .wcon_east = column->wcon_east,
        .ustage = column->ustage,
        .upos = column->upos,
        .utens = column->utens,
        .utensstage = column->utensstage,
    };
    double ccol[LEVELS];
    double dcol[LEVELS];

    reference_vadvc_column(vadvc, &in, ccol, dcol, out);
}

/* Wind through the face below a level, with the lids. */
static double wind(const Column *column, guint k)
{
    return k == 0 || k == LEVELS ? 0 : 0.25 * (column->wcon[k] + column->wcon_east[k]);
}

/* What comes out solves, for every level k with x = upos + out / dtr,
 * acol x(k-1) + bcol x(k) + ccol x(k+1) = dcol. */
static void columns_solve_the_equations(void **state G_GNUC_UNUSED)
{
    const ReferenceVadvc vadvc = vadvc_of(ROUNDING_NONE);
    const Column column = random_column();
    double out[LEVELS];
    double x[LEVELS];

    compute(&vadvc, &column, out);
    for (guint k = 0; k < LEVELS; k++) {
        x[k] = column.upos[k] + out[k] / vadvc.dtr;
    }
    for (guint k = 0; k < LEVELS; k++) {
        const guint below = k == 0 ? 0 : k - 1;
        const guint above = MIN(k + 1, LEVELS - 1);
        const double low = -wind(&column, k);
        const double high = wind(&column, k + 1);
        const double left = vadvc.beta_p * low * (x[below] - x[k]) +
                            vadvc.beta_p * high * (x[above] - x[k]) + vadvc.dtr * x[k];
        const double right =
            vadvc.dtr * column.upos[k] + column.utens[k] + column.utensstage[k] -
            vadvc.beta_m * low * (column.ustage[below] - column.ustage[k]) -
            vadvc.beta_m * high * (column.ustage[above] - column.ustage[k]);

        if (!(fabs(left - right) < 1e-12)) {
            fail_msg("level %u: %g, %g", k, left, right);
        }
    }
}

/* The listing in single precision, all levels alike, with numbers beyond the lids. */
static void listed(const Column *column, float *out)
{
    const float beta_m = 0.25F;
    const float beta_p = 0.75F;
    const float dtr = 0.15F;
    float ccol[LEVELS + 1] = {0};
    float dcol[LEVELS + 1] = {0};

    for (guint k = 0; k < LEVELS; k++) {
        const bool is_first = k == 0;
        const bool is_last = k == LEVELS - 1;
        const float here = (float) column->ustage[k];
        const float below = is_first ? here : (float) column->ustage[k - 1];
        const float above = is_last ? here : (float) column->ustage[k + 1];
        const float gav =
            is_first
                ? 0
                : -0.25F * ((float) column->wcon_east[k] + (float) column->wcon[k]);
        const float gcv = is_last ? 0
                                  : 0.25F * ((float) column->wcon_east[k + 1] +
                                             (float) column->wcon[k + 1]);
        const float as = gav * beta_m;
        const float cs = gcv * beta_m;
        const float acol = gav * beta_p;
        const float c = gcv * beta_p;
        const float b = (dtr - acol) - c;
        const float from_below = as * (here - below);
        const float from_above = cs * (above - here);
        const float scaled = dtr * (float) column->upos[k];
        const float d =
            ((scaled + (float) column->utens[k]) + (float) column->utensstage[k]) +
            (from_below - from_above);
        const float pivot = ccol[k] * acol;
        const float divided = 1 / (b - pivot);
        const float lower = dcol[k] * acol;

        ccol[k + 1] = c * divided;
        dcol[k + 1] = (d - lower) * divided;
    }
    float data = 0;

    for (guint k = LEVELS; k-- > 0;) {
        const float upper = ccol[k + 1] * data;

        data = dcol[k + 1] - upper;
        out[k] = dtr * (data - (float) column->upos[k]);
    }
}

static void single_precision_is_the_listing(void **state G_GNUC_UNUSED)
{
    const ReferenceVadvc vadvc = vadvc_of(ROUNDING_SINGLE);
    const Column column = random_column();
    double out[LEVELS];
    float expected[LEVELS];

    compute(&vadvc, &column, out);
    listed(&column, expected);
    for (guint k = 0; k < LEVELS; k++) {
        if (out[k] != (double) expected[k]) {
            fail_msg("level %u: %a, %a", k, out[k], (double) expected[k]);
        }
    }
}

/* Two levels, all by hand. */
static void half_precision_rounds_every_operation(void **state G_GNUC_UNUSED)
{
    ReferenceVadvc vadvc = vadvc_of(ROUNDING_HALF);
    Column column = random_column();
    double out[LEVELS];

    vadvc.domain.layers = 2;
    compute(&vadvc, &column, out);
#define R(x) rounding_half(x)
    const double dtr = R(0.15);
    const double sum = R(column.wcon[1] + column.wcon_east[1]);
    const double step = R(column.ustage[1] - column.ustage[0]);
    const double up = R(0.25 * sum);
    const double down = R(-0.25 * sum);
    const double first = R(1 / R(dtr - R(up * 0.75)));
    const double right =
        R(R(R(dtr * column.upos[0]) + column.utens[0]) + column.utensstage[0]);
    const double c = R(R(up * 0.75) * first);
    const double d = R(R(right - R(R(up * 0.25) * step)) * first);
    const double acol = R(down * 0.75);
    const double second = R(1 / R(R(dtr - acol) - R(c * acol)));
    const double above =
        R(R(R(dtr * column.upos[1]) + column.utens[1]) + column.utensstage[1]);
    const double top = R(R(R(above + R(R(down * 0.25) * step)) - R(d * acol)) * second);
    const double bottom = R(d - R(c * top));

    assert_true(out[1] == R(dtr * R(top - column.upos[1])));
    assert_true(out[0] == R(dtr * R(bottom - column.upos[0])));
#undef R
}

/* 6 x 5 columns of 3 levels in fp32; a number of each field differs from point to
 * point. */
static const char made[] =
    "local names = { 'wcon', 'ustage', 'upos', 'utens', 'utensstage' }"
    "local planes, columns = {}, {}"
    "for i, name in ipairs(names) do"
    "  planes[name], columns[name] = buffer(6 * 5 * 3 * 4), buffer(6 * 5 * 3 * 4)"
    "  for z = 0, 2 do for y = 0, 4 do for x = 0, 5 do"
    "    local v = ((x * 7 + y * 5 + z * 3 + i * 11) % 16 - 8) / (i == 1 and 256 or 16)"
    "    planes[name]:set('fp32', (z * 5 + y) * 6 + x, v)"
    "    columns[name]:set('fp32', (y * 6 + x) * 3 + z, v)"
    "  end end end "
    "end "
    "local function call(t, more)"
    "  local given = { columns = 6, rows = 5, layers = 3, format = 'fp32',"
    "    ustage = t.ustage, upos = t.upos, utens = t.utens,"
    "    utensstage = t.utensstage }"
    "  for k, v in pairs(more or {}) do given[k] = v end "
    "  return t.wcon:vadvc(given)"
    "end ";

static void only_columns_inside_change(void **state G_GNUC_UNUSED)
{
    g_autofree char *text =
        g_strconcat(made,
                    "local out, changed = call(planes), {}"
                    "for z = 0, 2 do for y = 0, 4 do for x = 0, 5 do"
                    "  local i = (z * 5 + y) * 6 + x"
                    "  if out:get('fp32', i) ~= planes.utensstage:get('fp32', i) then"
                    "    changed[#changed + 1] = x .. y .. z end "
                    "end end end print(table.concat(changed, ' '))",
                    NULL);

    buffer_chunk_assert_prints(text, "220 320 221 321 222 322\n");
}

static void both_orders_are_of_the_same_numbers(void **state G_GNUC_UNUSED)
{
    g_autofree char *text = g_strconcat(
        made,
        "local p, c, wrong = call(planes), call(columns, { order = 'columns' }), 0 "
        "for z = 0, 2 do for y = 0, 4 do for x = 0, 5 do"
        "  if c:get('fp32', (y * 6 + x) * 3 + z) ~= p:get('fp32', (z * 5 + y) * 6 + x) "
        "    then wrong = wrong + 1 end "
        "end end end print(wrong)",
        NULL);

    buffer_chunk_assert_prints(text, "0\n");
}

/* The lids: wind of level 0 does not count; the wind's neighbour is at x + 1. */
static void wind_counts_where_it_blows(void **state G_GNUC_UNUSED)
{
    g_autofree char *text = g_strconcat(
        made,
        "local before = call(planes)"
        "for _, at in ipairs { { 2, 2, 0 }, { 2, 2, 1 }, { 3, 2, 1 }, { 4, 2, 2 },"
        "                      { 1, 2, 1 }, { 2, 3, 1 } } do"
        "  local i = (at[3] * 5 + at[2]) * 6 + at[1]"
        "  local old = planes.wcon:get('fp32', i)"
        "  planes.wcon:set('fp32', i, 0.125)"
        "  local after, seen = call(planes), ''"
        "  for x = 2, 3 do"
        "    if after:get('fp32', 2 * 6 + x) ~= before:get('fp32', 2 * 6 + x) then"
        "      seen = seen .. x end "
        "  end "
        "  planes.wcon:set('fp32', i, old)"
        "  print(seen) "
        "end",
        NULL);

    buffer_chunk_assert_prints(text, "\n2\n23\n3\n\n\n");
}

static void without_data_there_is_nothing_to_work_out(void **state G_GNUC_UNUSED)
{
    buffer_chunk_assert_prints(
        "local b = buffer(200, true)"
        "print(#b:vadvc { ustage = b, upos = b, utens = b, utensstage = b, columns = 5,"
        "  rows = 5, layers = 2, format = 'fp32' })",
        "200\n");
}

static void wrong_calls_say_what_is_wrong(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"layers = 1", "layers: expected 2 or more"},
        {"layers = 3", "the buffer is not as large as the grid"},
        {"upos = buffer(4)", "upos is not as large as the grid"},
        {"utens = 1", "expected"},
        {"dtr = 'a'", "dtr: expected a finite number"},
        {"wcon = buffer(200)", "unknown field 'wcon'"},
    };

    buffer_chunk_assert_refused(
        "local b = buffer(200)"
        "local t = { columns = 5, rows = 5, layers = 2, format = 'fp32', ustage = b,"
        "  upos = b, utens = b, utensstage = b }"
        "for k, v in pairs({ ",
        cases, G_N_ELEMENTS(cases), " }) do t[k] = v end b:vadvc(t) print('taken')");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_solve_the_equations),
        cmocka_unit_test(single_precision_is_the_listing),
        cmocka_unit_test(half_precision_rounds_every_operation),
        cmocka_unit_test(only_columns_inside_change),
        cmocka_unit_test(both_orders_are_of_the_same_numbers),
        cmocka_unit_test(wind_counts_where_it_blows),
        cmocka_unit_test(without_data_there_is_nothing_to_work_out),
        cmocka_unit_test(wrong_calls_say_what_is_wrong),
    };

    return cmocka_run_group_tests_name("workloads.reference_vadvc", tests, NULL, NULL);
}
