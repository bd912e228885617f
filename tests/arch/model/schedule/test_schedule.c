/* Schedules visit each point once and in a legal order; how many wavefronts and tiles
 * that are, beside the equations of the time model. */
#include "tests/arch/model/schedule/case.h"

enum {
    SEED = 12,
    CASES = 300, /* of hexagons; 100 of each of the others */
};

static uint64_t ceil_of(uint64_t dividend, uint64_t divisor)
{
    return (dividend + divisor - 1) / divisor;
}

static void assert_sound(const ScheduleCase *tested)
{
    const GpuScheduleReport report = schedule_case_report(tested);

    if (!gpu_schedule_report_is_sound(&report)) {
        g_autofree char *text = schedule_case_text(tested);

        fail_msg("%s: missing %" G_GUINT64_FORMAT ", repeated %" G_GUINT64_FORMAT
                 ", early %" G_GUINT64_FORMAT ", crossing %" G_GUINT64_FORMAT,
                 text, report.missing, report.repeated, report.early, report.crossing);
    }
}

static void assert_all_sound(GpuScheduleShape shape, guint cases)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + (guint32) shape);

    for (guint i = 0; i < cases; i++) {
        const ScheduleCase tested = schedule_case_random(random, shape);

        assert_sound(&tested);
    }
}

static void hexagons_visit_each_point_once_and_legally(void **state G_GNUC_UNUSED)
{
    assert_all_sound(GPU_SCHEDULE_HYBRID, CASES);
}

static void other_tiles_visit_each_point_once_and_legally(void **state G_GNUC_UNUSED)
{
    assert_all_sound(GPU_SCHEDULE_DIAMOND, CASES / 3);
    assert_all_sound(GPU_SCHEDULE_SKEWED, CASES / 3);
    assert_all_sound(GPU_SCHEDULE_ORTHOGONAL, CASES / 3);
    assert_all_sound(GPU_SCHEDULE_HALO, CASES / 3);
}

/* One point, one step, and tiles far larger than the problem. */
static void the_smallest_problems_are_visited(void **state G_GNUC_UNUSED)
{
    static const uint64_t tiles[][2] = {{1, 2},       {1, 4},       {3, 2},
                                        {1 << 20, 2}, {1, 1 << 20}, {1 << 30, 1 << 30}};

    for (guint i = 0; i < G_N_ELEMENTS(tiles); i++) {
        ScheduleCase tested = schedule_case_of(1 + i % 2, 1, 1, 1 + i % 3);

        schedule_case_tile(&tested, tiles[i][0], tiles[i][0], 1, tiles[i][1]);
        assert_sound(&tested);
        tested.setting.shape = GPU_SCHEDULE_SKEWED;
        assert_sound(&tested);
    }
}

/* t_S = 3, t_T = 6: rows of 3, 5, 7, 7, 5, 3 points; a pitch of 10. */
static void hexagons_have_the_rows_of_the_model(void **state G_GNUC_UNUSED)
{
    static const int64_t begins[] = {2, 1, 0, 0, 1, 2};
    static const int64_t widths[] = {3, 5, 7, 7, 5, 3};
    ScheduleCase tested = schedule_case_of(40, 0, 0, 30);

    schedule_case_tile(&tested, 3, 0, 0, 6);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
    const GpuScheduleSteps steps = gpu_schedule_tile_steps(schedule, 1, 1);
    const GpuScheduleSteps next = gpu_schedule_tile_steps(schedule, 2, 1);

    assert_int_equal(steps.first, 0);
    assert_int_equal(steps.end, 6);
    for (gint step = 0; step < 6; step++) {
        const GpuScheduleRow row = gpu_schedule_tile_row(schedule, 1, 1, step);

        assert_int_equal(row.begin, 10 + begins[step]);
        assert_int_equal(row.end - row.begin, widths[step]);
    }
    assert_int_equal(next.first, 3);
    assert_int_equal(gpu_schedule_tile_row(schedule, 2, 1, 3).begin, 7);
    assert_int_equal(gpu_schedule_tile_row(schedule, 2, 1, 3).end, 10);
}

