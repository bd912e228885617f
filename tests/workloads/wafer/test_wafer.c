/* Wafers, as a script sees them: layouts, programs, copies, launches. */
#include <math.h>
#include <string.h>

#include "arch/error.h"
#include "arch/wse/program/operation.h"
#include "sim/error.h"
#include "tests/workloads/machine.h"
#include "workloads/error.h"
#include "workloads/wafer/slice.h"

/* Of the shipped wse2. */
#define LATENCY   200e-6
#define TO_CHIP   7e9
#define FROM_CHIP 933e6
#define LAUNCH    200e-6
#define CLOCK     850e6

static const Machine wse2 = {.chip = "wse2"};

/* A row of PEs of which each has u = 0, 1, 2, 3 and multiplies it by k. */
#define SCALED                                                                         \
    "local function layout(l) l:set_tile_code({ 0, 0, l.columns - 1, l.rows - 1 }, "   \
    "'scale', function(pe)\n"                                                          \
    "local u = pe:array { name = 'u', type = 'f32', values = { 0, 1, 2, 3 } }\n"       \
    "local k = pe:scalar { name = 'k', type = 'f32', value = 3 }\n"                    \
    "local d = pe:mem1d_dsd { base = u, extent = 4 }\n"                                \
    "local each = pe:mem1d_dsd { base = k, extent = 4, stride = 0 }\n"                 \
    "pe:bind_local_task(8, 'go', function() pe:fmuls(d, d, each) "                     \
    "pe:iteration_done() end)\n"                                                       \
    "pe:activate(8) end) end\n"

static void assert_prints(const char *body, const char *expected)
{
    g_auto(Result) result = machine_run_well(body, &wse2);

    assert_string_equal(result_text(&result, "printed"), expected);
}

static void slices_are_congruent_to_their_target(void **state G_GNUC_UNUSED)
{
    assert_int_equal(wafer_slice_size(755, 25, 5), 25);
    assert_int_equal(wafer_slice_size(994, 25, 5), 29);
    assert_int_equal(wafer_slice_size(200, 25, 1), 25);
    assert_int_equal(wafer_slice_size(61, 10, 7), 12);
    assert_int_equal(wafer_slice_size(26, 25, 5), 26);
    assert_int_equal(wafer_slice_size(25, 25, 5), 25);
    assert_int_equal(wafer_slice_size(7, 25, 5), 7);
    assert_int_equal(wafer_slice_size(30, 25, 1000), 30);
}

static void every_vector_operation_is_a_method(void **state G_GNUC_UNUSED)
{
    g_autoptr(GString) body =
        g_string_new("host.wafer { columns = 1, rows = 1, layout = function(layout) "
                     "layout:set_tile_code({ 0, 0 }, 'p', function(pe)\n");

    for (guint i = 0; i < wse_operation_count(); i++) {
        g_string_append_printf(body, "assert(pe.%s, '%s')\n", wse_operation_at(i)->name,
                               wse_operation_at(i)->name);
    }
    g_string_append(body, "print('all') end) end }");
    assert_prints(body->str, "all\n");
}

/* PE 0 sends as many numbers as it has computed, on a route that it makes; PE 1 makes
 * the other one. */
