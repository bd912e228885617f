/* The best unit to show a column in, derived from the end of its name. */
#pragma once

#include <glib.h>

typedef struct {
    const char *unit; /* "ms"; NULL: the name says it all. Borrowed, for ever */
    double factor;    /* from the numbers of the column to that unit */
} TraceUnit;

/* For numbers up to `largest`: "seconds" and "seconds_per_iteration" become ns to s,
 * "bytes" from 8 KiB on KiB or MiB, "joules" nJ to J. A formula, or a name with another
 * end, stays what it is. */
TraceUnit trace_table_unit(const char *name, double largest);

/* "seconds (ms)", or the name alone; the caller frees it. */
char *trace_table_unit_words(const char *name, TraceUnit unit);
