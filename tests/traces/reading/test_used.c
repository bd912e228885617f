/* What labels say of runs: the used share of the chip, and the constant in their time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/reading/used.h"

static void assert_suffix(const char *result, const char *expected)
{
    g_autoptr(JsonNode) node = json_from_string(result, NULL);
    g_autofree char *suffix = trace_used_suffix(json_node_get_object(node));

    assert_string_equal(suffix, expected);
}

static void a_label_says_how_much_of_the_chip_was_used(void **state G_GNUC_UNUSED)
{
    assert_suffix("{\"chip_used\":{\"what\":\"PEs\",\"used\":512,\"of\":750470}}",
                  ", PEs 512 of 750,470");
    assert_suffix("{\"chip_used\":{\"what\":\"PEs\",\"used\":14}}", ", PEs 14");
}

static void a_label_says_if_the_time_contains_the_constant(void **state G_GNUC_UNUSED)
{
    assert_suffix("{\"stalls\":{\"unattributed\":3},"
                  "\"chip_used\":{\"what\":\"cores\",\"used\":4,\"of\":56}}",
                  ", cores 4 of 56, incl. unattributed constant");
    assert_suffix("{\"stalls\":{\"unattributed\":0}}", "");
}

static void damaged_results_have_no_label(void **state G_GNUC_UNUSED)
{
    assert_suffix("{}", "");
    assert_suffix("{\"chip_used\":7,\"stalls\":[]}", "");
    assert_suffix("{\"chip_used\":{\"what\":\"PEs\",\"used\":-1e300}}", "");
    assert_suffix("{\"chip_used\":{\"what\":\"PEs\",\"used\":1,\"of\":1e300}}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_label_says_how_much_of_the_chip_was_used),
        cmocka_unit_test(a_label_says_if_the_time_contains_the_constant),
        cmocka_unit_test(damaged_results_have_no_label),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