static void a_program_computes_routes_and_lengths(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local w = host.wafer { columns = 2, rows = 1, layout = function(l)\n"
        "l:set_tile_code({ 0, 0 }, 'a', function(pe)\n"
        "local u = pe:array { name = 'u', type = 'f32', values = { 1, 2, 3, 4 } }\n"
        "local from = pe:mem1d_dsd { base = u, extent = 4 }\n"
        "local out = pe:fabout_dsd { color = 3, output_queue = 0, extent = 4 }\n"
        "local n = pe:variable { name = 'n', value = 1 }\n"
        "local r = pe:variable { name = 'r' }\n"
        "pe:bind_local_task(8, 'go', function()\n"
        "pe:operate('mul', 'u16', n, n, 3)\n"
        "local v = pe:dsd_value(from)\n"
        "pe:set_dsd_stride(v, 1) pe:set_dsd_length(v, n)\n"
        "pe:set_config(0x7f20 + 3, 1 << 9 | 1 << 1)\n"
        "pe:get_config(n, 0x7f20 + 3)\n"
        "pe:fmovs(out, v, { async = true })\n"
        "pe:print('routes', n)\n"
        "pe:random16(r) pe:operate('lt', 'u32', r, r, 0xffffffff)\n"
        "pe:print('random', r) end) pe:activate(8) end)\n"
        "l:set_tile_code({ 1, 0 }, 'b', function(pe)\n"
        "local got = pe:array { name = 'got', type = 'f32', count = 3 }\n"
        "local to = pe:mem1d_dsd { base = got, extent = 3 }\n"
        "local bits = pe:mem1d_dsd { base = pe:view { name = 'bits', base = got,\n"
        "type = 'u16', count = 6 }, extent = 6 }\n"
        "local from = pe:fabin_dsd { color = 3, input_queue = 1, extent = 3 }\n"
        "pe:set_teardown_handler(3, 'torn', function() pe:teardown_exit(3) end)\n"
        "pe:bind_local_task(8, 'go', function()\n"
        "pe:popcnt(bits, 0xff) pe:fscales(to, 1.5, 2)\n"
        "pe:set_config(0x7f20 + 3, 1 << 5 | 1 << 4)\n"
        "pe:fmovs(to, from, { async = true }) end) pe:activate(8) end) end }\n"
        "w:launch()\n"
        "local b = host.buffer(12)\n"
        "w:copy_from { name = 'got', buffer = b, count = 3, tiles = { 1, 0 } }\n"
        "print(b:get('fp32', 0) // 1 | 0, b:get('fp32', 2) // 1 | 0)",
        "pe[0,0] @ 170055: routes 514\npe[0,0] @ 170059: random 1\n1\t3\n");
}

/* What variables hold is printed as their type has it; a claim that fails stops. */
static void a_program_prints_and_claims(void **state G_GNUC_UNUSED)
{
    static const char script[] =
        "local w = host.wafer { columns = 1, rows = 1, layout = function(l)\n"
        "l:set_tile_code({ 0, 0 }, 'a', function(pe)\n"
        "local x = pe:variable { name = 'x', type = 'f32', value = 1.5 }\n"
        "local n = pe:variable { name = 'n', type = 'u32', value = 4000000000 }\n"
        "pe:bind_local_task(8, 'go', function() pe:operate('mul', 'f32', x, x, -3)\n"
        "pe:print('x', x) pe:print('n', n) pe:assert_(n, '>', 7)\n"
        "if %s then pe:assert_(n, '<', 7) end end) pe:activate(8) end) end }\n"
        "w:launch()";
    g_auto(GStrv) parts = g_strsplit(script, "%s", 2);
    g_autofree char *well = g_strjoinv("false", parts);
    g_autofree char *badly = g_strjoinv("true", parts);
    g_auto(Result) result = machine_run(badly, &wse2);

    assert_prints(well, "pe[0,0] @ 170013: x -4.5\npe[0,0] @ 170013: n 4000000000\n");
    assert_non_null(
        strstr(result_text(&result, "error"), "(t.lua:8): an assertion is false"));
}

static void a_layout_knows_its_size(void **state G_GNUC_UNUSED)
{
    assert_prints(SCALED "host.wafer { columns = 3, rows = 2, iterations = 7, layout = "
                         "function(l) print(l.columns, l.rows, l.iterations, l.other) "
                         "layout(l) end }",
                  "3\t2\t7\tnil\n");
}

static void payloads_are_as_in_the_sdk(void **state G_GNUC_UNUSED)
{
    /* Commands 0, 1 and 4 advance; bits 22.., then from bit 1 on. */
    assert_prints(
        "host.wafer { columns = 1, rows = 1, layout = function(l)\n"
        "l:set_tile_code({ 0, 0 }, 'p', function() end)\n"
        "print(l:encode_payload { commands = { 'SWITCH_ADV' } } == 0x5f0000 | "
        "1 << 22)\n"
        "print(l:encode_payload { commands = { 'NOP' }, task = 5 } == 5 << 16)\n"
        "print(l:encode_payload { commands = { 'NOP' }, task = 0, ce_filter = true } "
        "== 1 << 24)\n"
        "print(l:encode_payload { commands = { 'NOP', 'NOP' }, task = 0, "
        "ce_filter = { false, true } } == 1 << 27) end }",
        "true\ntrue\ntrue\ntrue\n");
}

static void tiles_may_be_none(void **state G_GNUC_UNUSED)
{
    assert_prints(SCALED "host.wafer { columns = 2, rows = 1, layout = function(l) "
                         "layout(l)\n"
                         "l:set_tile_code({ 4, 4, -3, -3 }, 'none', function() "
                         "print('built') end)\n"
                         "l:set_color_config({ 1, 0, 0, 0 }, 1, { routes = { rx = "
                         "'RAMP', tx = 'WEST' } }) end }",
                  "built\n");
}

