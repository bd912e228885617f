/* Tests of routing files: what they may say, how they fail, what they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arch/error.h"
#include "tests/workloads/folder.h"
#include "workloads/error.h"
#include "workloads/routing.h"

#define EXAMPLES GRIDLOOM_SOURCE_DIR "/workloads/routing/"

/* A file whose function has this body, on its second line. */
#define NEXT(body)                                                                     \
    "return { summary = 's', next = function(x, y, tx, ty, grid)\n" body "\nend }"
#define XY                                                                             \
    "if x ~= tx then return x < tx and x + 1 or x - 1, y end "                         \
    "return x, y < ty and y + 1 or y - 1 "
#define AROUND                                                                         \
    "if x ~= tx then return 'east' end "                                               \
    "return 'south' "

typedef uint32_t (*NextFunc)(guint x, guint y, guint tx, guint ty, guint width);

static WlSandboxConfig small_config(void)
{
    WlSandboxConfig config = wl_sandbox_config_default();

    config.memory_bytes = 64 << 20;
    config.steps = 1000000;
    return config;
}

static ArchNocRoutes *
load(Folder *folder, const char *text, ArchNocTopology topology, GError **error)
{
    WlSandboxConfig config = small_config();

    return wl_routing_load(folder_write(folder, "my.lua", text, -1), &config, topology,
                           4, 3, error);
}

/* Refused on a grid of 4x3, with that message after the folder. */
static void assert_refused(const char *text,
                           ArchNocTopology topology,
                           GQuark domain,
                           int code,
                           const char *message)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchNocRoutes) routes = load(&folder, text, topology, &error);
    g_autofree char *expected = g_strdup_printf("%s/%s", folder.path, message);

    assert_null(routes);
    if (!g_error_matches(error, domain, code)) {
        fail_msg("%s\ngives (%d) %s", text, error->code, error->message);
    }
    error->message[strcspn(error->message, "\n")] = '\0';
    assert_string_equal(error->message, expected);
}

static void assert_malformed(const char *text, const char *message)
{
    assert_refused(text, ARCH_NOC_MESH, WL_ERROR, WL_ERROR_SYNTAX, message);
}

static void assert_raises(const char *text, const char *message)
{
    assert_refused(text, ARCH_NOC_MESH, WL_ERROR, WL_ERROR_RUNTIME, message);
}

static void assert_invalid(const char *text, const char *message)
{
    assert_refused(text, ARCH_NOC_MESH, ARCH_ERROR, ARCH_ERROR_INVALID, message);
}

static void assert_loads(const char *text, ArchNocTopology topology)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchNocRoutes) routes = load(&folder, text, topology, &error);

    if (routes == NULL) {
        fail_msg("%s\ngives (%d) %s", text, error->code, error->message);
    }
}

/* The example says the same as `reference` for every node and target. */
static void assert_example(const char *path,
                           ArchNocTopology topology,
                           guint width,
                           guint height,
                           NextFunc reference)
{
    WlSandboxConfig config = wl_sandbox_config_default();
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchNocRoutes) routes =
        wl_routing_load(path, &config, topology, width, height, &error);

    if (routes == NULL) {
        fail_msg("%ux%u: %s", width, height, error->message);
    }
    for (uint32_t node = 0; node < width * height; node++) {
        for (uint32_t target = 0; target < width * height; target++) {
            uint32_t expected = node == target
                                    ? UINT32_MAX
                                    : reference(node % width, node / width,
                                                target % width, target / width, width);

            assert_int_equal(arch_noc_routes_next(routes, node, target), expected);
        }
    }
}

static uint32_t west_first(guint x, guint y, guint tx, guint ty, guint width)
{
    if (tx < x) {
        return x - 1 + width * y;
    }
    if (ty == y || (int) (tx - x) > abs((int) ty - (int) y)) {
        return x + 1 + width * y;
    }
    return x + width * (ty > y ? y + 1 : y - 1);
}

static uint32_t ring_of_4(guint x, guint y, guint tx, guint ty, guint width)
{
    (void) ty;
    return x != tx ? (x + 1) % 4 + width * y : x + width * ((y + 1) % 4);
}

static uint32_t ring_of_8(guint x, guint y, guint tx, guint ty, guint width)
{
    (void) ty;
    return x != tx ? (x + 1) % 8 + width * y : x + width * ((y + 1) % 8);
}

