/* Functions that the host calls: the same numbers and cycles in Lua and in CSL. */
#include <string.h>

#include "tests/workloads/csl/wafer_rig.h"
#include "tests/workloads/machine.h"
#include "tests/workloads/wafer/refusal.h"

/* Adds to numbers in memory, and counts in a register or a global how often. */
static const char csl[] = "var a = [4]i32{ 1, 2, 3, 4 }; var s = @zeros([1]f32);"
                          "fn f() void { sys.unblock_cmd_stream(); }"
                          "fn add(n: i32, x: f32) void { for (@range(u16, 4)) |i| { "
                          "a[i] = a[i] + n; } s[0] = "
                          "s[0] + x; sys.unblock_cmd_stream(); }"
                          "comptime { @export_symbol(add); }";

#define SCRIPT                                                                         \
    "local w = host.wafer { columns = 2, rows = 1, layout = function(l)\n"             \
    "l:set_tile_code({ 0, 0, 1, 0 }, 'p', function(pe)\n"                              \
    "local a = pe:array { name = 'a', type = 'i32', values = { 1, 2, 3, 4 } }\n"       \
    "local s = pe:scalar { name = 's', type = 'f32' }\n"                               \
    "local ready = pe:fn('ready', function() pe:unblock_cmd_stream() end)\n"           \
    "pe:fn('add', function(n, x) pe:for_range('u16', 4, function(i) pe:store(a, i, "   \
    "pe:operate('add', 'i32', nil, pe:load(a, i), n)) end)\n"                          \
    "pe:store(s, 0, pe:operate('add', 'f32', nil, pe:load(s, 0), x))\n"                \
    "pe:call(ready) end, { arguments = { 'i32', 'f32' }, export = true })\n"           \
    "pe:fn('hang', function() end, { export = true }) end) end }\n"                    \
    "local b, c = host.buffer(32), host.buffer(8)\n"

static const Machine wse2 = {.chip = "wse2"};

static void calls_take_the_same_cycles(void **state G_GNUC_UNUSED)
{
    static const float half = 0.5F;
    int32_t arguments[] = {10, 0};
    g_auto(CslRig) rig = {0};
    g_auto(Result) result = machine_run_well(
        SCRIPT "w:launch() print(w:call('add', { 10, 0.5 }))\n"
               "print(w:call('add', { 100, 0.5 }, { tiles = { 1, 0 } }))\n"
               "w:copy_from { name = 'a', buffer = b, count = 4 }\n"
               "w:copy_from { name = 's', buffer = c, count = 1 }\n"
               "print(b:get('int32', 0) | 0, b:get('int32', 7) | 0, c:get('fp32', 0), "
               "c:get('fp32', 1))",
        &wse2);
    SimTime start = 0;

    memcpy(&arguments[1], &half, sizeof half);
    csl_rig_open_all(&rig, 2, 1, "@export_name(\"add\", fn(i32, f32) void);", csl);
    start = sim_engine_now(rig.engine);
    csl_rig_launch(&rig, "add", arguments, G_N_ELEMENTS(arguments));
    const SimTime cycles = sim_engine_now(rig.engine) - start;
    g_autofree char *expected = g_strdup_printf(
        "%" G_GUINT64_FORMAT "\n%" G_GUINT64_FORMAT "\n11\t114\t0.5\t1.0\n", cycles,
        cycles);

    CSL_EXPECT(&rig, 0, 0, "a", 11, 12, 13, 14);
    CSL_EXPECT_FLOATS(&rig, 1, 0, "s", 0.5);
    assert_string_equal(result_text(&result, "printed"), expected);
}

/* The work of a call is counted once, and PEs that wait for the host do none. */
static void calls_are_counted_once(void **state G_GNUC_UNUSED)
{
    static const char body[] =
        SCRIPT "w:launch() for turn = 1, %s do w:call('add', { 1, 1.0 }) end";
    g_auto(GStrv) parts = g_strsplit(body, "%s", 2);
    g_autofree char *one = g_strjoinv("1", parts);
    g_autofree char *three = g_strjoinv("3", parts);
    g_auto(Result) once = machine_run_well(one, &wse2);
    g_auto(Result) often = machine_run_well(three, &wse2);
    const double busy =
        json_object_get_double_member(result_object(&once, "busy"), "busy");

    assert_true(busy > 0.5);
    assert_float_equal(
        json_object_get_double_member(result_object(&often, "busy"), "busy"), busy,
        0.01);
}

static void what_is_wrong_is_said(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"w:call('add', { 1, 0.5 })",
         "t.lua:12: wafer:call: wafer:launch() comes first"},
        {"w:launch() w:call('sub')",
         "t.lua:12: program p has no function sub for the host"},
        {"w:launch() w:call('add', { 1, 'x' })",
         "t.lua:12: argument 2 of the function: expected an integer of 32 bits or a "
         "float"},
        {"w:launch() w:call('add', 1)",
         "t.lua:12: bad argument #2 to 'call' (table expected, got number)"},
        {"w:launch() w:call('add', { 1, 0.5 }, { tiles = { 2, 0 } })",
         "t.lua:12: tiles: pe[2,0] is outside of 2 x 1 PEs"},
        {"w:launch() w:call('hang')", "t.lua:12: deadlock at cycle 340017: "
                                      "nothing can happen any more, 2 still wait:"},
    };
    static const Refusal exports[] = {
        {"'f16'", "t.lua:2: arguments: the host gives integers of up to 32 bits and "
                  "f32, not f16"},
        {"'u64'", "t.lua:2: arguments: the host gives integers of up to 32 bits and "
                  "f32, not u64"},
    };

    assert_refused(SCRIPT "%s", refusals, G_N_ELEMENTS(refusals));
    assert_refused("host.wafer { columns = 1, rows = 1, layout = function(l) "
                   "l:set_tile_code({ 0, 0 }, 'p', function(pe) pe:fn('f', function() "
                   "end, { arguments = { %s }, export = true }) end) end }",
                   exports, G_N_ELEMENTS(exports));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_take_the_same_cycles),
        cmocka_unit_test(calls_are_counted_once),
        cmocka_unit_test(what_is_wrong_is_said),
    };

    return cmocka_run_group_tests_name("workloads.wafer_call_doors", tests, NULL, NULL);
}
