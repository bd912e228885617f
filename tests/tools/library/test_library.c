/* libgridloom as programs see it: runs, results, arrays, progress, and every error as
 * one line with the command's exit code. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/folder.h"
#include "tools/library/gridloom.h"

/* Echoes its array, and does what `task` says. */
static const char script[] =
    "return { summary = 'a script for a test', chips = { 'tensix' },\n"
    "inputs = { { name = 'a', help = 'numbers' } },\n"
    "outputs = { { name = 'b', help = 'the same numbers' } },\n"
    "parameters = { { name = 'task', type = 'text', default = 'echo', help = 'what to "
    "do' } "
    "},\n"
    "run = function(host, p)\n"
    "  print('task ' .. p.task)\n"
    "  host.metric('odd', { ['/~'] = { 1, 2.5, 'three' } })\n"
    "  if p.task == 'long' then\n"
    "    host.progress(0.25)\n"
    "    for _ = 1, 100000000 do host.sleep(1e-6) end\n"
    "  elseif p.task == 'wrong' then\n"
    "    host.check { error = 2, tolerance = 1, reference = 'nothing' }\n"
    "  end\n"
    "  local b, shape, format = host.load('a')\n"
    "  if b then host.save(b, 'b', { shape = shape, format = format }) end\n"
    "end }\n";

/* Failed with this code, and the line has these words. */
static void
assert_failed(const Gridloom *chip, int code, int expected, const char *words)
{
    if (code != expected || strstr(gridloom_error(chip), words) == NULL) {
        fail_msg("code %d, '%s'; expected %d, '%s'", code, gridloom_error(chip),
                 expected, words);
    }
    assert_null(strchr(gridloom_error(chip), '\n'));
}

typedef struct {
    Folder folder;
    Gridloom *chip;
} Bench;

static int bench_new(void **state)
{
    Bench *self = g_new0(Bench, 1);

    self->folder = folder_new();
    *state = self;
    assert_int_equal(gridloom_open(&self->chip, "wormhole_n300"), GRIDLOOM_DONE);
    assert_failed(self->chip,
                  gridloom_load(self->chip, GRIDLOOM_SCRIPT,
                                folder_write(&self->folder, "script.lua", script, -1)),
                  GRIDLOOM_DONE, "");
    return 0;
}

static int bench_free(void **state)
{
    Bench *self = *state;

    gridloom_close(self->chip);
    folder_clear(&self->folder);
    g_free(self);
    return 0;
}

static void runs_follow_one_another(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;
    const char *text;
    double seconds[2];

    for (guint i = 0; i < 2; i++) {
        assert_int_equal(gridloom_set(chip, "pcie.host_to_device_latency_ns",
                                      i == 0 ? NULL : "100000"),
                         GRIDLOOM_DONE);
        assert_int_equal(gridloom_load(chip, GRIDLOOM_SCRIPT, "transfer"),
                         GRIDLOOM_DONE);
        assert_int_equal(gridloom_param(chip, "max_bytes", "512"), GRIDLOOM_DONE);
        assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
        assert_int_equal(
            gridloom_number(chip, "/metrics/transfer_seconds", &seconds[i]),
            GRIDLOOM_DONE);
        assert_int_equal(gridloom_text(chip, "/check/status", &text), GRIDLOOM_DONE);
        assert_string_equal(text, "pass");
        assert_string_equal(gridloom_error(chip), "");
    }
    assert_true(seconds[1] > seconds[0]);
}

static void members_are_found_by_pointers(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;
    const char *text;
    double number;

    assert_failed(chip, gridloom_number(chip, "/cycles", &number), GRIDLOOM_INPUT,
                  "no result");
    assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
    assert_string_equal(gridloom_printed(chip), "task echo\n");
    assert_int_equal(gridloom_number(chip, "/metrics/odd/~1~0/1", &number),
                     GRIDLOOM_DONE);
    assert_true(number == 2.5);
    assert_int_equal(gridloom_text(chip, "/metrics/odd/~1~0", &text), GRIDLOOM_DONE);
    assert_string_equal(text, "[1,2.5,\"three\"]");
    assert_int_equal(gridloom_text(chip, "", &text), GRIDLOOM_DONE);
    assert_true(*text == '{' && *gridloom_result(chip) == '{');
    assert_failed(chip, gridloom_number(chip, "/metrics/odd/~1~0/3", &number),
                  GRIDLOOM_INPUT, "the result has no /metrics/odd/~1~0/3");
    assert_failed(chip, gridloom_number(chip, "/check/status", &number), GRIDLOOM_INPUT,
                  "no number");
    assert_failed(chip, gridloom_text(chip, "cycles", &text), GRIDLOOM_INPUT,
                  "'cycles' is no JSON pointer");
}

