/* Fuzzes the reader of rules for files with measurements with any bytes: what it takes
 * makes a suite that can be read or is refused in one line. */
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "traces/error.h"
#include "traces/suite/measured.h"
#include "traces/suite/reference.h"

/* The name that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const GError *error)
{
    g_assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    g_assert_null(strpbrk(error->message, "\r\n"));
    g_assert_cmpuint(strlen(error->message), <, 600);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strndup((const char *) data, size);
    g_autoptr(TraceMeasured) measured =
        trace_measured_parse("fuzz.csv", (const char *) data, size, &error);
    g_autofree char *suite = NULL;
    g_autoptr(TraceReference) rows = NULL;

    (void) trace_measured_is_rules(text);
    g_assert_true((measured == NULL) == (error != NULL));
    if (measured == NULL) {
        check_error(error);
        return 0;
    }
    suite = trace_measured_nothing(measured, "no data");
    rows = trace_reference_parse("fuzz.csv", suite, strlen(suite), &error);
    g_assert_true((rows == NULL) == (error != NULL));
    if (rows == NULL) {
        check_error(error);
    }
    return 0;
}
