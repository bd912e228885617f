/* Tests of pattern files: what they may say, how they fail, what they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "tests/workloads/folder.h"
#include "workloads/error.h"
#include "workloads/routing.h"

/* Files whose function has this body, on its second line. */
#define TARGET(body)                                                                   \
    "return { summary = 's', target = function(x, y, grid)\n" body "\nend }"
#define WEIGHT(body)                                                                   \
    "return { summary = 's', weight = function(x, y, tx, ty, grid)\n" body "\nend }"

static ArchNocMatrix *load(const char *text, guint width, guint height, GError **error)
{
    g_auto(Folder) folder = folder_new();
    WlSandboxConfig config = wl_sandbox_config_default();
    ArchNocMatrix *matrix;

    config.memory_bytes = 64 << 20;
    config.steps = 1000000;
    matrix = wl_routing_load_pattern(folder_write(&folder, "my.lua", text, -1), &config,
                                     ARCH_NOC_TORUS, width, height, error);
    if (matrix == NULL && error != NULL) {
        g_autofree char *path = g_strconcat(folder.path, "/", NULL);
        char *shown = g_strdup(g_str_has_prefix((*error)->message, path)
                                   ? (*error)->message + strlen(path)
                                   : (*error)->message);

        shown[strcspn(shown, "\n")] = '\0';
        g_free((*error)->message);
        (*error)->message = shown;
    }
    return matrix;
}

static void a_target_gets_all_packets(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocMatrix) matrix = load(
        TARGET("if y == 1 then return end return grid.width - 1 - x, 1"), 4, 2, NULL);
    uint64_t random = 1;

    assert_int_equal(arch_noc_matrix_senders(matrix), 4);
    for (uint32_t x = 0; x < 4; x++) {
        assert_int_equal(arch_noc_matrix_target(matrix, x, &random), 4 + 3 - x);
        assert_false(arch_noc_matrix_sends(matrix, 4 + x));
    }
}

static void weights_are_scaled(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocMatrix) matrix =
        load(WEIGHT("if x == 1 then return 0 end return tx == 0 and 3e300 or 1e300"), 2,
             1, NULL);
    guint first = 0;
    uint64_t random = 1;

    for (guint i = 0; i < 10000; i++) {
        first += arch_noc_matrix_target(matrix, 0, &random) == 0;
    }
    assert_in_range(first, 7350, 7650);
    assert_false(arch_noc_matrix_sends(matrix, 1));
}

static void the_same_seed_gives_the_same_pattern(void **state G_GNUC_UNUSED)
{
    static const char text[] = TARGET("return math.random(0, 3), math.random(0, 3)");
    g_autoptr(ArchNocMatrix) one = load(text, 4, 4, NULL);
    g_autoptr(ArchNocMatrix) two = load(text, 4, 4, NULL);
    uint64_t random = 1;

    for (uint32_t node = 0; node < 16; node++) {
        assert_int_equal(arch_noc_matrix_target(one, node, &random),
                         arch_noc_matrix_target(two, node, &random));
    }
}

static void what_is_no_pattern_is_refused(void **state G_GNUC_UNUSED)
{
    const GQuark script = WL_ERROR;
    const struct {
        const char *text;
        GQuark domain;
        int code;
        const char *says;
    } rows[] = {
        {"return 1", script, WL_ERROR_SYNTAX,
         "my.lua: the file returns no pattern, but a number; expected return { summary "
         "= ..., target = function(x, y, grid) ... end }"},
        {"return { summary = 's' }", script, WL_ERROR_SYNTAX,
         "my.lua: target is not a function"},
        {"return { summary = 's', weight = 1 }", script, WL_ERROR_SYNTAX,
         "my.lua: weight is not a function"},
        {"return { summary = 's', target = print, weight = print }", script,
         WL_ERROR_SYNTAX, "my.lua: has both target and weight, expected one"},
        {TARGET("return 'east'"), script, WL_ERROR_RUNTIME,
         "my.lua: target(0, 0) returns a string and a nil, expected x, y or nothing"},
        {TARGET("return 1"), script, WL_ERROR_RUNTIME,
         "my.lua: target(0, 0) returns a number and a nil, expected x, y or nothing"},
        {TARGET("return x + 1, y"), ARCH_ERROR, ARCH_ERROR_INVALID,
         "my.lua: target(3, 0) returns 4, 0, which is off the grid of 4x3"},
        {TARGET("return 0.5, 0"), script, WL_ERROR_RUNTIME,
         "my.lua: target(0, 0) returns 0.5, 0, expected whole numbers"},
        {TARGET("if x == 2 then error('no', 0) end return 0, 0"), script,
         WL_ERROR_RUNTIME, "my.lua:2: no in target(2, 0)"},
        {TARGET("return"), ARCH_ERROR, ARCH_ERROR_INVALID,
         "my.lua: no node sends anything"},
        {WEIGHT("return"), script, WL_ERROR_RUNTIME,
         "my.lua: weight(0, 0, 0, 0) returns a nil, expected a number from 0 on"},
        {WEIGHT("return tx - 1"), ARCH_ERROR, ARCH_ERROR_INVALID,
         "my.lua: weight(0, 0, 0, 0) returns -1, expected a number from 0 on"},
        {WEIGHT("return 0/0"), ARCH_ERROR, ARCH_ERROR_INVALID,
         "my.lua: weight(0, 0, 0, 0) returns nan, expected a number from 0 on"},
        {WEIGHT("return math.huge"), ARCH_ERROR, ARCH_ERROR_INVALID,
         "my.lua: weight(0, 0, 0, 0) returns inf, expected a number from 0 on"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(load(rows[i].text, 4, 3, &error));
        assert_string_equal(error->message, rows[i].says);
        assert_true(g_error_matches(error, rows[i].domain, rows[i].code));
    }
}

static void endless_functions_and_large_grids_end(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) limit = NULL;
    g_autoptr(GError) size = NULL;

    assert_null(load(TARGET("while true do end"), 4, 3, &limit));
    assert_true(g_error_matches(limit, WL_ERROR, WL_ERROR_LIMIT));
    assert_null(load(TARGET("return 0, 0"), 65, 64, &size));
    assert_true(g_error_matches(size, WL_ERROR, WL_ERROR_FIT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_gets_all_packets),
        cmocka_unit_test(weights_are_scaled),
        cmocka_unit_test(the_same_seed_gives_the_same_pattern),
        cmocka_unit_test(what_is_no_pattern_is_refused),
        cmocka_unit_test(endless_functions_and_large_grids_end),
    };

    return cmocka_run_group_tests_name("workloads.network_pattern", tests, NULL, NULL);
}
