/* Puts the used share of a chip into words. */
#include "traces/reading/used.h"

#include "traces/file/json_member.h"
#include "traces/file/quantity.h"

enum {
    MOST = 1000000000, /* more is no count of parts */
};

char *trace_used_text(JsonObject *result)
{
    JsonObject *chip_used = trace_json_object(result, "chip_used");
    const char *what = trace_json_string(chip_used, "what", NULL);
    const double used = trace_json_number(chip_used, "used", 0);
    const double there = trace_json_number(chip_used, "of", 0);

    if (what == NULL || !(used >= 1 && used <= MOST && there <= MOST)) {
        return NULL;
    }
    g_autofree char *some = quantity_count((uint64_t) used);
    g_autofree char *all = there >= 1 ? quantity_count((uint64_t) there) : NULL;

    return g_strconcat(what, " ", some, all != NULL ? " of " : NULL, all, NULL);
}

const char *trace_used_mark(JsonObject *result)
{
    JsonObject *stalls = trace_json_object(result, "stalls");

    return trace_json_number(stalls, "unattributed", 0) > 0
               ? "incl. unattributed constant"
               : NULL;
}

char *trace_used_suffix(JsonObject *result)
{
    g_autofree char *used = trace_used_text(result);
    const char *mark = trace_used_mark(result);
    GString *text = g_string_new(NULL);

    if (used != NULL) {
        g_string_append_printf(text, ", %s", used);
    }
    if (mark != NULL) {
        g_string_append_printf(text, ", %s", mark);
    }
    return g_string_free(text, FALSE);
}
