/* FIFOs between operations: the same cycles in Lua and in CSL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/workloads/wafer/doors.h"

/* Color 1 leads from the PE's own ramp back to it. */
#define ROUTES                                                                         \
    {                                                                                  \
        .csl = "@set_color_config(0, 0, @get_color(1), .{ .routes = .{ .rx = RAMP, "   \
               ".tx = RAMP } });",                                                     \
        .lua = "l:set_color_config({ 0, 0 }, 1, { routes = { rx = 'RAMP', tx = "       \
               "'RAMP' } })"                                                           \
    }
#define ARRAYS_CSL                                                                     \
    "const c = @get_color(1); var a = [6]i32{ 1, 2, 3, 4, 5, 6 };"                     \
    "var room = @zeros([2]i32);"                                                       \
    "const from = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> a[i] });"          \
    "const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} -> out[i] });"          \
    "const send = @get_dsd(fabout_dsd, .{ .fabric_color = c, .extent = 6, "            \
    ".output_queue = @get_output_queue(3) });"                                         \
    "const get = @get_dsd(fabin_dsd, .{ .fabric_color = c, .extent = 6, .input_queue " \
    "= @get_input_queue(2) });"                                                        \
    "comptime { @initialize_queue(@get_input_queue(2), .{ .color = c }); }"
#define ARRAYS_LUA                                                                     \
    "local a = pe:array { name = 'a', type = 'i32', values = { 1, 2, 3, 4, 5, 6 } }\n" \
    "local room = pe:array { name = 'room', type = 'i32', count = 2 }\n"               \
    "local from = pe:mem1d_dsd { base = a, extent = 6 }\n"                             \
    "local to = pe:mem1d_dsd { base = out, extent = 6 }\n"                             \
    "local send = pe:fabout_dsd { color = 1, extent = 6, output_queue = 3 }\n"         \
    "local get = pe:fabin_dsd { color = 1, extent = 6, input_queue = 2 }\n"

static void pushes_and_pops_wait_for_each_other(void **state G_GNUC_UNUSED)
{
    /* Six numbers pass through room for two. */
    static const DoorsProgram program = {
        .routes = ROUTES,
        .before = {.csl = ARRAYS_CSL
                   "const fifo = @allocate_fifo(room); task over() void { done(); } "
                   "comptime { @bind_local_task(over, @get_local_task_id(9)); }",
                   .lua = ARRAYS_LUA
                   "local fifo = pe:fifo { base = room }\n"
                   "pe:bind_local_task(9, 'over', function() pe:call(done) end)"},
        .body = {.csl = "@mov32(fifo, get, .{ .async = true }); @mov32(to, fifo, .{ "
                        ".async = true, .activate = over }); @mov32(send, from, .{ "
                        ".async = true }); // done",
                 .lua = "pe:mov32(fifo, get, { async = true })\n"
                        "pe:mov32(to, fifo, { async = true, activate = 9 })\n"
                        "pe:mov32(send, from, { async = true }) -- done"},
    };

    DOORS_EXPECT(&program, 1, 2, 3, 4, 5, 6);
}

static void tries_say_whether_there_was_room(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl =
                       "var room = @zeros([3]i32); const fifo = @allocate_fifo(room); "
                       "var v: i32 = 0;",
                   .lua =
                       "local room = pe:array { name = 'room', type = 'i32', count = 3 "
                       "}\n"
                       "local fifo = pe:fifo { base = room }\n"
                       "local v = pe:scalar { name = 'v', type = 'i32' }\n"
                       "local ok = pe:variable { name = 'ok', type = 'u16' }\n"
                       "local n = pe:variable { name = 'n', type = 'i32' }"},
        .body = {.csl =
                     "var n: i32 = 10; while (@mov32(fifo, n)) { n += 1; }"
                     "out[6] = n; n = 0; while (@mov32(&v, fifo)) { out[n] = v; n += "
                     "1; } out[7] = n;",
                 .lua = "pe:operate('mov', 'i32', n, 10)\n"
                        "pe:while_(function() pe:mov32(fifo, n, { tried = ok }) return "
                        "ok end, function() pe:operate('add', 'i32', n, n, 1) end)\n"
                        "pe:store(out, 6, n) pe:operate('mov', 'i32', n, 0)\n"
                        "local p = pe:pointer(pe:address(v))\n"
                        "pe:while_(function() pe:mov32(p, fifo, { tried = ok }) return "
                        "ok end, function() pe:store(out, n, pe:load(v, 0)) "
                        "pe:operate('add', 'i32', n, n, 1) end)\n"
                        "pe:store(out, 7, n)"},
    };

    DOORS_EXPECT(&program, 10, 11, 12, 0, 0, 0, 13, 3);
}

