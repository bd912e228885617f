/* Traffic matrices: shares that add up, targets in proportion, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/traffic/matrix.h"
#include "arch/traffic/traffic.h"

static ArchNocMatrix *parse(const char *text, guint node_count, GError **error)
{
    return arch_noc_matrix_parse("m.csv", text, strlen(text), node_count, error);
}

static void targets_come_in_proportion(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocMatrix) matrix =
        parse("0.1, 0.2, 0, 0.7\n0,0,0,0\n0,0,1,0\n0.25,0.25,0.25,0.25\n", 4, NULL);
    const double shares[] = {0.1, 0.2, 0, 0.7};
    guint counts[4] = {0};
    uint64_t random = 1;

    for (guint i = 0; i < 100000; i++) {
        counts[arch_noc_matrix_target(matrix, 0, &random)]++;
    }
    for (guint i = 0; i < 4; i++) {
        assert_true(fabs(counts[i] / 1e5 - shares[i]) < 0.005);
    }
    assert_int_equal(counts[2], 0);
    assert_int_equal(arch_noc_matrix_senders(matrix), 3);
    assert_true(arch_noc_matrix_sends(matrix, 0));
    assert_false(arch_noc_matrix_sends(matrix, 1));
}

static void one_target_takes_no_random_number(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocMatrix) matrix = parse("0,1\n1,0\n", 2, NULL);
    uint64_t random = 7;

    assert_int_equal(arch_noc_matrix_target(matrix, 0, &random), 1);
    assert_int_equal(arch_noc_matrix_target(matrix, 1, &random), 0);
    assert_int_equal(random, 7);
}

static void comments_blanks_and_rounded_shares_are_read(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocMatrix) matrix = parse(
        "# from, to\r\n\r\n 0.333 ,0.333,\t0.3333\r\n\n1e0,0,0\n#\n0,1,0", 3, NULL);

    assert_non_null(matrix);
    assert_int_equal(arch_noc_matrix_rows(matrix), 3);
}

static void what_is_no_matrix_is_refused_by_line(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *text;
        const char *says;
    } rows[] = {
        {"0,1\n\n0.5,0.4\n", "m.csv:3: adds up to 0.9, allowed is 1 within 0.001, or 0 "
                             "for a node that sends nothing"},
        {"0,1.002\n",
         "m.csv:1: adds up to 1.002, allowed is 1 within 0.001, or 0 for a "
         "node that sends nothing"},
        {"0,nan\n", "m.csv:1: column 2 = nan, allowed are numbers from 0 to 1"},
        {"0,-nan\n", "m.csv:1: column 2 = nan, allowed are numbers from 0 to 1"},
        {"0,1e999\n", "m.csv:1: column 2 = inf, allowed are numbers from 0 to 1"},
        {"-1,2\n", "m.csv:1: column 1 = -1, allowed are numbers from 0 to 1"},
        {"0,\n", "m.csv:1: column 2 = (nothing), allowed are numbers from 0 to 1"},
        {"0,1x\n", "m.csv:1: column 2 = 1x, allowed are numbers from 0 to 1"},
        {"0,\xff\n", "m.csv:1: column 2 = \\377, allowed are numbers from 0 to 1"},
        {"1\n",
         "m.csv:1: fewer numbers than nodes, allowed are 2, one for each target"},
        {"0,1,0\n",
         "m.csv:1: more numbers than nodes, allowed are 2, one for each target"},
        {"0,1\n", "m.csv: 1 rows, allowed are 2, one for each node"},
        {"", "m.csv: 0 rows, allowed are 2, one for each node"},
        {"0,1\n0,1\n0,1\n", "m.csv:3: row 3, allowed are 2, one for each node"},
        {"0,0\n0,0\n", "m.csv: no node sends anything"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(parse(rows[i].text, 2, &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        assert_string_equal(error->message, rows[i].says);
    }
    g_autoptr(GError) error = NULL;

    assert_null(arch_noc_matrix_parse("m.csv", "0,1\0", 4, 2, &error));
    assert_string_equal(error->message, "m.csv: no text, it has a byte 0");
}

static void a_node_without_shares_sends_nothing(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocMatrix) matrix =
        parse("0,1,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n", 4, NULL);
    ArchNocTrafficConfig config = arch_noc_traffic_config_default();
    g_autoptr(ArchNocTraffic) result = NULL;

    config.network.width = 2;
    config.network.height = 2;
    config.rate = 0.4;
    config.pattern = (ArchNocPattern){.kind = ARCH_NOC_MATRIX, .matrix = matrix};
    result = arch_noc_traffic_run(&config, NULL);

    assert_true(result->is_conserved);
    assert_true(fabs(result->injected_rate - 0.4 / 4) < 0.003);
    assert_true(result->hops_mean == 1);
    for (guint i = 0; i < result->link_count; i++) {
        assert_int_equal(result->links[i].flits > 0,
                         result->links[i].from == 0 && result->links[i].to == 1);
    }
}

static void a_matrix_of_another_size_is_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocMatrix) matrix = parse("0,1\n1,0\n", 2, NULL);
    ArchNocTrafficConfig config = arch_noc_traffic_config_default();
    g_autoptr(GError) error = NULL;

    config.pattern = (ArchNocPattern){.kind = ARCH_NOC_MATRIX, .matrix = matrix};
    assert_null(arch_noc_traffic_run(&config, &error));
    assert_string_equal(error->message, "matrix: of 2 nodes, allowed is one of 64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_come_in_proportion),
        cmocka_unit_test(one_target_takes_no_random_number),
        cmocka_unit_test(comments_blanks_and_rounded_shares_are_read),
        cmocka_unit_test(what_is_no_matrix_is_refused_by_line),
        cmocka_unit_test(a_node_without_shares_sends_nothing),
        cmocka_unit_test(a_matrix_of_another_size_is_refused),
    };

    return cmocka_run_group_tests_name("arch.noc_matrix", tests, NULL, NULL);
}
