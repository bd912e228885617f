/* Places in JSON texts: JSON pointers (RFC 6901) that grow and shrink. */
#pragma once

#include <glib.h>

/* Adds a member or an item to a pointer, on one line: control characters are written as
 * JSON does. Returns its length before, for
 * g_string_truncate(). */
gsize trace_pointer_add(GString *self, const char *member);
gsize trace_pointer_add_index(GString *self, guint index);
