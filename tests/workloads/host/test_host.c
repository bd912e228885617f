/* The host API, as a script sees it: memory, transfers, time, reports, checks. */
#include <math.h>

#include "arch/error.h"
#include "sim/error.h"
#include "tests/workloads/machine.h"
#include "workloads/error.h"

/* Latency and bandwidth of the shipped n300. */
#define UP(bytes)   (1342e-9 + (bytes) / 24e9)
#define DOWN(bytes) (1052e-9 + (bytes) / 11.3e9)
#define LAUNCH      30e-6

static void bytes_go_up_and_come_down(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result =
        machine_run_well("local a, b = host.buffer(100000), host.buffer(100000)\n"
                         "a:fill(3)\n"
                         "local address = host.allocate(100000)\n"
                         "local up = host.upload(a, address)\n"
                         "local down = host.download(address, b)\n"
                         "print(a:differing(b), up + down == host.now())\n"
                         "host.check_equal(a, b, 'what was sent')",
                         NULL);

    assert_string_equal(result_text(&result, "printed"), "0\ttrue\n");
    assert_string_equal(result_text(&result, "check"), "pass");
    assert_string_equal(result_text(&result, "reference"), "what was sent");
    assert_seconds(&result, "transfer_seconds", UP(100000) + DOWN(100000));
    assert_int_equal(
        json_object_get_int_member(result_object(&result, "counters"), "dram_bytes"),
        200000);
}

static void the_chip_remembers_what_it_was_sent(void **state G_GNUC_UNUSED)
{
    assert_printed("local a, b = host.buffer(4), host.buffer(4)\n"
                   "a:set_byte(1, 9)\n"
                   "host.upload(a, 1 << 20)\n"
                   "a:set_byte(1, 5)\n"
                   "host.download(1 << 20, b)\n"
                   "print(b:byte(0), b:byte(1))",
                   "0\t9\n");
}

static void allocations_are_aligned_and_apart(void **state G_GNUC_UNUSED)
{
    assert_printed("print(host.allocate(1), host.allocate(65), host.allocate(0), "
                   "host.allocate(1))",
                   "0\t64\t192\t192\n");
}

static void the_four_times_add_up_to_the_whole(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "local b = host.buffer(1 << 20)\n"
        "host.sleep(5e-6)\n"
        "host.upload(b, 0)\n"
        "local l = host.launch{{ name = 'k', kernel = function(core) core.delay(7000) "
        "end }}\n"
        "host.sleep(1e-6)\n"
        "host.wait(l)\n"
        "host.download(0, b)",
        NULL);

    assert_seconds(&result, "host_seconds", 6e-6);
    assert_seconds(&result, "transfer_seconds", UP(1 << 20) + DOWN(1 << 20));
    assert_seconds(&result, "launch_seconds", LAUNCH);
    /* The host waited while 1 of the kernel's 7 microseconds had passed. */
    assert_seconds(&result, "device_seconds", 6e-6);
    assert_seconds(&result, "now",
                   result_number(&result, "host_seconds") +
                       result_number(&result, "transfer_seconds") +
                       result_number(&result, "launch_seconds") +
                       result_number(&result, "device_seconds"));
}

static void a_measured_region_is_what_the_result_shows(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result =
        machine_run_well("host.sleep(1)\n"
                         "print(host.measure(function() host.sleep(3e-6) end, 4))\n"
                         "host.sleep(1)",
                         NULL);

    assert_int_equal(json_object_get_int_member(result.root, "cycles"), 3000);
    assert_int_equal(json_object_get_int_member(result.root, "iterations"), 4);
    assert_seconds(&result, "seconds", 3e-6);
    assert_seconds(&result, "now", 2 + 3e-6);
}

static void a_measured_region_can_count_its_iterations(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "host.measure(function() host.sleep(3e-6) return 5 end)", NULL);

    assert_seconds(&result, "seconds", 3e-6);
    assert_int_equal((int) result_number(&result, "iterations"), 5);
}

