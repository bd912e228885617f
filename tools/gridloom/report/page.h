/* The page that a report is: everything in one file. */
#pragma once

#include <glib.h>

#include "traces/roofline/set.h"

enum {
    CMD_REPORT_PAGE_RUNS = 16, /* on one page, at most */
};

/* HTML that needs no network and no other file; the caller frees it. */
char *cmd_report_page_new(TraceRun *const *runs, guint count);

/* The page of the runs of a roofline, with GPUs beside them; the roofline comes first.
 * The caller frees it. */
char *cmd_report_page_of_roofline(const TraceRooflineSet *set);

/* The page of a sweep: `sweep` is what trace_table_to_json() makes, with `script`,
 * `fixed`, `plots` and `goals` where there are such. The caller frees it. */
char *cmd_report_page_of_sweep(JsonObject *sweep);
