/* Tests of what every result has, whatever the command fills in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/gridloom/envelope.h"
#include "workloads/chip_file.h"

static JsonNode *parse(char *text)
{
    JsonNode *node = json_from_string(text, NULL);

    assert_non_null(node);
    g_free(text);
    return node;
}

static void what_a_command_leaves_out_is_filled_in(void **state)
{
    (void) state;
    g_autoptr(JsonNode) node =
        parse(envelope_to_json((TraceResult){.workload = "x"}, NULL));
    JsonObject *result = json_node_get_object(node);
    JsonObject *host = json_object_get_object_member(result, "host");
    JsonObject *check = json_object_get_object_member(result, "check");

    assert_string_equal(json_object_get_string_member(result, "gridloom"),
                        GRIDLOOM_VERSION);
    assert_string_equal(json_object_get_string_member(result, "chip"), "");
    assert_string_equal(json_object_get_string_member(result, "chip_digest"), "");
    assert_int_equal(json_object_get_int_member(result, "iterations"), 1);
    assert_string_equal(json_object_get_string_member(check, "status"), "skipped");
    assert_int_equal(json_object_get_int_member(host, "threads"), 1);
    assert_true(json_object_get_int_member(host, "peak_rss_bytes") > 0);
}

static void a_chip_brings_its_name_and_what_was_set(void **state)
{
    (void) state;
    g_autoptr(ArchParams) chip = wl_chip_load("wormhole_n300", NULL);
    char *set[] = {(char *) "noc.hop_cycles=11", NULL};
    JsonObject *metrics = json_object_new();

    assert_non_null(chip);
    assert_true(wl_chip_override(chip, set, NULL));
    json_object_set_int_member(metrics, "a", 1);
    g_autoptr(JsonNode) node =
        parse(envelope_to_json((TraceResult){.workload = "x",
                                             .chip = "another",
                                             .metrics = metrics,
                                             .check_status = "pass",
                                             .iterations = 3,
                                             .threads = 2},
                               chip));
    JsonObject *result = json_node_get_object(node);
    g_autofree char *digest = arch_params_digest(chip);

    assert_string_equal(json_object_get_string_member(result, "chip"), "wormhole_n300");
    assert_string_equal(json_object_get_string_member(result, "chip_digest"), digest);
    assert_string_equal(
        json_object_get_string_member(
            json_object_get_object_member(result, "overrides"), "noc.hop_cycles"),
        "11");
    assert_int_equal(json_object_get_int_member(
                         json_object_get_object_member(result, "metrics"), "a"),
                     1);
    assert_int_equal(json_object_get_int_member(result, "iterations"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_command_leaves_out_is_filled_in),
        cmocka_unit_test(a_chip_brings_its_name_and_what_was_set),
    };

    return cmocka_run_group_tests_name("tools.envelope", tests, NULL, NULL);
}
