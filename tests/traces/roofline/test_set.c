/* Tests of sets of runs and machines: letters, names, roofs of machines, watts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "traces/roofline/set.h"

#define RESULT(chip, nx)                                                               \
    "{\"schema_version\": 1, \"workload\": \"pcg\", \"chip\": \"" chip                 \
    "\", \"seconds\": 2, \"parameters\": {\"nx\": " nx                                 \
    "}, \"counters\": {\"flops\": 10, \"dram_bytes\": 4}, \"metrics\": {\"measured\":" \
    " true, \"note\": \"by hand\"}, \"roofs\": [{\"name\": \"DRAM\", \"unit\": "       \
    "\"bytes per second\", \"value\": 8, \"achieved\": 2, \"source\": \"measured "     \
    "here\"}]}"

static TraceMachine *find_machine(const char *name, bool is_published)
{
    static const TraceMachineRoof roofs[] = {
        {.name = "FP32",
         .source = "its file",
         .counter = "flops",
         .is_peak = true,
         .value = 50},
        {.name = "DRAM", .source = "its file", .counter = "dram_bytes", .value = 16},
    };
    TraceMachine *machine = NULL;

    assert_false(is_published);
    if (g_str_equal(name, "gpu")) {
        machine = trace_machine_new(name);
        machine->board_watts = 5;
        g_array_append_vals(machine->roofs, roofs, G_N_ELEMENTS(roofs));
    }
    return machine;
}

static TraceRun *run_of(const char *name, const char *text)
{
    TraceRun *run = trace_run_new(name, text, NULL, NULL);

    assert_non_null(run);
    return run;
}

static void a_run_of_a_machine_gets_its_roofs(void **state G_GNUC_UNUSED)
{
    g_auto(TraceRooflineSet) set = {0};

    trace_roofline_set_init(&set);
    set.find_machine = find_machine;
    assert_true(
        trace_roofline_set_add(&set, run_of("a/b.json", RESULT("gpu", "1")), NULL));
    assert_true(
        trace_roofline_set_add(&set, run_of("a/c.json", RESULT("other", "1")), NULL));

    const TraceRooflineRun *run = trace_roofline_set_run(&set, 0);

    assert_int_equal(run->roofs->len, 3);
    assert_string_equal(trace_roofline_run_roof(run, 0)->name, "DRAM, measured");
    assert_true(trace_roofline_run_roof(run, 1)->achieved == 5);
    assert_true(trace_roofline_run_roof(run, 2)->achieved == 2);
    assert_true(run->board_watts == 5);
    assert_int_equal(trace_roofline_set_run(&set, 1)->roofs->len, 1);
}

static void measured_runs_of_the_same_problem_come_along(void **state G_GNUC_UNUSED)
{
    g_autoptr(GPtrArray) measured = trace_runs_new();
    g_autoptr(TraceMachine) machine = find_machine("gpu", false);
    g_auto(TraceRooflineSet) set = {0};

    trace_roofline_set_init(&set);
    g_ptr_array_add(measured, run_of("small.json", RESULT("gpu", "1")));
    g_ptr_array_add(measured, run_of("large.json", RESULT("gpu", "9")));
    assert_true(
        trace_roofline_set_add(&set, run_of("own.json", RESULT("chip", "9")), NULL));
    trace_roofline_set_add_machine(&set, machine, measured, 1);
    trace_roofline_set_tell(&set);

    assert_int_equal(trace_roofline_set_count(&set), 3);
    assert_int_equal(trace_roofline_set_run_count(&set), 2);
    assert_string_equal(((const TraceRun *) g_ptr_array_index(set.files, 1))->name,
                        "large.json");
    g_autofree char *letter = trace_roofline_set_letter(&set, 1);
    g_autofree char *none = trace_roofline_set_letter(&set, 2);
    g_autofree char *name = trace_roofline_set_name(&set, 1);

    assert_string_equal(letter, "B");
    assert_string_equal(none, "");
    assert_string_equal(name, "pcg on gpu, measured");
    assert_int_equal(set.notes->len, 1);
    assert_string_equal(g_ptr_array_index(set.notes, 0), "A, B: by hand");
}

static void rates_per_watt_leave_out_what_is_not_known(void **state G_GNUC_UNUSED)
{
    g_auto(TraceRooflineSet) set = {0};
    g_auto(TraceRooflineSet) unknown = {0};

    trace_roofline_set_init(&set);
    trace_roofline_set_init(&unknown);
    set.find_machine = find_machine;
    assert_true(
        trace_roofline_set_add(&set, run_of("b.json", RESULT("gpu", "1")), NULL));
    assert_true(
        trace_roofline_set_add(&unknown, run_of("c.json", RESULT("x", "1")), NULL));

    assert_true(trace_roofline_set_per_watt(&set));
    assert_false(trace_roofline_set_per_watt(&unknown));

    const TraceRooflineRun *run = trace_roofline_set_run(&set, 0);
    g_autofree char *words = trace_roofline_set_words(
        &set, trace_roofline_set_done(&set, run, run->rate), true);

    assert_string_equal(words, "1 FLOP/s/W");
    assert_true(trace_roofline_set_run(&unknown, 0)->rate == 0);
}

/* The names of the roofs that matter for a run, joined by commas. */
static char *names_that_matter(const TraceRooflineSet *set, guint index)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);

        if (trace_roofline_set_matters(set, run, roof)) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? "; " : "",
                                   roof->name);
        }
    }
    return g_string_free(names, FALSE);
}