static void data_goes_there_and_back(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        SCALED
        "local w = host.wafer { columns = 3, rows = 2, layout = layout }\n"
        "local b, r = host.buffer(2 * 4 * 2), host.buffer(6 * 4 * 4)\n"
        "for i = 0, 3 do b:set('fp32', i, 10 + i) end\n"
        "w:copy_to { name = 'u', buffer = b, first = 1, count = 2, "
        "tiles = { 1, 0, 1, 1 } }\n"
        "print(w:launch() > 0)\n"
        "w:copy_from { name = 'u', buffer = r, count = 4 }\n"
        "local t = {} for i = 0, 23 do t[i + 1] = r:get('fp32', i) // 1 | 0 end\n"
        "print(table.concat(t, ' '))",
        &wse2);

    assert_string_equal(result_text(&result, "printed"),
                        "true\n"
                        "0 3 6 9 0 30 33 9 0 3 6 9 0 3 6 9 0 36 39 9 0 3 6 9\n");
    assert_seconds(&result, "transfer_seconds",
                   2 * LATENCY + 16 / TO_CHIP + 96 / FROM_CHIP);
}

/* Also where the wafer only remembers the buffer. */
static void a_buffer_may_change_after_its_copy(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        SCALED "local w = host.wafer { columns = 2, rows = 1, layout = layout }\n"
               "local b, r = host.buffer(8), host.buffer(2 * 4 * 4)\n"
               "for i = 0, 1 do b:set('fp32', i, 10 + i) end\n"
               "w:copy_to { name = 'u', buffer = b, count = 1 }\n"
               "for i = 0, 1 do b:set('fp32', i, 20 + i) end\n"
               "w:copy_to { name = 'u', buffer = b, first = 3, count = 1 }\n"
               "b:fill_with('fp32', 99) w:launch() b:fill_with('fp32', 98)\n"
               "w:copy_from { name = 'u', buffer = r, count = 4 }\n"
               "for i = 0, 7 do print(r:get('fp32', i) // 1 | 0) end\n"
               "print(b:get('fp32', 1) // 1 | 0)",
        &wse2);

    assert_string_equal(result_text(&result, "printed"),
                        "30\n3\n6\n60\n33\n3\n6\n63\n98\n");
}

static void copies_are_checked(void **state G_GNUC_UNUSED)
{
    static const char *const calls[] = {
        "w:copy_to { name = 'u', buffer = host.buffer(8), count = 4 }",
        "w:copy_to { name = 'x', buffer = host.buffer(96), count = 4 }",
        "w:copy_to { name = 'u', buffer = host.buffer(96), first = 1, count = 4 }",
        "w:copy_from { name = 'u', buffer = host.buffer(8), count = 4 }",
        "w:copy_to { name = 'u', buffer = host.buffer(16), count = 4, tiles = { 3, 0 } "
        "}",
        "w:copy_to { name = 'u', buffer = host.buffer(16), count = 4, "
        "tiles = { 1, 0, 0, 0 } }",
        "w:copy_to { name = 'u', buffer = 7, count = 4 }",
        "w:copy_to { name = 'u', buffer = host.buffer(96) }",
        "w:copy_to { buffer = host.buffer(96), count = 4 }",
        "w:copy_to { name = 'u', buffer = host.buffer(96), count = 4, from = 1 }",
        "w:copy_to()",
    };
    static const char *const says[] = {
        "bytes",
        "x",
        "u",
        "bytes",
        "tiles: pe[3,0] is outside of 3 x 2 PEs",
        "tiles: they are none",
        "buffer: expected one of host.buffer",
        "count: expected an integer of 0 to 65535",
        "name: expected a string",
        "unknown field 'from'; known: name, buffer, first, count, tiles",
        "table expected",
    };
    const Machine timing_only = {.chip = "wse2", .is_timing_only = true};

    for (guint i = 0; i < G_N_ELEMENTS(calls); i++) {
        g_autofree char *body = g_strconcat(
            SCALED "local w = host.wafer { columns = 3, rows = 2, layout = layout }\n",
            calls[i], NULL);
        g_auto(Result) result = machine_run(body, i % 2 == 0 ? &wse2 : &timing_only);

        if (!json_object_has_member(result.root, "error")) {
            fail_msg("%s: it runs", calls[i]);
        }
        const char *error = result_text(&result, "error");

        if (!g_str_has_prefix(error, "t.lua:10: ") || strstr(error, says[i]) == NULL) {
            fail_msg("%s: %s, expected %s", calls[i], error, says[i]);
        }
    }
}

