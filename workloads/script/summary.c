/* The line in which a file says what it is for. */
#include "workloads/script/summary.h"

#include <string.h>

#include "workloads/error.h"
#include "workloads/sandbox/field.h"

const char *summary_read(lua_State *L, int index, GError **error)
{
    const char *summary = field_text(L, index, "summary", error);
    if (summary == NULL) {
        return NULL;
    }
    if (*summary == '\0' || strpbrk(summary, "\r\n") != NULL ||
        !g_utf8_validate(summary, -1, NULL)) {
        (void) wl_refuse(error, "summary must be one line of text");
        return NULL;
    }
    return summary;
}
