/* The named fields of a record, and the rules over them: conditions and templates. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Texts by name, both copied: g_hash_table_new_full() for strings. */
typedef GHashTable TraceFields;

TraceFields *trace_fields_new(void);

/* What a column is called in formulas: "Transaction Size (bytes)" is
 * transaction_size_bytes. The caller frees it. */
char *trace_fields_name(const char *column);

void trace_fields_set(TraceFields *self, const char *name, const char *text);

/* Does a condition hold? One is empty, or parts between semicolons that all hold:
 * "mechanism=unicast|multicast" (one of these texts), or two formulas with <, <=, > or
 * >= between them. A name without a text holds nothing. Fails with TRACE_ERROR_READ
 * where it is none. */
bool trace_fields_hold(TraceFields *self,
                       const char *condition,
                       bool *is_held,
                       GError **error);

/* A text with its places filled: "{a} x {b/2} B". A name stands for its text, quoted
 * for a shell where that is needed; a formula for a whole number. The caller frees it.
 * Fails with TRACE_ERROR_READ where a name has no text, or a formula no whole number.
 */
char *trace_fields_fill(TraceFields *self, const char *text, GError **error);