static void a_zone_can_be_asked_for_its_time(void **state G_GNUC_UNUSED)
{
    assert_printed("print(host.zone_seconds('a'))\n"
                   "host.zone('a', function() host.sleep(0.5) end)\n"
                   "host.zone('a', function() host.sleep(0.25) end)\n"
                   "print(host.zone_seconds('a'))",
                   "0.0\n0.75\n");
}

static void l1_can_be_given_back(void **state G_GNUC_UNUSED)
{
    assert_printed("local free = host.l1_free(1, 2)\n"
                   "host.l1_allocate{ cores = { 0, 0, 3, 3 }, bytes = 4096 }\n"
                   "print(free - host.l1_free(1, 2), free - host.l1_free(4, 2))\n"
                   "host.l1_release()\n"
                   "print(free - host.l1_free(1, 2))",
                   "4096\t0\n0\n");
}

static void without_a_region_the_whole_run_is_measured(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well("host.sleep(2e-6)", NULL);

    assert_int_equal(json_object_get_int_member(result.root, "cycles"), 2000);
    assert_seconds(&result, "seconds", 2e-6);
}

static void an_empty_region_measures_nothing(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result =
        machine_run_well("host.sleep(2e-6) host.measure(function() end)", NULL);

    assert_int_equal(json_object_get_int_member(result.root, "cycles"), 0);
    assert_seconds(&result, "seconds", 0);
}

static void zones_of_one_name_add_up(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result =
        machine_run_well("for i = 1, 3 do\n"
                         "    host.zone('up', function() host.sleep(1e-6) end)\n"
                         "    host.zone('down', function() host.sleep(2e-6) end)\n"
                         "end\n"
                         "host.zone('idle', function() end)",
                         NULL);
    JsonObject *zones = result_object(&result, "zones");

    assert_int_equal(json_object_get_size(zones), 3);
    assert_true(fabs(json_object_get_double_member(zones, "up") - 3e-6) < 1e-11);
    assert_true(fabs(json_object_get_double_member(zones, "down") - 6e-6) < 1e-11);
    assert_true(json_object_get_double_member(zones, "idle") == 0);
}

static void metrics_and_tables_are_reported(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "host.metric('history', { 0.5, 0.25 })\n"
        "host.metric('n', 1) host.metric('n', 2)\n"
        "host.table{ name = 'dma', columns = { 'a', 'b' }, rows = { { 1, 'x,y' }, "
        "{ 0.5, true } } }\n"
        "host.table{ name = 'empty', columns = { 'a' }, rows = {} }",
        NULL);
    JsonObject *metrics = result_object(&result, "metrics");
    JsonArray *tables = json_object_get_array_member(result.root, "tables");

    assert_int_equal(
        json_array_get_length(json_object_get_array_member(metrics, "history")), 2);
    assert_int_equal(json_object_get_int_member(metrics, "n"), 2);
    assert_int_equal(json_array_get_length(tables), 2);
    assert_string_equal(json_array_get_string_element(tables, 0),
                        "a,b\n1,\"x,y\"\n0.5,true\n");
    assert_string_equal(json_array_get_string_element(tables, 1), "a\n");
}

typedef struct {
    const char *body;
    const char *message; /* after "t.lua:2: " */
} Row;

static void assert_all_fail(const Row *rows, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        g_autofree char *message = g_strconcat("t.lua:2: ", rows[i].message, NULL);

        assert_fails(rows[i].body, WL_ERROR, WL_ERROR_RUNTIME, message);
    }
}

