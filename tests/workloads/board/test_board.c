/* FPGA boards, as a script sees them: designs, sweeps, runs, and what is refused. */
#include <math.h>
#include <string.h>

#include "arch/error.h"
#include "tests/workloads/machine.h"
#include "workloads/error.h"

/* Of the shipped nero_ad9h7; the launch is set. */
static const Machine board = {.chip = "nero_ad9h7", .overrides = {"host.launch_us=30"}};
static const Machine timing_only = {
    .chip = "nero_ad9h7", .overrides = {"host.launch_us=30"}, .is_timing_only = true};

/* A board that gives `body`'s result of fields u and v, in windows of 4 x 2 x 3. */
#define PLAN(body)                                                                     \
    "local plan = { name = 'k', pes = 2, window = { 4, 2, 3 }, depth = 3, "            \
    "format = 'fp32', fields = { 'u', 'v' }, sweeps = { { name = 'forward', "          \
    "direction = 'up', results = { 'out' }, body = function(d) " body " end } } }\n"

#define FILL                                                                           \
    "local n = 4 * 4 * 3\n"                                                            \
    "local u, v, out = host.buffer(n * 4), host.buffer(n * 4), host.buffer(n * 4)\n"   \
    "for i = 0, n - 1 do u:set('fp32', i, i) v:set('fp32', i, 100 * i) end\n"          \
    "local function at(x, y, z) return out:get('fp32', (z * 4 + y) * 4 + x) end\n"

/* Runs it on 4 x 4 x 3 numbers, 0, 1, ... and 0, 100, ..., into `out`. */
#define RUN                                                                            \
    FILL "local board = host.board(plan)\n"                                            \
         "local cycles = board:run { nx = 4, ny = 4, nz = 3, data = 'host', "          \
         "inputs = { u, v }, outputs = { out } }\n"

static void assert_prints(const char *body, const char *expected)
{
    g_auto(Result) result = machine_run_well(body, &board);

    assert_string_equal(result_text(&result, "printed"), expected);
}

static void arithmetic_becomes_operators(void **state G_GNUC_UNUSED)
{
    assert_prints(PLAN("local u, v = d.field('u')(), d.field('v')() "
                       "return { (2 * u + v / 4 - u * v) - -(u - 1) }") RUN
                  "print(at(0, 0, 0), at(1, 0, 0), at(3, 2, 1))",
                  /* i = 0: -1; 1: 2 + 25 - 100 + 0; 27: 54 + 675 - 72900 + 26 */
                  "-1.0\t-73.0\t-72145.0\n");
}

static void numbers_are_taken_at_distances(void **state G_GNUC_UNUSED)
{
    assert_prints(PLAN("local u, v = d.field('u'), d.field('v') "
                       "return { u(1, 0, 0) - u(0, -1, 0) + v(0, 0, 1) }") RUN
                  /* 22 - 17 + 3700; beyond the last plane there is 0. */
                  "print(at(1, 1, 1), at(1, 1, 2))",
                  "3705.0\t5.0\n");
}

static void stages_and_selections(void **state G_GNUC_UNUSED)
{
    assert_prints(PLAN("local u = d.field('u') "
                       "local even = d.stage(d.select(u() - 20, u(), -1)) "
                       "return { even(1, 0) + 1000 * even(0, -1) }") RUN
                  /* i = 21: 22 + 1000 * -1; i = 25: 26 + 1000 * 21 */
                  "print(at(1, 1, 1), at(1, 2, 1))",
                  "-978.0\t21026.0\n");
}

/* A sum upwards, and its differences downwards. */
static void sweeps_carry_and_follow_each_other(void **state G_GNUC_UNUSED)
{
    assert_prints(
        "local plan = { name = 'k', pes = 1, window = { 4, 4, 3 }, depth = 3, "
        "format = 'fp32', fields = { 'u', 'v' }, sweeps = {\n"
        "{ name = 'forward', direction = 'up', results = { 'sum' }, body = function(d) "
        "local below = d.carry() local sum = below + d.field('u')() "
        "d.close(below, sum) return { sum } end },\n"
        "{ name = 'backward', direction = 'down', results = { 'out' }, body = "
        "function(d) local above = d.carry() "
        "d.close(above, d.result('sum')) "
        "return { d.field('sum')() * 10000 + above + 0 * d.field('v')() } end } } "
        "}\n" RUN "print(at(1, 0, 0), at(1, 0, 1), at(1, 0, 2))",
        /* 1, 1 + 17, 1 + 17 + 33 */
        "10018.0\t180051.0\t510000.0\n");
}