static uint32_t ring_of_5_and_3(guint x, guint y, guint tx, guint ty, guint width)
{
    (void) ty;
    return x != tx ? (x + 1) % 5 + width * y : x + width * ((y + 1) % 3);
}

static void west_first_is_what_it_says(void **state)
{
    (void) state;
    assert_example(EXAMPLES "west_first.lua", ARCH_NOC_MESH, 4, 4, west_first);
    assert_example(EXAMPLES "west_first.lua", ARCH_NOC_MESH, 8, 8, west_first);
    assert_example(EXAMPLES "west_first.lua", ARCH_NOC_MESH, 5, 3, west_first);
    assert_example(EXAMPLES "west_first.lua", ARCH_NOC_MESH, 1, 6, west_first);
    assert_example(EXAMPLES "west_first.lua", ARCH_NOC_TORUS, 5, 3, west_first);
}

static void ring_is_what_it_says(void **state)
{
    (void) state;
    assert_example(EXAMPLES "ring.lua", ARCH_NOC_TORUS, 4, 4, ring_of_4);
    assert_example(EXAMPLES "ring.lua", ARCH_NOC_TORUS, 8, 8, ring_of_8);
    assert_example(EXAMPLES "ring.lua", ARCH_NOC_TORUS, 5, 3, ring_of_5_and_3);
    assert_example(EXAMPLES "ring.lua", ARCH_NOC_WORMHOLE0, 5, 3, ring_of_5_and_3);
}

static void a_file_that_is_no_routing_is_refused(void **state)
{
    (void) state;
#define EXPECTED                                                                       \
    "expected return { summary = ..., allow_cycles = false, next = function(x, y, "    \
    "tx, "                                                                             \
    "ty, grid) ... end }"
    assert_malformed("local x = 1",
                     "my.lua: the file returns no routing, but a nil; " EXPECTED);
    assert_malformed("return function() end",
                     "my.lua: the file returns no routing, but a function; " EXPECTED);
#undef EXPECTED
    assert_malformed("return { next = print }",
                     "my.lua: summary is missing, expected a string");
    assert_malformed("return { summary = 'a\\nb', next = print }",
                     "my.lua: summary must be one line of text");
    assert_malformed("return { summary = 's' }", "my.lua: next is not a function");
    assert_malformed("return { summary = 's', next = 5 }",
                     "my.lua: next is not a function");
    assert_malformed("return { summary = 's', allow_cycles = 'yes', next = print }",
                     "my.lua: allow_cycles is a string, expected true or false");
    assert_malformed("return { summary = 's', allow_cycle = true, next = print }",
                     "my.lua: unknown field 'allow_cycle'; known: summary, "
                     "allow_cycles, next, children, parent, outputs, choose");
    assert_malformed("return { summary = 's', next = print, parent = print }",
                     "my.lua: has several of next, children and parent, expected one");
    assert_refused("return { summary = 's', parent = print }", ARCH_NOC_MESH, WL_ERROR,
                   WL_ERROR_FIT,
                   "my.lua: parent gives a tree, which is for broadcast and reduce");
    assert_malformed("", "my.lua: is empty");
    assert_malformed("\nreturn return", "my.lua:2: unexpected symbol near 'return'");
}

static void a_missing_file_is_refused(void **state)
{
    (void) state;
    WlSandboxConfig config = small_config();
    g_autoptr(GError) error = NULL;

    assert_null(wl_routing_load("no/such.lua", &config, ARCH_NOC_MESH, 4, 4, &error));

    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
    assert_string_equal(error->message, "no/such.lua: No such file or directory");
}

static void an_error_in_the_file_names_line_and_question(void **state)
{
    (void) state;
    assert_raises("\nerror('no')", "my.lua:2: no");
    assert_raises(NEXT("if tx == 3 then error('no') end return 'east'"),
                  "my.lua:2: no in next(0, 0, 3, 0)");
    assert_raises(NEXT("return x + grid.depth, y"),
                  "my.lua:2: attempt to perform arithmetic on a nil value (field "
                  "'depth') in next(0, 0, 1, 0)");
    assert_raises(
        NEXT("coroutine.yield(1)"),
        "my.lua:2: attempt to yield from outside a coroutine in next(0, 0, 1, "
        "0)");
}

