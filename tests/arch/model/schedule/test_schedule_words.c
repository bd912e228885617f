/* What whole tiles read, write and keep, counted, beside the equations of the time
 * model.
 */
#include "arch/model/tiling/tiling.h"
#include "tests/arch/model/schedule/case.h"
#include "tests/arch/model/schedule/words.h"

static GArray *words_of(const ScheduleCase *tested, uint64_t wavefront, uint64_t tile)
{
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(tested);
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    const guint count = gpu_schedule_needs(schedule, needs);
    GArray *words =
        gpu_schedule_tile_words(schedule, needs, count, wavefront, tile, NULL);

    assert_non_null(words);
    return words;
}

static const GpuStripWords *strip_of(GArray *words, guint strip)
{
    assert_true(strip < words->len);
    return &g_array_index(words, GpuStripWords, strip);
}

/* (A.8): m_i = t_S + 2 t_T is exact. m_o is two less: the first row reads one place
 * beyond the base on either side, which the last row does not write. With a base of 1
 * its last row but one has three points, not four, at its edges: one less again. M_tile
 * is exact, and so is the area t_T (2 t_S + t_T - 2) / 2 of (B.4). */
static uint64_t written(uint64_t base, uint64_t steps)
{
    return base + 2 * steps - (base == 1 ? 3 : 2);
}

static void a_hexagon_moves_the_words_of_the_model(void **state G_GNUC_UNUSED)
{
    for (uint64_t base = 1; base < 9; base++) {
        for (uint64_t steps = 2; steps < 13; steps += 2) {
            ScheduleCase tested =
                schedule_case_of(4 * (2 * base + steps), 0, 0, 3 * steps);

            schedule_case_tile(&tested, base, 0, 0, steps);
            g_autoptr(GArray) words = words_of(&tested, 3, 1);
            const GpuStripWords *strip = strip_of(words, 0);

            assert_int_equal(words->len, 1);
            assert_int_equal(strip->points, steps * (2 * base + steps - 2) / 2);
            assert_int_equal(strip->read, base + 2 * steps);
            assert_int_equal(strip->written, written(base, steps));
            assert_int_equal(strip->shared, 2 * (base + steps));
        }
    }
}

/* Strips that neither end of a dimension cuts: (A.14), (A.25), (B.4), (A.27). */
static void whole_strips_move_the_words_of_the_model(void **state G_GNUC_UNUSED)
{
    static const struct {
        uint64_t tile[3];
        uint64_t steps;
    } rows[] = {
        {{1, 4, 0}, 2}, {{3, 5, 0}, 4}, {{2, 8, 0}, 6}, {{4, 7, 0}, 4},
        {{1, 4, 3}, 2}, {{2, 6, 5}, 4}, {{3, 5, 6}, 4}, {{2, 7, 8}, 6},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const uint64_t *tile = rows[i].tile;
        const uint64_t steps = rows[i].steps;
        const uint64_t depth = tile[2] == 0 ? 1 : tile[2];
        ScheduleCase tested = schedule_case_of(4 * (2 * tile[0] + steps), 5 * tile[1],
                                               5 * tile[2], 3 * steps);

        schedule_case_tile(&tested, tile[0], tile[1], tile[2], steps);
        g_autoptr(GArray) words = words_of(&tested, 3, 1);
        const guint deep =
            tile[2] == 0 ? 1
                         : (guint) ((5 * tile[2] + steps - 1 + tile[2] - 1) / tile[2]);
        const GpuStripWords *strip = strip_of(words, 3 * deep + (tile[2] == 0 ? 0 : 3));

        assert_int_equal(strip->points,
                         tile[1] * depth * steps * (2 * tile[0] + steps - 2) / 2);
        assert_int_equal(strip->read, tile[1] * depth * (tile[0] + 2 * steps));
        assert_int_equal(strip->written, tile[1] * depth * written(tile[0], steps));
        assert_int_equal(words->len,
                         deep * ((5 * tile[1] + steps - 1 + tile[1] - 1) / tile[1]));
    }
}

/* 2 (t_S1 + t_T + 1) (t_S2 + t_T + 1) of (A.20) is one place of the first dimension
 * more than a strip and its neighbours take. */
