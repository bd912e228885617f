/* The data of a report's page, and the page itself. */
#pragma once

#include <gio/gio.h>

#include <glib.h>

#include "traces/reading/run_file.h"

enum {
    TRACE_REPORT_ITEMS = 130000, /* slices, stalls, marks and counter values of all
                                    runs together: a page of less than 2 MB */
};

/* JSON on one line, without '<', so that it may stand in a script element of HTML. The
 * caller frees it. Each run has its result and, if it has a trace: strings, places,
 * lanes, shapes and counters: tables, by index; slices, marks, samples, flows: numbers
 * of 7 bits a byte, lowest first, in base64; heat: how long each lane was busy and
 * stalled, over time; shown: up to which cycle, or on which places, slices are
 * included, and how many there are in all. tools/report/trace.js reads it. `roofline`,
 * which may be NULL, is inserted unchanged for roofline.js. */
char *trace_report_data(TraceRun *const *runs, guint count, JsonObject *roofline);

/* The same for a page without runs: `sweep` is inserted unchanged for sweep.js. The
 * caller frees it. */
char *trace_report_data_of_sweep(JsonObject *sweep);

/* A self-contained HTML page: page.html of `files` with the scripts and styles that it
 * names, and the data. The caller frees it. */
char *trace_report_page(GResource *files, const char *data);
