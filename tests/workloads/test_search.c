/* The search for chips, systems and scripts: order of folders, names, paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "workloads/search.h"

/* A folder with two trees, first/ and second/, and a file outside of both. */
typedef struct {
    char *path;
    char *before; /* where the test program was */
} Trees;

static void put(const Trees *trees, const char *name)
{
    g_autofree char *path = g_build_filename(trees->path, name, NULL);
    g_autofree char *folder = g_path_get_dirname(path);

    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(g_file_set_contents(path, "x", 1, NULL));
}

static int plant(void **state)
{
    static const char *const files[] = {
        "secret.lua",
        "first/workloads/alone.lua",
        "first/workloads/both.lua",
        "first/workloads/lib/tools.lua",
        "first/workloads/notes.txt",
        "first/workloads_old/x.lua",
        "first/arch/chips/wse2.ini",
        "second/workloads/both.lua",
        "second/workloads/Zeta.lua",
        "second/workloads/sub/deep.lua",
        "second/arch/chips/mine.ini",
        "second/arch/systems/rack.xml",
    };
    Trees *trees = g_new0(Trees, 1);

    trees->path = g_dir_make_tmp("gridloom-search-XXXXXX", NULL);
    trees->before = g_get_current_dir();
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        put(trees, files[i]);
    }
    g_autofree char *path =
        g_strdup_printf("%s/first::%s/second", trees->path, trees->path);

    assert_true(g_setenv("GRIDLOOM_PATH", path, TRUE));
    assert_int_equal(g_chdir(trees->path), 0);
    *state = trees;
    return 0;
}

static void remove_tree(const char *path)
{
    g_autoptr(GDir) entries = g_dir_open(path, 0, NULL);
    const char *name;

    while (entries != NULL && (name = g_dir_read_name(entries)) != NULL) {
        g_autofree char *below = g_build_filename(path, name, NULL);

        remove_tree(below);
    }
    (void) g_remove(path);
}

static int clear(void **state)
{
    Trees *trees = *state;

    g_unsetenv("GRIDLOOM_PATH");
    assert_int_equal(g_chdir(trees->before), 0);
    remove_tree(trees->path);
    g_free(trees->path);
    g_free(trees->before);
    g_free(trees);
    return 0;
}

/* `expected` is below the folder of the test, or NULL for nothing. */
static void
assert_finds(void **state, SearchKind kind, const char *name, const char *expected)
{
    const Trees *trees = *state;
    g_autofree char *path = search_find(kind, name);
    g_autofree char *whole =
        expected != NULL ? g_build_filename(trees->path, expected, NULL) : NULL;

    if (g_strcmp0(path, whole) != 0) {
        fail_msg("%s is %s, expected %s", name, path != NULL ? path : "nothing",
                 whole != NULL ? whole : "nothing");
    }
}

static void assert_finds_literally(SearchKind kind, const char *name)
{
    g_autofree char *path = search_find(kind, name);

    assert_string_equal(path, name);
}

static void the_first_folder_of_the_path_wins(void **state)
{
    assert_finds(state, SEARCH_WORKLOAD, "both", "first/workloads/both.lua");
    assert_finds(state, SEARCH_WORKLOAD, "alone", "first/workloads/alone.lua");
    assert_finds(state, SEARCH_WORKLOAD, "Zeta", "second/workloads/Zeta.lua");
    assert_finds(state, SEARCH_CHIP, "mine", "second/arch/chips/mine.ini");
    assert_finds(state, SEARCH_SYSTEM, "rack", "second/arch/systems/rack.xml");
}

