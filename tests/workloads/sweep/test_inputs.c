/* Tests of the list of files that the runs of a sweep are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/workloads/folder.h"
#include "workloads/sweep_inputs.h"

static Folder *found; /* files of find_here() */

/* A file whose text is its name. */
static char *find_here(const char *what, const char *name, GError **error)
{
    g_autofree char *file = g_strconcat(what, "-", name, NULL);

    (void) error;
    return g_strdup(folder_write(found, file, name, -1));
}

static void inputs_are_all_files_of_all_runs(void **state)
{
    (void) state;
    static const char *const chips[] = {"one", "two", NULL};
    const WlSweepSources sources = {.version = "9", .find = find_here, .chips = chips};
    static const char *const files[] = {"script-dot", "chip-one", "chip-two",
                                        "system-a", "system-b"};
    const WlSandboxConfig config = wl_sandbox_config_default();
    g_auto(Folder) folder = folder_new();
    const char *path = folder_write(&folder, "my.lua",
                                    "return { summary = 's', script = 'dot', axes = {"
                                    "{ name = 'system', values = { 'a', 'b' } } } }",
                                    -1);
    g_autoptr(WlSweep) sweep = wl_sweep_load(path, &config, NULL);

    assert_non_null(sweep);
    found = &folder;
    g_autofree char *inputs = wl_sweep_inputs(sweep, &sources, NULL);
    g_auto(GStrv) lines = g_strsplit(inputs, "\n", -1);

    assert_int_equal(g_strv_length(lines), 7);
    assert_string_equal(lines[0], "gridloom 9");
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *digest = g_compute_checksum_for_string(
            G_CHECKSUM_SHA256, strchr(files[i], '-') + 1, -1);
        g_autofree char *line = g_strconcat(files[i], " ", digest, NULL);

        assert_string_equal(lines[i + 1], line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_all_files_of_all_runs),
    };

    return cmocka_run_group_tests_name("workloads.sweep_inputs", tests, NULL, NULL);
}
