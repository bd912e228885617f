/* What a report shows of runs, as the data of its page. */
#pragma once

#include <gio/gio.h>

#include <glib.h>

#include "traces/reading/run_file.h"

enum {
    TRACE_REPORT_SLICES = 200000, /* of all runs together; as many stalls and marks, and
                                   * as many values of counters */
};

/* JSON on one line, which may stand in a script element of HTML: it has no '<'. Each
 * run has its result, and of its trace:
 *   strings, places, lanes, shapes and counters: tables, by index;
 *   slices, marks, samples, flows: numbers of 7 bits a byte, lowest first, in base64;
 *   heat: how busy each lane was, and how long it stood still, by time;
 *   shown: up to which cycle, or on which places, slices are there, and how many there
 *   would be.
 * tools/report/trace.js reads it. `roofline` is put in as it is, for roofline.js; it
 * may be NULL. The caller frees it. */
char *trace_report_data(TraceRun *const *runs, guint count, JsonObject *roofline);

/* The same of a page without runs: `sweep` is put in as it is, for sweep.js. The caller
 * frees it. */
char *trace_report_data_of_sweep(JsonObject *sweep);

/* HTML that needs no network and no other file: page.html of `files`, with the scripts
 * and styles that it names and the data in it. The caller frees it. */
char *trace_report_page(GResource *files, const char *data);
