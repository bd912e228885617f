/* Collects reports and writes them as text. */
#include "workloads/csl/syntax/diagnostic.h"

#include <stdarg.h>

/* Longer lines are cut around the caret. */
#define SHOWN_COLUMNS 120
#define SHOWN_BEFORE  60

struct CslDiagnostics {
    GString *text;
    GHashTable *seen; /* first lines of reports */
    guint error_count;
    guint warning_count;
    bool is_last_taken; /* hints and notes follow what was taken */
};

CslDiagnostics *csl_diagnostics_new(void)
{
    CslDiagnostics *self = g_new0(CslDiagnostics, 1);

    self->text = g_string_new(NULL);
    self->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return self;
}

void csl_diagnostics_free(CslDiagnostics *self)
{
    if (self == NULL) {
        return;
    }
    g_hash_table_destroy(self->seen);
    g_string_free(self->text, TRUE);
    g_free(self);
}

guint csl_diagnostics_error_count(const CslDiagnostics *self)
{
    return self->error_count;
}

guint csl_diagnostics_warning_count(const CslDiagnostics *self)
{
    return self->warning_count;
}

bool csl_diagnostics_is_full(const CslDiagnostics *self)
{
    return self->error_count >= CSL_ERRORS_MOST;
}

const char *csl_diagnostics_text(const CslDiagnostics *self)
{
    return self->text->str;
}

/* Control characters and bytes that are not ASCII would spoil the caret's column. */
static void append_plain(GString *text, const char *from, const char *end)
{
    for (; from < end; from++) {
        const bool is_plain = g_ascii_isprint(*from) || *from == '\t';

        g_string_append_c(text, is_plain ? *from : '?');
    }
}

static void append_line(GString *text, CslPlace place)
{
    const CslPosition at = csl_place_position(place);
    const char *start = csl_source_text(place.source) + at.line_start;
    const char *end = csl_source_text(place.source) + at.line_end;
    const char *caret = csl_source_text(place.source) + place.offset;

    if (end > start && end[-1] == '\r') {
        end--;
    }
    if (caret > end) {
        caret = end;
    }
    if (caret - start > SHOWN_BEFORE && end - start > SHOWN_COLUMNS) {
        start = caret - SHOWN_BEFORE;
    }
    if (end - start > SHOWN_COLUMNS) {
        end = start + SHOWN_COLUMNS;
    }
    g_string_append(text, "    ");
    append_plain(text, start, end);
    g_string_append(text, "\n    ");
    for (; start < caret; start++) {
        g_string_append_c(text, *start == '\t' ? '\t' : ' ');
    }
    g_string_append(text, "^\n");
}

static bool is_taken(CslDiagnostics *self, CslSeverity severity, const char *line)
{
    switch (severity) {
    case CSL_ERROR:
        if (csl_diagnostics_is_full(self) ||
            !g_hash_table_add(self->seen, g_strdup(line))) {
            return false;
        }
        self->error_count++;
        return true;
    case CSL_WARNING:
        if (self->warning_count >= CSL_ERRORS_MOST ||
            !g_hash_table_add(self->seen, g_strdup(line))) {
            return false;
        }
        self->warning_count++;
        return true;
    case CSL_NOTE:
        break;
    }
    return self->is_last_taken;
}

void csl_report(
    CslDiagnostics *self, CslSeverity severity, CslPlace place, const char *format, ...)
{
    static const char *const words[] = {
        [CSL_ERROR] = "error", [CSL_WARNING] = "warning", [CSL_NOTE] = "note"};
    g_autoptr(GString) line = g_string_new(NULL);
    va_list arguments;

    if (place.source != NULL) {
        const CslPosition at = csl_place_position(place);

        g_string_append_printf(line, "%s:%u:%u: ", csl_source_name(place.source),
                               at.line, at.column);
    }
    g_string_append_printf(line, "%s: ", words[severity]);
    va_start(arguments, format);
    g_string_append_vprintf(line, format, arguments);
    va_end(arguments);
    self->is_last_taken = is_taken(self, severity, line->str);
    if (!self->is_last_taken) {
        return;
    }
    append_plain(self->text, line->str, line->str + line->len);
    g_string_append_c(self->text, '\n');
    if (place.source != NULL) {
        append_line(self->text, place);
    }
    if (severity == CSL_ERROR && csl_diagnostics_is_full(self)) {
        g_string_append_printf(self->text, "%d errors: the rest is not shown\n",
                               CSL_ERRORS_MOST);
    }
}

void csl_report_hint(CslDiagnostics *self, const char *format, ...)
{
    va_list arguments;

    if (!self->is_last_taken) {
        return;
    }
    g_string_append(self->text, "    hint: ");
    va_start(arguments, format);
    g_string_append_vprintf(self->text, format, arguments);
    va_end(arguments);
    g_string_append_c(self->text, '\n');
}
