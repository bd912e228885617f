/* Fuzzes the parser of CSL: no input may crash it, and an error names a place. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "workloads/csl/syntax/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(CslSource) source = csl_source_new("f.csl", (const char *) data, size);
    GStringChunk *names = g_string_chunk_new(4096);
    g_autoptr(CslDiagnostics) to = csl_diagnostics_new();
    g_autoptr(CslTree) tree = csl_parse(source, names, to);
    const char *text = csl_diagnostics_text(to);

    g_assert(tree->file->kind == CSL_FILE);
    g_assert(csl_diagnostics_error_count(to) <= CSL_ERRORS_MOST);
    if (csl_diagnostics_error_count(to) > 0) {
        g_assert(g_str_has_prefix(text, "f.csl:"));
    }
    g_assert(g_str_is_ascii(text));
    g_string_chunk_free(names);
    return 0;
}
