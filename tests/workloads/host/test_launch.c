/* Kernels, as a script sees them: launches, the clock, PCIe commands, errors. */
#include <math.h>

#include "arch/error.h"
#include "sim/error.h"
#include "tests/workloads/machine.h"
#include "workloads/error.h"

/* A launch takes 30 us, which are 30000 cycles of the n300. */

static void a_kernel_starts_when_the_launch_is_paid(void **state G_GNUC_UNUSED)
{
    assert_printed("local l = host.launch{{ name = 'k', kernel = function(core)\n"
                   "    print(core.now()) core.delay(70) print(core.now())\n"
                   "end }}\n"
                   "print(('%.9f'):format(host.now()), host.wait(l))",
                   "30000\n30070\n0.000030000\t70\n");
}

static void kernels_of_a_launch_run_side_by_side(void **state G_GNUC_UNUSED)
{
    assert_printed(
        "local function wait(cycles)\n"
        "    return function(core) core.delay(cycles) print(core.now()) end\n"
        "end\n"
        "print(host.wait(host.launch{ { name = 'a', kernel = wait(50) },\n"
        "    { name = 'b', kernel = wait(20) }, { name = 'c', kernel = "
        "wait(20) } }))",
        "30020\n30020\n30050\n50\n");
}

static void launches_one_after_another_continue_the_clock(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "local function k(core) print(core.now()) core.delay(1000) end\n"
        "print(host.wait(host.launch{{ name = 'k', kernel = k }}))\n"
        "host.sleep(500e-9)\n"
        "print(host.wait(host.launch{{ name = 'k', kernel = k }}))",
        NULL);

    assert_string_equal(result_text(&result, "printed"), "30000\n1000\n61500\n1000\n");
    assert_seconds(&result, "now", 62.5e-6);
    assert_seconds(&result, "device_seconds", 2e-6);
}

static void a_launch_waits_for_the_one_before(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "local function k(core) print(core.now()) core.delay(100000) end\n"
        "local a = host.launch{{ name = 'a', kernel = k }}\n"
        "local b = host.launch{{ name = 'b', kernel = k }}\n"
        "print(host.wait(b), host.wait(a))",
        NULL);

    assert_string_equal(result_text(&result, "printed"),
                        "30000\n130000\n100000\t100000\n");
    assert_seconds(&result, "now", 230e-6);
    assert_seconds(&result, "launch_seconds", 60e-6);
    assert_seconds(&result, "device_seconds", 170e-6);
}

static void waiting_twice_costs_nothing(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "local l = host.launch{{ name = 'k', kernel = function(core) core.delay(9) end "
        "}}\n"
        "print(host.wait(l), host.wait(l))",
        NULL);

    assert_string_equal(result_text(&result, "printed"), "9\t9\n");
    assert_seconds(&result, "device_seconds", 9e-9);
}

static void commands_move_bytes_and_take_their_cycles(void **state G_GNUC_UNUSED)
{
    static const Machine tile = {.overrides = {"pcie.read_issue_cycles=10",
                                               "pcie.read_request_cycles=100",
                                               "pcie.read_latency_cycles=1000"}};
    g_auto(Result) result = machine_run_well(
        "local a, b = host.buffer(64), host.buffer(32) a:fill(5)\n"
        "print(host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
        "    core.pcie_read(a, 32, 4096, 32)\n"
        "    print(core.now()) core.pcie_barrier() print(core.now())\n"
        "end }}))\n"
        "host.download(4096, b)\n"
        "print(b:byte(0) == a:byte(32), b:byte(31) == a:byte(63))",
        &tile);

    assert_string_equal(result_text(&result, "printed"),
                        "30010\n31110\n1110\ntrue\ttrue\n");
    assert_int_equal(
        json_object_get_int_member(result_object(&result, "counters"), "pcie_bytes"),
        32);
}

static void lost_cycles_are_booked_by_reason(void **state G_GNUC_UNUSED)
{
    static const Machine tile = {
        .overrides = {"pcie.read_issue_cycles=0", "pcie.read_request_cycles=100",
                      "pcie.read_latency_cycles=1000", "pcie.queue_commands=1"}};
    g_auto(Result) result =
        machine_run_well("local a = host.buffer(32)\n"
                         "host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
                         "    for i = 1, 4 do core.pcie_read(a, 0, 0, 32) end\n"
                         "    core.delay(50) core.pcie_barrier() core.pcie_barrier()\n"
                         "end }})",
                         &tile);
    JsonObject *stalls = result_object(&result, "stalls");

    /* One in service and one queued at 0, then at 100 and 200; all are there at 1400.
     */
    assert_int_equal(json_object_get_int_member(stalls, "pcie_queue"), 200);
    assert_int_equal(json_object_get_int_member(stalls, "pcie_barrier"), 1150);
    assert_true(
        fabs(json_object_get_double_member(result_object(&result, "busy"), "pcie") -
             400.0 / 1400) < 1e-12);
}

