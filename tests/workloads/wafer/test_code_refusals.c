/* What is wrong with the scalar code of a task is said in the script's line. */
#include "arch/error.h"
#include "tests/workloads/machine.h"
#include "tests/workloads/wafer/refusal.h"

/* Line 2 has what programs use; the call is in line 3, inside a task or before it. */
#define PROGRAM                                                                        \
    "host.wafer { columns = 1, rows = 1, layout = function(l) l:set_tile_code({ 0, 0 " \
    "}, 'p', function(pe) local u = pe:array { name = 'u', type = 'f32', count = 4 } " \
    "local d = pe:mem1d_dsd { base = u, extent = 4 } local v = pe:variable { name = "  \
    "'v' } local n = pe:variable { name = 'n', type = "                                \
    "'u16' } local w = pe:variable { name = 'w', type = 'u64' } local two = pe:fn("    \
    "'two', function() end, { arguments = { 'f32', 'u16' } }) "
#define TASK PROGRAM "pe:bind_local_task(8, 'go', function()\n%s\nend) end) end }"
#define PE   PROGRAM "\n%s\nend) end }"

static void loads_and_stores_reject(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"pe:load(u, 4)",
         "t.lua:3: argument 2: expected an integer of 0 to 3 or a variable"},
        {"pe:load(u, -1)",
         "t.lua:3: argument 2: expected an integer of 0 to 3 or a variable"},
        {"pe:load(u)", "t.lua:3: argument 2: expected a variable, got nil"},
        {"pe:load(v, 0)", "t.lua:3: argument 1: expected an array, got a variable"},
        {"pe:load(u, w)", "t.lua:3: argument 2: expected a variable of type u16, got "
                          "one of type u64"},
        {"pe:load(u, 0, n)", "t.lua:3: argument 3: expected a variable of type f32, "
                             "got one of type u16"},
        {"pe:store(u, 0, n)", "t.lua:3: argument 3: expected a variable of type f32, "
                              "got one of type u16"},
        {"pe:store(u, 0, 'x')", "t.lua:3: argument 3: expected a variable, got string"},
        {"pe:load_at('f64', 0)",
         "t.lua:3: bad argument #1 to 'load_at' (invalid option 'f64')"},
        {"pe:load_at('f32', 65536)",
         "t.lua:3: argument 2: expected an integer of 0 to 65535 or a variable"},
        {"pe:store_at('i8', 0, 128)",
         "t.lua:3: argument 3: expected an integer of -128 to 127 or a variable"},
        {"pe:address(n)", "t.lua:3: argument 1: expected an array, got a variable"},
        {"pe:bitcast('u16', w)", "t.lua:3: bitcast: u64 and u16 have different sizes"},
        {"pe:get_timestamp(n)", "t.lua:3: argument 1: expected a variable of type u64, "
                                "got one of type u16"},
        {"pe:operate('add', 'u64', v, w, 1)",
         "t.lua:3: argument 3: expected a variable of type u64, got one without a "
         "type"},
        {"pe:operate('add', 'u16', n, n, 65536)",
         "t.lua:3: argument 5: expected an integer of 0 to 65535 or a variable"},
        {"pe:operate('pow', 'u16', n, n, 2)",
         "t.lua:3: program p: task 8 (go): pow of u16, there are mov, add, sub, mul, "
         "div, rem, and, or, xor, shl, shr, not, neg, abs, max, min, eq, ne, lt, le, "
         "gt, ge"},
    };

    assert_refused(TASK, refusals, G_N_ELEMENTS(refusals));
}

