/* The named fields of a record, and the conditions and templates that use them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Maps names to texts; both are copied. */
typedef GHashTable TraceFields;

TraceFields *trace_fields_new(void);

/* The name of a column in formulas: "Transaction Size (bytes)" is
 * transaction_size_bytes. The caller frees it. */
char *trace_fields_name(const char *column);

void trace_fields_set(TraceFields *self, const char *name, const char *text);

/* Does a condition hold? It is empty, or has parts between semicolons that must all
 * hold: "mechanism=unicast|multicast" (one of these texts), or two formulas with <, <=,
 * > or >= between them. A part with an unknown name does not hold. Fails with
 * TRACE_ERROR_READ if the text is not a condition. */
bool trace_fields_hold(TraceFields *self,
                       const char *condition,
                       bool *is_held,
                       GError **error);

/* Fills the places of a text: "{a} x {b/2} B". A name becomes its text, quoted for a
 * shell if needed; a formula becomes a whole number. The caller frees the result. Fails
 * with TRACE_ERROR_READ if a name is unknown or a formula's value is not whole. */
char *trace_fields_fill(TraceFields *self, const char *text, GError **error);