static void the_path_comes_before_the_source_tree(void **state)
{
    g_autofree char *shipped = search_find(SEARCH_CHIP, "wormhole_n300");

    assert_finds(state, SEARCH_CHIP, "wse2", "first/arch/chips/wse2.ini");
    assert_string_equal(shipped, GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini");
}

static void without_a_path_there_is_the_source_tree(void **state G_GNUC_UNUSED)
{
    g_unsetenv("GRIDLOOM_PATH");
    g_autofree char *chip = search_find(SEARCH_CHIP, "wse2");
    g_autofree char *script = search_find(SEARCH_WORKLOAD, "transfer");
    g_autofree char *system = search_find(SEARCH_SYSTEM, "default");

    assert_string_equal(chip, GRIDLOOM_SOURCE_DIR "/arch/chips/wse2.ini");
    assert_string_equal(script, GRIDLOOM_SOURCE_DIR "/workloads/transfer.lua");
    assert_string_equal(system, GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml");
}

static void a_short_name_means_its_chip_where_no_file_has_it(void **state)
{
    g_autofree char *chip = search_find(SEARCH_CHIP, "a100");
    g_autofree char *script = search_find(SEARCH_WORKLOAD, "a100");
    g_autofree char *file = search_find(SEARCH_CHIP, "a100.ini");

    assert_string_equal(chip, GRIDLOOM_SOURCE_DIR "/arch/chips/a100_80gb.ini");
    assert_null(script);
    assert_null(file);
    assert_finds(state, SEARCH_CHIP, "mine", "second/arch/chips/mine.ini");
}

static void names_are_sorted_and_each_there_once(void **state G_GNUC_UNUSED)
{
    g_autofree char *chips = search_names_text(SEARCH_CHIP);
    g_autofree char *systems = search_names_text(SEARCH_SYSTEM);
    g_autoptr(GPtrArray) scripts = search_names(SEARCH_WORKLOAD);

    assert_string_equal(chips, "a100_40gb, a100_80gb, gtx980, h100, h200, k20c, mine, "
                               "nero_ad9h7, nero_ad9v3, power9, titanx, "
                               "wormhole_n150, wormhole_n300, "
                               "wse1, wse2, wse3");
    assert_string_equal(systems, "default, galaxy32, n150x4-pcie, n300, rack, t3000, "
                                 "wse2x2, wse2x4, wse2x8");
    assert_true(scripts->len >= 4);
    for (guint i = 1; i < scripts->len; i++) {
        assert_true(strcmp(scripts->pdata[i - 1], scripts->pdata[i]) < 0);
    }
    assert_string_equal(scripts->pdata[0], "Zeta");
    assert_string_equal(scripts->pdata[1], "alone");
}

static void every_name_can_be_found(void **state G_GNUC_UNUSED)
{
    g_autoptr(GPtrArray) scripts = search_names(SEARCH_WORKLOAD);

    for (guint i = 0; i < scripts->len; i++) {
        g_autofree char *path = search_find(SEARCH_WORKLOAD, scripts->pdata[i]);

        assert_non_null(path);
    }
}

static void a_path_that_exists_is_itself(void **state)
{
    const Trees *trees = *state;
    g_autofree char *absolute =
        g_build_filename(trees->path, "second/workloads/both.lua", NULL);

    assert_finds_literally(SEARCH_WORKLOAD, "second/workloads/both.lua");
    assert_finds_literally(SEARCH_WORKLOAD, "first/../second/workloads/both.lua");
    assert_finds_literally(SEARCH_WORKLOAD, "secret.lua");
    assert_finds_literally(SEARCH_WORKLOAD, absolute);
}

static void a_path_into_the_kinds_folder_means_the_same_from_anywhere(void **state)
{
    assert_finds(state, SEARCH_WORKLOAD, "workloads/both.lua",
                 "first/workloads/both.lua");
    assert_finds(state, SEARCH_WORKLOAD, "workloads/sub/deep.lua",
                 "second/workloads/sub/deep.lua");
    assert_finds(state, SEARCH_CHIP, "arch/chips/mine.ini",
                 "second/arch/chips/mine.ini");
    assert_finds(state, SEARCH_SYSTEM, "arch/systems/rack.xml",
                 "second/arch/systems/rack.xml");
}

static void nothing_leads_out_of_the_folders(void **state)
{
    assert_finds(state, SEARCH_WORKLOAD, "workloads/../../secret.lua", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "../secret", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "../../secret", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "..", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "workloads_old/x.lua", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "arch/chips/mine.ini", NULL);
}

static void what_is_not_there_is_not_found(void **state)
{
    assert_finds(state, SEARCH_WORKLOAD, "nothing", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "nothing.lua", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "/nowhere/both.lua", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "sub/deep", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "mine", NULL);
    assert_finds(state, SEARCH_CHIP, "both", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "", NULL);
    assert_finds(state, SEARCH_WORKLOAD, "notes", NULL);
}

static void a_folder_of_that_name_is_no_script(void **state)
{
    const Trees *trees = *state;

    put(trees, "first/workloads/both2.lua/inside.lua");
    put(trees, "first/workloads/only.lua/inside.lua");
    put(trees, "second/workloads/both2.lua");

    assert_finds(state, SEARCH_WORKLOAD, "both2", "second/workloads/both2.lua");
    assert_finds(state, SEARCH_WORKLOAD, "workloads/both2.lua",
                 "second/workloads/both2.lua");
    assert_finds(state, SEARCH_WORKLOAD, "only", NULL);
    g_autofree char *names = search_names_text(SEARCH_WORKLOAD);

    assert_non_null(strstr(names, "both2, "));
    assert_null(strstr(names, "only"));
}

static void the_library_is_that_of_the_first_folder_with_one(void **state)
{
    const Trees *trees = *state;
    g_autofree char *library = search_library();
    g_autofree char *expected =
        g_build_filename(trees->path, "first/workloads/lib", NULL);

    assert_string_equal(library, expected);
}

static void a_name_is_without_folder_and_the_kinds_ending(void **state)
{
    static const struct {
        SearchKind kind;
        const char *path;
        const char *name;
    } rows[] = {
        {SEARCH_WORKLOAD, "workloads/lib/a.b.lua", "a.b"},
        {SEARCH_WORKLOAD, "pcg", "pcg"},
        {SEARCH_SUITE, "./mine.csv", "mine"},
        {SEARCH_SUITE, "mine.lua", "mine.lua"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *name = search_name(rows[i].kind, rows[i].path);

        assert_string_equal(name, rows[i].name);
    }
}

#define IN_TREES(test) cmocka_unit_test_setup_teardown(test, plant, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREES(the_first_folder_of_the_path_wins),
        IN_TREES(the_path_comes_before_the_source_tree),
        IN_TREES(without_a_path_there_is_the_source_tree),
        IN_TREES(a_short_name_means_its_chip_where_no_file_has_it),
        IN_TREES(names_are_sorted_and_each_there_once),
        IN_TREES(every_name_can_be_found),
        IN_TREES(a_path_that_exists_is_itself),
        IN_TREES(a_path_into_the_kinds_folder_means_the_same_from_anywhere),
        IN_TREES(nothing_leads_out_of_the_folders),
        IN_TREES(what_is_not_there_is_not_found),
        IN_TREES(a_folder_of_that_name_is_no_script),
        IN_TREES(the_library_is_that_of_the_first_folder_with_one),
        cmocka_unit_test(a_name_is_without_folder_and_the_kinds_ending),
    };

    return cmocka_run_group_tests_name("workloads.search", tests, NULL, NULL);
}