static void the_fullest_memory_and_unit_matter(void **state G_GNUC_UNUSED)
{
    static const TraceRooflineRoof roofs[] = {
        {.name = (char *) "low", .is_peak = true, .value = 4, .achieved = NAN},
        {.name = (char *) "high", .is_peak = true, .value = 50, .achieved = NAN},
        {.name = (char *) "higher", .is_peak = true, .value = 70, .achieved = NAN},
        {.name = (char *) "L2", .value = 30, .achieved = NAN},
        {.name = (char *) "DRAM", .value = 9, .achieved = NAN},
    };
    g_auto(TraceRooflineSet) set = {0};
    TraceRooflineRun *unknown = trace_roofline_run_new("x", "y", 0);

    trace_roofline_set_init(&set);
    set.find_machine = find_machine;
    assert_true(
        trace_roofline_set_add(&set, run_of("b.json", RESULT("gpu", "1")), NULL));
    unknown->rate = 5;
    for (gsize i = 0; i < G_N_ELEMENTS(roofs); i++) {
        trace_roofline_run_add(unknown, &roofs[i]);
    }
    g_ptr_array_add(set.runs, unknown);

    g_autofree char *used = names_that_matter(&set, 0);
    /* Of no use of it is anything known: DRAM, and the lowest peak above its rate. */
    g_autofree char *guessed = names_that_matter(&set, 1);

    set.is_every_roof = true;
    g_autofree char *all = names_that_matter(&set, 0);

    assert_string_equal(used, "DRAM, measured; FP32");
    assert_string_equal(guessed, "high; DRAM");
    assert_string_equal(all, "DRAM, measured; FP32; DRAM");
}

static void runs_of_different_sizes_are_told(void **state G_GNUC_UNUSED)
{
    g_auto(TraceRooflineSet) same = {0};
    g_auto(TraceRooflineSet) set = {0};
    static const char *const sizes[] = {RESULT("a", "9"), RESULT("b", "5"),
                                        RESULT("c", "9"), RESULT("d", "0")};

    trace_roofline_set_init(&same);
    trace_roofline_set_init(&set);
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        assert_true(trace_roofline_set_add(&set, run_of("r.json", sizes[i]), NULL));
        if (i % 2 == 0) {
            assert_true(
                trace_roofline_set_add(&same, run_of("r.json", sizes[i]), NULL));
        }
    }
    trace_roofline_set_warn_sizes(&set);
    trace_roofline_set_warn_sizes(&same);

    assert_int_equal(same.warnings->len, 0);
    assert_int_equal(set.warnings->len, 1);
    assert_string_equal(g_ptr_array_index(set.warnings, 0),
                        "pcg: runs of different sizes stand side by side: A, C 9; B 5");
    assert_string_equal(g_ptr_array_index(set.notes, 0),
                        g_ptr_array_index(set.warnings, 0));
}

static void names_of_runs(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRun) run = run_of("a/b.c.json", RESULT("x", "1"));
    g_autofree char *title = trace_run_title(run);
    g_autofree char *name = trace_run_short_name(run->name);
    g_autofree char *hidden = trace_run_short_name("a/.json");

    assert_string_equal(title, "pcg on x");
    assert_string_equal(name, "b.c");
    assert_string_equal(hidden, ".json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_a_machine_gets_its_roofs),
        cmocka_unit_test(measured_runs_of_the_same_problem_come_along),
        cmocka_unit_test(rates_per_watt_leave_out_what_is_not_known),
        cmocka_unit_test(the_fullest_memory_and_unit_matter),
        cmocka_unit_test(runs_of_different_sizes_are_told),
        cmocka_unit_test(names_of_runs),
    };

    return cmocka_run_group_tests_name("traces.roofline_set", tests, NULL, NULL);
}
