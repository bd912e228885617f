/* CSL's <kernels/tally>: counts of all PEs come together in the north-east one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

/* PE (x, y) counts x + y + 1 things one by one, and says that it is complete before the
 * last one is found. */
static const char code[] =
    "param memcpy_params: comptime_struct; param tally_params: comptime_struct;\n"
    "const width: i16 = %u; const height: i16 = %u;\n"
    "const memcpy = @import_module(\"<memcpy/get_params>\", .{ .width = width,\n"
    "  .height = height });\n"
    "const counting = @import_module(\"<kernels/tally/layout>\", .{\n"
    "  .kernel_width = width, .kernel_height = height, .phase2_tally = %u,\n"
    "  .colors = [3]color{ @get_color(12), @get_color(13), @get_color(14) },\n"
    "  .output_color = @get_color(8) });\n"
    "layout {\n"
    "  @set_rectangle(width, height);\n"
    "  for (@range(i16, width)) |x| { for (@range(i16, height)) |y| {\n"
    "    @set_tile_code(x, y, \"t.csl\", .{ .memcpy_params = memcpy.get_params(x),\n"
    "      .tally_params = counting.get_params(x, y) });\n"
    "  } }\n"
    "  @export_name(\"start\", fn()void);\n"
    "}\n"
    "const sys = @import_module(\"<memcpy/memcpy>\", memcpy_params);\n"
    "const place = @import_module(\"<layout>\");\n"
    "const tally = @import_module(\"<kernels/tally/pe>\", "
    "@concat_structs(tally_params,\n"
    "  .{ .output_queues = [2]u16{ 4, 5 }, .input_queues = [2]u16{ 6, 7 },\n"
    "     .callback = @get_local_task_id(15) }));\n"
    "var left: u16 = 0; var r = @zeros([2]u32);\n"
    "fn start() void {\n"
    "  left = place.get_x_coord() + place.get_y_coord() + 1;\n"
    "  @activate(@get_local_task_id(9));\n"
    "  sys.unblock_cmd_stream();\n"
    "}\n"
    "task find() void {\n"
    "  left -= 1;\n"
    "  if (left == 0) { tally.signal_completion(); } else { @activate(find); }\n"
    "  tally.bump_tally(1);\n"
    "}\n"
    "task over() void { r[0] += 1; r[1] = tally.local_tally; }\n"
    "comptime { @bind_local_task(over, @get_local_task_id(15));\n"
    "  @bind_local_task(find, @get_local_task_id(9)); @export_symbol(start); }\n";

static void expect_counted(guint width, guint height, guint total)
{
    g_autofree char *text = g_strdup_printf(code, width, height, total);
    g_auto(CslRig) rig = {0};

    csl_rig_open(&rig, text);
    csl_rig_launch(&rig, "start", NULL, 0);
    for (guint x = 0; x < width; x++) {
        for (guint y = 0; y < height; y++) {
            const bool is_last = x == width - 1 && y == 0;

            assert_int_equal(csl_rig_integer(&rig, x, y, "r", 0), is_last ? 1 : 0);
        }
    }
    if (total > 0) {
        assert_int_equal(csl_rig_integer(&rig, width - 1, 0, "r", 1), total);
    }
}

static void all_that_was_counted_is_there_in_the_end(void **state G_GNUC_UNUSED)
{
    expect_counted(4, 3, 42);
    expect_counted(5, 1, 15);
    expect_counted(1, 4, 10);
    expect_counted(1, 1, 1);
}

static void all_pes_are_waited_for_where_no_total_is_given(void **state G_GNUC_UNUSED)
{
    expect_counted(3, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_was_counted_is_there_in_the_end),
        cmocka_unit_test(all_pes_are_waited_for_where_no_total_is_given),
    };

    return cmocka_run_group_tests_name("workloads.csl_lib_tally", tests, NULL, NULL);
}