static void a_launch_takes_its_cost_and_its_cycles(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        SCALED "local w = host.wafer { columns = 3, rows = 2, layout = layout }\n"
               "host.metric('first', w:launch())\n"
               "host.metric('now', host.now())",
        &wse2);
    JsonObject *metrics = result_object(&result, "metrics");
    double cycles = json_object_get_double_member(metrics, "first");

    assert_seconds(&result, "launch_seconds", LAUNCH);
    assert_seconds(&result, "device_seconds", cycles / CLOCK);
    assert_true(fabs(json_object_get_double_member(metrics, "now") - LAUNCH -
                     cycles / CLOCK) < 1 / CLOCK);
    assert_string_equal(json_object_get_string_member(metrics, "grain"), "wavelet");
}

static void a_launch_tells_what_it_did(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        SCALED
        "local w = host.wafer { columns = 3, rows = 2, layout = layout }\n"
        "w:launch()\n"
        "local p, s, a = w:profile(), w:work('scale'), w:work()\n"
        "print(p.flops, p.ramp_words, p.link_wavelets, w:stretch())\n"
        "print(s.pes, s.fmuls, s.flops, s.memory_words, a.fmuls, w:work('no').pes)\n"
        "print(math.abs(p.busy + p.memory_idle + p.other_idle - 1) < 1e-12)\n"
        "local i = w:iterations()\n"
        "print(#i, i[1].last <= p.cycles, i[1].mean <= i[1].last)",
        &wse2);
    JsonObject *counters = result_object(&result, "counters");
    JsonObject *busy = result_object(&result, "busy");

    /* 6 PEs multiply 4 numbers; 2 words of memory each. */
    assert_string_equal(result_text(&result, "printed"), "24\t0\t0\tnil\n"
                                                         "6\t24\t24\t48\t24\t0\n"
                                                         "true\n"
                                                         "1\ttrue\ttrue\n");
    assert_int_equal(json_object_get_int_member(counters, "flops"), 24);
    assert_int_equal(json_object_get_int_member(counters, "sram_bytes"), 192);
    assert_int_equal(json_object_get_int_member(counters, "noc_bytes"), 0);
    assert_int_equal(json_object_get_int_member(counters, "f32_flops"), 24);
    assert_true(fabs(json_object_get_double_member(busy, "busy") +
                     json_object_get_double_member(busy, "memory_idle") +
                     json_object_get_double_member(busy, "other_idle") - 1) < 1e-12);
}

static void a_run_is_seen_against_the_roofs(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        SCALED "local w = host.wafer { columns = 3, rows = 2, layout = layout }\n"
               "w:launch()\n"
               "host.metric('cycles', w:launch())\n"
               "host.roof { name = 'a', unit = 'b', value = 2, source = 'c' }\n"
               "host.roof { name = 'd', unit = 'b', value = 2, source = 'c', "
               "achieved = 1 }",
        &wse2);
    JsonObject *roofs = result_object(&result, "roofs");
    double cycles =
        json_object_get_double_member(result_object(&result, "metrics"), "cycles");
    g_autoptr(GList) names = json_object_get_members(roofs);

    /* 24 multiplications a launch, 8 bytes each; no arithmetic on halves. */
    assert_int_equal(g_list_length(names), 8);
    assert_true(json_object_get_double_member(roofs, "f16 arithmetic") == 0);
    assert_true(json_object_get_double_member(roofs, "mixed arithmetic") == 0);
    assert_true(fabs(json_object_get_double_member(roofs, "f32 arithmetic") -
                     24 * CLOCK / cycles) < 1);
    assert_true(
        fabs(json_object_get_double_member(roofs, "SRAM") - 192 * CLOCK / cycles) < 1);
    assert_true(json_object_get_double_member(roofs, "ramps into PEs") == 0);
    assert_true(json_object_get_double_member(roofs, "fabric links") == 0);
    assert_true(json_object_get_double_member(roofs, "a") == -1);
    assert_true(json_object_get_double_member(roofs, "d") == 1);
}

