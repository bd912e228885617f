/* What simulations have beyond closed forms gets names, and adds up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "tests/tools/compare/estimate_form.h"
#include "tools/gridloom/compare/estimate.h"

/* Sums of shares. */
static double sum_of(const GArray *shares)
{
    double sum = 0;

    for (guint i = 0; i < shares->len; i++) {
        sum += estimate_share(shares, i)->cycles;
    }
    return sum;
}

static void assert_share(const GArray *shares, const char *beginning, double cycles)
{
    for (guint i = 0; i < shares->len; i++) {
        if (g_str_has_prefix(estimate_share(shares, i)->name, beginning)) {
            assert_near(estimate_share(shares, i)->cycles, cycles);
            return;
        }
    }
    fail_msg("nothing begins with %s", beginning);
}

static void explain(Estimate *estimate, const char *text)
{
    g_autoptr(JsonNode) result = parse(text);
    g_autoptr(GError) error = NULL;

    if (!estimate_explain(estimate, json_node_get_object(result), &error)) {
        fail_msg("%s", error->message);
    }
    assert_near(estimate->ratio, estimate->simulated / estimate->cycles);
    assert_near(sum_of(estimate->measured), estimate->simulated);
    assert_near(sum_of(estimate->difference), estimate->simulated - estimate->cycles);
}

static void differences_of_a_step_have_names(void **state G_GNUC_UNUSED)
{
    g_autoptr(Estimate) step =
        form("stencil25", "wse2", NULL, "{" COLUMN "\"nz\": 100, \"block\": \"auto\"}");

    explain(step, "{\"cycles_per_iteration\": 8000, \"metrics\": "
                  "{\"interior_busy_cycles_per_step\": 5137, "
                  "\"interior_memory_idle_cycles_per_step\": 1060, "
                  "\"cycles_per_step_steady\": 7500}}");
    assert_share(step->measured, "other idle", 8000 - 5137 - 1060);
    assert_share(step->difference, "a first step", 500);
    assert_share(step->difference, "bank conflicts", 30);
    assert_share(step->difference, "instructions", 5137 - 2408 - 1900 - 756);
    assert_share(step->difference, "waiting", 8000 - 6164 - 500 - 30 - 73);

    /* Without PEs that have all neighbours: the mean one. */
    explain(step, "{\"cycles_per_iteration\": 8000, \"busy\": {\"busy\": 0.5, "
                  "\"memory_idle\": 0.1}, \"metrics\": {}}");
    assert_share(step->measured, "busy", 4000);
    assert_share(step->difference, "waiting", 8000 - 6164);
    explain(step, "{\"cycles_per_iteration\": 8000}");
}

static void differences_on_cores_have_names(void **state G_GNUC_UNUSED)
{
    g_autoptr(Estimate) product =
        form("stencil7", "wormhole_n300", NULL, "{" CORES ", \"dtype\": \"bf16\"}");
    g_autoptr(Estimate) dot =
        form("dot", "wormhole_n300", NULL, "{" CORES ", \"dtype\": \"fp32\"}");

    /* Of two cores together. */
    explain(product,
            "{\"cycles_per_iteration\": 200000, \"parameters\": {\"dtype\": \"bf16\"}, "
            "\"metrics\": {\"units\": {\"unpacker\": {\"busy\": 136720, \"issue\": "
            "240000, \"circular_buffer\": 20000, \"idle\": 3280}}}}");
    assert_share(product->measured, "unpacker busy", 68360);
    assert_share(product->difference, "instructions", 120000 - 118974 - 345);
    assert_share(product->difference, "operations wait", 10000);
    assert_share(product->difference, "until the slowest", 1640);

    explain(dot,
            "{\"cycles_per_iteration\": 104430, \"seconds\": 1.0443e-4, \"zones\": "
            "{\"local\": 5.7e-5}, \"metrics\": {\"device_seconds\": 7.443e-5}}");
    assert_share(dot->measured, "launch", 30000);
    assert_share(dot->difference, "operations on a core", 57000 - 55628.8);
}

static void a_result_without_cycles_is_refused(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"{}", "{\"cycles_per_iteration\": 0}",
                                        "{\"cycles_per_iteration\": \"x\"}"};
    g_autoptr(Estimate) dot = form("dot", "wormhole_n300", NULL, "{" CORES "}");

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(JsonNode) result = parse(texts[i]);
        g_autoptr(GError) error = NULL;

        assert_false(estimate_explain(dot, json_node_get_object(result), &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_of_a_step_have_names),
        cmocka_unit_test(differences_on_cores_have_names),
        cmocka_unit_test(a_result_without_cycles_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