typedef struct {
    GpuScheduleSpan last;
    guint64 spans;
    bool is_ordered;
} Order;

static int compare(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

static void note_order(const GpuScheduleSpan *span, gpointer data)
{
    Order *order = data;
    const int orders[] = {
        compare(order->last.wavefront, span->wavefront),
        compare(order->last.tile, span->tile),
        compare(order->last.strip, span->strip),
        compare(order->last.step, span->step),
    };

    for (guint i = 0; i < G_N_ELEMENTS(orders) && orders[i] >= 0; i++) {
        order->is_ordered = order->is_ordered && orders[i] == 0;
    }
    order->last = *span;
    order->spans++;
}

static void wavefronts_tiles_strips_and_steps_are_in_order(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);

    for (guint i = 0; i < CASES; i++) {
        const ScheduleCase tested =
            schedule_case_random(random, (GpuScheduleShape) (i % 5));
        g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
        Order order = {.is_ordered = true};

        gpu_schedule_visit(schedule, note_order, &order);
        assert_true(order.is_ordered);
        assert_true(order.spans > 0);
    }
}

/* (A.3), with its eps, is what the schedule has. */
static void wavefronts_are_those_of_the_model(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);

    for (guint i = 0; i < CASES; i++) {
        const ScheduleCase tested = schedule_case_random(random, GPU_SCHEDULE_HYBRID);
        g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
        const uint64_t rest = tested.problem.steps % tested.tile.steps;
        const uint64_t more = rest > 0 && rest <= tested.tile.steps / 2 ? 0 : 1;

        assert_int_equal(gpu_schedule_wavefronts(schedule),
                         2 * ceil_of(tested.problem.steps, tested.tile.steps) + more);
    }
}

/* (A.6) counts ceil(S/pitch), give or take one: wavefronts 1, 3, .. have just that many
 * where their widest row is in the problem; those of the other colour begin half a
 * pitch to the left and may have one more, or, with t_T = 2, whose rows are all alike,
 * one less. Cut at the top they may miss a tile on either side. */
static void tiles_are_those_of_the_model(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    guint more = 0;
    guint fewer = 0;

    for (guint i = 0; i < CASES; i++) {
        const ScheduleCase tested = schedule_case_random(random, GPU_SCHEDULE_HYBRID);
        g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
        const uint64_t half = tested.tile.steps / 2;
        const uint64_t model =
            ceil_of(tested.problem.space[0], 2 * tested.tile.space[0] + 2 * half - 2);
        const uint64_t first = gpu_schedule_tiles(schedule, 0);

        assert_true(first + 1 >= model && first <= model + 1);
        assert_true(first >= model || tested.tile.steps == 2);
        more += first > model ? 1 : 0;
        fewer += first < model ? 1 : 0;
        if (tested.problem.steps >= half) {
            assert_int_equal(gpu_schedule_tiles(schedule, 1), model);
        }
        for (uint64_t w = 0; w < gpu_schedule_wavefronts(schedule); w++) {
            assert_true(gpu_schedule_tiles(schedule, w) + 2 >= model);
            assert_true(gpu_schedule_tiles(schedule, w) <= model + 1);
        }
    }
    assert_true(more > 0 && fewer > 0);
}

/* ceil((S2 + t_T) / t_S2) of (A.17) is one more where t_S2 divides S2 + t_T - 1. */
static void strips_are_those_of_the_model_or_one_less(void **state G_GNUC_UNUSED)
{
    for (uint64_t space = 1; space < 40; space++) {
        for (uint64_t width = 1; width < 12; width++) {
            ScheduleCase tested = schedule_case_of(3, space, 0, 8);
            const uint64_t model = ceil_of(space + 6, width);

            schedule_case_tile(&tested, 1, width, 0, 6);
            assert_int_equal(schedule_case_report(&tested).longest,
                             (space + 5) % width == 0 ? model - 1 : model);
        }
    }
}

