/* Compares the parts of two runs. */
#include "tools/gridloom/explain/study.h"

void explain_study_clear(ExplainStudy *self)
{
    g_clear_pointer(&self->path, trace_path_free);
    g_clear_pointer(&self->parts, explain_parts_free);
    g_clear_pointer(&self->trials, g_array_unref);
    g_clear_pointer(&self->run, trace_run_free);
    g_clear_pointer(&self->note, g_free);
}

static gint64 size_of(const ExplainChange *self)
{
    return ABS(self->after - self->before);
}

static int compare(gconstpointer a, gconstpointer b)
{
    const ExplainChange *left = a;
    const ExplainChange *right = b;

    if (size_of(left) != size_of(right)) {
        return size_of(left) > size_of(right) ? -1 : 1;
    }
    return (int) left->kind - (int) right->kind;
}

GArray *explain_changes(const ExplainStudy *before, const ExplainStudy *after)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(ExplainChange));

    for (guint i = 0; i < EXPLAIN_PARTS; i++) {
        const ExplainKind kind = (ExplainKind) i;
        const ExplainPart *old = explain_parts_find(before->parts, kind);
        const ExplainPart *new = explain_parts_find(after->parts, kind);
        const ExplainPart *shown = new != NULL ? new : old;

        if (shown != NULL) {
            const ExplainChange change = {
                .kind = kind,
                .before = old == NULL ? 0 : (gint64) old->cycles,
                .after = new == NULL ? 0 : (gint64) new->cycles,
                .where = shown->where};

            g_array_append_val(changes, change);
        }
    }
    g_array_sort(changes, compare);
    return changes;
}
