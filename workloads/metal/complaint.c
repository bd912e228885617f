/* Completes what compilers say. */
#include "workloads/metal/complaint.h"

#include <string.h>

#include "workloads/error.h"

/* Does the compiler miss a name, a member or a file? */
static bool is_missing(const char *words)
{
    static const char *const signs[] = {
        "undeclared identifier", "no member named",  "file not found",
        "unknown type name",     "was not declared", "is not a member of",
        "has no member named",   "No such file",
    };

    for (guint i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (strstr(words, signs[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool metal_complaint(const char *what,
                     const char *words,
                     const char *page,
                     GError **error)
{
    g_autofree char *plain = g_strchomp(g_strdup(words));

    return wl_refuse(error, "%s does not compile:\n%s%s%s%s", what, plain,
                     is_missing(words) ? "\n" : "", is_missing(words) ? page : "",
                     is_missing(words) ? " lists what there is" : "");
}
