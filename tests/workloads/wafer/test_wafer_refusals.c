/* What is wrong with a wafer's layout or program is said in the script's line. */
#include "arch/error.h"
#include "tests/workloads/machine.h"
#include "tests/workloads/wafer/refusal.h"
#include "workloads/error.h"

static const Machine wse2 = {.chip = "wse2"};

static void host_wafer_rejects(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"host.wafer()",
         "t.lua:2: bad argument #1 to 'wafer' (table expected, got no value)"},
        {"host.wafer{}", "t.lua:2: columns: expected an integer of 1 to 65535"},
        {"host.wafer { columns = 1, rows = 1, layers = 3 }",
         "t.lua:2: unknown field 'layers'; known: columns, rows, iterations, period, "
         "slice, slice_iterations, layout"},
        {"host.wafer { columns = 0, rows = 1 }",
         "t.lua:2: columns: expected an integer of 1 to 65535"},
        {"host.wafer { columns = 1, rows = 1 }",
         "t.lua:2: layout: expected function(layout)"},
        {"host.wafer { columns = 756, rows = 1, layout = function() end }",
         "t.lua:2: fabric of 756 x 1 PEs, wse2 has 1 x 1 to 755 x 994"},
        {"host.wafer { columns = 1, rows = 1, period = 5 }",
         "t.lua:2: period: expected { columns, rows }"},
        {"host.wafer { columns = 1, rows = 1, period = { 5, 0 } }",
         "t.lua:2: period: expected two integers of 1 to 65535"},
        {"host.wafer { columns = 1, rows = 1, slice = { 5 } }",
         "t.lua:2: slice: expected { columns, rows }"},
        {"host.wafer { columns = 1, rows = 1, iterations = 0 }",
         "t.lua:2: iterations: expected an integer of 1 to 2147483647"},
        {"host.wafer { columns = 1, rows = 1, slice_iterations = 'x' }",
         "t.lua:2: slice_iterations: expected an integer of 1 to 65535"},
        {"host.wafer { columns = 1, rows = 1, layout = function() host.sleep(1) end }",
         "t.lua:2: host.sleep: not inside a layout"},
        {"host.wafer { columns = 1, rows = 1, layout = function() local x = nil + 1 "
         "end }",
         "t.lua:2: attempt to perform arithmetic on a nil value"},
        {"local kept host.wafer { columns = 1, rows = 1, layout = function(l) kept = l "
         "l:set_tile_code({ 0, 0 }, 'p', function() end) end } "
         "kept:set_color_config({0,0},1,{})",
         "t.lua:2: the layout is complete: its function has ended"},
    };

    assert_refused("%s", refusals, G_N_ELEMENTS(refusals));
}

