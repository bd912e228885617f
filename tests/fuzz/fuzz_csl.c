/* Fuzzes the front end of CSL: no input may crash it or take for ever, and an error
 * names a place. */
#include "tests/fuzz/fuzz.h"
#include "workloads/csl/meaning/program.h"
#include "workloads/csl/syntax/parser.h"

/* Any bytes are parsed. */
static void parse(const uint8_t *data, size_t size)
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
}

/* What parses is evaluated, for a bounded number of steps. */
static void evaluate(const uint8_t *data, size_t size)
{
    const CslOptions options = {.arch = "wse2", .step_limit = 5000};
    g_autofree char *text = g_strndup((const char *) data, size);
    g_autoptr(CslDiagnostics) to = csl_diagnostics_new();
    g_autoptr(CslProgram) program = csl_program_new(&options, to);
    const bool is_well = csl_program_load_text(program, "f.csl", text);

    g_assert(is_well == (csl_diagnostics_error_count(to) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size);
    evaluate(data, size);
    return 0;
}
