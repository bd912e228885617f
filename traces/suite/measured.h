/* Suites made from measurement files: rules turn their records into rows
 * (reference.h). */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct TraceMeasured TraceMeasured;

/* Does the text of a suite hold rules rather than rows? The first column of rules is
 * `file`. */
bool trace_measured_is_rules(const char *text);

/* Reads rules, which are CSV with the columns
 *   file       patterns (*, ?) for file names below a folder, separated by spaces
 *   where      a condition (fields.h) on the fields of a record
 *   case       the row's case; may hold places to fill, as may `run`
 *   published  the name of a field
 *   quick      how many rows of a group a quick validation runs
 *   combine    mean_error or median_error adds a summary row to the group
 *   limit      the tolerance of that row in percent; empty if `combine` is
 *   group      rows that are combined; if empty, the rows of one file
 *
 * and those of a suite: quantity, unit, tolerance, kind, run, field, scale, skip and
 * note. The first rule that a record meets applies. Fails with TRACE_ERROR_READ and a
 * message with `name` and the line. */
TraceMeasured *
trace_measured_parse(const char *name, const char *text, gsize length, GError **error);
void trace_measured_free(TraceMeasured *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceMeasured, trace_measured_free)

/* Makes rows from a file below a folder, if a rule matches it. The fields of a CSV
 * record are its columns (fields.h); a column that contains WxH also adds NAME_width
 * and NAME_height. A JSON trace of NoC events is one record with the field
 * recorded_cycles. The file name adds `path`; `width` and `height` if it contains WxH;
 * and `api`, 2 if it contains 2.0, else 1. Files and records without a rule are left
 * over. Fails with TRACE_ERROR_READ. */
bool trace_measured_add(TraceMeasured *self,
                        const char *folder,
                        const char *file,
                        GError **error);

/* The rows as the text of a suite: group by group, files in the order added. The caller
 * frees it. */
char *trace_measured_suite(const TraceMeasured *self);

/* The same without any file: one skipped row for each rule. */
char *trace_measured_nothing(const TraceMeasured *self, const char *why);

/* Files and records left over, as "NAME" or "NAME (N of M rows)"; borrowed. */
guint trace_measured_left_count(const TraceMeasured *self);
const char *trace_measured_left(const TraceMeasured *self, guint index);