/* Gradient2D, 16x64, 34 steps on 8192x8192, 8192 steps: the approximations of the model
 * say 482 wavefronts of 128 tiles, 4 rounds of 2 on each of 16 multiprocessors. There
 * is a wavefront more, and every other one has a tile more, which wants a fifth round.
 */
static void the_worked_example_has_one_more_of_both(void **state G_GNUC_UNUSED)
{
    ScheduleCase tested = schedule_case_of(8192, 8192, 0, 8192);

    schedule_case_tile(&tested, 16, 64, 0, 34);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);

    assert_int_equal(gpu_schedule_tile_row(schedule, 1, 2, 16).begin -
                         gpu_schedule_tile_row(schedule, 1, 1, 16).begin,
                     64);
    assert_int_equal(gpu_schedule_wavefronts(schedule), 482 + 1);
    assert_int_equal(gpu_schedule_tiles(schedule, 1), 128);
    assert_int_equal(gpu_schedule_tiles(schedule, 2), 128 + 1);
    assert_int_equal(ceil_of(ceil_of(gpu_schedule_tiles(schedule, 1), 2), 16), 4);
    assert_int_equal(ceil_of(ceil_of(gpu_schedule_tiles(schedule, 2), 2), 16), 5);
    /* The model: 482 wavefronts of 4 rounds, 1928. */
    assert_int_equal(gpu_schedule_rounds(schedule, 2, 16), 241 * 4 + 242 * 5);
}

/* The total of (A.2) holds for any wavefronts, as the end of A.4.3 says: diagonals fill
 * and empty a pipeline. 20 bands of 5 tiles in diagonals of steps and places
 * are 24 wavefronts of 1, 2, 3, 4, 5, .., 5, 4, 3, 2, 1 tiles; on two multiprocessors
 * 1, 1, 2, 2, 3, .., 3, 2, 2, 1, 1 rounds. */
static void rounds_are_summed_over_wavefronts_of_any_shape(void **state G_GNUC_UNUSED)
{
    ScheduleCase tested = schedule_case_of(20, 0, 0, 80);

    tested.setting.shape = GPU_SCHEDULE_ORTHOGONAL;
    schedule_case_tile(&tested, 4, 0, 0, 4);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);

    assert_int_equal(gpu_schedule_wavefronts(schedule), 24);
    assert_int_equal(gpu_schedule_rounds(schedule, 1, 2), 16 * 3 + 2 * (1 + 1 + 2 + 2));
    assert_int_equal(gpu_schedule_rounds(schedule, 5, 1), 24);
}

/* Two of every 2 t_S + t_T places of a row belong to no hexagon. */
static void the_printed_pitch_leaves_points_out(void **state G_GNUC_UNUSED)
{
    for (uint64_t base = 1; base < 9; base++) {
        for (uint64_t steps = 2; steps < 17; steps += 2) {
            const uint64_t pitch = 2 * base + steps;
            ScheduleCase tested = schedule_case_of(5 * pitch, 0, 0, 23);

            schedule_case_tile(&tested, base, 0, 0, steps);
            tested.setting.form = GPU_TILING_AS_PRINTED;
            const GpuScheduleReport report = schedule_case_report(&tested);

            assert_int_equal(report.points, 5 * pitch * 23);
            assert_int_equal(report.missing, 5 * 2 * 23);
            assert_int_equal(report.missing * pitch, 2 * report.points);
            assert_int_equal(report.repeated, 0);
            assert_false(gpu_schedule_report_is_sound(&report));
        }
    }
}

/* (A.23): t_S1 + t_T, which is t_S1 - 2 too little. */
static void the_printed_pitch_of_3d_visits_points_twice(void **state G_GNUC_UNUSED)
{
    ScheduleCase tested = schedule_case_of(30, 5, 4, 12);

    schedule_case_tile(&tested, 5, 3, 2, 4);
    tested.setting.form = GPU_TILING_AS_PRINTED;
    const GpuScheduleReport report = schedule_case_report(&tested);

    assert_true(report.repeated > 0);
    assert_false(gpu_schedule_report_is_sound(&report));
}