static void layout_rejects(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"", "t.lua:2: pe[0,0]: no program"},
        {"layout:set_tile_code()",
         "t.lua:3: tiles: expected { x, y } or { x0, y0, x1, y1, dx =, dy = }"},
        {"layout:set_tile_code({ 0 }, 'p', print)",
         "t.lua:3: tiles: expected { x, y } or { x0, y0, x1, y1, dx =, dy = }"},
        {"layout:set_tile_code({ 0, 'x' }, 'p', print)",
         "t.lua:3: tiles: number 2 is no column or row"},
        {"layout:set_tile_code({ { 0, 0 }, { 1 } }, 'p', print)",
         "t.lua:3: tiles[2]: expected { x, y } or { x0, y0, x1, y1, dx =, dy = }"},
        {"layout:set_tile_code({ 1, 0, 0, -1 }, 'p', function() end)",
         "t.lua:2: pe[0,0]: no program"},
        {"layout:set_tile_code({ -1, 0 }, 'p', print)",
         "t.lua:3: tiles: number 1 is no column or row"},
        {"layout:set_tile_code({ 0, 0, 3, 2, dx = 0 }, 'p', print)",
         "t.lua:3: dx: expected an integer of 1 to 65535"},
        {"layout:set_tile_code({ 0, 0, 3, 2, dz = 2 }, 'p', print)",
         "t.lua:3: tiles: it has other fields than x0, y0, x1, y1, dx and dy"},
        {"layout:set_tile_code({ 0, 0, 4, 2 }, 'p', function() end)",
         "t.lua:3: pe[4,2] is outside the 4 x 3 fabric, pe[0,0] to pe[3,2]"},
        {"layout:set_tile_code({ 0, 0 }, 'p')",
         "t.lua:3: bad argument #3 to 'set_tile_code' (function expected, got no "
         "value)"},
        {"layout:set_color_config({ 0, 0 }, 24, { routes = { rx = 'RAMP', tx = 'EAST' "
         "} })",
         "t.lua:3: pe[0,0] color 24: no such color, 0..23"},
        {"layout:set_color_config({ 0, 0 }, -1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "} })",
         "t.lua:3: bad argument #2 to 'set_color_config' (not 0 to 255)"},
        {"layout:set_color_config({ 0, 0 }, 1)",
         "t.lua:3: bad argument #3 to 'set_color_config' (table expected, got no "
         "value)"},
        {"layout:set_color_config({ 0, 0 }, 1, {})",
         "t.lua:3: routes: expected { rx =, tx = }"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'UP', tx = 'EAST' } "
         "})",
         "t.lua:3: rx: expected NORTH, EAST, SOUTH, WEST or RAMP"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP' } })",
         "t.lua:3: routes: expected both rx and tx"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = {}, tx = 'EAST' } })",
         "t.lua:3: rx: expected a direction or a list of them"},
        {"layout:set_color_config({ 0, 0 }, 1, { route = 1 })",
         "t.lua:3: unknown field 'route'; known: routes, switches, filter, teardown, "
         "names, host"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, switches = { pos2 = { rx = 'WEST' } } })",
         "t.lua:3: switches: pos2 without pos1"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, switches = { pos1 = { rx = 'WEST', tx = 'RAMP' } } })",
         "t.lua:3: pe[0,0] color 1: position 1 has both rx and tx, on wse2 it may have "
         "one"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, switches = { pos1 = {} } })",
         "t.lua:3: pe[0,0] color 1: position 1 has neither rx nor tx"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, switches = { current_switch_pos = 1 } })",
         "t.lua:3: pe[0,0] color 1: current position 1, 0..0"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, switches = { pop_mode = 'pop' } })",
         "t.lua:3: pop_mode: expected one of no_pop, always_pop, pop_on_advance, "
         "pop_on_advance_nop"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, switches = { ring_mode = 1 } })",
         "t.lua:3: ring_mode: expected true or false"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, filter = {} })",
         "t.lua:3: kind: expected one of counter, sparse_counter, range, two_rounds"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, filter = { kind = 'range' } })",
         "t.lua:3: min_idx: expected an integer of 0 to 65535"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, teardown = 'yes' })",
         "t.lua:3: teardown: expected true or false"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, names = 'Root' })",
         "t.lua:3: names: expected a text for each of 1 positions"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, names = { 'Root', 'Last' } })",
         "t.lua:3: names: expected a text for each of 1 positions"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, names = { 'Root', first = 1 } })",
         "t.lua:3: names: expected a text for each of 1 positions"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, names = { 1 } })",
         "t.lua:3: names: expected texts of 1 to 64 bytes"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, names = { ('x'):rep(65) } })",
         "t.lua:3: names: expected texts of 1 to 64 bytes"},
        {"layout:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = 'EAST' "
         "}, names = { '\\255' } })",
         "t.lua:3: names: expected texts of 1 to 64 bytes"},
        {"layout:encode_payload { commands = { 'ADV' } }",
         "t.lua:3: commands: expected NOP, SWITCH_ADV, SWITCH_RST or TEARDOWN"},
        {"layout:encode_payload { commands = { 'NOP', 'NOP', 'NOP', 'NOP', 'NOP', "
         "'NOP', 'NOP', 'NOP', 'NOP' } }",
         "t.lua:3: commands: expected a list of at most 8"},
        {"layout:encode_payload { commands = { 'NOP' }, task = 64 }",
         "t.lua:3: task: expected an integer of 0 to 63"},
        {"layout:encode_payload { commands = { 'NOP' }, ce_filter = { 1 } }",
         "t.lua:3: ce_filter: expected a flag for each command"},
        {"layout:encode_payload { commands = { 'NOP' }, ce_filter = 1 }",
         "t.lua:3: ce_filter: expected true, false or a list of them"},
        {"layout:encode_payload { 'NOP' }",
         "t.lua:3: unknown field [1]; known: commands, ce_filter, task"},
        {"layout.set_tile_code(1)", "t.lua:3: bad argument #1 to 'set_tile_code' "
                                    "(gridloom.wafer_layout expected, got number)"},
    };

    assert_refused("host.wafer { columns = 4, rows = 3, layout = function(layout)\n"
                   "%s\n"
                   "end }",
                   refusals, G_N_ELEMENTS(refusals));
}

