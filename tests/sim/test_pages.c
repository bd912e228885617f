/* Large pages: memory of any size and place is taken, and holds what it held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib/gstdio.h>

#include "sim/pages.h"

static void memory_of_any_size_is_given_back(void **state G_GNUC_UNUSED)
{
    static const gsize sizes[] = {0, 1, 4096, 1 << 21, (1 << 23) + 7};

    assert_null(sim_pages_large(NULL, 0));
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree guint8 *memory = g_malloc0(sizes[i] + 1);

        assert_ptr_equal(sim_pages_large(memory, sizes[i]), memory);
        for (gsize k = 0; k < sizes[i]; k += 997) {
            assert_int_equal(memory[k], 0);
            memory[k] = 1;
        }
    }
}

static void a_part_may_begin_anywhere(void **state G_GNUC_UNUSED)
{
    const gsize bytes = 1 << 23;
    g_autofree guint8 *memory = g_malloc0(bytes);

    memory[0] = 7;
    memory[bytes - 1] = 9;
    assert_ptr_equal(sim_pages_large(memory + 5, bytes - 10), memory + 5);
    assert_int_equal(memory[0], 7);
    assert_int_equal(memory[bytes / 2], 0);
    assert_int_equal(memory[bytes - 1], 9);
}

/* Large arrays lie in files once a folder is named, small ones never do. */
static void arrays_may_lie_in_files(void **state G_GNUC_UNUSED)
{
    static const gsize sizes[] = {1, SIM_PAGES_FILED - 1, SIM_PAGES_FILED, 3000001};
    g_autofree char *folder = g_dir_make_tmp(NULL, NULL);

    assert_non_null(folder);
    for (guint is_filed = 0; is_filed < 2; is_filed++) {
        assert_true(sim_pages_keep_in(is_filed ? folder : NULL, NULL));
        for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
            guint8 *memory = sim_pages_new(sizes[i]);

            assert_int_equal(sim_pages_is_filed(sizes[i]), is_filed && i >= 2);
            assert_non_null(memory);
            for (gsize k = 0; k < sizes[i]; k++) {
                assert_int_equal(memory[k], 0);
                memory[k] = (guint8) (k % 251);
            }
            assert_int_equal(memory[sizes[i] - 1], (sizes[i] - 1) % 251);
            sim_pages_free(memory, sizes[i]);
        }
        sim_pages_free(NULL, sizes[3]);
    }
    assert_null(sim_pages_new((gsize) 1 << 62));
    assert_int_equal(g_rmdir(folder), 0); /* it is empty */
    assert_true(sim_pages_keep_in(NULL, NULL));
}

static void a_folder_that_is_not_there_is_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    assert_false(sim_pages_keep_in("/no/such/folder", &error));
    assert_non_null(strstr(error->message, "/no/such/folder: "));
    assert_false(sim_pages_is_filed(SIM_PAGES_FILED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_any_size_is_given_back),
        cmocka_unit_test(a_part_may_begin_anywhere),
        cmocka_unit_test(arrays_may_lie_in_files),
        cmocka_unit_test(a_folder_that_is_not_there_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
