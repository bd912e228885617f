/* CSL's <collectives_2d>, run by simulated PEs with every root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/workloads/csl/wafer_rig.h"

static void replace(char **text, const char *from, const char *to)
{
    g_auto(GStrv) parts = g_strsplit(*text, from, -1);

    assert_int_equal(g_strv_length(parts), 2);
    g_free(*text);
    *text = g_strjoinv(to, parts);
}

/* Makes a constant of a parameter. */
static void set(char **text, const char *name, guint value)
{
    g_autofree char *from = g_strdup_printf("param %s: u16", name);
    g_autofree char *to = g_strdup_printf("const %s: u16 = %u", name, value);

    replace(text, from, to);
}

/* Opens the program for a rectangle and a number of elements. */
static void open_program(CslRig *rig, guint width, guint height, guint count)
{
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(
        GRIDLOOM_SOURCE_DIR "/tests/programs/csl/collectives.csl", &text, NULL, NULL));
    replace(&text, "collectives_pe.csl", "<collectives_pe>");
    set(&text, "width", width);
    set(&text, "height", height);
    set(&text, "count", count);
    csl_rig_open(rig, text);
}

static void expect_all_right(guint width, guint height, guint count)
{
    g_auto(CslRig) rig = {0};

    open_program(&rig, width, height, count);
    csl_rig_launch(&rig, "main", NULL, 0);
    for (guint x = 0; x < width; x++) {
        for (guint y = 0; y < height; y++) {
            assert_int_equal(csl_rig_integer(&rig, x, y, "results", 0), 0);
            assert_int_equal(csl_rig_integer(&rig, x, y, "results", 1), 4 * width);
            assert_int_equal(csl_rig_integer(&rig, x, y, "results", 2), 0);
            assert_int_equal(csl_rig_integer(&rig, x, y, "results", 3), 4 * height);
        }
    }
}

static void rows_and_columns_work_with_every_root(void **state G_GNUC_UNUSED)
{
    expect_all_right(4, 3, 5);
    expect_all_right(7, 1, 1);
    expect_all_right(2, 2, 40);
}

static void a_single_pe_is_enough(void **state G_GNUC_UNUSED)
{
    expect_all_right(1, 1, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_columns_work_with_every_root),
        cmocka_unit_test(a_single_pe_is_enough),
    };

    return cmocka_run_group_tests_name("workloads.csl_lib_collectives", tests, NULL,
                                       NULL);
}