/* A point's diamond: both t+s and t-s in pieces of t_T. */
typedef struct {
    GHashTable *tiles; /* of (t+s, t-s) pieces: the wavefront and tile, from 1 */
    int64_t side;
    bool is_diamond;
} Diamonds;

static int64_t piece(int64_t value, int64_t side)
{
    return (value + 1000 * side) / side;
}

static void note_diamond(const GpuScheduleSpan *span, gpointer data)
{
    Diamonds *diamonds = data;

    for (uint64_t i = 0; i < span->count; i++) {
        /* The base of the first diamond that begins at step 0 is place side/2 - 1. */
        const int64_t place = (int64_t) (span->place[0] + i) - diamonds->side / 2 + 1;
        const int64_t step = (int64_t) span->step;
        const int64_t key = piece(step + place, diamonds->side) * 100000 +
                            piece(step - place, diamonds->side);
        const int64_t tile = (int64_t) (span->wavefront * 1000 + span->tile) + 1;
        const gpointer known =
            g_hash_table_lookup(diamonds->tiles, GSIZE_TO_POINTER((gsize) key));

        if (known == NULL) {
            g_hash_table_insert(diamonds->tiles, GSIZE_TO_POINTER((gsize) key),
                                GSIZE_TO_POINTER((gsize) tile));
        } else if (GPOINTER_TO_SIZE(known) != (gsize) tile) {
            diamonds->is_diamond = false;
        }
    }
}

static void hexagons_of_base_1_are_diamonds(void **state G_GNUC_UNUSED)
{
    for (uint64_t side = 2; side < 13; side += 2) {
        ScheduleCase tested = schedule_case_of(50, 0, 0, 40);
        g_autoptr(GHashTable) tiles = g_hash_table_new(NULL, NULL);
        Diamonds diamonds = {tiles, (int64_t) side, true};

        tested.setting.shape = GPU_SCHEDULE_DIAMOND;
        schedule_case_tile(&tested, 1, 0, 0, side);
        g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
        gpu_schedule_visit(schedule, note_diamond, &diamonds);

        assert_true(diamonds.is_diamond);
        assert_int_equal(g_hash_table_size(tiles), schedule_case_report(&tested).tiles);
    }
}

/* Figure B.1: diagonals of a grid of 5 by 3 tiles. */
static void rectangles_are_in_diagonals(void **state G_GNUC_UNUSED)
{
    static const uint64_t tiles[] = {1, 2, 3, 3, 3, 2, 1};
    ScheduleCase tested = schedule_case_of(18, 0, 0, 11);

    tested.setting.shape = GPU_SCHEDULE_ORTHOGONAL;
    schedule_case_tile(&tested, 4, 0, 0, 4);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);

    assert_int_equal(gpu_schedule_wavefronts(schedule), G_N_ELEMENTS(tiles));
    for (guint i = 0; i < G_N_ELEMENTS(tiles); i++) {
        assert_int_equal(gpu_schedule_tiles(schedule, i), tiles[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hexagons_visit_each_point_once_and_legally),
        cmocka_unit_test(other_tiles_visit_each_point_once_and_legally),
        cmocka_unit_test(the_smallest_problems_are_visited),
        cmocka_unit_test(hexagons_have_the_rows_of_the_model),
        cmocka_unit_test(wavefronts_tiles_strips_and_steps_are_in_order),
        cmocka_unit_test(wavefronts_are_those_of_the_model),
        cmocka_unit_test(tiles_are_those_of_the_model),
        cmocka_unit_test(strips_are_those_of_the_model_or_one_less),
        cmocka_unit_test(the_worked_example_has_one_more_of_both),
        cmocka_unit_test(rounds_are_summed_over_wavefronts_of_any_shape),
        cmocka_unit_test(the_printed_pitch_leaves_points_out),
        cmocka_unit_test(the_printed_pitch_of_3d_visits_points_twice),
        cmocka_unit_test(hexagons_of_base_1_are_diamonds),
        cmocka_unit_test(rectangles_are_in_diagonals),
    };

    return cmocka_run_group_tests_name("arch.gpu_schedule", tests, NULL, NULL);
}