static void arrays_go_in_and_out(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;
    const float numbers[] = {1, -2, 3.5F, 4, 5, 6e30F};
    const uint64_t shape[] = {2, 3};
    GridloomArray array = {GRIDLOOM_FLOAT32, 2, shape, numbers};

    assert_int_equal(gridloom_input(chip, "a", &array), GRIDLOOM_DONE);
    assert_int_equal(gridloom_output(chip, "b"), GRIDLOOM_DONE);
    assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_array(chip, "b", &array), GRIDLOOM_DONE);
    assert_int_equal(array.type, GRIDLOOM_FLOAT32);
    assert_int_equal(array.dimension_count, 2);
    assert_memory_equal(array.shape, shape, sizeof shape);
    assert_memory_equal(array.data, numbers, sizeof numbers);
    assert_ptr_not_equal(array.data, numbers);
    assert_failed(chip, gridloom_array(chip, "a", &array), GRIDLOOM_INPUT,
                  "no output a of the last run");
    /* Without the input nothing is saved, and nothing of the run before is left. */
    assert_int_equal(gridloom_input(chip, "a", NULL), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_run(chip, NULL, NULL), GRIDLOOM_INPUT, "b");
    assert_failed(chip, gridloom_array(chip, "b", &array), GRIDLOOM_INPUT, "no result");
}

static void types_and_shapes_stay_as_they_are(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;
    const uint16_t bits[] = {0x3f80, 0xc000};
    const int32_t whole[] = {-7};
    GridloomArray array = {GRIDLOOM_UINT16, 1, (const uint64_t[]){2}, bits};

    assert_int_equal(gridloom_output(chip, "b"), GRIDLOOM_DONE);
    assert_int_equal(gridloom_input(chip, "a", &array), GRIDLOOM_DONE);
    assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_array(chip, "b", &array), GRIDLOOM_DONE);
    assert_int_equal(array.type, GRIDLOOM_UINT16);
    assert_memory_equal(array.data, bits, sizeof bits);
    array = (GridloomArray){GRIDLOOM_INT32, 0, NULL, whole};
    assert_int_equal(gridloom_input(chip, "a", &array), GRIDLOOM_DONE);
    assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_array(chip, "b", &array), GRIDLOOM_DONE);
    assert_int_equal(array.type, GRIDLOOM_INT32);
    assert_int_equal(array.dimension_count, 0);
    assert_int_equal(*(const int32_t *) array.data, -7);
}

