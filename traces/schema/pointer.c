/* Writes JSON pointers. */
#include "traces/schema/pointer.h"

gsize trace_pointer_add(GString *self, const char *member)
{
    const gsize before = self->len;

    g_string_append_c(self, '/');
    for (; *member != '\0'; member++) {
        if (*member == '~' || *member == '/') {
            g_string_append(self, *member == '~' ? "~0" : "~1");
        } else if (g_ascii_iscntrl(*member)) {
            g_string_append_printf(self, "\\u%04x", (unsigned char) *member);
        } else {
            g_string_append_c(self, *member);
        }
    }
    return before;
}

gsize trace_pointer_add_index(GString *self, guint index)
{
    const gsize before = self->len;

    g_string_append_printf(self, "/%u", index);
    return before;
}