static void a_part_is_never_busy_for_longer_than_the_chip(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "local a = host.buffer(8192)\n"
        "print(host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
        "    for i = 1, 4 do core.pcie_read(a, 0, 0, 8192) end\n"
        "end }}))",
        NULL);

    /* The kernel ends long before its commands do. */
    assert_string_equal(result_text(&result, "printed"), "100\n");
    assert_true(json_object_get_double_member(result_object(&result, "busy"), "pcie") <=
                1);
}

static void a_kernel_may_end_with_commands_under_way(void **state G_GNUC_UNUSED)
{
    assert_printed("local a, b = host.buffer(32), host.buffer(32) a:fill(1)\n"
                   "for i = 1, 3 do\n"
                   "    host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
                   "        core.pcie_read(a, 0, 64, 32) end }})\n"
                   "end\n"
                   "host.download(64, b) print(a:differing(b))",
                   "0\n");
}

static void an_error_names_kernel_and_line(void **state G_GNUC_UNUSED)
{
    assert_fails("local function inner(core)\n"
                 "    core.delay(5)\n"
                 "    error('boom')\n"
                 "end\n"
                 "host.launch{{ name = 'core[3,4].reader', kernel = inner }}",
                 WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:6: kernel core[3,4].reader: t.lua:4: boom");
    assert_fails("host.launch{{ name = 'k', kernel = function(core)\n"
                 "    core.delay(-1)\n"
                 "end }}",
                 WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: kernel k: t.lua:3: bad argument #1 to 'delay' (cycles are "
                 "not negative)");
}

static void commands_stay_inside_buffer_and_dram(void **state G_GNUC_UNUSED)
{
    static const Machine timing_only = {.is_timing_only = true};
    const char *body = "local a = host.buffer(32)\n"
                       "host.launch{{ name = 'k', kernel = function(core)\n"
                       "    core.pcie_write(a, 0, 12 << 30, 32)\n"
                       "end }}";
    const char *message =
        "t.lua:3: kernel k: t.lua:4: dram: 32 bytes at address 12884901888 reach past "
        "its end at 12884901888";
    g_auto(Result) timing = machine_run(body, &timing_only);

    assert_fails(body, ARCH_ERROR, ARCH_ERROR_INVALID, message);
    assert_failed(&timing, ARCH_ERROR, ARCH_ERROR_INVALID, message);
    assert_fails("host.launch{{ name = 'k', kernel = function(core)\n"
                 "    core.pcie_read(host.buffer(32), 32, 0, 32)\n"
                 "end }}",
                 WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: kernel k: t.lua:3: bad argument #4 to 'pcie_read' (outside "
                 "the buffer)");
}

static void commands_keep_the_alignment_of_the_chip_file(void **state G_GNUC_UNUSED)
{
    static const Machine any_byte = {
        .overrides = {"pcie.read_alignment_bytes=1", "pcie.write_alignment_bytes=1"}};

    assert_fails("host.launch{{ name = 'k', kernel = function(core)\n"
                 "    core.pcie_read(host.buffer(64), 16, 0, 32)\n"
                 "end }}",
                 ARCH_ERROR, ARCH_ERROR_INVALID,
                 "t.lua:2: kernel k: t.lua:3: pcie: read of host memory at offset 16, "
                 "allowed are multiples of 32 bytes");
    assert_fails("host.launch{{ name = 'k', kernel = function(core)\n"
                 "    core.pcie_write(host.buffer(64), 16, 0, 32)\n"
                 "    core.pcie_write(host.buffer(64), 24, 0, 32)\n"
                 "end }}",
                 ARCH_ERROR, ARCH_ERROR_INVALID,
                 "t.lua:2: kernel k: t.lua:4: pcie: write of host memory at offset 24, "
                 "allowed are multiples of 16 bytes");
    g_auto(Result) result =
        machine_run_well("host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
                         "    core.pcie_read(host.buffer(64), 7, 0, 32)\n"
                         "    core.pcie_write(host.buffer(64), 9, 0, 32)\n"
                         "end }}) print('done')",
                         &any_byte);

    assert_string_equal(result_text(&result, "printed"), "done\n");
}

static void a_kernel_cannot_use_the_host(void **state G_GNUC_UNUSED)
{
    static const char *const calls[] = {"upload", "download", "launch", "wait",
                                        "sleep",  "measure",  "zone"};

    for (gsize i = 0; i < G_N_ELEMENTS(calls); i++) {
        g_autofree char *body =
            g_strdup_printf("host.launch{{ name = 'k', kernel = host.%s }}", calls[i]);
        g_autofree char *message = g_strdup_printf(
            "t.lua:2: kernel k: t.lua: host.%s: not inside a kernel", calls[i]);

        assert_fails(body, WL_ERROR, WL_ERROR_RUNTIME, message);
    }
}

static void only_the_kernel_itself_can_wait(void **state G_GNUC_UNUSED)
{
    assert_fails(
        "host.launch{{ name = 'k', kernel = function(core)\n"
        "    coroutine.wrap(function() core.delay(1) end)()\n"
        "end }}",
        WL_ERROR, WL_ERROR_RUNTIME,
        "t.lua:2: kernel k: t.lua:3: core.delay: cannot wait inside a coroutine "
        "that the script made");
    assert_fails(
        "host.launch{{ name = 'k', kernel = function(core)\n"
        "    table.sort({ 2, 1 }, function() core.delay(1) end)\n"
        "end }}",
        WL_ERROR, WL_ERROR_RUNTIME,
        "t.lua:2: kernel k: t.lua:3: core.delay: cannot wait inside a callback "
        "of a library function such as table.sort or string.gsub");
    assert_fails("host.launch{{ name = 'k', kernel = coroutine.yield }}", WL_ERROR,
                 WL_ERROR_RUNTIME,
                 "t.lua:2: kernel k: coroutine.yield outside a coroutine of its own; "
                 "wait with core.delay(cycles)");
}

static void a_kernel_may_catch_its_errors_and_wait_meanwhile(void **state G_GNUC_UNUSED)
{
    assert_printed("print(host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
                   "    print(pcall(function() core.delay(40) error('x', 0) end))\n"
                   "    core.delay(2)\n"
                   "end }}))",
                   "false\tx\n42\n");
}

static void the_core_of_a_kernel_that_ended_is_dead(void **state G_GNUC_UNUSED)
{
    assert_fails(
        "local kept\n"
        "host.launch{{ name = 'k', kernel = function(core) kept = core end }}\n"
        "for i = 1, 9 do host.launch{{ name = 'k', kernel = function() end }} "
        "end\n"
        "kept.now()",
        WL_ERROR, WL_ERROR_RUNTIME,
        "t.lua:5: core.now: the kernel it was made for has ended");
    assert_fails(
        "local kept\n"
        "host.launch{{ name = 'k', kernel = function(core) kept = core end }}\n"
        "host.launch{{ name = 'l', kernel = function(core) kept.delay(1) end }}",
        WL_ERROR, WL_ERROR_RUNTIME,
        "t.lua:4: kernel l: t.lua:4: core.delay: the kernel it was made for has "
        "ended");
}

static void a_core_serves_its_own_kernel_only(void **state G_GNUC_UNUSED)
{
    assert_fails(
        "local other\n"
        "host.launch{ { name = 'a', kernel = function(core) other = core "
        "core.delay(9) end },\n"
        "    { name = 'b', kernel = function(core) other.delay(1) end } }",
        WL_ERROR, WL_ERROR_RUNTIME,
        "t.lua:3: kernel b: t.lua:4: core.delay: belongs to kernel a, only that "
        "one can wait with it");
}

static void a_run_that_failed_cannot_be_saved_by_catching_it(void **state G_GNUC_UNUSED)
{
    assert_fails("pcall(host.launch, {{ name = 'k', kernel = function()\n"
                 "    error('boom') end }})\n"
                 "host.metric('x', 1)",
                 WL_ERROR, WL_ERROR_RUNTIME, "kernel k: t.lua:3: boom");
    assert_fails("for i = 1, 3 do pcall(host.launch, {{ name = 'k', kernel = "
                 "function()\n"
                 "    error('boom') end }}) end",
                 WL_ERROR, WL_ERROR_RUNTIME, "kernel k: t.lua:3: boom");
}

static void a_launch_needs_kernels_with_names(void **state G_GNUC_UNUSED)
{
    assert_fails("host.launch{}", WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: bad argument #1 to 'launch' (expected a program, or a list "
                 "of { name = ..., "
                 "kernel = function(core) ... end })");
    assert_fails("host.launch{ 5 }", WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: launch: element 1 is no table");
    assert_fails("host.launch{{ kernel = print }}", WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: launch: kernel 1 has no name");
    assert_fails("host.launch{ { name = 'a', kernel = print }, { name = 'b' } }",
                 WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: launch: kernel b has no function `kernel`");
    assert_fails("host.wait(1)", WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: bad argument #1 to 'wait' (no such launch)");
}

static void a_launch_that_was_refused_can_be_mended(void **state G_GNUC_UNUSED)
{
    assert_printed("print(pcall(host.launch, { { name = 'a', kernel = print }, 5 }))\n"
                   "print(host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
                   "    core.delay(3) end }}), host.now())",
                   "false\tlaunch: element 2 is no table\n3\t3.0003e-05\n");
}

static void kernels_are_let_go_when_they_end(void **state G_GNUC_UNUSED)
{
    static const Machine small = {.memory_bytes = 16 << 20};
    g_auto(Result) result = machine_run_well(
        "for i = 1, 200 do\n"
        "    local b = host.buffer(1 << 20)\n"
        "    host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
        "        local more = host.buffer(1 << 20) core.pcie_read(b, 0, 0, 32)\n"
        "        core.pcie_barrier() end }})\n"
        "end",
        &small);

    assert_string_equal(result_text(&result, "check"), "skipped");
}

static void a_kernel_that_waits_for_ever_passes_the_limit(void **state G_GNUC_UNUSED)
{
    static const Machine limited = {.limit_cycles = 40000};
    g_auto(Result) result =
        machine_run("host.launch{{ name = 'k', kernel = function(core)\n"
                    "    while true do core.delay(7) end end }}",
                    &limited);

    assert_failed(&result, SIM_ERROR, SIM_ERROR_TIME_LIMIT,
                  "t.lua:2: cycle limit of 40000 reached: the next event is at cycle "
                  "40003 (--limit-cycles)");
}

static void cycles_end_where_they_cannot_be_counted(void **state G_GNUC_UNUSED)
{
    assert_fails(
        "host.launch{{ name = 'k', kernel = function(core)\n"
        "    for i = 1, 3 do core.delay(math.maxinteger) end end }}",
        SIM_ERROR, SIM_ERROR_TIME_LIMIT,
        "t.lua:2: cycle limit of 9007199254740992 reached: the next event is at "
        "cycle 9223372036854805807 (--limit-cycles)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_starts_when_the_launch_is_paid),
        cmocka_unit_test(kernels_of_a_launch_run_side_by_side),
        cmocka_unit_test(launches_one_after_another_continue_the_clock),
        cmocka_unit_test(a_launch_waits_for_the_one_before),
        cmocka_unit_test(waiting_twice_costs_nothing),
        cmocka_unit_test(commands_move_bytes_and_take_their_cycles),
        cmocka_unit_test(lost_cycles_are_booked_by_reason),
        cmocka_unit_test(a_part_is_never_busy_for_longer_than_the_chip),
        cmocka_unit_test(a_kernel_may_end_with_commands_under_way),
        cmocka_unit_test(an_error_names_kernel_and_line),
        cmocka_unit_test(commands_stay_inside_buffer_and_dram),
        cmocka_unit_test(commands_keep_the_alignment_of_the_chip_file),
        cmocka_unit_test(a_kernel_cannot_use_the_host),
        cmocka_unit_test(only_the_kernel_itself_can_wait),
        cmocka_unit_test(a_kernel_may_catch_its_errors_and_wait_meanwhile),
        cmocka_unit_test(the_core_of_a_kernel_that_ended_is_dead),
        cmocka_unit_test(a_core_serves_its_own_kernel_only),
        cmocka_unit_test(a_run_that_failed_cannot_be_saved_by_catching_it),
        cmocka_unit_test(a_launch_needs_kernels_with_names),
        cmocka_unit_test(a_launch_that_was_refused_can_be_mended),
        cmocka_unit_test(kernels_are_let_go_when_they_end),
        cmocka_unit_test(a_kernel_that_waits_for_ever_passes_the_limit),
        cmocka_unit_test(cycles_end_where_they_cannot_be_counted),
    };

    return cmocka_run_group_tests_name("workloads.launch", tests, NULL, NULL);
}
