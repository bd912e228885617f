/* The best unit to show a column in, derived from the end of its name. */
#pragma once

#include <glib.h>

typedef struct {
    const char *unit; /* "ms"; NULL: the name says it all. A static text */
    double factor;    /* multiplies numbers of the column to give that unit */
} TraceUnit;

/* The unit for numbers up to `largest`: "seconds" and "seconds_per_iteration" become ns
 * to s, "bytes" KiB or MiB from 8 KiB on, "joules" nJ to J. Formulas and names with
 * other endings stay unchanged. */
TraceUnit trace_table_unit(const char *name, double largest);

/* "seconds (ms)", or the name alone; the caller frees it. */
char *trace_table_unit_words(const char *name, TraceUnit unit);