static void wrong_arrays_are_one_line(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;
    const float numbers[] = {0, NAN};
    const uint64_t huge[] = {UINT64_C(1) << 40, UINT64_C(1) << 40};
    const uint64_t two[] = {2};
    const struct {
        GridloomArray array;
        const char *says;
    } cases[] = {
        {{7, 1, two, numbers}, "type 7"},
        {{GRIDLOOM_FLOAT32, 33, two, numbers}, "33 dimensions"},
        {{GRIDLOOM_FLOAT32, 1, NULL, numbers}, "1 dimensions"},
        {{GRIDLOOM_FLOAT32, 2, huge, numbers}, "more numbers"},
        {{GRIDLOOM_FLOAT32, 1, two, NULL}, "without data"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_failed(chip, gridloom_input(chip, "a", &cases[i].array), GRIDLOOM_INPUT,
                      cases[i].says);
    }
    assert_failed(chip, gridloom_input(chip, "../a", &cases[0].array), GRIDLOOM_INPUT,
                  "'../a' is no name of an array");
    assert_int_equal(
        gridloom_input(chip, "a", &(GridloomArray){GRIDLOOM_FLOAT32, 1, two, numbers}),
        GRIDLOOM_DONE);
    assert_failed(chip, gridloom_run(chip, NULL, NULL), GRIDLOOM_INPUT, "a.npy: ");
    assert_null(strstr(gridloom_error(chip), "/in/")); /* the folder of files */
    assert_int_equal(gridloom_input(chip, "a", NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_output(chip, "c"), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_check(chip), GRIDLOOM_INPUT,
                  "no output 'c'; known: b");
}

typedef struct {
    GridloomProgress last;
    guint count;
    guint stop_at; /* 0: never */
} Looks;

static int look(void *data, const GridloomProgress *progress)
{
    Looks *self = data;

    assert_true(progress->cycles >= self->last.cycles);
    assert_true(progress->wall_seconds >= self->last.wall_seconds);
    self->last = *progress;
    self->count += 1;
    return self->stop_at > 0 && progress->fraction > 0 && self->count >= self->stop_at;
}

static void a_run_can_be_stopped_and_the_next_one_works(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;
    Looks looks = {.stop_at = 3};

    assert_int_equal(gridloom_param(chip, "task", "long"), GRIDLOOM_DONE);
    assert_int_equal(gridloom_option(chip, "livelock-cycles", "0"), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_run(chip, look, &looks), GRIDLOOM_INTERRUPTED,
                  "interrupted");
    assert_true(looks.count >= 3);
    assert_true(looks.last.fraction == 0.25);
    assert_true(looks.last.cycles > 0 && looks.last.seconds > 0);
    assert_null(gridloom_result(chip));
    assert_int_equal(gridloom_param(chip, "task", NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
}

static void codes_are_those_of_the_command(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;
    const char *text;

    assert_int_equal(gridloom_param(chip, "task", "wrong"), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_run(chip, NULL, NULL), GRIDLOOM_CHECK, "check failed");
    assert_int_equal(gridloom_text(chip, "/check/status", &text), GRIDLOOM_DONE);
    assert_string_equal(text, "fail");
    assert_int_equal(gridloom_param(chip, "task", "long"), GRIDLOOM_DONE);
    assert_int_equal(gridloom_option(chip, "limit-cycles", "5000"), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_run(chip, NULL, NULL), GRIDLOOM_STOPPED,
                  "cycle limit");
}

static void what_is_wrong_is_found_before_the_run(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;

    assert_int_equal(gridloom_check(chip), GRIDLOOM_DONE);
    assert_int_equal(gridloom_param(chip, "tusk", "echo"), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_check(chip), GRIDLOOM_INPUT, "tusk");
    assert_int_equal(gridloom_param(chip, "tusk", NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_set(chip, "noc.hop", "3"), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_check(chip), GRIDLOOM_INPUT, "noc.hop = 3");
    assert_int_equal(gridloom_set(chip, "noc.hop", NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_option(chip, "threads", "none"), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_run(chip, NULL, NULL), GRIDLOOM_INPUT, "--threads");
    assert_int_equal(gridloom_option(chip, "threads", NULL), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_option(chip, "json", "x"), GRIDLOOM_INPUT,
                  "gridloom_result()");
    assert_failed(chip, gridloom_option(chip, "--quiet", ""), GRIDLOOM_INPUT,
                  "no name of an option");
    assert_failed(chip, gridloom_param(chip, "a=b", "1"), GRIDLOOM_INPUT, "'a=b'");
    assert_failed(chip, gridloom_set(chip, NULL, "1"), GRIDLOOM_INPUT, "''");
    assert_int_equal(gridloom_check(chip), GRIDLOOM_DONE);
    assert_failed(chip, gridloom_load(chip, GRIDLOOM_SCRIPT, "no.lua"), GRIDLOOM_INPUT,
                  "no.lua: no such script");
    assert_failed(chip, gridloom_run(chip, NULL, NULL), GRIDLOOM_INPUT,
                  "nothing is loaded");
    assert_failed(chip, gridloom_load(chip, 3, "pcg"), GRIDLOOM_INPUT, "kind 3");
    assert_failed(chip, gridloom_load(chip, GRIDLOOM_METAL, "no.cpp"), GRIDLOOM_INPUT,
                  "no.cpp: no such file");
    assert_failed(chip, gridloom_load(chip, GRIDLOOM_SCRIPT, NULL), GRIDLOOM_INPUT,
                  "nothing is named");
    assert_failed(chip, gridloom_load(chip, GRIDLOOM_SCRIPT, "stencil25"),
                  GRIDLOOM_DONE, "");
}

static void a_chip_that_is_not_there_can_be_closed(void **state)
{
    Gridloom *chip;
    int code = gridloom_open(&chip, "wormhole_n999");

    (void) state;
    assert_failed(chip, code, GRIDLOOM_INPUT, "wormhole_n999");
    assert_null(gridloom_chip(chip));
    gridloom_close(chip);
    gridloom_close(NULL);
}

static void the_usual_chip_is_the_script_s(void **state)
{
    Gridloom *chip;
    const char *name;

    (void) state;
    assert_int_equal(gridloom_open(&chip, NULL), GRIDLOOM_DONE);
    assert_null(gridloom_chip(chip));
    assert_int_equal(gridloom_load(chip, GRIDLOOM_SCRIPT, "transfer"), GRIDLOOM_DONE);
    assert_int_equal(gridloom_param(chip, "max_bytes", "64"), GRIDLOOM_DONE);
    assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
    assert_int_equal(gridloom_text(chip, "/chip", &name), GRIDLOOM_DONE);
    assert_string_equal(name, "wormhole_n300");
    gridloom_close(chip);
}

static void a_chip_has_its_numbers(void **state)
{
    Bench *self = *state;

    assert_non_null(strstr(gridloom_chip(self->chip), "\"hop_cycles\""));
}

static void without_the_program_nothing_opens(void **state)
{
    Gridloom *chip;
    int code;

    (void) state;
    assert_true(g_setenv("GRIDLOOM", "/dev/null", TRUE));
    code = gridloom_open(&chip, "wse2");
    g_unsetenv("GRIDLOOM");
    assert_failed(chip, code, GRIDLOOM_INPUT, "set GRIDLOOM to its path");
    assert_failed(chip, gridloom_load(chip, GRIDLOOM_SCRIPT, "pcg"), GRIDLOOM_INPUT,
                  "nothing is open");
    assert_failed(chip, gridloom_run(chip, NULL, NULL), GRIDLOOM_INPUT,
                  "nothing is open");
    gridloom_close(chip);
}

static void who_waits_for_all_children_is_told(void **state)
{
    Gridloom *chip = ((Bench *) *state)->chip;

    (void) signal(SIGCHLD, SIG_IGN);
    const int code = gridloom_run(chip, NULL, NULL);
    (void) signal(SIGCHLD, SIG_DFL);
    assert_failed(chip, code, GRIDLOOM_STOPPED, "SIGCHLD");
    assert_int_equal(gridloom_run(chip, NULL, NULL), GRIDLOOM_DONE);
}

static gpointer run_alone(gpointer data)
{
    void *state = NULL;

    (void) bench_new(&state);
    *(int *) data = gridloom_run(((Bench *) state)->chip, NULL, NULL);
    (void) bench_free(&state);
    return NULL;
}

static void threads_may_each_have_their_own(void **state)
{
    int codes[] = {-1, -1};
    GThread *threads[G_N_ELEMENTS(codes)];

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
        threads[i] = g_thread_new("run", run_alone, &codes[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
        (void) g_thread_join(threads[i]);
        assert_int_equal(codes[i], GRIDLOOM_DONE);
    }
}

#define WITH_BENCH(test) cmocka_unit_test_setup_teardown(test, bench_new, bench_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BENCH(runs_follow_one_another),
        WITH_BENCH(members_are_found_by_pointers),
        WITH_BENCH(arrays_go_in_and_out),
        WITH_BENCH(types_and_shapes_stay_as_they_are),
        WITH_BENCH(wrong_arrays_are_one_line),
        WITH_BENCH(a_run_can_be_stopped_and_the_next_one_works),
        WITH_BENCH(codes_are_those_of_the_command),
        WITH_BENCH(what_is_wrong_is_found_before_the_run),
        WITH_BENCH(a_chip_has_its_numbers),
        WITH_BENCH(who_waits_for_all_children_is_told),
        cmocka_unit_test(a_chip_that_is_not_there_can_be_closed),
        cmocka_unit_test(the_usual_chip_is_the_script_s),
        cmocka_unit_test(without_the_program_nothing_opens),
        cmocka_unit_test(threads_may_each_have_their_own),
    };

    /* The program that is beside the library. */
    g_unsetenv("GRIDLOOM");
    return cmocka_run_group_tests_name("tools.library/library", tests, NULL, NULL);
}
