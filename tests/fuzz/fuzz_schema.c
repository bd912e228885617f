/* Fuzzes the check of JSON with any bytes, as a result and as a schema: both are
 * refused in one line, or a value is checked. */
#include "tests/fuzz/fuzz.h"
#include "traces/error.h"
#include "traces/file/json_file.h"
#include "traces/schema/catalog.h"

static void check_result(JsonNode *value, TraceSchemaStrictness strictness)
{
    GError *error = NULL;

    if (!trace_catalog_check(value, strictness, &error)) {
        fuzz_check_error(error, TRACE_ERROR);
    }
}

/* A schema is a value, too: its own. */
static void check_schema(JsonNode *root)
{
    GError *error = NULL;
    g_autoptr(TraceSchema) schema = trace_schema_new(root, &error);

    if (schema == NULL ||
        !trace_schema_check(schema, root, TRACE_SCHEMA_WHOLE, &error)) {
        fuzz_check_error(error, TRACE_ERROR);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *) data, size);
    GError *error = NULL;
    g_autoptr(JsonNode) root = trace_json_parse("fuzz.json", text, &error);

    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
    if (root == NULL) {
        fuzz_check_error(error, TRACE_ERROR);
        return 0;
    }
    check_result(root, TRACE_SCHEMA_WHOLE);
    check_result(root, TRACE_SCHEMA_PARTIAL);
    check_schema(root);
    return 0;
}