static void a_report_that_cannot_be_written_is_an_error(void **state G_GNUC_UNUSED)
{
#define TABLE(fields) "host.table{ name = 't', " fields " }"
    static const Row rows[] = {
        {"host.metric('a/b', 1)",
         "bad argument #1 to 'metric' (names are letters, digits, _ and -)"},
        {"host.metric('', 1)", "bad argument #1 to 'metric' (a name is not empty)"},
        {"host.metric('x')", "bad argument #2 to 'metric' (value expected)"},
        {"host.metric('device_seconds', 1)",
         "bad argument #1 to 'metric' (every run reports this metric itself)"},
        {TABLE("columns = {}, rows = {}"),
         "host.table: columns has 0 entries, expected at least one"},
        {TABLE("columns = { 'a' }"), "host.table: rows is no list"},
        {TABLE("columns = { 'a', 'b' }, rows = { { 1 } }"),
         "host.table: a row has 1 entries, expected one for each column"},
        {TABLE("columns = { 'a' }, rows = { 1 }"),
         "host.table: a row has 0 entries, expected one for each column"},
        {TABLE("columns = { 'a' }, rows = { { {} } }"),
         "host.table: entry 1 of a row is a table, expected a string, a number or a "
         "boolean"},
        {TABLE("columns = { 'a' }, rows = { { '\\xe2' } }"),
         "host.table: entry 1 of a row is not UTF-8"},
        {"for i = 1, 2 do host.table{ name = 't', columns = { 'a' }, rows = {} } end",
         "host.table: there is a table t already"},
    };
#undef TABLE

    assert_all_fail(rows, G_N_ELEMENTS(rows));
}

/* A script may catch the error and go on. */
static void a_refused_table_leaves_nothing_behind(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        "pcall(host.table, { name = 'a', columns = {} })\n"
        "pcall(host.table, { name = 'b', columns = { 'x' }, rows = { { 1 }, { print } "
        "} "
        "})\n"
        "pcall(host.table, { name = 'c', columns = { 'x' }, rows = { { 1 }, {} } })",
        NULL);

    assert_int_equal(
        json_array_get_length(json_object_get_array_member(result.root, "tables")), 0);
}

static void a_check_passes_or_fails(void **state G_GNUC_UNUSED)
{
    g_auto(Result) pass = machine_run_well(
        "host.check{ error = 1e-6, tolerance = 1e-5, reference = 'C' }", NULL);
    g_auto(Result) fail =
        machine_run_well("host.check{ error = 0/0, tolerance = 1, reference = 'C' }\n"
                         "host.check{ error = 0, tolerance = 1, reference = 'later' }",
                         NULL);
    g_auto(Result) bytes =
        machine_run_well("local a, b = host.buffer(9), host.buffer(9)\n"
                         "a:set_byte(8, 3)\n"
                         "host.check_equal(a, b, 'zeros')",
                         NULL);

    assert_string_equal(result_text(&pass, "check"), "pass");
    assert_string_equal(result_text(&fail, "check"), "fail");
    assert_string_equal(result_text(&fail, "reference"), "C");
    assert_string_equal(result_text(&bytes, "check"), "fail");
    assert_true(result_number(&bytes, "max_abs_error") == 3);
}

static void a_check_needs_sensible_numbers(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"host.check{ error = -5, tolerance = 1, reference = 'C' }",
         "host.check: error is a number, not negative"},
        {"host.check{ tolerance = 1, reference = 'C' }",
         "host.check: error is a number, not negative"},
        {"host.check{ error = 0, tolerance = -1, reference = 'C' }",
         "host.check: tolerance is a number, not negative"},
        {"host.check{ error = 0, tolerance = 0/0, reference = 'C' }",
         "host.check: tolerance is not a number"},
        {"host.check_equal(host.buffer(1), host.buffer(2), 'C')",
         "bad argument #2 to 'check_equal' (the buffers differ in length)"},
    };

    assert_all_fail(rows, G_N_ELEMENTS(rows));
}