static void pushes_and_pops_activate_tasks(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before = {.csl =
                       "var room = @zeros([3]i32); const fifo = @allocate_fifo(room, "
                       ".{ .activate_push = pushed, .activate_pop = popped }); var v: "
                       "i32 = 0;"
                       "task pushed() void { out[0] += 1; if (@mov32(&v, fifo)) { "
                       "out[1] = v; } }"
                       "task popped() void { out[2] += 1; done(); }"
                       "comptime { @bind_local_task(pushed, @get_local_task_id(10)); "
                       "@bind_local_task(popped, @get_local_task_id(11)); }",
                   .lua =
                       "local room = pe:array { name = 'room', type = 'i32', count = 3 "
                       "}\n"
                       "local fifo = pe:fifo { base = room, activate_push = 10, "
                       "activate_pop = 11 }\n"
                       "local v = pe:scalar { name = 'v', type = 'i32' }\n"
                       "local ok = pe:variable { name = 'ok', type = 'u16' }\n"
                       "local function more(k) pe:store(out, k, pe:operate('add', "
                       "'i32', nil, pe:load(out, k), 1)) end\n"
                       "pe:bind_local_task(10, 'pushed', function() more(0)\n"
                       "pe:mov32(pe:pointer(pe:address(v)), fifo, { tried = ok })\n"
                       "pe:when(ok, function() pe:store(out, 1, pe:load(v, 0)) end) "
                       "end)\n"
                       "pe:bind_local_task(11, 'popped', function() more(2) "
                       "pe:call(done) end)"},
        .body = {.csl = "_ = @mov32(fifo, 35); // done",
                 .lua = "pe:mov32(fifo, 35, { tried = ok }) -- done"},
    };

    DOORS_EXPECT(&program, 1, 35, 1);
}

static void lengths_are_set_at_run_time(void **state G_GNUC_UNUSED)
{
    static const DoorsProgram program = {
        .before =
            {.csl =
                 "var room = @zeros([8]i32); const fifo = @allocate_fifo(room); var n: "
                 "u16 = 3; const to = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{6} "
                 "-> out[i] });",
             .lua = "local room = pe:array { name = 'room', type = 'i32', count = 8 }\n"
                    "local fifo = pe:fifo { base = room }\n"
                    "local n = pe:scalar { name = 'n', type = 'u16', value = 3 }\n"
                    "local to = pe:mem1d_dsd { base = out, extent = 6 }\n"
                    "local push, pop = pe:dsd_value(fifo), pe:dsd_value(fifo)\n"
                    "local ok = pe:variable { name = 'ok', type = 'u16' }"},
        .body = {.csl =
                     "@set_fifo_write_length(fifo, n); @mov32(fifo, 25); @mov32(fifo, "
                     "15); @set_fifo_read_length(fifo, n + 1); @mov32(to, fifo);",
                 .lua =
                     "pe:set_dsd_length(push, pe:load(n, 0))\n"
                     "pe:mov32(push, 25, { tried = ok })\n"
                     "pe:mov32(push, 15, { tried = ok })\n"
                     "pe:set_dsd_length(pop, pe:operate('add', 'u16', nil, pe:load(n, "
                     "0), 1))\n"
                     "pe:mov32(to, pop, { tried = ok })"},
    };

    DOORS_EXPECT(&program, 25, 25, 25, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_and_pops_wait_for_each_other),
        cmocka_unit_test(tries_say_whether_there_was_room),
        cmocka_unit_test(pushes_and_pops_activate_tasks),
        cmocka_unit_test(lengths_are_set_at_run_time),
    };

    return cmocka_run_group_tests_name("workloads.wafer_fifo_doors", tests, NULL, NULL);
}
