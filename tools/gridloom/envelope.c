/* Completes results. */
#include "tools/gridloom/envelope.h"

#include <sys/resource.h>

#include "tools/gridloom/chip_numbers.h"

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
        result.overrides = chip_numbers_overridden(chip);
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
