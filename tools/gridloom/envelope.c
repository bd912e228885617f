/* Completes results. */
#include "tools/gridloom/envelope.h"

#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/peak_memory.h"

static void release(JsonObject *object)
{
    if (object != NULL) {
        json_object_unref(object);
    }
}

char *envelope_to_json(TraceResult result, const ArchParams *chip)
{
    g_autofree char *digest = chip != NULL ? arch_params_digest(chip) : NULL;
    char *json;

    if (chip != NULL) {
        result.chip = arch_params_name(chip);
        result.chip_digest = digest;
        result.overrides = chip_numbers_overridden(chip);
    }
    result.gridloom = GRIDLOOM_VERSION;
    result.chip = result.chip != NULL ? result.chip : "";
    result.chip_digest = result.chip_digest != NULL ? result.chip_digest : "";
    result.check_status = result.check_status != NULL ? result.check_status : "skipped";
    result.iterations = MAX(result.iterations, 1);
    result.threads = MAX(result.threads, 1);
    result.peak_rss_bytes = peak_memory_bytes();
    json = trace_result_to_json(&result);
    release(result.parameters);
    release(result.overrides);
    release(result.counters);
    release(result.metrics);
    if (result.rows != NULL) {
        json_array_unref(result.rows);
    }
    if (result.chip_parameters != NULL) {
        json_array_unref(result.chip_parameters);
    }
    return json;
}

double envelope_seconds(gint64 start)
{
    return (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}