#define PROGRAM                                                                        \
    "host.wafer { columns = 1, rows = 1, layout = function(layout) "                   \
    "layout:set_tile_code({ 0, 0 }, 'p', function(pe) "                                \
    "local u = pe:array { name = 'u', type = 'f32', count = 8 } "                      \
    "local v = pe:variable { name = 'v' } "                                            \
    "local d = pe:mem1d_dsd { base = u, extent = 8 } "

static void pe_rejects(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"pe:array { name = 'w', type = 'f64', count = 1 }",
         "t.lua:3: type: expected one of f16, f32, i16, u16, i32, u32, i8, u8, i64, "
         "u64"},
        {"pe:array { name = 'w', type = 'f32' }",
         "t.lua:3: count: expected an integer of 0 to 65535"},
        {"pe:array { name = 'w', type = 'f32', count = 1, values = { 1, 2 } }",
         "t.lua:3: values: 2 numbers for an array of 1"},
        {"pe:array { name = 'w', type = 'f32', values = { 1, 'x' } }",
         "t.lua:3: values: number 2 is no finite number"},
        {"pe:array { name = 'w', type = 'f32', values = {} }",
         "t.lua:3: values: expected a list of at most 65535 numbers"},
        {"pe:array { name = 'u', type = 'f32', count = 8 }",
         "t.lua:3: program p: u is there already, names are given once"},
        {"pe:array { type = 'f32', count = 8 }", "t.lua:3: name: expected a string"},
        {"pe:array { name = 'w', type = 'f32', count = 8, align = 3 }",
         "t.lua:3: program p: array w: align = 3, allowed are powers of 2 up to 4096"},
        {"pe:view { name = 'w', type = 'u16', count = 16 }",
         "t.lua:3: base: expected an array, got nil"},
        {"pe:view { name = 'w', base = u, type = 'u16', count = 17 }",
         "t.lua:3: program p: view w: count = 17, of array u allowed are 1..16"},
        {"pe:view { name = 'w', base = u, type = 'f32', count = 1, offset = 1 }",
         "t.lua:3: unknown field 'offset'; known: name, base, first, type, count"},
        {"pe:scalar { name = 's', type = 'f32', value = 1/0 }",
         "t.lua:3: value: expected a finite number"},
        {"pe:scalar { name = 's' }", "t.lua:3: type: expected one of f16, f32, i16, "
                                     "u16, i32, u32, i8, u8, i64, u64"},
        {"pe:variable { name = 'w', value = 0.5 }",
         "t.lua:3: value: expected an integer of 32 bits"},
        {"pe:variable { name = 'v' }",
         "t.lua:3: program p: v is there already, names are given once"},
        {"pe:variable { name = 'w', value = 1 << 31 }",
         "t.lua:3: value: expected an integer of 32 bits"},
        {"pe:mem1d_dsd { base = v, extent = 8 }",
         "t.lua:3: base: expected an array, got a variable"},
        {"pe:mem1d_dsd { base = 7, extent = 8 }",
         "t.lua:3: base: expected an array, got number"},
        {"pe:mem1d_dsd { base = u }",
         "t.lua:3: extent: expected an integer of 0 to 65535"},
        {"pe:mem1d_dsd { base = u, extent = 4, increment = u }",
         "t.lua:3: increment: expected a variable, got an array"},
        {"pe:mem4d_dsd { base = u, extents = { 2, 2 }, strides = { 4 } }",
         "t.lua:3: strides: expected as many as extents"},
        {"pe:mem4d_dsd { base = u, extents = { 2, 2, 1, 1, 1 }, strides = { 4 } }",
         "t.lua:3: extents: expected a list of 1 to 4 integers"},
        {"pe:mem4d_dsd { base = u, extents = { 2, -1 }, strides = { 4, 1 } }",
         "t.lua:3: extents: number 2 is negative"},
        {"pe:mem4d_dsd { base = u, extents = { 2, 0.5 }, strides = { 4, 1 } }",
         "t.lua:3: extents: number 2 is no integer of 16 bits"},
        {"pe:fabin_dsd { color = 24, input_queue = 0, extent = 1 }",
         "t.lua:3: program p: color = 24, wse2 has 0..23"},
        {"pe:fabin_dsd { color = 1, input_queue = 8, extent = 1 }",
         "t.lua:3: program p: input queue = 8, wse2 has 0..7"},
        {"pe:fabin_dsd { color = 1, extent = 1 }",
         "t.lua:3: input_queue: expected an integer of 0 to 255"},
        {"pe:fabin_dsd { color = 1, input_queue = 1, extent = 1, simd = 'simd_16' }",
         "t.lua:3: simd: expected one of none, simd_32, simd_64, simd_32_or_64"},
        {"pe:fabout_dsd { color = 1, output_queue = 6, extent = 1 }",
         "t.lua:3: program p: output queue = 6, wse2 has 0..5"},
        {"pe:fabout_dsd { color = 1, output_queue = 0, extent = 1, control = 1 }",
         "t.lua:3: control: expected true or false"},
        {"pe:fabout_dsd { color = 1, output_queue = 0, extent = 1, index = 65536 }",
         "t.lua:3: index: expected an integer of 0 to 65535"},
        {"pe:fifo { base = v }", "t.lua:3: base: expected an array, got a variable"},
        {"pe:word(1 << 32)", "t.lua:3: bad argument #1 to 'word' (not 32 bits)"},
        {"pe:word('x')",
         "t.lua:3: bad argument #1 to 'word' (number expected, got string)"},
        {"pe:initialize_queue { input_queue = 1 }",
         "t.lua:3: color: expected an integer of 0 to 255"},
        {"pe:initialize_queue { color = 1 }",
         "t.lua:3: input_queue: expected an integer of 0 to 255"},
        {"pe:initialize_queue { input_queue = 8, color = 1 }",
         "t.lua:3: program p: input queue = 8, wse2 has 0..7"},
        {"pe:initialize_queue { input_queue = 1, color = 1 } pe:initialize_queue { "
         "input_queue = 1, color = 2 }",
         "t.lua:3: program p: input queue 1 for color 2, it has color 1 already"},
        {"pe:bind_local_task(31, 't', function() end)",
         "t.lua:3: program p: task = 31, wse2 has 0..30"},
        {"pe:bind_local_task(8, 't', function() end) pe:bind_local_task(8, 'w', "
         "function() end)",
         "t.lua:3: program p: task 8 for w, it is t already"},
        {"pe:bind_local_task(8, 't')", "t.lua:3: bad argument #3 to 'bind_local_task' "
                                       "(function expected, got no value)"},
        {"pe:bind_local_task(300, 't', function() end)",
         "t.lua:3: bad argument #1 to 'bind_local_task' (not 0 to 255)"},
        {"pe:bind_data_task(24, 't', function() end)",
         "t.lua:3: program p: task = 24, wse2 has 0..23"},
        {"pe:bind_data_task(1, 't', function() end, { argument = v })",
         "t.lua:3: argument: expected an array, got a variable"},
        {"pe:bind_data_task(1, 't', function() end, { arg = u })",
         "t.lua:3: unknown field 'arg'; known: argument, arguments"},
        {"pe:bind_control_task(64, 't', function() end)",
         "t.lua:3: program p: task = 64, wse2 has 0..63"},
        {"pe:activate(9)",
         "t.lua:2: program p: activates task 9, no task is bound to it"},
        {"pe:activate('x')",
         "t.lua:3: bad argument #1 to 'activate' (number expected, got string)"},
        {"pe:fmovs(d, d)", "t.lua:3: program p: code outside of a task, allowed is "
                           "between its begin and end"},
        {"pe:add(v, 1)", "t.lua:3: program p: code outside of a task, allowed is "
                         "between its begin and end"},
        {"pe:nothing()", "t.lua:3: no such call `nothing`"},
        {"local other = pe layout:set_tile_code({ 0, 0 }, 'q', function(pe) "
         "pe:mem1d_dsd { base = u, extent = 1 } end)",
         "t.lua:3: base: an array of another program; each is made with its own pe"},
        {"kept = pe end) kept:word(1) layout:set_tile_code({ 0, 0 }, 'q', function(pe)",
         "t.lua:3: the program of this pe is complete: its function has ended"},
        {"pcall(function() pe:bind_local_task(8, 't', function() error('x') end) end)",
         "t.lua:2: the body of a task has failed: the program is not complete"},
    };

    assert_refused(PROGRAM "\n%s\nend) end }", refusals, G_N_ELEMENTS(refusals));
}

