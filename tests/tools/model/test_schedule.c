/* Pictures and checks of schedules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "tools/gridloom/model/schedule/schedule.h"

static const GpuScheduleSetting hybrid = {.shape = GPU_SCHEDULE_HYBRID};
static const GpuScheduleSetting printed = {.shape = GPU_SCHEDULE_HYBRID,
                                           .form = GPU_TILING_AS_PRINTED};

static guint count_of(const char *text, const char *part)
{
    guint count = 0;

    for (const char *at = strstr(text, part); at != NULL;
         at = strstr(at + strlen(part), part)) {
        count++;
    }
    return count;
}

/* 16 places of t_S = 3, t_T = 4 are two pitches: wavefronts of 3, 2, 3, 2 and, cut at
 * the top, 2 tiles. */
static void every_tile_is_drawn(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 1, .space = {16}, .steps = 7};
    const GpuTile tile = {.space = {3}, .steps = 4};
    g_autoptr(GpuSchedule) schedule = gpu_schedule_new(&problem, &tile, &hybrid, NULL);
    g_autofree char *svg = model_schedule_to_svg(&problem, &tile, &hybrid, NULL);
    uint64_t tiles = 0;

    for (uint64_t w = 0; w < gpu_schedule_wavefronts(schedule); w++) {
        tiles += gpu_schedule_tiles(schedule, w);
    }
    assert_int_equal(tiles, 12);
    assert_int_equal(count_of(svg, "<polygon"), tiles);
    assert_int_equal(count_of(svg, "<title>wavefront 5, tile "), 2);
    assert_int_equal(count_of(svg, "\"schedule-number\">1</text>"), 3);
    assert_int_equal(count_of(svg, "\"schedule-number\">5</text>"), 2);
    assert_null(strstr(svg, "only its first tiles"));
}

static void a_tile_shows_what_it_moves(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 1, .space = {90}, .steps = 60};
    const GpuTile tile = {.space = {3}, .steps = 6};
    g_autofree char *svg = model_schedule_to_svg(&problem, &tile, &hybrid, NULL);

    assert_non_null(strstr(svg, "15 values are read (squares), 13 are written (dots)"));
    assert_int_equal(count_of(svg, "class=\"schedule-read\""), 3 + 2 * 6);
    assert_int_equal(count_of(svg, "class=\"schedule-written\""), 3 + 2 * 6 - 2);
    assert_non_null(strstr(svg, "only its first tiles"));
}

/* The y of the highest corner of the polygon with that title. */
static double top_of(const char *svg, const char *title)
{
    static const char start[] = "<polygon points=\"";
    const char *end = strstr(svg, title);
    double top = G_MAXDOUBLE;
    char *at;

    assert_non_null(end);
    at = g_strrstr_len(svg, end - svg, start) + strlen(start);
    while (*at != '"') {
        (void) g_ascii_strtod(at, &at);
        const double y = g_ascii_strtod(at + 1, &at);

        top = MIN(top, y);
    }
    return top;
}

static void strips_are_drawn_once(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {
        .dimension = 3, .space = {30, 21, 9}, .steps = 20};
    const GpuTile tile = {.space = {4, 6, 6}, .steps = 8};
    g_autofree char *svg = model_schedule_to_svg(&problem, &tile, &hybrid, NULL);

    /* 21 + 8 - 1 = 28 places that lean are 5 strips of 6. */
    assert_int_equal(count_of(svg, "<title>strip "), 5);
    assert_non_null(strstr(svg, "the third is cut alike"));
    /* Below the head of the picture, which has two lines. */
    assert_true(top_of(svg, "<title>strip 1</title>") > 100);
    assert_true(top_of(svg, "<title>strip 2</title>") > 100);
}

static void tiles_too_large_to_draw_are_refused(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {
        .dimension = 1, .space = {G_MAXINT32}, .steps = 1000};
    const GpuTile wide = {.space = {2000}, .steps = 6};
    const GpuTile odd = {.space = {3}, .steps = 5};
    const GpuTilingProblem small = {.dimension = 1, .space = {9}, .steps = 10};
    g_autoptr(GError) error = NULL;

    assert_null(model_schedule_to_svg(&small, &odd, &hybrid, NULL));
    assert_null(model_schedule_to_svg(&problem, &wide, &hybrid, NULL));
    assert_null(model_schedule_to_svg(&(GpuTilingProblem){1, {100000}, 9, 0}, &wide,
                                      &hybrid, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
}

static void assert_text(const GpuTilingProblem *problem,
                        const GpuTile *tile,
                        const GpuScheduleSetting *setting,
                        const char *expected)
{
    GpuScheduleProof check;
    g_autofree char *text = NULL;

    assert_true(gpu_schedule_prove(problem, tile, setting, &check, NULL));
    text = model_schedule_check_text(&check);
    assert_string_equal(text, expected);
}

static void a_check_tells_what_it_saw(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 2, .space = {30, 20}, .steps = 10};
    const GpuTile tile = {.space = {3, 8}, .steps = 4};

    assert_text(&problem, &tile, &hybrid,
                "schedule: 6000 points, each once and in a legal order\n"
                "schedule: 6 wavefronts (0 without a tile), 27 tiles (5 of a wavefront "
                "at most), 81 strips (3 of a tile at most)\n"
                "schedule: Jacobi by tiles has the bits of the plain loop nest");
    assert_text(&problem, &tile, &printed,
                "schedule: 6000 points; 1200 left out; 6032 values wanted too early\n"
                "schedule: 6 wavefronts (0 without a tile), 18 tiles (3 of a wavefront "
                "at most), 54 strips (3 of a tile at most)\n"
                "schedule: Jacobi by tiles differs from the plain loop nest");
}

static void rectangles_run_smith_waterman(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 1, .space = {30}, .steps = 20};
    const GpuTile tile = {.space = {6}, .steps = 5};

    assert_text(
        &problem, &tile, &(GpuScheduleSetting){.shape = GPU_SCHEDULE_ORTHOGONAL},
        "schedule: 600 points, each once and in a legal order\n"
        "schedule: 8 wavefronts (0 without a tile), 20 tiles (4 of a wavefront "
        "at most), 20 strips (1 of a tile at most)\n"
        "schedule: Smith-Waterman by tiles has the bits of the plain loop nest");
}

static void json_has_the_counts(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 1, .space = {60}, .steps = 10};
    const GpuTile tile = {.space = {3}, .steps = 4};
    GpuScheduleProof check;

    assert_true(gpu_schedule_prove(&problem, &tile, &printed, &check, NULL));
    g_autoptr(JsonObject) object = model_schedule_check_json(&check);

    assert_int_equal(json_object_get_int_member(object, "points"), 600);
    assert_int_equal(json_object_get_int_member(object, "missing"), 600 * 2 / 10);
    assert_false(json_object_get_boolean_member(object, "is_passed"));
    assert_int_equal(json_object_get_int_member(object, "wavefronts"), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tile_is_drawn),
        cmocka_unit_test(a_tile_shows_what_it_moves),
        cmocka_unit_test(strips_are_drawn_once),
        cmocka_unit_test(tiles_too_large_to_draw_are_refused),
        cmocka_unit_test(a_check_tells_what_it_saw),
        cmocka_unit_test(rectangles_run_smith_waterman),
        cmocka_unit_test(json_has_the_counts),
    };

    return cmocka_run_group_tests_name("tools.model_schedule", tests, NULL, NULL);
}