static void branches_and_calls_reject(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"pe:when(n, '<', 1.5, function() end)",
         "t.lua:3: argument 3: expected an integer of 0 to 65535 or a variable"},
        {"pe:when(w, function() end)", "t.lua:3: argument 1: expected a variable of "
                                       "type u16, got one of type u64"},
        {"pe:while_(function() end, function() end)",
         "t.lua:3: result of the condition: expected a variable, got nil"},
        {"pe:for_range('u16', function() end)",
         "t.lua:3: for_range: expected a type of integers, a stop or start, stop and "
         "step, and a function"},
        {"pe:for_range('f32', 4, function() end)",
         "t.lua:3: for_range: expected a type of integers, a stop or start, stop and "
         "step, and a function"},
        {"pe:for_range('u16', -1, function() end)",
         "t.lua:3: argument 2: expected an integer of 0 to 65535 or a variable"},
        {"pe:break_()", "t.lua:3: there is no loop here to leave"},
        {"pe:for_range('u16', 2, function() end) pe:continue_()",
         "t.lua:3: there is no loop here to leave"},
        {"local function nest(i) pe:for_range('u16', 2, function() nest(i + 1) end) "
         "end nest(0)",
         "t.lua:3: loops in loops, up to 32 deep"},
        {"pe:call(two, { 1 })", "t.lua:3: call: expected a list of 2 arguments"},
        {"pe:call(two)", "t.lua:3: call: expected a list of 2 arguments"},
        {"pe:call(two, { 1, 'x' })",
         "t.lua:3: number 2 of the list: expected a variable, got string"},
        {"pe:call(two, { 1, -1 })", "t.lua:3: number 2 of the list: expected an "
                                    "integer of 0 to 65535 or a variable"},
        {"pe:call(two, { 1, 2 }, v)",
         "t.lua:3: bad argument #3 to 'call' (the function has no result)"},
        {"pe:fn_pointer(two)", "t.lua:3: bad argument #1 to 'fn_pointer' (pointers are "
                               "to functions without arguments and result)"},
        {"pe:call_pointer(two)",
         "t.lua:3: argument 1: expected a variable, got a function"},
        {"pe:assert_(u)", "t.lua:3: argument 1: expected a variable, got an array"},
        {"pe:random_seed(-1)",
         "t.lua:3: argument 1: expected an integer of 0 to 4294967295 or a variable"},
        {"pe:print('w', w)", "t.lua:3: bad argument #2 to 'print' (numbers of 64 bits "
                             "are not printed)"},
        {"pe:call(u)", "t.lua:3: argument 1: expected a function, got an array"},
        {"pe:return_(1)", "t.lua:3: bad argument #1 to 'return_' (only a function with "
                          "a result returns a value)"},
        {"pe:fn('inside', function() end)",
         "t.lua:3: program p: task 8 (go): function inside inside, it must end first"},
    };

    assert_refused(TASK, refusals, G_N_ELEMENTS(refusals));
}

static void declarations_reject(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"pe:fn('f')",
         "t.lua:3: bad argument #2 to 'fn' (function expected, got no value)"},
        {"pe:fn('f', function() end, { arguments = 'f32' })",
         "t.lua:3: arguments: expected a list of at most 16 types"},
        {"pe:fn('f', function() end, { arguments = { 'f32', 'f64' } })",
         "t.lua:3: arguments: number 2 is no type; there are f16, f32, i8, u8, i16, "
         "u16, i32, u32, i64 and u64"},
        {"pe:fn('f', function() end, { result = 'x' })",
         "t.lua:3: result: expected one of f16, f32, i16, u16, i32, u32, i8, u8, i64, "
         "u64"},
        {"pe:fn('f', function() pe:call(two, { 1, n }) pe:load(u, 0) end) pe:load(u, "
         "0)",
         "t.lua:3: program p: code outside of a task, allowed is between its begin and "
         "end"},
        {"pe:variable { name = 'x', type = 'u8', value = 256 }",
         "t.lua:3: value: expected an integer of 0 to 255"},
        {"pe:bind_data_task(1, 't', function() end, { arguments = { 'u16', 'u16', "
         "'u16' } })",
         "t.lua:3: arguments: expected a list of at most 2 types"},
        {"pe:bind_control_task(9, 't', function() end, { argument = u })",
         "t.lua:3: unknown field 'argument'; known: arguments"},
        {"pe:bind_data_task(1, 't', function() end, { argument = u, arguments = { "
         "'f32' } })",
         "t.lua:3: argument, arguments: one of them"},
    };

    assert_refused(PE, refusals, G_N_ELEMENTS(refusals));
}

