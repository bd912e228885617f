/* Fuzzes finished runs that `compare --beside` reads with any bytes: they are refused
 * in one line, or stand in the table. */
#include "tests/fuzz/fuzz.h"
#include "tools/gridloom/compare/result.h"

static void check_table(const CompareOptions *options)
{
    g_auto(CompareResult) result;
    WlProcess over = {.result = json_node_new(JSON_NODE_OBJECT)};
    const CompareChip *chip = options->chips->pdata[0];
    g_autofree char *csv = NULL;
    g_autofree char *json = NULL;

    json_node_set_object(over.result, chip->over->result);
    compare_result_init(&result, options);
    compare_result_add(&result, 0, chip, over);
    csv = compare_result_to_csv(&result);
    json = compare_result_to_json(&result);
    g_assert_true(csv != NULL && json != NULL);
    g_assert_nonnull(compare_chip_origin(chip));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char name[] = "dot";
    static char quantity[] = "seconds_per_iteration";
    static char *line[] = {name, NULL};
    g_auto(FuzzFile) file = fuzz_file_new(data, size);
    g_autoptr(GPtrArray) chips = compare_chips_new();
    g_autoptr(GPtrArray) sweeps = g_ptr_array_new();
    const CompareOptions options = {.line = line,
                                    .script = name,
                                    .name = name,
                                    .chips = chips,
                                    .sweeps = sweeps,
                                    .case_count = 1,
                                    .quantity = quantity};
    GError *error = NULL;

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    if (compare_chips_add_over(chips, file.path, "dot", &error)) {
        check_table(&options);
    } else {
        fuzz_check_error(error, error->domain);
    }
    return 0;
}
