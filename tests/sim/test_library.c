/* Tests of libraries that are loaded at their first use. */
#include <math.h>
#include <string.h>

#include "sim/error.h"
#include "sim/library.h"
#include "tests/sim/support.h"

static struct {
    __typeof__(cos) *cos;
    __typeof__(cos) *other;
} functions;

/* The mathematics of the C library, with one function, or two. */
static bool open_file(const char *file, gsize count, const char *other, GError **error)
{
    const SimSymbol symbols[] = {{"cos", &functions.cos}, {other, &functions.other}};
    const SimLibrary library = {.title = "Mathematics",
                                .file = file,
                                .package = "libc6",
                                .symbols = symbols,
                                .symbol_count = count};

    functions.cos = NULL;
    functions.other = NULL;
    return sim_library_open(&library, error);
}

static void functions_can_be_called_and_opened_again(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < 2; i++) {
        assert_true(open_file("libm.so.6", 2, "sin", &error));
        assert_null(error);
        assert_true(functions.cos(0.0) == 1.0);
        assert_true(functions.other(0.0) == 0.0);
    }
}

static void assert_says(const GError *error, const char *what)
{
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_LIBRARY));
    assert_true(g_str_has_prefix(error->message, "Mathematics cannot be loaded, "));
    assert_non_null(strstr(error->message, what));
    assert_non_null(strstr(error->message, "LD_LIBRARY_PATH"));
    assert_non_null(strstr(error->message, "Debian's package libc6 "));
    assert_null(strchr(error->message, '\n'));
}

static void a_library_that_is_missing_is_named(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    assert_false(open_file("libnowhere.so.9", 1, "sin", &error));
    assert_says(error, "libnowhere.so.9: cannot open shared object file");
    assert_null(functions.cos);
}

static void a_function_that_is_missing_is_named(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    assert_false(open_file("libm.so.6", 2, "no_such_function", &error));
    assert_says(error, "undefined symbol: no_such_function");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_can_be_called_and_opened_again),
        cmocka_unit_test(a_library_that_is_missing_is_named),
        cmocka_unit_test(a_function_that_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