static void a_task_rejects(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"pe:fmovs(d)", "t.lua:3: fmovs: expected a destination and 1 to 3 sources"},
        {"pe:fmovs(d, u)",
         "t.lua:3: operand 2 of fmovs: expected a descriptor, got an array"},
        {"pe:fmovs(d, pe:mem1d_dsd { base = u, extent = 9 })",
         "t.lua:3: program p: task 8 (go): descriptor of numbers 0..8 of array u, it "
         "has 0..7"},
        {"pe:fmovs(1, d)",
         "t.lua:3: operand 1 of fmovs: expected a descriptor, got number"},
        {"pe:fmovs(d, 'x')",
         "t.lua:3: operand 2 of fmovs: expected a descriptor, got string"},
        {"pe:fadds(d, d)",
         "t.lua:3: program p: task 8 (go): fadds: 1 sources, it has 2"},
        {"pe:fmovs(d, d, d, d, d)",
         "t.lua:3: fmovs: expected a destination and 1 to 3 sources"},
        {"pe:fmovs(d, d, { async = true })",
         "t.lua:3: program p: task 8 (go): fmovs: asynchronous with operands in memory "
         "alone, it needs a fabric or FIFO operand"},
        {"pe:fmovs(d, d, { sync = true })",
         "t.lua:3: unknown field 'sync'; known: async, activate, unblock, priority, "
         "on_control, tried, index, ut_id"},
        {"pe:fmovs(d, d, { priority = 'top' })",
         "t.lua:3: priority: expected one of low, medium, high"},
        {"pe:fmovs(d, d, { activate = 9 })",
         "t.lua:3: program p: task 8 (go): fmovs: a task for its end, allowed if it is "
         "asynchronous"},
        {"pe:fmovh(d, d)",
         "t.lua:3: program p: task 8 (go): fmovh: operand 0 is of f32, allowed is f16"},
        {"pe:add16(d, d, 70000)", "t.lua:3: program p: task 8 (go): value = 70000, of "
                                  "u16 allowed are the whole numbers 0..65535"},
        {"pe:assign(u, 1)", "t.lua:3: argument 1: expected a variable, got an array"},
        {"pe:assign(v, 0.5)", "t.lua:3: bad argument #2 to 'assign' (expected an "
                              "integer of 32 bits or a variable)"},
        {"pe:add(v, 'x')", "t.lua:3: argument 2: expected a variable, got string"},
        {"pe:add(v, d)", "t.lua:3: argument 2: expected a variable, got a descriptor"},
        {"pe:increment_dsd_offset(d, 1)",
         "t.lua:3: bad argument #1 to 'increment_dsd_offset' (the descriptor was made "
         "without increment = variable)"},
        {"pe:increment_dsd_offset(v, 1)",
         "t.lua:3: argument 1: expected a descriptor, got a variable"},
        {"pe:when(v, '=', 1, function() end)",
         "t.lua:3: bad argument #2 to 'when' (invalid option '=')"},
        {"pe:when(v, '==', 1)",
         "t.lua:3: bad argument #4 to 'when' (function expected, got no value)"},
        {"pe:when(v, '==', 1, function() end, 1)",
         "t.lua:3: bad argument #5 to 'when' (function expected, got number)"},
        {"pe:while_(v, '<', 1, function() end, 1)",
         "t.lua:3: bad argument #5 to 'while_' (function expected, got number)"},
        {"pe:when(d, '==', 1, function() end)",
         "t.lua:3: argument 1: expected a variable, got a descriptor"},
        {"pe:scalar_op('pow', u, u, u)",
         "t.lua:3: program p: task 8 (go): scalar pow, there are add, sub, mul, div, "
         "max, neg, sqrt, mov"},
        {"pe:scalar_op('add', u, u)",
         "t.lua:3: program p: task 8 (go): scalar add has 2 sources"},
        {"pe:scalar_op('neg', u, u, u)",
         "t.lua:3: program p: task 8 (go): scalar neg has 1 sources"},
        {"pe:scalar_op('add', v, u, u)",
         "t.lua:3: argument 2: expected an array, got a variable"},
        {"pe:when_scalar(u, '<', v, function() end)",
         "t.lua:3: argument 3: expected an array, got a variable"},
        {"pe:set_route(1, 'UP', 'RAMP')",
         "t.lua:3: rx: expected NORTH, EAST, SOUTH, WEST or RAMP"},
        {"pe:set_route(24, 'WEST', 'RAMP')",
         "t.lua:3: program p: task 8 (go): color = 24, wse2 has 0..23"},
        {"pe:teardown_exit(24)",
         "t.lua:3: program p: task 8 (go): color = 24, wse2 has 0..23"},
        {"pe:phase('a b')",
         "t.lua:3: bad argument #1 to 'phase' (names are letters, digits, _ and -)"},
        {"pe:phase()",
         "t.lua:3: bad argument #1 to 'phase' (string expected, got no value)"},
        {"pe:bind_local_task(9, 't', function() end)",
         "t.lua:3: program p: task 8 (go): task 9 (t) inside, it must end first"},
        {"pcall(pe.when, pe, v, '==', 1, function() error('x') end)",
         "t.lua:2: program p: task 8 (go): ends inside an if or while"},
    };

    assert_refused(PROGRAM
                   "pe:bind_local_task(8, 'go', function()\n%s\nend) end) end }",
                   refusals, G_N_ELEMENTS(refusals));
}