/* Where in a cycle channels are when it begins may make a difference of one or two. */
static void a_run_takes_its_launch_and_its_cycles(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        PLAN("return { d.field('u')() + d.field('v')() }") RUN
        "local first = host.now()\n"
        "board:prepare() local prepared = host.now()\n"
        "local again = board:run { nx = 4, ny = 4, nz = 3, data = 'host', "
        "inputs = { u, v }, outputs = { out } }\n"
        "print(math.abs(cycles - again) <= 2, math.abs(prepared - first - 30e-6) < "
        "1e-12, "
        "math.abs((host.now() - prepared) * host.number('chip.clock_hz') - again) < "
        "0.01, at(1, 1, 1))\n"
        "host.metric('cycles', cycles)",
        &board);

    assert_string_equal(result_text(&result, "printed"), "true\ttrue\ttrue\t2121.0\n");
    assert_seconds(&result, "launch_seconds", 60e-6);
}

static void memory_of_the_board_holds_grids(void **state G_GNUC_UNUSED)
{
    assert_prints(
        PLAN("return { d.field('u')() - d.field('v')() }") FILL
        "local board = host.board(plan)\n"
        "local a, b, c = host.allocate(n * 4), host.allocate(n * 4), "
        "host.allocate(n * 4)\n"
        "out:fill_with('fp32', 7)\n"
        "host.upload(u, a) host.upload(v, b) host.upload(out, c)\n"
        "board:run { nx = 4, ny = 4, nz = 3, border = 1, inputs = { a, b }, outputs = "
        "{ c } }\n"
        "host.download(c, out)\n"
        "print(at(0, 1, 1), at(1, 1, 1), at(2, 2, 2), at(2, 3, 2))",
        "7.0\t-2079.0\t-4158.0\t7.0\n");
}

static void without_data_it_takes_as_long(void **state G_GNUC_UNUSED)
{
    static const char body[] =
        PLAN("return { d.field('u')() + d.field('v')() }") RUN "print(cycles)";
    g_auto(Result) with = machine_run_well(body, &board);
    g_auto(Result) without = machine_run_well(body, &timing_only);

    assert_string_equal(result_text(&with, "printed"),
                        result_text(&without, "printed"));
}

static void boards_tell_what_they_are_and_did(void **state G_GNUC_UNUSED)
{
    assert_prints(
        PLAN("return { d.field('u')(1, 0, 0) + d.field('v')() }") RUN
        "local plan, use = board:plan(), board:use()\n"
        "local names = {} for i, r in ipairs(board:resources()) do names[i] = r.name "
        "end\n"
        "print(table.concat(names, ' '), plan.pes, plan.buffers, plan.sweeps[1].name, "
        "plan.sweeps[1].interval)\n"
        "print(use.windows, use.padded_points, use.link_bytes > 0, use.joules > 0, "
        "board.watts > 0, #board:buffers() > 0)\n"
        "local sums = {} for _, part in ipairs(board:parts()) do "
        "local name = part.pe .. part.part sums[name] = (sums[name] or 0) + "
        "part.cycles end\n"
        "for name, sum in pairs(sums) do print(name, sum > 0) end",
        "BRAM URAM DSP FF LUT\t2\t2\tforward\t1\n"
        "2\t0\ttrue\ttrue\ttrue\ttrue\n"
        "0forward\ttrue\n0reader\ttrue\n0writer\ttrue\n"
        "1forward\ttrue\n1reader\ttrue\n1writer\ttrue\n");
}

static void energy_is_of_what_is_measured(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result = machine_run_well(
        PLAN("return { d.field('u')() + d.field('v')() }") FILL
        "local board = host.board(plan)\n"
        "local function run() board:run { nx = 4, ny = 4, nz = 3, data = 'host', "
        "inputs = { u, v }, outputs = { out } } end\n"
        "run() local once = board:use().joules\n"
        "host.measure(run)\n"
        "print(math.abs(board:use().joules / once - 2) < 0.01)\n"
        "host.metric('once', once)",
        &board);

    assert_string_equal(result_text(&result, "printed"), "true\n");
    const double once =
        json_object_get_double_member(result_object(&result, "metrics"), "once");

    assert_true(fabs(result_number(&result, "energy_joules") / once - 1) < 0.01);
}

