/* Completes results, and writes the numbers of chips into them. */
#include "tools/gridloom/envelope.h"

#include <sys/resource.h>

#include "traces/table/record.h"

JsonObject *envelope_overrides(const ArchParams *params)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);

        if (param->is_overridden) {
            g_autofree char *name = g_strconcat(param->section, ".", param->key, NULL);

            json_object_set_string_member(object, name, param->value);
        }
    }
    return object;
}

JsonArray *envelope_numbers(const ArchParams *params, bool is_of_runs)
{
    JsonArray *ledger = json_array_new();

    for (guint i = 0; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);
        JsonObject *line;

        if (is_of_runs && param->is_inert) {
            continue;
        }
        line = RECORD(VALUE("section", param->section), VALUE("key", param->key),
                      VALUE("value", param->value), VALUE("unit", param->unit),
                      VALUE("confidence", arch_confidence_name(param->confidence)),
                      VALUE("source", param->source));
        if (param->range != NULL) {
            RECORD_ADD(line, VALUE("range", arch_range_text(param->range)));
        }
        json_array_add_object_element(ledger, line);
    }
    return ledger;
}

static uint64_t peak_memory(void)
{
    struct rusage usage = {0};

    (void) getrusage(RUSAGE_SELF, &usage);
    return (uint64_t) usage.ru_maxrss * 1024; /* Linux counts KiB */
}

char *envelope_to_json(TraceResult result, const ArchParams *chip)
{
    g_autofree char *digest = chip != NULL ? arch_params_digest(chip) : NULL;
    char *json;

    if (chip != NULL) {
        result.chip = arch_params_name(chip);
        result.chip_digest = digest;
        result.overrides = envelope_overrides(chip);
    }
    result.gridloom = GRIDLOOM_VERSION;
    result.chip = result.chip != NULL ? result.chip : "";
    result.chip_digest = result.chip_digest != NULL ? result.chip_digest : "";
    result.check_status = result.check_status != NULL ? result.check_status : "skipped";
    result.iterations = MAX(result.iterations, 1);
    result.threads = MAX(result.threads, 1);
    result.peak_rss_bytes = peak_memory();
    json = trace_result_to_json(&result);
    g_clear_pointer(&result.parameters, json_object_unref);
    g_clear_pointer(&result.overrides, json_object_unref);
    g_clear_pointer(&result.given, json_object_unref);
    g_clear_pointer(&result.inputs, json_object_unref);
    g_clear_pointer(&result.chip_used, json_object_unref);
    g_clear_pointer(&result.counters, json_object_unref);
    g_clear_pointer(&result.metrics, json_object_unref);
    g_clear_pointer(&result.rows, json_array_unref);
    g_clear_pointer(&result.chip_parameters, json_array_unref);
    return json;
}

double envelope_seconds(gint64 start)
{
    return (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}
