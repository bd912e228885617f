/* Runs a program through both doors and compares numbers and cycles. */
#include "tests/workloads/wafer/doors.h"

#include <string.h>

#include "tests/workloads/csl/wafer_rig.h"
#include "tests/workloads/machine.h"

/* What a run leaves in the last PE. */
typedef struct {
    int64_t cycles;
    int64_t numbers[DOORS_NUMBERS];
} Left;

static const char *or_nothing(const char *text)
{
    return text != NULL ? text : "";
}

/* Text that ends the work of a body. */
static const char *ending(const char *body, const char *call)
{
    return strstr(body, "done") != NULL ? "" : call;
}

static Left run_csl(const DoorsProgram *program, const char *chip)
{
    const guint width = MAX(program->width, 1);
    g_auto(CslRig) rig = {0};
    g_autofree char *code = g_strdup_printf(
        "extern fn gridloom_clock() u64; var out = @zeros([%d]i32);"
        "var start: u64 = 0; var cycles = @zeros([1]u32);"
        "fn done() void { const end = gridloom_clock(); cycles[0] = @as(u32, end - "
        "start); }\n%s\n"
        "task go() void { start = gridloom_clock();\n%s\n%s }\n"
        "comptime { @bind_local_task(go, @get_local_task_id(8)); }\n"
        "fn f() void { sys.unblock_cmd_stream(); @activate(@get_local_task_id(8)); }",
        DOORS_NUMBERS, or_nothing(program->before.csl), program->body.csl,
        ending(program->body.csl, "done();"));
    Left left = {0};

    if (g_str_equal(chip, "wse3")) {
        csl_rig_open_wse3(&rig, width, 1, or_nothing(program->routes.csl), code);
    } else {
        csl_rig_open_all(&rig, width, 1, or_nothing(program->routes.csl), code);
    }
    csl_rig_launch(&rig, "f", NULL, 0);
    left.cycles = csl_rig_integer(&rig, width - 1, 0, "cycles", 0);
    for (guint i = 0; i < DOORS_NUMBERS; i++) {
        left.numbers[i] = csl_rig_integer(&rig, width - 1, 0, "out", i);
    }
    return left;
}

static char *script_of(const DoorsProgram *program)
{
    const guint width = MAX(program->width, 1);

    return g_strdup_printf(
        "local w = host.wafer { columns = %u, rows = 1, layout = function(l)\n%s\n"
        "for px = 0, %u do l:set_tile_code({ px, 0 }, 'p' .. px, function(pe)\n"
        "local out = pe:array { name = 'out', type = 'i32', count = %d }\n"
        "local start = pe:array { name = 'start', type = 'u64', count = 1 }\n"
        "local cycles = pe:array { name = 'cycles', type = 'u32', count = 1 }\n"
        "local done = pe:fn('done', function() local stop = pe:get_timestamp()\n"
        "pe:store(cycles, 0, pe:as('u32', pe:operate('sub', 'u64', nil, stop, "
        "pe:load(start, 0)))) end)\n%s\n"
        "pe:bind_local_task(8, 'f', function()\n"
        "pe:store(start, 0, pe:get_timestamp())\n%s\n%s end)\n"
        "pe:activate(8) end) end end }\n"
        "w:launch()\n"
        "local b, n, last = host.buffer(%d), host.buffer(4), { %u, 0 }\n"
        "w:copy_from { name = 'cycles', buffer = n, count = 1, tiles = last }\n"
        "w:copy_from { name = 'out', buffer = b, count = %d, tiles = last }\n"
        "print(n:get('uint32', 0) | 0)\n"
        "for i = 0, %d do print(b:get('int32', i) | 0) end",
        width, or_nothing(program->routes.lua), width - 1, DOORS_NUMBERS,
        or_nothing(program->before.lua), program->body.lua,
        ending(program->body.lua, "pe:call(done)"), DOORS_NUMBERS * 4, width - 1,
        DOORS_NUMBERS, DOORS_NUMBERS - 1);
}

static Left run_lua(const DoorsProgram *program, const char *chip)
{
    const Machine machine = {.chip = chip};
    g_autofree char *text = script_of(program);
    g_auto(Result) result = machine_run_well(text, &machine);
    g_auto(GStrv) lines = g_strsplit(result_text(&result, "printed"), "\n", 0);
    Left left = {.cycles = g_ascii_strtoll(lines[0], NULL, 10)};

    assert_true(g_strv_length(lines) > DOORS_NUMBERS);
    for (guint i = 0; i < DOORS_NUMBERS; i++) {
        left.numbers[i] = g_ascii_strtoll(lines[i + 1], NULL, 10);
    }
    return left;
}

static void
expect_on(const DoorsProgram *program, const char *chip, const int32_t *expected)
{
    const Left csl = run_csl(program, chip);
    const Left lua = run_lua(program, chip);

    for (guint i = 0; i < DOORS_NUMBERS; i++) {
        if (csl.numbers[i] != expected[i] || lua.numbers[i] != expected[i]) {
            fail_msg("%s: out[%u]: CSL %d, Lua %d, expected %d", chip, i,
                     (int) csl.numbers[i], (int) lua.numbers[i], expected[i]);
        }
    }
    if (csl.cycles != lua.cycles) {
        fail_msg("%s: CSL takes %d cycles, Lua %d", chip, (int) csl.cycles,
                 (int) lua.cycles);
    }
    assert_true(csl.cycles > 0);
}

void doors_expect(const DoorsProgram *program, const int32_t *expected)
{
    expect_on(program, "wse2", expected);
    if (!program->is_wse2_only) {
        expect_on(program, "wse3", expected);
    }
}