static void answers_that_are_no_node_are_refused(void **state)
{
    (void) state;
#define EXPECTED "expected x, y or one of east, west, south, north"
    assert_raises(NEXT(""), "my.lua: next(0, 0, 1, 0) returns nothing, " EXPECTED);
    assert_raises(NEXT("return { x, y }"),
                  "my.lua: next(0, 0, 1, 0) returns a table and a nil, " EXPECTED);
    assert_raises(NEXT("return x + 1"),
                  "my.lua: next(0, 0, 1, 0) returns a number and a nil, " EXPECTED);
    assert_raises(NEXT("return 'east', 2"),
                  "my.lua: next(0, 0, 1, 0) returns a string and a number, " EXPECTED);
    assert_raises(NEXT("return 'East'"),
                  "my.lua: next(0, 0, 1, 0) returns 'East', " EXPECTED);
    assert_raises(NEXT("return '1', nil"),
                  "my.lua: next(0, 0, 1, 0) returns '1', " EXPECTED);
#undef EXPECTED
    assert_raises(NEXT("return x + 0.5, y"),
                  "my.lua: next(0, 0, 1, 0) returns 0.5, 0, expected whole numbers");
    assert_raises(NEXT("return 1/0, y"),
                  "my.lua: next(0, 0, 1, 0) returns inf, 0, expected whole numbers");
    assert_raises(NEXT("return 0/0, -(0/0)"),
                  "my.lua: next(0, 0, 1, 0) returns nan, nan, expected whole numbers");
}

static void answers_without_a_link_are_refused(void **state)
{
    (void) state;
    assert_invalid(
        NEXT("return tx, ty"),
        "my.lua: next(0, 0, 2, 0) returns 2, 0, but no link leads from 0,0 to "
        "2,0");
    assert_invalid(
        NEXT("return x, y"),
        "my.lua: next(0, 0, 1, 0) returns 0, 0, but no link leads from 0,0 to "
        "0,0");
    assert_invalid(
        NEXT("return x + 1, y"),
        "my.lua: next(3, 0, 0, 0) returns 4, 0, which is off the grid of 4x3");
    assert_invalid(NEXT("return x - 1, y"), "my.lua: next(0, 0, 1, 0) returns -1, 0, "
                                            "which is off the grid of 4x3");
    assert_invalid(NEXT("return math.mininteger, math.maxinteger"),
                   "my.lua: next(0, 0, 1, 0) returns -9223372036854775808, "
                   "9223372036854775807, which is off the grid of 4x3");
    assert_invalid(
        NEXT("return 'north'"),
        "my.lua: next(0, 0, 1, 0) returns north, but no link leads north from "
        "there");
    assert_refused(NEXT("return 'west'"), ARCH_NOC_WORMHOLE0, ARCH_ERROR,
                   ARCH_ERROR_INVALID,
                   "my.lua: next(0, 0, 1, 0) returns west, but no link leads west from "
                   "there");
    assert_refused(
        NEXT("return 'south'"), ARCH_NOC_WORMHOLE1, ARCH_ERROR, ARCH_ERROR_INVALID,
        "my.lua: next(0, 0, 1, 0) returns south, but no link leads south from "
        "there");
}

static void routes_that_do_not_arrive_are_refused(void **state)
{
    (void) state;
    assert_refused(NEXT("return 'east'"), ARCH_NOC_TORUS, ARCH_ERROR,
                   ARCH_ERROR_INVALID,
                   "my.lua: routes: from 0,1 to 0,0 the way goes round in a loop: 0,1 "
                   "1,1 2,1 3,1 0,1");
    assert_invalid(NEXT("if tx == 3 and x == 2 then return 1, y end " XY),
                   "my.lua: routes: from 0,0 to 3,0 the way goes round in a loop: 1,0 "
                   "2,0 1,0");
}

static void rings_are_refused_unless_allowed(void **state)
{
    (void) state;
    assert_refused(
        NEXT(AROUND), ARCH_NOC_TORUS, ARCH_ERROR, ARCH_ERROR_INVALID,
        "my.lua: routes: links can wait for each other in a ring: 0,0 1,0 2,0 3,0 0,0");
    assert_refused(
        "return { summary = 's', allow_cycles = false, next = function(x, y, tx, "
        "ty) " AROUND "end }",
        ARCH_NOC_WORMHOLE0, ARCH_ERROR, ARCH_ERROR_INVALID,
        "my.lua: routes: links can wait for each other in a ring: 0,0 1,0 2,0 3,0 0,0");
    assert_loads(
        "return { summary = 's', allow_cycles = true, next = function(x, y, tx, "
        "ty) " AROUND "end }",
        ARCH_NOC_TORUS);
}