static void errors_of_the_model_keep_their_kind(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run(
        PROGRAM "pe:fabin_dsd { color = 24, input_queue = 0, extent = 1 } end) end }",
        &wse2);

    assert_failed(&result, ARCH_ERROR, ARCH_ERROR_INVALID,
                  "t.lua:2: program p: color = 24, wse2 has 0..23");
}

static void a_program_beyond_memory_shows_its_map(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run(
        PROGRAM "pe:array { name = 'large', type = 'f32', count = 20000 } end) end }",
        &wse2);
    const char *error = result_text(&result, "error");

    assert_non_null(g_strstr_len(error, -1, "t.lua:2: program p: "));
    assert_non_null(g_strstr_len(error, -1, "large"));
    assert_non_null(g_strstr_len(error, -1, "80000"));
}

static void branches_on_data_need_data(void **state G_GNUC_UNUSED)
{
    Machine timing_only = {.chip = "wse2", .is_timing_only = true};
    const char *body = PROGRAM "pe:bind_local_task(8, 'go', function()\n"
                               "pe:when_scalar(u, '<', u, function() end)\n"
                               "end) end) end }";
    g_auto(Result) refused = machine_run(body, &timing_only);
    g_auto(Result) built = machine_run_well(body, &wse2);

    assert_failed(&refused, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                  "t.lua:3: program p: pe:when_scalar depends on data, of which a "
                  "--timing-only run has none");
    (void) built;
}

static void other_chips_are_no_wafers(void **state G_GNUC_UNUSED)
{
    assert_fails("host.wafer {}", WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: wormhole_n300 is no wafer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_wafer_rejects),
        cmocka_unit_test(layout_rejects),
        cmocka_unit_test(pe_rejects),
        cmocka_unit_test(a_task_rejects),
        cmocka_unit_test(errors_of_the_model_keep_their_kind),
        cmocka_unit_test(a_program_beyond_memory_shows_its_map),
        cmocka_unit_test(branches_on_data_need_data),
        cmocka_unit_test(other_chips_are_no_wafers),
    };

    return cmocka_run_group_tests_name("workloads.wafer_refusals", tests, NULL, NULL);
}
