/* What is wrong with a program, as a compiler says it: file:line:column, the line with
 * a caret, a hint. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/csl/syntax/source.h"

/* After so many errors nothing more is reported; the front end soon gives up. */
#define CSL_ERRORS_MOST 20

typedef enum {
    CSL_ERROR,
    CSL_WARNING,
    CSL_NOTE, /* belongs to what was reported before it */
} CslSeverity;

typedef struct CslDiagnostics CslDiagnostics;

CslDiagnostics *csl_diagnostics_new(void);
void csl_diagnostics_free(CslDiagnostics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslDiagnostics, csl_diagnostics_free)

guint csl_diagnostics_error_count(const CslDiagnostics *self);
guint csl_diagnostics_warning_count(const CslDiagnostics *self);
/* No more errors are taken: stop. */
bool csl_diagnostics_is_full(const CslDiagnostics *self);
/* All that was reported, ready to print. Owned by `self`, until the next report. */
const char *csl_diagnostics_text(const CslDiagnostics *self);

/* Reports one thing. The message is lower case, without a full stop, and says what was
 * expected and what was found. Place {0} stands for no file. The same report at the
 * same place is taken once, because many PEs share a line of source. */
void csl_report(CslDiagnostics *self,
                CslSeverity severity,
                CslPlace place,
                const char *format,
                ...) G_GNUC_PRINTF(4, 5);
/* Adds `hint: ...` to what was reported last. */
void csl_report_hint(CslDiagnostics *self, const char *format, ...) G_GNUC_PRINTF(2, 3);