static void
timing_only_takes_the_same_time_and_checks_nothing(void **state G_GNUC_UNUSED)
{
    static const Machine timing_only = {.is_timing_only = true};
    const char *body =
        "local a, b = host.buffer(5000), host.buffer(5000)\n"
        "a:fill(1) host.upload(a, 0)\n"
        "host.wait(host.launch{{ name = 'k', kernel = function(core)\n"
        "    core.pcie_write(b, 0, 0, 5000) core.pcie_barrier() end }})\n"
        "host.check_equal(a, b, 'a') host.check{ error = 2, tolerance = 1, reference = "
        "'x' }\n"
        "print(host.is_functional)";
    g_auto(Result) timing = machine_run_well(body, &timing_only);
    g_auto(Result) whole = machine_run_well(body, NULL);

    assert_string_equal(result_text(&timing, "printed"), "false\n");
    assert_string_equal(result_text(&whole, "printed"), "true\n");
    assert_string_equal(result_text(&timing, "check"), "skipped");
    assert_string_equal(result_text(&whole, "check"), "fail");
    assert_int_equal(json_object_get_int_member(timing.root, "cycles"),
                     json_object_get_int_member(whole.root, "cycles"));
}

static void transfers_stay_inside_the_dram(void **state G_GNUC_UNUSED)
{
    static const Machine timing_only = {.is_timing_only = true};
    const char *message =
        "t.lua:2: dram: 32 bytes at address 12884901880 reach past its end at "
        "12884901888";
    const char *body = "host.upload(host.buffer(32), (12 << 30) - 8)";
    g_auto(Result) timing = machine_run(body, &timing_only);

    assert_failed(&timing, ARCH_ERROR, ARCH_ERROR_INVALID, message);
    assert_fails(body, ARCH_ERROR, ARCH_ERROR_INVALID, message);
    assert_fails("host.download((12 << 30) - 8, host.buffer(32))", ARCH_ERROR,
                 ARCH_ERROR_INVALID, message);
    assert_fails("host.allocate((12 << 30) + 1)", ARCH_ERROR, ARCH_ERROR_INVALID,
                 "t.lua:2: dram: 12884901889 bytes do not fit, 12884901888 of "
                 "12884901888 are free");
}

static void a_wafer_has_no_dram_to_send_to(void **state G_GNUC_UNUSED)
{
    static const Machine wafer = {.chip = "wse2"};
    g_auto(Result) result = machine_run("host.allocate(1)", &wafer);
    g_auto(Result) clock = machine_run_well(
        "host.wait(host.launch{{ name = 'k', kernel = function(core) core.delay(850) "
        "print(core.pcie_read) end }}) print(host.chip, host.family)",
        &wafer);

    assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME, "t.lua:2: wse2 has no DRAM");
    assert_string_equal(result_text(&clock, "printed"), "nil\nwse2\twse\n");
    assert_seconds(&clock, "device_seconds", 1e-6);
}

