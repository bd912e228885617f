/* Suites made from files of measurements: rules say how records of such files become
 * rows (reference.h). */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct TraceMeasured TraceMeasured;

/* Does the text of a suite hold rules, and not rows? Their first column is `file`. */
bool trace_measured_is_rules(const char *text);

/* Reads rules, which are CSV with the columns
 *   file       patterns (*, ?) for names of files, below a folder, between spaces
 *   where      a condition (fields.h) on the fields of a record
 *   case       of the row; may have places to fill, as `run`
 *   published  the name of a field
 *   quick      of how many rows of a group a quick validation runs
 *   combine    mean_error or median_error for one more row of the group, whose
 * tolerance limit      is, in percent; both empty for none group      what counts
 * together; the file where it is empty and, as suites have them, quantity, unit,
 * tolerance, kind, run, field, scale, skip and note. Of the rules that a record meets
 * the first one counts. Fails with TRACE_ERROR_READ, `name` and the line in the
 * message. */
TraceMeasured *
trace_measured_parse(const char *name, const char *text, gsize length, GError **error);
void trace_measured_free(TraceMeasured *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceMeasured, trace_measured_free)

/* Makes rows of a file below a folder, where a rule is for it. Fields of its records:
 * the columns of CSV by their names (fields.h), or, of a trace of NoC events in JSON,
 * which is one record, recorded_cycles; and of its name: `path`; `width` and `height`
 * where WxH is a part of it; `api`, which is 2 where 2.0 is a part of it and else 1. A
 * file that no rule is for, and records that no rule covers, are left over. Fails with
 * TRACE_ERROR_READ. */
bool trace_measured_add(TraceMeasured *self,
                        const char *folder,
                        const char *file,
                        GError **error);

/* The rows as the text of a suite, group after group, as files were added. The caller
 * frees it. */
char *trace_measured_suite(const TraceMeasured *self);

/* The same without any file: a row for each rule, all of them skipped. */
char *trace_measured_nothing(const TraceMeasured *self, const char *why);

/* What is left over, as "NAME" or "NAME (N of M rows)"; borrowed. */
guint trace_measured_left_count(const TraceMeasured *self);
const char *trace_measured_left(const TraceMeasured *self, guint index);
