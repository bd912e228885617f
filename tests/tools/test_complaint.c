/* Complaints: one line on standard error, and the exit code of every kind of error. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "arch/error.h"
#include "sim/error.h"
#include "tools/gridloom/complaint.h"
#include "traces/error.h"
#include "workloads/error.h"

/* What complaining of an error prints; the exit code in *code. */
static char *heard(const GError *error, int *code)
{
    g_autofree char *path = NULL;
    char *text = NULL;
    int target = g_file_open_tmp("gridloom-complaint-XXXXXX", &path, NULL);
    int saved = dup(STDERR_FILENO);

    assert_true(dup2(target, STDERR_FILENO) >= 0);
    *code = complain_of(error);
    (void) fflush(stderr);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    assert_int_equal(close(saved), 0);
    assert_int_equal(close(target), 0);
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_int_equal(g_unlink(path), 0);
    return text;
}

static void assert_code(GQuark domain, int number, int expected)
{
    g_autoptr(GError) error = g_error_new_literal(domain, number, "what is wrong");
    int code = -1;
    g_autofree char *text = heard(error, &code);

    assert_true(g_str_has_prefix(text, "gridloom: what is wrong"));
    assert_true(g_str_has_suffix(text, "\n"));
    if (code != expected) {
        fail_msg("%s %d: exit code %d, expected %d", g_quark_to_string(domain), number,
                 code, expected);
    }
}

static void what_the_user_can_mend_ends_with_1(void **state G_GNUC_UNUSED)
{
    assert_code(ARCH_ERROR, ARCH_ERROR_INVALID, 1);
    assert_code(WL_ERROR, WL_ERROR_SYNTAX, 1);
    assert_code(WL_ERROR, WL_ERROR_KEY, 1);
    assert_code(WL_ERROR, WL_ERROR_FIT, 1);
    assert_code(WL_ERROR, WL_ERROR_RUNTIME, 1);
    assert_code(SIM_ERROR, SIM_ERROR_PLATFORM, 1);
    assert_code(SIM_ERROR, SIM_ERROR_LIBRARY, 1);
    assert_code(TRACE_ERROR, TRACE_ERROR_WRITE, 1);
    assert_code(G_FILE_ERROR, G_FILE_ERROR_NOENT, 1);
    assert_code(G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, 1);
    assert_code(G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION, 1);
}

static void what_the_model_lacks_ends_with_2(void **state G_GNUC_UNUSED)
{
    assert_code(ARCH_ERROR, ARCH_ERROR_UNMODELLED, 2);
    assert_code(ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED, 2);
}

static void what_stopped_the_run_ends_with_3(void **state G_GNUC_UNUSED)
{
    assert_code(SIM_ERROR, SIM_ERROR_DEADLOCK, 3);
    assert_code(SIM_ERROR, SIM_ERROR_TIME_LIMIT, 3);
    assert_code(SIM_ERROR, SIM_ERROR_STOPPED, 3);
    assert_code(WL_ERROR, WL_ERROR_LIMIT, 3);
}

static void an_unknown_option_leads_to_the_help(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = g_error_new_literal(
        G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION, "Unknown option --x");
    int code = -1;
    g_autofree char *text = heard(error, &code);

    assert_string_equal(text,
                        "gridloom: Unknown option --x; --help lists the options\n");
}

static void a_percent_sign_in_an_error_is_printed_as_it_is(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error =
        g_error_new_literal(WL_ERROR, WL_ERROR_RUNTIME, "100 %s of %d");
    int code = -1;
    g_autofree char *text = heard(error, &code);

    assert_string_equal(text, "gridloom: 100 %s of %d\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_user_can_mend_ends_with_1),
        cmocka_unit_test(what_the_model_lacks_ends_with_2),
        cmocka_unit_test(what_stopped_the_run_ends_with_3),
        cmocka_unit_test(an_unknown_option_leads_to_the_help),
        cmocka_unit_test(a_percent_sign_in_an_error_is_printed_as_it_is),
    };

    return cmocka_run_group_tests_name("tools.complaint", tests, NULL, NULL);
}