static void numbers_of_the_chip_can_be_read(void **state G_GNUC_UNUSED)
{
    assert_printed("print(host.number('chip.clock_hz'), "
                   "host.number('pcie.write_request_cycles'), "
                   "host.number('noc.dateline'), host.chip, host.family)",
                   "1000000000\t52.5\torigin\twormhole_n300\ttensix\n");
    assert_fails("host.number('chip.nothing')", WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: host.number: wormhole_n300 has no key chip.nothing");
}

static void progress_is_told_with_the_fraction_done(void **state G_GNUC_UNUSED)
{
    g_auto(Result) silent = machine_run_well("host.sleep(1)", NULL);
    g_auto(Result) told =
        machine_run_well("host.progress(0.25) host.sleep(1) host.sleep(1)", NULL);

    assert_true(result_number(&silent, "fraction") == -1);
    assert_true(result_number(&told, "fraction") == 0.25);
    assert_int_equal(json_object_get_int_member(told.root, "reports"), 2);
    assert_fails("host.progress(1.5)", WL_ERROR, WL_ERROR_RUNTIME,
                 "t.lua:2: bad argument #1 to 'progress' (a fraction is 0..1)");
}

static void a_run_that_is_to_stop_stops(void **state G_GNUC_UNUSED)
{
    static const Machine stopping = {.stop_after = 3};
    g_auto(Result) result =
        machine_run("while true do pcall(host.sleep, 1e-6) end", &stopping);

    assert_failed(&result, SIM_ERROR, SIM_ERROR_STOPPED, "stopped at cycle 3000");
}

static void a_run_ends_at_its_cycle_limit(void **state G_GNUC_UNUSED)
{
    static const Machine limited = {.limit_cycles = 5000};
    g_auto(Result) at = machine_run_well("host.sleep(5e-6)", &limited);
    g_auto(Result) past = machine_run("host.sleep(5e-6) host.sleep(1e-9)", &limited);

    assert_seconds(&at, "now", 5e-6);
    assert_failed(&past, SIM_ERROR, SIM_ERROR_TIME_LIMIT,
                  "t.lua:2: cycle limit of 5000 reached: the host program is at cycle "
                  "5001 (--limit-cycles)");
}

static void time_that_cannot_be_counted_is_refused(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {"host.sleep(-1)", "bad argument #1 to 'sleep' (seconds, not negative)"},
        {"host.sleep(0/0)", "bad argument #1 to 'sleep' (seconds, not negative)"},
        {"host.sleep(1/0)", "bad argument #1 to 'sleep' (seconds, not negative)"},
    };

    assert_all_fail(rows, G_N_ELEMENTS(rows));
    assert_fails(
        "host.sleep(1e300)", SIM_ERROR, SIM_ERROR_TIME_LIMIT,
        "t.lua:2: cycle limit of 9007199254740992 reached: the host program is "
        "at cycle 9007199254740993 (--limit-cycles)");
}

static void host_memory_is_limited(void **state G_GNUC_UNUSED)
{
    static const Machine small = {.memory_bytes = 8 << 20};
    g_auto(Result) result =
        machine_run("pcall(host.buffer, 9 << 20) print('never')", &small);

    assert_failed(&result, WL_ERROR, WL_ERROR_LIMIT,
                  "t.lua: memory limit of 8 MiB passed: the script wanted 9 MiB more");
    assert_string_equal(result_text(&result, "printed"), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_go_up_and_come_down),
        cmocka_unit_test(the_chip_remembers_what_it_was_sent),
        cmocka_unit_test(allocations_are_aligned_and_apart),
        cmocka_unit_test(the_four_times_add_up_to_the_whole),
        cmocka_unit_test(a_measured_region_is_what_the_result_shows),
        cmocka_unit_test(a_measured_region_can_count_its_iterations),
        cmocka_unit_test(a_zone_can_be_asked_for_its_time),
        cmocka_unit_test(l1_can_be_given_back),
        cmocka_unit_test(without_a_region_the_whole_run_is_measured),
        cmocka_unit_test(an_empty_region_measures_nothing),
        cmocka_unit_test(zones_of_one_name_add_up),
        cmocka_unit_test(metrics_and_tables_are_reported),
        cmocka_unit_test(a_report_that_cannot_be_written_is_an_error),
        cmocka_unit_test(a_refused_table_leaves_nothing_behind),
        cmocka_unit_test(a_check_passes_or_fails),
        cmocka_unit_test(a_check_needs_sensible_numbers),
        cmocka_unit_test(timing_only_takes_the_same_time_and_checks_nothing),
        cmocka_unit_test(transfers_stay_inside_the_dram),
        cmocka_unit_test(a_wafer_has_no_dram_to_send_to),
        cmocka_unit_test(numbers_of_the_chip_can_be_read),
        cmocka_unit_test(progress_is_told_with_the_fraction_done),
        cmocka_unit_test(a_run_that_is_to_stop_stops),
        cmocka_unit_test(a_run_ends_at_its_cycle_limit),
        cmocka_unit_test(time_that_cannot_be_counted_is_refused),
        cmocka_unit_test(host_memory_is_limited),
    };

    return cmocka_run_group_tests_name("workloads.host", tests, NULL, NULL);
}
