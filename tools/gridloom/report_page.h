/* The page that a report is: everything in one file. */
#pragma once

#include <glib.h>

#include "traces/run_file.h"

/* HTML that needs no network and no other file; the caller frees it. */
char *report_page_new(TraceRun *const *runs, guint count);