static void arithmetic_counts_by_its_numbers(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result =
        machine_run_well("host.wafer { columns = 2, rows = 1, layout = function(l)\n"
                         "l:set_tile_code({ 0, 0, 1, 0 }, 'p', function(pe)\n"
                         "local h = pe:array { name = 'h', type = 'f16', count = 4 }\n"
                         "local s = pe:array { name = 's', type = 'f32', count = 4 }\n"
                         "local a = pe:mem1d_dsd { base = h, extent = 4 }\n"
                         "local b = pe:mem1d_dsd { base = s, extent = 4 }\n"
                         "pe:bind_local_task(8, 'go', function()\n"
                         "pe:faddh(a, a, a) pe:fmachs(b, b, a, a) pe:faddhs(b, b, a)\n"
                         "pe:fs2h(a, b) pe:fmacs(b, b, b, b) end)\n"
                         "pe:activate(8) end) end }:launch()",
                         &wse2);
    JsonObject *counters = result_object(&result, "counters");

    assert_int_equal(json_object_get_int_member(counters, "flops"), 48);
    assert_int_equal(json_object_get_int_member(counters, "f16_flops"), 8);
    assert_int_equal(json_object_get_int_member(counters, "mixed_flops"), 24);
    assert_int_equal(json_object_get_int_member(counters, "f32_flops"), 16);
}

static void nothing_is_told_before_a_launch(void **state G_GNUC_UNUSED)
{
    static const char *const methods[] = {"profile", "iterations", "work"};

    for (guint i = 0; i < G_N_ELEMENTS(methods); i++) {
        g_autofree char *body = g_strdup_printf(
            SCALED "host.wafer { columns = 1, rows = 1, layout = layout }:%s()",
            methods[i]);
        g_auto(Result) result = machine_run(body, &wse2);

        assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME,
                      "t.lua:9: the wafer has not been launched");
    }
}

static void the_last_layout_counts(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run(
        SCALED "local a = host.wafer { columns = 1, rows = 1, layout = layout }\n"
               "local b = host.wafer { columns = 2, rows = 1, layout = layout }\n"
               "b:launch()\n"
               "print(b:work().pes)\n"
               "a:launch()",
        &wse2);

    assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME,
                  "t.lua:13: another host.wafer has taken the place of this one");
    assert_string_equal(result_text(&result, "printed"), "2\n");
}

static void a_layout_is_launched_again_on_the_same_memory(void **state G_GNUC_UNUSED)
{
    assert_prints(SCALED
                  "local w = host.wafer { columns = 2, rows = 1, layout = layout }\n"
                  "local first, second = w:launch(), w:launch()\n"
                  "local u = host.buffer(2 * 4 * 4)\n"
                  "w:copy_from { name = 'u', buffer = u, count = 4 }\n"
                  "print(first > 0, first == second, #w:iterations())\n"
                  "print(u:get('fp32', 3), u:get('fp32', 7))",
                  "true\ttrue\t1\n27.0\t27.0\n");
}

static void a_layout_that_fails_can_be_caught(void **state G_GNUC_UNUSED)
{
    assert_prints(SCALED
                  "local w = host.wafer { columns = 1, rows = 1, layout = layout }\n"
                  "local is_done, why = pcall(host.wafer, { columns = 1, rows = 1, "
                  "layout = function() error('no') end })\n"
                  "print(is_done, why:match('^[^\\n]*'))\n"
                  "print(w:launch() > 0)",
                  "false\tt.lua:10: no\ntrue\n");
}

static void runs_of_a_wafer_stop_when_told_to(void **state G_GNUC_UNUSED)
{
    const char *endless =
        "local w = host.wafer { columns = 1, rows = 1, layout = function(l) "
        "l:set_tile_code({ 0, 0 }, 'p', function(pe)\n"
        "pe:bind_local_task(8, 'go', function() pe:activate(8) end)\n"
        "pe:activate(8) end) end }\n"
        "w:launch()";
    Machine limited = {.chip = "wse2", .limit_cycles = 1000000};
    Machine stopped = {.chip = "wse2", .stop_after = 5};
    g_auto(Result) over = machine_run(endless, &limited);
    g_auto(Result) ended = machine_run(endless, &stopped);

    assert_string_equal(result_text(&over, "domain"), g_quark_to_string(SIM_ERROR));
    assert_int_equal(json_object_get_int_member(over.root, "code"),
                     SIM_ERROR_TIME_LIMIT);
    assert_string_equal(result_text(&ended, "domain"), g_quark_to_string(SIM_ERROR));
    assert_int_equal(json_object_get_int_member(ended.root, "code"), SIM_ERROR_STOPPED);
}

