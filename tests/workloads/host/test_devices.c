/* Host programs of systems with several chips: devices and host threads. */
#include "sim/error.h"
#include "tests/workloads/machine.h"
#include "workloads/error.h"

static const Machine pair = {.system = "n300"};

static void assert_pair_printed(const char *body, const char *expected)
{
    g_auto(Result) result = machine_run_well(body, &pair);

    assert_string_equal(result_text(&result, "printed"), expected);
}

static void assert_pair_fails(const char *body, GQuark domain, int code, const char *is)
{
    g_auto(Result) result = machine_run(body, &pair);

    assert_failed(&result, domain, code, is);
}

static void a_system_has_a_device_for_each_chip(void **state)
{
    (void) state;
    assert_pair_printed("print(host.chip_count, #host.devices, host.index)\n"
                        "for i, d in ipairs(host.devices) do print(i, d.index, d.chip, "
                        "d.number('chip.clock_hz')) end",
                        "2\t2\t0\n"
                        "1\t0\twormhole_n300\t1000000000\n"
                        "2\t1\twormhole_n300\t1000000000\n");
}

static void one_chip_is_a_device(void **state)
{
    (void) state;
    assert_printed("print(host.chip_count, #host.devices, host.devices[1].index)\n"
                   "host.each(function(d) print(d == host.devices[1]) end)",
                   "1\t1\t0\ntrue\n");
}

static void memory_belongs_to_one_chip(void **state)
{
    (void) state;
    assert_pair_printed("local a, b = host.devices[1], host.devices[2]\n"
                        "local p, q = a.allocate(64), b.allocate(64)\n"
                        "local one, two = host.buffer(64), host.buffer(64)\n"
                        "one:set('fp32', 0, 1) two:set('fp32', 0, 2)\n"
                        "a.upload(one, p) b.upload(two, q)\n"
                        "local back = host.buffer(64)\n"
                        "a.download(p, back) print(p == q, back:get('fp32', 0))\n"
                        "b.download(q, back) print(back:get('fp32', 0))\n",
                        "true\t1.0\n2.0\n");
}

static void a_dram_buffer_is_of_its_chip(void **state)
{
    static const char made[] =
        "local one = host.dram_buffer { pages = 1, page_bytes = 64 }\n"
        "local bytes = host.buffer(64)\n";
    static const char *const uses[] = {
        "host.devices[2].upload(bytes, one)",
        "host.devices[2].download(one, bytes)",
    };
    static const char message[] =
        "t.lua:4: the DRAM buffer was made for chip 0, this is chip 1";

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(uses); i++) {
        g_autofree char *script = g_strconcat(made, uses[i], NULL);

        assert_pair_fails(script, WL_ERROR, WL_ERROR_RUNTIME, message);
    }
}

static void a_kernel_reads_buffers_of_its_chip(void **state)
{
    static const char *const uses[] = {
        "noc_async_read_tile(0, get_arg('b'), 0)",
        "noc_async_write_tile(0, get_arg('b'), 0)",
        "get_noc_addr(0, get_arg('b'))",
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(uses); i++) {
        g_autofree char *kernel = g_strdup_printf("k = function() %s end", uses[i]);
        const Machine machine = {.system = "n300", .kernels = kernel};
        g_auto(Result) result =
            machine_run("local one = host.dram_buffer { pages = 1, page_bytes = 64 }\n"
                        "local d = host.devices[2]\n"
                        "local p = d.program()\n"
                        "p:kernel { name = 'k', kernel = 'k', processor = 'reader', "
                        "cores = { 0, 0, 0, 0 }, args = { b = one } }\n"
                        "d.launch(p)\n",
                        &machine);

        assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME,
                      "t.lua:9: kernel k on core[0,0] of chip 1: the DRAM buffer was "
                      "made for chip 0, this is chip 1");
    }
}

static void a_program_is_for_its_chip(void **state)
{
    (void) state;
    assert_pair_fails(
        "host.devices[2].launch(host.program())", WL_ERROR, WL_ERROR_RUNTIME,
        "t.lua:2: launch: the program was made for chip 0, this is chip 1");
}

static void threads_run_at_the_same_time(void **state)
{
    (void) state;
    g_auto(Result) result =
        machine_run_well("host.each(function(d)\n"
                         "  d.sleep(1e-6 * (1 + d.index))\n"
                         "  local l = d.launch{ { name = 'k', kernel = function(core)\n"
                         "    core.delay(5000 - 3000 * d.index) end } }\n"
                         "  d.wait(l)\n"
                         "  print(d.index, string.format('%.3f us', d.now() * 1e6))\n"
                         "end)",
                         &pair);

    /* 1 + 30 + 5 us, and 2 + 30 + 2 us. */
    assert_string_equal(result_text(&result, "printed"),
                        "1\t34.000 us\n0\t36.000 us\n");
    assert_seconds(&result, "seconds", 36e-6);
    /* Of the thread that ended last. */
    assert_seconds(&result, "host_seconds", 1e-6);
    assert_seconds(&result, "launch_seconds", 30e-6);
    assert_seconds(&result, "device_seconds", 5e-6);
}