static void try_board_says_why_not(void **state G_GNUC_UNUSED)
{
    assert_prints(
        PLAN("return { d.field('u')() + d.field('v')() }") "plan.pes = 17\n"
                                                           "local made, why = "
                                                           "host.try_board(plan)\n"
                                                           "print(made, why)\n"
                                                           "plan.pes = 16 "
                                                           "print((host.try_board(plan)"
                                                           ") ~= nil)",
        "nil\tdesign k: 17 PEs, but nero_ad9h7 has 16 memory ports, one for "
        "each PE\ntrue\n");
}

typedef struct {
    const char *change;  /* of the plan, or a call */
    const char *message; /* first line, without the place */
} Refusal;

static void assert_refused(const char *before, const Refusal *refusals, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        g_autofree char *body = g_strconcat(before, refusals[i].change, NULL);
        g_auto(Result) result = machine_run(body, &board);

        if (!json_object_has_member(result.root, "error")) {
            fail_msg("%s: it runs, expected %s", refusals[i].change,
                     refusals[i].message);
        }
        g_auto(GStrv) lines = g_strsplit(result_text(&result, "error"), "\n", 2);
        const char *said = strstr(lines[0], ": ");

        if (said == NULL || !g_str_equal(said + 2, refusals[i].message)) {
            fail_msg("%s: %s, expected %s", refusals[i].change, lines[0],
                     refusals[i].message);
        }
    }
}

static void plans_are_refused(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"host.board()", "bad argument #1 to 'board' (table expected, got no value)"},
        {"plan.pes = 0 host.board(plan)", "pes: expected an integer of 1 to 65535"},
        {"plan.window = { 4, 2 } host.board(plan)", "window: expected { x, y, z }"},
        {"plan.window = { 4, 2, 0 } host.board(plan)",
         "window: expected three integers of 1 to 65535"},
        {"plan.format = 'bf16' host.board(plan)", "format: expected one of fp32, fp16"},
        {"plan.fields = {} host.board(plan)",
         "fields: expected a list of 1 to 64 names"},
        {"plan.fields = { 'u', 'u' } host.board(plan)", "fields: 'u' is there twice"},
        {"plan.fields = { 'u', 2 } host.board(plan)",
         "fields: expected a list of names"},
        {"plan.sweeps = {} host.board(plan)", "sweeps: expected a list of 1 to 2"},
        {"plan.sweeps = { 1 } host.board(plan)", "sweeps: expected a list of tables"},
        {"plan.sweeps[1].direction = 'east' host.board(plan)",
         "direction: expected one of up, down"},
        {"plan.sweeps[1].results = {} host.board(plan)",
         "results: expected a list of 1 to 64 names"},
        {"for i = 1, 65 do plan.sweeps[1].results[i] = 'r' .. i end host.board(plan)",
         "results: expected a list of 1 to 64 names"},
        {"plan.sweeps[1].results = { 'u' } host.board(plan)",
         "results: there is a 'u' already"},
        {"plan.sweeps[1].body = 1 host.board(plan)", "body: expected function(d)"},
        {"plan.depth = nil host.board(plan)",
         "depth: expected an integer of 1 to 65535"},
        {"plan.size = 1 host.board(plan)",
         "unknown field 'size'; known: name, pes, window, depth, format, fields, "
         "sweeps, lanes, partition, buffers"},
        {"plan.buffers = 3 host.board(plan)", "buffers: expected an integer of 0 to 2"},
    };

    assert_refused(PLAN("return { d.field('u')() + d.field('v')() }"), refusals,
                   G_N_ELEMENTS(refusals));
}

