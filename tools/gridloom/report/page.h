/* The page of a report: everything in one file. */
#pragma once

#include <glib.h>

#include "traces/roofline/set.h"

enum {
    CMD_REPORT_PAGE_RUNS = 16, /* the most on one page */
};

/* A self-contained HTML page; the caller frees it. */
char *cmd_report_page_new(TraceRun *const *runs, guint count);

/* The page of a roofline's runs, with GPUs beside them; the roofline comes first. The
 * caller frees it. */
char *cmd_report_page_of_roofline(const TraceRooflineSet *set);

/* The page of a sweep: `sweep` is made by trace_table_to_json(), with `script`,
 * `fixed`, `plots` and `goals` if there are any. The caller frees it. */
char *cmd_report_page_of_sweep(JsonObject *sweep);
