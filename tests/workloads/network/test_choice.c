/* Tests of routing files in which packets choose at every hop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "tests/workloads/folder.h"
#include "workloads/error.h"
#include "workloads/routing.h"

#define XY                                                                             \
    "if x ~= tx then return x < tx and x + 1 or x - 1, y end "                         \
    "return x, y < ty and y + 1 or y - 1 "
#define AROUND                                                                         \
    "if x ~= tx then return 'east' end "                                               \
    "return 'south' "

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

#define OUTPUTS(body)                                                                  \
    "return { summary = 's', outputs = function(x, y, tx, ty, grid)\n" body "\nend }"
#define SHORTEST                                                                       \
    "local ways = {} "                                                                 \
    "if tx ~= x then ways[1] = tx > x and 'east' or 'west' end "                       \
    "if ty ~= y then ways[#ways + 1] = ty > y and 'south' or 'north' end "             \
    "return table.unpack(ways)"

static void outputs_are_checked_for_rings_and_loops(void **state)
{
    (void) state;
    assert_loads(OUTPUTS("if tx < x then return 'west' end " SHORTEST), ARCH_NOC_MESH);
    assert_invalid(OUTPUTS(SHORTEST),
                   "my.lua: outputs without an escape: links can wait "
                   "for each other in a ring: 3,1 2,1 2,2 3,2 3,1");
    assert_invalid(OUTPUTS("if x == 1 then return end " SHORTEST),
                   "my.lua: outputs toward 0,0: none is allowed at 1,0");
    assert_invalid(
        OUTPUTS("if x == 1 and y == 0 then return 'east', 'west' end " SHORTEST),
        "my.lua: outputs toward 0,0: links can wait for each other in a ring: "
        "1,0 2,0 1,0");
    assert_invalid(OUTPUTS("return 'north'"),
                   "my.lua: outputs(0, 0, 1, 0) returns north, "
                   "but no link leads north from there");
    assert_raises(OUTPUTS("return 5"),
                  "my.lua: outputs(0, 0, 1, 0) returns a number, expected any of east, "
                  "west, south, north, or nothing");
    /* With an escape any ways will do, if the escape is without rings. */
    assert_loads("return { summary = 's', next = function(x, y, tx, ty) " XY
                 "end, outputs = function(x, y, tx, ty) " SHORTEST " end }",
                 ARCH_NOC_MESH);
    assert_refused(
        "return { summary = 's', choose = print, next = function(x, y, tx, ty) " AROUND
        "end }",
        ARCH_NOC_TORUS, ARCH_ERROR, ARCH_ERROR_INVALID,
        "my.lua: routes: links can wait for each other in a ring: 0,0 1,0 2,0 "
        "3,0 0,0");
}

static void functions_that_do_not_belong_together_are_refused(void **state)
{
    (void) state;
    assert_malformed("return { summary = 's', choose = print }",
                     "my.lua: has choose alone, expected next, the escape, or outputs, "
                     "all that it may choose from");
    assert_malformed("return { summary = 's', choose = print, parent = print }",
                     "my.lua: has outputs or choose beside parent, which gives a tree");
    assert_malformed("return { summary = 's', outputs = 5 }",
                     "my.lua: outputs is not a function");
    assert_malformed(
        "return { summary = 's', choose = 5, next = function(x, y, tx, ty) " XY "end }",
        "my.lua: choose is not a function");
    assert_malformed(
        "return { summary = 's', outputs = 5, next = function(x, y, tx, ty) " XY
        "end }",
        "my.lua: outputs is not a function");
}

/* A hop from the first node of a grid of 4x3 to the last: east or south. */
static guint ask(const ArchNocRoutes *routes, guint east, guint south)
{
    static const char *const names[] = {"east", "west", "south", "north", NULL};
    const guint free_flits[] = {east, 0, south, 0};
    const ArchNocHop hop = {.node = 0,
                            .target = 11,
                            .outs = arch_noc_routes_allowed(routes, 0, 11),
                            .names = names,
                            .free_flits = free_flits};

    assert_int_equal(hop.outs, 1 << 0 | 1 << 2);
    return arch_noc_routes_choose(routes, &hop);
}

#define CHOOSE(body)                                                                   \
    "return { summary = 's', next = function(x, y, tx, ty) " XY                        \
    "end,\nchoose = function(x, y, tx, ty, free, grid) " body " end }"

static void a_function_chooses_by_room_and_its_own_memory(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(ArchNocRoutes) routes = load(
        &folder,
        CHOOSE("assert(x == 0 and y == 0 and tx == 3 and ty == 2 and grid.width == 4) "
               "assert(free.west == nil and free.north == nil) "
               "return free.east > free.south and 'east' or 'south'"),
        ARCH_NOC_MESH, NULL);
    assert_non_null(routes);

    assert_int_equal(ask(routes, 7, 5), 1 << 0);
    assert_int_equal(ask(routes, 5, 7), 1 << 2);
    assert_int_equal(ask(routes, 5, 5), 1 << 2);
    assert_false(arch_noc_routes_has_failed(routes, NULL));
}

static void a_choice_that_is_no_good_is_kept_as_an_error(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {CHOOSE("return 'west'"),
         "my.lua: choose(0, 0, 3, 2) returns 'west', expected one of east, south"},
        {CHOOSE("return 1, 0"),
         "my.lua: choose(0, 0, 3, 2) returns a number, expected one of east, south"},
        {CHOOSE(""),
         "my.lua: choose(0, 0, 3, 2) returns a nil, expected one of east, south"},
        {CHOOSE("error('no')"), "my.lua:2: no"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(Folder) folder = folder_new();
        g_autoptr(GError) error = NULL;
        g_autoptr(ArchNocRoutes) routes =
            load(&folder, rows[i].text, ARCH_NOC_MESH, NULL);
        assert_non_null(routes);

        (void) ask(routes, 1, 2);

        assert_true(arch_noc_routes_has_failed(routes, &error));
        error->message[strcspn(error->message, "\n")] = '\0';
        assert_true(g_str_has_suffix(error->message, rows[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_checked_for_rings_and_loops),
        cmocka_unit_test(functions_that_do_not_belong_together_are_refused),
        cmocka_unit_test(a_function_chooses_by_room_and_its_own_memory),
        cmocka_unit_test(a_choice_that_is_no_good_is_kept_as_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