static void bodies_are_refused(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"body(function(d) d.field('w') end)", "field 'w' is not there"},
        {"body(function(d) d.result('u') end)", "result 'u' is not there"},
        {"body(function(d) d.field('u')(65) end)",
         "bad argument #1 to '?' (farther than 64 points)"},
        {"body(function(d) d.field('u')(0, 0, 0, 1) end)",
         "bad argument #4 to '?' (too many)"},
        {"body(function(d) return d.field('u')() end)",
         "sweep forward: the body returns no list of 1 values"},
        {"body(function(d) return { d.field('u') } end)",
         "sweep forward: result 1 is no value of it"},
        {"body(function(d) d.stage('x') end)",
         "bad argument #1 to 'stage' (value of a sweep or number expected, got "
         "string)"},
        {"body(function(d) return { d.field('u')() + 'x' } end)",
         "bad argument #2 to 'add' (value of a sweep or number expected, got string)"},
        {"body(function(d) return { d.field('u')() + 1 / 0 } end)",
         "bad argument #2 to 'add' (not finite)"},
        {"local kept body(function(d) kept = d.field('u')() return { kept } end) "
         "print(kept + 1)",
         "the sweep is complete: its body has ended"},
        {"local kept body(function(d) kept = d return { d.field('u')() } end) "
         "kept.carry()",
         "the sweep is complete: its body has ended"},
        {"local kept body(function(d) kept = d.field('u')() return { kept } end) "
         "body(function(d) return { d.field('u')() + kept } end)",
         "bad argument #2 to 'add' (a value of another sweep)"},
        {"body(function(d) d.close(1, 2) end)",
         "bad argument #1 to 'close' (gridloom.board_value expected, got number)"},
        {"body(function(d) d.close(d.field('u')(), 2) end)",
         "bad argument #1 to 'close' (no carry)"},
        {"body(function(d) local u = d.field('u')() for i = 1, 4096 do u = u + i end "
         "return { u } end)",
         "a sweep has more than 4096 values"},
        {"body(function(d) local c = d.carry() for i = 1, 5000 do d.close(c, i) end "
         "return { c } end)",
         "a sweep has more than 4096 values"},
    };

    assert_refused(PLAN("") "local function body(f) plan.sweeps[1].body = f "
                            "host.board(plan) end\n",
                   refusals, G_N_ELEMENTS(refusals));
}

static void runs_are_refused(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"run { nx = 0 }", "nx: expected an integer of 1 to 65535"},
        {"run { data = 'disk' }", "data: expected one of board, host, chip"},
        {"run { inputs = { u } }", "inputs: expected a list of 2"},
        {"run { outputs = 3 }", "outputs: expected a list of 1"},
        {"run { inputs = { u, host.buffer(4) } }",
         "inputs[2]: the buffer is not as large as the grid"},
        {"run { data = 'board' }", "inputs[1]: expected an address"},
        {"run { width = 1 }", "unknown field 'width'; known: nx, ny, nz, border, "
                              "rounds, next, data, inputs, "
                              "outputs"},
        {"board:prepare() board:prepare()",
         "board:prepare(): it is prepared already, run it"},
        {"host.board(plan) run {}",
         "another host.board has taken the place of this one"},
        {"host.board(plan) print(board.watts)",
         "another host.board has taken the place of this one"},
    };

    assert_refused(
        PLAN("return { d.field('u')() + d.field('v')() }") FILL
        "local board = host.board(plan)\n"
        "local function run(changed) local job = { nx = 4, ny = 4, nz = 3, data = "
        "'host', inputs = { u, v }, outputs = { out } } for name, value in "
        "pairs(changed) do job[name] = value end board:run(job) end\n",
        refusals, G_N_ELEMENTS(refusals));
}

/* What the second sweep takes of the first one's results has arrays for so many planes.
 */
static void grids_are_no_higher_than_the_design_reaches(void **state G_GNUC_UNUSED)
{
    static const Refusal refusals[] = {
        {"run(4)", "grid of 4x4x4: sweeps take numbers of other planes, and the design "
                   "has arrays for grids of at most 3"},
    };

    assert_refused(
        "local plan = { name = 'k', pes = 1, window = { 4, 4, 3 }, depth = 3, format = "
        "'fp32', fields = { 'u' }, sweeps = {\n"
        "{ name = 'first', direction = 'up', results = { 'twice' }, body = function(d) "
        "return { 2 * d.field('u')() } end },\n"
        "{ name = 'second', direction = 'up', results = { 'out' }, body = function(d) "
        "return { d.field('twice')(0, 0, 1) } end } } }\n"
        "local board = host.board(plan)\n"
        "local function run(nz) board:run { nx = 4, ny = 4, nz = nz, data = 'host', "
        "inputs = { host.buffer(64 * nz) }, outputs = { host.buffer(64 * nz) } } end\n"
        "run(3) run(2)\n",
        refusals, G_N_ELEMENTS(refusals));
}

