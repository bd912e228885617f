/* A run that is explained: its critical path, the parts of that, and what runs without
 * some costs gave. */
#pragma once

#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/explain/parts.h"
#include "tools/gridloom/explain/what_if.h"
#include "traces/reading/run_file.h"

enum {
    EXPLAIN_RUNS = 2, /* at most */
    EXPLAIN_LINES = 30,
};

typedef struct {
    TraceRun *run;
    TracePath *path;
    ExplainParts *parts;
    GArray *trials; /* of ExplainTrial: what the user wished for */
    char *note;     /* why nothing was run again; NULL: it was, or nobody asked */
} ExplainStudy;

void explain_study_clear(ExplainStudy *self);

/* A part of two runs. Their changes add up to the difference in cycles. */
typedef struct {
    ExplainKind kind;
    gint64 before;
    gint64 after;
    const char *where; /* of the later run, or else of the earlier; NULL: unknown */
} ExplainChange;

/* Parts that either has, the largest change first. The caller frees the array of
 * ExplainChange. */
GArray *explain_changes(const ExplainStudy *before, const ExplainStudy *after);

/* At most EXPLAIN_LINES lines. */
void explain_text_print(const ExplainStudy *studies, guint count, FILE *stream);

/* The result of the command; the caller frees it. */
char *explain_json(const ExplainStudy *studies, guint count);

/* A page with the same, and the timelines of the lanes that the paths go through. The
 * caller frees it. */
char *explain_page(const ExplainStudy *studies, guint count);