static void descriptors_and_dsrs_reject(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"pe:get_dsr('dest', 1)",
         "t.lua:3: bad argument #1 to 'get_dsr' (invalid option 'dest')"},
        {"pe:get_dsr('dsr_dest', 64)",
         "t.lua:3: bad argument #2 to 'get_dsr' (not 0 to 63)"},
        {"pe:get_dsr('dsr_dest', 1) pe:get_dsr('dsr_dest', 1)",
         "t.lua:3: bad argument #2 to 'get_dsr' (the program has this DSR already)"},
        {"pe:get_dsr('dsr_dest', 1, { saved = true })",
         "t.lua:3: unknown field 'saved'; known: async, save_address, activate, "
         "unblock, on_control, ut_id"},
        {"pe:get_dsr('dsr_dest', 1, { ut_id = 8 })",
         "t.lua:3: ut_id: expected an integer of 0 to 7"},
        {"pe:get_dsr('dsr_dest', 1, { on_control = { stop = true } })",
         "t.lua:3: unknown field 'stop'; known: terminate, activate, unblock"},
        {"pe:get_dsr('dsr_dest', 1, { on_control = {} })",
         "t.lua:3: on_control: expected one of terminate, activate and unblock"},
        {"pe:load_to_dsr(d, d)",
         "t.lua:3: argument 1: expected a DSR, got a descriptor"},
        {"pe:load_to_dsr(pe:get_dsr('dsr_dest', 1), u)",
         "t.lua:3: argument 2: expected a descriptor, got an array"},
        {"pe:load_to_dsr(pe:get_dsr('dsr_dest', 1), d, { activate = 9 })",
         "t.lua:3: activate: pe:get_dsr was not given a task to activate"},
        {"pe:set_dsd_length(d, 1)", "t.lua:3: bad argument #1 to 'set_dsd_length' "
                                    "(pe:dsd_value makes descriptors that change)"},
        {"pe:set_dsd_base_addr(pe:dsd_value(d), -1)",
         "t.lua:3: argument 2: expected an integer of 0 to 65535 or a variable"},
        {"pe:set_dsd_stride(pe:dsd_value(d), 40000)",
         "t.lua:3: argument 2: expected an integer of -32768 to 32767 or a variable"},
        {"pe:map(two, d)", "t.lua:3: map: expected 2 operands"},
        {"pe:map(two, 1, 2)", "t.lua:3: map: expected a descriptor among its operands"},
        {"pe:map(two, d, d)",
         "t.lua:3: argument 3: expected a stream or a descriptor of "
         "numbers of u16 in memory"},
        {"pe:map(two, d, u)", "t.lua:3: argument 3: expected a variable, got an array"},
        {"pe:map(d)", "t.lua:3: argument 1: expected a function, got a descriptor"},
        {"pe:fifo { base = u, activate_push = -1 }",
         "t.lua:3: activate_push: expected an integer of 0 to 255"},
        {"pe:fifo { base = u, push = 9 }",
         "t.lua:3: unknown field 'push'; known: base, activate_push, activate_pop"},
        {"pe:fmovs(d, d, { tried = 1 })",
         "t.lua:3: tried: expected a variable, got number"},
        {"pe:fmovs(d, pe:fifo { base = pe:array { name = 'f', type = 'f32', count = 2 "
         "} }, { async = true, tried = v })",
         "t.lua:3: tried: an asynchronous operation waits for a FIFO"},
        {"pe:fabout_dsd { color = u, output_queue = 0, extent = 1 }",
         "t.lua:3: color: expected a variable, got an array"},
        {"pe:fabout_dsd { color = 1, output_queue = 0, extent = 1, zero = 'third' }",
         "t.lua:3: zero: expected one of none, first_source, second_source"},
        {"pe:fabin_dsd { color = 1, input_queue = 0, extent = 1, zero = 'none' }",
         "t.lua:3: unknown field 'zero'; known: color, input_queue, extent, simd, "
         "wavelet_index_offset"},
        {"pe:fmovs(d, d, { index = 65536 })",
         "t.lua:3: index: expected an integer of 0 to 65535 or a variable"},
        {"pe:fmovs(d, d, { index = 'x' })",
         "t.lua:3: index: expected a variable, got string"},
        {"pe:load_to_dsr(pe:get_dsr('dsr_dest', 1, { activate = 9 }), d, { activate = "
         "u })",
         "t.lua:3: activate: expected a variable, got an array"},
        {"pe:dfilt(d, 1)",
         "t.lua:3: bad argument #1 to 'dfilt' (expected a fabin_dsd)"},
        {"pe:dfilt(pe:fabin_dsd { color = 1, input_queue = 0, extent = 1 }, 0)",
         "t.lua:3: bad argument #2 to 'dfilt' (not 1 to 65535)"},
        {"pe:dfilt(pe:fabin_dsd { color = 1, input_queue = 0, extent = 1 }, 1, { "
         "on_control = { terminate = true } })",
         "t.lua:3: bad argument #3 to 'dfilt' (on_control: control wavelets end it)"},
        {"pe:set_switches(24, { ring_mode = true })",
         "t.lua:3: bad argument #1 to 'set_switches' (not 0 to 23)"},
        {"pe:set_switches(1, {})",
         "t.lua:3: bad argument #2 to 'set_switches' (nothing to change)"},
        {"pe:set_switches(1, { pos4 = 'invalid' })",
         "t.lua:3: unknown field 'pos4'; known: pos1, pos2, pos3, current_switch_pos, "
         "ring_mode, pop_mode"},
        {"pe:set_switches(1, { pos1 = { tx = { 'EAST', 'RAMP' } } })",
         "t.lua:3: pos1: a position that a program changes has one direction, rx or "
         "tx"},
        {"pe:set_switches(1, { pos1 = 'WEST' })",
         "t.lua:3: pos1: expected { rx = }, { tx = } or \"invalid\""},
        {"pe:set_switches(1, { current_switch_pos = 4 })",
         "t.lua:3: current_switch_pos: expected an integer of 0 to 3"},
        {"pe:reset_routes(1, { rx = 'WEST' })",
         "t.lua:3: bad argument #2 to 'reset_routes' (expected both rx and tx)"},
        {"pe:reset_routes(1, { rx = 'UP', tx = 'RAMP' })",
         "t.lua:3: rx: expected NORTH, EAST, SOUTH, WEST or RAMP"},
        {"pe:set_task_priority(64, 'high')",
         "t.lua:3: bad argument #1 to 'set_task_priority' (not 0 to 63)"},
        {"pe:set_task_priority(8, 'medium')",
         "t.lua:3: bad argument #2 to 'set_task_priority' (invalid option 'medium')"},
        {"pe:pointer(u)", "t.lua:3: argument 1: expected a variable, got an array"},
        {"pe:fmuls(d, d, n)", "t.lua:3: argument 3: expected a variable of type f32, "
                              "got one of type u16"},
        {"pe:fmuls(v, d, d)",
         "t.lua:3: operand 1 of fmuls: expected a descriptor, got a variable"},
        {"pe:fmovs(d, d, { activate = u })",
         "t.lua:3: activate: expected a variable, got an array"},
    };

    assert_refused(TASK, refusals, G_N_ELEMENTS(refusals));
}

static void branches_on_numbers_of_memory_need_them(void **state G_GNUC_UNUSED)
{
    Machine timing_only = {.chip = "wse2", .is_timing_only = true};
    g_auto(Result) result =
        machine_run(PROGRAM "pe:bind_local_task(8, 'go', function() "
                            "pe:when(pe:load(u, 0), '<', 1, function() end) end) end) "
                            "end }",
                    &timing_only);

    assert_failed(&result, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                  "t.lua:2: program p: what it does depends on its numbers, so it "
                  "cannot run without them (--timing-only)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_reject),
        cmocka_unit_test(branches_and_calls_reject),
        cmocka_unit_test(declarations_reject),
        cmocka_unit_test(descriptors_and_dsrs_reject),
        cmocka_unit_test(branches_on_numbers_of_memory_need_them),
    };

    return cmocka_run_group_tests_name("workloads.wafer_code_refusals", tests, NULL,
                                       NULL);
}