static void a_deadlock_is_reported(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run(
        "local w = host.wafer { columns = 2, rows = 1, layout = function(l)\n"
        "l:set_color_config({ 0, 0 }, 4, { routes = { rx = 'RAMP', tx = 'EAST' } })\n"
        "l:set_color_config({ 1, 0 }, 4, { routes = { rx = 'WEST', tx = 'RAMP' } })\n"
        "l:set_tile_code({ 0, 0 }, 'silent', function() end)\n"
        "l:set_tile_code({ 1, 0 }, 'listens', function(pe)\n"
        "local u = pe:array { name = 'u', type = 'f32', count = 4 }\n"
        "pe:initialize_queue { input_queue = 4, color = 4 }\n"
        "local d, i = pe:mem1d_dsd { base = u, extent = 4 }, "
        "pe:fabin_dsd { color = 4, input_queue = 4, extent = 4 }\n"
        "pe:bind_local_task(8, 'go', function() pe:fmovs(d, i, { async = true }) end)\n"
        "pe:activate(8) end) end }\n"
        "w:launch()",
        &wse2);
    const char *error = result_text(&result, "error");

    assert_string_equal(result_text(&result, "domain"), g_quark_to_string(SIM_ERROR));
    assert_int_equal(json_object_get_int_member(result.root, "code"),
                     SIM_ERROR_DEADLOCK);
    assert_true(g_str_has_prefix(error, "t.lua:12: "));
    assert_non_null(strstr(error, "pe[1,0]"));
}

static void wavelets_that_nobody_takes_end_the_run(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run(
        "local w = host.wafer { columns = 2, rows = 1, layout = function(l)\n"
        "l:set_color_config({ 0, 0 }, 4, { routes = { rx = 'RAMP', tx = 'EAST' } })\n"
        "l:set_tile_code({ 1, 0 }, 'silent', function() end)\n"
        "l:set_tile_code({ 0, 0 }, 'sends', function(pe)\n"
        "local o = pe:fabout_dsd { color = 4, output_queue = 2, extent = 4 }\n"
        "pe:bind_local_task(8, 'go', function() pe:fmovs(o, 1) end)\n"
        "pe:activate(8) end) end }\n"
        "w:launch()",
        &wse2);
    const char *error = result_text(&result, "error");

    assert_string_equal(result_text(&result, "domain"), g_quark_to_string(ARCH_ERROR));
    assert_int_equal(json_object_get_int_member(result.root, "code"),
                     ARCH_ERROR_INVALID);
    assert_true(g_str_has_prefix(error, "t.lua:9: "));
    assert_non_null(strstr(error, "pe[0,0]: a wavelet of color 4 leaves to EAST"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_congruent_to_their_target),
        cmocka_unit_test(every_vector_operation_is_a_method),
        cmocka_unit_test(a_program_computes_routes_and_lengths),
        cmocka_unit_test(a_program_prints_and_claims),
        cmocka_unit_test(a_layout_knows_its_size),
        cmocka_unit_test(payloads_are_as_in_the_sdk),
        cmocka_unit_test(tiles_may_be_none),
        cmocka_unit_test(data_goes_there_and_back),
        cmocka_unit_test(a_buffer_may_change_after_its_copy),
        cmocka_unit_test(copies_are_checked),
        cmocka_unit_test(a_launch_takes_its_cost_and_its_cycles),
        cmocka_unit_test(a_launch_tells_what_it_did),
        cmocka_unit_test(a_run_is_seen_against_the_roofs),
        cmocka_unit_test(arithmetic_counts_by_its_numbers),
        cmocka_unit_test(nothing_is_told_before_a_launch),
        cmocka_unit_test(the_last_layout_counts),
        cmocka_unit_test(a_layout_is_launched_again_on_the_same_memory),
        cmocka_unit_test(a_layout_that_fails_can_be_caught),
        cmocka_unit_test(runs_of_a_wafer_stop_when_told_to),
        cmocka_unit_test(a_deadlock_is_reported),
        cmocka_unit_test(wavelets_that_nobody_takes_end_the_run),
    };

    return cmocka_run_group_tests_name("workloads.wafer", tests, NULL, NULL);
}