static void strips_fit_in_the_shared_memory_of_the_model(void **state G_GNUC_UNUSED)
{
    const uint64_t whole = UINT64_C(2) * (5 + 8) * (6 + 8 + 1);
    const uint64_t whole_deep = UINT64_C(2) * (3 + 4) * (5 + 4 + 1) * (4 + 4 + 1);
    ScheduleCase tested = schedule_case_of(60, 40, 0, 24);
    ScheduleCase deep = schedule_case_of(30, 20, 20, 12);

    schedule_case_tile(&tested, 5, 6, 0, 8);
    schedule_case_tile(&deep, 3, 5, 4, 4);
    g_autoptr(GArray) words = words_of(&tested, 3, 1);
    g_autoptr(GArray) deeper = words_of(&deep, 3, 1);

    for (guint i = 0; i < words->len; i++) {
        assert_true(strip_of(words, i)->shared <= whole);
    }
    assert_int_equal(strip_of(words, 3)->shared, whole);
    for (guint i = 0; i < deeper->len; i++) {
        assert_true(strip_of(deeper, i)->shared <= whole_deep);
    }
}

/* Whatever the size: no tile has more points, words or memory than a whole one. */
static void no_tile_is_larger_than_a_whole_one(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(3);

    for (guint i = 0; i < 40; i++) {
        const ScheduleCase tested = schedule_case_random(random, GPU_SCHEDULE_HYBRID);
        g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
        const uint64_t wavefront = (uint64_t) g_rand_int_range(
            random, 0, (gint32) gpu_schedule_wavefronts(schedule));
        uint64_t points =
            tested.tile.steps * (2 * tested.tile.space[0] + tested.tile.steps - 2) / 2;
        uint64_t shared = 2 * (tested.tile.space[0] + tested.tile.steps);

        for (guint axis = 1; axis < tested.problem.dimension; axis++) {
            points *= tested.tile.space[axis];
            shared *= tested.tile.space[axis] + tested.tile.steps + 1;
        }
        for (uint64_t tile = 0; tile < gpu_schedule_tiles(schedule, wavefront);
             tile++) {
            g_autoptr(GArray) words = words_of(&tested, wavefront, tile);

            for (guint strip = 0; strip < words->len; strip++) {
                assert_true(strip_of(words, strip)->points <= points);
                assert_true(strip_of(words, strip)->shared <= shared);
            }
        }
    }
}

/* Smith-Waterman: the sides of a rectangle, t_S + t_T + 1 in, t_S + t_T - 1 out. */
static void a_rectangle_reads_its_sides(void **state G_GNUC_UNUSED)
{
    ScheduleCase tested = schedule_case_of(30, 0, 0, 30);

    tested.setting.shape = GPU_SCHEDULE_ORTHOGONAL;
    schedule_case_tile(&tested, 5, 0, 0, 7);
    g_autoptr(GArray) words = words_of(&tested, 3, 1);

    assert_int_equal(strip_of(words, 0)->points, 5 * 7);
    assert_int_equal(strip_of(words, 0)->read, 5 + 7 + 1);
    assert_int_equal(strip_of(words, 0)->written, 5 + 7 - 1);
}

/* Time skewing: t_S + 2 t_T of B.6.2 read, and two less written. */
static void a_parallelogram_reads_the_words_of_the_model(void **state G_GNUC_UNUSED)
{
    ScheduleCase tested = schedule_case_of(60, 0, 0, 30);

    tested.setting.shape = GPU_SCHEDULE_SKEWED;
    schedule_case_tile(&tested, 8, 0, 0, 6);
    g_autoptr(GArray) words = words_of(&tested, 5, 1);

    assert_int_equal(strip_of(words, 0)->points, 8 * 6);
    assert_int_equal(strip_of(words, 0)->read, 8 + 2 * 6);
    assert_int_equal(strip_of(words, 0)->written, 8 + 2 * 6 - 2);
}

/* A step at a time, all of a tile and its neighbours is read each step. */
static void a_halo_moves_the_most(void **state G_GNUC_UNUSED)
{
    ScheduleCase tested = schedule_case_of(60, 0, 0, 30);

    tested.setting.shape = GPU_SCHEDULE_HALO;
    schedule_case_tile(&tested, 8, 0, 0, 1);
    g_autoptr(GArray) words = words_of(&tested, 5, 1);

    assert_int_equal(strip_of(words, 0)->points, 8);
    assert_int_equal(strip_of(words, 0)->read, 8 + 2);
    assert_int_equal(strip_of(words, 0)->written, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hexagon_moves_the_words_of_the_model),
        cmocka_unit_test(whole_strips_move_the_words_of_the_model),
        cmocka_unit_test(strips_fit_in_the_shared_memory_of_the_model),
        cmocka_unit_test(no_tile_is_larger_than_a_whole_one),
        cmocka_unit_test(a_rectangle_reads_its_sides),
        cmocka_unit_test(a_parallelogram_reads_the_words_of_the_model),
        cmocka_unit_test(a_halo_moves_the_most),
    };

    return cmocka_run_group_tests_name("arch.gpu_schedule_words", tests, NULL, NULL);
}