static void threads_share_a_link(void **state)
{
    (void) state;
    assert_pair_printed("local b = host.buffer(1 << 24)\n"
                        "local d = host.devices[1]\n"
                        "local alone = d.upload(b, d.allocate(1 << 24))\n"
                        "host.each(function(d)\n"
                        "  local shared = d.upload(b, d.allocate(1 << 24))\n"
                        "  print(math.floor(shared / alone * 100 + 0.5))\n"
                        "end)",
                        "200\n200\n");
}

static void what_one_thread_raises_ends_the_run(void **state)
{
    (void) state;
    g_auto(Result) result = machine_run("pcall(host.each, function(d)\n"
                                        "  if d.index == 1 then error('enough') end\n"
                                        "  while true do pcall(d.sleep, 1e-6) end\n"
                                        "end)",
                                        &pair);

    assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME, "t.lua:3: enough");
    assert_true(result_number(&result, "now") < 2e-6);
}

static void an_error_of_a_kernel_ends_the_run(void **state)
{
    (void) state;
    assert_pair_fails("host.each(function(d)\n"
                      "  local l = d.launch{ { name = 'k', kernel = function(core)\n"
                      "    core.delay(5 - d.index)\n"
                      "    error('bad') end } }\n"
                      "  d.wait(l)\n"
                      "end)",
                      WL_ERROR, WL_ERROR_RUNTIME, "t.lua:3: kernel k: t.lua:5: bad");
}

static void threads_are_limited(void **state)
{
    static const Machine machine = {.system = "n300", .steps = 100000};

    (void) state;
    g_auto(Result) endless = machine_run("host.each(function(d)\n"
                                         "  d.sleep(1e-6 * d.index)\n"
                                         "  while d.index == 0 do end\n"
                                         "end)",
                                         &machine);
    /* Threads count together while no time passes, and begin again when it does. */
    g_auto(Result) busy = machine_run_well("host.each(function(d)\n"
                                           "  for i = 1, 20 do\n"
                                           "    d.sleep(1e-6)\n"
                                           "    for k = 1, 20000 do end\n"
                                           "  end\n"
                                           "end)",
                                           &machine);

    assert_int_equal(json_object_get_int_member(endless.root, "code"), WL_ERROR_LIMIT);
    assert_seconds(&busy, "seconds", 20e-6);
}

static void threads_do_not_report(void **state)
{
    (void) state;
    assert_pair_fails("host.each(function(d) host.zone('a', print) end)", WL_ERROR,
                      WL_ERROR_RUNTIME, "t.lua:2: host.zone: not inside host.each");
    assert_pair_fails("host.each(function(d) host.measure(print) end)", WL_ERROR,
                      WL_ERROR_RUNTIME, "t.lua:2: host.measure: not inside host.each");
    assert_pair_fails("host.each(function(d) host.metric('a', 1) end)", WL_ERROR,
                      WL_ERROR_RUNTIME, "t.lua:2: host.metric: not inside host.each");
    assert_pair_fails("host.each(function(d) host.each(print) end)", WL_ERROR,
                      WL_ERROR_RUNTIME, "t.lua:2: host.each: not inside host.each");
    assert_pair_fails(
        "host.each(function(d) coroutine.yield() end)", WL_ERROR, WL_ERROR_RUNTIME,
        "t.lua:2: host.each: coroutine.yield outside a coroutine of its own");
}

static void a_cycle_limit_ends_all_threads(void **state)
{
    static const Machine machine = {.system = "n300", .limit_cycles = 5000};

    (void) state;
    g_auto(Result) result = machine_run("host.each(function(d)\n"
                                        "  while true do d.sleep(1e-6) end\n"
                                        "end)",
                                        &machine);

    assert_failed(&result, SIM_ERROR, SIM_ERROR_TIME_LIMIT,
                  "t.lua:3: cycle limit of 5000 reached: the host program is at cycle "
                  "6000 (--limit-cycles)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_has_a_device_for_each_chip),
        cmocka_unit_test(one_chip_is_a_device),
        cmocka_unit_test(memory_belongs_to_one_chip),
        cmocka_unit_test(a_dram_buffer_is_of_its_chip),
        cmocka_unit_test(a_kernel_reads_buffers_of_its_chip),
        cmocka_unit_test(a_program_is_for_its_chip),
        cmocka_unit_test(threads_run_at_the_same_time),
        cmocka_unit_test(threads_share_a_link),
        cmocka_unit_test(what_one_thread_raises_ends_the_run),
        cmocka_unit_test(an_error_of_a_kernel_ends_the_run),
        cmocka_unit_test(threads_are_limited),
        cmocka_unit_test(threads_do_not_report),
        cmocka_unit_test(a_cycle_limit_ends_all_threads),
    };

    return cmocka_run_group_tests_name("workloads.devices", tests, NULL, NULL);
}
