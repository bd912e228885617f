/* Streams between the host and PEs: the same numbers and cycles in Lua and in CSL. */
#include <string.h>

#include "arch/error.h"
#include "tests/workloads/csl/wafer_rig.h"
#include "tests/workloads/machine.h"
#include "tests/workloads/wafer/refusal.h"
#include "workloads/wafer/stream.h"

enum {
    PES = 2,
    COUNT = 40,
};

/* Each PE adds 1000 x (its column + 1) to what comes and sends it back. The cycle in
 * which the last number is on its way is in `end`. */
static const char csl[] =
    "extern fn gridloom_clock() u64; var a = @zeros([40]u32); var end = @zeros([1]u32);"
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{40} -> a[i] });"
    "const get = @get_dsd(fabin_dsd, .{ .fabric_color = @get_color(1), .extent = 40, "
    ".input_queue = @get_input_queue(2) });"
    "const send = @get_dsd(fabout_dsd, .{ .fabric_color = @get_color(2), .extent = 40, "
    ".output_queue = @get_output_queue(3) });"
    "task got() void { for (@range(u16, 40)) |i| { a[i] = a[i] + @as(u32, (px + 1) * "
    "1000); } @mov32(send, to, .{ .async = true, .activate = sent }); }"
    "task sent() void { end[0] = @as(u32, gridloom_clock()); }"
    "fn f() void { @mov32(to, get, .{ .async = true, .activate = got }); "
    "sys.unblock_cmd_stream(); }"
    "comptime { @bind_local_task(got, @get_local_task_id(9)); @bind_local_task(sent, "
    "@get_local_task_id(10)); @initialize_queue(@get_input_queue(2), .{ .color = "
    "@get_color(1) }); @gridloom_host_color(@get_color(1), true); "
    "@gridloom_host_color(@get_color(2), false); }";

/* The layout, and buffers `b` of all numbers. */
#define SCRIPT                                                                         \
    "local w = host.wafer { columns = 2, rows = 1, layout = function(l)\n"             \
    "l:set_color_config({ 0, 0, 1, 0 }, 1, { host = 'sends' })\n"                      \
    "l:set_color_config({ 0, 0, 1, 0 }, 2, { host = 'takes' })\n"                      \
    "for px = 0, 1 do l:set_tile_code({ px, 0 }, 'p' .. px, function(pe)\n"            \
    "local a = pe:array { name = 'a', type = 'u32', count = 40 }\n"                    \
    "local stop = pe:array { name = 'end', type = 'u32', count = 1 }\n"                \
    "local to = pe:mem1d_dsd { base = a, extent = 40 }\n"                              \
    "local get = pe:fabin_dsd { color = 1, input_queue = 2, extent = 40 }\n"           \
    "local send = pe:fabout_dsd { color = 2, output_queue = 3, extent = 40 }\n"        \
    "pe:bind_local_task(9, 'got', function() pe:for_range('u16', 40, function(i)\n"    \
    "pe:store(a, i, pe:operate('add', 'u32', nil, pe:load(a, i), (px + 1) * 1000)) "   \
    "end)\n"                                                                           \
    "pe:mov32(send, to, { async = true, activate = 10 }) end)\n"                       \
    "pe:bind_local_task(10, 'sent', function()\n"                                      \
    "pe:store(stop, 0, pe:as('u32', pe:get_timestamp())) end)\n"                       \
    "pe:bind_local_task(8, 'f', function()\n"                                          \
    "pe:mov32(to, get, { async = true, activate = 9 }) end)\n"                         \
    "pe:activate(8) end) end end }\n"                                                  \
    "local b, c, e = host.buffer(320), host.buffer(320), host.buffer(8)\n"             \
    "for i = 0, 79 do b:set('uint32', i, i) end\n"

static const Machine wse2 = {.chip = "wse2"};

/* Runs the CSL program on one channel; the cycle in which each PE has sent. */
static void run_csl(uint32_t *numbers, int64_t *ends)
{
    g_auto(CslRig) rig = {0};
    uint32_t words[PES * COUNT] = {0};
    g_autoptr(GError) error = NULL;
    ArchWseStream stream = {
        .tiles = {0, 0, PES - 1, 0, 1, 1}, .color = 1, .count = COUNT};

    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        words[i] = i;
    }
    csl_rig_open_all(&rig, PES, 1, "", csl);
    stream.cycles_per_wavelet = wafer_stream_rate(rig.params, true, 1);
    assert_true(arch_wse_send(rig.wse, &stream, words, &error));
    stream.color = 2;
    stream.cycles_per_wavelet = wafer_stream_rate(rig.params, false, 1);
    assert_true(arch_wse_expect(rig.wse, &stream, &error));
    csl_rig_launch(&rig, "f", NULL, 0);
    assert_true(arch_wse_take(rig.wse, &stream, numbers, &error));
    for (guint i = 0; i < PES; i++) {
        ends[i] = csl_rig_integer(&rig, i, 0, "end", 0);
    }
}