static void other_chips_are_no_boards(void **state G_GNUC_UNUSED)
{
    static const char *const chips[] = {"wormhole_n300", "wse2"};

    for (guint i = 0; i < G_N_ELEMENTS(chips); i++) {
        const Machine machine = {.chip = chips[i]};
        g_auto(Result) result = machine_run("host.board {}", &machine);
        g_autofree char *message =
            g_strdup_printf("t.lua:2: %s is no FPGA board", chips[i]);

        assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME, message);
    }
    g_auto(Result) result = machine_run("host.wafer {}", &board);

    assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME,
                  "t.lua:2: nero_ad9h7 is no wafer");
}

static void boards_have_no_dram_buffers(void **state G_GNUC_UNUSED)
{
    g_auto(Result) result =
        machine_run("host.dram_buffer { pages = 1, page_bytes = 64 }", &board);

    assert_failed(&result, WL_ERROR, WL_ERROR_RUNTIME,
                  "t.lua:2: nero_ad9h7 has no DRAM with banks for buffers");
}

/* u + 1 from host memory cannot step; on the board 3 steps add 3, into the result and
 * its input by turns. */
static void rounds_can_be_time_steps(void **state G_GNUC_UNUSED)
{
    static const char steps[] =
        "local a, b, w = host.allocate(n * 4), host.allocate(n * 4), host.allocate(n * "
        "4)\n"
        "host.upload(u, a) host.upload(u, b) host.upload(v, w)\n"
        "local board = host.board(plan)\n"
        "board:run { nx = 4, ny = 4, nz = 3, rounds = 3, next = 1, inputs = { a, w }, "
        "outputs = { b } }\n"
        "host.download(b, out) print(at(0, 0, 0), at(1, 0, 0))\n"
        "host.download(a, out) print(at(0, 0, 0), at(1, 0, 0))";
    g_autofree char *body =
        g_strconcat(PLAN("return { d.field('u')() + 1 }") FILL, steps, NULL);

    assert_prints(body, "3.0\t4.0\n2.0\t3.0\n");
}

/* The second job takes what the first has written; there is one launch. */
static void jobs_wait_in_the_queue_of_the_board(void **state G_GNUC_UNUSED)
{
    static const char queue[] =
        "local a, b, w = host.allocate(n * 4), host.allocate(n * 4), host.allocate(n * "
        "4)\n"
        "host.upload(u, a) host.upload(u, b) host.upload(v, w)\n"
        "local board = host.board(plan)\n"
        "local function job(from, to) return { nx = 4, ny = 4, nz = 3, "
        "inputs = { from, w }, outputs = { to } } end\n"
        "local cycles, ends = board:run_all { job(a, b), job(b, a) }\n"
        "host.download(a, out) print(at(0, 0, 0), at(1, 0, 0))\n"
        "print(#ends, cycles == ends[2], math.abs(ends[2] - 2 * ends[1]) < 300)\n"
        "print(pcall(board.run_all, board, {}))";
    g_autofree char *body =
        g_strconcat(PLAN("return { d.field('u')() + 1 }") FILL, queue, NULL);

    assert_prints(body, "2.0\t3.0\n2\ttrue\ttrue\n"
                        "false\tboard:run_all: expected a list of 1 to 1024 jobs\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_becomes_operators),
        cmocka_unit_test(numbers_are_taken_at_distances),
        cmocka_unit_test(stages_and_selections),
        cmocka_unit_test(sweeps_carry_and_follow_each_other),
        cmocka_unit_test(a_run_takes_its_launch_and_its_cycles),
        cmocka_unit_test(memory_of_the_board_holds_grids),
        cmocka_unit_test(without_data_it_takes_as_long),
        cmocka_unit_test(boards_tell_what_they_are_and_did),
        cmocka_unit_test(energy_is_of_what_is_measured),
        cmocka_unit_test(try_board_says_why_not),
        cmocka_unit_test(plans_are_refused),
        cmocka_unit_test(bodies_are_refused),
        cmocka_unit_test(runs_are_refused),
        cmocka_unit_test(grids_are_no_higher_than_the_design_reaches),
        cmocka_unit_test(other_chips_are_no_boards),
        cmocka_unit_test(boards_have_no_dram_buffers),
        cmocka_unit_test(rounds_can_be_time_steps),
        cmocka_unit_test(jobs_wait_in_the_queue_of_the_board),
    };

    return cmocka_run_group_tests_name("workloads.board", tests, NULL, NULL);
}