static void names_and_numbers_are_both_answers(void **state)
{
    (void) state;
    assert_loads(NEXT(XY), ARCH_NOC_MESH);
    assert_loads(NEXT("if x ~= tx then return x < tx and 'east' or 'west' end "
                      "return y < ty and 'south' or 'north'"),
                 ARCH_NOC_MESH);
    assert_loads(NEXT("if x ~= tx then return x + (x < tx and 1.0 or -1.0), y / 1 end "
                      "return x, y < ty and y + 1 or y - 1"),
                 ARCH_NOC_MESH);
}

static void the_function_knows_the_grid(void **state)
{
    (void) state;
    assert_loads(
        NEXT("assert(grid.width == 4 and grid.height == 3 and grid.topology == "
             "'mesh') assert(x ~= tx or y ~= ty) " XY),
        ARCH_NOC_MESH);
    assert_loads(NEXT("assert(grid.topology == 'torus') " XY), ARCH_NOC_TORUS);
}

static void an_endless_function_reaches_the_limit(void **state)
{
    (void) state;
    assert_refused(NEXT("while true do end"), ARCH_NOC_MESH, WL_ERROR, WL_ERROR_LIMIT,
                   "my.lua:2: 1003520 instructions ran without simulated time passing, "
                   "allowed are 1000000");
    assert_refused(NEXT("pcall(function() while true do end end) return x + 1, y"),
                   ARCH_NOC_MESH, WL_ERROR, WL_ERROR_LIMIT,
                   "my.lua:2: 1003520 instructions ran without simulated time passing, "
                   "allowed are 1000000");
}

static void memory_is_limited(void **state)
{
    (void) state;
    assert_refused(
        NEXT("return ('x'):rep(1 << 30)"), ARCH_NOC_MESH, WL_ERROR, WL_ERROR_LIMIT,
        "my.lua: memory limit of 64 MiB passed: the script wanted 1 GiB more");
}

static bool always(gpointer data)
{
    (void) data;
    return true;
}

static void the_user_can_interrupt(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    const char *path = folder_write(&folder, "my.lua", NEXT(XY), -1);
    WlSandboxConfig config = small_config();
    config.is_interrupted = always;

    assert_null(wl_routing_load(path, &config, ARCH_NOC_MESH, 16, 16, &error));

    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT));
    assert_true(g_str_has_suffix(error->message, "my.lua:2: interrupted"));
}

/* Together the nodes take more steps than the limit, one of them never does. */
static void the_limit_is_for_one_node(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    const char *path =
        folder_write(&folder, "my.lua", NEXT("for _ = 1, 1000 do end " XY), -1);
    WlSandboxConfig config = small_config();
    g_autoptr(ArchNocRoutes) routes =
        wl_routing_load(path, &config, ARCH_NOC_MESH, 10, 10, &error);

    if (routes == NULL) {
        fail_msg("%s", error->message);
    }
}

static void too_many_nodes_are_refused(void **state)
{
    (void) state;
    WlSandboxConfig config = small_config();
    g_autoptr(GError) error = NULL;

    assert_null(
        wl_routing_load("my.lua", &config, ARCH_NOC_MESH, 4097, 1048577, &error));

    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_FIT));
    assert_string_equal(error->message, "my.lua: a grid of 4097x1048577 nodes, routing "
                                        "files are for at most 4096 nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(west_first_is_what_it_says),
        cmocka_unit_test(ring_is_what_it_says),
        cmocka_unit_test(a_file_that_is_no_routing_is_refused),
        cmocka_unit_test(a_missing_file_is_refused),
        cmocka_unit_test(an_error_in_the_file_names_line_and_question),
        cmocka_unit_test(answers_that_are_no_node_are_refused),
        cmocka_unit_test(answers_without_a_link_are_refused),
        cmocka_unit_test(routes_that_do_not_arrive_are_refused),
        cmocka_unit_test(rings_are_refused_unless_allowed),
        cmocka_unit_test(names_and_numbers_are_both_answers),
        cmocka_unit_test(the_function_knows_the_grid),
        cmocka_unit_test(an_endless_function_reaches_the_limit),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(the_user_can_interrupt),
        cmocka_unit_test(the_limit_is_for_one_node),
        cmocka_unit_test(too_many_nodes_are_refused),
    };

    return cmocka_run_group_tests_name("workloads.routing", tests, NULL, NULL);
}