static void streams_take_the_same_cycles(void **state G_GNUC_UNUSED)
{
    uint32_t numbers[PES * COUNT] = {0};
    int64_t ends[PES] = {0};
    g_auto(Result) result = machine_run_well(
        SCRIPT "w:stream_to { color = 1, buffer = b, count = 40, channels = 1 }\n"
               "w:stream_from { color = 2, buffer = c, count = 40, channels = 1 }\n"
               "w:launch() w:copy_from { name = 'end', buffer = e, count = 1 }\n"
               "print(e:get('uint32', 0) | 0) print(e:get('uint32', 1) | 0)\n"
               "for i = 0, 79 do print(c:get('uint32', i) | 0) end",
        &wse2);
    g_auto(GStrv) lines = g_strsplit(result_text(&result, "printed"), "\n", 0);

    run_csl(numbers, ends);
    assert_int_equal(g_strv_length(lines), 1 + PES + PES * COUNT);
    for (guint i = 0; i < PES; i++) {
        assert_int_equal(g_ascii_strtoll(lines[i], NULL, 10), ends[i]);
    }
    for (guint i = 0; i < PES * COUNT; i++) {
        assert_int_equal(numbers[i], i + 1000 * (i / COUNT + 1));
        assert_int_equal(g_ascii_strtoll(lines[PES + i], NULL, 10), numbers[i]);
    }
}

/* Every launch has its own streams, and fewer PEs may have them. */
static void streams_belong_to_one_launch(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        SCRIPT "for turn = 1, 2 do\n"
               "w:stream_to { color = 1, buffer = b, count = 40 }\n"
               "w:stream_from { color = 2, buffer = c, count = 40 }\n"
               "w:launch() print(c:get('uint32', 79) | 0) b:set('uint32', 79, 7) end",
        &wse2);

    assert_string_equal(result_text(&result, "printed"), "2079\n2007\n");
}

static void a_timing_only_run_takes_the_same_cycles(void **state G_GNUC_UNUSED)
{
    static const char body[] =
        SCRIPT "w:stream_to { color = 1, buffer = b, count = 40, channels = 1 }\n"
               "w:stream_from { color = 2, buffer = c, count = 40, channels = 1 }\n"
               "print(w:launch())";
    Machine timing_only = {.chip = "wse2", .is_timing_only = true};
    g_auto(Result) with = machine_run_well(body, &wse2);
    g_auto(Result) without = machine_run_well(body, &timing_only);

    assert_string_equal(result_text(&with, "printed"),
                        result_text(&without, "printed"));
}

static void what_is_wrong_is_said(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"w:stream_to { color = 1, buffer = b, count = 39 }",
         "t.lua:21: buffer: 320 bytes, the wavelets have 312"},
        {"w:stream_to { color = 1, buffer = 1, count = 40 }",
         "t.lua:21: buffer: expected one of host.buffer"},
        {"w:stream_to { color = 1, buffer = b }",
         "t.lua:21: count: expected an integer of 1 to 2147483647"},
        {"w:stream_to { colour = 1 }",
         "t.lua:21: unknown field 'colour'; known: color, buffer, count, tiles, "
         "channels"},
        {"w:stream_from { color = 1, buffer = b, count = 40, channels = 17 }",
         "t.lua:21: channels: expected an integer of 1 to 16"},
        {"w:stream_from { color = 1, buffer = b, count = 40, tiles = { 2, 0 } }",
         "t.lua:21: tiles: pe[2,0] is outside of 2 x 1 PEs"},
        {"w:stream_to { color = 2, buffer = b, count = 40 } w:launch()",
         "t.lua:21: pe[0,0]: color 2 is not one that the host sends"},
        {"w:stream_to { color = 1, buffer = b, count = 40 }"
         "w:stream_from { color = 2, buffer = c, count = 40 }"
         "local same = host.reference(c, 'differing', b) w:launch() same()",
         "t.lua:21: what was to be written into a buffer came while a reference under "
         "way reads it: ask for its results first"},
    };
    static const Refusal colors[] = {
        {"{ host = 'gives' }", "t.lua:2: host: expected one of sends, takes"},
        {"{ host = 'sends', teardown = true }",
         "t.lua:2: host: the color goes between the host and the PE, and has nothing "
         "else"},
    };

    assert_refused(SCRIPT "%s", refusals, G_N_ELEMENTS(refusals));
    assert_refused("host.wafer { columns = 1, rows = 1, layout = function(l) "
                   "l:set_color_config({ 0, 0 }, 1, %s) end }",
                   colors, G_N_ELEMENTS(colors));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_take_the_same_cycles),
        cmocka_unit_test(streams_belong_to_one_launch),
        cmocka_unit_test(a_timing_only_run_takes_the_same_cycles),
        cmocka_unit_test(what_is_wrong_is_said),
    };

    return cmocka_run_group_tests_name("workloads.wafer_stream_doors", tests, NULL,
                                       NULL);
}
