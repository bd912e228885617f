/* What came of the windows of a group. */
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/tune/study.h"
#include "traces/file/json_member.h"

const TunePoint *tune_group_chosen(const TuneGroup *self)
{
    return self->chosen >= 0 ? tune_point(self->points, (guint) self->chosen) : NULL;
}

guint tune_group_count(const TuneGroup *self, TuneStatus status)
{
    guint count = 0;

    for (guint i = 0; i < self->points->len; i++) {
        const TunePoint *point = tune_point(self->points, i);

        count += point->is_candidate && point->status == status;
    }
    return count;
}

bool tune_group_has_front(const TuneGroup *self, guint point)
{
    for (guint i = 0; i < self->front->len; i++) {
        if (g_array_index(self->front, guint, i) == point) {
            return true;
        }
    }
    return false;
}

const char *tune_group_check(const TuneGroup *self)
{
    JsonObject *check =
        self->run.result != NULL
            ? trace_json_object(json_node_get_object(self->run.result), "check")
            : NULL;

    return check != NULL ? trace_json_string(check, "status", "none") : "none";
}

int tune_study_code(const TuneStudy *self)
{
    int code = EXIT_DONE;

    for (guint i = 0; i < self->groups->len; i++) {
        const TuneGroup *group = tune_study_group(self, i);

        code = MAX(code, group->run.code);
        code =
            tune_group_count(group, TUNE_FAILED) > 0 ? MAX(code, EXIT_STOPPED) : code;
    }
    return code;
}

/* With every number as one sign; the caller frees it. */
static char *without_numbers(const char *text)
{
    GString *kind = g_string_new(NULL);

    for (const char *at = text; *at != '\0'; at++) {
        const bool is_number = g_ascii_isdigit(*at) ||
                               ((*at == '.' || *at == 'x') && g_ascii_isdigit(at[1]) &&
                                at > text && g_ascii_isdigit(at[-1]));

        if (!is_number) {
            g_string_append_c(kind, *at);
        } else if (kind->len == 0 || kind->str[kind->len - 1] != '#') {
            g_string_append_c(kind, '#');
        }
    }
    return g_string_free(kind, FALSE);
}

static int compare_reasons(gconstpointer a, gconstpointer b)
{
    const TuneReason *one = a;
    const TuneReason *two = b;

    return (one->count < two->count) - (one->count > two->count);
}

GArray *tune_group_reasons(const TuneGroup *self)
{
    GArray *reasons = g_array_new(FALSE, FALSE, sizeof(TuneReason));
    g_autoptr(GHashTable) places =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < self->points->len; i++) {
        const TunePoint *point = tune_point(self->points, i);
        gpointer place = NULL;

        if (!point->is_candidate || point->why == NULL) {
            continue;
        }
        char *kind = without_numbers(point->why);

        if (g_hash_table_lookup_extended(places, kind, NULL, &place)) {
            g_array_index(reasons, TuneReason, GPOINTER_TO_UINT(place)).count++;
            g_free(kind);
        } else {
            const TuneReason reason = {
                .example = point->why, .status = point->status, .count = 1};

            (void) g_hash_table_insert(places, kind, GUINT_TO_POINTER(reasons->len));
            g_array_append_val(reasons, reason);
        }
    }
    g_array_sort(reasons, compare_reasons); /* stable */
    return reasons;
}
